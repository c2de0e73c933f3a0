"""Jobs end exactly once, and lanes hold one each."""

import threading
import time
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from explorer.core.progress import Progress, Stage, Step
from explorer.workspace.job import Job, JobState, Lanes
from explorer.workspace.values import Lane, Task


@pytest.fixture
def lanes(qapp: object) -> Iterator[Lanes]:
    made = Lanes()
    yield made
    made.close()
    made.deleteLater()


def until_cancelled(progress: Progress) -> None:
    for done in range(10**9):
        progress.write(Step(Stage.MERGING, done, 10**9))


def test_a_job_succeeds_with_its_result(qtbot: QtBot) -> None:
    job = Job(lambda progress: 42)
    with qtbot.waitSignal(job.ended) as heard:
        job.start()
    assert heard.args == [job] and (job.state, job.result) == (JobState.SUCCEEDED, 42)
    job.wait(1)
    job.deleteLater()


def test_a_job_fails_with_its_error(qtbot: QtBot) -> None:
    def work(progress: Progress) -> None:
        raise ValueError("no")

    job = Job(work)
    with qtbot.waitSignal(job.ended):
        job.start()
    assert job.state is JobState.FAILED and isinstance(job.error, ValueError)
    job.wait(1)
    job.deleteLater()


def test_a_cancelled_job_ends_soon_and_says_so(qtbot: QtBot) -> None:
    job = Job(until_cancelled)
    with qtbot.waitSignal(job.ended, timeout=2000):
        job.start()
        job.cancel()
    assert job.state is JobState.CANCELLED
    job.wait(1)
    job.deleteLater()


def test_done_is_called_in_the_thread_of_the_window(lanes: Lanes, qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    lanes.run(Lane.LAB, "work", lambda progress: None, lambda job: threads.append(threading.current_thread()))
    qtbot.waitUntil(lambda: bool(threads))
    assert threads == [threading.main_thread()]


def test_new_work_of_a_lane_silences_the_old(lanes: Lanes, qtbot: QtBot) -> None:
    heard: list[str] = []
    lanes.run(Lane.LAB, "old", until_cancelled, lambda job: heard.append("old"))
    lanes.run(Lane.LAB, "new", lambda progress: None, lambda job: heard.append("new"))
    qtbot.waitUntil(lambda: not lanes.lanes)
    qtbot.wait(50)
    assert heard == ["new"]


def test_lanes_run_beside_each_other(lanes: Lanes, qtbot: QtBot) -> None:
    heard: list[Lane] = []
    lanes.run(Lane.TRAIN, "slow", until_cancelled, lambda job: heard.append(Lane.TRAIN))
    lanes.run(Lane.ENCODE, "quick", lambda progress: None, lambda job: heard.append(Lane.ENCODE))
    qtbot.waitUntil(lambda: heard == [Lane.ENCODE])
    assert lanes.busy(Lane.TRAIN)
    lanes.cancel(Lane.TRAIN)
    qtbot.waitUntil(lambda: heard == [Lane.ENCODE, Lane.TRAIN])


def test_what_views_show_themselves_hides_no_other_work(lanes: Lanes, qtbot: QtBot) -> None:
    told: list[Lane] = []
    lanes.task_changed.connect(lambda task: told.append(task.lane) if isinstance(task, Task) else None)
    for lane in (Lane.SPELL, Lane.FORK, Lane.TRAIN):
        lanes.run(lane, "work", until_cancelled, lambda job: None)
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1] is Lane.FORK, "of all other the one that has waited longest"
    for lane in (Lane.FORK, Lane.TRAIN):
        lanes.cancel(lane)
    qtbot.waitUntil(lambda: told[-1] is Lane.SPELL)


def test_progress_rises_and_never_passes_its_total(lanes: Lanes, qtbot: QtBot) -> None:
    seen: list[Step] = []

    def work(progress: Progress) -> None:
        for done in range(1, 501):
            progress.write(Step(Stage.READING, done, 500))
            time.sleep(0.0005)

    lanes.task_changed.connect(lambda task: seen.append(task.step) if isinstance(task, Task) else None)
    lanes.run(Lane.READ, "500 records", work, lambda job: None)
    qtbot.waitUntil(lambda: not lanes.lanes, timeout=10_000)
    done = [step.done for step in seen]
    assert done and done == sorted(done) and all(step.done <= step.total or step.total == 0 for step in seen)


def test_close_waits_for_the_threads(qapp: object) -> None:
    lanes = Lanes()
    before = threading.active_count()
    for lane in (Lane.TRAIN, Lane.READ, Lane.LAB):
        lanes.run(lane, "work", until_cancelled, lambda job: pytest.fail("a late result was heard"))
    lanes.close()
    assert threading.active_count() == before
    lanes.deleteLater()


def test_the_time_left_is_that_of_the_stage_at_work(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    job, now = Job(lambda progress: None), [100.0]
    job.started_at = 100.0
    monkeypatch.setattr("explorer.workspace.job.time.monotonic", lambda: now[0])

    def left(at: float, stage: Stage, done: int, total: int) -> float | None:
        now[0] = at
        job.progress.write(Step(stage, done, total))
        return job.seconds_left()

    assert left(100.05, Stage.CUTTING, 10, 100) is None
    assert left(110, Stage.CUTTING, 50, 100) == pytest.approx(10)
    assert left(120, Stage.MERGING, 20, 220) is None  # a new stage, of which 20 were done when it was first looked at
    assert left(121, Stage.MERGING, 120, 220) == pytest.approx(1)
    assert left(122, Stage.MERGING, 120, 0) is None
    job.deleteLater()
