"""The next merge: the one big thing of the window, an equation of tokens with its figures and its reason."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy

from explorer.core.training import Stopped, Training
from explorer.core.vocabulary import Pair, Piece
from explorer.gui import theme
from explorer.gui.models.training_words import decision, is_given, is_under_way, no_pair, overlap, size_line, times
from explorer.gui.painted import Painted
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.piece_spelling import fitted, piece_label, piece_spelling
from explorer.gui.painting.spelling import Spelling
from explorer.gui.theme import Role, px
from explorer.gui.views.merge_motion import MergeMotion, Pieces
from explorer.workspace.values import Moment
from explorer.workspace.workspace import Workspace

ROLES = (Role.HEADLINE, Role.TEXT, Role.TOKEN)  # from the largest: the first that fits is taken
UNKNOWN = "…"


@dataclass(frozen=True, slots=True)
class Equation:
    """What is shown of one merge: pieces, figures (None where they are not known yet), and the sentence that says why."""

    pieces: tuple[Piece, Piece, Piece] | None  # left, right, what they make
    count: int | None
    saved: int | None
    before: int
    tied: int | None
    chosen: bool
    reason: str


class NextMerge(Painted):
    """The pair that comes next, what it makes, count, saved, length before and after, ties, and the rule that took it.

    At the end it says why the training stopped. A step forward lets the two boxes close up before the next pair comes.
    Hears run_changed, merge_changed and moment_changed; calls nothing.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("Next merge")
        self._workspace = workspace
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._equation: Equation | None = None
        self._lines = 1
        self._shown: tuple[Training | None, int] = (None, 0)  # of which merge the equation is
        self.motion = MergeMotion(self)
        self.motion.moved.connect(self.update)
        self.restyled()
        workspace.run_changed.connect(self._show)
        workspace.merge_changed.connect(self._show)
        workspace.moment_changed.connect(self._show)
        self._show()

    def sizeHint(self) -> QSize:
        return QSize(round(px(320)), self.height())

    @property
    def equation(self) -> Equation | None:
        """What is shown, None where nothing is open."""
        return self._equation

    def restyled(self) -> None:
        self.setFixedHeight(round(px(100 + 16 * self._lines)))

    def set_lines(self, lines: int) -> None:
        """How many lines the reason may take; it is whole in the tooltip. By the size of the pane, so that no step moves the table."""
        if lines != self._lines:
            self._lines = lines
            self.restyled()
            self.update()

    def _show(self, _: object = None) -> None:
        self._move()
        self._equation = equation_of(self._workspace)
        self.setAccessibleDescription(said(self._equation))
        self.setToolTip(said(self._equation))
        self.update()

    def _move(self) -> None:
        """Begins the motion where the merge shown was just made, and ends it at any other change of merge."""
        run, k, shown = self._workspace.run, self._workspace.k, self._equation
        training = run.training if run else None
        (before, k_before), self._shown = self._shown, (training, k)
        if before is not training or k_before != k:
            stepped = before is training and k == k_before + 1 and self.isVisible()
            self.motion.begin(shown.pieces if stepped and shown else None)

    # --- the picture --------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        equation = self._equation
        if equation is None:
            return
        if self.motion.pieces:
            self._draw_closing(p, self.motion.pieces)
        elif equation.pieces:
            self._draw_pieces(p, equation.pieces)
        if equation.pieces:
            self._draw_figures(p, equation)
        self._draw_reason(p, equation)

    def _draw_pieces(self, p: QPainter, pieces: tuple[Piece, Piece, Piece]) -> None:
        ink, y, tall = self.ink, px(6), px(36)
        role, spellings = self._fit(pieces)
        fills = (ink.tints[0], ink.tints[1], ink.new_fill)
        x, box = px(12), QRectF()
        for sign, spelling, fill in zip(("", "+", "→"), spellings, fills, strict=True):
            if sign:
                x = paint.words(p, sign, x + px(10), y + tall / 2, Role.HEADLINE, ink.ink_3) + px(10)
            box = paint.chip(p, ink, spelling, x, y, tall, role, fill, pad=9)
            x = box.right()
        paint.ring(p, box.adjusted(0.5, 0.5, -0.5, -0.5), ink.new, 1.25)

    def _draw_closing(self, p: QPainter, pieces: Pieces) -> None:
        """The pair that is being merged: its right box on the way to the left one."""
        role, (left, right, _) = self._fit(pieces)
        gap = theme.metrics(Role.HEADLINE).horizontalAdvance("+") + 2 * px(10)
        box = paint.chip(p, self.ink, left, px(12), px(6), px(36), role, self.ink.tints[0], pad=9)
        paint.chip(p, self.ink, right, box.right() + gap * (1 - self.motion.share), px(6), px(36), role, self.ink.tints[1], pad=9)

    def _fit(self, pieces: tuple[Piece, Piece, Piece]) -> tuple[Role, tuple[Spelling, ...]]:
        """The largest role in which the equation fits, or the smallest with its pieces cut in the middle."""
        spellings = tuple(piece_spelling(piece) for piece in pieces)
        signs = sum(theme.metrics(Role.HEADLINE).horizontalAdvance(sign) for sign in "+→") + 4 * px(10) + 6 * px(9)
        room = self.width() - 2 * px(12) - signs
        for role in ROLES:
            if sum(paint.piece_width(spelling, role) for spelling in spellings) <= room:
                return role, spellings
        shares = fair_shares([paint.piece_width(spelling, ROLES[-1]) for spelling in spellings], room)
        return ROLES[-1], tuple(fitted(spelling, ROLES[-1], share) for spelling, share in zip(spellings, shares, strict=True))

    def _draw_figures(self, p: QPainter, equation: Equation) -> None:
        ink, head, mid, x = self.ink, px(58), px(76), px(12)
        least, gap = self._columns(equation)
        for name, value in figures(equation):
            paint.words(p, name, x, head, Role.CAPTION, ink.ink_3)
            end = paint.words(p, value, x, mid, Role.FIGURE_STRONG, ink.ink)
            x = max(end, x + least) + gap
        if equation.tied is None or equation.tied > 1:
            paint.words(p, "tied", x, head, Role.CAPTION, ink.ink_3)
            if equation.tied is None:
                paint.words(p, UNKNOWN, x, mid, Role.FIGURE_STRONG, ink.ink)
            else:
                paint.badge(p, f"{equation.tied} pairs", x, mid, ink.tie, ink.tie_fill)
                x += theme.metrics(Role.CAPTION).horizontalAdvance(f"{equation.tied} pairs") + px(24)
        if equation.chosen:
            paint.badge(p, "chosen", x, mid, ink.tie, ink.tie_fill)

    def _columns(self, equation: Equation) -> tuple[float, float]:
        """The least width of a figure and the space behind it: less of both where the pane is narrow, so that the tie stays in it."""
        caption, strong = theme.metrics(Role.CAPTION), theme.metrics(Role.FIGURE_STRONG)
        badges = [f"{equation.tied} pairs"] * ((equation.tied or 0) > 1) + ["chosen"] * equation.chosen
        room = self.width() - 2 * px(12) - sum(caption.horizontalAdvance(words) + px(24) for words in badges)
        widths = [strong.horizontalAdvance(value) for _, value in figures(equation)]
        if sum(max(width, px(44)) + px(16) for width in widths) <= room:
            return px(44), px(16)
        return max(map(caption.horizontalAdvance, ("count", "saved"))), px(10)

    def _draw_reason(self, p: QPainter, equation: Equation) -> None:
        top = px(102) if equation.pieces else px(24)
        lines = wrapped(equation.reason, Role.LABEL, self.width() - px(14), self._lines)
        for number, line in enumerate(lines):
            paint.words(p, line, px(12), top + number * px(16), Role.LABEL, self.ink.ink_2)


def fair_shares(widths: list[float], room: float) -> list[float]:
    """How much of a room each may take: who needs less than an equal share gets that, and the others share what is left.

    >>> fair_shares([10, 90, 70], 130)
    [10, 60.0, 60.0]
    """
    shares, left = [0.0] * len(widths), room
    for done, place in enumerate(sorted(range(len(widths)), key=widths.__getitem__)):
        shares[place] = min(widths[place], max(0.0, left) / (len(widths) - done))
        left -= shares[place]
    return shares


def figures(equation: Equation) -> tuple[tuple[str, str], ...]:
    """Count, saved and length as they are written; "…" where they are being counted."""
    if equation.count is None or equation.saved is None:
        return ("count", UNKNOWN), ("saved", UNKNOWN), ("length", f"{thousands(equation.before)} → {UNKNOWN}")
    length = f"{thousands(equation.before)} → {thousands(equation.before - equation.saved)}"
    return ("count", thousands(equation.count)), ("saved", thousands(equation.saved)), ("length", length)


def said(equation: Equation | None) -> str:
    """The whole as text, for a tooltip and a screen reader."""
    if equation is None:
        return ""
    if equation.pieces is None:
        return equation.reason
    left, right, made = map(piece_label, equation.pieces)
    facts = ", ".join(f"{name} {value}" for name, value in figures(equation))
    return f"{left} + {right} → {made}: {facts}. {equation.reason}"


def wrapped(text: str, role: Role, width: float, lines: int) -> list[str]:
    """The text in at most so many lines of a width in pixels, cut at spaces; the last one ends in "…" where it is more."""
    made: list[str] = []
    words = text.split(" ") if text else []
    while words and len(made) < lines - 1:
        count = len(words)
        while count > 1 and theme.metrics(role).horizontalAdvance(" ".join(words[:count])) > width:
            count -= 1
        made.append(paint.elided(" ".join(words[:count]), role, width))
        words = words[count:]
    return [*made, paint.elided(" ".join(words), role, width)] if words else made


def equation_of(workspace: Workspace) -> Equation | None:
    """The merge that comes next in the active run, from the training where it holds it, otherwise from the ranking."""
    run, k = workspace.run, workspace.k
    if run is None:
        return None
    training = run.training
    moment = workspace.moment if workspace.moment and workspace.moment.k == k else None
    if k < training.learned:
        return _learned(training, k, moment)
    return _beyond(training, moment, workspace.next_pair)


def _learned(training: Training, k: int, moment: Moment | None) -> Equation:
    merge = training.merges[k]
    reasons = (overlap(training.recipe, merge.count, merge.saved), decision(training, k, moment))
    reason = " ".join(words for words in reasons if words)
    chosen = training.recipe.choice_at(k) is not None
    most = moment.ranked[0].count if moment and moment.ranked else merge.count
    beaten = is_given(training) and (not merge.count or merge.count < most)
    tied = 1 if beaten else merge.tied  # what shares the greatest count is no tie of this pair
    return Equation(_pieces(training, merge.pair), merge.count, merge.saved, training.length(k), tied, chosen, reason)


def _beyond(training: Training, moment: Moment | None, pair: Pair | None) -> Equation:
    """After the last merge learned: what would come next, or that nothing can."""
    ended, before = f"{size_line(training)}.", training.length(training.learned)
    if training.stopped is Stopped.NO_PAIR:
        return Equation(None, None, None, before, None, False, ended)
    if moment is None:
        return Equation(None, None, None, before, None, False, f"{ended} The next pair is being counted.")
    if pair is None or not moment.ranked:
        return Equation(None, None, None, before, None, False, f"{ended} {no_pair(training.recipe)}")
    first, tied = moment.ranked[0], len(moment.tied)
    alone = "This pair comes next." if is_under_way(training) else "This pair would come next."
    rest = f"{tied} pairs occur {times(first.count)}; the rule takes the first." if tied > 1 else alone
    return Equation(_pieces(training, pair), first.count, first.saved, before, tied, False, f"{ended} {rest}")


def _pieces(training: Training, pair: Pair) -> tuple[Piece, Piece, Piece]:
    left, right = (training.table.pieces[token] for token in pair)
    return left, right, left.joined(right)
