"""The transport and play, on a real Workspace and with a clock of the test's own."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.gui import theme
from explorer.gui.theme import Theme
from explorer.gui.views.player import SPEEDS, Player
from explorer.gui.views.transport import Transport
from explorer.workspace.workspace import Workspace

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def transport(workspace: Workspace, qtbot: QtBot) -> Transport:
    workspace.open_exemplar("four-words", at_once=True)
    made = Transport(workspace)
    qtbot.addWidget(made)
    made.resize(1100, 72)
    made.show()
    return made


class Clock:
    """A clock that stands until it is moved, in seconds."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def player(workspace: Workspace, clock: Clock) -> Iterator[Player]:
    workspace.open_exemplar("four-words", at_once=True)
    made = Player(workspace, clock=clock)
    yield made
    made.pause()


def test_buttons_move_to_the_merge_they_name(transport: Transport, workspace: Workspace, qtbot: QtBot) -> None:
    places = []
    for button in (transport.forward, transport.forward, transport.back, transport.last, transport.back, transport.first):
        qtbot.mouseClick(button, LEFT)
        places.append(workspace.k)
    assert places == [1, 2, 1, 10, 9, 0]


def test_tie_buttons_go_from_tie_to_tie(transport: Transport, workspace: Workspace, qtbot: QtBot) -> None:
    places = []
    for button in (transport.next_tie, transport.next_tie, transport.previous_tie, transport.previous_tie):
        qtbot.mouseClick(button, LEFT)
        places.append(workspace.k)
    assert places == [3, 4, 3, 0]


def test_buttons_that_lead_nowhere_are_off(transport: Transport, workspace: Workspace) -> None:
    def on() -> list[bool]:
        buttons = (transport.first, transport.back, transport.forward, transport.last, transport.previous_tie, transport.next_tie)
        return [button.isEnabled() for button in buttons]

    assert on() == [False, False, True, True, False, True]
    workspace.go_to_merge(4)
    assert on() == [True, True, True, True, True, True]
    workspace.go_to_merge(10)
    assert on() == [True, True, False, False, True, False]


def test_a_number_typed_moves_when_it_is_entered(transport: Transport, workspace: Workspace, qtbot: QtBot) -> None:
    transport.number.selectAll()
    qtbot.keyClicks(transport.number, "10")
    assert workspace.k == 0
    qtbot.keyClick(transport.number, Qt.Key.Key_Return)
    assert workspace.k == 10


def test_the_number_follows_and_its_label_says_of_how_many(transport: Transport, workspace: Workspace) -> None:
    workspace.go_to_merge(6)
    assert transport.number.value() == 6 and transport.made.text() == "of 10 made"


def test_a_shorter_run_does_not_move_the_one_after_it(transport: Transport, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.go_to_merge(10)
    workspace.open_exemplar("script", at_once=True)
    assert (workspace.k, transport.number.value(), transport.number.maximum()) == (0, 0, 5)
    workspace.go_to_merge(5)
    workspace.open_exemplar("four-words", at_once=True)
    assert (workspace.k, transport.number.value(), transport.number.maximum()) == (0, 0, 10)


def test_nothing_open_is_all_off(workspace: Workspace, qtbot: QtBot) -> None:
    made = Transport(workspace)
    qtbot.addWidget(made)
    controls = (made.first, made.back, made.play, made.forward, made.last, made.number, made.previous_tie, made.next_tie)
    assert not any(control.isEnabled() for control in controls)
    assert made.made.text() == "of 0 made"


def test_space_in_the_timeline_plays_and_pauses(transport: Transport, qtbot: QtBot) -> None:
    transport.timeline.setFocus()
    qtbot.keyClick(transport.timeline, Qt.Key.Key_Space)
    assert transport.player.playing and transport.play.accessibleName() == "Pause"
    qtbot.keyClick(transport.timeline, Qt.Key.Key_Space)
    assert not transport.player.playing and transport.play.accessibleName() == "Play"


def test_play_makes_merges_by_itself(transport: Transport, workspace: Workspace, qtbot: QtBot) -> None:
    transport.player.set_speed(64)
    qtbot.mouseClick(transport.play, LEFT)
    qtbot.waitUntil(lambda: workspace.k == 10)
    qtbot.waitUntil(lambda: not transport.player.playing)


def test_the_speed_menu_sets_the_pace(transport: Transport) -> None:
    menu = transport.speeds
    assert [action.text() for action in menu.actions()] == [
        "1 merge a second", "4 merges a second", "16 merges a second", "64 merges a second",
    ]  # fmt: skip
    menu.actions()[2].trigger()
    assert transport.player.speed == 16 and "16 merges a second" in transport.play.toolTip()


def test_play_keeps_its_pace(player: Player, workspace: Workspace, clock: Clock) -> None:
    player.set_speed(4)
    player.play()
    places = []
    for _ in range(5):
        clock.now += 0.125
        player.tick()
        places.append(workspace.k)
    assert places == [0, 1, 1, 2, 2]


def test_a_late_tick_makes_all_that_are_due(player: Player, workspace: Workspace, clock: Clock) -> None:
    player.set_speed(16)
    player.play()
    clock.now += 0.5
    player.tick()
    assert workspace.k == 8 and player.playing
    clock.now += 60
    player.tick()
    assert workspace.k == 10 and not player.playing


def test_play_at_the_end_begins_anew(player: Player, workspace: Workspace) -> None:
    workspace.go_to_merge(10)
    player.play()
    assert workspace.k == 0 and player.playing


@pytest.mark.parametrize("touch", ["jump", "select", "text", "recipe", "corpus"])
def test_touching_anything_else_stops_it(player: Player, workspace: Workspace, clock: Clock, qtbot: QtBot, touch: str) -> None:
    player.play()
    clock.now += 1
    player.tick()
    assert player.playing and workspace.k > 0
    if touch == "jump":
        workspace.go_to_merge(9)
    elif touch == "select":
        assert workspace.run
        workspace.select_token(workspace.run.training.table.piece(3))
    elif touch == "text":
        workspace.set_text(b"low")
    elif touch == "recipe":
        workspace.set_recipe(Recipe.of("script"))
        qtbot.waitUntil(lambda: not workspace.lanes.lanes)
    else:
        workspace.open_exemplar("taste", at_once=True)
    assert not player.playing


def test_hovering_does_not_stop_it(player: Player, workspace: Workspace) -> None:
    player.play()
    assert workspace.run
    workspace.hover(workspace.run.training.table.piece(3))
    assert player.playing


def test_nothing_to_play_is_not_played(workspace: Workspace, clock: Clock) -> None:
    player = Player(workspace, clock=clock)
    player.toggle()
    assert not player.playing and SPEEDS == (1, 4, 16, 64)


def test_another_theme_and_zoom_measure_it_anew(transport: Transport, qapp: QApplication) -> None:
    before, light = transport.height(), transport.grab().toImage()
    theme.apply(qapp, Theme.DARK, zoom=1.5)
    assert transport.height() == round(before * 1.5) and transport.timeline.height() == 96
    theme.apply(qapp, Theme.DARK)
    assert transport.grab().toImage() != light
    theme.apply(qapp, Theme.LIGHT)


def test_the_number_grows_with_the_zoom(transport: Transport, qapp: QApplication) -> None:
    for zoom in (1.5, 1.0):
        theme.apply(qapp, Theme.LIGHT, zoom=zoom)
        for widget in (transport.number, transport.number.lineEdit()):
            assert widget.font().pixelSize() == theme.font(theme.Role.FIGURE).pixelSize()


def test_a_button_that_is_off_says_why(transport: Transport, workspace: Workspace) -> None:
    assert transport.back.toolTip() == "Back one merge  Left\nNo merge is made."
    assert transport.previous_tie.toolTip().endswith("\nNo merge before this one was a tie.")
    workspace.go_to_merge(10)
    assert transport.first.toolTip() == "First merge  Home" and transport.last.toolTip() == "Last merge  End\nEvery merge is made."
    workspace.open_corpus(Corpus.of_text(b""), recipe=Recipe.of("chapter-81"), at_once=True)
    for button in (transport.play, transport.forward, transport.next_tie):
        assert not button.isEnabled() and button.toolTip().endswith("No pair occurs twice. There is no merge.")


def test_the_number_has_room_for_its_digits(workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    made = Transport(workspace)
    qtbot.addWidget(made)
    made.resize(1200, 72)
    made.show()
    workspace.go_to_merge(200)
    for focused in (False, True):
        if focused:
            made.number.setFocus()
        edit = made.number.lineEdit()
        assert edit.width() >= edit.fontMetrics().horizontalAdvance("256") + 5, "2 pixels a side and the caret"
