"""Training in a lane, or replaying a table: what is asked for, what is known on the way, and what comes of it.

A new corpus whose training takes long is shown early, without merges, and one whose training is cancelled keeps the
merges it learned; so does a run that goes on. The result of another recipe on the same corpus comes whole or not at all:
the old one stays.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.table import MergeTable
from explorer.workspace.job import Job, JobState, Lanes
from explorer.workspace.training_job import Live, Opened, replay_run, train_run
from explorer.workspace.values import Lane

SHOWN_EARLY_S = 0.4


@dataclass(slots=True)
class _Asked:
    """The training under way, or the table that is being replayed."""

    corpus: Corpus
    live: Live
    is_new: bool  # the corpus is not the one that is open
    at: float
    shown_early: bool = False
    table: str = ""  # the name of the table's file
    instead: Recipe | None = None  # what a new corpus is trained by where the table cannot be replayed on it


class Trainer(QObject):
    """Runs one training at a time in the lane TRAIN."""

    trained = Signal(object, object)  # Corpus, Opened: the result
    shown_early = Signal(object, object)  # Corpus, Opened: a new corpus without merges, its training goes on
    stopped = Signal(object, object)  # Corpus, Opened: a new corpus, or a run that went on, with what was learned before it was cancelled
    learned = Signal(object)  # tuple[Merge, ...] so far
    given_up = Signal(object)  # Job: failed, or cancelled with nothing to show
    refused = Signal(object, object, object)  # Job, Corpus, Recipe: a table that failed on a new corpus, and what to train that by instead

    def __init__(self, lanes: Lanes, clock: Callable[[], float], parent: QObject) -> None:
        super().__init__(parent)
        self._lanes, self._clock = lanes, clock
        self._asked: _Asked | None = None
        lanes.polled.connect(self._on_polled)

    @property
    def corpus(self) -> Corpus | None:
        """The corpus of the training under way, None where there is none."""
        return self._asked.corpus if self._asked else None

    @property
    def table(self) -> str:
        """The name of the table that is being replayed, empty where none is."""
        return self._asked.table if self._asked else ""

    def train(self, corpus: Corpus, recipe: Recipe, run_id: int, before: Opened | None, is_new: bool) -> None:
        """Starts a training, or goes on from a run; one that is under way is given up."""
        live = Live(run_id, run_name(recipe), before)
        asked = self._asked = _Asked(corpus, live, is_new, self._clock())
        self._lanes.run(
            Lane.TRAIN, corpus.name,
            lambda progress: train_run(corpus, recipe, live, progress),
            lambda job: self._on_ended(job, asked),
        )

    def replay(self, corpus: Corpus, table: MergeTable, name: str, run_id: int, instead: Recipe | None) -> None:
        """Replays a table; a training that is under way is given up. `instead` is what was asked for on a corpus that is new.

        Where another table is being replayed on it, that is what was asked for before it.
        """
        if instead and self._asked and self._asked.instead:
            instead = self._asked.instead
        asked = self._asked = _Asked(corpus, Live(run_id, name), instead is not None, self._clock(), table=name, instead=instead)
        self._lanes.run(
            Lane.TRAIN, name, lambda progress: replay_run(corpus, table, run_id, name, progress), lambda job: self._on_ended(job, asked)
        )

    def forget(self) -> None:
        """Drops the training under way; nobody hears of it."""
        self._lanes.drop(Lane.TRAIN)
        self._asked = None

    def _on_ended(self, job: Job, asked: _Asked) -> None:
        self._asked = None
        if job.state is JobState.SUCCEEDED:
            self.trained.emit(asked.corpus, job.result)
        elif job.state is JobState.CANCELLED and (asked.is_new or asked.live.before) and (partial := asked.live.partial()):
            self.stopped.emit(asked.corpus, partial)
        elif job.state is JobState.FAILED and asked.instead:
            self.refused.emit(job, asked.corpus, asked.instead)
        else:
            self.given_up.emit(job)

    def _on_polled(self) -> None:
        asked = self._asked
        if asked is None or asked.table:
            return
        late = self._clock() - asked.at > SHOWN_EARLY_S
        if asked.is_new and late and asked.live.base and not asked.shown_early:
            asked.shown_early = True
            self.shown_early.emit(asked.corpus, asked.live.base)
        self.learned.emit(tuple(asked.live.merges))


def run_name(recipe: Recipe) -> str:
    """What a root run is called: its preset, or that it has none."""
    return recipe.preset or "own recipe"
