"""Split patterns of one's own that never end: cancelled at once, given up in time, told of; what was there stays."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core import pattern_matches
from explorer.core.corpus import Corpus
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.workspace.values import Lane, Level, Notice
from explorer.workspace.workspace import Workspace
from tests.core.endless import ENDLESS, endless_text
from tests.workspace.settled import settle

OWN = Recipe(pretokens=PreTokenRule.PATTERN, pattern=r"\w+|\W+", merges=5)
NEVER = replace(OWN, pattern=ENDLESS)
SOON_S = 1.0  # a tenth of it on a machine that is not busy; what is waited for otherwise is ten seconds


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close()


@pytest.fixture
def notices(workspace: Workspace) -> list[Notice]:
    heard: list[Notice] = []
    workspace.noticed.connect(heard.append)
    return heard


def opened(workspace: Workspace, corpus: bytes, recipe: Recipe) -> None:
    workspace.open_corpus(Corpus.of_text(corpus), recipe=recipe)
    settle(workspace)
    assert workspace.run is not None


def test_a_training_without_an_end_is_cancelled(workspace: Workspace, notices: list[Notice], qtbot: QtBot) -> None:
    opened(workspace, endless_text(), OWN)
    run = workspace.run
    workspace.set_recipe(NEVER)
    qtbot.wait(600)  # the pattern is being matched
    assert workspace.lanes.busy(Lane.TRAIN) and workspace.recipe == NEVER
    began = time.monotonic()
    workspace.cancel()
    settle(workspace)
    assert time.monotonic() - began < SOON_S
    assert workspace.run is run and workspace.recipe == OWN and notices == []


def test_a_training_without_an_end_is_given_up(workspace: Workspace, notices: list[Notice], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_matches, "LIMIT_S", 0.5)
    opened(workspace, endless_text(), OWN)
    workspace.set_recipe(NEVER)
    settle(workspace)
    assert [notice.level for notice in notices] == [Level.ERROR] and "The split pattern (?:a|aa)+$" in notices[0].text
    assert workspace.recipe == OWN


def test_your_text_without_an_end_is_given_up_and_the_tokens_stay(
    workspace: Workspace, notices: list[Notice], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_matches, "LIMIT_S", 1.0)
    opened(workspace, b"abc abc", NEVER)
    workspace.set_text(b"abc")
    before = workspace.encoded
    assert before is not None and before.data == b"abc"
    began = time.monotonic()
    workspace.set_text(b"abc " + endless_text())
    assert time.monotonic() - began < 5 and workspace.encoded is None and workspace.lanes.busy(Lane.ENCODE), "it was not waited for"
    settle(workspace)
    assert ["byte 4 of the text" in notice.text for notice in notices] == [True]
    assert workspace.encoded is before
    workspace.set_text(b"abcabc")
    assert workspace.encoded is not None and workspace.encoded.data == b"abcabc", "a text that ends is encoded at once"


def test_the_window_closes_while_a_pattern_is_matched(workspace: Workspace, qtbot: QtBot) -> None:
    opened(workspace, endless_text(), OWN)
    workspace.set_recipe(NEVER)
    qtbot.wait(300)
    began = time.monotonic()
    workspace.close()
    assert time.monotonic() - began < 5
