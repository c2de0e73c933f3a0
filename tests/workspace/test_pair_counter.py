"""The ranking of a large corpus: one count at a time, and the newest wish after it."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.timeline import Timeline, timeline_steps
from explorer.core.training import train
from explorer.workspace import pair_counter
from explorer.workspace.job import Job, Lanes
from explorer.workspace.pair_counter import PairCounter
from explorer.workspace.values import Moment


class Slow:
    """A timeline whose ranking waits until it is let go; everything else is that of a real one."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.asked: list[int] = []
        self.go = threading.Event()

    def ranked(self, k: int, top: int) -> Any:
        self.asked.append(k)
        assert self.go.wait(10)
        return self._timeline.ranked(k, top)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._timeline, name)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    monkeypatch.setattr(pair_counter, "COUNTED_AT_ONCE", 0)
    training = train(Corpus.of_text(b"abababab cdcdcd"), replace(Recipe.of("chapter-81"), merges=5))
    return Slow(drain(timeline_steps(training)))


def test_steps_while_a_count_runs_leave_one_thread_and_end_at_the_newest(slow: Slow, qtbot: QtBot) -> None:
    lanes = Lanes()
    moments: list[Moment | None] = []

    def then(job: Job, use: Any) -> bool:
        use(job.result)
        return True

    counter = PairCounter(lanes, then, lanes)
    counter.moment_changed.connect(moments.append)
    before = threading.active_count()
    for k in range(5):
        counter.count(slow, k)
    assert threading.active_count() == before + 1 and counter.moment is None
    slow.go.set()
    qtbot.waitUntil(lambda: counter.moment is not None)
    assert counter.moment is not None and counter.moment.k == 4
    assert slow.asked == [0, 4] and [moment for moment in moments if moment] == [counter.moment]
    counter.count(slow, 2)
    qtbot.waitUntil(lambda: counter.moment is not None)
    assert counter.moment.k == 2
    lanes.close()
