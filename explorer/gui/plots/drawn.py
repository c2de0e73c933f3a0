"""pyqtgraph in the theme's dress: pens that keep their width on sharp screens, quiet axes, and the items of the curve.

pyqtgraph follows no palette, so everything here is worn anew after a theme change. Its pens are cosmetic: their width
counts pixels of the device, and has to be multiplied by the screen's ratio or every line is thin at 2x. It ships no types,
hence `Any` for its objects.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, QThread
from PySide6.QtGui import QColor, QPen

from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.plots.series import Floats
from explorer.gui.theme import Role, Theme, px

NONE = np.empty(0)
LEFT = 44.0  # width of the left axis: fixed, so that two plots under each other line up
BOTTOM = 22.0
DOT = 9.0  # diameter

Marks = Sequence[tuple[float, str]]


def pen(colour: QColor, width: float, ratio: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen of `width` pixels at 100 % zoom on a device with `ratio` pixels each."""
    return pg.mkPen(colour, width=px(width) * ratio, style=style)  # type: ignore[no-any-return]  # it is a QPen


def no_pen() -> QPen:
    """A pen that draws nothing."""
    return QPen(Qt.PenStyle.NoPen)


def here() -> bool:
    """Whether this is the thread of the window: data set from another freezes a plot, now or later."""
    app = pg.QtWidgets.QApplication.instance()
    return app is not None and QThread.currentThread() is app.thread()


def new_plot(view: Any, row: int) -> Any:
    """A plot in a layout of plots, without buttons, menus or a range of its own."""
    plot = view.addPlot(row=row, col=0)
    plot.hideButtons()
    plot.setMenuEnabled(False)
    menu = plot.ctrlMenu  # made all the same, and otherwise a window that nobody owns
    menu.setParent(view, menu.windowFlags())
    box = plot.getViewBox()
    box.setMouseEnabled(x=False, y=False)
    box.disableAutoRange()
    box.setBackgroundColor(None)
    for side in ("left", "bottom"):
        plot.getAxis(side).enableAutoSIPrefix(False)
    plot.showAxis("right")  # carries the hairlines: an axis with hairlines drops the numbers at its ends
    plot.getAxis("right").setStyle(showValues=False)
    plot.getAxis("right").setZValue(-1)  # under the curves and notes
    return plot


def dress_plot(plot: Any, ratio: float, *, numbers: bool) -> None:
    """Quiet axes: no frame, a few numbers, hairlines across."""
    ink = theme.current()
    for side in ("left", "bottom", "right"):
        axis = plot.getAxis(side)
        axis.setTickFont(theme.font(Role.TINY))
        axis.setPen(pen(ink.line, 1, ratio) if side == "bottom" else no_pen())
        axis.setTextPen(pen(ink.ink_3, 1, 1))
        axis.setTickPen(pen(ink.edge, 1, ratio))
        axis.setStyle(tickLength=0, tickTextOffset=round(px(6)), maxTickLevel=0, autoExpandTextSpace=False, hideOverlappingLabels=False)
    for side in ("left", "bottom"):
        plot.getAxis(side).setStyle(tickAlpha=0)  # a tick of no length is still a dot
    plot.getAxis("right").setGrid(102 if theme.chosen() is Theme.CONTRAST else 31)  # of 255
    plot.getAxis("right").setWidth(1)
    plot.getAxis("left").setWidth(px(LEFT))
    plot.getAxis("bottom").setHeight(px(BOTTOM) if numbers else 2)
    plot.getAxis("bottom").setStyle(showValues=numbers)


def set_marks(plot: Any, side: str, marks: Marks) -> None:
    """The numbers on an axis, and no others."""
    for each in ("left", "right") if side == "left" else (side,):
        plot.getAxis(each).setTicks([list(marks)])


@dataclass(frozen=True, slots=True)
class Curve:
    """One line in a plot; made once, filled as often as wanted."""

    item: Any

    @classmethod
    def on(cls, plot: Any, depth: float, *, smooth: bool = True) -> "Curve":
        """An empty line; those of greater depth lie above."""
        item = pg.PlotCurveItem(x=NONE, y=NONE, antialias=smooth, skipFiniteCheck=True)
        item.setZValue(depth)
        plot.addItem(item, ignoreBounds=True)
        return cls(item)

    def show(self, points: tuple[Floats, Floats]) -> None:
        """Other points; of none nothing is drawn."""
        assert here()
        self.item.setVisible(len(points[0]) > 0)
        self.item.setData(x=points[0], y=points[1])

    def points(self) -> tuple[Floats, Floats]:
        """What is drawn."""
        x, y = self.item.getData()
        return (NONE, NONE) if x is None else (x, y)


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars side by side, as one filled outline: a hundred thousand cost no more than the pixels they share."""

    item: Any

    @classmethod
    def on(cls, plot: Any) -> "Bars":
        """No bars yet."""
        item = pg.PlotCurveItem(x=np.zeros(1), y=NONE, stepMode="center", fillLevel=0.0, pen=no_pen(), skipFiniteCheck=True)
        plot.addItem(item, ignoreBounds=True)
        return cls(item)

    def show(self, edges: Floats, heights: Floats, foot: float) -> None:
        """Other bars: `heights` between `edges`, one more of these, standing on `foot`."""
        assert here()
        self.item.setVisible(len(heights) > 0)
        self.item.setFillLevel(foot)
        self.item.setData(x=edges, y=heights)


@dataclass(frozen=True, slots=True)
class Dot:
    """A round mark at one point: two very short lines with round ends, one on the other.

    Not a scatter plot, which copies pictures of its marks past the painter's scale: they come out wrong in SVG and in
    pictures of another size.
    """

    rim: Curve
    core: Curve

    @classmethod
    def on(cls, plot: Any, depth: float) -> "Dot":
        """A mark that is nowhere yet."""
        return cls(Curve.on(plot, depth), Curve.on(plot, depth + 0.5))

    def dress(self, core: QColor, rim: QColor, size: float, rim_width: float, ratio: float) -> None:
        """Its colours, its diameter without the rim, and the width of that."""
        for curve, colour, width in ((self.rim, rim, size + 2 * rim_width), (self.core, core, size)):
            made = pen(colour, width, ratio)
            made.setCapStyle(Qt.PenCapStyle.RoundCap)
            curve.item.setPen(made)

    def show(self, x: float, y: float, hair: float) -> None:
        """Puts it at a point; `hair` is a small part of a pixel along x."""
        for curve in (self.rim, self.core):
            curve.show((np.array([x - hair, x + hair]), np.array([y, y])))

    def hide(self) -> None:
        """Takes it off."""
        for curve in (self.rim, self.core):
            curve.show((NONE, NONE))

    def point(self) -> tuple[float, float] | None:
        """Where it is."""
        x, y = self.core.points()
        return (float(x.mean()), float(y.mean())) if len(x) else None


@dataclass(frozen=True, slots=True)
class Line:
    """A line through the whole height of a plot."""

    item: Any

    @classmethod
    def on(cls, plot: Any, depth: float) -> "Line":
        """A line that is not shown yet."""
        item = pg.InfiniteLine(0, movable=False)
        item.setZValue(depth)
        item.hide()
        plot.addItem(item, ignoreBounds=True)
        return cls(item)

    def show(self, x: float) -> None:
        """Puts it at x."""
        self.item.setValue(x)
        self.item.show()


@dataclass(frozen=True, slots=True)
class Note:
    """A few short lines of text beside a point."""

    item: Any

    @classmethod
    def on(cls, plot: Any, depth: float) -> "Note":
        """A note that is not shown yet."""
        item = pg.TextItem("")
        item.setZValue(depth)
        item.hide()
        plot.addItem(item, ignoreBounds=True)
        return cls(item)

    def dress(self, colour: QColor, fill: QColor, edge: QPen) -> None:
        """Its colours; `fill` keeps a curve under it from crossing the letters."""
        self.item.setFont(theme.font(Role.FIGURE_SMALL))
        self.item.setColor(colour)
        self.item.fill = pg.mkBrush(fill)
        self.item.border = edge

    def say(self, lines: Sequence[str]) -> QSizeF:
        """Says other lines; returns the size of their box in pixels."""
        self.item.setPlainText("\n".join(lines))
        size: QSizeF = self.item.textItem.boundingRect().size()
        return size

    def show(self, x: float, y: float, at: QPointF, box: QRectF) -> None:
        """Puts it where `box` says; `at` is the point (x, y) of the plot in the same pixels."""
        self.item.setAnchor(((at.x() - box.left()) / box.width(), (at.y() - box.top()) / box.height()))
        self.item.setPos(x, y)
        self.item.show()

    def lines(self) -> list[str]:
        """What it says; nothing where it is not shown."""
        return str(self.item.toPlainText()).split("\n") if self.item.isVisible() else []


@dataclass(frozen=True, slots=True)
class Band:
    """What curves take of a plot: at every pixel from the left its highest and lowest place, infinitely far where there is none."""

    tops: Floats
    feet: Floats

    @classmethod
    def of(cls, curves: Sequence[tuple[Floats, Floats]], width: int) -> "Band":
        """Of curves whose points are pixels, with x rising, over `width` pixels."""
        places = np.arange(width + 1, dtype=np.float64)
        tops, feet = np.full(width + 1, np.inf), np.full(width + 1, -np.inf)
        for x, y in curves:
            if len(x):
                tops = np.minimum(tops, np.interp(places, x, y, np.inf, np.inf))
                feet = np.maximum(feet, np.interp(places, x, y, -np.inf, -np.inf))
        return cls(tops, feet)

    def over(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        """The highest and the lowest place from each pixel to another."""
        first = np.maximum(left, 0).astype(np.int64)
        after = np.maximum(np.maximum(np.ceil(right), 0).astype(np.int64) + 1, first + 1)
        spans = np.minimum(np.stack((first, after), axis=1).ravel(), len(self.tops) + 1)  # two places behind the last, where nothing is
        tops = np.minimum.reduceat(np.append(self.tops, (np.inf, np.inf)), spans)[::2]
        feet = np.maximum.reduceat(np.append(self.feet, (-np.inf, -np.inf)), spans)[::2]
        return tops, feet

    def crosses(self, box: QRectF) -> bool:
        """Whether a curve runs through a box, be it at one place of its width."""
        inside = slice(max(0, int(box.left())), max(0, int(np.ceil(box.right()))) + 1)
        return bool(((self.tops[inside] < box.bottom()) & (self.feet[inside] > box.top())).any())


NO_BAND = Band(NONE, NONE)


def soft_brush(colour: QColor, alpha: float) -> Any:
    """A brush for areas."""
    return pg.mkBrush(paint.soft(colour, alpha))


def beside(at: QPointF, size: QSizeF, room: QSizeF, taken: QRectF, band: Band, *, falling: bool) -> QRectF:
    """A box of a size near a point, inside `room`, clear of what is `taken` and off the curves: of the latter only if that can be.

    A falling curve leaves room to the right above it, and to the left below; a rising one the other way round. Where that
    room is not enough the box moves away from the point, sideways and up or down, as little as it has to.
    """
    for avoided, curves in ((taken, band), (taken, NO_BAND), (QRectF(), NO_BAND)):
        if box := _nearest(at, size, room, avoided, curves, falling=falling):
            return box
    x = at.x() + px(8)
    x = x if x + size.width() <= room.width() else at.x() - px(8) - size.width()
    return QRectF(QPointF(max(0.0, x), 0.0), size)  # larger than the room


def _nearest(at: QPointF, size: QSizeF, room: QSizeF, taken: QRectF, band: Band, *, falling: bool) -> QRectF | None:
    """The box that moves least, None where there is none. Of each way to move, all places at once: one by one they took 10 ms."""
    gap, width, height = px(8), size.width(), size.height()
    by = np.arange(0.0, room.width(), gap)
    found: list[tuple[Floats, Floats, Floats]] = []
    for rightwards, above in ((True, falling), (False, not falling), (False, falling), (True, not falling)):
        x = at.x() + gap + by if rightwards else at.x() - gap - width - by
        y = _clear(at.y(), x, size, room, band, above=above)
        moved = by + np.abs(np.abs(y + height / 2 - at.y()) - (height + gap) / 2)
        fits = (x >= 0) & (y >= 0) & (x + width <= room.width()) & (y + height <= room.height())
        if not taken.isEmpty():
            fits &= (x >= taken.right()) | (x + width <= taken.left()) | (y >= taken.bottom()) | (y + height <= taken.top())
        found.append((x, y, np.where(fits, moved, np.inf)))
    xs, ys, moves = (np.stack(each, axis=1).ravel() for each in zip(*found, strict=True))
    best = int(moves.argmin()) if len(moves) else 0
    return QRectF(QPointF(float(xs[best]), float(ys[best])), size) if len(moves) and np.isfinite(moves[best]) else None


def _clear(y: float, x: Floats, size: QSizeF, room: QSizeF, band: Band, *, above: bool) -> Floats:
    """The top of a box at each x, inside `room` and clear of the curves over its width if that can be: as near as it gets to one that
    ends above y, or begins below it."""
    gap = px(4)
    top, foot = band.over(x, x + size.width())
    if above:
        return np.minimum(max(y - gap - size.height(), 0.0), top - gap - size.height())
    return np.maximum(min(y + gap, room.height() - size.height()), foot + gap)
