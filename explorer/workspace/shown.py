"""The side of the Workspace that views read: what is open now, the signals that tell when it changes, and how failures are told."""

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText
from explorer.core.recipe import Recipe
from explorer.core.runs import Run
from explorer.core.timeline import Timeline
from explorer.core.vocabulary import Pair, Piece, TokenId
from explorer.errors import ExplorerError
from explorer.workspace.history import Trail, UndoHistory
from explorer.workspace.job import Job, JobState, Lanes
from explorer.workspace.open_runs import OpenRuns
from explorer.workspace.pair_counter import PairCounter
from explorer.workspace.trainer import Trainer
from explorer.workspace.values import Level, MergesUsed, Moment, Notice, Selection, Task
from explorer.workspace.your_text import YourText


class Shown(QObject):
    """What is open, where one stands in it and what is under way; the verbs of `Workspace` change it, and nothing else does."""

    corpus_changed = Signal(object)  # Corpus
    recipe_changed = Signal(object)  # Recipe: the one asked for, ahead of run.recipe while training
    run_changed = Signal(object)  # Run: the active one
    runs_changed = Signal(object)  # tuple[Run, ...]
    compared_changed = Signal(object)  # Run | None
    merge_changed = Signal(int)  # k
    moment_changed = Signal(object)  # Moment | None: None while it is being counted
    selection_changed = Signal(object)  # Selection
    hover_changed = Signal(object)  # Piece | None
    text_changed = Signal(object)  # bytes
    encoded_changed = Signal(object)  # EncodedText | None: None while it is being encoded
    merges_used_changed = Signal(object)  # MergesUsed
    merges_learned = Signal(object)  # tuple[Merge, ...] so far, while training
    task_changed = Signal(object)  # Task | None
    place_shown = Signal(int)  # a byte of the corpus that should be in view
    noticed = Signal(object)  # Notice

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._corpus: Corpus | None = None
        self._recipe = Recipe.of("chapter-81")
        self._runs = OpenRuns()
        self._k = 0
        self._selection = Selection()
        self._hovered: Piece | None = None
        self._used = MergesUsed.FIRST_K
        self._task: Task | None = None
        self.undo_history = UndoHistory()
        self.trail = Trail(clock)
        self.lanes = Lanes(self)
        self.lanes.task_changed.connect(self._on_task)
        self._counter = PairCounter(self.lanes, self._then, self)
        self._counter.moment_changed.connect(self.moment_changed)
        self._your_text = YourText(self.lanes, self._then, self)
        self._your_text.encoded_changed.connect(self.encoded_changed)
        self._trainer = Trainer(self.lanes, clock, self)
        self._trainer.learned.connect(self.merges_learned)

    # --- what is open -----------------------------------------------------------------------------------------------

    @property
    def corpus(self) -> Corpus | None:
        """The open corpus, as its file has it."""
        return self._corpus

    @property
    def recipe(self) -> Recipe:
        """The recipe asked for."""
        return self._recipe

    @property
    def run(self) -> Run | None:
        """The active run."""
        return self._runs.run

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs on this corpus, oldest first."""
        return tuple(opened.run for opened in self._runs.all)

    @property
    def compared(self) -> Run | None:
        """The run compared with the active one."""
        return self._runs.compared

    @property
    def timeline(self) -> Timeline | None:
        """What answers for any merge of the active run."""
        return self._runs.timeline

    @property
    def k(self) -> int:
        """Merges made, 0..learned."""
        return self._k

    @property
    def learned(self) -> int:
        """Merges of the active run."""
        return self.run.training.learned if self.run else 0

    @property
    def moment(self) -> Moment | None:
        """The ranking at k, None while it is being counted."""
        return self._counter.moment

    @property
    def next_pair(self) -> Pair | None:
        """The pair that comes next: the merge of rank k, or behind the last the ranking's first."""
        if self.run and self._k < self.learned:
            return self.run.training.merges[self._k].pair
        return self.moment.tied[0] if self.moment and self.moment.tied else None

    @property
    def new_token(self) -> TokenId | None:
        """The token made last, None at k = 0."""
        return self.run.training.table.id_of_rank(self._k - 1) if self.run and self._k else None

    @property
    def selection(self) -> Selection:
        """What is selected."""
        return self._selection

    @property
    def hovered(self) -> Piece | None:
        """The piece under the mouse, in whatever view."""
        return self._hovered

    @property
    def text(self) -> bytes:
        """Your text."""
        return self._your_text.data

    @property
    def encoded(self) -> EncodedText | None:
        """Your text as tokens, None while it is being encoded; the tokens of the text before where this one cannot be."""
        return self._your_text.encoded

    @property
    def is_text_cut(self) -> bool:
        """Whether `encoded` is of your text, and not of the one before it that could be cut."""
        return self.encoded is not None and self.encoded.data == self.text

    @property
    def merges_used(self) -> MergesUsed:
        """Which merges your text is encoded with."""
        return self._used

    @property
    def corpus_in_training(self) -> Corpus | None:
        """The corpus of the training under way: another than the open one until something of it can be shown."""
        return self._trainer.corpus

    @property
    def task(self) -> Task | None:
        """The work under way."""
        return self._task

    def _on_task(self, task: Task | None) -> None:
        self._task = task
        self.task_changed.emit(task)

    # --- how failures are told ---------------------------------------------------------------------------------------

    def notify(self, notice: Notice) -> None:
        """Tells the user something in the notice bar."""
        self.noticed.emit(notice)

    def _then(self, job: Job, use: Callable[[Any], None]) -> bool:  # Any: the result of whatever work the job did
        """Uses the result of a job that succeeded; tells what failed; says nothing of what was cancelled."""
        if job.state is JobState.SUCCEEDED:
            use(job.result)
            return True
        if isinstance(job.error, ExplorerError):
            self.notify(Notice(Level.ERROR, str(job.error)))
        elif job.error:
            raise job.error
        return False

    def _try(self, action: Callable[[], None]) -> bool:
        """Does something at once; an expected error becomes a notice."""
        try:
            action()
        except ExplorerError as error:
            self.notify(Notice(Level.ERROR, str(error)))
            return False
        return True
