"""A box with one of a few values in it, as wide as the one that is taken."""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel, QWheelEvent
from PySide6.QtWidgets import QComboBox

from explorer.gui import theme
from explorer.gui.theme import Role, px

Value = TypeVar("Value")
BESIDE = 56.0  # pixels of a box beside its words: padding and the arrow


class ChoiceBox(QComboBox, Generic[Value]):
    """`chosen` tells the value that a person took. The wheel scrolls past it: it never changes a recipe by accident."""

    chosen = Signal(object)

    def __init__(self, name: str, choices: Sequence[tuple[Value, str]]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(name)
        self._values = [value for value, _ in choices]
        for _, words in choices:
            self.addItem(words)
        self.currentIndexChanged.connect(self._retell)
        self.activated.connect(lambda place: self.chosen.emit(self._values[place]))

    def show_value(self, value: Value) -> None:
        """Shows a value; nobody is told."""
        self.setCurrentIndex(self._values.index(value))
        self.updateGeometry()

    def explain(self, words: Mapping[Value, str]) -> None:
        """Says of values in the list what each means, when the pointer rests on it, and of the one taken when it rests on the box."""
        for value, meaning in words.items():
            self.setItemData(self._values.index(value), meaning, Qt.ItemDataRole.ToolTipRole)
        self._retell()

    def _retell(self) -> None:
        meaning = self.itemData(self.currentIndex(), Qt.ItemDataRole.ToolTipRole)
        self.setToolTip(f"{self.accessibleName()}: {meaning}" if meaning else self.accessibleName())

    def value(self) -> Value:
        """The value shown."""
        return self._values[self.currentIndex()]

    def set_offered(self, value: Value, offered: bool) -> None:
        """Whether a person can take a value."""
        model = self.model()
        assert isinstance(model, QStandardItemModel), "a box of words has the model that Qt gave it"
        model.item(self._values.index(value)).setEnabled(offered)

    def sizeHint(self) -> QSize:
        return QSize(round(self.fontMetrics().horizontalAdvance(self.currentText()) + px(BESIDE)), theme.measures().control)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def showPopup(self) -> None:
        widest = max((self.fontMetrics().horizontalAdvance(self.itemText(at)) for at in range(self.count())), default=0)
        self.view().setMinimumWidth(round(widest + px(32)))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event) and self.font() != (font := theme.font(Role.BODY)):
            self.setFont(font)
            self.updateGeometry()
