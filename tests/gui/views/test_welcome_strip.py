"""The strip of the first start on a real Workspace."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.gui import theme
from explorer.gui.frame import Elided
from explorer.gui.theme import Theme
from explorer.gui.views.welcome_strip import WelcomeStrip
from explorer.workspace.values import Lane
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def strip(workspace: Workspace, qtbot: QtBot) -> WelcomeStrip:
    made = WelcomeStrip(workspace)
    qtbot.addWidget(made)
    made.resize(1440, made.height())
    made.show()
    return made


def button(strip: WelcomeStrip, name: str) -> QPushButton:
    return next(each for each in strip.findChildren(QPushButton) if each.accessibleName() == name)


def test_it_says_where_the_window_stands(strip: WelcomeStrip, workspace: Workspace) -> None:
    words = strip.findChild(Elided)
    workspace.open_exemplar("chronicle", at_once=True)
    assert words.text() == "This is the chronicle, a reconstruction, after 0 merges."
    workspace.go_to_merge(1)
    assert words.text() == "This is the chronicle, a reconstruction, after 1 merge."
    workspace.go_to_merge(36)
    assert words.text() == "This is the chronicle, a reconstruction, paused at a tie of 7."


@pytest.mark.parametrize(
    ("lane", "sentence"), [(Lane.READ, "Reading valley.txt\u2026"), (Lane.TRAIN, "Learning the first merges of valley.txt\u2026")]
)
def test_while_the_first_file_is_opened_it_says_which(
    strip: WelcomeStrip, workspace: Workspace, qtbot: QtBot, lane: Lane, sentence: str
) -> None:
    words, go_on = strip.findChild(Elided), threading.Event()
    assert words
    assert words.text() == "Open a corpus to begin."
    workspace.lanes.run(lane, "valley.txt", lambda _: go_on.wait(20), lambda _: None)
    qtbot.waitUntil(lambda: words.text() == sentence)
    go_on.set()
    settle(workspace)
    assert words.text() == "Open a corpus to begin."


def test_its_sentence_ends_in_dots_where_there_is_no_room(strip: WelcomeStrip, workspace: Workspace, qtbot: QtBot) -> None:
    words = strip.findChild(Elided)
    workspace.open_exemplar("chronicle", at_once=True)
    qtbot.wait(10)
    assert words.shown_text() == words.text()
    strip.resize(800, strip.height())
    qtbot.wait(10)
    assert words.shown_text().endswith("…") and words.toolTip() == words.text()


def test_a_button_that_leads_nowhere_is_off_and_says_why(strip: WelcomeStrip, workspace: Workspace) -> None:
    step, tie = button(strip, "Step"), button(strip, "Show me a tie")
    assert not step.isEnabled() and step.toolTip() == "Nothing is open."
    workspace.open_exemplar("four-words", at_once=True)
    assert step.isEnabled() and tie.isEnabled() and not step.toolTip()
    workspace.go_to_merge(10)
    assert not step.isEnabled() and step.toolTip() == tie.toolTip() == "Every merge is made."
    workspace.open_corpus(Corpus.of_text(b"abab"), recipe=Recipe.of("chapter-81"), at_once=True)
    assert step.isEnabled() and not tie.isEnabled() and "tie" in tie.toolTip()
