"""A text of any size and any bytes, laid out block by block where it is looked at.

A block is some kilobytes that end with a line where they can, so that a text of a hundred megabytes opens as fast as
a short one. Heights are guessed from the number of letters until a block is in view; what is in view does not move.
Coordinates are pixels from the top left of the text.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from explorer.gui import theme
from explorer.gui.models.text_spans import TextSpans
from explorer.gui.painting.letters import CODE
from explorer.gui.painting.spelling import Sort
from explorer.gui.text.cells import Ints
from explorer.gui.text.spans import Spans
from explorer.gui.text.stretches import joined
from explorer.gui.text.text_rows import Floats, RowShape
from explorer.gui.text.token_text import TextLayout
from explorer.gui.theme import Role
from explorer.gui.views.corpus_lines import Heights

BLOCK = 4096  # bytes laid out together: 1 ms of Latin letters, 6 of Arabic ones
LONG_LINE = 2 * BLOCK  # a line that goes on further is cut between two of its rows, at a blank where there is one
BLANK_NEAR = 256  # bytes before such a cut in which a blank is looked for
KEPT = 48  # blocks whose layout is remembered
ROLE = Role.TEXT
WIDE = 0.75  # by how much more than one cell a character of three bytes or more is guessed to take


@dataclass(frozen=True, slots=True)
class Laid:
    """A block laid out; `indexes` are those of its tokens in the text."""

    layout: TextLayout
    start: int
    indexes: Ints


class TextPage:
    """A text at one width; `tokens` None is text without tokens."""

    def __init__(self, data: bytes, tokens: TextSpans | None, width: float) -> None:
        self.data, self.tokens, self.width = data, tokens, width
        self.bounds = np.array(block_bounds(data), np.int64)
        self.line = RowShape.of(ROLE).line
        self.heights = Heights(self._rows_guessed() * self.line)
        self._laid: dict[int, Laid] = {}

    def __len__(self) -> int:
        """How many blocks there are."""
        return len(self.bounds) - 1

    def show_tokens(self, tokens: TextSpans | None) -> None:
        """Other tokens of the same text."""
        self.tokens = tokens
        self._laid.clear()

    def block_of(self, offset: int) -> int:
        """The block that holds a byte; the last for the end of the text."""
        return max(0, min(int(np.searchsorted(self.bounds, offset, side="right")) - 1, len(self) - 1))

    def laid(self, block: int) -> Laid:
        """A block laid out."""
        if block not in self._laid:
            start, end = int(self.bounds[block]), int(self.bounds[block + 1])
            spans, indexes = self.tokens.between(start, end) if self.tokens else (Spans.none(), np.zeros(0, np.int64))
            self._laid[block] = Laid(TextLayout(self.data[start:end], spans, ROLE, self.width), start, indexes)
            if len(self._laid) > KEPT:
                del self._laid[next(iter(self._laid))]
        return self._laid[block]

    def settle(self, top: float, height: float) -> bool:
        """Lays out the blocks in view and those beside them; whether that changed heights below or in the view."""
        changed = False
        for _ in range(8):  # each round shows at most a view more that was guessed
            blocks = self.blocks_in(top, top + height)
            if not any([self.heights.settle(each, self.laid(each).layout.height) for each in blocks]):
                break
            changed = True
        return changed

    def blocks_in(self, top: float, bottom: float) -> range:
        """The blocks that a span of heights touches."""
        if not len(self):
            return range(0)
        return range(self.heights.block_at(top), self.heights.block_at(max(top, bottom - 1)) + 1)

    # --- places -------------------------------------------------------------------------------------------------------

    def row_top(self, offset: int) -> float:
        """The top of the row that shows a byte."""
        block = self.block_of(offset)
        rows, start = self.laid(block).layout.rows, self.laid(block).start
        cell = int(np.searchsorted(rows.cells.starts, offset - start, side="right")) - 1
        return self.heights.top(block) + float(rows.row_of[max(0, cell)]) * self.line

    def first_byte(self, top: float) -> int:
        """The byte that begins the row at a height."""
        block, row = self._row_at(top)
        laid = self.laid(block)
        return laid.start + laid.layout.rows.bytes_of_row(row)[0]

    def byte_near(self, point: QPointF) -> int:
        """The byte before which a text cursor would stand for a point anywhere: that of the nearer side of the nearest character."""
        if not len(self):
            return 0
        block, row = self._row_at(point.y())
        laid = self.laid(block)
        rows = laid.layout.rows
        first, after = int(rows.firsts[row]), int(rows.firsts[row + 1])
        left, right = rows.left[first:after], rows.right[first:after]
        cell = first + int(np.argmin(np.maximum(left - point.x(), 0) + np.maximum(point.x() - right, 0)))
        behind = (point.x() > (rows.left[cell] + rows.right[cell]) / 2) != rows.turned[cell]
        ends_line = rows.cells.sorts[cell] == CODE[Sort.NEWLINE]  # the row's own end is before it
        return laid.start + int(rows.cells.ends[cell] if behind and not ends_line else rows.cells.starts[cell])

    def token_at(self, point: QPointF) -> int | None:
        """The index of the token under a point."""
        if not len(self) or not 0 <= point.y() < self.heights.total:
            return None
        block = self.heights.block_at(point.y())
        laid = self.laid(block)
        n = laid.layout.span_at(QPointF(point.x(), point.y() - self.heights.top(block)))
        return None if n is None else int(laid.indexes[n])

    def boxes(self, n: int) -> list[QRectF]:
        """The boxes of the n-th token of the text, one a row."""
        if self.tokens is None:
            return []
        start, end = self.tokens.place(n)
        found: list[QRectF] = []
        for block in range(self.block_of(max(0, start - (start == end))), self.block_of(max(start, end - 1)) + 1):
            laid = self.laid(block)
            for at in np.flatnonzero(laid.indexes == n).tolist():
                found += [box.translated(0, self.heights.top(block)) for box in laid.layout.boxes(at)]
        return found

    def stretch(self, start: int, end: int, top: float, bottom: float) -> list[QRectF]:
        """The boxes of the bytes [start, end) in the rows between two heights, one a row, more where letters turn round."""
        found: list[QRectF] = []
        for block in self.blocks_in(top, bottom):
            laid = self.laid(block)
            rows, above = laid.layout.rows, self.heights.top(block)
            low = int(np.searchsorted(rows.cells.ends, start - laid.start, side="right"))
            high = int(np.searchsorted(rows.cells.starts, end - laid.start, side="left"))
            for row in range(*rows.rows_in(top - above, bottom - above)):
                first, after = max(low, int(rows.firsts[row])), min(high, int(rows.firsts[row + 1]))
                for left, right in joined(zip(rows.left[first:after].tolist(), rows.right[first:after].tolist(), strict=True)):
                    found.append(QRectF(left, above + row * self.line, right - left, self.line))
        return found

    def lost(self, block: int, top: float, bottom: float) -> list[QRectF]:
        """The boxes of the characters in a block that a stand-in took the place of, in the rows between two heights."""
        if self.tokens is None or self.tokens.stand_in is None:
            return []
        rows, above = self.laid(block).layout.rows, self.heights.top(block)
        covered = rows.covered
        low, high = (int(n) for n in np.searchsorted(covered.row, rows.rows_in(top - above, bottom - above)))
        lost = np.flatnonzero(rows.spans.ids[covered.span[low:high]] == self.tokens.stand_in) + low
        return [rows.rect(covered, int(at)).translated(0, above) for at in lost]

    def _row_at(self, y: float) -> tuple[int, int]:
        block = self.heights.block_at(y)
        count = len(self.laid(block).layout.rows)
        return block, max(0, min(int((y - self.heights.top(block)) // self.line), count - 1))

    def _rows_guessed(self) -> Floats:
        across = max(1.0, self.width / theme.metrics(ROLE).horizontalAdvance("0"))
        bounds = self.bounds.tolist()
        guessed = [_rows_of(self.data, start, end, across) for start, end in pairwise(bounds)]
        return np.array(guessed, np.float64)


def _rows_of(data: bytes, start: int, end: int, across: float) -> int:
    """How many rows a block is guessed to take, at so many letters a row."""
    line_ends = data.count(b"\n", start, end)
    part = data[start:end]
    letters = float(len(part))
    if not part.isascii():
        octets = np.frombuffer(part, np.uint8)
        letters = np.count_nonzero((octets & 0xC0) != 0x80) + WIDE * np.count_nonzero(octets >= 0xE0)
    return max(1, line_ends + int(letters / across))


def block_bounds(data: bytes) -> list[int]:
    """Where blocks begin, and the end of the text; [0] for no text."""
    bounds = [0]
    while bounds[-1] < len(data):
        bounds.append(_block_end(data, bounds[-1]))
    return bounds


def _block_end(data: bytes, start: int) -> int:
    """Behind the last line end in a block; of a long line behind a blank, or else before a character."""
    if len(data) - start <= BLOCK:
        return len(data)
    end = data.rfind(b"\n", start, start + BLOCK) + 1 or data.find(b"\n", start + BLOCK, start + LONG_LINE) + 1
    if end:
        return end
    end = start + BLOCK
    if blank := data.rfind(b" ", end - BLANK_NEAR, end) + 1:
        return blank
    back = next((back for back in range(4) if data[end - back] & 0xC0 != 0x80), 0)  # more than three is no character
    return end - back
