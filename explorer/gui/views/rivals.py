"""The pairs of a tie: the one that was merged, and its rivals, each with the question what it would have led to."""

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent

from explorer.core.vocabulary import Pair, Piece
from explorer.gui import theme
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.pair_fit import fitted_pair
from explorer.gui.painting.piece_spelling import pair_label
from explorer.gui.theme import Role, px

ROW = 30.0  # pixels at 100 % zoom
OFFERS = ("What if this one?", "What if?")  # the longest that fits
NONE = -1


class Standing(Enum):
    """What became of a pair of the tie."""

    TAKEN = "A took it"
    COMPARED = "B took it"
    FORKED = "a run took it"
    OPEN = ""


@dataclass(frozen=True, slots=True)
class Rival:
    """A pair of the tie, in ids of the active run."""

    pair: Pair
    left: Piece
    right: Piece
    standing: Standing


class Rivals(PaintedScroll):
    """A row a pair; a click, Space or Enter on one that was not taken emits `wanted` with its place in the list."""

    wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("Pairs of the tie")
        self._rivals: tuple[Rival, ...] = ()
        self._sentence = ""
        self._current, self._hovered = 0, NONE
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rivals(self, rivals: tuple[Rival, ...], sentence: str = "") -> None:
        """The pairs of another tie, or none and why."""
        self._rivals, self._sentence = rivals, sentence
        self._current = max(0, min(self._current, len(rivals) - 1))
        self._hovered = self._hovered if self._hovered < len(rivals) else NONE
        said = (f"{pair_label(rival.left, rival.right)} {rival.standing.value}".strip() for rival in rivals)
        self.setAccessibleDescription("; ".join(said) or sentence)
        self._measure()

    @property
    def rivals(self) -> tuple[Rival, ...]:
        """The pairs shown."""
        return self._rivals

    def row_box(self, row: int) -> QRectF:
        """Where a row lies in the whole picture."""
        return QRectF(0, row * px(ROW), self.viewport().width(), px(ROW))

    def draw(self, p: QPainter, clip: QRectF) -> None:
        if not self._rivals:
            self._draw_sentence(p)
        for row, rival in enumerate(self._rivals):
            if self.row_box(row).intersects(clip):
                self._draw_row(p, row, rival)

    def _draw_sentence(self, p: QPainter) -> None:
        p.setFont(theme.font(Role.BODY))
        p.setPen(self.ink.ink_2)
        inset = theme.measures().m
        box = QRectF(self.viewport().rect()).adjusted(inset, px(4), -inset, 0)
        p.drawText(box, int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap), self._sentence)

    def _draw_row(self, p: QPainter, row: int, rival: Rival) -> None:
        ink, box, inset = self.ink, self.row_box(row), theme.measures().m
        open_to, at = rival.standing is not Standing.TAKEN, row in (self._hovered, self._current if self._by_key else NONE)
        if row == self._hovered and open_to:
            p.fillRect(box, ink.hover)
        words = rival.standing.value or next((text for text in OFFERS if _width(text) < box.width() * 0.42), OFFERS[-1])
        wide = _width(words) + px(16)
        pair = fitted_pair(rival.left, rival.right, Role.TOKEN, box.width() - 2 * inset - wide - px(12))
        chip = paint.pair_chip(p, ink, pair, inset + px(2), box.top() + px(4), box.height() - px(8), Role.TOKEN)
        colour = {Standing.TAKEN: ink.accent, Standing.COMPARED: ink.tie}.get(rival.standing)
        if colour:
            paint.ring(p, chip.adjusted(-px(2), -px(2), px(2), px(2)), colour)
        offer = QRectF(box.right() - inset - wide, box.top() + px(4), wide, box.height() - px(8))
        if rival.standing is Standing.OPEN:
            p.setPen(QPen(ink.tie, 1))
            p.setBrush(ink.tie_fill if at else ink.page)
            p.drawRoundedRect(offer.adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
            paint.centred(p, words, offer, Role.LABEL, ink.ink)
        else:
            paint.words_to(p, words, offer.right(), box.center().y(), Role.CAPTION, colour or ink.ink_3)
        if self._by_key and row == self._current:
            paint.ring(p, box.adjusted(px(3), px(1), -px(3), -px(1)), ink.accent, theme.focus_width() / theme.zoom())

    def _measure(self) -> None:
        self.set_extent(self.viewport().width(), len(self._rivals) * px(ROW) + px(4))

    def restyled(self) -> None:
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    # --- mouse and keys ---------------------------------------------------------------------------------------------

    def _row_at(self, event: QMouseEvent) -> int:
        row = int((event.position().y() + self.offset()[1]) // px(ROW))
        return row if 0 <= row < len(self._rivals) else NONE

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event)
        if event.button() is Qt.MouseButton.LeftButton and row != NONE:
            self._current = row
            self._want()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._row_at(event))

    def leaveEvent(self, event: object) -> None:
        self._hover(NONE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key = Qt.Key(event.key())
        if not self._rivals or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif key in moves:
            self._by_key = True  # from the first key on the row shows where the keyboard is
            self._current = max(0, min(self._current + moves[key], len(self._rivals) - 1))
            self.reveal(self.row_box(self._current))
            self.viewport().update()
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._want()
        else:
            event.ignore()

    def _want(self) -> None:
        self.viewport().update()
        if self._rivals and self._rivals[self._current].standing is not Standing.TAKEN:
            self.wanted.emit(self._current)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            rival = self._rivals[row] if row != NONE else None
            self.viewport().setToolTip(pair_label(rival.left, rival.right) if rival else "")
            self.viewport().update()


def _width(text: str) -> float:
    return theme.metrics(Role.LABEL).horizontalAdvance(text)
