"""Training by definition: count every pair, merge the commonest, and do it again.

This is the readable implementation, the definition that everything else is held equal to. It recounts the whole corpus
at every merge, so its cost is merges x corpus: right for small corpora, slow for large ones.

    training = train(corpus, Recipe.of("chapter-81"))
    training.merges[0]      Merge(left=110, right=100, count=192, tied=1, saved=192, length=6931)

`training_steps` is the same as a generator, so that a window can show each merge as it is learned, and stop.

`replay_table_steps` gives the same for merges that a table file brought. What is counted, and what decides between equal
counts, is in pairs.py.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.kept_slots import KeptSlots
from explorer.core.pairs import count_disjoint, count_pairs, tie_order
from explorer.core.pretokens import PreTokens, lift_boundary, pretokenize, read_steps
from explorer.core.progress import Progress, Stage, Step, drain
from explorer.core.recipe import Choice, Recipe
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Pair, Piece, Rank
from explorer.errors import ChoiceError, SizeFloorError


class Engine(Enum):
    """Which implementation trained. They never differ in what they learn."""

    READABLE = "readable"  # this module: the definition
    COMPILED = "compiled"  # fast_training.py


class Merge(NamedTuple):
    """One merge of a training.

    `count` is the weighted number of occurrences by the recipe's counting, `tied` how many pairs shared the greatest
    count, `saved` the drop in corpus length, `length` the corpus length after. A tuple, as a training may have a hundred
    thousand of them and frozen dataclasses take ten times as long to make.
    """

    left: int
    right: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody asks a merge for
    tied: int
    saved: int
    length: int

    @property
    def pair(self) -> Pair:
        """Left and right token id."""
        return self.left, self.right


@dataclass(frozen=True, eq=False)  # arrays have no single truth
class MergeColumns:
    """What merges saved, the length after each and how many pairs were tied, as arrays of one entry a merge: for pictures of them all.

    In floating point: a readable training may have figures past 64 bits.
    """

    saved: npt.NDArray[np.float64]
    lengths: npt.NDArray[np.float64]
    tied: npt.NDArray[np.float64]

    @classmethod
    def of(cls, merges: Sequence[Merge]) -> "MergeColumns":
        """Those of some merges; one walk over them."""
        columns = (np.fromiter(map(attrgetter(name), merges), np.float64, len(merges)) for name in ("saved", "length", "tied"))
        return cls(*columns)

    def then(self, more: Sequence[Merge]) -> "MergeColumns":
        """These and those of further merges."""
        after = MergeColumns.of(more)
        return MergeColumns(*(np.append(getattr(self, name), getattr(after, name)) for name in ("saved", "lengths", "tied")))


class Stopped(Enum):
    """Why training ended."""

    SIZE = "size"  # what was asked for is learned
    NO_PAIR = "no-pair"  # no pair reaches the least count
    GIVEN = "given"  # the merges came with a table; nothing was learned


@dataclass(frozen=True, slots=True)
class MergeStep(Step):
    """A step that learned merges, in rank order: one, or as many as a compiled engine learns between two steps."""

    merges: tuple[Merge, ...]


@dataclass(frozen=True)
class Training:
    """What training a recipe on a corpus gave; `merges` has one entry a rank, in rank order.

    `corpus` is the text that was read (its line ends as the recipe wants them). `lift_rank` is the rank of the first
    merge of the second stage (equal to `learned` where the next one would be it), None where the boundary was never lifted.
    `history` is what the engine wrote down for its own timeline, of these merges and perhaps of more. `kept` is what lets
    somebody go on from here, or fork, without replaying the merges, if that was asked for; it may be emptied at any time.
    """

    corpus: Corpus
    recipe: Recipe
    alphabet: Alphabet
    pretokens: PreTokens
    merges: tuple[Merge, ...]
    lift_rank: Rank | None
    stopped: Stopped
    engine: Engine = field(default=Engine.READABLE, compare=False)
    history: object = field(default=None, compare=False, repr=False)
    kept: list[KeptSlots] = field(default_factory=list, compare=False, repr=False)

    @property
    def learned(self) -> int:
        """How many merges were learned."""
        return len(self.merges)

    @property
    def rows(self) -> int:
        """Rows learned as a size counts them: stand-in, alphabet and merges, without the fallback rows."""
        return self.alphabet.floor + self.learned

    @cached_property
    def length_at_zero(self) -> int:
        """The corpus length before any merge."""
        return self.pretokens.length

    @cached_property
    def distinct_symbols(self) -> int:
        """How many symbols all distinct pre-tokens hold together: what one count of all pairs costs."""
        return self.pretokens.distinct_symbols

    def check_merge(self, k: int) -> None:
        """ValueError where there is no merge k: of what loops wrote down nothing may be read that was never written."""
        if not 0 <= k <= self.learned:
            raise ValueError(f"there is no merge {k} in a training of {self.learned}")

    def length(self, k: int) -> int:
        """The corpus length after the first k merges."""
        self.check_merge(k)
        return self.merges[k - 1].length if k else self.length_at_zero

    @cached_property
    def tied_ranks(self) -> tuple[Rank, ...]:
        """The ranks at which several pairs shared the greatest count, ascending."""
        return tuple(np.flatnonzero(self.columns.tied > 1).tolist())

    @cached_property
    def columns(self) -> MergeColumns:
        """The figures of all merges as arrays."""
        return MergeColumns.of(self.merges)

    def ready_steps(self, like: "Training | None" = None) -> Iterator[None]:
        """Works out in slices what takes a walk over all merges, so that a window that asks for it does not wait.

        What is known of the first merges is shared with a training `like` it that has the same.
        """
        for walk in (lambda: self.length_at_zero, lambda: self.columns, lambda: self.tied_ranks, lambda: self.table):
            walk()
            yield
        yield from self.table.ready_steps(like.table if like else None)

    @cached_property
    def table(self) -> MergeTable:
        """The merge table."""
        return MergeTable(self.recipe, self.alphabet, tuple(merge.pair for merge in self.merges), self.lift_rank)

    def cut(self, merges: int) -> "Training":
        """The training as if only that many merges had been asked for; nothing is learned again."""
        if merges >= self.learned:
            return self
        lift_rank = self.lift_rank if self.lift_rank is not None and self.lift_rank <= merges else None
        recipe = self.recipe.asking(merges=merges)
        return replace(self, recipe=recipe, merges=self.merges[:merges], lift_rank=lift_rank, stopped=Stopped.SIZE)


@dataclass(slots=True)
class UnderWay:
    """What is known of a training beside its steps: for who shows it before it ends, and goes on from where it was stopped.

    `begun` is the training before its first merge, there once the pairs are counted; none where there is a prefix. `stopped`
    is what was learned, as if no more had been asked for, there once the steps were closed while it was learning.
    """

    begun: Training | None = None
    stopped: Training | None = None


def train(corpus: Corpus, recipe: Recipe, progress: Progress | None = None, prefix: Training | None = None) -> Training:
    """Trains to the end of the recipe. Raises SizeFloorError, ChoiceError, RecipeError, TooLargeError, Cancelled."""
    return drain(training_steps(corpus, recipe, prefix), progress)


def training_steps(
    corpus: Corpus, recipe: Recipe, prefix: Training | None = None, under_way: UnderWay | None = None
) -> Generator[Step, None, Training]:
    """Trains step by step.

    `prefix` is a training on the same corpus whose merges come first, replayed and not counted again: to go on where it
    stopped, or to fork (cut it to the fork's rank). Its recipe may differ in size and in choices at later ranks only.
    `under_way` is kept up to date; who gives one wants to go on from the training, and a compiled engine keeps what that takes.
    """
    read = yield from read_steps(corpus, recipe)
    if prefix:
        assert same_until(prefix.learned, prefix.recipe, recipe), "a prefix may differ in size and in later choices only"
        alphabet, pretokens = prefix.alphabet, prefix.pretokens
    else:
        alphabet, pretokens = yield from pretokenize(read, recipe)
    wanted = merges_wanted(recipe, alphabet)
    state = _State(read, recipe, alphabet, pretokens)
    if prefix:
        yield from state.replay(prefix, wanted)
    try:
        stopped = yield from state.learn(wanted, under_way if not prefix else None)
    except GeneratorExit:
        if under_way:
            under_way.stopped = state.training(recipe.asking(merges=len(state.merges)), Stopped.SIZE)
        raise
    return state.training(recipe, stopped)


def same_until(rank: Rank, one: Recipe, other: Recipe) -> bool:
    """Whether two recipes make the same decisions at every rank below one, whatever their size."""
    bare = (replace(recipe.without_size(), choices=tuple(c for c in recipe.choices if c.rank < rank)) for recipe in (one, other))
    return next(bare) == next(bare)


def replay_table_steps(corpus: Corpus, table: MergeTable) -> Generator[Step, None, Training]:
    """Applies a table's merges to a corpus, which need not be the one they were learned on, and counts what each does.

    The corpus is spelled in the table's alphabet; a character without a row is what the recipe's `unknown` says. Every
    merge tells its count (0 where its pair does not occur), how many pairs shared the greatest count at that moment
    (0 where there was no pair), what it saved and the length after, all as they are on this corpus. `stopped` is GIVEN.
    """
    read = yield from read_steps(corpus, table.recipe)
    alphabet, pretokens = yield from pretokenize(read, table.recipe, table.alphabet)
    state = _State(read, table.recipe, alphabet, pretokens)
    yield from state.give(table)
    return Training(read, table.recipe, alphabet, pretokens, tuple(state.merges), table.lift_rank, Stopped.GIVEN)


def merges_wanted(recipe: Recipe, alphabet: Alphabet) -> int | None:
    """How many merges the size asked for comes to, None for as many as there are; SizeFloorError below the alphabet."""
    if recipe.rows is None:
        return recipe.merges
    if recipe.rows < alphabet.floor:
        raise SizeFloorError(recipe.rows, alphabet.floor)
    return recipe.rows - alphabet.floor


def choice_error(choice: Choice) -> ChoiceError:
    """The refusal of a choice whose pair does not occur where it is to be merged."""
    return ChoiceError(choice.rank, f"{choice.left.spelled()!r} followed by {choice.right.spelled()!r}")


class _State:
    """The corpus as it is spelled at one moment of a training."""

    def __init__(self, corpus: Corpus, recipe: Recipe, alphabet: Alphabet, pretokens: PreTokens) -> None:
        self.corpus, self.recipe, self.alphabet, self.pretokens = corpus, recipe, alphabet, pretokens
        self.start = pretokens  # of this stage
        self.spellings = list(pretokens.spellings)
        self.pieces: list[Piece] = list(alphabet.rows)
        self.merges: list[Merge] = []
        self.length = pretokens.length
        self.lift_rank: Rank | None = None
        self.lift_at = None if recipe.lift is None else max(0, recipe.lift - alphabet.floor)

    def replay(self, prefix: Training, wanted: int | None) -> Generator[Step, None, None]:
        """Applies the merges of a prefix, figures and all, up to the size wanted."""
        merges = prefix.merges if wanted is None else prefix.merges[:wanted]
        for rank, merge in enumerate(merges):
            if rank == prefix.lift_rank:
                yield from self.lift()
            self.apply(merge)
            yield Step(Stage.REPLAYING, rank + 1, len(merges))

    def give(self, table: MergeTable) -> Generator[Step, None, None]:
        """Applies the merges of a table, each counted here and now."""
        for rank, pair in enumerate(table.merges):
            if rank == table.lift_rank:
                yield from self.lift()
            counts = yield from self.count(Stage.REPLAYING, len(table.merges))
            most = max(counts.values(), default=0)
            tied = sum(count == most for count in counts.values())
            merge = self.merge_of(pair, counts.get(pair, 0), tied)
            self.apply(merge)
            yield MergeStep(Stage.REPLAYING, rank + 1, len(table.merges), (merge,))
        if table.lift_rank == len(table.merges):
            yield from self.lift()

    def learn(self, wanted: int | None, under_way: UnderWay | None = None) -> Generator[Step, None, Stopped]:
        """Merges until the size is reached or no pair reaches the least count."""
        while True:
            if self.lift_pending and len(self.merges) >= (self.lift_at or 0):
                yield from self.lift()
            if not self.lift_pending:
                self.tell_begun(under_way)
            enough = wanted is not None and len(self.merges) >= wanted
            if enough and not self.lift_pending:
                return Stopped.SIZE
            counts = yield from self.count(Stage.MERGING, wanted or 0)
            most = max(counts.values(), default=0)
            if most < self.recipe.min_count and self.lift_pending:
                yield from self.lift()  # also when no more is asked: the candidates for the next merge are those of the second stage
                continue
            self.tell_begun(under_way)
            if enough:
                return Stopped.SIZE
            pair, tied = self.next_pair(counts, most)
            if pair is None:
                self.refuse_later_choices()
                return Stopped.NO_PAIR
            merge = self.merge_of(pair, counts[pair], tied)
            self.apply(merge)
            yield MergeStep(Stage.MERGING, len(self.merges), wanted or 0, (merge,))

    def tell_begun(self, under_way: UnderWay | None) -> None:
        """Tells whoever wants to know of the training as it is before the first merge."""
        if under_way and not under_way.begun:
            under_way.begun = self.training(self.recipe, Stopped.SIZE)

    def training(self, recipe: Recipe, stopped: Stopped) -> Training:
        """What was learned."""
        return Training(self.corpus, recipe, self.alphabet, self.pretokens, tuple(self.merges), self.lift_rank, stopped)

    @property
    def lift_pending(self) -> bool:
        """Whether a second stage is asked for and has not begun."""
        return self.lift_at is not None and self.lift_rank is None

    def count(self, stage: Stage, wanted: int) -> Generator[Step, None, dict[Pair, int]]:
        """Every pair of this moment with its count."""
        step = Step(stage, len(self.merges), wanted)
        return (yield from count_pairs(self.spellings, self.start.counts, self.recipe.counting, self.alphabet.stand_in, step))

    def next_pair(self, counts: dict[Pair, int], most: int) -> tuple[Pair | None, int]:
        """The pair to merge, by choice or by rule, and how many share the greatest count; None where none is left."""
        tied = [pair for pair, count in counts.items() if count == most]
        rank = len(self.merges)
        choice = self.recipe.choice_at(rank)
        if choice:
            return self.chosen(choice, counts), len(tied)
        if most < self.recipe.min_count:
            return None, 0
        order = tie_order(self.recipe.tie, self.alphabet, self.pieces, self.spellings, self.start, tied)
        return min(tied, key=order), len(tied)

    def chosen(self, choice: Choice, counts: dict[Pair, int]) -> Pair:
        """The pair of a choice: of several ids of one piece the lowest that occurs; ChoiceError if none does."""
        found = [pair for pair in counts if self.pieces[pair[0]] == choice.left and self.pieces[pair[1]] == choice.right]
        if not found:
            raise choice_error(choice)
        return min(found)

    def refuse_later_choices(self) -> None:
        """A choice for a rank that was never reached cannot be made either."""
        for choice in self.recipe.choices:
            if choice.rank >= len(self.merges):
                raise choice_error(choice)

    def merge_of(self, pair: Pair, count: int, tied: int) -> Merge:
        """The merge of a pair, what it saves counted beforehand."""
        saved = count_disjoint(self.spellings, self.start.counts, pair)
        return Merge(*pair, count=count, tied=tied, saved=saved, length=self.length - saved)

    def apply(self, merge: Merge) -> None:
        """Replaces the pair left to right, without overlap, in every pre-token."""
        old, new = chr(merge.left) + chr(merge.right), chr(len(self.pieces))
        self.spellings = [spelling.replace(old, new) for spelling in self.spellings]
        self.pieces.append(self.pieces[merge.left].joined(self.pieces[merge.right]))
        self.merges.append(merge)
        self.length = merge.length

    def lift(self) -> Generator[Step, None, None]:
        """Begins the second stage: from here on whole texts are the pre-tokens."""
        spelled = dict(zip(self.start.spellings, self.spellings, strict=True))
        self.start = yield from lift_boundary(self.corpus, self.recipe, self.alphabet, spelled, self.pretokens)
        self.spellings = list(self.start.spellings)
        self.lift_rank = len(self.merges)
