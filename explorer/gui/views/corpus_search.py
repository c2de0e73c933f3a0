"""A search in the corpus: its first steps are made at once, so that in a few megabytes nothing flickers; the others beside the window."""

from collections.abc import Callable, Generator
from typing import Any

from explorer.core.mapped import Data
from explorer.core.progress import Step, begin, drain
from explorer.gui.models.finding import counting_steps
from explorer.workspace.job import Job, JobState, Lanes
from explorer.workspace.values import Lane

STEPS_AT_ONCE = 4  # megabytes, or thousands of words


class CorpusSearch:
    """Looks for a place in one lane and counts all places in another, so that going on to the next one does not count anew.

    `cancelled` hears that a person stopped either.
    """

    def __init__(self, lanes: Lanes, cancelled: Callable[[], None]) -> None:
        self._lanes, self._cancelled = lanes, cancelled
        self._subject: tuple[Data, bytes] | None = None  # what is counted, or was
        self._places: int | None = None
        self._told: Callable[[int | None], None] = _nobody

    def look(self, steps: Generator[Step, None, Any], found: Callable[[Any], None], waiting: Callable[[], None]) -> None:
        """Hands what is looked for to `found`, at once or later; then `waiting` is called first. A search before it is given up."""
        self._lanes.drop(Lane.FIND)
        self._run(Lane.FIND, "the corpus", steps, found, waiting)

    def count(self, data: Data, text: bytes, tell: Callable[[int | None], None]) -> None:
        """Tells how often the bytes occur; None first where that is still being counted."""
        self._told = tell
        known = self._subject is not None and self._subject[0] is data and self._subject[1] == text
        if known and (self._places is not None or self._lanes.busy(Lane.TALLY)):
            tell(self._places)
            return
        self._lanes.drop(Lane.TALLY)
        self._subject, self._places = (data, text), None
        self._run(Lane.TALLY, "places in the corpus", counting_steps(data, text), self._on_counted, lambda: tell(None))

    def stop(self) -> None:
        """Gives up what is looked for and what is counted, and lets go of what was."""
        for lane in (Lane.FIND, Lane.TALLY):
            self._lanes.drop(lane)
        self._subject = self._places = None
        self._told = _nobody

    def _on_counted(self, places: int) -> None:
        self._places = places
        self._told(places)

    def _run(
        self, lane: Lane, what: str, steps: Generator[Step, None, Any], use: Callable[[Any], None], waiting: Callable[[], None]
    ) -> None:  # Any: the result of whatever is looked for
        if found := begin(steps, STEPS_AT_ONCE):
            use(found[0])
            return

        def done(job: Job) -> None:
            if job.error:
                raise job.error
            if job.state is JobState.SUCCEEDED:
                use(job.result)
            else:
                self._cancelled()

        waiting()
        self._lanes.run(lane, what, lambda progress: drain(steps, progress), done)


def _nobody(_: int | None) -> None:
    """Nobody waits for a count."""
