"""One painting of a part of a laid out text: what `TextLayout.paint` does, step by step, from the ground up.

Everything that a screenful has by the thousand is chosen with numpy and drawn by the means of `stamps`; what is
rare (clusters, rings) is drawn one by one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from explorer.gui import theme, tinting
from explorer.gui.painting import paint, stamps
from explorer.gui.painting.letters import CODE
from explorer.gui.painting.spelling import Sort
from explorer.gui.text.cells import Flags, Ints
from explorer.gui.text.text_bars import draw_bars
from explorer.gui.text.text_rows import TextRows
from explorer.gui.theme import Role, Theme, px
from explorer.gui.tinting import Tinting

Lengths = npt.NDArray[np.floating]
NEW = tinting.KINDS  # the place of the newest token's tint after the four


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What stands out in a text: token ids and indexes of tokens in it; None is nothing."""

    new: int | None = None  # the id of the token made last
    pair: tuple[int, int] | None = None  # the ids of the pair that comes next
    hovered: int | None = None  # the index of the token under the pointer
    hovered_id: int | None = None  # every token with the id hovered elsewhere
    selected: int | None = None
    selected_id: int | None = None
    spread: float = 0.0  # pixels that the ring of what is selected is from its place, while it closes in
    merged: range = range(0)  # the ids of all merges of the table, for tints by age


class Picture:
    """A painter on some rows of a text, `seen` in the text's coordinates."""

    def __init__(self, p: QPainter, text: TextRows, role: Role, seen: QRectF, worn: Theme) -> None:
        self.p, self.text, self.role, self.worn = p, text, role, worn
        self.ink = theme.ink_of(worn)
        self.spans, self.cells, self.shape = text.spans, text.cells, text.shape
        self.copies = stamps.copies(p)
        self.ratio = stamps.align(p) if self.copies else 1.0
        self.first_row, self.after_row = text.rows_in(seen.top(), seen.bottom())
        self.first, self.after = int(text.firsts[self.first_row]), int(text.firsts[self.after_row])
        part = slice(self.first, self.after)
        self.inside: Flags = (text.right[part] > seen.left()) & (text.left[part] < seen.right())
        self.sides = seen.left(), seen.right()

    def draw(self, emphasis: Emphasis, kind: Tinting, *, blanks: bool = True) -> None:
        """All of it; without `blanks` no marks for spaces, tabs and line ends."""
        if kind is not Tinting.NONE:
            self._tints(emphasis, kind)
        self._ticks()
        self._runs()
        self._alone()
        self._marks(blanks)
        draw_bars(self.p, self.ink, self.text, self._cells(self.cells.cut), self.ratio, kind, emphasis.merged)
        self._rings(emphasis)

    def _cells(self, chosen: Flags) -> Ints:
        """The cells of the picture for which a flag of all cells is set."""
        found: Ints = np.flatnonzero(chosen[self.first : self.after] & self.inside) + self.first
        return found

    def _pixels(self, places: Lengths) -> Ints:
        """Places in whole device pixels."""
        pixels: Ints = np.rint(places * self.ratio).astype(np.int64)
        return pixels

    def _tops(self, rows: Ints) -> Lengths:
        """Where the tint of rows starts."""
        tops: Lengths = rows * self.shape.line + self.shape.top
        return tops

    # tints

    def _tints(self, emphasis: Emphasis, kind: Tinting) -> None:
        boxes = self.text.whole
        low, high = (int(n) for n in np.searchsorted(boxes.row, [self.first_row, self.after_row]))
        wanted = ~self.spans.single[boxes.span[low:high]]
        wanted &= (boxes.right[low:high] > self.sides[0]) & (boxes.left[low:high] < self.sides[1])
        merged = np.flatnonzero(wanted) + low
        span = boxes.span[merged]
        ids = self.spans.ids[span]
        choice = tinting.places(kind, ids, self.text.turns[span], emphasis.merged)
        if emphasis.new is not None:
            choice[ids == emphasis.new] = NEW
        # the hairline between two tints is the tick's: it ends at the edge, or lies across it where it has two pixels
        left = self._pixels(boxes.left[merged]) - self._tick_before() + self._tick_width()
        right = self._pixels(boxes.right[merged]) - self._tick_before()
        self._grounds(left, np.maximum(1, right - left), self._tops(boxes.row[merged]), choice, tinting.shades(self.ink, kind))

    def _grounds(self, left: Ints, width: Ints, top: Lengths, choice: Ints, shades: Sequence[QColor]) -> None:
        """Tints from `left` on, both in device pixels; each distinct one is asked for once."""
        fills = (*((shade.rgba(), 0) for shade in shades), (self.ink.new_fill.rgba(), self.ink.new.rgba()))
        places = zip((left / self.ratio).tolist(), top.tolist(), strict=True)
        if not self.copies:
            for (x, y), wide, fill in zip(places, width.tolist(), choice.tolist(), strict=True):
                box = QRectF(x, y, wide, self.shape.tint)
                paint.tint(self.p, box, QColor.fromRgba(fills[fill][0]))
                if fill == NEW:
                    stamps.underlined(self.p, box, self.ink.new)
            return
        height, zoom = round(self.shape.tint * self.ratio), theme.zoom()
        kinds, kind = np.unique(width * (NEW + 1) + choice, return_inverse=True)
        images = [
            stamps.tint_stamp(wide, height, *fills[fill], self.ratio, zoom)
            for wide, fill in ((n // (NEW + 1), n % (NEW + 1)) for n in kinds.tolist())
        ]
        draw = self.p.drawImage
        for (x, y), n in zip(places, kind.tolist(), strict=True):
            draw(QPointF(x, y), images[n])

    # ticks

    def _ticks(self) -> None:
        """Short marks at the foot of the tint: taller where a merged token begins or ends, none at the start of a row."""
        edged, merged = self.text.edged
        at = self._cells(edged)
        places = [np.where(self.text.turned[at], self.text.right[at], self.text.left[at])]
        rows, tall = [self.text.row_of[at]], [merged[at]]
        if self.text.turned.any():  # where a stretch read right to left ends, its last edge is at its left
            last = at[self.text.turned[at - 1]] - 1
            places, rows, tall = [*places, self.text.left[last]], [*rows, self.text.row_of[last]], [*tall, merged[last + 1]]
        row, place = np.concatenate(rows), self._pixels(np.concatenate(places))
        sizes = theme.measures()
        height = self._pixels(np.where(np.concatenate(tall), sizes.tick, sizes.tick_single))
        foot = self._pixels(self._tops(row) + self.shape.tint)
        left = place - self._tick_before()
        stamps.fill(self.p, self.ink.edge, left, foot - height, np.full(len(left), self._tick_width()), height, self.ratio)

    def _tick_width(self) -> int:
        return max(1, round(px(1) * self.ratio))

    def _tick_before(self) -> int:
        """How much of a tick lies before its edge."""
        return (self._tick_width() + 1) // 2

    # letters

    def _runs(self) -> None:
        """Letters in as few strings as possible."""
        self._take_pen()
        down = self._baseline()
        for row, first, after in self._strings():
            words = self.cells.text[self.cells.at[first] : self.cells.at[after - 1] + 1]
            self.p.drawText(QPointF(float(self.text.left[first]), round(row * self.shape.line + down)), words)

    def _strings(self) -> Iterator[tuple[int, int, int]]:
        """Row, first cell and cell after the last of each string that can be drawn at once."""
        part = slice(self.first, self.after)
        runs, left, right = self.cells.runs[part] & self.inside, self.text.left[part], self.text.right[part]
        breaks = (runs[1:] != runs[:-1]) | (np.abs(left[1:] - right[:-1]) > 0.5)  # a new row, or a stretch read right to left
        bounds = np.concatenate([[0], np.flatnonzero(breaks) + 1])
        ends = np.append(bounds[1:], len(runs))
        kept = runs[bounds]
        first, after = bounds[kept] + self.first, ends[kept] + self.first
        yield from zip(self.text.row_of[first].tolist(), first.tolist(), after.tolist(), strict=True)

    def _alone(self) -> None:
        """Clusters, and letters in the middle of a cell that has been widened for its bar."""
        self._take_pen()
        down = self._baseline()
        at = self._cells(~self.cells.runs & (self.cells.sorts == CODE[Sort.TEXT]))
        left = self.text.left[at] + (self.cells.widths[at] - self.cells.own[at]) / 2
        base = np.rint(self.text.row_of[at] * self.shape.line + down)
        text, odd, draw = self.cells.text, self.cells.odd, self.p.drawText
        for n, letter, x, y in zip(at.tolist(), self.cells.at[at].tolist(), left.tolist(), base.tolist(), strict=True):
            draw(QPointF(x, y), odd[n].text if n in odd else text[letter])

    def _take_pen(self) -> None:
        self.p.setFont(theme.font(self.role))
        self.p.setPen(self.ink.ink)

    def _baseline(self) -> float:
        """From the top of a row to the foot of its letters."""
        return self.shape.top + self.shape.tint / 2 + theme.metrics(self.role).capHeight() / 2

    def _marks(self, blanks: bool) -> None:
        """Blanks, named characters, stray bytes, ends of words: what is drawn, not written."""
        unwritten = self.cells.sorts != CODE[Sort.TEXT]
        at = self._cells(unwritten if blanks else unwritten & ~np.isin(self.cells.sorts, [CODE[sort] for sort in paint.BLANKS]))
        top = self._tops(self.text.row_of[at]).tolist()
        if not self.copies:
            for n, y in zip(at.tolist(), top, strict=True):
                box = QRectF(float(self.text.left[n]), y, float(self.cells.widths[n]), self.shape.tint)
                paint.draw_part(self.p, self.ink, self.cells.part(n), box, self.role, self.ink.ink)
            return
        left = (self._pixels(self.text.left[at]) / self.ratio).tolist()
        width = self._pixels(self.cells.widths[at]).tolist()
        text, odd, draw = self.cells.text, self.cells.odd, self.p.drawImage
        known: dict[tuple[str | int, int], QImage] = {}  # by letter, or by cell where it is not one letter
        for n, letter, x, y, wide in zip(at.tolist(), self.cells.at[at].tolist(), left, top, width, strict=True):
            key = (n if n in odd else text[letter], wide)
            stamp = known.get(key)
            if stamp is None:
                stamp = known[key] = self._mark(n, wide)
            draw(QPointF(x, y), stamp)

    def _mark(self, n: int, width: int) -> QImage:
        height = round(self.shape.tint * self.ratio)
        return stamps.part_stamp(self.cells.part(n), self.role, width, height, self.worn, self.ratio, theme.zoom())

    # rings

    def _rings(self, emphasis: Emphasis) -> None:
        if emphasis.pair is not None:
            self._pairs(self.spans.pairs(*emphasis.pair))
        for token_id, index, colour, width, out in (
            (emphasis.selected_id, emphasis.selected, self.ink.accent, 2.0, emphasis.spread),
            (emphasis.hovered_id, emphasis.hovered, self.ink.ink_2, 1.5, 0.0),
        ):
            chosen = np.zeros(len(self.spans), dtype=np.bool_) if token_id is None else self.spans.ids == token_id
            if index is not None and index < len(chosen):
                chosen[index] = True
            for box, _ in self._boxes(chosen):
                paint.ring(self.p, box.adjusted(-out, -px(1) - out, out, px(1) + out), colour, width)

    def _boxes(self, chosen: Flags) -> Iterator[tuple[QRectF, int]]:
        """The boxes in the painted rows of the tokens that are chosen, each with its token."""
        boxes = self.text.covered
        low, high = (int(n) for n in np.searchsorted(boxes.row, [self.first_row, self.after_row]))
        for at in (np.flatnonzero(chosen[boxes.span[low:high]]) + low).tolist():
            yield self.text.rect(boxes, at), int(boxes.span[at])

    def _pairs(self, lefts: Ints) -> None:
        """A ring around both halves, with a tick between them; around each part where the pair is torn by a row end."""
        halves = np.zeros(len(self.spans), dtype=np.bool_)
        halves[lefts] = halves[lefts + 1] = True
        begins = set(lefts.tolist())
        ring, joints = QRectF(), list[tuple[float, float]]()
        for box, span in self._boxes(halves):
            if not ring.isNull() and span not in begins and box.top() == ring.top():
                joints.append((max(box.left(), ring.left()), box.top()))
                ring = ring.united(box)
            else:
                self._pair_ring(ring)
                ring = box
        self._pair_ring(ring)
        self._pair_ticks(np.array(joints).reshape(-1, 2))

    def _pair_ticks(self, joints: Lengths) -> None:
        left, top = self._pixels(joints[:, 0]) - self._tick_before(), self._pixels(joints[:, 1])
        width, height = np.full(len(joints), self._tick_width()), np.full(len(joints), round(self.shape.tint * self.ratio))
        stamps.fill(self.p, self.ink.accent, left, top, width, height, self.ratio)

    def _pair_ring(self, box: QRectF) -> None:
        if not box.isNull():
            paint.ring(self.p, box.adjusted(0, -0.5, 0, 0.5), self.ink.accent, 1.75)
