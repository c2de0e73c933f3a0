"""Greedy against best, merge by merge: two bars and the gap between them in figures."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QResizeEvent

from explorer.gui import theme
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.theme import Role, px

HEAD, ROW = 26.0, 42.0  # pixels at 100 % zoom
LEFT, RIGHT = 84.0, 116.0  # room for names at the left and for figures at the right


@dataclass(frozen=True, slots=True)
class GapRow:
    """The corpus length after so many merges, both ways."""

    merges: int
    greedy: int
    best: int


class Gap(PaintedScroll):
    """A row a number of merges; bars are measured against the length before any merge."""

    def __init__(self) -> None:
        super().__init__("Greedy against best")
        self._start = 0
        self._rows: tuple[GapRow, ...] = ()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, start: int, rows: tuple[GapRow, ...]) -> None:
        """The length before any merge, and other rows."""
        self._start, self._rows = start, rows
        self.setAccessibleDescription("; ".join(f"{row.merges} merges: greedy {row.greedy}, best {row.best}" for row in rows))
        self._measure()

    def _measure(self) -> None:
        self.set_extent(self.viewport().width(), px(HEAD) + len(self._rows) * px(ROW) + px(4))

    def restyled(self) -> None:
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def draw(self, p: QPainter, clip: QRectF) -> None:
        if not self._rows:
            return
        ink, inset, width = self.ink, theme.measures().m, self.viewport().width()
        for at, row in enumerate(self._rows):
            self._draw_row(p, row, px(HEAD) + at * px(ROW))
        top = float(self.offset()[1])
        p.fillRect(QRectF(0, top, width, px(HEAD)), ink.page)
        mid = top + px(HEAD / 2)
        paint.words(p, "merges", inset, mid, Role.CAPTION, ink.ink_3)
        paint.words_to(p, "length", width - px(RIGHT) + px(50), mid, Role.CAPTION, ink.ink_3)
        paint.words_to(p, "gap", width - inset, mid, Role.CAPTION, ink.ink_3)

    def _draw_row(self, p: QPainter, row: GapRow, y: float) -> None:
        ink, inset, width = self.ink, theme.measures().m, self.viewport().width()
        left, room = px(LEFT), width - px(LEFT) - px(RIGHT)
        p.fillRect(QRectF(inset, y, width - 2 * inset, 1), ink.line)
        paint.words(p, str(row.merges), inset + px(8), y + px(ROW / 2), Role.FIGURE_STRONG, ink.ink)
        for at, (name, length, colour) in enumerate((("greedy", row.greedy, ink.greedy), ("best", row.best, ink.best))):
            mid = y + px(13 + at * 17)
            paint.words_to(p, name, left - px(8), mid, Role.CAPTION, colour)
            paint.tint(p, QRectF(left, mid - px(4), max(px(3), room * length / max(1, self._start)), px(8)), colour)
            paint.words_to(p, thousands(length), width - px(RIGHT) + px(50), mid, Role.FIGURE, ink.ink)
        gap = row.greedy - row.best
        text, colour = (thousands(gap), ink.ink) if gap else ("none", ink.ink_3)
        paint.words_to(p, text, width - inset, y + px(ROW / 2), Role.FIGURE_STRONG, colour)
