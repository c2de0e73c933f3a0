"""One piece of work beside the window, and the lanes that hold one each.

A job runs a plain callable in a thread of its own and gives the interpreter back after every step, so that a window
beside Python work stays alive (0.2 ms a step: measured). Split patterns of one's own are matched in processes, so that a job
can be cancelled whatever it is at. Signals arrive in the thread that made the job.
"""

import threading
import time
from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.core.marking import lending
from explorer.core.progress import Progress, Stage
from explorer.errors import Cancelled
from explorer.processes.cutters import cutters
from explorer.workspace.values import QUIET_LANES, Lane, Task

BREATH_S = 0.0002
POLL_MS = 50

Work = Callable[[Progress], object]


class JobState(Enum):
    """Where a job is; it ends exactly once."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Job(QObject):
    """Runs `work(progress)` in a thread and tells how it ended."""

    ended = Signal(object)  # the job itself, whatever came of it

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = JobState.PENDING
        self.result: object = None
        self.error: Exception | None = None
        self.progress = Progress(pause=lambda: time.sleep(BREATH_S))
        self.started_at = time.monotonic()
        self._stage: tuple[Stage, int] | None = None  # the stage at work and its total, and when it was first seen, how much being done
        self._seen = (0.0, 0)
        self._work = work
        self._thread = threading.Thread(target=self._run, daemon=True, name="job")

    def start(self) -> None:
        """Starts the thread."""
        self.state = JobState.RUNNING
        self._thread.start()

    def cancel(self) -> None:
        """Asks the work to stop at its next step."""
        self.progress.cancel()

    def wait(self, seconds: float) -> bool:
        """Waits for the thread; whether it ended in time."""
        if self._thread.is_alive():
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def seconds_left(self) -> float | None:
        """Of the present stage, by the share of it that was done since it was first seen here; None in its first tenth of a second."""
        step, now = self.progress.step, time.monotonic()
        stage = step.stage, step.total
        if self._stage is None:
            self._stage, self._seen = stage, (self.started_at, 0)
        elif stage != self._stage or step.done < self._seen[1]:
            self._stage, self._seen = stage, (now, step.done)
        spent, done = now - self._seen[0], step.done - self._seen[1]
        if not step.total or done <= 0 or spent < 0.1:
            return None
        return max(0.0, spent * (step.total - step.done) / done)

    def _run(self) -> None:
        try:
            with lending(cutters()):
                self.result = self._work(self.progress)
            self.state = JobState.SUCCEEDED
        except Cancelled:
            self.state = JobState.CANCELLED
        except Exception as error:  # noqa: BLE001 - whatever it was, it is told in the thread of the window
            self.error = error
            self.state = JobState.FAILED
        self.ended.emit(self)


class Lanes(QObject):
    """At most one job a lane. A late result of a job that was replaced is dropped; progress is polled 20 times a second."""

    task_changed = Signal(object)  # Task | None: the work that has waited longest, that of quiet lanes behind all other
    polled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: dict[Lane, tuple[Job, str, Callable[[Job], object]]] = {}
        self._leaving: list[Job] = []
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    def run(self, lane: Lane, what: str, work: Work, done: Callable[[Job], object]) -> None:
        """Starts work in a lane; `done` is called with the job when it ended, unless the lane was given other work."""
        self.drop(lane)
        job = Job(work, self)
        self._jobs[lane] = (job, what, done)
        job.ended.connect(self._on_ended)
        job.start()
        self._timer.start()

    def drop(self, lane: Lane) -> None:
        """Cancels the work of a lane and forgets it: nobody hears how it ended."""
        if lane in self._jobs:
            job = self._jobs.pop(lane)[0]
            job.cancel()
            self._leaving.append(job)

    def cancel(self, lane: Lane) -> None:
        """Asks the work of a lane to stop; `done` hears that it was cancelled."""
        if lane in self._jobs:
            self._jobs[lane][0].cancel()

    def busy(self, lane: Lane) -> bool:
        """Whether a lane has work."""
        return lane in self._jobs

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes that have work."""
        return tuple(self._jobs)

    def close(self, seconds: float = 2.0) -> None:
        """Cancels all work and waits for it, but not for ever."""
        self._timer.stop()
        for lane in tuple(self._jobs):
            self.drop(lane)
        until = time.monotonic() + seconds
        for job in self._leaving:
            job.wait(max(0.0, until - time.monotonic()))
            job.ended.disconnect(self._on_ended)
        self._leaving.clear()

    def _on_ended(self, job: Job) -> None:
        try:
            self._tell(job)
        finally:  # whoever hears it may raise what nobody expected
            self._let_go(job)

    def _tell(self, job: Job) -> None:
        for lane, (there, _, done) in tuple(self._jobs.items()):
            if there is job:
                del self._jobs[lane]
                self._poll()
                done(job)

    def _let_go(self, job: Job) -> None:
        if job in self._leaving:
            self._leaving.remove(job)
        job.wait(1.0)
        job.deleteLater()
        if not self._jobs:
            self._timer.stop()
            self.task_changed.emit(None)

    def _poll(self) -> None:
        self.polled.emit()
        if not self._jobs:
            return
        lane, (job, what, _) = min(self._jobs.items(), key=lambda one: (one[0] in QUIET_LANES, one[1][0].started_at))
        self.task_changed.emit(Task(lane, what, job.progress.step, job.seconds_left()))
