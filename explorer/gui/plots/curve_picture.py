"""What the curve's plot is made of: its items, how they are dressed, and how they are filled with what is shown.

All items are made once; showing something else fills them anew and adds nothing to the scene. The cost of a fill is a
few points a pixel, however many merges there are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt

from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.plots import drawn
from explorer.gui.plots.drawn import Band, Bars, Curve, Dot, Line, Note, beside, dress_plot, new_plot, no_pen, pen, set_marks, soft_brush
from explorer.gui.plots.series import LEAST, Floats, Lengths, Measure, Scale, axis_marks, cut_bars, thinned, thinned_bars
from explorer.gui.theme import px

LOW_FROM = 170.0  # pixels of height under which what was saved is left out
ROOM = 1.06  # of the greatest value, so that the curve does not touch the top
LEFT_AND_RIGHT = drawn.LEFT + 24  # the axis, and the inset of the canvas
NO_POINTS = drawn.NONE, drawn.NONE


@dataclass(slots=True)
class Shown:
    """What the plot shows; `window` are positions on the x axis, None for all of it."""

    run: Lengths | None = None
    compared: Lengths | None = None
    growing: Lengths | None = None
    k: int = 0
    selected: int | None = None  # the k after which the selected token is there
    hovered: int | None = None
    measure: Measure = Measure.TOKENS
    scale: Scale = Scale.LINEAR
    window: tuple[float, float] | None = None

    @property
    def runs(self) -> list[Lengths]:
        """All that is drawn."""
        return [run for run in (self.run, self.compared, self.growing) if run]

    @property
    def barred(self) -> Lengths | None:
        """Whose savings are drawn: the run's, or while it has no merges yet those of the training that will give it some."""
        return self.growing if self.growing and self.run and not self.run.learned else self.run

    def whole(self) -> tuple[float, float]:
        """The positions of the first and the last number of rows; never the same."""
        low = min((float(run.rows[0]) for run in self.runs), default=0.0)
        high = max((float(run.rows[-1]) for run in self.runs), default=1.0)
        return float(self.scale.of(low)), float(self.scale.of(max(high, low + 1)))

    def sight(self) -> tuple[float, float]:
        """The positions between which the curve is shown."""
        return self.window or self.whole()

    def point(self, run: Lengths, k: int) -> tuple[float, float]:
        """Where merge k of a run lies, in positions."""
        return float(self.scale.of(run.rows[k])), float(self.scale.of(run.values(self.measure)[k]))


class CurvePicture:
    """The two plots on their canvas, and everything in them; `on_room` hears that there is another room for the notes."""

    def __init__(self, canvas: Any, shown: Shown, on_room: Callable[[], None]) -> None:
        self.canvas, self.shown = canvas, shown
        self.top, self.low = new_plot(canvas, 0), new_plot(canvas, 1)
        canvas.ci.layout.setRowStretchFactor(0, 3)
        canvas.ci.layout.setRowStretchFactor(1, 1)
        self.wide, self.past, self.coming = (Curve.on(self.top, depth) for depth in (1, 3, 2))
        self.other, self.growing = Curve.on(self.top, 4), Curve.on(self.top, 5)
        self.bars_past, self.bars_coming = Bars.on(self.low), Bars.on(self.low)
        self.cursors = Line.on(self.top, 6), Line.on(self.low, 6)
        self.pointers = Line.on(self.top, 0), Line.on(self.low, 0)
        self.selected_dot, self.pointed_dot, self.dot = (Dot.on(self.top, depth) for depth in (7, 8, 9))
        self.note, self.pointed_note = Note.on(self.top, 10), Note.on(self.top, 11)
        self.noted, self.pointed = QRectF(), QRectF()  # the notes at the cursor and under the pointer, in pixels of the upper plot
        self.top.getViewBox().sigResized.connect(lambda _: on_room())  # later than the widget: the layout takes its time

    def refresh(self) -> None:
        """Ranges and marks of the axes, then all items."""
        low, high = self.shown.sight()
        width = max(1, self.canvas.width() - px(LEFT_AND_RIGHT))
        for plot in (self.top, self.low):
            plot.getViewBox().setXRange(low, high, padding=0)
            set_marks(plot, "bottom", axis_marks(low, high, int(width / px(64)), self.shown.scale, whole=True))
        self._set_heights(low, high)
        self.fill()

    def _set_heights(self, low: float, high: float) -> None:
        """The y ranges: of the curve all of it, of what was saved what is in sight."""
        scale = self.shown.scale
        runs = self.shown.runs
        values = np.concatenate([run.values(self.shown.measure) for run in runs]) if runs else np.zeros(1)
        foot, top = self._foot(values), float(scale.of(values.max() or 1.0))
        top = foot + (top - foot or 1.0) * ROOM
        self.top.getViewBox().setYRange(foot, top, padding=0)
        whole = self.shown.measure is Measure.TOKENS
        set_marks(self.top, "left", axis_marks(foot, top, int(self.canvas.height() / px(40)), scale, whole=whole))
        saved = self._saved_in_sight(low, high)
        foot, highest = float(scale.of(0.0)), float(scale.of(saved or 1.0))
        self.low.getViewBox().setYRange(foot, foot + (highest - foot) * ROOM, padding=0)
        set_marks(self.low, "left", [(foot, "0"), *([(highest, paint.thousands(int(saved)))] if saved else [])])

    def _foot(self, values: Floats) -> float:
        """Where the y axis begins: at 0, on a logarithmic one under the least value."""
        if self.shown.scale is Scale.LINEAR:
            return 0.0
        least = values[values > 0].min(initial=values.max() or 1.0)
        return float(np.log10(max(LEAST, least) * 0.8))

    def _saved_in_sight(self, low: float, high: float) -> float:
        run = self.shown.barred
        if run is None:
            return 0.0
        _, heights = thinned_bars(self.shown.scale.of(run.rows), run.saved, low, high, 2)
        return float(heights.max(initial=0.0))

    def fill(self) -> None:
        """Fills all items with what is shown; the cost is a few points a pixel, however many merges there are."""
        self._fill_curves()
        self._fill_cursor()
        self.fill_pointer()

    def _points(self, run: Lengths | None) -> tuple[Floats, Floats]:
        if run is None:
            return NO_POINTS
        x, y = self.shown.scale.of(run.rows), self.shown.scale.of(run.values(self.shown.measure))
        return thinned(x, y, *self.shown.sight(), max(1, self.canvas.width()))

    def _fill_curves(self) -> None:
        run, k = self.shown.run, self.shown.k
        x, y = self._points(run)
        self.wide.show((x, y) if self.shown.compared else NO_POINTS)
        self.other.show(self._points(self.shown.compared))
        self.growing.show(self._points(self.shown.growing))
        if run is None or not len(x):
            self.past.show(NO_POINTS)
            self.coming.show(NO_POINTS)
            self._hide_bars()
            return
        at, value = self.shown.point(run, k)
        before, after = int(np.searchsorted(x, at, "left")), int(np.searchsorted(x, at, "right"))
        inside = x[0] <= at <= x[-1]
        middle = ([at], [value]) if inside else ([], [])
        self.past.show((np.concatenate((x[:before], middle[0])), np.concatenate((y[:before], middle[1]))))
        self.coming.show((np.concatenate((middle[0], x[after:])), np.concatenate((middle[1], y[after:]))))
        self._fill_bars(self.shown.barred or run, at)

    def _fill_bars(self, run: Lengths, at: float) -> None:
        scale = self.shown.scale
        edges, heights = thinned_bars(scale.of(run.rows), scale.of(run.saved), *self.shown.sight(), max(1, self.canvas.width()))
        foot = float(scale.of(0.0))
        past, coming = cut_bars(edges, heights, min(max(at, float(edges[0])), float(edges[-1])))
        self.bars_past.show(*past, foot)
        self.bars_coming.show(*coming, foot)

    def _hide_bars(self) -> None:
        for bars in (self.bars_past, self.bars_coming):
            bars.show(np.zeros(1), drawn.NONE, 0.0)

    def _fill_cursor(self) -> None:
        run, k, selected = self.shown.run, self.shown.k, self.shown.selected
        if run is None or k > run.learned:
            for each in (*self.cursors, self.note):
                each.item.hide()
            self.dot.hide()
            self.selected_dot.hide()
            return
        x, y = self.shown.point(run, k)
        for line in self.cursors:
            line.show(x)
        self.dot.show(x, y, self._hair())
        lines = run.note(k)
        self.noted = self._place(self.note, (lines, (", ".join(lines[:2]),)), x, y, QRectF())
        if selected is not None and selected <= run.learned and selected != k:
            self.selected_dot.show(*self.shown.point(run, selected), self._hair())
        else:
            self.selected_dot.hide()

    def fill_pointer(self) -> None:
        run, k = self.shown.run, self.shown.hovered
        if run is None or k is None or k > run.learned or k == self.shown.k:
            for each in (*self.pointers, self.pointed_note):
                each.item.hide()
            self.pointed_dot.hide()
            return
        x, y = self.shown.point(run, k)
        for line in self.pointers:
            line.show(x)
        self.pointed_dot.show(x, y, self._hair())
        saved = [f"{paint.thousands(int(run.saved[k - 1]))} saved"] if k else []
        self.pointed = self._place(self.pointed_note, ((f"merge {k}", *run.note(k), *saved),), x, y, self.noted)

    def _hair(self) -> float:
        """A twentieth of a pixel along x."""
        low, high = self.shown.sight()
        return (high - low) / max(1, int(self.canvas.width())) / 20

    def _place(self, note: Note, ways: tuple[tuple[str, ...], ...], x: float, y: float, taken: QRectF) -> QRectF:
        """Writes a note beside a point of the upper plot, in pixels of which its box is returned.

        `ways` are its lines as they should be, and shorter ones for where those would hide the curve, as in a low plot.
        """
        box = self.top.getViewBox()
        (across,), (down,) = self._in_pixels(np.array([x]), np.array([y]))
        at = QPointF(float(across), float(down))
        falling = self.shown.measure is Measure.TOKENS
        room = QSizeF(box.width(), box.height())
        band = Band.of([self._in_pixels(*curve.points()) for curve in (self.past, self.coming, self.other, self.growing)], int(box.width()))
        places = [beside(at, note.say(lines), room, taken, band, falling=falling) for lines in ways]
        way = next((way for way, place in enumerate(places) if not band.crosses(place)), 0)
        note.say(ways[way])
        note.show(x, y, at, places[way])
        return places[way]

    def _in_pixels(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Positions of the upper plot as its pixels, from its top left corner."""
        box = self.top.getViewBox()
        (left, right), (foot, top) = box.viewRange()
        return (x - left) / (right - left) * box.width(), (top - y) / (top - foot) * box.height()

    def dress(self, ratio: float, height: float) -> None:
        """Every colour, pen, font and measure from the theme that is on, for a widget of a height and a device of a ratio."""
        ink = theme.current()
        self.canvas.setBackground(ink.page)
        self.canvas.ci.setContentsMargins(px(8), 0, px(16), px(4))
        self.canvas.ci.setSpacing(px(4))
        tall = height >= px(LOW_FROM)
        self.low.setVisible(tall)  # first: an axis that is hidden takes no width
        self.low.setMaximumHeight(100000 if tall else 0)
        dress_plot(self.top, ratio, numbers=not tall)
        dress_plot(self.low, ratio, numbers=True)
        self.wide.item.setPen(pen(ink.selected, 7, ratio))
        self.past.item.setPen(pen(ink.accent, 2, ratio))
        self.coming.item.setPen(pen(ink.mark, 2, ratio))
        self.other.item.setPen(pen(ink.tie, 2.5, ratio, Qt.PenStyle.DashLine))
        self.growing.item.setPen(pen(ink.ink, 1, ratio))
        self.bars_past.item.setBrush(soft_brush(ink.accent, 0.7))
        self.bars_coming.item.setBrush(pg.mkBrush(ink.mark))
        for cursor, pointer in zip(self.cursors, self.pointers, strict=True):
            cursor.item.setPen(pen(ink.accent, 1, ratio))
            pointer.item.setPen(pen(ink.line_2, 1, ratio))
        self.dot.dress(ink.accent, ink.page, drawn.DOT - 1, 2, ratio)
        self.selected_dot.dress(ink.page, ink.accent, drawn.DOT - 3, 2, ratio)
        self.pointed_dot.dress(ink.ink_2, ink.page, drawn.DOT - 3, 1, ratio)
        self.note.dress(ink.ink, paint.soft(ink.page, 0.85), no_pen())
        self.pointed_note.dress(ink.ink_2, ink.raised, pen(ink.line_2, 1, ratio))
