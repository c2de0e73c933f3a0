"""Panes that are held back are painted one a turn, each of them once and none for ever."""

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui.turns import PaneTurns


class Pane(QWidget):
    """Notes its name when it is painted."""

    def __init__(self, name: str, painted: list[str]) -> None:
        super().__init__()
        self._name, self._painted = name, painted

    def paintEvent(self, event: QPaintEvent) -> None:
        self._painted.append(self._name)


def test_each_pane_is_painted_in_its_turn(qtbot: QtBot) -> None:
    painted: list[str] = []
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    panes = [Pane(name, painted) for name in "abc"]
    for pane in panes:
        column.addWidget(pane)
    window.resize(200, 200)
    window.show()
    qtbot.waitUntil(lambda: set(painted) == {"a", "b", "c"})
    turns = PaneTurns(window)
    qtbot.wait(20)
    painted.clear()
    turns.begin(panes)
    for pane in panes:
        pane.update()
    assert turns.busy and not panes[2].updatesEnabled()
    turns.begin(panes)  # a held key: nobody loses their place
    qtbot.waitUntil(lambda: len(painted) >= 3)
    assert painted == ["a", "b", "c"]
    assert not turns.busy and all(pane.updatesEnabled() for pane in panes)
    turns.begin(panes)
    turns.finish()
    assert not turns.busy and all(pane.updatesEnabled() for pane in panes)
    window.hide()
    turns.begin(panes)
    assert not turns.busy, "what is not seen waits for nothing"
