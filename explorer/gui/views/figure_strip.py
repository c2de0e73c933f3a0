"""A row of named figures under a hairline: what a picture above it comes to."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy

from explorer.gui import theme
from explorer.gui.painted import Painted
from explorer.gui.painting import paint
from explorer.gui.theme import Role, px

Figure = tuple[str, str]  # what it is, and how much


class FigureStrip(Painted):
    """Each figure under its name, in columns of one width."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._figures: tuple[Figure, ...] = ()
        self.restyled()

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        """Other figures."""
        self._figures = figures
        self.setAccessibleDescription(", ".join(f"{name}: {value}" for name, value in figures))
        self.update()

    def restyled(self) -> None:
        self.setFixedHeight(round(px(60)))

    def draw(self, p: QPainter, clip: QRectF) -> None:
        inset = theme.measures().m
        p.fillRect(QRectF(inset, 0, self.width() - 2 * inset, 1), self.ink.line)
        column = min(px(160), (self.width() - 2 * inset) / max(1, len(self._figures)))
        for at, (name, value) in enumerate(self._figures):
            x, room = inset + at * column, column - px(8)
            paint.words(p, paint.elided(name, Role.CAPTION, room), x, px(18), Role.CAPTION, self.ink.ink_3)
            paint.words(p, paint.elided(value, Role.FIGURE_STRONG, room), x, px(38), Role.FIGURE_STRONG, self.ink.ink)
