"""The greed lab: the best merges beside those that greedy merging takes, as a tree of choices."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from explorer.core.progress import Progress, Stage, drain
from explorer.core.recipe import Recipe
from explorer.errors import ExplorerError
from explorer.gui import theme
from explorer.gui.frame import Kind, Label, Pane, Part, Push, Rule, Tool, split
from explorer.gui.models import greed_search as greed
from explorer.gui.models.greed_search import Answer, Question, answer_steps
from explorer.gui.painting.paint import thousands
from explorer.gui.theme import Role, Tone
from explorer.gui.views.choice_layout import Spot
from explorer.gui.views.choice_tree import ChoiceTree
from explorer.gui.views.empty_page import EmptyPage
from explorer.gui.views.gap import Gap, GapRow
from explorer.gui.views.lab_head import LabHead
from explorer.gui.views.lateness import Lateness
from explorer.gui.views.number_box import NumberBox
from explorer.gui.views.words_under_both import Side, WordsUnderBoth
from explorer.workspace.job import Job, JobState
from explorer.workspace.values import Lane, Task
from explorer.workspace.workspace import Workspace

SENTENCE = "Taking the commonest pair each time is not always best."
NO_CORPUS = "No corpus is open."
TASTE = "taste"  # the exemplar on which greedy merging loses


class GreedLab(QWidget):
    """The user sees the tree of choices, greedy against best in bars, the words under both tables and what is known of the best.

    The search runs in the lab's lane while the page is shown, and is begun anew for another corpus, recipe or number of merges; for a large
    corpus only when asked. Hears run and task; calls `set_recipe`, `go_to_merge`, `open_exemplar` and `select_token`. `left` when the user
    goes back to the window.
    """

    left = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._answer: Answer | None = None
        self._asked: Question | None = None  # what is searched, or was: then `_ended` says how it ended without an answer
        self._ended = ""
        self._nodes = greed.FIRST_NODES
        self._insisted = False  # a large corpus is searched all the same
        self._about: Question | None = None  # the corpus and recipe that merges and nodes were set for
        self._awaited: tuple[Recipe, int] | None = None  # the run and merge that a node is waiting for
        self._build_views()
        self._build_layout()
        self._connect()
        self._show()
        Lateness(workspace, self.tree_pane, self.gap_pane, self.words_pane)

    def sizeHint(self) -> QSize:
        return QSize(900, 500)

    # --- building ---------------------------------------------------------------------------------------------------

    def _build_views(self) -> None:
        self.merges = NumberBox("Merges searched", 1, 2)
        self.merges.setMaximum(greed.MOST_MERGES)
        self.deeper = Push("Search deeper", "search")
        self.cancel = Push("Cancel", "close")
        self.open = Push("Open this node in the window", kind=Kind.PRIMARY)
        self.head = LabHead("Greed", SENTENCE, Label("merges"), self.merges, self.deeper, self.cancel, self.open)
        self.tree, self.gap = ChoiceTree(), Gap()
        self.smaller, self.larger, self.fit = Tool("minus", "Smaller", "-"), Tool("plus", "Larger", "+"), Tool("fit", "Fit", "0")
        self.words = WordsUnderBoth(Side("Greedy", Tone.GREEDY), Side("Best", Tone.BEST))
        self.known = tuple(Label("", Role.BODY) for _ in range(4))
        self.taste = Push("Open the taste exemplar", kind=Kind.PRIMARY)
        self.anyway, self.again = Push("Search anyway"), Push("Search again")
        self.empty = EmptyPage(NO_CORPUS, self.taste, self.anyway, self.again)

    def _build_layout(self) -> None:
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.tree_pane = Pane("Tree of choices", self.tree, self.smaller, self.larger, self.fit)
        self.gap_pane = Pane("Greedy against best", self.gap)
        self.words_pane = Pane("Words under both", self.words)
        right = split(down, (290, 200, 160), self.gap_pane, self.words_pane, Pane("What is known", _lines(self.known)))
        self._found_page = split(across, (900, 540), self.tree_pane, right)
        self.pages = QStackedWidget()
        for page in (self.empty, self._found_page):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(Rule())
        column.addWidget(self.pages, 1)
        self.setFocusProxy(self.tree)

    def _connect(self) -> None:
        workspace = self._workspace
        workspace.run_changed.connect(self._on_run)
        workspace.task_changed.connect(self._on_task)
        self.head.back_wanted.connect(self.left)
        self.merges.settled.connect(self._on_merges)
        self.deeper.clicked.connect(self.search_deeper)
        self.cancel.clicked.connect(lambda: workspace.lanes.cancel(Lane.LAB))
        self.open.clicked.connect(self.open_node)
        self.taste.clicked.connect(lambda: workspace.open_exemplar(TASTE))
        self.anyway.clicked.connect(self.search_anyway)
        self.again.clicked.connect(self.search_again)
        for button, scale in ((self.smaller, self.tree.smaller), (self.larger, self.tree.larger), (self.fit, self.tree.fit)):
            button.clicked.connect(scale)
        self.tree.chosen.connect(self._on_chosen)
        self.tree.opened.connect(self.open_node)
        self.words.token_wanted.connect(workspace.select_token)

    # --- what the user does -----------------------------------------------------------------------------------------

    def search_deeper(self) -> None:
        """Looks at more states."""
        self._nodes *= greed.DEEPER
        self._search()

    def search_anyway(self) -> None:
        """Searches a corpus that is large for it."""
        self._insisted = True
        self._search()

    def search_again(self) -> None:
        """Begins a search that was stopped once more."""
        self._asked, self._ended = None, ""
        self._search()

    def open_node(self) -> None:
        """Puts the window where the chosen node is: at a run that makes the merges which lead there."""
        spot, run = self.tree.current, self._workspace.run
        if spot is None or run is None:
            return
        self._awaited = (greed.recipe_at(run, spot.path), spot.level)
        self._workspace.set_recipe(self._awaited[0])
        self._go_if_there()
        self.left.emit()

    def _go_if_there(self) -> None:
        """Goes to the merge of the opened node, once a run that makes it is the active one."""
        run = self._workspace.run
        if self._awaited and run and run.recipe == self._awaited[0] and run.training.learned >= self._awaited[1]:
            merges, self._awaited = self._awaited[1], None
            QTimer.singleShot(0, self, lambda: self._workspace.go_to_merge(merges))  # after all others heard of the run

    # --- searching --------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._search()

    def _on_run(self, _: object) -> None:
        self._go_if_there()
        self._search()

    def _on_merges(self, _: int) -> None:
        self._nodes = greed.FIRST_NODES
        self._search()

    def _search(self) -> None:
        """Begins the search for what is open, unless it is answered, being searched or too large; a hidden page waits to be shown."""
        if not self.isVisible():
            return
        if question := self._question():
            if question.same_as(self._answer.question if self._answer else None):
                self._workspace.lanes.drop(Lane.LAB)
                self._asked, self._ended = None, ""
            elif not question.same_as(self._asked) and not self._too_large():
                self._begin(question)
        self._show()

    def _begin(self, question: Question) -> None:
        self._asked, self._ended = question, ""
        what = f"best sequence of {_merges_words(question.merges)}"

        def work(progress: Progress) -> Answer:
            return drain(answer_steps(question), progress)

        self._workspace.lanes.run(Lane.LAB, what, work, self._on_ended)

    def _question(self) -> Question | None:
        """What would be searched now; for another corpus or recipe merges and nodes are set anew, and the search of the old one ends."""
        run, corpus = self._workspace.run, self._workspace.corpus
        if run is None or corpus is None:
            return None
        question = Question(corpus, greed.bare(run.recipe), self.merges.value(), self._nodes)
        if not question.about(self._about):
            self._workspace.lanes.drop(Lane.LAB)
            self._asked, self._insisted, self._nodes, self._ended = None, False, greed.FIRST_NODES, ""
            self.merges.show_number(greed.merges_at_first(run))
            self._about = question = Question(corpus, question.recipe, self.merges.value(), self._nodes)
        return question

    def _too_large(self) -> bool:
        run = self._workspace.run
        return run is not None and not self._insisted and greed.symbols_of(run) > greed.LARGE

    def _on_ended(self, job: Job) -> None:
        if job.state is JobState.SUCCEEDED:
            assert isinstance(job.result, Answer)
            self._answer, self._asked = job.result, None
            self._show_answer(job.result)
        elif job.state is JobState.CANCELLED:
            self._ended = "The search was stopped."
        elif isinstance(job.error, ExplorerError):
            self._ended = str(job.error)
        elif job.error:
            raise job.error
        self._show()

    # --- what is shown ----------------------------------------------------------------------------------------------

    @property
    def answer(self) -> Answer | None:
        """The answer that is shown."""
        return self._answer if self.pages.currentWidget() is self._found_page else None

    def _on_task(self, task: Task | None) -> None:
        if self.isVisible() and task and task.lane is Lane.LAB:
            self._show_empty(task)

    def _show(self) -> None:
        question = self._question()
        here = self._answer is not None and question is not None and question.about(self._answer.question)
        self.pages.setCurrentWidget(self._found_page if here else self.empty)
        searching = self._searching()
        self.cancel.setVisible(searching)
        self.deeper.setVisible(here and not searching and self._answer is not None and not self._answer.optimum.proven)
        self.deeper.setToolTip(f"Look at {thousands(self._nodes * greed.DEEPER)} states")
        self.merges.setEnabled(question is not None)
        self.open.setEnabled(here and self.tree.current is not None)
        self.open.setToolTip("" if self.open.isEnabled() else "No node is chosen.")
        if here and self._answer:
            self._tell_chosen()
        self._show_empty()

    def _searching(self) -> bool:
        return self._asked is not None and not self._ended and self._workspace.lanes.busy(Lane.LAB)

    def _show_empty(self, task: Task | None = None) -> None:
        run, searching, large = self._workspace.run, self._searching(), self._too_large()
        self.taste.setVisible(run is None or large or bool(self._ended))
        self.anyway.setVisible(large and not searching)
        self.again.setVisible(bool(self._ended) and not large)
        if run is None:
            self.empty.set_sentence(NO_CORPUS)
        elif self._ended:
            self.empty.set_sentence(self._ended)
        elif large:
            symbols, words = thousands(greed.symbols_of(run)), thousands(run.training.pretokens.distinct)
            self.empty.set_sentence(
                "Going through every sequence of merges is for small corpora. This one has "
                f"{symbols} symbols in {words} distinct pre-tokens; up to {thousands(greed.LARGE)} are searched without asking."
            )
        else:
            looked = task and task.step.stage is Stage.SEARCHING and task.step.done
            states = f" {thousands(task.step.done)} states looked at." if task and looked else ""
            self.empty.set_sentence(f"Searching the best sequence of {_merges_words(self.merges.value())}…{states}")

    def _show_answer(self, answer: Answer) -> None:
        optimum, greedy = answer.optimum, answer.greedy
        self.tree.show_tree(optimum.root, optimum.merges)
        pairs = zip(greedy.lengths, optimum.best, strict=True)
        self.gap.show_rows(optimum.start, tuple(GapRow(made, ours, best) for made, (ours, best) in enumerate(pairs, start=1)))
        self.gap_pane.set_facts(greed.decides_words(answer))
        self.words.show_words(answer.words, (answer.comparison.only_one, answer.comparison.only_other))
        self.words_pane.set_facts(f"after {_merges_words(optimum.merges)}; {answer.words.facts()}")
        lines = (greed.verdict(answer), greed.bound_words(answer), greed.share_words(answer), greed.rules_words(answer))
        tones = (Tone.OK if optimum.proven else Tone.INK, Tone.INK_2, Tone.INK, Tone.INK_2)
        for label, line, tone in zip(self.known, lines, tones, strict=True):
            label.setText(line)
            label.set_tone(tone)
            label.setVisible(bool(line))

    def _on_chosen(self, spot: Spot) -> None:
        self._tell_chosen()

    def _tell_chosen(self) -> None:
        """The facts of the tree: what is searched now, or the node that is chosen."""
        spot = self.tree.current
        if self._searching():
            self.tree_pane.set_facts(f"searching {_merges_words(self.merges.value())}…")
        elif self._ended:
            self.tree_pane.set_facts(self._ended)
        elif spot:
            below = spot.node.best_below
            best = f", best from here {thousands(below)}" if below is not None and spot.node.children else ""
            self.tree_pane.set_facts(f"tied pairs and the best are drawn; chosen: {thousands(spot.node.length)} tokens{best}")


def _merges_words(merges: int) -> str:
    return f"{merges} merge{'' if merges == 1 else 's'}"


def _lines(labels: tuple[Label, ...]) -> QWidget:
    body = QFrame()
    body.setProperty("part", Part.PAGE.value)
    column = QVBoxLayout(body)
    inset = theme.measures().m
    column.setContentsMargins(inset, 0, inset, inset)
    column.setSpacing(theme.measures().s)
    for label in labels:
        label.setWordWrap(True)
        column.addWidget(label)
    column.addStretch(1)
    scroll = QScrollArea()
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidgetResizable(True)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidget(body)
    return scroll
