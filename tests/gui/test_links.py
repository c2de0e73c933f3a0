"""One selection, every view: each thing that can be touched, and what every other pane of the real window shows then."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from explorer.core.vocabulary import Piece
from explorer.gui import app as starting
from explorer.gui import wear
from explorer.gui.main_window import MainWindow
from explorer.gui.views.token_pointer import emphasis_of
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.values import Selection
from explorer.workspace.workspace import Workspace

TEXT = b"The Hollow is well below"
LLOW = 284


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    wear.wear(Settings(theme="light", reduce_motion=True))
    made = MainWindow(Workspace(), Preferences(Settings(theme="light", reduce_motion=True, welcome=False)))
    made.workspace.setParent(made)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    starting.open_first(made, starting.Opening(text=TEXT.decode()))
    made.show()
    qtbot.waitExposed(made)
    made.curve.build()
    made.workspace.go_to_merge(36)
    qtbot.wait(20)
    yield made
    made.workspace.close()
    wear.wear(Settings(theme="light"))


def piece(window: MainWindow, token: int) -> Piece:
    assert window.workspace.run
    return window.workspace.run.training.table.pieces[token]


def ringed(window: MainWindow) -> tuple[int | None, int | None]:
    """The new and the ringed token of your text."""
    shown = emphasis_of(window.workspace, window.your_text.editor.tokens)
    return shown.new, shown.selected_id


def settle_places(window: MainWindow, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: not window.context.busy)
    return window.context.facts()


def test_a_tree_node_shows_its_merge_moves_there_finds_its_places_and_rings_its_spans(window: MainWindow, qtbot: QtBot) -> None:
    tree = window.tree.tree
    assert tree.tree
    node = next(place for place, spot in enumerate(tree.tree.spots) if spot.token_id == LLOW)
    qtbot.mouseClick(tree, Qt.MouseButton.LeftButton, pos=tree.point_of(node).toPoint())
    assert window.workspace.k == 29 and window.transport.number.value() == 29
    assert window.next_merge.pairs.foot.text().startswith("rank 28 · ll + ow → llow · ")
    assert window.next_merge.pairs.its_merge.isHidden(), "it is there already"
    assert "of token 284" in settle_places(window, qtbot)
    assert ringed(window)[0] == LLOW, "the newest token has a tint and a line of its own"
    assert window.workspace.selection == Selection(token=piece(window, LLOW))


def test_a_token_of_your_text_shows_its_merge_its_tree_and_its_places_and_moves_nothing(window: MainWindow, qtbot: QtBot) -> None:
    editor = window.your_text.editor
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=editor.cursorRect().center() + QPoint(20, 0))
    assert window.workspace.selection.token == piece(window, 291) and window.workspace.k == 36
    assert window.next_merge.pairs.foot.text().startswith("rank 35 · The·Ho + llow → The·Hollow · 81 times")
    assert window.tree.tree.root == 291
    assert "of token 291" in settle_places(window, qtbot), "also of the token that was just made"
    window.workspace.step(-6)
    window.workspace.select_token(piece(window, 291))
    assert window.next_merge.pairs.its_merge.isVisible()
    qtbot.mouseClick(window.next_merge.pairs.its_merge, Qt.MouseButton.LeftButton)
    assert window.workspace.k == 36
    assert "of token 291" in settle_places(window, qtbot)


def test_a_step_leaves_the_places_to_the_next_pair_and_the_line_to_the_ranking(window: MainWindow, qtbot: QtBot) -> None:
    window.workspace.step(1)
    assert "next pair" in settle_places(window, qtbot)
    assert "distinct pairs" in window.next_merge.pairs.foot.text()


def test_a_point_of_the_curve_moves_every_pane(window: MainWindow, qtbot: QtBot) -> None:
    plot = window.curve.plot
    assert plot
    plot.merge_chosen.emit(100)
    assert window.workspace.k == 100 and window.transport.number.value() == 100
    assert window.tree.tree.root == 256 + 99
    assert ringed(window)[0] == 256 + 99
    assert window.next_merge.facts().startswith("rank 100")
