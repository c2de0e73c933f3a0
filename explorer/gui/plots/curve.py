"""The curve of corpus length against vocabulary size: curves above, what each merge saved below, one cursor through both.

Importing this imports pyqtgraph (a quarter of a second): do it after the window is up. All items are made once and filled
anew; nothing is added to the scene afterwards.
"""

from enum import IntEnum
from weakref import finalize

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import delete, isValid

from explorer.gui import theme
from explorer.gui.painted import BY_KEY, begin, focus_ring
from explorer.gui.painting import paint
from explorer.gui.plots.curve_picture import CurvePicture, Shown
from explorer.gui.plots.series import Lengths, Measure, Scale
from explorer.gui.scrolled import is_for_page
from explorer.gui.theme import Role

NOTCH = 120  # eighths of a degree that one notch of a wheel turns
ZOOM = 1.25  # by how much a notch enlarges
PAGE = 10  # merges that PgUp and PgDn move
CLOSEST = 4.0  # rows that are never enlarged further
NOTHING_OPEN = "No corpus is open."


class _Due(IntEnum):
    """What is to be drawn anew, in the order of how much that is."""

    NOTHING = 0
    ITEMS = 1
    ALL = 2  # ranges and marks of the axes too


class CurvePlot(QWidget):
    """Tokens (or bytes per token) against rows, and what each merge saved; the run that is compared dashed.

    A click or a drag tells a merge, the wheel enlarges around the pointer and pans sideways, a double click shows
    all again; with focus the arrows, Home, End, PgUp and PgDn step. The pointer shows the values under it.
    """

    merge_chosen = Signal(int)
    merge_pointed = Signal(object)  # int | None: the merge under the pointer
    menu_wanted = Signal(QPoint)  # where, on the screen

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Length against vocabulary size")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 80)
        self._shown = Shown()
        self._ratio = 1.0  # pixels of the device a pixel; another while a picture is written
        self._by_key = False
        self._build()
        self._dress()

    def _build(self) -> None:
        self.canvas = pg.GraphicsLayoutWidget()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # this widget has the keys, the canvas the mouse
        self.canvas.viewport().installEventFilter(self)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.canvas)
        self._due = _Due.NOTHING
        self._catching_up = QTimer(self, singleShot=True, interval=0)
        self._catching_up.timeout.connect(self._catch_up)
        self._picture = CurvePicture(self.canvas, self._shown, lambda: self._owe(_Due.ITEMS))
        # WORKAROUND: a scene of pyqtgraph that is still there when Python ends takes the program down with it, two times in
        # three; drop when `GraphicsLayoutWidget().addPlot()` at the end of a script survives. finalize runs before that, too.
        finalize(self, _take_down, self.canvas)

    # --- what is shown ------------------------------------------------------------------------------------------------

    @property
    def picture(self) -> CurvePicture:
        """What is drawn, as what is shown wants it: a step to another merge says several things, and all are drawn at once."""
        self._catch_up()
        return self._picture

    def _owe(self, due: "_Due") -> None:
        self._due = max(self._due, due)
        self._catching_up.start()

    def _catch_up(self) -> None:
        """Draws what was put off."""
        due, self._due = self._due, _Due.NOTHING
        if due is not _Due.NOTHING:
            self._catching_up.stop()
            (self._picture.refresh if due is _Due.ALL else self._picture.fill)()

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
        low, high = self._shown.sight()
        return self.scale.back(low), self.scale.back(high)

    def show_run(self, lengths: Lengths | None, k: int) -> None:
        """Another run, or none; all of it is shown again, and nothing of a training under way."""
        self._shown.run, self._shown.k, self._shown.growing = lengths, k, None
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
        """Shows all anew: ranges and marks of the axes, and every item."""
        self.canvas.setVisible(self._shown.run is not None)
        self._owe(_Due.ALL)
        self._tell()

    def _fill(self) -> None:
        self._owe(_Due.ITEMS)
        self._tell()

    def _tell(self) -> None:
        run, k = self._shown.run, self._shown.k
        told = f"merge {k} of {run.learned}: {', '.join(run.note(k))}" if run and k <= run.learned else NOTHING_OPEN
        self.setAccessibleDescription(told)

    # --- dress --------------------------------------------------------------------------------------------------------

    def _dress(self) -> None:
        edge = theme.focus_width()  # the ring of the focus has a place of its own around the canvas
        self._column.setContentsMargins(edge, edge, edge, edge)
        self._picture.dress(self._ratio, self.height())

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
        self.picture.fill_pointer()
        self._wear(ratio * box.width() / max(1.0, source.width()))
        self._catch_up()
        p.fillRect(box, theme.current().page)
        self.canvas.scene().render(p, box, source, Qt.AspectRatioMode.IgnoreAspectRatio)
        self._shown.hovered = pointed
        self._wear(kept)
        self.picture.fill_pointer()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = begin(self)
        p.fillRect(event.rect(), theme.current().page)
        if self._shown.run is None:
            paint.centred(p, NOTHING_OPEN, QRectF(self.rect()), Role.BODY, theme.current().ink_2)
        if self._by_key:
            focus_ring(p, QRectF(self.rect()))
        p.end()

    # --- mouse and keys -----------------------------------------------------------------------------------------------

    def merge_at(self, point: QPointF) -> int | None:
        """The merge k nearest to a point of the canvas; None where there is no run."""
        run = self._shown.run
        if run is None:
            return None
        x = self.picture.top.getViewBox().mapSceneToView(self.canvas.mapToScene(point.toPoint())).x()
        return run.nearest(self.scale.back(x))

    def point_of(self, k: int) -> QPointF:
        """Where merge k lies on the canvas."""
        assert self._shown.run
        scene = self.picture.top.getViewBox().mapViewToScene(QPointF(*self._shown.point(self._shown.run, k)))
        return QPointF(self.canvas.mapFromScene(scene))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes the mouse from pyqtgraph, which would pan and zoom both ways and answer a click only when it ends."""
        if event.type() is QEvent.Type.Paint:
            self._catch_up()
            return False
        if isinstance(event, QWheelEvent):
            if is_for_page(self, event):
                event.ignore()
                return True
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
            self.picture.fill_pointer()
        self.merge_pointed.emit(k)

    def _on_wheel(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        low, high = self._shown.sight()
        if turned.x() and not turned.y():
            by = -turned.x() / NOTCH * (high - low) / 10
            self._look_at(low + by, high + by)
            return
        scene = self.canvas.mapToScene(event.position().toPoint())
        fixed = self.picture.top.getViewBox().mapSceneToView(scene).x()
        by = ZOOM ** (-turned.y() / NOTCH)
        self._look_at(fixed - (fixed - low) * by, fixed + (high - fixed) * by)

    def _look_at(self, low: float, high: float) -> None:
        """Another part of the x axis, kept inside the whole and not too small."""
        first, last = self._shown.whole()
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


def _take_down(canvas: QWidget) -> None:
    if isValid(canvas):
        delete(canvas)
