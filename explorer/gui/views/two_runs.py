"""Two runs rank by rank: what both merged is quiet, what one alone merged stands on its colour."""

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent, QWheelEvent

from explorer.core.training import Training
from explorer.gui import theme
from explorer.gui.models.comparison import Comparison, merged_at
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.paint import soft, thousands
from explorer.gui.painting.pair_fit import fitted_pair
from explorer.gui.painting.piece_spelling import fitted, pair_label
from explorer.gui.painting.spelling import Spelling
from explorer.gui.theme import Role, px

HEAD, ROW = 36.0, 32.0  # pixels at 100 % zoom, as all sizes here
WIDE, BETWEEN, LITTLE = 420.0, 56.0, 32.0  # from `WIDE` on so much is between the two sides, where it stands how they compare; else little
PAIR = 88.0  # what is least for a pair: "tie of" and then the count make room for it
BEFORE_FIRST = 3  # rows of what both did that stay in view around the first difference
NONE = -1


class Rows(Enum):
    """Which ranks are shown."""

    ALL = "all"
    DIFFERENCES = "differences"


@dataclass(frozen=True, slots=True)
class Columns:
    """What a side has room for beside rank and pair, in pixels; a column of no width is left out."""

    tie: float
    count: float
    length: float

    @property
    def figures(self) -> float:
        """Of count and length together."""
        return self.count + self.length


class TwoRuns(PaintedScroll):
    """A row a rank, A at the left and B at the right; only rows in sight are painted.

    Where it is narrow a bar tells a tie, and the tooltip what was left out.

    A click or Space emits `token_wanted` with the piece that this side made; a double click or Enter emits `merge_wanted` with the rank.
    """

    token_wanted = Signal(object)  # Piece
    merge_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("Merge by merge")
        self._compared: Comparison | None = None
        self._names: tuple[Spelling, Spelling] = ((), ())
        self._rows = Rows.ALL
        self._ranks: range | tuple[int, ...] = ()
        self._current = self._hovered = NONE
        self._towards_first = False  # nobody scrolled since the first difference was asked for
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_runs(self, compared: Comparison | None, names: tuple[Spelling, Spelling] = ((), ())) -> None:
        """Two other runs, or none."""
        changed = compared is not self._compared
        self._compared, self._names = compared, names
        if changed:
            self._current = NONE
            self._choose_ranks()
            self.verticalScrollBar().setValue(0)

    def show_rows(self, rows: Rows) -> None:
        """All ranks, or those where the runs differ."""
        if rows is not self._rows:
            self._rows, self._current = rows, NONE
            self._choose_ranks()

    @property
    def ranks(self) -> "range | tuple[int, ...]":
        """The ranks shown, a row each."""
        return self._ranks

    @property
    def current(self) -> int | None:
        """The rank that was clicked or that the keyboard is at."""
        return self._ranks[self._current] if self._current != NONE else None

    def row_box(self, row: int) -> QRectF:
        """Where a row lies in the whole picture."""
        return QRectF(0, px(HEAD) + row * px(ROW), self.viewport().width(), px(ROW))

    def go_to_rank(self, rank: int) -> None:
        """Scrolls a rank into view, if it is shown."""
        if rank in self._ranks:
            self._go_to(self._ranks.index(rank))

    def scroll_to_first_difference(self) -> None:
        """Brings the first difference into the upper part of the view, with some of what comes before it."""
        first = self._compared.first if self._compared else None
        self._towards_first = first is not None
        if first is not None:
            self.reveal(self.row_box(self._ranks.index(first)), px(BEFORE_FIRST * ROW))

    def _choose_ranks(self) -> None:
        compared = self._compared
        self._ranks = () if compared is None else compared.differing if self._rows is Rows.DIFFERENCES else range(compared.ranks)
        self._measure()
        self.setAccessibleDescription(compared.facts() if compared else "")

    # --- painting ---------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        compared = self._compared
        if compared is None:
            return
        columns = self.columns(compared)
        first = max(0, int((clip.top() - px(HEAD)) // px(ROW)))
        last = min(len(self._ranks), int((clip.bottom() - px(HEAD)) // px(ROW)) + 1)
        for row in range(first, last):
            self._draw_row(p, compared, columns, row)
        if not self._ranks:
            box = QRectF(0, px(HEAD), self.viewport().width(), px(ROW) * 2)
            paint.sentence(p, "Both runs make the same merges.", box, self.ink.ink_2)
        self._draw_head(p, columns, float(self.offset()[1]))

    def _draw_head(self, p: QPainter, columns: Columns, top: float) -> None:
        """The names of the runs; they stay where they are while the rows scroll."""
        ink, mid = self.ink, top + px(HEAD / 2)
        p.fillRect(QRectF(0, top, self.viewport().width(), px(HEAD)), ink.page)
        looks = (("A", ink.on_accent, ink.accent), ("B", ink.page, ink.tie))
        for (left, right), name, (letter, colour, ground) in zip(self._sides(), self._names, looks, strict=True):
            badge = paint.badge(p, letter, left, mid, colour, ground, Role.TITLE)
            x = badge.right() + px(8)
            box = QRectF(x, top, 0, px(HEAD))
            paint.draw_piece(p, ink, fitted(name, Role.STRONG, right - columns.figures - x), x, box, Role.STRONG, ink.ink)
            paint.words_to(p, "length", right, mid, Role.CAPTION, ink.ink_3)
            if columns.count:
                paint.words_to(p, "count", right - columns.length, mid, Role.CAPTION, ink.ink_3)

    def _draw_row(self, p: QPainter, compared: Comparison, columns: Columns, row: int) -> None:
        ink, box, rank = self.ink, self.row_box(row), self._ranks[row]
        inner, same = box.adjusted(0, 0, 0, -px(2)), rank not in compared.differing_set
        half = (box.width() - self._between()) / 2 + px(6)
        if not same:
            p.fillRect(QRectF(0, inner.top(), half, inner.height()), ink.selected)
            p.fillRect(QRectF(box.right() - half, inner.top(), half, inner.height()), soft(ink.tie_fill, 0.6))
        elif row == self._hovered:
            p.fillRect(inner, ink.hover)
        for (left, right), training in zip(self._sides(), (compared.one, compared.other), strict=True):
            self._draw_side(p, training, rank, QRectF(left, inner.top(), right - left, inner.height()), columns, same)
        self._draw_link(p, box.center().x(), inner.center().y(), same, rank == compared.first)
        if row == self._current:
            paint.ring(p, inner.adjusted(px(3), px(1), -px(3), -px(1)), ink.accent, 1.5)

    def _draw_side(self, p: QPainter, training: Training, rank: int, box: QRectF, columns: Columns, same: bool) -> None:
        ink, mid, merged = self.ink, box.center().y(), merged_at(training, rank)
        x = box.left() + self._rank_room()
        if merged is None:
            paint.words(p, "ended", x, mid, Role.CAPTION, ink.ink_3)
            return
        merge, tie = training.merges[rank], ink.ink_3 if same else ink.tie
        paint.words_to(p, str(rank), x - px(10), mid, Role.FIGURE_SMALL, ink.ink_3)
        pair = fitted_pair(*merged, Role.TOKEN, self.pair_room(columns))
        fills = (ink.well, ink.well) if same else (ink.tints[0], ink.tints[1])
        chip = paint.pair_chip(p, ink, pair, x, box.top() + px(4), box.height() - px(8), Role.TOKEN, fills=fills)
        if merge.tied > 1 and columns.tie:
            paint.words(p, _tie_words(merge.tied), chip.right() + px(8), mid, Role.CAPTION, tie)
        elif merge.tied > 1:
            p.fillRect(QRectF(box.left() - px(6), box.top() + px(5), px(3), box.height() - px(10)), tie)
        paint.words_to(p, thousands(merge.length), box.right(), mid, Role.FIGURE, ink.ink)
        if columns.count:
            paint.words_to(p, thousands(merge.count), box.right() - columns.length, mid, Role.FIGURE, ink.ink_2)

    def _draw_link(self, p: QPainter, x: float, mid: float, same: bool, first: bool) -> None:
        ink = self.ink
        if same:
            paint.centred(p, "=", QRectF(x, mid - px(8), 0, px(16)), Role.FIGURE, ink.ink_3)
            return
        arm = px(5)
        p.setPen(QPen(ink.ink if first else ink.edge, px(1.5)))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawLine(QPointF(x - arm, mid - arm), QPointF(x + arm, mid + arm))
        p.drawLine(QPointF(x + arm, mid - arm), QPointF(x - arm, mid + arm))
        if first:
            p.drawEllipse(QPointF(x, mid), 2 * arm, 2 * arm)

    # --- places -----------------------------------------------------------------------------------------------------

    def _sides(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Left and right edge of what is written of A, and of B."""
        width, inset = self.viewport().width(), float(theme.measures().m)
        half = (width - self._between()) / 2
        return (inset, half), (width - half, width - inset)

    def _between(self) -> float:
        return px(BETWEEN if self.viewport().width() >= px(WIDE) else LITTLE)

    def columns(self, compared: Comparison) -> Columns:
        """What is shown beside the pairs: first "tie of" goes, then the count, until a pair has `PAIR` pixels."""
        room = self.pair_room(Columns(0.0, 0.0, 0.0)) - px(PAIR)
        counts, lengths, ties = compared.greatest
        tie = theme.metrics(Role.CAPTION).horizontalAdvance(_tie_words(ties)) + px(16)
        count, length = _figure_room("count", counts), _figure_room("length", lengths)
        if tie + count + length <= room:
            return Columns(tie, count, length)
        return Columns(0.0, count if count + length <= room else 0.0, length)

    def pair_room(self, columns: Columns) -> float:
        """Pixels for a pair beside the columns."""
        (left, right), _ = self._sides()
        return right - left - self._rank_room() - columns.tie - columns.figures

    def _rank_room(self) -> float:
        """Pixels from the edge of a side to its pair."""
        most = str(max(0, self._compared.ranks - 1)) if self._compared else ""
        return max(px(28), theme.metrics(Role.FIGURE_SMALL).horizontalAdvance(most) + px(14))

    def _measure(self) -> None:
        self.set_extent(self.viewport().width(), px(HEAD) + len(self._ranks) * px(ROW) + px(4))

    def restyled(self) -> None:
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        if self._towards_first:  # a page that comes to the front gets its size after what it shows
            self.scroll_to_first_difference()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._towards_first = False
        super().wheelEvent(event)

    # --- mouse and keys ---------------------------------------------------------------------------------------------

    def _row_at(self, event: QMouseEvent) -> int:
        y = event.position().y()
        row = int((y + self.offset()[1] - px(HEAD)) // px(ROW)) if y >= px(HEAD) else NONE
        return row if 0 <= row < len(self._ranks) else NONE

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event)
        if event.button() is Qt.MouseButton.LeftButton and row != NONE:
            self._go_to(row)
            self._take(event.position().x() > self.viewport().width() / 2)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._row_at(event) != NONE and self.current is not None:
            self.merge_wanted.emit(self.current)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._row_at(event))

    def leaveEvent(self, event: object) -> None:
        self._hover(NONE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = max(1, int(self.viewport().height() // px(ROW)) - 2)
        last, key = len(self._ranks) - 1, Qt.Key(event.key())
        rows = {
            Qt.Key.Key_Up: self._current - 1, Qt.Key.Key_Down: self._current + 1, Qt.Key.Key_PageUp: self._current - page,
            Qt.Key.Key_PageDown: self._current + page, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last,
        }  # fmt: skip
        if last < 0 or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif key in rows:
            self._go_to(max(0, min(rows[key], last)))
        elif key is Qt.Key.Key_Space and self._current != NONE:
            self._take(False)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.merge_wanted.emit(self.current)
        else:
            event.ignore()

    def _go_to(self, row: int) -> None:
        self._current, self._towards_first = row, False
        self.reveal(self.row_box(row).adjusted(0, -px(HEAD), 0, px(4)))
        self.viewport().update()

    def _take(self, other: bool) -> None:
        """Asks for the token that the current rank made, of B if `other`."""
        if self._compared and self.current is not None:
            merged = merged_at(self._compared.other if other else self._compared.one, self.current)
            if merged:
                self.token_wanted.emit(merged[0].joined(merged[1]))

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().setToolTip(self._tip(row))
            self.viewport().update()

    def _tip(self, row: int) -> str:
        if row == NONE or self._compared is None:
            return ""
        rank, lines = self._ranks[row], [f"merge {self._ranks[row]}"]
        for letter, training in (("A", self._compared.one), ("B", self._compared.other)):
            merged = merged_at(training, rank)
            lines.append(f"{letter}: {_told(training, rank, pair_label(*merged)) if merged else 'ended'}")
        return "\n".join(lines)


def _told(training: Training, rank: int, pair: str) -> str:
    """A merge in words: what the columns say of it, and those say that had no room."""
    merge = training.merges[rank]
    tie = f" · {_tie_words(merge.tied)}" if merge.tied > 1 else ""
    return f"{pair}{tie} · count {thousands(merge.count)} · length {thousands(merge.length)}"


def _tie_words(tied: int) -> str:
    return f"tie of {tied}"


def _figure_room(head: str, most: int) -> float:
    """Pixels of a column of figures with the space before it."""
    figure = theme.metrics(Role.FIGURE).horizontalAdvance(thousands(most))
    return float(max(figure, theme.metrics(Role.CAPTION).horizontalAdvance(head))) + px(12)
