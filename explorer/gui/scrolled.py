"""What is larger than the window, so that it can be scrolled to; it shows no trace of itself where all has room."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
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
