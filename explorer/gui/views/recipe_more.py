"""The rest of a recipe: a sheet under the recipe bar for what the bar has no room for."""

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from explorer.gui import theme
from explorer.gui.frame import Label
from explorer.gui.scrolled import Scrolled
from explorer.gui.theme import Role, Tone, px


class RecipeMore(QWidget):
    """Rows of a name and a field. A click outside or Esc closes it; fields may be put in and taken out while it is closed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName("More of the recipe")
        self._rows: list[tuple[Label, QWidget]] = []
        self.fields = QWidget()
        self._grid = QGridLayout(self.fields)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)  # the line round it
        self._area = Scrolled(self.fields)
        column.addWidget(self._area)
        self._grid.setColumnStretch(1, 1)
        self.error = Label("", Role.LABEL, Tone.ERROR)
        self.error.setWordWrap(True)
        self.error.hide()
        self._measure()

    def set_rows(self, rows: list[tuple[str, QWidget]]) -> None:
        """Shows these fields, from above, and no others."""
        if [field for _, field in self._rows] == [field for _, field in rows]:
            return
        kept = {field for _, field in rows}
        for label, field in self._rows:
            self._grid.removeWidget(label)
            self._grid.removeWidget(field)
            label.hide()
            label.deleteLater()
            if field not in kept and field.parentWidget() is self.fields:
                field.hide()
        self._grid.removeWidget(self.error)
        self._rows = [(Label(name), field) for name, field in rows]
        for at, (label, field) in enumerate(self._rows):
            self._grid.addWidget(label, at, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(field, at, 1)
            field.show()
        self._grid.addWidget(self.error, len(rows), 0, 1, 2)
        self._measure()

    def show_error(self, words: str) -> None:
        """What is refused, under the fields; nothing for no words."""
        self.error.setText(words)
        self.error.setVisible(bool(words))
        if self.isVisible():
            self._fit(self.screen().availableGeometry())

    def open_under(self, widget: QWidget) -> None:
        """Opens with its right edge at the right edge of a widget, inside the screen."""
        screen = widget.screen().availableGeometry()
        self._fit(screen)
        corner = widget.mapToGlobal(QPoint(widget.width() - self.width(), widget.height() + 4))
        left = max(screen.left(), min(corner.x(), screen.right() - self.width()))
        self.move(left, min(corner.y(), max(screen.top(), screen.bottom() - self.height())))
        self.show()

    def _fit(self, screen: QRect) -> None:
        """As large as its fields, or as the screen where that is smaller: then it scrolls."""
        self._grid.activate()
        needed = self.fields.sizeHint().expandedTo(self.fields.minimumSize()).grownBy(QMargins(1, 1, 1, 1))
        bar = self._area.verticalScrollBar().sizeHint().width() if needed.height() > screen.height() else 0
        self.resize(QSize(needed.width() + bar, needed.height()).boundedTo(screen.size()))

    def _measure(self) -> None:
        sizes = theme.measures()
        self._grid.setContentsMargins(sizes.l, sizes.m, sizes.l, sizes.m)
        self._grid.setHorizontalSpacing(sizes.l)
        self._grid.setVerticalSpacing(sizes.s)
        self.fields.setMinimumWidth(round(px(360)))
        for label, _ in self._rows:
            label.setFixedHeight(sizes.control)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event) and hasattr(self, "error"):  # Qt sends one while the base is being built
            self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setPen(QPen(theme.current().line_2, 1))
        p.setBrush(theme.current().raised)
        p.drawRect(self.rect().adjusted(0, 0, -1, -1))
        p.end()
