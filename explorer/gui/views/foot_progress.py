"""The line on the foot of the transport that shows how far a training is."""

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from explorer.gui.painted import Painted
from explorer.workspace.values import Lane, Task
from explorer.workspace.workspace import Workspace

WAIT_MS = 300  # work shorter than this shows nothing
LANES = (Lane.READ, Lane.TRAIN, Lane.FORK)


class FootProgress(Painted):
    """A thin bar, there only while reading, training or a fork takes longer than 300 ms.

    Where the total is not known it fills a quarter and stays. Hears task_changed; the status line says the words.
    """

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__("Progress", parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._share = 0.0
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self.show)
        self.hide()
        workspace.task_changed.connect(self._on_task)
        self._on_task(workspace.task)

    @property
    def share(self) -> float:
        """How much is done, 0..1."""
        return self._share

    def _on_task(self, task: Task | None) -> None:
        if task is None or task.lane not in LANES:
            self._wait.stop()
            self.hide()
            return
        step = task.step
        self._share = min(1.0, step.done / step.total) if step.total else 0.25
        self.setAccessibleDescription(f"{step.stage.value}, {round(100 * self._share)} %")
        if self.isHidden() and not self._wait.isActive():
            self._wait.start()
        self.update()

    def ground(self) -> QColor:
        return self.ink.well

    def draw(self, p: QPainter, clip: QRectF) -> None:
        p.fillRect(QRectF(0, 0, self.width() * self._share, self.height()), self.ink.accent)
