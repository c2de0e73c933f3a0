"""The tie lab: the forks of a training beside each other, and what one tie decided the other way changed."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.frame import Rule
from explorer.gui.views.empty_page import EmptyPage
from explorer.gui.views.lab_head import LabHead
from explorer.workspace.workspace import Workspace

SENTENCE = "The same corpus and rule; one tie decided the other way."
NOTHING_COMPARED = "No other run is compared. Fork at a tie to see what its rival leads to."


class TieLab(QWidget):
    """The user sees an empty page until a run is compared; `left` when the user goes back to the window."""

    left = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.head = LabHead("Ties", SENTENCE)
        self.head.back_wanted.connect(self.left)
        self.empty = EmptyPage(NOTHING_COMPARED)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.head, Rule()):
            column.addWidget(widget)
        column.addWidget(self.empty, 1)
        self.setFocusProxy(self.head.back)
