"""What is left when work is given up half-way: the recipe, a corpus shown early, your text, forks; nothing waits for what will not come."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core import pattern_matches
from explorer.core.corpus import Corpus
from explorer.core.progress import Progress, Stage, Step
from explorer.core.recipe import PreTokenRule, Recipe, TieRule
from explorer.core.training import Stopped
from explorer.errors import ExplorerError
from explorer.workspace.job import Job, Lanes
from explorer.workspace.training_job import Opened
from explorer.workspace.values import Lane, Task
from explorer.workspace.workspace import Workspace
from tests.core.endless import ENDLESS, endless_text
from tests.workspace.settled import settle
from tests.workspace.test_workspace import slow_corpus

CHAPTER = Recipe.of("chapter-81")
OTHER = replace(CHAPTER, tie=TieRule.LAST_MET)
PATIENCE_MS = 20_000


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def early(workspace: Workspace, qtbot: QtBot) -> Workspace:
    """A small corpus, and over it a large one that is shown while its training goes on."""
    workspace.open_exemplar("four-words", at_once=True)
    workspace.open_corpus(slow_corpus(), recipe=CHAPTER.asking())
    qtbot.waitUntil(lambda: is_early(workspace), timeout=PATIENCE_MS)
    return workspace


def is_early(workspace: Workspace) -> bool:
    """Whether the run that is shown says that its training goes on."""
    run = workspace.run
    return run is not None and run.training.stopped is Stopped.SIZE and run.training.learned != run.recipe.merges


def test_another_recipe_for_a_corpus_shown_early_is_cancelled_and_nothing_waits(early: Workspace, qtbot: QtBot) -> None:
    early.set_recipe(OTHER.asking())
    early.cancel()
    settle(early)
    assert early.run is not None and early.corpus is not None and early.corpus.name == "slow"
    assert not is_early(early) and early.recipe == early.run.recipe
    early.undo()
    assert early.corpus.name == "four-words"


def test_a_corpus_shown_early_whose_training_fails_waits_no_more(early: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Opened:
        raise ExplorerError("There is no room.")

    monkeypatch.setattr("explorer.workspace.trainer.train_run", fail)
    early.set_recipe(OTHER.asking())
    settle(early)
    assert early.run is not None and early.run.recipe == CHAPTER.asking(merges=0) == early.recipe and early.learned == 0


def test_redo_of_a_corpus_shown_early_trains_it_again(early: Workspace) -> None:
    early.undo()
    assert early.corpus is not None and early.corpus.name == "four-words" and not early.lanes.busy(Lane.TRAIN)
    early.redo()
    assert early.corpus.name == "slow" and is_early(early) and early.lanes.busy(Lane.TRAIN)
    early.cancel()
    settle(early)
    assert not is_early(early) and early.corpus.name == "slow"


def test_another_recipe_while_a_corpus_is_opened_is_for_that_corpus(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    small = Corpus.of_text(b"aa bb aa", "small")
    workspace.open_corpus(small, recipe=CHAPTER)
    assert workspace.corpus is not small and workspace.corpus_in_training is small
    workspace.set_recipe(OTHER)
    settle(workspace)
    assert workspace.corpus is small and workspace.run is not None and workspace.run.recipe == OTHER


def test_a_table_that_is_cancelled_leaves_the_recipe_of_what_is_shown(
    workspace: Workspace, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(*asked: object) -> Opened:
        progress = asked[-1]
        assert isinstance(progress, Progress)
        while True:
            progress.write(Step(Stage.MERGING, 0, 0))

    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.run is not None
    workspace.save_table(tmp_path / "table.txt")
    monkeypatch.setattr("explorer.workspace.trainer.train_run", wait)
    monkeypatch.setattr("explorer.workspace.trainer.replay_run", wait)
    workspace.set_recipe(OTHER)
    workspace.open_table(tmp_path / "table.txt")
    qtbot.waitUntil(lambda: not workspace.lanes.busy(Lane.READ))
    assert workspace.lanes.busy(Lane.TRAIN)
    workspace.cancel()
    settle(workspace)
    assert workspace.recipe == workspace.run.recipe


def test_a_run_that_is_made_active_while_another_recipe_is_trained_leaves_what_was_asked_for(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.run is not None
    root = workspace.run
    fork_of(workspace)
    workspace.set_recipe(replace(root.recipe, tie=TieRule.LAST_MET))
    workspace.activate(workspace.runs[1].id)
    assert workspace.run is not root and workspace.recipe.tie is TieRule.LAST_MET and workspace.lanes.busy(Lane.TRAIN)
    settle(workspace)
    assert workspace.run.recipe == workspace.recipe and workspace.recipe.tie is TieRule.LAST_MET


def test_a_fork_of_a_run_that_was_dropped_meanwhile_is_not_opened(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.run is not None
    root, fork = workspace.run.id, fork_of(workspace)
    workspace.activate(fork)
    second = next(rank for rank in workspace.run.training.tied_ranks if rank)
    workspace.go_to_merge(second)
    assert workspace.moment is not None
    workspace.fork(second, workspace.moment.tied[1])
    workspace.activate(root)
    workspace.drop_run(fork)
    settle(workspace)
    assert [run.id for run in workspace.runs] == [root]


def fork_of(workspace: Workspace) -> int:
    """Forks at the first merge, a tie; the id of the fork."""
    assert workspace.moment is not None
    workspace.fork(0, workspace.moment.tied[1])
    settle(workspace)
    return workspace.runs[-1].id


def test_tokens_by_another_recipe_are_none_of_a_text_that_cannot_be_cut(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_matches, "LIMIT_S", 0.5)
    workspace.open_corpus(Corpus.of_text(b"abc abc abc"), recipe=CHAPTER, at_once=True)
    workspace.set_text(endless_text())
    assert workspace.is_text_cut
    workspace.set_recipe(replace(CHAPTER, pretokens=PreTokenRule.PATTERN, pattern=ENDLESS))
    settle(workspace)
    assert workspace.run is not None and workspace.run.recipe.pattern == ENDLESS
    assert workspace.encoded is None and not workspace.is_text_cut
    workspace.set_recipe(CHAPTER)
    settle(workspace)
    assert workspace.is_text_cut and workspace.encoded is not None


def test_only_what_keeps_its_merges_is_said_to_keep_them(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    monkeypatch.setattr("explorer.workspace.workspace.time_notice", lambda *_, kept: told.append(kept))
    workspace.open_corpus(slow_corpus(), recipe=CHAPTER.asking(merges=1))
    settle(workspace)
    workspace.set_recipe(CHAPTER.asking(merges=2))
    workspace.set_recipe(OTHER.asking(merges=2))
    assert told == [True, True, False]
    settle(workspace)


def test_an_error_nobody_expected_leaves_no_work_under_way(qapp: QApplication, qtbot: QtBot) -> None:
    def fail(job: Job) -> None:
        raise ValueError("unexpected")

    lanes, tasks = Lanes(), list[Task | None]()
    lanes.task_changed.connect(tasks.append)
    with qtbot.captureExceptions() as raised:
        lanes.run(Lane.TRAIN, "a", lambda _: None, fail)
        qtbot.waitUntil(lambda: bool(raised))
    assert tasks[-1] is None and lanes.lanes == ()
    lanes.close()
    lanes.deleteLater()
