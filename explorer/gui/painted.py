"""Bases of the views that are nothing but a picture: one plain, one that scrolls.

A subclass says `draw(painter, clip)` and, if it keeps sizes or layouts that come from the theme,
`restyled()`. The rules that hold for every such view are here: the page is filled first, a theme or zoom
change repaints, the focus ring shows only when a key brought the focus (a click needs no answer), and
the widget has a name for screen readers.
"""

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.theme import Ink

BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class Painted(QWidget):
    """A widget that is nothing but its picture; `name` is what a screen reader says."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._by_key = False

    def draw(self, p: QPainter, clip: QRectF) -> None:
        """The picture; `clip` is the part that has to be drawn, in the widget's own coordinates."""

    def restyled(self) -> None:
        """Called after a theme or zoom change, before the repaint: measure anew what depends on them."""

    def ground(self) -> QColor:
        """What the picture lies on."""
        return self.ink.page

    @property
    def ink(self) -> Ink:
        """The colours that are on now."""
        return theme.current()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = begin(self)
        p.fillRect(event.rect(), self.ground())
        self.draw(p, QRectF(event.rect()))
        if self._by_key:
            focus_ring(p, QRectF(self.rect()))
        p.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self.restyled()
            self.updateGeometry()
            self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() in BY_KEY
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._by_key = False
        self.update()


class PaintedScroll(QAbstractScrollArea):
    """A picture larger than its widget. `draw` gets a painter already moved by the scroll bars.

    A subclass calls `set_extent(width, height)` when it knows how large the whole picture is, in pixels.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setMouseTracking(True)
        self._extent = (0, 0)
        self._by_key = False

    def draw(self, p: QPainter, clip: QRectF) -> None:
        """The picture; `clip` is the part that has to be drawn, in coordinates of the whole picture."""

    def restyled(self) -> None:
        """Called after a theme or zoom change, before the repaint: measure anew what depends on them."""

    def ground(self) -> QColor:
        """What the picture lies on."""
        return self.ink.page

    @property
    def ink(self) -> Ink:
        """The colours that are on now."""
        return theme.current()

    def set_extent(self, width: float, height: float) -> None:
        """Tells the scroll bars the size of the whole picture."""
        self._extent = (round(width), round(height))
        self._fit_bars()
        self.viewport().update()

    def offset(self) -> tuple[int, int]:
        """The point of the picture that is at the top left of the view."""
        return self.horizontalScrollBar().value(), self.verticalScrollBar().value()

    def reveal(self, box: QRectF, margin: float = 0.0) -> None:
        """Scrolls as little as it takes to show a box of the picture; its top left if it is larger than the view."""
        for scroll_bar, start, end in (
            (self.horizontalScrollBar(), box.left(), box.right()),
            (self.verticalScrollBar(), box.top(), box.bottom()),
        ):
            page = scroll_bar.pageStep()
            value = scroll_bar.value()
            if end + margin > value + page:
                value = round(end + margin - page)
            if start - margin < value:
                value = round(start - margin)
            scroll_bar.setValue(value)

    def _fit_bars(self) -> None:
        view = self.viewport().size()
        for scroll_bar, whole, seen in (
            (self.horizontalScrollBar(), self._extent[0], view.width()),
            (self.verticalScrollBar(), self._extent[1], view.height()),
        ):
            scroll_bar.setPageStep(seen)
            scroll_bar.setSingleStep(theme.measures().line)
            scroll_bar.setRange(0, max(0, whole - seen))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_bars()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = begin(self.viewport())
        p.fillRect(event.rect(), self.ground())
        x, y = self.offset()
        p.translate(-x, -y)
        self.draw(p, QRectF(event.rect()).translated(x, y))
        p.translate(x, y)
        if self._by_key:
            focus_ring(p, QRectF(self.viewport().rect()))
        p.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self.restyled()
            self._fit_bars()
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_key = event.reason() in BY_KEY
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._by_key = False
        self.viewport().update()


def begin(device: QWidget) -> QPainter:
    """A painter with the hints every picture uses."""
    p = QPainter(device)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    p.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    return p


def focus_ring(p: QPainter, box: QRectF) -> None:
    """The ring of a view that a key brought the focus to, inside its box."""
    width = theme.focus_width()
    paint.ring(p, box.adjusted(width / 2, width / 2, -width / 2, -width / 2), theme.current().accent, width / theme.zoom())
