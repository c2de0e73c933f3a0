"""Two runs compared beside the window: what was shown stays, says what it is of, and can be kept by Cancel."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.gui import theme
from explorer.gui.models.under_both import Pairing, UnderBoth
from explorer.gui.theme import Theme
from explorer.gui.views import compared_runs
from explorer.gui.views.compared_runs import RUNS_BEFORE, TEXT_BEFORE, ComparedRuns
from explorer.gui.views.tie_lab import COMPARING, NOT_COMPARED, TieLab
from explorer.workspace.values import Lane
from explorer.workspace.workspace import Workspace
from tests.core.endless import ENDLESS, endless_text
from tests.workspace.settled import settle


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pairing(workspace: Workspace) -> Pairing:
    """Four words, and what they come to if another pair is merged first."""
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.moment
    workspace.fork(0, workspace.moment.tied[1])
    settle(workspace)
    assert workspace.run and workspace.compared
    return Pairing(workspace.run, workspace.compared, b"lowest")


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done at once."""
    monkeypatch.setattr(compared_runs, "STEPS_AT_ONCE", 0)


def test_a_few_merges_are_compared_at_once(workspace: Workspace, pairing: Pairing) -> None:
    parent = QObject()
    both = ComparedRuns(workspace, parent)
    both.want(pairing)
    assert both.shown and both.shown.pairing is pairing and not both.busy


def test_the_old_result_stays_and_says_so_until_the_new_one_is_there(
    workspace: Workspace, pairing: Pairing, beside: None, qtbot: QtBot
) -> None:
    parent = QObject()
    both = ComparedRuns(workspace, parent)
    heard: list[tuple[UnderBoth, bool]] = []
    both.compared.connect(lambda made, same_runs: heard.append((made, same_runs)))
    both.want(pairing)
    assert both.busy and both.shown is None
    settle(workspace)
    first = both.shown
    assert first and heard == [(first, False)] and both.late == ""
    both.want(replace(pairing, text=b"newest"))
    both.want(replace(pairing, text=b"slowest"))
    assert both.shown is first and both.busy
    assert both.late == "", "not in the first moments: it would be a flicker"
    both._late.stop()  # noqa: SLF001 - as if they were over
    assert both.late == TEXT_BEFORE
    settle(workspace)
    assert len(heard) == 2 and heard[1][1] and heard[1][0].comparison is first.comparison, "merges are not compared again for a text"
    both.want(Pairing(pairing.other, pairing.one, b"slowest"))
    both._late.stop()  # noqa: SLF001
    assert both.late == RUNS_BEFORE and both.shown is heard[1][0]
    settle(workspace)
    assert both.late == "" and not heard[2][1]


def test_of_another_corpus_nothing_is_shown_and_nothing_gone_on_with(workspace: Workspace, pairing: Pairing, beside: None) -> None:
    parent = QObject()
    both = ComparedRuns(workspace, parent)
    both.want(pairing)
    settle(workspace)
    both.want(replace(pairing, text=b"newest"))
    assert both.shown and both.busy
    workspace.open_exemplar("taste", at_once=True)
    assert both.shown is None and not both.busy


def test_in_the_lab_it_is_told_while_nothing_is_shown_yet(workspace: Workspace, pairing: Pairing, beside: None, qtbot: QtBot) -> None:
    lab = TieLab(workspace)
    qtbot.addWidget(lab)
    lab.show()
    assert lab.empty.isVisible() and lab.empty.sentence() == COMPARING
    settle(workspace)
    assert not lab.empty.isVisible() and len(lab.merges.ranks) == 10
    assert lab.words_pane.aside() == ""


def test_a_pattern_without_an_end_is_looked_for_where_it_can_be_cancelled(workspace: Workspace, qtbot: QtBot) -> None:
    recipe = replace(Recipe.of("gpt2").asking(merges=2), pretokens=PreTokenRule.PATTERN, pattern=ENDLESS)
    workspace.open_corpus(Corpus.of_text(b"cdcd dede"), recipe=recipe, at_once=True)
    assert workspace.timeline
    workspace.fork(0, workspace.timeline.ranked(0, 9)[1].pair)
    settle(workspace)
    lab = TieLab(workspace)
    qtbot.addWidget(lab)
    lab.show()
    settle(workspace)
    assert len(lab.merges.ranks) == 2
    facts = lab.words_pane.facts()
    workspace.set_text(endless_text())
    assert workspace.lanes.busy(Lane.COMPARE)
    workspace.cancel()
    settle(workspace)
    assert not workspace.lanes.busy(Lane.COMPARE) and lab.words_pane.facts() == facts and not lab.empty.isVisible()


def test_a_comparison_that_was_stopped_says_so_where_there_is_nothing_else(
    workspace: Workspace, pairing: Pairing, beside: None, qtbot: QtBot
) -> None:
    lab = TieLab(workspace)
    qtbot.addWidget(lab)
    lab.show()
    workspace.lanes.drop(Lane.COMPARE)
    lab._both.told.emit()  # noqa: SLF001 - as when a cancelled job has ended
    assert lab.empty.sentence() == NOT_COMPARED
