"""The greed lab on a real Workspace: the search, its tree, what is told, and a node opened in the window."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.progress import Stage, Step
from explorer.core.recipe import Recipe
from explorer.gui import theme
from explorer.gui.models import greed_search as greed
from explorer.gui.theme import Theme
from explorer.gui.views.choice_tree import ChoiceTree
from explorer.gui.views.greed_lab import NO_CORPUS, GreedLab
from explorer.sources.exemplars import exemplar_named, open_exemplar
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
def lab(workspace: Workspace, qtbot: QtBot) -> GreedLab:
    made = GreedLab(workspace)
    qtbot.addWidget(made)
    made.resize(1440, 784)
    made.show()
    return made


@pytest.fixture
def taste(lab: GreedLab, workspace: Workspace) -> GreedLab:
    workspace.open_exemplar("taste", at_once=True)
    settle(workspace)
    return lab


def node(tree: ChoiceTree, *merged: str) -> int:
    """The number of the node that a path leads to, each pair as it is spelled together."""
    for at, spot in enumerate(tree.spots):
        if [left.joined(right).spelled() for left, right in spot.path] == list(merged):
            return at
    raise AssertionError(f"no node {merged}")


def middle(tree: ChoiceTree, at: int) -> QPoint:
    return (tree.box(at).center() * tree.scale - QPointF(*tree.offset())).toPoint()


def known(lab: GreedLab) -> list[str]:
    return [label.text() for label in lab.known if label.isVisible()]


def test_without_a_corpus_it_says_so_and_offers_one(lab: GreedLab, workspace: Workspace) -> None:
    assert lab.empty.sentence() == NO_CORPUS and lab.taste.isVisible() and not lab.open.isEnabled()
    lab.taste.click()
    settle(workspace)
    assert workspace.corpus and workspace.corpus.name == "taste" and lab.answer


def test_greedy_loses_on_taste(taste: GreedLab) -> None:
    assert taste.answer and taste.answer.optimum.best == (84, 66, 56, 46)
    assert taste.merges.value() == 4 and not taste.deeper.isVisible() and not taste.cancel.isVisible()
    assert taste.gap.accessibleDescription() == (
        "1 merges: greedy 84, best 84; 2 merges: greedy 74, best 66; 3 merges: greedy 64, best 56; 4 merges: greedy 54, best 46"
    )
    assert known(taste)[0].startswith("Proven best: no sequence of 4 merges leaves fewer than 46 tokens.") and len(known(taste)) == 3
    assert taste.words_pane.facts() == "after 4 merges; 1 of 3 is cut differently"


def test_the_first_choice_of_the_best_is_chosen_and_told(taste: GreedLab) -> None:
    assert taste.tree.current and taste.tree.current.node.on_best and taste.tree.current.level == 1
    assert taste.tree_pane.facts() == "tied pairs and the best are drawn; chosen: 84 tokens, best from here 46"
    assert taste.tree.accessibleDescription() == "t + a: 84 tokens; best from here 46"


def test_a_click_chooses_a_node_and_the_button_puts_the_window_there(taste: GreedLab, workspace: Workspace, qtbot: QtBot) -> None:
    at = node(taste.tree, "ta", "te</w>")
    QTest.mouseClick(taste.tree.viewport(), Qt.MouseButton.LeftButton, pos=middle(taste.tree, at))
    assert taste.tree.current == taste.tree.spots[at]
    with qtbot.waitSignal(taste.left):
        taste.open.click()
    settle(workspace)
    qtbot.waitUntil(lambda: workspace.k == 2)
    assert workspace.run and workspace.run.training.length(2) == 66
    assert [choice.rank for choice in workspace.run.recipe.choices] == [0, 1]
    assert workspace.run.training.learned > 2  # the run goes on by its rule
    assert taste.answer  # the tree is still that of this corpus


def test_enter_opens_a_node_that_the_arrows_chose(taste: GreedLab, workspace: Workspace, qtbot: QtBot) -> None:
    tree = taste.tree
    steps = ((Qt.Key.Key_Right, 66), (Qt.Key.Key_Right, 56), (Qt.Key.Key_Right, 46), (Qt.Key.Key_Right, 46), (Qt.Key.Key_Left, 56))
    for key, length in steps:
        QTest.keyClick(tree, key)
        assert tree.current and tree.current.node.length == length
    QTest.keyClick(tree, Qt.Key.Key_Up)
    assert tree.current and tree.current.level == 3 and not tree.current.node.on_best
    QTest.keyClick(tree, Qt.Key.Key_Down)
    with qtbot.waitSignal(taste.left):
        QTest.keyClick(tree, Qt.Key.Key_Return)
    settle(workspace)
    qtbot.waitUntil(lambda: workspace.k == 3)
    assert workspace.run and workspace.run.training.length(3) == 56


def test_a_node_that_is_open_already_is_gone_to_at_once(taste: GreedLab, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.go_to_merge(5)
    for _ in range(4):
        QTest.keyClick(taste.tree, Qt.Key.Key_Left)
    assert taste.tree.current and taste.tree.current.level == 0
    before = workspace.run
    taste.open_node()
    qtbot.waitUntil(lambda: workspace.k == 0)
    assert workspace.run is before


def test_a_double_click_opens_a_node(taste: GreedLab, workspace: Workspace, qtbot: QtBot) -> None:
    at = node(taste.tree, "te</w>")
    QTest.mouseClick(taste.tree.viewport(), Qt.MouseButton.LeftButton, pos=middle(taste.tree, at))
    QTest.mouseDClick(taste.tree.viewport(), Qt.MouseButton.LeftButton, pos=middle(taste.tree, at))
    settle(workspace)
    qtbot.waitUntil(lambda: workspace.k == 1)
    assert workspace.new_token is not None and workspace.run
    assert workspace.run.training.table.pieces[workspace.new_token].spelled() == "te</w>"


def test_another_number_of_merges_is_another_search(taste: GreedLab, workspace: Workspace) -> None:
    taste.merges.setValue(2)
    taste.merges.editingFinished.emit()
    settle(workspace)
    assert taste.answer and taste.answer.optimum.best == (84, 66) and max(spot.level for spot in taste.tree.spots) == 2


def test_another_tie_rule_is_another_search_and_a_fork_is_not(taste: GreedLab, workspace: Workspace) -> None:
    first = taste.answer
    workspace.fork(0, workspace.moment.tied[1])  # type: ignore[union-attr]  # counted at once
    settle(workspace)
    assert workspace.compared
    workspace.activate(workspace.compared.id)
    settle(workspace)
    assert taste.answer is first
    workspace.set_recipe(replace(workspace.recipe, choices=(), tie=Recipe.of("chapter-81").tie))
    settle(workspace)
    assert taste.answer and taste.answer is not first and taste.answer.greedy.tie is Recipe.of("chapter-81").tie


def test_nothing_is_searched_while_the_page_is_hidden(lab: GreedLab, workspace: Workspace) -> None:
    lab.hide()
    workspace.open_exemplar("taste", at_once=True)
    assert not workspace.lanes.busy(Lane.LAB)
    lab.show()
    assert workspace.lanes.busy(Lane.LAB)
    settle(workspace)
    assert lab.answer


def test_a_large_corpus_is_searched_only_when_asked(lab: GreedLab, workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    settle(workspace)
    assert "7\u2009032 symbols in 91 distinct pre-tokens" in lab.empty.sentence() and lab.answer is None
    assert lab.taste.isVisible() and lab.anyway.isVisible() and lab.merges.value() == 2
    lab.anyway.click()
    assert workspace.lanes.busy(Lane.LAB) and lab.cancel.isVisible()
    lab.taste.click()
    settle(workspace)
    assert lab.answer and lab.answer.optimum.start == 102


def test_a_search_can_be_stopped_and_begun_again(lab: GreedLab, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("eighteen", at_once=True)
    lab.merges.setValue(6)
    lab.merges.editingFinished.emit()
    assert workspace.lanes.busy(Lane.LAB) and lab.cancel.isVisible()
    lab.cancel.click()
    settle(workspace)
    assert lab.empty.sentence() == "The search was stopped." and lab.again.isVisible() and not lab.cancel.isVisible()
    lab.merges.setValue(1)
    lab.merges.editingFinished.emit()
    settle(workspace)
    assert lab.answer and lab.answer.optimum.best == (617,)


def test_the_search_of_another_corpus_ends_and_a_large_one_can_be_searched_anyway(
    lab: GreedLab, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("explorer.gui.views.greed_lab.answer_steps", lambda _: iter(lambda: Step(Stage.SEARCHING, 1, 0), None))
    workspace.open_exemplar("taste", at_once=True)
    assert workspace.lanes.busy(Lane.LAB)
    workspace.open_exemplar("chronicle", at_once=True)
    assert not workspace.lanes.busy(Lane.LAB)
    assert lab.anyway.isVisible() and not lab.cancel.isVisible() and "is for small corpora" in lab.empty.sentence()


def test_a_search_that_is_stopped_leaves_the_old_tree(taste: GreedLab, workspace: Workspace) -> None:
    before = taste.answer
    taste.merges.setValue(6)
    taste.merges.editingFinished.emit()
    workspace.cancel()
    settle(workspace)
    if taste.answer is before:  # a search this small may have ended before it heard of the wish
        assert taste.tree_pane.facts() == "The search was stopped."
    else:
        assert taste.answer and taste.answer.optimum.merges == 6


def test_search_deeper_looks_at_more_states(lab: GreedLab, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greed, "FIRST_NODES", 20)
    workspace.open_exemplar("four-words", at_once=True)
    settle(workspace)
    assert lab.answer and not lab.answer.optimum.proven and lab.answer.optimum.nodes == 20 and lab.deeper.isVisible()
    assert known(lab)[0] == "The best of 20 states, not proven: 48 tokens after 4 merges." and known(lab)[1].startswith("No merges reach")
    lab.deeper.click()
    settle(workspace)
    assert lab.answer.optimum.proven and lab.answer.optimum.nodes > 20 and not lab.deeper.isVisible()


def test_a_recipe_that_cannot_be_searched_is_told(lab: GreedLab, workspace: Workspace) -> None:
    recipe = replace(exemplar_named("taste").recipe, lift=3)
    workspace.open_corpus(open_exemplar("taste"), recipe=recipe, at_once=True)
    settle(workspace)
    assert lab.empty.sentence() == "The best merges are searched inside pre-tokens: leave the lift out." and lab.answer is None


def test_the_tree_can_be_scaled_and_fits_again(taste: GreedLab) -> None:
    tree = taste.tree
    for _ in range(4):
        QTest.keyClick(tree, Qt.Key.Key_Plus)
    assert tree.scale > 1.9 and tree.horizontalScrollBar().maximum() > 0
    at = node(tree, "ta", "te</w>", "sta", "state</w>")
    for _ in range(4):
        QTest.keyClick(tree, Qt.Key.Key_Right)
    assert tree.current == tree.spots[at] and tree.viewport().rect().contains(middle(tree, at))
    QTest.keyClick(tree, Qt.Key.Key_0)
    assert tree.scale == 1.0 and tree.horizontalScrollBar().maximum() == 0


def test_it_is_drawn_in_every_theme_and_at_every_size(taste: GreedLab, qapp: QApplication) -> None:
    grounds = set()
    for each in Theme:
        for zoom, size in ((1.0, (1440, 784)), (1.0, (1100, 584)), (2.0, (900, 500))):
            theme.apply(qapp, each, zoom=zoom)
            taste.resize(*size)
            grounds.add(taste.grab().toImage().pixelColor(4, size[1] - 40).name())
    assert grounds == {theme.COLOURS[each].page.lower() for each in Theme}
    theme.apply(qapp, Theme.LIGHT)


def test_the_way_back(lab: GreedLab, qtbot: QtBot) -> None:
    with qtbot.waitSignal(lab.left):
        lab.head.back.click()
