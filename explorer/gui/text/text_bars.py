"""The bar under a character that a token edge cuts: one segment a byte, in the tint of the token that holds it.

Bytes that are single symbols are told apart by two greys in turn. A tint alone may be pale on the page, so
each tinted segment stands on a line of the colour of edges.
"""

import numpy as np
from PySide6.QtGui import QPainter

from explorer.gui import tinting
from explorer.gui.painting import stamps
from explorer.gui.text.cells import Ints
from explorer.gui.text.text_rows import TextRows
from explorer.gui.theme import Ink, px
from explorer.gui.tinting import Tinting


def draw_bars(p: QPainter, ink: Ink, text: TextRows, cut: Ints, ratio: float, kind: Tinting, merged: range) -> None:
    """Draws the bars of the cells `cut`, at `ratio` device pixels a pixel; without tints in the text they take turns here."""
    if not len(cut):
        return
    sizes = text.cells.ends[cut] - text.cells.starts[cut]
    cell = np.repeat(cut, sizes)
    place = np.arange(len(cell)) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # of the byte in its cell
    offset = text.cells.starts[cell] + place
    step = (text.cells.widths[cell] - px(2)) / (text.cells.ends[cell] - text.cells.starts[cell])
    steps = np.where(text.turned[cell], text.cells.ends[cell] - offset - 1, place)  # from the left of the cell
    edge = text.left[cell] + px(1) + steps * step
    left, right = np.rint(edge * ratio).astype(np.int64), np.rint((edge + step - px(1)) * ratio).astype(np.int64)
    width = np.maximum(1, right - left)
    top = np.rint((text.row_of[cell] * text.shape.line + text.shape.bar_top) * ratio).astype(np.int64)
    height = np.full(len(cell), round(text.shape.bar * ratio))
    line = np.full(len(cell), max(1, round(px(1) * ratio)))
    colours = _colours(text, offset, place, kind, merged)
    for n, colour in enumerate((*tinting.shades(ink, kind), ink.edge, ink.edge_2)):
        here = colours == n
        stamps.fill(p, colour, left[here], top[here], width[here], height[here], ratio)
    here = colours < tinting.KINDS
    stamps.fill(p, ink.edge, left[here], (top + height - line)[here], width[here], line[here], ratio)


def _colours(text: TextRows, offset: Ints, place: Ints, kind: Tinting, merged: range) -> Ints:
    """Of each byte: its token's tint 0..3, or 4 and 5 in turn for single symbols and for bytes of no token."""
    spans = text.spans
    holder = np.searchsorted(spans.starts, offset, side="right") - 1
    tinted = (holder >= 0) & ~spans.single[holder] & (offset < spans.ends[holder])
    return np.where(tinted, tinting.places(kind, spans.ids[holder], text.turns[holder], merged), tinting.KINDS + place % 2)
