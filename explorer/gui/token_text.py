"""A text with its tokens, laid out and painted: tints, ticks, bars under cut characters, blanks, rings.

Single symbols carry no tint, only ticks: colour says "a merge was here". A character cut by a token edge is
drawn once, over a bar with a segment a byte in the tint of the token that holds it. The newest token has a
tint of its own and a line under it, the next pair a ring with a tick inside, so that no meaning is told by
colour alone.

    layout = TextLayout(data, Spans.of(spans), Role.TEXT, width=600)
    layout.paint(painter, clip, Emphasis(new=291, pair=(259, 272)))
    layout.byte_at(point), layout.span_at(point), layout.boxes(3)

A layout is for one text, its tokens, one width and one zoom; make another when one of them changes. Colours are
looked up when painting. A screenful is laid out and painted in a few milliseconds, so nothing is cached here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.gui import paint, stamps, theme
from explorer.gui.cells import Cells, Ints, cells_of
from explorer.gui.letters import CODE
from explorer.gui.spans import Spans
from explorer.gui.spelling import Sort
from explorer.gui.text_bars import draw_bars
from explorer.gui.text_rows import NO_WRAP, Boxes, RowShape, TextRows
from explorer.gui.theme import Ink, Role, px


class Tinting(Enum):
    """What a tint says about a merged token."""

    TURNS = "turns"  # four tints in turn, so that neighbours differ
    IDENTITY = "identity"  # a token looks the same wherever it stands
    NONE = "none"  # ticks alone


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What stands out in a text: token ids and indexes of tokens in it; None is nothing."""

    new: int | None = None  # the id of the token made last
    pair: tuple[int, int] | None = None  # the ids of the pair that comes next
    hovered: int | None = None  # the index of the token under the pointer
    hovered_id: int | None = None  # every token with the id hovered elsewhere
    selected: int | None = None
    selected_id: int | None = None


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
        tinting: Tinting = Tinting.TURNS,
        ink: Ink | None = None,
    ) -> None:
        """Draws the rows that `clip` touches (all without), the text's top left at the painter's origin."""
        span = self.rows.rows_in(clip.top(), clip.bottom()) if clip else (0, len(self.rows))
        if span[0] < span[1]:
            p.save()
            ratio = stamps.align(p) if stamps.copies(p) else 1.0
            _Picture(p, ink or theme.current(), self, span, ratio).draw(emphasis, tinting)
            p.restore()


class _Picture:
    """One painting of some rows: holds what every step of it needs."""

    def __init__(self, p: QPainter, ink: Ink, layout: TextLayout, rows: tuple[int, int], ratio: float) -> None:
        self.p, self.ink, self.role, self.ratio = p, ink, layout.role, ratio
        self.text, self.spans, self.cells, self.shape = layout.rows, layout.spans, layout.rows.cells, layout.rows.shape
        self.first_row, self.after_row = rows
        self.first = int(self.text.firsts[rows[0]])
        self.after = int(self.text.firsts[rows[1]])
        self.copies = stamps.copies(p)

    def draw(self, emphasis: Emphasis, tinting: Tinting) -> None:
        """All of it, from the ground up."""
        if tinting is not Tinting.NONE:
            self._tints(emphasis, tinting)
        self._ticks()
        self._words()
        self._blanks()
        draw_bars(self.p, self.ink, self.text, (self.first, self.after))
        self._rings(emphasis)

    # tints

    def _tints(self, emphasis: Emphasis, tinting: Tinting) -> None:
        boxes = self.text.whole
        low, high = np.searchsorted(boxes.row, [self.first_row, self.after_row])
        merged = np.arange(low, high)[~self.spans.single[boxes.span[low:high]]]
        span = boxes.span[merged]
        ids = self.spans.ids[span]
        choice = (self.spans.turns()[span] if tinting is Tinting.TURNS else _scattered(ids)) % 4
        if emphasis.new is not None:
            choice[ids == emphasis.new] = 4
        left, right = self._snapped(boxes.left[merged]), self._snapped(boxes.right[merged])
        fills = (*((tint.rgba(), 0) for tint in self.ink.tints), (self.ink.new_fill.rgba(), self.ink.new.rgba()))
        tops = (boxes.row[merged] * self.shape.line + self.shape.top).tolist()
        # the hairline between two tints is the tick's: its pixels lie before the edge, half of them after where there are two
        after, before = self._tick_width() - self._tick_before(), self._tick_before()
        for at, end, top, fill in zip((left + after).tolist(), (right - before).tolist(), tops, choice.tolist(), strict=True):
            self._ground(at, end, top, fills[fill])

    def _ground(self, left: int, right: int, top: float, fill: tuple[int, int]) -> None:
        """One tint from `left` to `right` in device pixels."""
        radius = float(theme.measures().r_token)
        if self.copies:
            stamp = stamps.tint_stamp(right - left, round(self.shape.tint * self.ratio), radius, *fill, self.ratio)
            self.p.drawImage(QPointF(left / self.ratio, top), stamp)
            return
        box = QRectF(left / self.ratio, top, (right - left) / self.ratio, self.shape.tint)
        paint.tint(self.p, box, QColor.fromRgba(fill[0]))
        if fill[1]:
            self.p.fillRect(QRectF(box.left() + px(1), box.bottom() - px(2), box.width() - px(2), px(2)), QColor.fromRgba(fill[1]))

    # ticks

    def _ticks(self) -> None:
        """Short marks at the foot of the tint: taller where a merged token begins or ends, none at the start of a row."""
        cells, (first, after) = self.cells, (self.first, self.after)
        starts = cells.starts[first:after]
        inner = np.ones(after - first, dtype=np.bool_)
        inner[self.text.firsts[self.first_row : self.after_row] - first] = False
        inner &= (cells.sorts[first:after] != CODE[Sort.MARKER]) & np.isin(starts, self.spans.edges())
        at = np.flatnonzero(inner)
        merged = self.spans.starts[~self.spans.single], self.spans.ends[~self.spans.single]
        tall = np.isin(starts[at], merged[0]) | np.isin(starts[at], merged[1])
        sizes = theme.measures()
        left = (self._snapped(self.text.left[first:after][at]) - self._tick_before()) / self.ratio
        foot = self.text.row_of[first:after][at] * self.shape.line + self.shape.top + self.shape.tint
        height = np.where(tall, sizes.tick, sizes.tick_single)
        width = self._tick_width() / self.ratio
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(self.ink.edge)
        self.p.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        columns = zip(left.tolist(), (foot - height).tolist(), height.tolist(), strict=True)
        self.p.drawRects([QRectF(x, y, width, h) for x, y, h in columns])
        self.p.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)

    def _tick_width(self) -> int:
        return max(1, round(px(1) * self.ratio))

    def _tick_before(self) -> int:
        return (self._tick_width() + 1) // 2

    def _snapped(self, places: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Ints:
        """Places in whole device pixels."""
        return np.rint(places * self.ratio).astype(np.int64)

    # text

    def _words(self) -> None:
        """Letters in as few strings as possible, then the cells that have to stand alone."""
        p, metrics = self.p, theme.metrics(self.role)
        p.setFont(theme.font(self.role))
        p.setPen(self.ink.ink)
        down = self.shape.top + self.shape.tint / 2 + metrics.capHeight() / 2
        for row, first, after in self._runs():
            words = self.cells.text[self.cells.at[first] : self.cells.at[after - 1] + 1]
            p.drawText(QPointF(float(self.text.left[first]), round(row * self.shape.line + down)), words)
        skipped = [CODE[sort] for sort in paint.BLANKS]
        alone = ~self.cells.runs[self.first : self.after] & ~np.isin(self.cells.sorts[self.first : self.after], skipped)
        for n in (np.flatnonzero(alone) + self.first).tolist():
            paint.draw_part(p, self.ink, self.cells.part(n), self._cell_box(n), self.role, self.ink.ink)

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        """Row, first cell and cell after the last of each string that can be drawn at once."""
        runs = self.cells.runs[self.first : self.after]
        breaks = np.flatnonzero(runs[1:] != runs[:-1]) + 1
        bounds = np.unique(np.concatenate([breaks, self.text.firsts[self.first_row : self.after_row] - self.first]))
        ends = np.append(bounds[1:], len(runs))
        kept = runs[bounds]
        rows = self.text.row_of[bounds[kept] + self.first]
        yield from zip(rows.tolist(), (bounds[kept] + self.first).tolist(), (ends[kept] + self.first).tolist(), strict=True)

    def _cell_box(self, n: int) -> QRectF:
        top = float(self.text.row_of[n]) * self.shape.line + self.shape.top
        return QRectF(float(self.text.left[n]), top, float(self.cells.widths[n]), self.shape.tint)

    # blanks

    def _blanks(self) -> None:
        colour = self.ink.ink_3
        for sort in paint.BLANKS:
            found = np.flatnonzero(self.cells.sorts[self.first : self.after] == CODE[sort]) + self.first
            if not self.copies:
                for n in found.tolist():
                    paint.blank(self.p, sort, self._cell_box(n), colour)
            elif len(found):
                self._stamped_blanks(sort, found, colour)

    def _stamped_blanks(self, sort: Sort, found: Ints, colour: QColor) -> None:
        width = round(float(self.cells.widths[found[0]]) * self.ratio)
        stamp = stamps.blank_stamp(sort, width, round(self.shape.tint * self.ratio), colour.rgba(), self.ratio)
        left = (self._snapped(self.text.left[found]) / self.ratio).tolist()
        top = (self.text.row_of[found] * self.shape.line + self.shape.top).tolist()
        for x, y in zip(left, top, strict=True):
            self.p.drawImage(QPointF(x, y), stamp)

    # rings

    def _rings(self, emphasis: Emphasis) -> None:
        if emphasis.pair is not None:
            self._pairs(self.spans.pairs(*emphasis.pair))
        for token_id, index, colour, width in (
            (emphasis.selected_id, emphasis.selected, self.ink.accent, 2.0),
            (emphasis.hovered_id, emphasis.hovered, self.ink.ink_2, 1.5),
        ):
            here = np.zeros(len(self.spans), dtype=np.bool_) if token_id is None else self.spans.ids == token_id
            if index is not None and index < len(here):
                here[index] = True
            for box, _ in self._seen(here):
                paint.ring(self.p, box.adjusted(0, -px(1), 0, px(1)), colour, width)

    def _seen(self, chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Iterator[tuple[QRectF, int]]:
        """The boxes in the painted rows of the tokens that are chosen, each with its token."""
        boxes: Boxes = self.text.covered
        low, high = (int(n) for n in np.searchsorted(boxes.row, [self.first_row, self.after_row]))
        for at in (np.flatnonzero(chosen[boxes.span[low:high]]) + low).tolist():
            yield self.text.rect(boxes, at), int(boxes.span[at])

    def _pairs(self, lefts: Ints) -> None:
        """A ring around both halves, with a tick between them; around each part where the pair is torn by a row end."""
        halves = np.zeros(len(self.spans), dtype=np.bool_)
        halves[lefts] = halves[lefts + 1] = True
        begins = set(lefts.tolist())
        ring: QRectF | None = None
        for box, span in self._seen(halves):
            if ring is not None and span not in begins and box.top() == ring.top() and abs(box.left() - ring.right()) < 0.5:
                paint.tick(self.p, box.left(), ring.bottom(), self.ink.accent, ring.height())
                ring = ring.united(box)
            elif ring is not None:
                self._pair_ring(ring)
                ring = box
            else:
                ring = box
        if ring is not None:
            self._pair_ring(ring)

    def _pair_ring(self, box: QRectF) -> None:
        paint.ring(self.p, box.adjusted(0, -0.5, 0, 0.5), self.ink.accent, 1.75)


def _scattered(ids: Ints) -> Ints:
    """Token ids as numbers of which the last two bits look random: Fibonacci hashing, so that near ids differ."""
    mixed: Ints = ((ids.astype(np.uint64) * np.uint64(11400714819323198485)) >> np.uint64(61)).astype(np.int64)
    return mixed
