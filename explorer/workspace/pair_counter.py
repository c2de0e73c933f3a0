"""The ranking at the present merge, kept up to date."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from explorer.core.timeline import Timeline
from explorer.workspace.job import Job, Lanes
from explorer.workspace.values import RANKED, Lane, Moment

COUNTED_AT_ONCE = 40_000  # symbols or pairs that are gone through without a job: about 8 ms


class PairCounter(QObject):
    """Counts a small corpus at once and a large one in a job; while that runs, there is no moment.

    A count cannot be stopped half-way. So one that is out of date is waited for and only the newest wish is counted
    after it: a person who steps on would otherwise leave one thread a step behind, each of them slowing the window.
    """

    moment_changed = Signal(object)  # Moment | None

    def __init__(self, lanes: Lanes, then: Callable[[Job, Callable[[Moment | None], None]], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._lanes, self._then = lanes, then
        self.moment: Moment | None = None
        self._counting: Timeline | None = None
        self._wanted: int | None = None  # the merge to count when the present count ends

    def count(self, timeline: Timeline, k: int) -> None:
        """Brings the moment to merge k of a timeline."""
        if timeline.effort(k) <= COUNTED_AT_ONCE:
            self._lanes.drop(Lane.MOMENT)
            self._wanted = None
            self._set(moment_at(timeline, k))
            return
        self._set(None)
        if timeline is self._counting and self._lanes.busy(Lane.MOMENT):
            self._wanted = k
        else:
            self._start(timeline, k)

    def _start(self, timeline: Timeline, k: int) -> None:
        self._counting, self._wanted = timeline, None
        self._lanes.run(Lane.MOMENT, f"pairs at merge {k}", lambda _: moment_at(timeline, k), self._on_counted)

    def _on_counted(self, job: Job) -> None:
        timeline, k = self._counting, self._wanted
        if timeline is not None and k is not None:
            self._start(timeline, k)
        else:
            self._counting = None
            self._then(job, self._set)

    def forget(self) -> None:
        """Drops the moment without telling: the run it belonged to is not the active one any more."""
        self.moment = None

    def _set(self, moment: Moment | None) -> None:
        self.moment = moment
        self.moment_changed.emit(moment)


def moment_at(timeline: Timeline, k: int) -> Moment:
    """What the ranking knows at merge k."""
    return Moment(k, timeline.ranked(k, RANKED), timeline.tied(k), timeline.distinct(k))
