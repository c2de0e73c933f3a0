"""The ring of a selection closes in within 80 ms, where a person selected it and motion is on."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QVariantAnimation
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.vocabulary import byte_piece
from explorer.gui import theme
from explorer.gui.theme import STILL, Theme, px
from explorer.gui.views.select_motion import FARTHEST, SelectMotion
from explorer.gui.views.tree_motion import CALM_S
from explorer.gui.views.tree_pane import TreePane
from explorer.workspace.workspace import Workspace


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    made.open_exemplar("standing-in", at_once=True)
    yield made
    made.close()
    made.deleteLater()
    theme.apply(qapp, Theme.LIGHT)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_ring_starts_outside_and_closes_in_within_80_ms(workspace: Workspace, qtbot: QtBot) -> None:
    motion = SelectMotion(workspace, workspace, Clock())
    spreads: list[float] = []
    motion.moved.connect(lambda: spreads.append(motion.spread))
    assert motion.spread == 0
    workspace.select_token(byte_piece(ord("n")))
    assert motion.spread == px(FARTHEST)
    assert [child.duration() for child in motion.findChildren(QVariantAnimation)] == [80]
    qtbot.waitUntil(lambda: motion.spread == 0)
    assert spreads == sorted(spreads, reverse=True)


def test_what_a_step_selects_does_not_move_nor_does_anything_in_a_hurry(workspace: Workspace) -> None:
    clock = Clock()
    motion = SelectMotion(workspace, workspace, clock)
    workspace.step(1)
    assert workspace.selection.token is not None and motion.spread == 0
    clock.now += 10
    workspace.select_token(byte_piece(ord("n")))
    assert motion.spread > 0
    clock.now += 0.1
    workspace.select_token(byte_piece(ord("i")))
    assert motion.spread == 0, "two clicks so close together are a hurry"
    clock.now += 10
    workspace.select_token(None)
    assert motion.spread == 0, "nothing is ringed"


def test_reduced_motion_has_none(workspace: Workspace, qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT, motion=STILL)
    motion = SelectMotion(workspace, workspace, Clock())
    workspace.select_token(byte_piece(ord("n")))
    assert motion.spread == 0


def test_the_tree_draws_the_ring_on_its_way(workspace: Workspace, qtbot: QtBot) -> None:
    pane = TreePane(workspace)
    qtbot.addWidget(pane)
    pane.resize(400, 300)
    workspace.go_to_merge(workspace.learned)
    qtbot.wait(round(1000 * CALM_S) + 20)
    resting = pane.tree.grab().toImage()
    workspace.select_token(workspace.selection.token)  # now by hand
    begun = pane.tree.grab().toImage()
    assert begun != resting, "farther out"
    qtbot.waitUntil(lambda: pane.tree.grab().toImage() == resting)
