"""The box that finds commands."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.theme import Theme
from explorer.gui.views.command_box import NOT_NOW, NOTHING, CommandBox


@pytest.fixture
def box(qtbot: QtBot, qapp: QApplication) -> CommandBox:
    theme.apply(qapp, Theme.LIGHT)
    action = QAction("Walk", qapp)
    made = CommandBox([action])
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_lens_stands_in_the_middle_before_the_words_at_every_zoom(box: CommandBox, qapp: QApplication) -> None:
    for zoom in (1.0, 1.5, 1.0):
        theme.apply(qapp, Theme.LIGHT, zoom=zoom)
        lens = box.icon_box
        assert abs(lens.center().y() - box.height() / 2) <= 1 and QRectF(box.rect()).contains(lens)
        words = box.textMargins().left() + theme.measures().s  # the padding of a line
        assert lens.right() < words
        picture, ratio, row = box.grab().toImage(), box.devicePixelRatio(), lens.center().y()
        colours = {picture.pixelColor(round(x * ratio), round(row * ratio)).name() for x in range(round(lens.left()), round(lens.right()))}
        assert len(colours) > 1  # its outline on the ground


def test_esc_and_a_command_give_the_focus_back(qtbot: QtBot, qapp: QApplication) -> None:
    window, before = QWidget(), QPushButton("before")
    qtbot.addWidget(window)
    box = CommandBox([QAction("Walk", window)])
    column = QVBoxLayout(window)
    for widget in (before, box):
        column.addWidget(widget)
    window.show()
    window.activateWindow()
    for key, words in ((Qt.Key.Key_Escape, "Wa"), (Qt.Key.Key_Return, "Walk")):
        before.setFocus()
        qtbot.waitUntil(before.hasFocus)
        box.begin()
        assert box.hasFocus()
        box.completer().popup().hide()  # Esc first closes the list, as in any list that drops down
        box.setText(words)
        qtbot.keyClick(box, key)
        assert before.hasFocus() and box.text() == ""


def offered(box: CommandBox) -> list[str]:
    """The lines of the list, if it is there."""
    popup = box.completer().popup()
    return [popup.model().index(row, 0).data() for row in range(popup.model().rowCount())] if popup.isVisible() else []


@pytest.mark.parametrize("keys", [(Qt.Key.Key_Return,), (Qt.Key.Key_Down, Qt.Key.Key_Return)])
def test_a_command_taken_from_the_list_runs_once(qtbot: QtBot, keys: tuple[Qt.Key, ...]) -> None:
    window, ran = QWidget(), list[bool]()
    qtbot.addWidget(window)
    walk = QAction("Walk", window)
    walk.triggered.connect(lambda: ran.append(True))
    box = CommandBox([walk, QAction("Run", window)])
    QVBoxLayout(window).addWidget(box)
    window.show()
    box.begin()
    qtbot.keyClicks(box, "wa")
    for key in keys:
        qtbot.keyClick(box.completer().popup(), key)
    assert len(ran) == 1 and box.text() == ""


def test_the_list_says_that_no_command_has_the_words(qtbot: QtBot) -> None:
    window, ran = QWidget(), list[bool]()
    qtbot.addWidget(window)
    walk, run = QAction("Walk", window), QAction("Run", window)
    walk.triggered.connect(lambda: ran.append(True))
    run.setEnabled(False)
    box = CommandBox([walk, run])
    QVBoxLayout(window).addWidget(box)
    window.show()
    box.begin()
    assert offered(box) == ["Walk"]
    qtbot.keyClicks(box, "wq")
    assert offered(box) == [NOTHING]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(box.completer().popup(), key)
    assert ran == [] and box.text() == "wq", "it is nothing that can be taken"
    box.begin()
    qtbot.keyClicks(box, "ru")
    assert offered(box) == [NOT_NOW]
    box.begin()
    qtbot.keyClicks(box, "WA")
    assert offered(box) == ["Walk"]


def test_the_list_is_as_wide_as_its_longest_line_and_ends_where_the_box_ends(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    window = QWidget()
    qtbot.addWidget(window)
    words = "Walk to the very end of the long road that nobody ever walked to its end"
    box = CommandBox([QAction("Walk", window), QAction(words, window)])
    box.setParent(window)
    window.resize(700, 300)
    box.move(460, 10)
    window.show()
    box.begin()
    popup = box.completer().popup()
    qtbot.waitUntil(popup.isVisible)
    assert popup.width() > box.width() and popup.width() > popup.fontMetrics().horizontalAdvance(words)
    assert popup.mapToGlobal(popup.rect().topRight()).x() == box.mapToGlobal(box.rect().topRight()).x()
    assert popup.y() >= box.mapToGlobal(box.rect().bottomLeft()).y() - 4
    popup.hide()
