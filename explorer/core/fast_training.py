"""Training by compiled loops: the same merges, figures and errors as training.py, some thousand times faster.

The definition is training.py; what is different here is how pairs are counted (fast_stage.py), and that going on from a
training replays nothing where its slots were kept (kept_slots.py). Imports numba: ask engines.py, which knows where this
can be had.
"""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.distinct import MapChunks
from explorer.core.fast_learning import MOST_COUNT, OFTEN, SURELY_COUNTED, Learning, too_often
from explorer.core.fast_pretokens import PreTokenArrays, pretokenize_arrays
from explorer.core.kept_slots import nearest
from explorer.core.lazy_pretokens import LazyPreTokens
from explorer.core.pretokens import PreTokens, pretokenize, read_steps
from explorer.core.progress import Stage, Step
from explorer.core.recipe import Recipe
from explorer.core.stage_history import history_of
from explorer.core.table import MergeTable
from explorer.core.training import Engine, Merge, MergeStep, Stopped, Training, UnderWay, merges_wanted, same_until
from explorer.core.vocabulary import Rank
from explorer.errors import ChoiceError

LEARNED_AGAIN = 4096  # late merges: learned again in some hundredths of a second, which spares a stage for every few merges asked for


def fast_training_steps(
    corpus: Corpus, recipe: Recipe, prefix: Training | None = None, map_chunks: MapChunks | None = None, under_way: UnderWay | None = None
) -> Generator[Step, None, Training]:
    """Trains step by step, as `training.training_steps` does; counts the pre-tokens on the caller's threads if there are any."""
    read = prefix.corpus if prefix else (yield from read_steps(corpus, recipe))
    if prefix:
        assert same_until(prefix.learned, prefix.recipe, recipe), "a prefix may differ in size and in later choices only"
        alphabet, pretokens = prefix.alphabet, lazily(prefix.pretokens)
    else:
        alphabet, pretokens = yield from gather(read, recipe, None, map_chunks)
    wanted = merges_wanted(recipe, alphabet)
    state = Learning(read, recipe, alphabet, pretokens, map_chunks, keeps=under_way is not None)
    if prefix:
        if _is_cut_from(prefix, recipe, wanted):
            return replace(prefix.cut(wanted or 0), recipe=recipe, stopped=Stopped.SIZE)
        state = yield from gone_on(state, prefix, prefix.merges[:wanted])
    try:
        if under_way and not prefix:
            yield from state.settle()
            under_way.begun = state.begun()
        stopped = yield from state.learn(wanted)
        yield from state.end_stage()
    except GeneratorExit:
        if under_way:
            under_way.stopped = state.cut_short()
        raise
    return state.training(stopped)


def _is_cut_from(prefix: Training, recipe: Recipe, wanted: int | None) -> bool:
    """Whether what is asked for is there already.

    Where a training was stopped its boundary may still have to be lifted, and that of a table from elsewhere was lifted where
    the table says so, which need not be where this corpus asks for it.
    """
    if wanted is None or wanted > prefix.learned or history_of(prefix) is None:
        return False
    if recipe.lift is None or (prefix.lift_rank is not None and prefix.lift_rank < wanted):
        return True
    is_due = wanted >= recipe.lift - prefix.alphabet.floor
    if prefix.lift_rank == wanted:
        return is_due  # if not, it was because no pair was left, perhaps
    return not is_due and wanted < prefix.learned and prefix.merges[wanted].count >= recipe.min_count


def gone_on(state: Learning, prefix: Training, merges: tuple[Merge, ...]) -> Generator[Step, None, Learning]:
    """The state of a training that has made the first merges of a prefix: from the slots that were kept, or from the beginning."""
    if (yield from _taken_up(state, prefix, merges)) and (yield from _learned_again(state, merges)):
        return state
    state = state.anew()
    if (yield from _learned_again(state, merges)):
        return state
    return (yield from _given(state.anew(), merges, prefix.lift_rank))


def _taken_up(state: Learning, prefix: Training, merges: tuple[Merge, ...]) -> Generator[Step, None, bool]:
    """Begins a stage where some merges are made, or not long before, with the slots that a prefix kept; False if it kept none."""
    rank, lift_rank, history = len(merges), prefix.lift_rank, history_of(prefix)
    kept = nearest(prefix.kept, rank, lifted=True) if lift_rank is not None and lift_rank < rank else None
    kept = kept or nearest(prefix.kept, rank, lifted=False)
    if history is None or kept is None or not rank:
        return False
    begins, latest = min(rank, kept.rank), history.before(rank)[-1].first_rank
    if latest > (lift_rank or 0) and rank - latest <= LEARNED_AGAIN:  # a stage that was itself begun to go on, and made little
        begins = min(begins, latest)
    slots = yield from kept.at(begins)
    yield from state.take_up(history.before(begins), merges[:begins], slots, lift_rank if kept.lifted else None, prefix.kept)
    return True


def _learned_again(state: Learning, merges: tuple[Merge, ...]) -> Generator[Step, None, bool]:
    """Learns merges up to those of a prefix; whether they are the same, as they are unless they came from elsewhere."""
    checked = len(state.merges)
    try:
        for _ in state.learn(len(merges)):
            learned = len(state.merges)
            if tuple(state.merges[checked:]) != merges[checked:learned]:
                return False
            checked = learned
            yield Step(Stage.REPLAYING, learned, len(merges))
    except ChoiceError:
        return False
    return tuple(state.merges[checked:]) == merges[checked:]


def _given(state: Learning, merges: tuple[Merge, ...], lift_rank: Rank | None) -> Generator[Step, None, Learning]:
    """Makes merges one by one, whatever the rule would have."""
    state.follows_once |= any(merge.count < OFTEN for merge in merges)
    for rank, merge in enumerate(merges):
        if rank == lift_rank:
            yield from state.lift()
        yield from state.have_stage()
        for _ in state.merge_steps(rank + 1, merge.pair):
            yield Step(Stage.REPLAYING, rank, len(merges))
        if rank % 50 == 0:
            yield Step(Stage.REPLAYING, rank + 1, len(merges))
    return state


def fast_replay_steps(
    corpus: Corpus, table: MergeTable, map_chunks: MapChunks | None = None, under_way: UnderWay | None = None
) -> Generator[Step, None, Training]:
    """Applies the merges of a table to a corpus, as `training.replay_table_steps` does."""
    read = yield from read_steps(corpus, table.recipe)
    alphabet, pretokens = yield from gather(read, table.recipe, table.alphabet, map_chunks)
    state = Learning(read, table.recipe, alphabet, pretokens, map_chunks, given=True, keeps=under_way is not None)
    total = len(table.merges)
    for rank, pair in enumerate(table.merges):
        if rank == table.lift_rank:
            yield from state.lift()
        yield from state.have_stage()
        for _ in state.merge_steps(rank + 1, pair):
            yield Step(Stage.REPLAYING, rank, total)
        yield MergeStep(Stage.REPLAYING, rank + 1, total, tuple(state.merges[rank:]))
    if table.lift_rank == total:
        yield from state.lift()
    yield from state.have_stage()
    yield from state.end_stage()
    return state.training(Stopped.GIVEN)


def fast_retrace_steps(training: Training) -> Generator[Step, None, Training]:
    """The same training with a history, for one of another engine or with less of it than its recipe ranks."""
    pretokens = lazily(training.pretokens)
    state = Learning(training.corpus, training.recipe, training.alphabet, pretokens)
    if not (yield from _learned_again(state, training.merges)) or state.lift_rank != training.lift_rank:
        state = yield from _given(state.anew(), training.merges, training.lift_rank)
        if training.lift_rank == training.learned:
            yield from state.lift()
    yield from state.have_stage()
    yield from state.end_stage()
    return replace(training, engine=Engine.COMPILED, history=state.training(training.stopped).history)


def gather(
    corpus: Corpus, recipe: Recipe, given: Alphabet | None, map_chunks: MapChunks | None
) -> Generator[Step, None, tuple[Alphabet, LazyPreTokens]]:
    """The pre-tokens of a corpus and its alphabet, as `pretokens.pretokenize` gives them, counted on the threads there are."""
    if corpus.weights is not None and float(np.diff(corpus.starts) @ corpus.weights.astype(float)) > SURELY_COUNTED / 2:
        alphabet, pretokens = yield from pretokenize(corpus, recipe, given)  # whose integers have no end
        most = max(pretokens.counts, default=0)
        if most > MOST_COUNT:
            raise too_often(most)
        return alphabet, lazily(pretokens)
    alphabet, arrays = yield from pretokenize_arrays(corpus, recipe, given, map_chunks)
    return alphabet, LazyPreTokens(arrays)


def lazily(pretokens: PreTokens) -> LazyPreTokens:
    """Pre-tokens of either engine with their arrays at hand."""
    return pretokens if isinstance(pretokens, LazyPreTokens) else LazyPreTokens(PreTokenArrays.of(pretokens))
