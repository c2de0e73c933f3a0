"""Says in the header of a pane that it still shows the result of the recipe before, while another one is being trained."""

from PySide6.QtCore import QObject, QTimer

from explorer.gui.frame import Pane
from explorer.workspace.workspace import Workspace

BEFORE = "for the recipe before"
AFTER_MS = 300  # what is trained sooner says nothing: words that come and go at once are a flicker


def is_late(workspace: Workspace) -> bool:
    """Whether what is shown was made by another recipe than the one asked for."""
    return workspace.run is not None and workspace.recipe != workspace.run.recipe


class Lateness(QObject):
    """Watches the recipe and the run for some panes. Hears recipe_changed and run_changed."""

    def __init__(self, workspace: Workspace, *panes: Pane) -> None:
        super().__init__(panes[0])
        self._workspace, self._panes = workspace, panes
        self._waiting = QTimer(self, singleShot=True, interval=AFTER_MS)
        self._waiting.timeout.connect(self._tell)
        workspace.recipe_changed.connect(self._on_changed)
        workspace.run_changed.connect(self._on_changed)

    def _on_changed(self) -> None:
        if is_late(self._workspace):
            self._waiting.start()
        else:
            self._waiting.stop()
            self._tell()

    def _tell(self) -> None:
        for pane in self._panes:
            pane.set_aside(BEFORE if is_late(self._workspace) else "")
