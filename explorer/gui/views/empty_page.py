"""A page that has nothing to show: one sentence in the middle, with what can be done about it under it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from explorer.gui import theme
from explorer.gui.frame import Label, Part
from explorer.gui.theme import Role, Tone


class EmptyPage(QFrame):
    """A sentence, wrapped where it must be, and the widgets that lead on."""

    def __init__(self, sentence: str, *onward: QWidget) -> None:
        super().__init__()
        self.setProperty("part", Part.PAGE.value)
        self._sentence = Label(sentence, Role.BODY, Tone.INK_2)
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.measures().xl, theme.measures().xl, theme.measures().xl, theme.measures().xl)
        column.setSpacing(theme.measures().m)
        column.addStretch(1)
        column.addWidget(self._sentence)
        for widget in onward:
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def set_sentence(self, sentence: str) -> None:
        """Says something else."""
        self._sentence.setText(sentence)

    def sentence(self) -> str:
        """What it says."""
        return self._sentence.text()
