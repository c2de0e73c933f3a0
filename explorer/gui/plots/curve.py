"""The curve of corpus length against vocabulary size: curves above, what each merge saved below, one cursor through both.

Importing this imports pyqtgraph (a quarter of a second): do it after the window is up. All items are made once and filled
anew; nothing is added to the scene afterwards.
"""

from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui import paint, theme
from explorer.gui.painted import BY_KEY, begin, focus_ring
from explorer.gui.plots import drawn
from explorer.gui.plots.drawn import Bars, Curve, Dot, Line, Note, beside, dress_plot, new_plot, no_pen, pen, set_marks, soft_brush
from explorer.gui.plots.series import LEAST, Floats, Lengths, Measure, Scale, axis_marks, cut_bars, thinned, thinned_bars
from explorer.gui.theme import Role, px

NOTCH = 120  # eighths of a degree that one notch of a wheel turns
ZOOM = 1.25  # by how much a notch enlarges
PAGE = 10  # merges that PgUp and PgDn move
CLOSEST = 4.0  # rows that are never enlarged further
LOW_FROM = 170.0  # pixels of height under which what was saved is left out
ROOM = 1.06  # of the greatest value, so that the curve does not touch the top


@dataclass(slots=True)
class _Shown:
    """What the plot shows."""

    run: Lengths | None = None
    compared: Lengths | None = None
    growing: Lengths | None = None
    k: int = 0
    selected: int | None = None  # the k after which the selected token is there
    hovered: int | None = None
    measure: Measure = Measure.TOKENS
    scale: Scale = Scale.LINEAR
    window: tuple[float, float] | None = None  # positions on the x axis; None: all


class CurvePlot(QWidget):
    """Tokens (or bytes per token) against rows, and what each merge saved; the run that is compared dashed.

    A click or a drag tells a merge, the wheel enlarges around the pointer and pans sideways, a double click shows
    all again; with focus the arrows, Home, End, PgUp and PgDn step. The pointer shows the values under it.
    """

    merge_chosen = Signal(int)
    menu_wanted = Signal(QPoint)  # where, on the screen

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Length against vocabulary size")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 80)
        self._shown = _Shown()
        self._ratio = 1.0  # pixels of the device a pixel; another while a picture is written
        self._noted = QRectF()  # where the note at the cursor is
        self._by_key = False
        self._build()
        self._dress()

    def _build(self) -> None:
        self.canvas = pg.GraphicsLayoutWidget()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # this widget has the keys, the canvas the mouse
        self.canvas.viewport().installEventFilter(self)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.canvas)
        self.top, self.low = new_plot(self.canvas, 0), new_plot(self.canvas, 1)
        self.canvas.ci.layout.setRowStretchFactor(0, 3)
        self.canvas.ci.layout.setRowStretchFactor(1, 1)
        self.wide, self.past, self.coming = (Curve.on(self.top, depth) for depth in (1, 3, 2))
        self.other, self.growing = Curve.on(self.top, 4), Curve.on(self.top, 5)
        self.bars_past, self.bars_coming = Bars.on(self.low), Bars.on(self.low)
        self.cursors = Line.on(self.top, 6), Line.on(self.low, 6)
        self.pointers = Line.on(self.top, 0), Line.on(self.low, 0)
        self.selected_dot, self.pointed_dot, self.dot = (Dot.on(self.top, depth) for depth in (7, 8, 9))
        self.note, self.pointed_note = Note.on(self.top, 10), Note.on(self.top, 11)
        self.top.getViewBox().sigResized.connect(self._on_room)  # later than the widget: the layout takes its time

    # --- what is shown ------------------------------------------------------------------------------------------------

    @property
    def lengths(self) -> Lengths | None:
        """The run that is shown."""
        return self._shown.run

    @property
    def measure(self) -> Measure:
        """What the curve shows."""
        return self._shown.measure

    @property
    def scale(self) -> Scale:
        """How the axes run."""
        return self._shown.scale

    @property
    def in_sight(self) -> tuple[float, float]:
        """The rows from and to which the curve is shown."""
        low, high = self._window()
        return self.scale.back(low), self.scale.back(high)

    def show_run(self, lengths: Lengths | None, k: int) -> None:
        """Another run, or none; all of it is shown again."""
        self._shown.run, self._shown.k = lengths, k
        self._shown.selected = self._shown.hovered = self._shown.window = None
        self.refresh()

    def show_cursor(self, k: int) -> None:
        """The cursor at another merge."""
        if k != self._shown.k:
            self._shown.k = k
            self._fill()

    def show_compared(self, lengths: Lengths | None) -> None:
        """A second run beside the first, or none."""
        self._shown.compared = lengths
        self.refresh()

    def show_growing(self, lengths: Lengths | None) -> None:
        """What a training has learned so far, or nothing any more."""
        self._shown.growing = lengths
        self.refresh()

    def show_selected(self, k: int | None) -> None:
        """The merge after which the selected token is there, if it was merged at all."""
        if k != self._shown.selected:
            self._shown.selected = k
            self._fill()

    def set_measure(self, measure: Measure) -> None:
        """Tokens or bytes per token."""
        if measure is not self._shown.measure:
            self._shown.measure = measure
            self.refresh()

    def set_scale(self, scale: Scale) -> None:
        """Linear or logarithmic axes; all is shown again."""
        if scale is not self._shown.scale:
            self._shown.scale, self._shown.window = scale, None
            self.refresh()

    def show_all(self) -> None:
        """Undoes enlarging."""
        if self._shown.window is not None:
            self._shown.window = None
            self.refresh()

    def refresh(self) -> None:
        """Ranges and marks of the axes, then all items."""
        self.canvas.setVisible(self._shown.run is not None)
        low, high = self._window()
        width = max(1, self.canvas.width() - px(LEFT_AND_RIGHT))
        for plot in (self.top, self.low):
            plot.getViewBox().setXRange(low, high, padding=0)
            set_marks(plot, "bottom", axis_marks(low, high, int(width / px(64)), self.scale))
        self._set_heights(low, high)
        self._fill()

    def _set_heights(self, low: float, high: float) -> None:
        """The y ranges: of the curve all of it, of what was saved what is in sight."""
        scale = self.scale
        runs = [run for run in (self._shown.run, self._shown.compared, self._shown.growing) if run]
        values = np.concatenate([run.values(self.measure) for run in runs]) if runs else np.zeros(1)
        foot, top = self._foot(values), float(scale.of(values.max() or 1.0))
        top = foot + (top - foot or 1.0) * ROOM
        self.top.getViewBox().setYRange(foot, top, padding=0)
        set_marks(self.top, "left", axis_marks(foot, top, int(self.canvas.height() / px(40)), scale))
        saved = self._saved_in_sight(low, high)
        foot, highest = float(scale.of(0.0)), float(scale.of(saved or 1.0))
        self.low.getViewBox().setYRange(foot, foot + (highest - foot) * ROOM, padding=0)
        set_marks(self.low, "left", [(foot, "0"), *([(highest, paint.thousands(int(saved)))] if saved else [])])

    def _foot(self, values: Floats) -> float:
        """Where the y axis begins: at 0, on a logarithmic one under the least value."""
        if self.scale is Scale.LINEAR:
            return 0.0
        least = values[values > 0].min(initial=values.max() or 1.0)
        return float(np.log10(max(LEAST, least) * 0.8))

    def _saved_in_sight(self, low: float, high: float) -> float:
        run = self._shown.run
        if run is None:
            return 0.0
        _, heights = thinned_bars(self.scale.of(run.rows), run.saved, low, high, 2)
        return float(heights.max(initial=0.0))

    def _window(self) -> tuple[float, float]:
        return self._shown.window or self._all()

    def _all(self) -> tuple[float, float]:
        """The positions of the first and the last number of rows; never the same."""
        runs = [run for run in (self._shown.run, self._shown.compared, self._shown.growing) if run]
        low = min((float(run.rows[0]) for run in runs), default=0.0)
        high = max((float(run.rows[-1]) for run in runs), default=1.0)
        return float(self.scale.of(low)), float(self.scale.of(max(high, low + 1)))

    def _fill(self) -> None:
        """Fills all items with what is shown; the cost is a few points a pixel, however many merges there are."""
        self._fill_curves()
        self._fill_cursor()
        self._fill_pointer()

    def _points(self, run: Lengths | None) -> tuple[Floats, Floats]:
        if run is None:
            return drawn.NONE, drawn.NONE
        x, y = self.scale.of(run.rows), self.scale.of(run.values(self.measure))
        return thinned(x, y, *self._window(), max(1, self.canvas.width()))

    def _fill_curves(self) -> None:
        run, k = self._shown.run, self._shown.k
        x, y = self._points(run)
        self.wide.show((x, y) if self._shown.compared else (drawn.NONE, drawn.NONE))
        self.other.show(self._points(self._shown.compared))
        self.growing.show(self._points(self._shown.growing))
        if run is None or not len(x):
            self.past.show((drawn.NONE, drawn.NONE))
            self.coming.show((drawn.NONE, drawn.NONE))
            self._hide_bars()
            return
        at, value = self._point(run, k)
        cut = int(np.searchsorted(x, at))
        inside = x[0] <= at <= x[-1]
        middle = ([at], [value]) if inside else ([], [])
        self.past.show((np.concatenate((x[:cut], middle[0])), np.concatenate((y[:cut], middle[1]))))
        self.coming.show((np.concatenate((middle[0], x[cut:])), np.concatenate((middle[1], y[cut:]))))
        self._fill_bars(run, at)

    def _fill_bars(self, run: Lengths, at: float) -> None:
        edges, heights = thinned_bars(self.scale.of(run.rows), self.scale.of(run.saved), *self._window(), max(1, self.canvas.width()))
        foot = float(self.scale.of(0.0))
        past, coming = cut_bars(edges, heights, min(max(at, float(edges[0])), float(edges[-1])))
        self.bars_past.show(*past, foot)
        self.bars_coming.show(*coming, foot)

    def _hide_bars(self) -> None:
        for bars in (self.bars_past, self.bars_coming):
            bars.show(np.zeros(1), drawn.NONE, 0.0)

    def _point(self, run: Lengths, k: int) -> tuple[float, float]:
        return float(self.scale.of(run.rows[k])), float(self.scale.of(run.values(self.measure)[k]))

    def _fill_cursor(self) -> None:
        run, k, selected = self._shown.run, self._shown.k, self._shown.selected
        if run is None or k > run.learned:
            for each in (*self.cursors, self.note):
                each.item.hide()
            self.dot.hide()
            self.selected_dot.hide()
            return
        x, y = self._point(run, k)
        for line in self.cursors:
            line.show(x)
        self.dot.show(x, y, self._hair())
        self._noted = self._place(self.note, run.note(k), x, y, QRectF())
        if selected is not None and selected <= run.learned and selected != k:
            self.selected_dot.show(*self._point(run, selected), self._hair())
        else:
            self.selected_dot.hide()
        self.setAccessibleDescription(f"merge {k} of {run.learned}: {', '.join(run.note(k))}")

    def _fill_pointer(self) -> None:
        run, k = self._shown.run, self._shown.hovered
        if run is None or k is None or k > run.learned or k == self._shown.k:
            for each in (*self.pointers, self.pointed_note):
                each.item.hide()
            self.pointed_dot.hide()
            return
        x, y = self._point(run, k)
        for line in self.pointers:
            line.show(x)
        self.pointed_dot.show(x, y, self._hair())
        saved = [f"{paint.thousands(int(run.saved[k - 1]))} saved"] if k else []
        self._place(self.pointed_note, (f"merge {k}", *run.note(k), *saved), x, y, self._noted)

    def _hair(self) -> float:
        """A twentieth of a pixel along x."""
        low, high = self._window()
        return (high - low) / max(1, int(self.canvas.width())) / 20

    def _on_room(self, box: object) -> None:
        """Puts the notes where they fit now."""
        self._fill_cursor()
        self._fill_pointer()

    def _place(self, note: Note, lines: tuple[str, ...], x: float, y: float, taken: QRectF) -> QRectF:
        """Writes a note beside a point of the upper plot, in pixels of which its box is returned."""
        box = self.top.getViewBox()
        (left, right), (foot, top) = box.viewRange()
        at = QPointF((x - left) / (right - left) * box.width(), (top - y) / (top - foot) * box.height())
        falling = self.measure is Measure.TOKENS
        place = beside(at, note.say(lines), QSizeF(box.width(), box.height()), taken, falling=falling)
        note.show(x, y, at, place)
        return place

    # --- dress --------------------------------------------------------------------------------------------------------

    def _dress(self) -> None:
        """Every colour, pen, font and measure from the theme that is on."""
        ink, ratio = theme.current(), self._ratio
        edge = theme.focus_width()
        self._column.setContentsMargins(edge, edge, edge, edge)
        self.canvas.setBackground(ink.page)
        self.canvas.ci.setContentsMargins(px(8), 0, px(16), px(4))
        self.canvas.ci.setSpacing(px(4))
        tall = self.height() >= px(LOW_FROM)
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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._dress()
            self.refresh()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._wear(self.devicePixelRatioF())
        return super().event(event)

    def _wear(self, ratio: float) -> None:
        if ratio != self._ratio:
            self._ratio = ratio
            self._dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._ratio = self.devicePixelRatioF()
        self._dress()
        self.refresh()

    def draw(self, p: QPainter, box: QRectF, ratio: float) -> None:
        """The plot as it is seen, in a rectangle of another painter; `ratio` is that device's pixels a unit."""
        source, kept = QRectF(self.canvas.viewport().rect()), self._ratio
        pointed, self._shown.hovered = self._shown.hovered, None
        self._fill_pointer()
        self._wear(ratio * box.width() / max(1.0, source.width()))
        p.fillRect(box, theme.current().page)
        self.canvas.scene().render(p, box, source, Qt.AspectRatioMode.IgnoreAspectRatio)
        self._shown.hovered = pointed
        self._wear(kept)
        self._fill_pointer()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = begin(self)
        p.fillRect(event.rect(), theme.current().page)
        if self._shown.run is None:
            paint.centred(p, "No corpus is open.", QRectF(self.rect()), Role.BODY, theme.current().ink_2)
        if self._by_key:
            focus_ring(p, QRectF(self.rect()))
        p.end()

    # --- mouse and keys -----------------------------------------------------------------------------------------------

    def merge_at(self, point: QPointF) -> int | None:
        """The merge k nearest to a point of the canvas; None where there is no run."""
        run = self._shown.run
        if run is None:
            return None
        x = self.top.getViewBox().mapSceneToView(self.canvas.mapToScene(point.toPoint())).x()
        return run.nearest(self.scale.back(x))

    def point_of(self, k: int) -> QPointF:
        """Where merge k lies on the canvas."""
        assert self._shown.run
        scene = self.top.getViewBox().mapViewToScene(QPointF(*self._point(self._shown.run, k)))
        return QPointF(self.canvas.mapFromScene(scene))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes the mouse from pyqtgraph, which would pan and zoom both ways and answer a click only when it ends."""
        if isinstance(event, QWheelEvent):
            self._on_wheel(event)
        elif isinstance(event, QContextMenuEvent):
            self.menu_wanted.emit(event.globalPos())
        elif isinstance(event, QMouseEvent):
            self._on_mouse(event)
        elif event.type() is QEvent.Type.Leave:
            self._point_at(None)
            return False
        else:
            return False
        event.accept()
        return True

    def _on_mouse(self, event: QMouseEvent) -> None:
        left = Qt.MouseButton.LeftButton
        if event.type() is QEvent.Type.MouseButtonDblClick and event.button() is left:
            self.show_all()
        elif event.type() is QEvent.Type.MouseButtonPress and event.button() is left:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._choose(self.merge_at(event.position()))
        elif event.type() is QEvent.Type.MouseMove and event.buttons() & left:
            self._choose(self.merge_at(event.position()))
        elif event.type() is QEvent.Type.MouseMove:
            self._point_at(self.merge_at(event.position()))

    def _choose(self, k: int | None) -> None:
        if k is not None and k != self._shown.k:
            self.merge_chosen.emit(k)

    def _point_at(self, k: int | None) -> None:
        if k != self._shown.hovered:
            self._shown.hovered = k
            self._fill_pointer()

    def _on_wheel(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        low, high = self._window()
        if turned.x() and not turned.y():
            by = -turned.x() / NOTCH * (high - low) / 10
            self._look_at(low + by, high + by)
            return
        scene = self.canvas.mapToScene(event.position().toPoint())
        fixed = self.top.getViewBox().mapSceneToView(scene).x()
        by = ZOOM ** (-turned.y() / NOTCH)
        self._look_at(fixed - (fixed - low) * by, fixed + (high - fixed) * by)

    def _look_at(self, low: float, high: float) -> None:
        """Another part of the x axis, kept inside the whole and not too small."""
        first, last = self._all()
        least = min(last - first, CLOSEST if self.scale is Scale.LINEAR else CLOSEST / self.scale.back(last) / 2.3)
        span = min(max(high - low, least), last - first)
        low = min(max((low + high - span) / 2 if high - low < least else low, first), last - span)
        whole = span >= last - first
        self._shown.window = None if whole else (low, low + span)
        self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run, key = self._shown.run, Qt.Key(event.key())
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -PAGE, Qt.Key.Key_PageDown: PAGE}.get(key)
        if run is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif by is not None:
            self._choose(max(0, min(self._shown.k + by, run.learned)))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._choose(0 if key is Qt.Key.Key_Home else run.learned)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() in BY_KEY
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._by_key = False
        self.update()


LEFT_AND_RIGHT = drawn.LEFT + 24  # the axis, and the inset of the canvas
