"""Which engine answers, and the one place that is asked for a training, a timeline or an encoding without caring which.

The readable engine (training.py, timeline.py, encoding.py) is the definition. The compiled one (fast_training.py,
fast_timeline.py, fast_encoding.py) gives the same results, so that only time decides: it answers where numba is there, its
kernels are compiled and the corpus is not so small that loading them would take longer than the work.

Nothing here imports numba before a training wants it. Whoever has threads lends them as `map_chunks` (see `MapChunks`): the
compiled engine counts and encodes on them, with the same result.
"""

import contextlib
import gc
import pickle
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache

from explorer.core import encoding, kernels, timeline, training
from explorer.core.corpus import Corpus
from explorer.core.distinct import MapChunks
from explorer.core.encoding import EncodedText
from explorer.core.kernels import old_folders
from explorer.core.progress import Progress, Stage, Step, drain
from explorer.core.recipe import Counting, Recipe
from explorer.core.table import MergeTable
from explorer.core.timeline import ReadableTimeline, Timeline
from explorer.core.training import Engine, Training, UnderWay
from explorer.core.vocabulary import Rank

SMALL = 8_000  # bytes: the readable engine learns all there is in about half a second, as long as loading the other takes
SMALL_TEXT = 100_000  # bytes that the readable engine cuts and spells in some tens of milliseconds
SMALL_ENCODING = 20_000_000  # bytes x merges that it applies in as many
SMALL_TABLE = 500  # merges that it goes through in half a millisecond, for a text of any length
WORTH_COMPILING = 500_000  # bytes: the readable engine would take minutes
UNLOADABLE = (ImportError, OSError, EOFError, RuntimeError, ValueError, LookupError, TypeError, AttributeError, pickle.UnpicklingError)


@dataclass(frozen=True, slots=True)
class Answering:
    """Which engine answers, and why ("numba is not installed"), as a clause."""

    engine: Engine
    why: str


def answering(corpus: Corpus, recipe: Recipe) -> Answering:
    """Which engine answers for a training, without loading it."""
    reason = _readable_alone(corpus, recipe) or kernels.why_not() or _why_not_loaded()
    return Answering(Engine.COMPILED, "the kernels are compiled") if reason is None else Answering(Engine.READABLE, reason)


def why_readable(corpus: Corpus, recipe: Recipe) -> str | None:
    """Why the readable engine will train, as a clause; None where the compiled one will, be it after it was compiled."""
    if _readable_alone(corpus, recipe) is None and _waits_for_kernels(corpus, recipe):
        return None
    told = answering(corpus, recipe)
    return None if told.engine is Engine.COMPILED else told.why


def _readable_alone(corpus: Corpus, recipe: Recipe) -> str | None:
    """Why a training is the readable engine's, compiled kernels or not."""
    if recipe.counting is Counting.DISJOINT:
        return "only this engine counts disjoint occurrences"
    if len(corpus.data) < SMALL:
        return "the corpus is small"
    if corpus.weights is not None and not bool((corpus.weights > 0).all()):
        return "only this engine counts words that occur no times"
    return None


def kernels_to_compile() -> tuple[str, ...] | None:
    """The command that compiles the kernels, to be run beside the window at low priority; None where nobody needs to.

    It takes some ten seconds once and ends by itself; killed, it leaves what it has, and the next one goes on from there.
    """
    if kernels.why_not() or kernels.folder() is None or kernels.is_warm() or kernels.being_compiled():
        return None
    return sys.executable, "-m", kernels.__name__


def training_steps(
    corpus: Corpus, recipe: Recipe, prefix: Training | None = None, map_chunks: MapChunks | None = None, under_way: UnderWay | None = None
) -> Generator[Step, None, Training]:
    """Trains step by step by the engine that answers; see `training.training_steps`."""
    yield from _wait_for_kernels(corpus, recipe)
    if answering(corpus, recipe).engine is Engine.READABLE or not loaded():
        return (yield from training.training_steps(corpus, recipe, prefix, under_way))
    from explorer.core.fast_training import fast_training_steps

    old_folders.note_use()
    return (yield from fast_training_steps(corpus, recipe, prefix, map_chunks, under_way))


def train(
    corpus: Corpus, recipe: Recipe, progress: Progress | None = None, prefix: Training | None = None, map_chunks: MapChunks | None = None
) -> Training:
    """Trains to the end of the recipe by the engine that answers; see `training.train`."""
    return drain(training_steps(corpus, recipe, prefix, map_chunks), progress)


def replay_table_steps(
    corpus: Corpus, table: MergeTable, map_chunks: MapChunks | None = None, under_way: UnderWay | None = None
) -> Generator[Step, None, Training]:
    """Applies a table's merges to a corpus by the engine that answers; see `training.replay_table_steps`."""
    yield from _wait_for_kernels(corpus, table.recipe)
    if answering(corpus, table.recipe).engine is Engine.READABLE or not loaded():
        return (yield from training.replay_table_steps(corpus, table))
    from explorer.core.fast_training import fast_replay_steps

    return (yield from fast_replay_steps(corpus, table, map_chunks, under_way))


def timeline_steps(trained: Training, like: Timeline | None = None) -> Generator[Step, None, Timeline]:
    """Makes the timeline of a training by the engine that answers; `like` is one on the same pre-tokens, of which some is taken over."""
    if answering(trained.corpus, trained.recipe).engine is Engine.READABLE or not loaded():
        return like.on(trained) if isinstance(like, ReadableTimeline) else (yield from timeline.timeline_steps(trained))
    from explorer.core.fast_timeline import FastTimeline, fast_timeline_steps

    return (yield from fast_timeline_steps(trained, like if isinstance(like, FastTimeline) else None))


def _waits_for_kernels(corpus: Corpus, recipe: Recipe) -> bool:
    """Whether it is worth the time to have the kernels compiled before a training."""
    if len(corpus.data) < WORTH_COMPILING or _readable_alone(corpus, recipe) is not None:
        return False
    return not (kernels.why_not() or _UNLOADED or kernels.is_warm())


def _wait_for_kernels(corpus: Corpus, recipe: Recipe) -> Generator[Step, None, None]:
    """For a corpus that the readable engine would take long for, waits until the kernels are compiled, or compiles them.

    That another process is at it is seen from the cache folder; it is waited for, as two at once would take twice as long.
    """
    if not _waits_for_kernels(corpus, recipe):
        return
    waited = 0
    while kernels.being_compiled():
        yield Step(Stage.COMPILING, waited, 0)
        time.sleep(0.05)
        waited += 1
    if not kernels.is_warm():
        yield Step(Stage.COMPILING, waited, 0)
        with kernels.filling():
            if loaded():
                kernels.mark_warm()


def encoding_steps(
    table: MergeTable, data: bytes, merges: int | None = None, fired: list[Rank] | None = None, map_chunks: MapChunks | None = None
) -> Generator[Step, None, EncodedText]:
    """Encodes one text step by step by the engine that answers, loaded at the first step; see `encoding.encoding_steps`."""
    if not _encodes(table, len(data), merges):
        return (yield from encoding.encoding_steps(table, data, merges, fired))
    from explorer.core.fast_encoding import fast_encoding_steps

    return (yield from fast_encoding_steps(table, data, merges, fired, map_chunks))


def encode(table: MergeTable, data: bytes, merges: int | None = None, progress: Progress | None = None) -> EncodedText:
    """Encodes one text with the first `merges` merges (None: all) by the engine that answers."""
    return drain(encoding_steps(table, data, merges), progress)


def corpus_encoding_steps(
    table: MergeTable, corpus: Corpus, merges: int | None = None, map_chunks: MapChunks | None = None
) -> Generator[Step, None, EncodedText]:
    """Encodes the texts of a corpus by the engine that answers, loaded at the first step; see `encoding.corpus_encoding_steps`."""
    if not _encodes(table, len(corpus.data), merges):
        return (yield from encoding.corpus_encoding_steps(table, corpus, merges))
    from explorer.core.fast_encoding import fast_corpus_encoding_steps

    return (yield from fast_corpus_encoding_steps(table, corpus, merges, map_chunks))


def _encodes(table: MergeTable, size: int, merges: int | None) -> bool:
    """Whether the compiled engine encodes a text of so many bytes: where it is there, and the readable one would take a while."""
    count = len(table.merges) if merges is None else merges
    worth_it = size >= SMALL_TEXT or size * count >= SMALL_ENCODING or (count > SMALL_TABLE and is_loaded())
    return worth_it and kernels.why_not() is None and _why_not_loaded() is None and loaded()


def ready_steps(trained: Training, like: Training | None = None) -> Generator[Step, None, None]:
    """Works out in slices what takes a walk over all merges, so that a window that asks for it does not wait.

    What is known of the first merges is shared with a training `like` it that has the same.
    """
    for _ in trained.ready_steps(like):
        yield Step(Stage.MERGING, trained.learned, trained.learned)
    if is_loaded():
        from explorer.core.compiled_table import compiled_table

        yield from compiled_table(trained.table)


def timeline_of(trained: Training) -> Timeline:
    """The timeline of a training by the engine that answers, made at once."""
    return drain(timeline_steps(trained))


@cache
def loaded() -> bool:
    """Whether the kernels work in this process. The first time they are loaded from the cache and tried: a fraction of a second.

    A cache that cannot be read is forgotten, so that it is filled anew, and the readable engine answers until then. What
    numba brings stays to the end and is never walked by the garbage collector: each of its walks held the interpreter for
    a tenth of a second, in which no window moved.
    """
    try:
        with _uncollected():
            from explorer.core.rehearsal import rehearse

            rehearse()
        old_folders.note_use()
        old_folders.prune()
    except UNLOADABLE as error:
        _UNLOADED.append(f"the compiled kernels cannot be loaded ({type(error).__name__}: {error})")
        kernels.forget()
        return False
    return True


def is_loaded() -> bool:
    """Whether the kernels were loaded in this process already, so that they cost nothing but the call."""
    return loaded.cache_info().currsize > 0 and loaded()


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage is collected meanwhile, and what is there at the end is taken to stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


_UNLOADED: list[str] = []  # why loading failed in this process


def _why_not_loaded() -> str | None:
    if _UNLOADED:
        return _UNLOADED[0]
    return None if kernels.is_warm() else "the kernels are not compiled yet"
