"""Work done in slices between two pictures, in the thread of the window: for layouts, which need Qt's fonts.

A generator is run for a few milliseconds, then the window gets as long for itself. Work that needs no Qt belongs into a job.
"""

import time
from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer

SLICE_S = 0.002  # of a picture's 16 ms; a step may take as long again
PAUSE_MS = 4  # between two slices: without it the window would paint and work in one go
Result = TypeVar("Result")


class Slices(QObject, Generic[Result]):
    """Runs one generator at a time; a new one takes the place of the old, which is closed unfinished."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Generator[object, None, Result] | None = None
        self._done: Callable[[Result], None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._run)

    @property
    def busy(self) -> bool:
        """Whether there is work left."""
        return self._steps is not None

    def start(self, steps: Generator[object, None, Result], done: Callable[[Result], None] | None = None) -> None:
        """Starts work at the next turn of the event loop; `done` hears its result."""
        self.stop()
        self._steps, self._done = steps, done
        self._timer.start()

    def stop(self) -> None:
        """Drops the work, if any."""
        self._timer.stop()
        steps, self._steps, self._done = self._steps, None, None
        if steps is not None:
            steps.close()

    def _run(self) -> None:
        steps, done = self._steps, self._done
        if steps is None:
            return
        try:
            result = _run_for(steps, SLICE_S)
        except BaseException:
            self.stop()
            raise
        if result:
            if self._steps is steps:  # the last step may have started other work
                self.stop()
            if done is not None:
                done(result[0])


def _run_for(steps: Generator[object, None, Result], seconds: float) -> tuple[Result] | None:
    """Runs a generator for a while: its result in a tuple when it ended, else None."""
    until = time.perf_counter() + seconds
    try:
        while True:
            next(steps)
            if time.perf_counter() > until:
                return None
    except StopIteration as end:
        return (end.value,)
