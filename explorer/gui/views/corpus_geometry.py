"""Where everything of a corpus lies in its picture: blocks, rows, characters and tokens, and what lies under a point.

The picture is as high as all blocks together, most of them guessed; `settle` lays out those in view. Coordinates are
pixels from the top left of the picture, the gutter included.
"""

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from explorer.gui import theme
from explorer.gui.theme import Role
from explorer.gui.views.corpus_lines import Heights
from explorer.gui.views.corpus_page import ROLE, CorpusPage, CorpusToken

GUTTER = 44.0  # pixels at 100 %, for numbers of up to three digits


class CorpusGeometry:
    """The picture of a page."""

    def __init__(self, page: CorpusPage, gutter: float) -> None:
        self.page, self.gutter = page, gutter
        self.line = theme.measures().line
        letters = page.width / theme.metrics(ROLE).horizontalAdvance("0")
        self.heights = Heights(page.lines.rows_guessed(letters) * self.line)

    @staticmethod
    def gutter_for(highest: int) -> float:
        """The width that numbers up to the highest take with the room around them."""
        return max(theme.px(GUTTER), theme.metrics(Role.FIGURE_SMALL).horizontalAdvance(str(highest)) + theme.px(24))

    def settle(self, top: float, height: float, anchor: tuple[int, float] | None = None) -> float:
        """Lays out the blocks in a view from `top`, and returns the top that shows the same as before.

        `anchor` is a block and how far below its top the view begins: what must not move. By default what is at the top.
        """
        if not self.page.lines.blocks_count:
            return 0.0
        block, below = anchor or self.anchor(top)
        for _ in range(8):  # each round shows at most a view more that was guessed
            top = self.heights.top(block) + below
            top = max(0.0, min(top, self.heights.total - height))
            seen = self.blocks_in(top, top + height)
            self.page.prepare(seen)
            if not any([self.heights.settle(each, self.page.layout(each).height) for each in seen]):
                break
        return top

    def anchor(self, top: float) -> tuple[int, float]:
        """The block at a height and how far below its top that is."""
        block = self.heights.block_at(top)
        return block, top - self.heights.top(block)

    def blocks_in(self, top: float, bottom: float) -> range:
        """The blocks that a span of heights touches."""
        if not self.page.lines.blocks_count:
            return range(0)
        return range(self.heights.block_at(top), self.heights.block_at(max(top, bottom - 1)) + 1)

    def origin(self, block: int) -> QPointF:
        """Where the text of a block begins."""
        return QPointF(self.gutter, self.heights.top(block))

    def row_of(self, offset: int) -> tuple[int, float]:
        """The block that holds a byte, and how far below its top the row of that byte begins."""
        block = self.page.lines.block_at(offset)
        rows = self.page.layout(block).rows
        if not len(rows.cells):
            return block, 0.0
        cell = int(np.searchsorted(rows.cells.starts, offset - self.page.lines.block_span(block)[0], side="right")) - 1
        return block, float(rows.row_of[max(0, cell)]) * self.line

    def first_byte(self, top: float) -> int:
        """The byte that begins the row at a height."""
        block, below = self.anchor(top)
        rows = self.page.layout(block).rows
        row = max(0, min(int(below // self.line), len(rows) - 1))
        return self.page.lines.block_span(block)[0] + rows.bytes_of_row(row)[0]

    def bytes_near(self, point: QPointF) -> tuple[int, int]:
        """The bytes of the character under a point, or of the nearest one in its row."""
        block = self.heights.block_at(point.y())
        rows, start = self.page.layout(block).rows, self.page.lines.block_span(block)[0]
        row = max(0, min(int((point.y() - self.heights.top(block)) // self.line), len(rows) - 1))
        first, after = int(rows.firsts[row]), int(rows.firsts[row + 1])
        cell = first + int(np.searchsorted(rows.right[first : after - 1], point.x() - self.gutter, side="right"))
        return start + int(rows.cells.starts[cell]), start + int(rows.cells.ends[cell])

    def token_under(self, point: QPointF) -> CorpusToken | None:
        """The token under a point."""
        if not self.page.lines.blocks_count or not 0 <= point.y() < self.heights.total:
            return None
        block = self.heights.block_at(point.y())
        n = self.page.layout(block).span_at(point - self.origin(block))
        return None if n is None else self.page.token_of(block, n)

    def token_in_row(self, token: CorpusToken, by: int) -> CorpusToken | None:
        """The token above (-1) or below (1) another, in its column; None above the first row and below the last."""
        box = self.boxes(token)[0 if by < 0 else -1]
        point = QPointF(box.center().x(), box.center().y() + by * self.line)
        if not 0 <= point.y() < self.heights.total:
            return None
        near = self.bytes_near(point)[0]
        return self.page.token_at(near) or self.page.token_from(near)

    def boxes(self, token: CorpusToken) -> list[QRectF]:
        """The boxes of a token, one a row."""
        found: list[QRectF] = []
        first, last = self.page.lines.block_at(token.start), self.page.lines.block_at(token.end - 1)
        for block in range(first, last + 1):
            start = self.page.lines.block_span(block)[0]
            layout = self.page.layout(block)
            n = layout.spans.at_byte(max(token.start, start) - start)
            found += [] if n is None else [box.translated(self.origin(block)) for box in layout.boxes(n)]
        return found

    def rows_of(self, start: int, end: int, block: int) -> list[QRectF]:
        """The boxes of the bytes [start, end) in one block, one a row, as wide as their characters."""
        begin = self.page.lines.block_span(block)[0]
        rows, (x, y) = self.page.layout(block).rows, self.origin(block).toTuple()
        first = int(np.searchsorted(rows.cells.ends, start - begin, side="right"))
        after = int(np.searchsorted(rows.cells.starts, end - begin, side="left"))
        if first >= after:
            return []
        boxes: list[QRectF] = []
        for row in range(int(rows.row_of[first]), int(rows.row_of[after - 1]) + 1):
            one, two = max(first, int(rows.firsts[row])), min(after, int(rows.firsts[row + 1]))
            left = float(rows.left[one])
            boxes.append(QRectF(x + left, y + row * self.line, float(rows.right[two - 1]) - left, self.line))
        return boxes
