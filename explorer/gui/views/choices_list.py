"""The choices a person made against the tie rule, each of which can be taken back."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.core.recipe import Choice
from explorer.gui import theme
from explorer.gui.frame import Elided, Label, Tool
from explorer.gui.painting.piece_spelling import pair_label
from explorer.gui.theme import Role, Tone


class ChoicesList(QWidget):
    """One line a choice: its rank, its pair, and a button that removes it; "none" where there are none."""

    removed = Signal(object)  # Choice

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Choices")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._shown: tuple[Choice, ...] | None = None
        self.show_choices(())

    def show_choices(self, choices: tuple[Choice, ...]) -> None:
        """Shows the choices of a recipe."""
        if choices == self._shown:
            return
        self._shown = choices
        while (row := self._column.takeAt(0)) is not None:
            if widget := row.widget():
                widget.hide()
                widget.deleteLater()
        for choice in choices:
            self._column.addWidget(self._line(choice))
        if not choices:
            self._column.addWidget(Label("none", tone=Tone.INK_3))

    def _line(self, choice: Choice) -> QWidget:
        words = f"rank {choice.rank}: {pair_label(choice.left, choice.right)}"
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.measures().s)
        row.addWidget(Elided(words, Role.FIGURE, Tone.INK), 1)
        remove = Tool("close", f"Remove the choice at rank {choice.rank}")
        remove.clicked.connect(lambda: self.removed.emit(choice))
        row.addWidget(remove)
        return line
