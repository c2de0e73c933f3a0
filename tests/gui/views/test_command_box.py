"""The box that finds commands."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.theme import Theme
from explorer.gui.views.command_box import CommandBox


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
