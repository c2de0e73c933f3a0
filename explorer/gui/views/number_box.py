"""Boxes for numbers: one in the face of figures, and one whose change costs work, which tells the number when it has come to rest."""

from PySide6.QtCore import QEvent, QSize, QTimer, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSpinBox

from explorer.gui import theme
from explorer.gui.theme import Role, px

REST_MS = 250
AROUND = 50.0  # pixels of a spin box that are not its digits: paddings, borders, arrows
MOST = 2**31 - 1  # what the box can hold


class FigureBox(QSpinBox):
    """A number in the face of figures, at every zoom.

    It takes its font by itself: one that the widget around it gives is lost when the style sheet is put on anew.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._wear()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._wear()

    def _wear(self) -> None:
        font = theme.font(Role.FIGURE)
        for widget in (self, self.lineEdit()):  # the line draws in a font of its own once a style sheet gave it one
            if widget.font() != font:
                widget.setFont(font)


class NumberBox(QSpinBox):
    """`settled` tells the number 250 ms after the last change, or at once on Enter; what `show_number` puts there it does not tell.

    The wheel turns it only where it has the focus.
    """

    settled = Signal(int)

    def __init__(self, name: str, least: int, digits: int, prefix: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setRange(least, MOST)
        self.setPrefix(prefix)
        self._digits = digits
        self._shown = self.value()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._settle)
        self.valueChanged.connect(self._on_changed)
        self.editingFinished.connect(self._settle)

    def show_number(self, number: int) -> None:
        """Shows a number; nobody is told. What is being typed stays, unless the number is another one than was told last."""
        if self._rest.isActive() and number == self._shown:
            return
        self._shown = number
        self.setValue(number)
        self._rest.stop()

    def _on_changed(self) -> None:
        self._rest.start()
        self.updateGeometry()

    def _settle(self) -> None:
        self._rest.stop()
        if self.value() != self._shown:
            self._shown = self.value()
            self.settled.emit(self._shown)

    def sizeHint(self) -> QSize:
        digits = max(self._digits, len(str(self.value())))
        text = self.prefix() + "0" * digits + self.suffix()
        return QSize(round(self.fontMetrics().horizontalAdvance(text) + px(AROUND)), theme.measures().control)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
