"""Words as two tables cut them, side by side; a word cut differently is ringed under both."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent

from explorer.core.vocabulary import Piece, PieceKind
from explorer.gui import theme
from explorer.gui.models.words_cut import Cut, CutWord, CutWords
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.piece_spelling import fitted, piece_label, piece_spelling
from explorer.gui.painting.spelling import spell
from explorer.gui.theme import Role, Tone, px

HEAD, ROW = 30.0, 32.0  # pixels at 100 % zoom, as all sizes here
WORDS_LEAST, WORDS_MOST = 96.0, 200.0  # room for the words themselves
ONLY_LINES = 2  # lines of the rows that only one table has, until they are unfolded
MEASURED = 64  # words whose width the first column goes by
LETTERS = 400  # bytes of a word that are more than fill a column
ONLY = -1  # where a row's number stands, that the rows stand for which only one table has
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two tables: what it is called, and the colour that means it."""

    name: str
    tone: Tone


class WordsUnderBoth(PaintedScroll):
    """Each word with its cut under both tables; above them the rows that only one table has. A click on a token emits `token_wanted`.

    A word too long for its column is shown from the token before the first difference.
    """

    token_wanted = Signal(object)  # Piece

    def __init__(self, one: Side, other: Side) -> None:
        super().__init__("Words under both")
        self._sides = (one, other)
        self._words: tuple[CutWord, ...] = ()
        self._only: tuple[tuple[Piece, ...], tuple[Piece, ...]] = ((), ())
        self._unfolded = False
        self._hits: dict[int, list[tuple[QRectF, Piece]]] = {}  # what was painted, by row
        self._fold = QRectF()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_words(self, words: CutWords | None, only: tuple[tuple[Piece, ...], tuple[Piece, ...]] = ((), ())) -> None:
        """Other words under two tables, and the rows that only one of these has; None for none."""
        self._words, self._only, self._unfolded = words.words if words else (), only, False
        self._hits, self._fold = {}, QRectF()
        self.setAccessibleDescription(words.facts() if words else "")
        self.verticalScrollBar().setValue(0)
        self._measure()

    # --- places -----------------------------------------------------------------------------------------------------

    def _columns(self) -> tuple[float, float, float, float]:
        """Where words, first cuts and second cuts begin, and where everything ends."""
        inset, end = float(theme.measures().m), self.viewport().width() - float(theme.measures().m)
        widest = 0.0
        for row in self._words[:MEASURED]:
            widest = max(widest, self._label_width(row))
            if widest >= px(WORDS_MOST):
                break  # wider makes no difference
        first = inset + max(px(WORDS_LEAST), min(widest + px(12), px(WORDS_MOST), (end - inset) * 0.32))
        return inset, first, (first + end) / 2, end

    def _label_width(self, row: CutWord) -> float:
        note = theme.metrics(Role.CAPTION).horizontalAdvance(row.note) + px(8)
        return paint.piece_width(spell(row.word[:LETTERS]), Role.TOKEN) + note

    def _only_lines(self) -> int:
        """How many lines the rows take that only one table has."""
        if not any(self._only):
            return 0
        _, first, second, end = self._columns()
        lines = max(_line_count(pieces, room) for pieces, room in zip(self._only, (second - first, end - second), strict=True))
        return lines if self._unfolded else min(lines, ONLY_LINES)

    def _top(self) -> float:
        """Where the words begin, under the head and the rows that only one table has."""
        lines = self._only_lines()
        return px(HEAD) + (lines * px(ROW) + px(8) if lines else 0.0)

    def _measure(self) -> None:
        self.set_extent(self.viewport().width(), self._top() + len(self._words) * px(ROW) + px(8))

    def restyled(self) -> None:
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    # --- painting ---------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        if not self._words and not any(self._only):
            return
        offset, columns, top = float(self.offset()[1]), self._columns(), self._top()
        first = max(0, int((clip.top() - top) // px(ROW)))
        last = min(len(self._words), int((clip.bottom() - top) // px(ROW)) + 1)
        if any(self._only) and clip.top() < top:
            self._draw_only(p, columns)
        for row in range(first, last):
            self._hits[row] = self._draw_word(p, self._words[row], top + row * px(ROW), columns)
        self._draw_head(p, offset, columns)

    def _draw_head(self, p: QPainter, top: float, columns: tuple[float, float, float, float]) -> None:
        p.fillRect(QRectF(0, top, self.viewport().width(), px(HEAD)), self.ink.page)
        for side, x in zip(self._sides, columns[1:3], strict=True):
            paint.words(p, side.name, x, top + px(HEAD / 2), Role.TITLE, side.tone.of(self.ink))
        self._draw_line(p, top + px(HEAD) - 1)

    def _draw_line(self, p: QPainter, y: float) -> None:
        inset = theme.measures().m
        p.fillRect(QRectF(inset, y, self.viewport().width() - 2 * inset, 1), self.ink.line)

    def _draw_only(self, p: QPainter, columns: tuple[float, float, float, float]) -> None:
        """The rows that only one table has, as chips in lines; the rest behind a count that unfolds them."""
        inset, first, second, end = columns
        y, lines = px(HEAD) + px(4), self._only_lines()
        self._fold, hits = QRectF(), self._hits.setdefault(ONLY, [])
        hits.clear()
        name = paint.elided("only in its table", Role.CAPTION, first - inset - px(8))
        paint.words(p, name, inset, y + px(ROW / 2), Role.CAPTION, self.ink.ink_3)
        for pieces, left, room in zip(self._only, (first, second), (second - first, end - second), strict=True):
            shown = 0
            for line, x, piece in _flow(pieces, room):
                if line >= lines:
                    break
                spelling = fitted(piece_spelling(piece), Role.TOKEN, room - px(24))
                box = paint.chip(p, self.ink, spelling, left + x, y + line * px(ROW) + px(5), px(ROW - 10), Role.TOKEN, self.ink.well)
                hits.append((box, piece))
                shown, right = shown + 1, box.right()
            if shown < len(pieces):
                text = f"+ {len(pieces) - shown}"
                wide = theme.metrics(Role.CAPTION).horizontalAdvance(text)
                x = min(right + px(8), left + room - px(8) - wide)
                fold = QRectF(x - px(4), y + (lines - 1) * px(ROW) + px(5), wide + px(8), px(ROW - 10))
                p.fillRect(fold, self.ink.page)
                paint.centred(p, text, fold, Role.CAPTION, self.ink.accent)
                self._fold = self._fold.united(fold)
        self._draw_line(p, self._top() - 1)

    def _draw_word(
        self, p: QPainter, row: CutWord, y: float, columns: tuple[float, float, float, float]
    ) -> list[tuple[QRectF, Piece]]:
        """A word and both cuts; the tokens drawn, each with its box."""
        hits: list[tuple[QRectF, Piece]] = []
        ink, (inset, first, second, end) = self.ink, columns
        box = QRectF(inset, y, first - inset, px(ROW))
        note = theme.metrics(Role.CAPTION).horizontalAdvance(row.note)
        spelling = fitted(spell(row.word), Role.TOKEN, first - inset - note - px(20))
        after = paint.draw_piece(p, ink, spelling, inset, box, Role.TOKEN, ink.ink)
        paint.words(p, row.note, after + px(8), box.center().y(), Role.CAPTION, ink.ink_3)
        cuts, rooms = (row.one, row.other), (second - first - px(14), end - second)
        too_long = row.differs and any(cut_width(cut) > room for cut, room in zip(cuts, rooms, strict=True))
        skip = max(0, row.alike - 1) if too_long else 0
        for side, cut, x, room in zip(self._sides, cuts, (first, second), rooms, strict=True):
            drawn, tokens = self._draw_cut(p, cut[skip:], QRectF(x, y + px(5), room, px(ROW - 10)), skip > 0)
            hits += tokens
            if row.differs:
                paint.ring(p, drawn.adjusted(-px(3), -px(2.5), px(3), px(2.5)), side.tone.of(ink), 1.75)
        self._draw_line(p, y + px(ROW) - 1)
        return hits

    def _draw_cut(self, p: QPainter, cut: Cut, room: QRectF, skipped: bool) -> tuple[QRectF, list[tuple[QRectF, Piece]]]:
        """The tokens that fit, from left to right; returns the box of all of them, and each with its own."""
        hits: list[tuple[QRectF, Piece]] = []
        ink, x, turn = self.ink, room.left(), 0
        dots = theme.metrics(Role.TOKEN).horizontalAdvance(ELLIPSIS)
        if skipped:
            x = paint.words(p, ELLIPSIS, x, room.center().y(), Role.TOKEN, ink.ink_3)
        whole = QRectF(room.left(), room.top(), 0, room.height())
        for at, piece in enumerate(cut):
            merged = piece.kind is PieceKind.MERGE
            spelling = piece_spelling(piece)
            wide = paint.chip_width(spelling, Role.TOKEN, pad=3)
            last = at == len(cut) - 1
            if x + wide > room.right() - (0 if last else dots):
                spelling = fitted(spelling, Role.TOKEN, room.right() - x - dots - px(6)) if x < room.right() - px(48) else ()
                if not spelling:
                    paint.words(p, ELLIPSIS, x, room.center().y(), Role.TOKEN, ink.ink_3)
                    return whole.united(QRectF(x, room.top(), dots, room.height())), hits
            box = paint.chip(p, ink, spelling, x, room.top(), room.height(), Role.TOKEN, ink.tints[turn % 4] if merged else ink.page, pad=3)
            if at or skipped:
                paint.tick(p, box.left(), box.bottom(), ink.edge)
            hits.append((box, piece))
            turn += merged
            whole, x = whole.united(box), box.right()
        return whole, hits

    # --- mouse ------------------------------------------------------------------------------------------------------

    def token_at(self, point: QPointF) -> Piece | None:
        """The token under a point of the viewport, as it was painted last."""
        spot = point + QPointF(*self.offset())
        if point.y() < px(HEAD):
            return None
        row = max(ONLY, int((spot.y() - self._top()) // px(ROW)))
        return next((piece for box, piece in self._hits.get(row, ()) if box.contains(spot)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if self._fold.contains(event.position() + QPointF(*self.offset())):
            self._unfolded = True
            self._measure()
        elif piece := self.token_at(event.position()):
            self.token_wanted.emit(piece)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        piece = self.token_at(event.position())
        self.viewport().setToolTip(piece_label(piece) if piece else "")


def cut_width(cut: Cut) -> float:
    """The width of all tokens of a cut in a row, in pixels."""
    return sum(paint.chip_width(piece_spelling(piece), Role.TOKEN, pad=3) for piece in cut)


def _flow(pieces: tuple[Piece, ...], room: float) -> Iterator[tuple[int, float, Piece]]:
    """Chips set in lines of a width: line, x and piece."""
    line, x = 0, 0.0
    for piece in pieces:
        wide = min(paint.chip_width(piece_spelling(piece), Role.TOKEN), room - px(14))
        if x and x + wide > room - px(14):
            line, x = line + 1, 0.0
        yield line, x, piece
        x += wide + px(6)


def _line_count(pieces: tuple[Piece, ...], room: float) -> int:
    return max((line for line, _, _ in _flow(pieces, room)), default=0) + 1 if pieces else 0
