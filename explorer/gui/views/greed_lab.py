"""The greed lab: the best merges beside those that greedy merging takes, as a tree of choices."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.frame import Rule
from explorer.gui.views.empty_page import EmptyPage
from explorer.gui.views.lab_head import LabHead
from explorer.workspace.workspace import Workspace

SENTENCE = "Taking the commonest pair each time is not always best."


class GreedLab(QWidget):
    """The user sees an empty page so far; `left` when the user goes back to the window."""

    left = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.head = LabHead("Greed", SENTENCE)
        self.head.back_wanted.connect(self.left)
        self.empty = EmptyPage("Nothing is searched yet.")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.head, Rule()):
            column.addWidget(widget)
        column.addWidget(self.empty, 1)
        self.setFocusProxy(self.head.back)
