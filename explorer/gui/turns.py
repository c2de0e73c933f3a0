"""Panes that change together are painted one after another, so that the window hears keys and mouse in between.

Qt paints all that changed in one go, and a step to another merge changes nearly every pane: 20 ms and more in which no
key is heard. So the panes are held back for a moment and let go one each turn of the event loop; all of them are there
within some hundredths of a second.
"""

from collections import deque
from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget


class PaneTurns(QObject):
    """Paints panes in the order they are given to `begin`, a turn of the event loop each."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[QWidget] = deque()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._let_go)

    @property
    def busy(self) -> bool:
        """Whether some pane is held back."""
        return bool(self._waiting)

    def begin(self, panes: Iterable[QWidget]) -> None:
        """Holds panes back, those that can be seen; who waits already comes first, so that a held key starves none."""
        for pane in panes:
            if pane not in self._waiting and pane.isVisible():
                pane.setUpdatesEnabled(False)
                self._waiting.append(pane)
        if self._waiting:
            self._timer.start()

    def finish(self) -> None:
        """Lets all panes go at once: for a picture of the window, which would lack those that wait."""
        while self._waiting:
            self._let_go()

    def _let_go(self) -> None:
        self._waiting.popleft().setUpdatesEnabled(True)
        if not self._waiting:
            self._timer.stop()
