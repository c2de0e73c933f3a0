"""Comparing two runs for a page: at once where that is little, else beside the window, with the old result there until the new one is."""

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.core.progress import begin, drain
from explorer.errors import ExplorerError
from explorer.gui.models.under_both import Pairing, UnderBoth, under_both_steps
from explorer.gui.views.lateness import AFTER_MS
from explorer.workspace.job import Job, JobState
from explorer.workspace.values import Lane, Level, Notice
from explorer.workspace.workspace import Workspace

STEPS_AT_ONCE = 12  # of about 2 ms at most: of a comparison of two runs with some hundred merges and words
RUNS_BEFORE, TEXT_BEFORE = "for the runs before", "for the text before"


class ComparedRuns(QObject):
    """Holds what is known of the two runs that were wanted last and could be compared, as long as their corpus is open.

    What a split pattern of one's own must cut is never begun here: in a job its matches are looked for where they can be stopped.
    """

    compared = Signal(object, bool)  # UnderBoth: another result; and whether it is of the runs that were there before
    told = Signal()  # what is to be said of the result may be something else

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.shown: UnderBoth | None = None
        self._asked: Pairing | None = None  # what is being compared, or was and was stopped
        self._late = QTimer(self, singleShot=True, interval=AFTER_MS)
        self._late.timeout.connect(self.told)
        workspace.corpus_changed.connect(self.forget)

    @property
    def busy(self) -> bool:
        """Whether two runs are being compared."""
        return self._workspace.lanes.busy(Lane.COMPARE)

    @property
    def late(self) -> str:
        """Of what the result is, where it is not of what is wanted and has not been for a while; else empty."""
        if self._asked is None or self.shown is None or self._late.isActive():
            return ""
        return TEXT_BEFORE if self._asked.has_runs_of(self.shown.pairing) else RUNS_BEFORE

    def forget(self) -> None:
        """Wants nothing, and knows nothing."""
        self._workspace.lanes.drop(Lane.COMPARE)
        self.shown = self._asked = None
        self.told.emit()

    def want(self, pairing: Pairing) -> None:
        """Compares two runs, unless they are compared or being compared."""
        if pairing.same_as(self.shown.pairing if self.shown else None):
            self._workspace.lanes.drop(Lane.COMPARE)
            self._asked = None
        elif not pairing.same_as(self._asked):
            self._compare(pairing)
        self.told.emit()

    def _compare(self, pairing: Pairing) -> None:
        lanes = self._workspace.lanes
        lanes.drop(Lane.COMPARE)
        self._asked = pairing
        steps = under_both_steps(pairing, self.shown)
        if made := begin(steps, 0 if pairing.has_own_pattern else STEPS_AT_ONCE):
            self._show(made[0])
            return
        self._late.start()
        lanes.run(Lane.COMPARE, "both runs", lambda progress: drain(steps, progress), self._on_ended)

    def _on_ended(self, job: Job) -> None:
        if isinstance(job.error, ExplorerError):
            self._workspace.notify(Notice(Level.ERROR, str(job.error)))
        elif job.error:
            raise job.error
        elif job.state is JobState.SUCCEEDED:
            assert isinstance(job.result, UnderBoth)
            self._show(job.result)
        self.told.emit()

    def _show(self, made: UnderBoth) -> None:
        before, self.shown, self._asked = self.shown, made, None
        self.compared.emit(made, before is not None and before.comparison is made.comparison)
