"""A corpus and a table asked for one after the other: both arrive, and what does not is told."""

import threading
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.progress import Progress, Stage, Step
from explorer.core.recipe import Recipe
from explorer.errors import ExplorerError
from explorer.sources.opening import open_corpus_steps
from explorer.workspace.training_job import Live, Opened, train_run
from explorer.workspace.values import Lane, Level, Notice
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

TEXT = b"aa bb aa cc aa bb\n" * 4
CHAPTER = Recipe.of("chapter-81")


@pytest.fixture
def notices() -> list[Notice]:
    return []


@pytest.fixture
def workspace(qapp: object, notices: list[Notice], tmp_path: Path) -> Iterator[Workspace]:
    """The four words are open; beside them lie the table of another text, and that text as mine.txt."""
    made = Workspace()
    (tmp_path / "mine.txt").write_bytes(TEXT)
    made.open_corpus(Corpus.of_text(TEXT, "mine"), recipe=Recipe.of("byte-words").asking(merges=2), at_once=True)
    made.save_table(tmp_path / "table.txt")
    made.open_exemplar("four-words", at_once=True)
    made.noticed.connect(notices.append)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Reading a corpus waits until it is set."""
    opened = threading.Event()

    def steps(path: Path, column: str | None = None) -> Generator[Step, None, Corpus]:
        while not opened.is_set():
            yield Step(Stage.READING, 0, 0)
        return (yield from open_corpus_steps(path, column=column))

    monkeypatch.setattr("explorer.workspace.opener.open_corpus_steps", steps)
    return opened


def is_of_the_table(workspace: Workspace) -> bool:
    run = workspace.run
    return run is not None and run.name == "table.txt" and run.training.corpus is workspace.corpus and workspace.learned == 2


def warned(notices: list[Notice]) -> list[str]:
    return [notice.text for notice in notices if notice.level is not Level.INFO]


def test_a_table_waits_for_the_corpus_that_is_being_read(
    workspace: Workspace, tmp_path: Path, gate: threading.Event, notices: list[Notice]
) -> None:
    workspace.open_file(tmp_path / "mine.txt")
    workspace.open_table(tmp_path / "table.txt")
    assert workspace.lanes.busy(Lane.READ)
    gate.set()
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "mine" and is_of_the_table(workspace)
    assert workspace.recipe == workspace.run.recipe and warned(notices) == []  # type: ignore[union-attr]


def test_a_table_is_replayed_on_the_corpus_that_is_being_trained(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notices: list[Notice]
) -> None:
    monkeypatch.setattr("explorer.workspace.trainer.train_run", until_cancelled)
    workspace.open_corpus(Corpus.of_text(TEXT, "mine"), recipe=CHAPTER)
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "mine" and is_of_the_table(workspace)
    assert warned(notices) == []


def test_a_broken_table_leaves_the_corpus_that_is_being_opened(
    workspace: Workspace, tmp_path: Path, gate: threading.Event, notices: list[Notice]
) -> None:
    (tmp_path / "bad.txt").write_text("256\t110\t100\t\"nd\"\n258\t105\t110\t\"in\"\n")
    workspace.open_file(tmp_path / "mine.txt")
    workspace.open_table(tmp_path / "bad.txt")
    gate.set()
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "mine"
    assert workspace.run is not None and workspace.run.recipe == CHAPTER
    assert len(warned(notices)) == 1 and "bad.txt" in warned(notices)[0] and "line 2" in warned(notices)[0]


def test_a_table_that_fails_on_a_new_corpus_leaves_that_corpus_to_its_own_recipe(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notices: list[Notice]
) -> None:
    began = threading.Event()

    def train(corpus: Corpus, recipe: Recipe, live: Live, progress: Progress | None) -> Opened:
        if began.is_set():
            return train_run(corpus, recipe, live, progress)
        began.set()
        assert progress is not None
        return until_cancelled(progress)

    def fail(*_: object) -> Opened:
        raise ExplorerError("The table does not fit.")

    monkeypatch.setattr("explorer.workspace.trainer.train_run", train)
    monkeypatch.setattr("explorer.workspace.trainer.replay_run", fail)
    workspace.open_corpus(Corpus.of_text(TEXT, "mine"), recipe=CHAPTER)
    began.wait(10)
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "mine"
    assert workspace.run is not None and workspace.run.recipe == CHAPTER == workspace.recipe
    assert warned(notices) == ["The table does not fit."]


def test_of_two_tables_on_a_new_corpus_the_second_fails_and_leaves_it_to_its_own_recipe(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notices: list[Notice], qtbot: QtBot
) -> None:
    replayed: list[object] = []

    def replay(*asked: object) -> Opened:
        replayed.append(asked)
        if len(replayed) == 2:
            raise ExplorerError("The table does not fit.")
        return until_cancelled(*asked)

    def train(corpus: Corpus, recipe: Recipe, live: Live, progress: Progress) -> Opened:
        return train_run(corpus, recipe, live, progress) if replayed else until_cancelled(progress)

    monkeypatch.setattr("explorer.workspace.trainer.train_run", train)
    monkeypatch.setattr("explorer.workspace.trainer.replay_run", replay)
    workspace.open_corpus(Corpus.of_text(TEXT, "mine"), recipe=CHAPTER)
    workspace.open_table(tmp_path / "table.txt")
    qtbot.waitUntil(lambda: bool(replayed))
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "mine"
    assert workspace.run is not None and workspace.run.recipe == CHAPTER == workspace.recipe
    assert warned(notices) == ["The table does not fit."]


def test_a_table_whose_corpus_cannot_be_read_is_told(
    workspace: Workspace, tmp_path: Path, gate: threading.Event, notices: list[Notice]
) -> None:
    before = workspace.run
    workspace.open_file(tmp_path / "gone.txt")
    workspace.open_table(tmp_path / "table.txt")
    gate.set()
    settle(workspace)
    assert workspace.run is before
    assert len(warned(notices)) == 2 and warned(notices)[1] == "The table table.txt is not opened, as gone.txt could not be read."


@pytest.mark.parametrize("another", ["file", "exemplar"])
def test_a_table_asked_for_before_another_corpus_is_told(
    workspace: Workspace, tmp_path: Path, gate: threading.Event, notices: list[Notice], another: str
) -> None:
    workspace.open_file(tmp_path / "mine.txt")
    workspace.open_table(tmp_path / "table.txt")
    if another == "file":
        (tmp_path / "other.txt").write_bytes(b"other other\n")
        workspace.open_file(tmp_path / "other.txt")
    else:
        workspace.open_exemplar("taste")
    gate.set()
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == ("other" if another == "file" else "taste")
    assert warned(notices) == ["The table table.txt is not opened, as another corpus was opened."]


def test_a_table_that_is_being_replayed_when_another_corpus_comes_is_told(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notices: list[Notice], qtbot: QtBot
) -> None:
    monkeypatch.setattr("explorer.workspace.trainer.replay_run", until_cancelled)
    workspace.open_table(tmp_path / "table.txt")
    qtbot.waitUntil(lambda: workspace.lanes.busy(Lane.TRAIN))
    assert workspace.recipe.preset == "byte-words" or workspace.recipe.merges == 2, "the recipe asked for is the table's"
    workspace.open_exemplar("taste")
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "taste"
    assert warned(notices) == ["The table table.txt is not opened, as another corpus was opened."]


def test_cancel_gives_up_both_and_says_nothing(workspace: Workspace, tmp_path: Path, gate: threading.Event, notices: list[Notice]) -> None:
    before = workspace.run
    workspace.open_file(tmp_path / "mine.txt")
    workspace.open_table(tmp_path / "table.txt")
    workspace.cancel()
    settle(workspace)
    assert workspace.run is before and notices == [] and not gate.is_set()


def test_of_two_tables_the_later_one_is_opened(workspace: Workspace, tmp_path: Path, gate: threading.Event) -> None:
    workspace.open_file(tmp_path / "mine.txt")
    workspace.open_table(tmp_path / "gone.txt")
    workspace.open_table(tmp_path / "table.txt")
    gate.set()
    settle(workspace)
    assert is_of_the_table(workspace)


def until_cancelled(*asked: object) -> Opened:
    """Work without end, as long as nobody cancels it."""
    progress = asked[-1]
    assert isinstance(progress, Progress)
    while True:
        progress.write(Step(Stage.MERGING, 0, 0))
