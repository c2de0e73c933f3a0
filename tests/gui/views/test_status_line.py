"""The status line tells the merge, the tie, the facts of your text, the engine, and what is running."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.progress import Stage, Step
from explorer.core.recipe import Recipe
from explorer.gui.frame import Elided, Label, Push
from explorer.gui.models.text_facts import text_facts
from explorer.gui.views.status_line import StatusLine, task_words
from explorer.workspace.values import Lane, Task
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle
from tests.workspace.test_workspace import slow_corpus


@pytest.fixture
def workspace(qapp: object) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def line(workspace: Workspace, qtbot: QtBot) -> StatusLine:
    made = StatusLine(workspace)
    qtbot.addWidget(made)
    made.resize(1200, made.height())
    made.show()
    return made


def words(line: StatusLine) -> str:
    """Everything on the line that can be seen, left to right."""
    return " ".join(label.text() for label in line.findChildren(Label) if label.isVisible() and label.text())


def test_nothing_is_open(line: StatusLine) -> None:
    assert words(line) == "nothing is open"


def test_merge_tie_and_engine_are_told(line: StatusLine, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert words(line).startswith("merge 0 of 10 ·  tie of 2")
    assert "readable engine, as the corpus is small" in words(line)
    workspace.go_to_merge(1)
    assert words(line).startswith("merge 1 of 10") and "tie" not in words(line)


def test_work_under_way_takes_the_place_of_the_engine_and_can_be_cancelled(line: StatusLine, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    cancel = line.findChildren(Push)[0]
    assert not cancel.isVisible()
    workspace.open_corpus(slow_corpus(), recipe=Recipe.of("chapter-81"))
    qtbot.waitUntil(lambda: "slow: " in words(line), timeout=20_000)
    assert cancel.isVisible()
    cancel.click()
    settle(workspace)
    assert not cancel.isVisible() and "engine" in words(line)


def test_a_task_says_what_how_far_and_how_long() -> None:
    assert task_words(Task(Lane.TRAIN, "big", Step(Stage.MERGING, 3, 256), 40.0)) == "big: merging 3 of 256, about 40 s left"
    assert task_words(Task(Lane.READ, "big", Step(Stage.READING, 0, 0), None)) == "big: reading"


def test_a_text_that_cannot_be_cut_is_told_and_not_waited_for(line: StatusLine, workspace: Workspace) -> None:
    workspace.set_text(b"low")
    line.show_facts(None)
    assert "your text" not in words(line), "nothing is open"
    workspace.open_exemplar("four-words", at_once=True)
    line.show_facts(None)
    assert "your text: …" in words(line)
    workspace.lanes.run(Lane.ENCODE, "your text", lambda _: None, lambda _: None)
    workspace._your_text.encoded = None  # noqa: SLF001 - as after a pattern that finds no end
    line.show_facts(None)
    assert "your text: …" in words(line)
    settle(workspace)
    line.show_facts(None)
    assert "your text: not cut" in words(line)


def test_the_engine_gives_way_to_the_figures_of_your_text(line: StatusLine, workspace: Workspace, qapp: QApplication) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.set_text(b"lowest")
    assert workspace.encoded is not None
    line.show_facts(text_facts(workspace.encoded))
    whole = "readable engine, as the corpus is small"
    assert words(line).endswith(whole)
    line.resize(500, line.height())
    qapp.processEvents()
    assert "engine" not in words(line) and words(line).startswith("merge 0 of 10") and "round trip" in words(line)
    cut = [label for label in line.findChildren(Elided) if label.isVisible() and label.text()]
    assert cut and all(label.width() > 20 and label.toolTip() == label.text() for label in cut), "what is cut is told in full"
    assert any(label.toolTip() == whole for label in line.findChildren(Label) if label.isVisible())
    line.resize(1200, line.height())
    qapp.processEvents()
    assert words(line).endswith(whole)
