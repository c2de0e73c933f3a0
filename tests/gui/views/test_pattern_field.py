"""The line of a split pattern."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.theme import Theme
from explorer.gui.views.pattern_field import PatternField


def test_a_pattern_grows_with_the_zoom(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    field = PatternField()
    qtbot.addWidget(field)
    field.show()
    for zoom in (1.5, 1.0):
        theme.apply(qapp, Theme.LIGHT, zoom=zoom)
        assert field.edit.font().pixelSize() == theme.font(theme.Role.FIGURE).pixelSize()
