"""The thin bar on the foot of the transport: how far the work under way is."""

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from explorer.gui.painted import Painted
from explorer.gui.theme import measures
from explorer.workspace.values import QUIET_LANES, Task
from explorer.workspace.workspace import Workspace

SHOWN_AFTER_MS = 300  # work that is over sooner shows no bar


class ProgressLine(Painted):
    """Empty while nothing long is running; then the share that is done, or a full pale bar where no share is known."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__("Progress", parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._task: Task | None = None
        self._patience = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MS)
        self._patience.timeout.connect(self.update)
        workspace.task_changed.connect(self._on_task)
        self.restyled()

    def restyled(self) -> None:
        """The height follows the zoom."""
        self.setFixedHeight(measures().xs)

    def ground(self) -> QColor:
        """Chrome, as the bar it stands on."""
        return self.ink.chrome

    def share(self) -> float | None:
        """The share done, 0..1, None where nothing is shown."""
        if self._task is None or self._patience.isActive():
            return None
        step = self._task.step
        return min(1.0, step.done / step.total) if step.total else 0.0

    def draw(self, p: QPainter, clip: QRectF) -> None:
        """A well and the share in it."""
        share = self.share()
        if share is None:
            return
        p.fillRect(QRectF(self.rect()), self.ink.well)
        p.fillRect(QRectF(0, 0, self.width() * share, self.height()), self.ink.accent)

    def _on_task(self, task: Task | None) -> None:
        shown = task if task and task.lane not in QUIET_LANES else None
        if shown and self._task is None:
            self._patience.start()
        elif shown is None:
            self._patience.stop()
        self._task = shown
        self.update()
