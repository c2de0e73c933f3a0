"""What is larger than the window, so that it can be scrolled to; it shows no trace of itself where all has room."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class Scrolled(QScrollArea):
    """As large as there is room, and scrolls where its content needs more. Keys are not its own: they step through the merges."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(content)
        content.setAutoFillBackground(False)  # every bar and pane in it paints its own ground
        self.viewport().setAutoFillBackground(False)

    def to_beginning(self) -> None:
        """Scrolls back to where the content begins."""
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.setValue(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()


def is_for_page(view: QWidget, event: QWheelEvent) -> bool:
    """Whether a turn of the wheel over a view scrolls the page it stands in. It does where that can scroll, unless Ctrl is down.

    A view that fills the window and zooms by the wheel would hold everybody who scrolls past it.
    """
    page = view.parentWidget()
    while page is not None and not isinstance(page, Scrolled):
        page = page.parentWidget()
    return page is not None and page.verticalScrollBar().maximum() > 0 and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
