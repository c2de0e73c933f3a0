"""What the window is told of how far work is: from nothing to all, never back, never beyond."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.core.encoding import encoding_steps
from explorer.core.progress import Progress, Stage, Step, drain
from explorer.core.recipe import PRESETS, Recipe
from explorer.core.timeline import timeline_steps
from explorer.core.training import training_steps
from explorer.sources.opening import open_corpus, open_corpus_steps
from explorer.workspace.values import Task
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle


class Log(Progress):
    """Keeps every step that is written."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Step] = []

    def write(self, step: Step) -> None:
        self.steps.append(step)
        super().write(step)


def check(steps: list[Step]) -> None:
    """Every stage has one total, rises, and stays within it; stages come one after the other."""
    assert steps
    stages = list(dict.fromkeys(step.stage for step in steps))
    assert [step.stage for step in steps] == sorted((step.stage for step in steps), key=stages.index), "no stage comes back"
    for stage in stages:
        done = [step.done for step in steps if step.stage is stage]
        (total,) = {step.total for step in steps if step.stage is stage}
        assert done == sorted(done) and done[0] >= 0, stage
        assert not total or done[-1] <= total, stage


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """500 small records."""
    path = tmp_path / "records.jsonl"
    texts = (f"record {number} of the valley, {number * number} hobbs standing" for number in range(500))
    path.write_text("".join(json.dumps({"id": at, "text": text}) + "\n" for at, text in enumerate(texts)), "utf-8")
    return path


def test_case_094_reading_goes_from_nothing_to_all(records: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.jsonl"
    large.write_bytes(records.read_bytes() * 20)
    for path in (records, large):
        log = Log()
        drain(open_corpus_steps(path), log)
        check(log.steps)
        assert (log.steps[-1].done, log.steps[-1].total) == (path.stat().st_size, path.stat().st_size)
    assert len(log.steps) > 8, "the large one took several slices"


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_case_094_training_and_encoding_pass_no_total(records: Path, preset: str) -> None:
    corpus, log = open_corpus(records), Log()
    recipe = Recipe.of(preset).asking(merges=40)
    training = drain(training_steps(corpus, recipe), log)
    check(log.steps)
    cutting = [step for step in log.steps if step.stage is Stage.CUTTING]
    merging = [step for step in log.steps if step.stage is Stage.MERGING]
    assert cutting and cutting[-1].done == cutting[-1].total > 0
    assert (merging[-1].done, merging[-1].total) == (40, 40)
    for steps in (timeline_steps(training), encoding_steps(training.table, corpus.data)):
        log = Log()
        drain(steps, log)
        check(log.steps)


def test_case_094_the_status_line_hears_no_more_than_all(records: Path, qtbot: QtBot) -> None:
    workspace, told = Workspace(), list[object]()
    try:
        workspace.task_changed.connect(told.append)
        workspace.open_file(records)
        settle(workspace)
        assert workspace.corpus and workspace.run
        tasks = [task for task in told if isinstance(task, Task)]
        for stage in {(task.lane, task.step.stage) for task in tasks}:
            steps = [task.step for task in tasks if (task.lane, task.step.stage) == stage]
            assert all(0 <= step.done <= step.total or not step.total for step in steps)
            assert [step.done for step in steps] == sorted(step.done for step in steps)
        assert told[-1] is None, "and then nothing is under way"
    finally:
        workspace.close()
        workspace.deleteLater()
