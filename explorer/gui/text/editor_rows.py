"""Where the tokens of one line of an editor lie: Qt's layout of the letters, our cells and tokens over it.

Qt places the letters, so a place is asked of Qt, in UTF-16 units; the cells of `cells_of` say which units are one
character, and the tokens which bytes. In a line with right-to-left letters a token may lie in several pieces.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextLine

from explorer.gui.models.text_spans import TextSpans
from explorer.gui.text.cells import Cells, Ints, cells_of
from explorer.gui.text.index_spaces import IndexSpaces
from explorer.gui.text.spans import Spans
from explorer.gui.text.stretches import TOUCHING, Sides, gaps, joined
from explorer.gui.text.text_rows import RowShape
from explorer.gui.theme import Role

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


@dataclass(frozen=True, eq=False)
class BlockText:
    """One line of the text with its cells and tokens, bytes and units counted from its start; `indexes` are those of the tokens."""

    data: bytes
    start: int  # its first byte in the whole text
    spans: Spans
    indexes: Ints
    cells: Cells
    unit_starts: Ints
    unit_ends: Ints

    @classmethod
    def of(cls, data: bytes, start: int, tokens: TextSpans | None) -> "BlockText":
        """The line that these bytes are; without tokens as long as none are known."""
        spans, indexes = tokens.between(start, start + len(data)) if tokens else (Spans.none(), np.zeros(0, np.int64))
        cells = cells_of(data, spans, Role.TEXT)
        spaces = IndexSpaces(data)
        return cls(data, start, spans, indexes, cells, spaces.units_of_bytes(cells.starts), spaces.units_of_bytes(cells.ends))

    @cached_property
    def bidirectional(self) -> bool:
        """Whether letters of the line run from right to left."""
        return not self.data.isascii() and _RIGHT_TO_LEFT.search(self.cells.text) is not None

    @cached_property
    def turns(self) -> Ints:
        """Which tint each merged token takes, counted along the line."""
        return self.spans.turns()

    def pairs(self, pair: tuple[int, int]) -> Ints:
        """The places of the left halves of a pair."""
        return self.spans.pairs(*pair)

    @cached_property
    def holders(self) -> tuple[Ints, Ints]:
        """Of each token the cells that it touches: the first, and after the last. No cells for a bare marker."""
        first = np.searchsorted(self.cells.ends, self.spans.starts, side="right")
        after = np.searchsorted(self.cells.starts, self.spans.ends, side="left")
        return first, np.maximum(first, after)


class EditorRow:
    """One row of a line as Qt laid it out: `left` and `top` are those of its block on the screen, `n` its place in the block."""

    def __init__(self, text: BlockText, line: QTextLine, n: int, left: float, top: float) -> None:
        self.text, self.line = text, line
        self.shape = RowShape.of(Role.TEXT)
        self.left, self.top = left, top + n * self.shape.line
        start, end = line.textStart(), line.textStart() + line.textLength()
        self.first = int(np.searchsorted(text.unit_starts, start, side="left"))
        self.after = max(self.first, int(np.searchsorted(text.unit_starts, end, side="left")))

    @property
    def tint_box(self) -> QRectF:
        """As high as a tint, of no width, at the start of the row."""
        return QRectF(self.left, self.top + self.shape.top, 0, self.shape.tint)

    @cached_property
    def sides(self) -> list[Sides]:
        """Left and right of each cell of the row; a marker has none of its own and stands behind its word."""
        starts, ends = (units[self.first : self.after].tolist() for units in (self.text.unit_starts, self.text.unit_ends))
        if self.text.bidirectional:
            return self._filled([self._sides_of(a, b) for a, b in zip(starts, ends, strict=True)], ends)
        places = [self._x(unit) for unit in starts] + ([self._x(ends[-1])] if ends else [])
        return list(pairwise(places))

    def _x(self, unit: int) -> float:
        return self.left + _place(self.line.cursorToX(unit))

    def _sides_of(self, start: int, end: int) -> Sides:
        one = self._x(start)
        if end == start:
            return one, one
        two = self.left + _place(self.line.cursorToX(end - 1, QTextLine.Edge.Trailing))
        return min(one, two), max(one, two)

    def _filled(self, sides: list[Sides], unit_ends: list[int]) -> list[Sides]:
        """The sides with those put in that Qt does not tell: where letters turn round, the first has both its edges at one place.

        What it covers is the room that the others leave free beside its neighbour in the text.
        """
        written = self.line.naturalTextRect()
        free = gaps([one for one in sides if one[1] > one[0]], self.left + written.left(), self.left + written.right())
        filled = []
        for (left, right), end in zip(sides, unit_ends, strict=True):
            if right == left:
                nexts = self._x(end) if end < self.line.textStart() + self.line.textLength() else left
                gap = next((gap for x in (nexts, left) for gap in free if min(abs(gap[0] - x), abs(gap[1] - x)) < TOUCHING), None)
                if gap is not None:
                    free.remove(gap)
                    left, right = gap
            filled.append((left, right))
        return filled

    def leading(self, cell: int) -> float:
        """The x of the edge at which a cell (index in the line) begins: the right one where letters run to the left."""
        return self._x(int(self.text.unit_starts[cell]))

    def box(self, cell: int) -> QRectF:
        """The box of a cell, as high as a tint."""
        left, right = self.sides[cell - self.first]
        return QRectF(left, self.top + self.shape.top, right - left, self.shape.tint)

    def tokens(self) -> range:
        """The tokens (places in `text.spans`) that have cells in the row."""
        first, after = self.text.holders
        low = int(np.searchsorted(after, self.first, side="right"))
        high = int(np.searchsorted(first, self.after, side="left"))
        return range(low, max(low, high))

    def whole(self, token: int) -> list[QRectF]:
        """The boxes of the characters in this row that a token holds whole: what is tinted."""
        first, after = (int(bounds[token]) for bounds in self.text.holders)
        cells, spans = self.text.cells, self.text.spans
        if first < after and cells.starts[first] < spans.starts[token]:
            first += 1
        if first < after and cells.ends[after - 1] > spans.ends[token]:
            after -= 1
        return self._boxes(self._joined(first, after))

    def covered(self, token: int) -> list[QRectF]:
        """The boxes of all that a token holds in this row, with its share of characters it cuts: what is ringed."""
        first, after = (int(bounds[token]) for bounds in self.text.holders)
        boxes = self._boxes(self._joined(first, after))
        if self.text.bidirectional or not boxes:
            return boxes
        start, end = int(self.text.spans.starts[token]), int(self.text.spans.ends[token])
        if self.first <= first < self.after:
            boxes[0].setLeft(self._share(first, start))
        if self.first < after <= self.after:
            boxes[-1].setRight(self._share(after - 1, end))
        return boxes

    def _turned(self, cell: int, left: float, right: float) -> bool:
        """Whether a cell begins at its right side."""
        return self.text.bidirectional and self.leading(cell) > (left + right) / 2

    def _share(self, cell: int, offset: int) -> float:
        """The x of a byte in or at the end of a cell, by its share of the cell."""
        start, end = int(self.text.cells.starts[cell]), int(self.text.cells.ends[cell])
        left, right = self.sides[cell - self.first]
        return left + (right - left) * (min(max(offset, start), end) - start) / max(1, end - start)

    def _joined(self, first: int, after: int) -> list[Sides]:
        """The sides of a span of cells, in one where they touch."""
        first, after = max(first, self.first), min(after, self.after)
        if first >= after:
            return []
        sides = self.sides[first - self.first : after - self.first]
        if not self.text.bidirectional:
            return [(sides[0][0], sides[-1][1])]
        return joined(sides)

    def _boxes(self, sides: list[Sides]) -> list[QRectF]:
        top, height = self.top + self.shape.top, self.shape.tint
        return [QRectF(left, top, right - left, height) for left, right in sides]

    def byte_at(self, x: float) -> int | None:
        """The byte (counted from the start of the line) under an x, inside a character the one whose share it is."""
        for n, (left, right) in enumerate(self.sides):
            if left <= x < right:
                cell = self.first + n
                start, size = int(self.text.cells.starts[cell]), int(self.text.cells.ends[cell] - self.text.cells.starts[cell])
                share = (x - left) / (right - left)
                share = 1 - share if self._turned(cell, left, right) else share
                return start + min(size - 1, int(share * size)) if size else None
        return None


def rows_of(text: BlockText, block: QTextBlock, left: float, top: float) -> Iterator[EditorRow]:
    """The rows of a block that has its top left there."""
    layout = block.layout()
    for n in range(layout.lineCount()):
        yield EditorRow(text, layout.lineAt(n), n, left, top)


def _place(answer: object) -> float:
    """The x of what `cursorToX` answers: x alone, or x and the unit that it took."""
    x = answer[0] if isinstance(answer, tuple) else answer
    assert isinstance(x, int | float)
    return float(x)
