"""Where everything of a text lies: cells in rows, tokens in boxes, and the byte under a point.

Coordinates are pixels from the top left of the text; rows are one line height apart. A row ends after a line
end, and where the next cell would not fit: after the last blank, or else before that cell. Tokens wrap between
their cells. A token whose edge lies inside a character has its share of that character, by bytes.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF

from explorer.gui import theme
from explorer.gui.painting.letters import CODE
from explorer.gui.painting.right_to_left import Way, maybe_right_to_left, row_order, way
from explorer.gui.painting.spelling import Sort
from explorer.gui.text.cells import Cells, Flags, Ints
from explorer.gui.text.spans import Spans
from explorer.gui.theme import Role

Floats = npt.NDArray[np.float64]
NO_WRAP = float("inf")
_BREAKS_AFTER = (CODE[Sort.SPACE], CODE[Sort.TAB])


@dataclass(frozen=True, slots=True)
class RowShape:
    """Heights in pixels inside one row: `line` from row to row, the tint from `top` on, the bar of a cut character from `bar_top` on."""

    line: float
    top: float
    tint: float
    bar_top: float
    bar: float

    @classmethod
    def of(cls, role: Role) -> "RowShape":
        """`Role.TEXT` has room for bars under the tint; any other is set closely, its bars at the foot of the row."""
        sizes = theme.measures()
        if role is Role.TEXT:
            top, tint = round(theme.px(4)), round(theme.px(26))
            return cls(sizes.text_line, top, tint, top + tint + round(theme.px(2)), sizes.tick)
        top = round(theme.px(2))
        return cls(sizes.line, top, sizes.line - 2 * top, sizes.line - top - sizes.tick_single, sizes.tick_single)


@dataclass(frozen=True, eq=False)
class Boxes:
    """Parts of tokens in text order: token index, strip (cells of a row that run one way), row, left and right in pixels."""

    span: Ints
    strip: Ints
    row: Ints
    left: Floats
    right: Floats


class TextRows:
    """The geometry of a text. Built once; linear in cells and tokens."""

    def __init__(self, cells: Cells, spans: Spans, shape: RowShape, width: float) -> None:
        self.cells, self.spans, self.shape, self.width = cells, spans, shape, width
        self.firsts = np.array(_wrapped(cells, width), dtype=np.int64)  # first cell of each row, and the cell count at the end
        self.row_of = np.repeat(np.arange(len(self)), np.diff(self.firsts))
        before = np.cumsum(cells.widths) - cells.widths
        self.left: Floats = before - before[self.firsts[:-1]][self.row_of] if len(cells) else before
        self.turned: Flags = np.zeros(len(cells), dtype=np.bool_)  # cells that run right to left
        self._turn()
        self.right: Floats = self.left + cells.widths
        fresh = np.zeros(len(cells), dtype=np.bool_)
        fresh[self.firsts[:-1]] = True
        fresh[1:] |= self.turned[1:] != self.turned[:-1]
        self._strips = np.append(np.flatnonzero(fresh), len(cells))  # first cell of each strip: of a row, cells that run one way
        self._strip_of = np.cumsum(fresh) - 1

    def _turn(self) -> None:
        """Moves the cells of right-to-left stretches to where they are read."""
        cells = self.cells
        letters = np.frombuffer(cells.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        at = np.minimum(cells.at, max(0, len(letters) - 1))
        found = maybe_right_to_left(letters)[at] if len(letters) else self.turned
        for row in np.unique(self.row_of[found]).tolist():
            first, after = int(self.firsts[row]), int(self.firsts[row + 1])
            markers = (cells.sorts[first:after] == CODE[Sort.MARKER]).tolist()
            ways = [Way.NEITHER if mark else way(cells.text[n]) for mark, n in zip(markers, cells.at[first:after].tolist(), strict=True)]
            order, turned = row_order(ways)
            placed = np.array(order) + first
            widths = cells.widths[placed]
            self.left[placed] = np.cumsum(widths) - widths
            self.turned[first:after] = turned

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.firsts) - 1

    @property
    def height(self) -> float:
        """Of all rows together."""
        return len(self) * self.shape.line

    @property
    def extent(self) -> float:
        """The right end of the longest row."""
        return float(self.right.max()) if len(self.cells) else 0.0

    def rows_in(self, top: float, bottom: float) -> tuple[int, int]:
        """The span of rows that a span of y touches."""
        first = int(max(0, top // self.shape.line))
        after = int(min(len(self), -(-bottom // self.shape.line)))
        return first, max(first, after)

    def row_of_span(self, n: int) -> int:
        """The row in which a token starts."""
        return int(self.row_of[min(int(self._touched[0][n]), len(self.cells) - 1)])

    def bytes_of_row(self, row: int) -> tuple[int, int]:
        """The span of bytes that a row shows."""
        return int(self.cells.starts[self.firsts[row]]), int(self.cells.ends[self.firsts[row + 1] - 1])

    # tokens and the cells they touch

    @cached_property
    def turns(self) -> Ints:
        """`Spans.turns`, once."""
        return self.spans.turns()

    @cached_property
    def edged(self) -> tuple[Flags, Flags]:
        """Of each cell: whether a token starts or ends before it in its row, and whether that token is a merged one."""
        cells, spans = self.cells, self.spans
        inner = np.ones(len(cells), dtype=np.bool_)
        inner[self.firsts[:-1]] = False
        inner &= cells.sorts != CODE[Sort.MARKER]
        here = np.zeros(len(cells), dtype=np.bool_), np.zeros(len(cells), dtype=np.bool_)
        for flags, chosen in zip(here, (np.ones(len(spans), dtype=np.bool_), ~spans.single), strict=True):
            offsets = np.concatenate([spans.starts[chosen], spans.ends[chosen]])
            at = np.searchsorted(cells.starts, offsets, side="right") - 1
            at = at[(at >= 0) & (cells.starts[at] == offsets)] if len(cells) else at[:0]
            flags[at] = True
        return here[0] & inner, here[1] & inner

    @cached_property
    def _touched(self) -> tuple[Ints, Ints]:
        """The span of cells of each token: first, and after the last, its marker included."""
        spans, cells = self.spans, self.cells
        keys = 2 * cells.starts + (cells.sorts != CODE[Sort.MARKER])  # a marker stands before the cell that starts where it stands
        bare = spans.starts == spans.ends
        first = np.searchsorted(keys, 2 * spans.starts + 1, side="right") - 1
        first[bare] = np.searchsorted(keys, 2 * spans.starts[bare], side="left")
        after = np.searchsorted(keys, 2 * spans.ends, side="left")
        after[bare] = first[bare]
        marked = spans.marked & (after < len(cells))
        follows = np.minimum(after, max(0, len(cells) - 1))
        after[marked & (cells.sorts[follows] == CODE[Sort.MARKER])] += 1
        return first, np.maximum(first, after)

    @cached_property
    def whole(self) -> Boxes:
        """The part of each token that is whole cells: what is tinted."""
        first, after = self._touched
        starts, ends = np.append(self.cells.starts, -1), np.append(self.cells.ends, -1)
        filled = after > first
        first = first + (filled & (starts[first] < self.spans.starts))
        after = after - (filled & (ends[after - 1] > self.spans.ends))
        return self._boxes(first, np.maximum(first, after))

    @cached_property
    def covered(self) -> Boxes:
        """All of each token, with its share of the characters it cuts: what is ringed and hit."""
        first, after = self._touched
        boxes = self._boxes(first, after)
        left, right = boxes.left.copy(), boxes.right.copy()
        for holders, offsets, is_start in ((first, self.spans.starts, True), (after - 1, self.spans.ends, False)):
            holder, offset = holders[boxes.span], offsets[boxes.span]
            start, end = self.cells.starts[holder], self.cells.ends[holder]
            cut = (start < offset) & (offset < end) & (self._strip_of[holder] == boxes.strip)
            at = self._within(holder[cut], (offset - start)[cut] / (end - start)[cut])
            moves_left = is_start != self.turned[holder[cut]]
            left[np.flatnonzero(cut)[moves_left]] = at[moves_left]
            right[np.flatnonzero(cut)[~moves_left]] = at[~moves_left]
        return Boxes(boxes.span, boxes.strip, boxes.row, left, right)

    def _within(self, cell: Ints, part: npt.NDArray[np.floating]) -> Floats:
        """The x of a place inside cells, `part` of their bytes from their start."""
        along: Floats = np.where(self.turned[cell], 1 - part, part) * self.cells.widths[cell]
        return self.left[cell] + along

    def _boxes(self, first: Ints, after: Ints) -> Boxes:
        filled = np.flatnonzero(after > first)
        first, after = first[filled], after[filled]
        count = self._strip_of[after - 1] - self._strip_of[first] + 1
        span = np.repeat(filled, count)
        strip = np.repeat(self._strip_of[first], count) + np.arange(len(span)) - np.repeat(np.cumsum(count) - count, count)
        start = np.maximum(np.repeat(first, count), self._strips[strip])
        last = np.minimum(np.repeat(after, count), self._strips[strip + 1]) - 1
        turned = self.turned[start]
        left, right = np.where(turned, self.left[last], self.left[start]), np.where(turned, self.right[start], self.right[last])
        return Boxes(span, strip, self.row_of[start], left, right)

    def boxes(self, n: int) -> list[QRectF]:
        """The boxes of a token, as high as its tint: one a row, more where it runs both ways, none without a cell."""
        low, high = np.searchsorted(self.covered.span, [n, n + 1])
        return [self.rect(self.covered, at) for at in range(int(low), int(high))]

    def rect(self, boxes: Boxes, at: int) -> QRectF:
        """One part of a token as a rectangle."""
        left, right = float(boxes.left[at]), float(boxes.right[at])
        return QRectF(left, float(boxes.row[at]) * self.shape.line + self.shape.top, right - left, self.shape.tint)

    # points

    def cell_at(self, point: QPointF) -> int | None:
        """The cell under a point; None beside and below the text."""
        row = int(point.y() // self.shape.line)
        if not 0 <= row < len(self):
            return None
        first, after = int(self.firsts[row]), int(self.firsts[row + 1])
        under = np.flatnonzero((self.left[first:after] <= point.x()) & (point.x() < self.right[first:after]))
        return first + int(under[0]) if len(under) else None

    def byte_at(self, point: QPointF) -> int | None:
        """The byte under a point: inside a character of several bytes the one whose share it is. None where there is no text.

        On an end-of-word marker it is the last byte of its word.
        """
        cell = self.cell_at(point)
        if cell is None:
            return None
        start, size = int(self.cells.starts[cell]), int(self.cells.ends[cell] - self.cells.starts[cell])
        if size == 0:
            return start - 1 if start else None
        share = (point.x() - float(self.left[cell])) / float(self.cells.widths[cell])
        share = 1 - share if self.turned[cell] else share
        return start + min(size - 1, int(share * size))

    def span_at(self, point: QPointF) -> int | None:
        """The token under a point; None where there is none."""
        cell, offset = self.cell_at(point), self.byte_at(point)
        if cell is None:
            return None
        if self.cells.sorts[cell] == CODE[Sort.MARKER]:
            marked = np.flatnonzero(self.spans.marked & (self._touched[0] <= cell) & (cell < self._touched[1]))
            return int(marked[-1]) if len(marked) else None
        return None if offset is None else self.spans.at_byte(offset)


def _wrapped(cells: Cells, width: float) -> list[int]:
    """The first cell of each row, and the number of cells at the end."""
    sums = [0.0, *np.cumsum(cells.widths).tolist()]
    breaks = [0, *(np.flatnonzero(np.isin(cells.sorts, _BREAKS_AFTER)) + 1).tolist()]
    ends = (np.flatnonzero(cells.sorts == CODE[Sort.NEWLINE]) + 1).tolist()
    if len(cells) and (not ends or ends[-1] != len(cells)):
        ends.append(len(cells))
    rows, at = [0], 0
    for end in ends:
        while at < end:
            at = min(end, max(at + 1, bisect_right(sums, sums[at] + width + 1e-6) - 1))
            if at < end and (blank := breaks[bisect_right(breaks, at) - 1]) > rows[-1]:
                at = blank
            rows.append(at)
    return rows
