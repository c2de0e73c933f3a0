"""The size that is asked for: a number of merges or of rows, or to the end."""

from enum import Enum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.core.recipe import Recipe
from explorer.core.training import Training
from explorer.gui import theme
from explorer.gui.views.choice_box import ChoiceBox
from explorer.gui.views.number_box import NumberBox

BYTES = 256  # rows before the merges, where no training tells


class Unit(Enum):
    """What a size counts."""

    MERGES = "merges"
    ROWS = "rows"
    END = "to the end"


class SizeField(QWidget):
    """A number and its unit. `asked` tells (rows, merges) as a recipe has them; another unit keeps the table as long as it was."""

    asked = Signal(object, object)  # int | None, int | None

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Size")
        self.number = NumberBox("Size asked for", 0, 5)
        self.unit: ChoiceBox[Unit] = ChoiceBox("What the size counts", [(unit, unit.value) for unit in Unit])
        self._training: Training | None = None
        self._unit = Unit.MERGES
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.measures().xs)
        row.addWidget(self.number)
        row.addWidget(self.unit)
        self.number.settled.connect(self._on_number)
        self.unit.chosen.connect(self._on_unit)

    def show_size(self, recipe: Recipe, training: Training | None) -> None:
        """Shows what a recipe asks for; the training tells what another unit would come to."""
        self._training = training
        self._unit = Unit.ROWS if recipe.rows is not None else Unit.MERGES if recipe.merges is not None else Unit.END
        self.unit.show_value(self._unit)
        number = recipe.rows if recipe.rows is not None else recipe.merges
        if number is not None:
            self.number.show_number(number)
        self.number.setVisible(number is not None)

    def _on_number(self, number: int) -> None:
        self._ask(self._unit, number)

    def _on_unit(self, unit: Unit) -> None:
        if unit is self._unit:
            return
        floor = self._training.alphabet.floor if self._training else BYTES
        if self._unit is Unit.END:
            merges = self._training.learned if self._training else 0
        else:
            merges = max(0, self.number.value() - (floor if self._unit is Unit.ROWS else 0))
        self._ask(unit, merges + floor if unit is Unit.ROWS else merges)

    def _ask(self, unit: Unit, number: int) -> None:
        self.asked.emit(number if unit is Unit.ROWS else None, number if unit is Unit.MERGES else None)
