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
    """Each figure under its name, in columns of one width, but for a figure that is longer where there is room for it."""

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
        for (name, value), (x, room) in zip(self._figures, self.columns(), strict=True):
            paint.words(p, paint.elided(name, Role.CAPTION, room), x, px(18), Role.CAPTION, self.ink.ink_3)
            paint.words(p, paint.elided(value, Role.FIGURE_STRONG, room), x, px(38), Role.FIGURE_STRONG, self.ink.ink)

    def columns(self) -> list[tuple[float, float]]:
        """Left edge and width of each figure; where not all fit, all have the same and what is longer elides."""
        inset = float(theme.measures().m)
        whole, gap = self.width() - 2 * inset, px(8)
        widths = [max(px(160), theme.metrics(Role.FIGURE_STRONG).horizontalAdvance(value) + gap) for _, value in self._figures]
        if sum(widths) > whole:
            widths = [whole / max(1, len(widths))] * len(widths)
        return [(inset + sum(widths[:at]), width - gap) for at, width in enumerate(widths)]
