"""The table of commands: when each can be used, and that it says why where it cannot."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QMenuBar
from pytestqt.qtbot import QtBot

from explorer.gui.actions import COMMANDS, Actions
from explorer.gui.frame import Tool
from explorer.gui.menus import Menus
from explorer.workspace.workspace import Workspace


class Clock:
    """A clock that stands until it is moved, in seconds."""

    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def workspace(qapp: QApplication, clock: Clock) -> Iterator[Workspace]:
    made = Workspace(clock=clock)
    yield made
    made.close()
    made.deleteLater()


def test_every_command_that_is_off_says_why_and_no_other_does(workspace: Workspace) -> None:
    actions = Actions(workspace, workspace)
    for stand in (None, 0, 4, 10):
        if stand is not None:
            workspace.open_exemplar("four-words", at_once=True)
            workspace.go_to_merge(stand)
        for command in COMMANDS:
            action = actions[command.name]
            reason = action.toolTip() if action.toolTip() != action.iconText() else ""  # Qt's own where none was set
            assert bool(reason) is not action.isEnabled(), (stand, command.name)
            assert not reason or reason.endswith(".")


def test_menus_and_buttons_show_the_reason(workspace: Workspace, clock: Clock, qtbot: QtBot) -> None:
    actions = Actions(workspace, workspace)
    bar = QMenuBar()
    qtbot.addWidget(bar)
    menus = Menus(bar, actions, lambda name: None, lambda path: None, lambda name: None)
    assert all(action.menu().toolTipsVisible() for action in bar.actions())
    button = Tool.of_action("history-back", actions["back"])
    qtbot.addWidget(button)
    assert button.toolTip() == "Back to where you were  Alt+Left\nNo place was left yet."
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(2)
    clock.now += 60
    workspace.go_to_merge(5)
    assert actions["back"].isEnabled() and button.toolTip() == "Back to where you were  Alt+Left"  # at once, not with the next step
    menus.show_recent(())
    menus.show_columns(())
    assert menus.box is not None
