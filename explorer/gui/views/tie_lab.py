"""The tie lab: the forks of a training beside each other, and what one tie decided the other way changed."""

from bisect import bisect_left

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from explorer.core.runs import Run
from explorer.core.vocabulary import Pair
from explorer.gui.frame import Kind, Pane, Push, Rule, Segments, Tool, split
from explorer.gui.models.comparison import Comparison
from explorer.gui.models.under_both import Pairing, UnderBoth
from explorer.gui.painting.paint import thousands
from explorer.gui.theme import Tone, px
from explorer.gui.views.compared_runs import RUNS_BEFORE, ComparedRuns
from explorer.gui.views.empty_page import EmptyPage
from explorer.gui.views.figure_strip import FigureStrip
from explorer.gui.views.fork_tracks import ForkTracks, run_spelling
from explorer.gui.views.lab_head import LabHead
from explorer.gui.views.lateness import Lateness
from explorer.gui.views.rivals import Rival, Rivals, Standing
from explorer.gui.views.two_curves import TwoCurves, track_of
from explorer.gui.views.two_runs import Rows, TwoRuns
from explorer.gui.views.two_trees import TwoTrees
from explorer.gui.views.words_under_both import Side, WordsUnderBoth
from explorer.workspace.values import RANKED, Lane
from explorer.workspace.workspace import Workspace

SENTENCE = "The same corpus and rule; one tie decided the other way."
NO_RUN = "Nothing is trained yet. Open a corpus to see its ties."
NO_TIE = "No merge of this run was a tie: at every one a single pair had the greatest count."
NOTHING_COMPARED = "No other run is compared. Fork at a tie to see what its rival would have led to."
COMPARING = "Both runs are being compared…"
NOT_COMPARED = "The comparison was stopped. Choose a run to compare it."
FORKING = "The rival is merged and everything after it…"
FIGURES_FROM = 164.0  # pixels at 100 %, of the merges with their figures: lower, the rows are worth more
CURVES_FROM = 400.0  # pixels at 100 %, of the lab: lower, the words are worth more
HINT = "click a run to compare it, Enter to make it active, Delete to drop it"


class TieLab(QWidget):
    """The user sees all runs as tracks, the tie at merge k with its rivals, and under them the active run A beside the compared B.

    Hears run, runs, compared, merge, moment, text and task; calls `fork`, `compare`, `activate`, `drop_run`, `go_to_merge`, `next_tie`,
    `previous_tie` and `select_token`. While the page is hidden nothing is compared. `left` when the user goes back to the window.
    """

    left = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._both = ComparedRuns(workspace, self)
        self._fork_at: int | None = None  # the tie whose first rival is wanted as soon as it is counted
        self._build_views()
        self._build_layout()
        self._connect()
        self._show()
        Lateness(workspace, self.forks_pane, self.tie_pane, self.merges_pane, self.words_pane, self.curves_pane)

    def sizeHint(self) -> QSize:
        return QSize(900, 500)

    # --- building ---------------------------------------------------------------------------------------------------

    def _build_views(self) -> None:
        self.open = Push("Open B in the window", kind=Kind.PRIMARY)
        self.head = LabHead("Ties", SENTENCE, self.open)
        self.tracks, self.rivals = ForkTracks(), Rivals()
        self.previous, self.next = Tool("previous-tie", "Previous tie"), Tool("next-tie", "Next tie")
        self.merges, self.figures = TwoRuns(), FigureStrip("What the choice changed")
        self.rows = Segments((Rows.ALL.value, Rows.DIFFERENCES.value), 0, "Rows shown")
        self.words = WordsUnderBoth(Side("A", Tone.ACCENT), Side("B", Tone.TIE))
        self.trees, self.words_or_trees = TwoTrees(), QStackedWidget()
        self.under = Segments(("words", "trees"), 0, "Shown under both")
        self.curves = TwoCurves()
        self.fork = Push("Fork at the next tie", "fork", Kind.PRIMARY)
        self.empty = EmptyPage(NOTHING_COMPARED, self.fork)

    def _build_layout(self) -> None:
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.forks_pane = Pane("Forks", self.tracks, facts=HINT)
        self.tie_pane = Pane("What if", self.rivals, self.previous, self.next)
        self.merges_pane = Pane("Merge by merge", _RowsOverFigures(self.merges, self.figures), self.rows)
        for under in (self.words, self.trees):
            self.words_or_trees.addWidget(under)
        self.words_pane = Pane("Words under both", self.words_or_trees, self.under)
        self.curves_pane = Pane("Length against vocabulary size", self.curves)
        low = split(across, (820, 620), self.merges_pane, split(down, (336, 230), self.words_pane, self.curves_pane))
        self.pages = QStackedWidget()
        for page in (self.empty, low):
            self.pages.addWidget(page)
        self._compared_page = low
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(Rule())
        column.addWidget(split(down, (252, 514), split(across, (1040, 400), self.forks_pane, self.tie_pane), self.pages), 1)
        self.setFocusProxy(self.tracks)

    def _connect(self) -> None:
        workspace = self._workspace
        for signal in (workspace.run_changed, workspace.runs_changed, workspace.compared_changed, workspace.merge_changed,
                       workspace.moment_changed, workspace.text_changed):  # fmt: skip
            signal.connect(self._on_changed)
        workspace.task_changed.connect(self._on_task)
        self._both.compared.connect(self._show_both)
        self._both.told.connect(self._tell_late)
        self.head.back_wanted.connect(self.left)
        self.open.clicked.connect(self.open_compared)
        self.fork.clicked.connect(self.fork_at_next_tie)
        self.previous.clicked.connect(workspace.previous_tie)
        self.next.clicked.connect(workspace.next_tie)
        self.tracks.compare_wanted.connect(workspace.compare)
        self.tracks.activate_wanted.connect(self.activate)
        self.tracks.drop_wanted.connect(workspace.drop_run)
        self.rivals.wanted.connect(self._on_rival)
        self.rows.chosen.connect(lambda place: self.merges.show_rows(tuple(Rows)[place]))
        self.under.chosen.connect(self._show_under)
        self.trees.hovered.connect(workspace.hover)
        workspace.selection_changed.connect(self._show_trees)
        for view in (self.merges, self.words, self.trees):
            view.token_wanted.connect(workspace.select_token)
        self.merges.merge_wanted.connect(workspace.go_to_merge)
        self.curves.merge_wanted.connect(self._on_curve)

    # --- what the user does -----------------------------------------------------------------------------------------

    def open_compared(self) -> None:
        """Makes B the active run and goes back to the window."""
        if compared := self._workspace.compared:
            self._workspace.activate(compared.id)
            self.left.emit()

    def activate(self, run_id: int) -> None:
        """Makes a run the active one and compares it with the one that was."""
        before = self._workspace.run
        if before and run_id != before.id:
            self._workspace.activate(run_id)
            self._workspace.compare(before.id)

    def fork_at_next_tie(self) -> None:
        """Goes to the tie at merge k or the next one, round at the end, and asks what its first rival would have led to."""
        rank = next_tie_from(self._workspace)
        if rank is not None:
            self._fork_at = rank
            self._workspace.go_to_merge(rank)
            self._fork_if_counted()

    def _fork_if_counted(self) -> None:
        """Forks at the tie that is waited for, once its pairs are counted."""
        moment, rank = self._workspace.moment, self._fork_at
        if rank is None or self._workspace.k != rank:
            self._fork_at = None
        elif moment and moment.k == rank:
            self._fork_at = None
            rival = next((pair for pair in moment.tied if pair != self._workspace.next_pair), None)
            if rival:
                self._take(rank, rival)

    def _on_rival(self, place: int) -> None:
        self._take(self._workspace.k, self.rivals.rivals[place].pair)

    def _take(self, rank: int, pair: Pair) -> None:
        """Compares the run that took a pair at a rank; forks where there is none yet."""
        known = self._run_that_took(rank, pair)
        if known:
            self._workspace.compare(known.id)
        else:
            self._workspace.fork(rank, pair)

    def _run_that_took(self, rank: int, pair: Pair) -> Run | None:
        run = self._workspace.run
        if run is None:
            return None
        pieces = run.training.table.pieces
        wanted = pieces[pair[0]], pieces[pair[1]]
        for other in self._workspace.runs:
            chosen = next((choice for choice in other.recipe.choices if choice.rank == rank), None)
            if other.parent == run.id and other.fork_rank == rank and chosen and (chosen.left, chosen.right) == wanted:
                return other
        return None

    def _on_curve(self, merges: int) -> None:
        self.merges.go_to_rank(merges)
        self._workspace.go_to_merge(merges)

    # --- what is shown ----------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.curves_pane.setVisible(self.height() >= px(CURVES_FROM))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _on_changed(self, _: object = None) -> None:
        if self._fork_at is not None:
            self._fork_if_counted()
        if self.isVisible():
            self._show()

    def _on_task(self, task: object) -> None:
        if self.isVisible():
            self._show_empty()

    def _show(self) -> None:
        workspace = self._workspace
        self.tracks.show_runs(workspace.runs, workspace.run, workspace.compared, workspace.k)
        self.forks_pane.set_facts(HINT if len(workspace.runs) > 1 else "one run so far")
        self._show_tie()
        self._show_compared()
        self._show_empty()

    def _show_tie(self) -> None:
        run, moment, k = self._workspace.run, self._workspace.moment, self._workspace.k
        counted = moment if moment and moment.k == k else None
        self.tie_pane.set_title(f"What if at merge {thousands(k)}" if run else "What if")
        if run is None or counted is None:
            self.tie_pane.set_facts("…" if run else "")
            self.rivals.show_rivals(() if run is None else self.rivals.rivals)
            return
        tied = counted.tied if len(counted.tied) > 1 else ()
        rivals = tuple(self._rival(run, pair) for pair in tied[:RANKED])
        self.rivals.show_rivals(rivals, f"No tie at merge {thousands(k)}. {self._where_next()}")
        count = next((ranked.count for ranked in counted.ranked if ranked.pair in tied), 0)
        cut = f", the first {thousands(RANKED)} are shown" if len(tied) > RANKED else ""
        self.tie_pane.set_facts(f"{thousands(len(tied))} pairs occur {thousands(count)} times{cut}" if tied else "")

    def _rival(self, run: Run, pair: Pair) -> Rival:
        pieces, taken = run.training.table.pieces, self._run_that_took(self._workspace.k, pair)
        k, merges = self._workspace.k, run.training.merges
        if k < len(merges) and pair == merges[k].pair:  # behind the last merge none was taken
            standing = Standing.TAKEN
        elif taken is None:
            standing = Standing.OPEN
        else:
            compared = self._workspace.compared
            standing = Standing.COMPARED if compared and taken.id == compared.id else Standing.FORKED
        return Rival(pair, pieces[pair[0]], pieces[pair[1]], standing)

    def _where_next(self) -> str:
        rank = next_tie_from(self._workspace)
        if rank is None:
            return NO_TIE
        return f"The {'next' if rank >= self._workspace.k else 'first'} one is at merge {thousands(rank)}."

    def _show_compared(self) -> None:
        one, other = self._workspace.run, self._workspace.compared
        self.open.setEnabled(other is not None)
        self.open.setToolTip("" if other else "No other run is compared.")
        if one is None or other is None:
            self._both.forget()
            self.merges.show_runs(None)
            self.words.show_words(None)
            self.curves.show_tracks(None, None, None)
            self._show_trees()
        else:
            self._both.want(Pairing(one, other, self._workspace.text))

    def _show_both(self, made: UnderBoth, same_runs: bool) -> None:
        if not same_runs:
            self._show_comparison(made.comparison, made.pairing.one, made.pairing.other)
            self._show_trees()
        self.words.show_words(made.words, (made.comparison.only_one, made.comparison.only_other))
        self._tell_under()

    def _tell_late(self) -> None:
        """Says of what is shown that it is of other runs, or of another text."""
        late = self._both.late
        for pane in (self.merges_pane, self.words_pane, self.curves_pane):
            of_this = late if pane is self.words_pane or late == RUNS_BEFORE else ""
            pane.set_aside(of_this or self.forks_pane.aside())
        self._show_empty()

    def _show_comparison(self, made: Comparison, one: Run, other: Run) -> None:
        self.merges.show_runs(made, (run_spelling(one), run_spelling(other)))
        self.merges.scroll_to_first_difference()
        self.merges_pane.set_facts(made.facts())
        lengths = " and ".join(map(thousands, made.lengths))
        self.figures.show_figures((
            ("merges that differ", f"{thousands(len(made.differing))} of {thousands(made.ranks)}"),
            ("rows only in A", thousands(len(made.only_one))), ("rows only in B", thousands(len(made.only_other))),
            ("length at the end", lengths),
        ))  # fmt: skip
        self.curves.show_tracks(track_of(made.one), track_of(made.other), made.first)
        self.curves_pane.set_facts(gap_words(made))

    def _show_under(self, place: int) -> None:
        self.words_or_trees.setCurrentIndex(place)
        self._tell_under()
        self._show_trees()

    def _tell_under(self) -> None:
        shown, made = self.words_or_trees.currentWidget(), self._both.shown
        self.words_pane.set_title("Words under both" if shown is self.words else "Trees under both")
        cut = made.words.facts() if made else ""
        self.words_pane.set_facts(cut if shown is self.words else "of the selected token, or of the first that differs" if made else "")

    def _show_trees(self, _: object = None) -> None:
        """Both trees of what a person selected; a step selects nothing that both have."""
        chosen = self._workspace.selection
        if self.words_or_trees.currentWidget() is self.trees:
            self.trees.show_trees(self._both.shown.comparison if self._both.shown else None, None if chosen.by_step else chosen.token)

    def _show_empty(self) -> None:
        workspace = self._workspace
        forking, tie = workspace.lanes.busy(Lane.FORK) or self._fork_at is not None, next_tie_from(workspace)
        comparing = workspace.compared is not None and self._both.busy
        self.pages.setCurrentWidget(self._compared_page if workspace.compared and self._both.shown else self.empty)
        self.fork.setVisible(tie is not None and not forking and not comparing)
        sentence = NO_RUN if workspace.run is None else FORKING if forking else COMPARING if comparing else ""
        sentence = sentence or (NOT_COMPARED if workspace.compared else NO_TIE if tie is None else NOTHING_COMPARED)
        if sentence != self.empty.sentence():
            self.empty.set_sentence(sentence)


def next_tie_from(workspace: Workspace) -> int | None:
    """The rank of the tie at merge k or of the next one, else of the first; None where no merge was a tie."""
    if workspace.run is None:
        return None
    ties = workspace.run.training.tied_ranks
    after = bisect_left(ties, workspace.k)
    return ties[after % len(ties)] if ties else None


def gap_words(made: Comparison) -> str:
    """How far the curves lie apart, at most and at the end."""
    widest, last = made.gaps
    if not widest:
        return "A and B lie on each other: no gap"
    at_end = f", {abs(last)} at the end" if last != widest else ""
    return f"at most {thousands(abs(widest))} tokens apart{at_end}"


class _RowsOverFigures(QWidget):
    """The merges, and under them what they come to, where the rows leave room for it."""

    def __init__(self, merges: QWidget, figures: QWidget) -> None:
        super().__init__()
        self._figures = figures
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(merges, 1)
        column.addWidget(figures)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._figures.setVisible(self.height() >= px(FIGURES_FROM))
