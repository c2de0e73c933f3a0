"""Says in the header of a pane that it still shows the result of the recipe or the corpus before, while another one is being trained."""

from PySide6.QtCore import QObject, QTimer

from explorer.gui.frame import Pane
from explorer.workspace.workspace import Workspace

RECIPE_BEFORE, CORPUS_BEFORE = "for the recipe before", "for the corpus before"
AFTER_MS = 300  # what is trained sooner says nothing: words that come and go at once are a flicker


def lateness(workspace: Workspace) -> str:
    """Of what the shown result is, if it is not of what was asked for; empty where it is."""
    coming = workspace.corpus_in_training
    if workspace.run is None:
        return ""
    if coming is not None and coming is not workspace.corpus:
        return CORPUS_BEFORE
    return RECIPE_BEFORE if workspace.recipe != workspace.run.recipe else ""


class Lateness(QObject):
    """Watches what is asked for and what is shown for some panes. Hears recipe_changed, run_changed and task_changed."""

    def __init__(self, workspace: Workspace, *panes: Pane) -> None:
        super().__init__(panes[0])
        self._workspace, self._panes = workspace, panes
        self._waiting = QTimer(self, singleShot=True, interval=AFTER_MS)
        self._waiting.timeout.connect(self._tell)
        for signal in (workspace.recipe_changed, workspace.run_changed, workspace.task_changed):
            signal.connect(self._on_changed)

    def _on_changed(self) -> None:
        late = lateness(self._workspace)
        if late == self._panes[0].aside():
            self._waiting.stop()
        elif not late:
            self._tell()
        elif not self._waiting.isActive():
            self._waiting.start()

    def _tell(self) -> None:
        self._waiting.stop()
        late = lateness(self._workspace)
        for pane in self._panes:
            pane.set_aside(late)
