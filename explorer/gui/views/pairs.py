"""Ranked pairs: the candidates for the next merge, with what another choice would be."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from explorer.core.recipe import Recipe
from explorer.core.vocabulary import TokenId
from explorer.gui.frame import Bar, Elided, Kind, Part, Push
from explorer.gui.models.pair_model import PairModel, Ranking
from explorer.gui.models.training_words import merge_line, no_pair
from explorer.gui.painting.paint import thousands
from explorer.gui.theme import px
from explorer.gui.views.pair_delegate import NOBODY
from explorer.gui.views.pair_table import PairTable
from explorer.workspace.values import RANKED, Moment, Selection
from explorer.workspace.workspace import Workspace

PATIENCE_MS = 150  # a ranking that comes sooner is not announced by "…"


class Pairs(QWidget):
    """The ranking at merge k in a table, a filter that can be opened, and a line about what is not ranked.

    While a person has selected a token, the line tells its merge instead and leads there. A row chosen selects its pair
    everywhere; a rival taken forks the run. Hears moment_changed, merge_changed, run_changed, selection_changed; calls
    select_pair, go_to_token, fork.
    """

    filter_shown = Signal(bool)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.model = PairModel()
        self.table = PairTable(self.model)
        self.filter = QLineEdit()
        self.foot = Elided()
        self.its_merge = Push("Go to its merge", kind=Kind.QUIET)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(lambda: self.model.set_stale(True))
        self._build()
        self.table.chosen.connect(self._on_chosen)
        self.table.taken.connect(self._on_taken)
        self.table.pointed.connect(self._on_pointed)
        workspace.moment_changed.connect(self._on_moment)
        workspace.run_changed.connect(self._on_run)
        workspace.selection_changed.connect(self._on_selection)
        workspace.merge_changed.connect(self._tell)
        self.its_merge.clicked.connect(self._on_its_merge)
        self._on_moment(workspace.moment)
        self._tell()

    def _build(self) -> None:
        self.model.setParent(self)
        self.filter.setPlaceholderText("Text or hex of a pair")
        self.filter.setAccessibleName("Filter pairs")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter)
        self._filter_bar = Bar("header", Part.PAGE)
        self._filter_bar.row.addWidget(self.filter)
        self._filter_bar.hide()
        foot_bar = Bar("status", Part.PAGE)
        foot_bar.row.addWidget(self.foot, 1)
        foot_bar.row.addWidget(self.its_merge)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._filter_bar)
        column.addWidget(self.table, 1)
        column.addWidget(foot_bar)
        self.setMinimumHeight(round(px(96)))

    # --- the filter ---------------------------------------------------------------------------------------------------

    def show_filter(self, shown: bool) -> None:
        """Opens the filter, with the focus in it, or closes it and shows all pairs."""
        self._filter_bar.setVisible(shown)
        if shown:
            self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.filter.clear()
        self.filter_shown.emit(shown)

    def _on_filter(self, needle: str) -> None:
        self.model.set_filter(needle)
        self._select_shown()
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.filter.text() and not self._filter_bar.isHidden():
            self.show_filter(False)
        elif event.key() == Qt.Key.Key_Escape and self.filter.text():
            self.filter.clear()
        else:
            super().keyPressEvent(event)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _on_run(self, _: object) -> None:
        """Another table: its ids mean other pieces, so the old ranking goes at once."""
        self.model.set_ranking(Ranking())
        self._tell()

    def _on_moment(self, moment: Moment | None) -> None:
        run = self._workspace.run
        if moment is None or run is None:
            self._patience.start()
            return
        self._patience.stop()
        self.model.set_ranking(Ranking(moment.ranked, run.training.table, self._workspace.next_pair))
        self._select_shown()
        self._tell()

    def _on_selection(self, _: Selection) -> None:
        self._select_shown()
        self._tell()

    def _select_shown(self) -> None:
        pair = self._workspace.selection.pair
        row = self.model.row_of(pair) if pair else None
        self.table.show_row(row)
        if row is None:
            self.table.show_winner()

    def _tell(self, _: object = None) -> None:
        run, moment, token = self._workspace.run, self._workspace.moment, self._touched()
        ranking = foot_line(run.training.recipe, moment, self.model) if run and moment else ""
        rank = run.training.table.rank_of_id(token) if run and token is not None else None
        self.foot.setText(merge_line(run.training, rank) if run and rank is not None else ranking)
        self.table.set_empty(self._why_empty())
        self.its_merge.setVisible(rank is not None and rank + 1 != self._workspace.k)

    def _why_empty(self) -> str:
        """Why there is no row: nothing is open, no pair is left, or none holds what the filter wants."""
        run, moment = self._workspace.run, self._workspace.moment
        if run is None:
            return "No corpus is open."
        if moment is None:
            return ""
        return "No ranked pair holds this." if moment.ranked else no_pair(run.training.recipe)

    def _touched(self) -> TokenId | None:
        """The id of the token that a person has selected, wherever."""
        run, selection = self._workspace.run, self._workspace.selection
        return run.training.table.find(selection.token) if run and selection.token and not selection.by_step else None

    # --- what a person does -------------------------------------------------------------------------------------------

    @property
    def _holds(self) -> bool:
        """Whether the ranking shown is the one of the present merge."""
        moment = self._workspace.moment
        return moment is not None and moment.k == self._workspace.k and moment.ranked == self.model.ranking.pairs

    def _on_chosen(self, row: int) -> None:
        self._workspace.select_pair(self.model.pieces(row))

    def _on_pointed(self, row: int) -> None:
        """Hovers the token that the pair under the pointer makes, where the table has one."""
        run, pair = self._workspace.run, self.model.pieces(row) if row != NOBODY else None
        made = pair[0].joined(pair[1]) if pair else None
        self._workspace.hover(made if run and made and run.training.table.find(made) is not None else None)

    def _on_its_merge(self) -> None:
        if (token := self._touched()) is not None:
            self._workspace.go_to_token(token)

    def _on_taken(self, row: int) -> None:
        if self._holds and not self.model.is_winner(row):
            self._workspace.fork(self._workspace.k, self.model.ranked(row).pair)


def foot_line(recipe: Recipe, moment: Moment, model: PairModel) -> str:
    """How many pairs there are, and which of them are not in the table."""
    shown = model.rowCount()
    words = f"{thousands(moment.distinct)} distinct pairs" if moment.distinct != 1 else "1 distinct pair"
    if shown < len(moment.ranked):
        words = f"{thousands(shown)} of {thousands(len(moment.ranked))} ranked · {words}"
    elif len(moment.ranked) == RANKED < moment.distinct:
        words += f"; the first {thousands(RANKED)} are shown"
    if recipe.min_count > 1 and len(moment.ranked) < moment.distinct:
        words += f"; counts under {thousands(recipe.min_count)} are not ranked"
    return words
