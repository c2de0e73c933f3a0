"""The bar under a character that a token edge cuts: one segment a byte, in the tint of the token that holds it.

Bytes that are single symbols are told apart by two greys in turn. A tint alone may be pale on the page, so
each tinted segment stands on a line of the colour of edges.
"""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.gui.cells import Ints
from explorer.gui.text_rows import TextRows
from explorer.gui.theme import Ink, px

Lengths = npt.NDArray[np.floating]


def draw_bars(p: QPainter, ink: Ink, text: TextRows, cells: tuple[int, int]) -> None:
    """Draws the bars of all cut cells of a span of cells."""
    first, after = cells
    cut = np.flatnonzero(text.cells.cut[first:after]) + first
    if not len(cut):
        return
    sizes = text.cells.ends[cut] - text.cells.starts[cut]
    cell = np.repeat(cut, sizes)
    place = np.arange(len(cell)) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # of the byte in its cell
    offset = text.cells.starts[cell] + place
    step = (text.cells.widths[cell] - px(2)) / (text.cells.ends[cell] - text.cells.starts[cell])
    left = text.left[cell] + px(1) + place * step
    top = text.row_of[cell] * text.shape.line + text.shape.bar_top
    colours = _colours(text, offset, place)
    for n, colour in enumerate((*ink.tints, ink.edge, ink.line_2)):
        here = colours == n
        _fill(p, colour, left[here], top[here], step[here] - px(1), text.shape.bar)
    tinted = colours < 4
    _fill(p, ink.edge, left[tinted], top[tinted] + text.shape.bar - px(1), step[tinted] - px(1), px(1))


def _colours(text: TextRows, offset: Ints, place: Ints) -> Ints:
    """Of each byte: its token's tint 0..3, or 4 and 5 in turn for single symbols and for bytes of no token."""
    spans = text.spans
    holder = np.searchsorted(spans.starts, offset, side="right") - 1
    merged = (holder >= 0) & ~spans.single[holder] & (offset < spans.ends[holder])
    colours: Ints = np.where(merged, spans.turns()[holder] % 4, 4 + place % 2)
    return colours


def _fill(p: QPainter, colour: QColor, left: Lengths, top: Lengths, width: Lengths, height: float) -> None:
    if not len(left):
        return
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(colour)
    p.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    columns = zip(left.tolist(), top.tolist(), width.tolist(), strict=True)
    p.drawRects([QRectF(x, y, max(1.0, w), height) for x, y, w in columns])
    p.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
