"""Icons that take their colour from the theme at the moment they are painted.

One SVG per icon serves every theme: a QIcon made here asks `theme.current()` each time Qt wants its
picture, so a theme change needs no more than the repaint it causes anyway.

    icon("fork")                        ink_2; ink_off where disabled, accent where checked
    icon("forward", Tone.ON_ACCENT)     on a primary button
"""

from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from explorer.gui import theme
from explorer.gui.style_sheet import tinted
from explorer.gui.theme import Tone


class TintedIcon(QIconEngine):
    """Draws one SVG in the colour that the theme has for the mode and state asked for."""

    def __init__(self, name: str, tone: Tone) -> None:
        super().__init__()
        self._name, self._tone = name, tone

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        square = QRectF(0, 0, side, side)
        square.moveCenter(QRectF(rect).center())
        draw_icon(painter, self._name, square, self._colour(mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(made.rect()), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return TintedIcon(self._name, self._tone)

    def _colour(self, mode: QIcon.Mode, state: QIcon.State) -> QColor:
        ink = theme.current()
        if mode is QIcon.Mode.Disabled:
            return ink.ink_off
        return ink.accent if state is QIcon.State.On else self._tone.of(ink)


def icon(name: str, tone: Tone = Tone.INK_2) -> QIcon:
    """An icon by the name of its file in `icons/`; raises FileNotFoundError for a name that is not there."""
    _renderer(name, theme.current().ink.name())  # a wrong name fails here, not in a paint event
    return QIcon(TintedIcon(name, tone))


def draw_icon(p: QPainter, name: str, box: QRectF, colour: QColor) -> None:
    """An icon painted into a box, for views that are one picture."""
    _renderer(name, colour.name()).render(p, box)


@cache
def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(tinted(name, colour)))
