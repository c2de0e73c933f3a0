"""A text with its tokens, laid out and painted: tints, ticks, bars under cut characters, blanks, rings.

Single symbols carry no tint, only ticks: colour says "a merge was here". A character cut by a token edge is
drawn once, over a bar with a segment a byte in the tint of the token that holds it. The newest token has a
tint of its own and a line under it, the next pair a ring with a tick inside, so that no meaning is told by
colour alone.

    layout = TextLayout(data, Spans.of(spans), Role.TEXT, width=600)
    layout.paint(painter, clip, Emphasis(new=291, pair=(259, 272)))
    layout.byte_at(point), layout.span_at(point), layout.boxes(3)

A layout is for one text, its tokens, one width and one zoom; make another when one of them changes. Colours are
looked up when painting. A screenful is laid out and painted in a few milliseconds, so no picture is kept.
"""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from explorer.gui import theme, tinting
from explorer.gui.text.cells import Cells, cells_of
from explorer.gui.text.spans import Spans
from explorer.gui.text.text_picture import Emphasis, Picture
from explorer.gui.text.text_rows import NO_WRAP, RowShape, TextRows
from explorer.gui.theme import Role, Theme
from explorer.gui.tinting import Tinting

__all__ = ["NOTHING", "NO_WRAP", "Emphasis", "TextLayout", "Tinting"]

NOTHING = Emphasis()


class TextLayout:
    """One text with its tokens at one width (`NO_WRAP`: one row a line). Raises nothing: any bytes can be shown.

    `cells` are those of the text where they should not follow its tokens: see `cells.recut`.
    """

    def __init__(self, data: bytes, spans: Spans, role: Role = Role.TOKEN, width: float = NO_WRAP, cells: Cells | None = None) -> None:
        self.data, self.spans, self.role = data, spans, role
        self.rows = TextRows(cells or cells_of(data, spans, role), spans, RowShape.of(role), width)

    @property
    def height(self) -> float:
        """Of all rows, in pixels."""
        return self.rows.height

    @property
    def extent(self) -> float:
        """The right end of the longest row, in pixels."""
        return self.rows.extent

    def byte_at(self, point: QPointF) -> int | None:
        """The byte under a point; see `TextRows.byte_at`."""
        return self.rows.byte_at(point)

    def span_at(self, point: QPointF) -> int | None:
        """The index of the token under a point."""
        return self.rows.span_at(point)

    def boxes(self, span: int) -> list[QRectF]:
        """The boxes of a token, one a row."""
        return self.rows.boxes(span)

    def paint(
        self,
        p: QPainter,
        clip: QRectF | None = None,
        emphasis: Emphasis = NOTHING,
        kind: Tinting | None = None,
        worn: Theme | None = None,
        *,
        blanks: bool = True,
    ) -> None:
        """Draws what `clip` touches (all without), the text's top left at the painter's origin, in the colours and tints that are worn."""
        whole = QRectF(0, 0, self.extent + 1, self.height)
        seen = whole if clip is None else clip
        if seen.intersects(whole):
            p.save()
            Picture(p, self.rows, self.role, seen, worn or theme.chosen()).draw(emphasis, kind or tinting.worn(), blanks=blanks)
            p.restore()
