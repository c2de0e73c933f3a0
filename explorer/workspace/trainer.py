"""Training in a lane: what is asked for, what is known on the way, and what comes of it.

A new corpus whose training takes long is shown early, without merges, and one whose training is cancelled keeps the
merges it learned; so does a run that goes on. The result of another recipe on the same corpus comes whole or not at all:
the old one stays.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.workspace.job import Job, JobState, Lanes
from explorer.workspace.training_job import Live, Opened, train_run
from explorer.workspace.values import Lane

SHOWN_EARLY_S = 0.4


@dataclass(slots=True)
class _Asked:
    """The training under way."""

    corpus: Corpus
    live: Live
    is_new: bool  # the corpus is not the one that is open
    at: float
    shown_early: bool = False


class Trainer(QObject):
    """Runs one training at a time in the lane TRAIN."""

    trained = Signal(object, object)  # Corpus, Opened: the result
    shown_early = Signal(object, object)  # Corpus, Opened: a new corpus without merges, its training goes on
    stopped = Signal(object, object)  # Corpus, Opened: a new corpus, or a run that went on, with what was learned before it was cancelled
    learned = Signal(object)  # tuple[Merge, ...] so far
    given_up = Signal(object)  # Job: failed, or cancelled with nothing to show

    def __init__(self, lanes: Lanes, clock: Callable[[], float], parent: QObject) -> None:
        super().__init__(parent)
        self._lanes, self._clock = lanes, clock
        self._asked: _Asked | None = None
        lanes.polled.connect(self._on_polled)

    @property
    def corpus(self) -> Corpus | None:
        """The corpus of the training under way, None where there is none."""
        return self._asked.corpus if self._asked else None

    def train(self, corpus: Corpus, recipe: Recipe, run_id: int, before: Opened | None, is_new: bool) -> None:
        """Starts a training, or goes on from a run; one that is under way is given up."""
        live = Live(run_id, run_name(recipe), before)
        asked = self._asked = _Asked(corpus, live, is_new, self._clock())
        self._lanes.run(
            Lane.TRAIN, corpus.name,
            lambda progress: train_run(corpus, recipe, live, progress),
            lambda job: self._on_ended(job, asked),
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
        else:
            self.given_up.emit(job)

    def _on_polled(self) -> None:
        asked = self._asked
        if asked is None:
            return
        late = self._clock() - asked.at > SHOWN_EARLY_S
        if asked.is_new and late and asked.live.base and not asked.shown_early:
            asked.shown_early = True
            self.shown_early.emit(asked.corpus, asked.live.base)
        self.learned.emit(tuple(asked.live.merges))


def run_name(recipe: Recipe) -> str:
    """What a root run is called: its preset, or that it has none."""
    return recipe.preset or "own recipe"
