"""A split pattern of one's own: a line that marks where it is no regular expression."""

import regex
from PySide6.QtCore import QEvent, QPointF, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from explorer.gui import theme
from explorer.gui.frame import Label
from explorer.gui.theme import Role, Tone, px
from explorer.gui.views.number_box import REST_MS


class PatternField(QWidget):
    """`settled` tells a pattern that can be read, when it has come to rest. One that cannot says why and where, and goes nowhere."""

    settled = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.edit = _MarkedEdit()
        self.edit.setAccessibleName("Split pattern")
        self.fault = Label("", Role.CAPTION, Tone.ERROR)
        self.fault.hide()
        self._shown = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._settle)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.measures().xs)
        column.addWidget(self.edit)
        column.addWidget(self.fault)
        self.edit.textChanged.connect(self._on_text)
        self.edit.editingFinished.connect(self._settle)

    def show_pattern(self, pattern: str) -> None:
        """Shows a pattern; nobody is told."""
        if pattern != self._shown or not self.edit.hasFocus():
            self._shown = pattern
            self.edit.setText(pattern)
            self._rest.stop()

    def _on_text(self, text: str) -> None:
        words, place = fault_of(text)
        self.edit.set_place(place)
        self.fault.setText(words)
        self.fault.setVisible(bool(words))
        self._rest.start()

    def _settle(self) -> None:
        self._rest.stop()
        text = self.edit.text()
        if text != self._shown and not self.fault.text():
            self._shown = text
            self.settled.emit(text)


def fault_of(pattern: str) -> tuple[str, int | None]:
    """What is wrong with a pattern, and the place in it (0-based code points); empty and None where nothing is.

    >>> fault_of("a[b")
    ('Column 4: unterminated character set.', 3)
    """
    try:
        regex.compile(pattern)
    except regex.error as error:
        place = min(error.pos, len(pattern)) if error.pos is not None else None
        where = "" if place is None else f"Column {place + 1}: "
        return f"{where}{error.msg}.", place
    except (RecursionError, OverflowError, MemoryError):
        return "Too large, or groups too deep in each other.", None
    return "", None


class _MarkedEdit(QLineEdit):
    """A line with a wedge under one place of its text."""

    def __init__(self) -> None:
        super().__init__()
        self._place: int | None = None
        self.setFont(theme.font(Role.FIGURE))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event) and self.font() != (font := theme.font(Role.FIGURE)):
            self.setFont(font)

    @property
    def place(self) -> int | None:
        """The place marked."""
        return self._place

    def set_place(self, place: int | None) -> None:
        self._place = place
        if self.property("invalid") != (place is not None):
            self.setProperty("invalid", place is not None)
            self.style().unpolish(self)  # a style sheet looks at properties when it polishes, and only then
            self.style().polish(self)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._place is None:
            return
        metrics, text = self.fontMetrics(), self.text()
        cursor = QPointF(self.cursorRect().center())
        x = cursor.x() + metrics.horizontalAdvance(text[: self._place]) - metrics.horizontalAdvance(text[: self.cursorPosition()])
        foot = self.height() - px(3)
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(theme.current().error, px(1.5)))
        p.drawPolyline([QPointF(x - px(4), foot), QPointF(x, foot - px(4)), QPointF(x + px(4), foot)])
        p.end()
