"""Puts the look that the settings ask for on the application: theme, zoom, motion, what tints say."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from explorer.gui import theme, tinting
from explorer.gui.theme import Theme
from explorer.gui.tinting import Tinting
from explorer.workspace.settings import Settings

_DARK_BELOW = 128  # lightness of a window's ground


def wear(settings: Settings) -> None:
    """Puts it on if it is not on already."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    wanted = system_theme() if settings.theme == "auto" else Theme(settings.theme)
    motion = theme.STILL if settings.reduce_motion else theme.MOVING
    if (wanted, settings.zoom, motion) != (theme.chosen(), theme.zoom(), theme.motion()) or not app.styleSheet():
        theme.apply(app, wanted, zoom=settings.zoom, motion=motion)
    if tinting.wear(Tinting(settings.tinting)):
        for widget in app.allWidgets():
            widget.update()


def system_theme() -> Theme:
    """Light or dark as the system says; where it says nothing, by the lightness of its own palette."""
    scheme = QGuiApplication.styleHints().colorScheme()
    if scheme is Qt.ColorScheme.Unknown:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        dark = app.style().standardPalette().color(QPalette.ColorRole.Window).lightness() < _DARK_BELOW
        return Theme.DARK if dark else Theme.LIGHT
    return Theme.DARK if scheme is Qt.ColorScheme.Dark else Theme.LIGHT
