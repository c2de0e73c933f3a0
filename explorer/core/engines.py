"""Which engine answers, and the one place that is asked for a training or a timeline without caring which.

The readable engine (training.py, timeline.py) is the definition. The compiled one (fast_training.py, fast_timeline.py)
gives the same results, so that only time decides: it answers where numba is there, its kernels are compiled and the
corpus is not so small that loading them would take longer than the work.

Nothing here imports numba before a training wants it.
"""

import pickle
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache

from explorer.core import kernels, timeline, training
from explorer.core.corpus import Corpus
from explorer.core.progress import Progress, Step, drain
from explorer.core.recipe import Counting, Recipe
from explorer.core.table import MergeTable
from explorer.core.timeline import Timeline
from explorer.core.training import Engine, Training

SMALL = 8_000  # bytes: the readable engine learns all there is in about half a second, as long as loading the other takes
UNLOADABLE = (ImportError, OSError, EOFError, RuntimeError, ValueError, LookupError, TypeError, AttributeError, pickle.UnpicklingError)


@dataclass(frozen=True, slots=True)
class Answering:
    """Which engine answers, and why ("numba is not installed"), as a clause."""

    engine: Engine
    why: str


def answering(corpus: Corpus, recipe: Recipe) -> Answering:
    """Which engine answers for a training, without loading it."""
    reason = kernels.why_not() or _why_not_loaded()
    if reason is None and recipe.counting is Counting.DISJOINT:
        reason = "only this engine counts disjoint occurrences"
    if reason is None and len(corpus.data) < SMALL:
        reason = "the corpus is small"
    if reason is None and corpus.weights is not None and not bool((corpus.weights > 0).all()):
        reason = "only this engine counts words that occur no times"
    return Answering(Engine.COMPILED, "the kernels are compiled") if reason is None else Answering(Engine.READABLE, reason)


def training_steps(corpus: Corpus, recipe: Recipe, prefix: Training | None = None) -> Generator[Step, None, Training]:
    """Trains step by step by the engine that answers; see `training.training_steps`."""
    if answering(corpus, recipe).engine is Engine.COMPILED and loaded():
        from explorer.core.fast_training import fast_training_steps

        return fast_training_steps(corpus, recipe, prefix)
    return training.training_steps(corpus, recipe, prefix)


def train(corpus: Corpus, recipe: Recipe, progress: Progress | None = None, prefix: Training | None = None) -> Training:
    """Trains to the end of the recipe by the engine that answers; see `training.train`."""
    return drain(training_steps(corpus, recipe, prefix), progress)


def replay_table_steps(corpus: Corpus, table: MergeTable) -> Generator[Step, None, Training]:
    """Applies a table's merges to a corpus by the engine that answers; see `training.replay_table_steps`."""
    if answering(corpus, table.recipe).engine is Engine.COMPILED and table.recipe.lift is None and loaded():
        from explorer.core.fast_training import fast_replay_steps

        return fast_replay_steps(corpus, table)
    return training.replay_table_steps(corpus, table)


def timeline_steps(trained: Training, like: Timeline | None = None) -> Generator[Step, None, Timeline]:
    """Makes the timeline of a training by the engine that answers; `like` is one on the same pre-tokens, of which some is taken over."""
    if answering(trained.corpus, trained.recipe).engine is Engine.COMPILED and loaded():
        from explorer.core.fast_timeline import FastTimeline, fast_timeline_steps

        return fast_timeline_steps(trained, like if isinstance(like, FastTimeline) else None)
    return timeline.timeline_steps(trained)


def timeline_of(trained: Training) -> Timeline:
    """The timeline of a training by the engine that answers, made at once."""
    return drain(timeline_steps(trained))


@cache
def loaded() -> bool:
    """Whether the kernels work in this process. The first time they are loaded from the cache and tried: a fraction of a second.

    A cache that cannot be read is forgotten, so that it is filled anew, and the readable engine answers until then.
    """
    try:
        from explorer.core.rehearsal import rehearse

        rehearse()
    except UNLOADABLE as error:
        _UNLOADED.append(f"the compiled kernels cannot be loaded ({type(error).__name__}: {error})")
        kernels.forget()
        return False
    return True


_UNLOADED: list[str] = []  # why loading failed in this process


def _why_not_loaded() -> str | None:
    if _UNLOADED:
        return _UNLOADED[0]
    return None if kernels.is_warm() else "the kernels are not compiled yet"
