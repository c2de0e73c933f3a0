"""The pane of the next merge: the equation above, the ranked pairs below."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.frame import Pane, Tool
from explorer.gui.models.training_words import is_under_way
from explorer.gui.theme import px
from explorer.gui.views.lateness import Lateness
from explorer.gui.views.next_merge import NextMerge
from explorer.gui.views.pairs import Pairs
from explorer.workspace.workspace import Workspace

WIDE = 400  # pixels: the reason fits in one line
HIGH = 400  # pixels: there is room for a second one


class NextMergePane(Pane):
    """Next merge over ranked pairs; the header says the rank and the id, its button opens the filter.

    Hears run_changed, merge_changed.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.next_merge = NextMerge(workspace)
        self.pairs = Pairs(workspace)
        self.filter = Tool("filter", "Filter pairs", checkable=True)
        super().__init__("Next merge", _above(self.next_merge, self.pairs), self.filter)
        self.filter.toggled.connect(self.pairs.show_filter)
        self.pairs.filter_shown.connect(self.filter.setChecked)
        workspace.run_changed.connect(self._tell)
        workspace.merge_changed.connect(self._tell)
        self._tell()
        Lateness(workspace, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.next_merge.set_lines(2 if self.width() < px(WIDE) and self.height() >= px(HIGH) else 1)

    def _tell(self, _: object = None) -> None:
        run, k = self._workspace.run, self._workspace.k
        if run is None:
            self.set_facts("")
            return
        token_id, comes = run.training.table.id_of_rank(k), k < run.training.learned or is_under_way(run.training)
        self.set_facts(f"rank {k} · {'will' if comes else 'would'} be token {token_id}")


def _above(upper: QWidget, lower: QWidget) -> QWidget:
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(upper)
    column.addWidget(lower, 1)
    return body
