"""While another recipe is trained, every pane that shows the old result says so, and none once the new one is there."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.recipe import TieRule
from explorer.gui import theme
from explorer.gui.frame import Pane
from explorer.gui.main_window import MainWindow
from explorer.gui.theme import Theme
from explorer.gui.views import lateness
from explorer.workspace import trainer
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.workspace import Workspace
from tests.workspace.test_workspace import slow_corpus

SAYS_NOTHING = ("What is known",)  # under three panes that do


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot) -> Iterator[MainWindow]:
    theme.apply(qapp, Theme.LIGHT)
    made = MainWindow(Workspace(), Preferences(Settings(theme="light")))
    made.workspace.setParent(made)
    qtbot.addWidget(made)
    yield made
    made.workspace.close()


def asides(window: MainWindow) -> dict[str, str]:
    return {pane.accessibleName(): pane.aside() for pane in window.findChildren(Pane) if pane.accessibleName() not in SAYS_NOTHING}


def test_every_pane_says_that_it_shows_the_recipe_before(window: MainWindow, qtbot: QtBot) -> None:
    workspace = window.workspace
    workspace.open_exemplar("four-words", at_once=True)
    asked = replace(workspace.recipe, tie=TieRule.FIRST_MET)
    assert set(asides(window).values()) == {""}
    workspace.open_corpus(slow_corpus(), recipe=workspace.recipe.asking(merges=1), at_once=True)
    facts = window.next_merge.facts()
    workspace.set_recipe(replace(asked, min_count=1).asking(merges=5_000))
    assert set(asides(window).values()) == {""}, "not for what is trained at once"
    qtbot.waitUntil(lambda: set(asides(window).values()) == {lateness.RECIPE_BEFORE})  # each after a time of its own
    assert window.next_merge.facts() == facts, "the facts themselves stay"
    workspace.cancel()
    qtbot.waitUntil(lambda: set(asides(window).values()) == {""})
    assert workspace.run is not None and workspace.recipe == workspace.run.recipe, "the recipe is the old one again"


def test_what_is_trained_at_once_says_nothing(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(window.corpus, "set_aside", told.append)
    window.workspace.open_exemplar("four-words", at_once=True)
    window.workspace.set_recipe(replace(window.workspace.recipe, tie=TieRule.FIRST_MET))
    qtbot.waitUntil(lambda: window.workspace.run is not None and window.workspace.run.recipe == window.workspace.recipe)
    qtbot.wait(lateness.AFTER_MS + 50)
    assert set(told) <= {""}


def test_while_another_corpus_is_trained_the_panes_say_that_they_show_the_one_before(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "SHOWN_EARLY_S", 60.0)  # as if cutting took as long as that of a gigabyte
    workspace = window.workspace
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.open_corpus(slow_corpus(), recipe=workspace.recipe.asking(merges=5_000))
    assert set(asides(window).values()) == {""}
    qtbot.waitUntil(lambda: set(asides(window).values()) == {lateness.CORPUS_BEFORE})
    assert "chronicle" in window.corpus.facts()
    assert window.recipe_bar.facts.text().endswith("256 learned, for the corpus before")
    workspace.cancel()
    qtbot.waitUntil(lambda: set(asides(window).values()) == {""}, timeout=30_000)
    assert workspace.corpus_in_training is None
