"""The bar above a lab: the way back, the lab's name, one sentence, and its buttons at the right."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.gui import theme
from explorer.gui.frame import Bar, Elided, Label, Tool
from explorer.gui.theme import Role, Tone


class LabHead(Bar):
    """`back_wanted` when the user leaves the lab; the sentence elides before any button goes."""

    back_wanted = Signal()

    def __init__(self, title: str, sentence: str, *right: QWidget) -> None:
        super().__init__("recipe")
        self.back = Tool("history-back", "Back to the window", "Esc")
        self.back.clicked.connect(lambda: self.back_wanted.emit())
        self.row.addWidget(self.back)
        self.row.addWidget(Label(title, Role.TITLE, Tone.INK))
        self.row.addWidget(Elided(sentence, Role.BODY, Tone.INK_2), 1)
        for widget in right:
            self.row.addWidget(widget)
        self.row.setSpacing(theme.measures().s)
