"""Training by compiled loops: the same merges, figures and errors as training.py, some thousand times faster.

The definition is training.py; what is different here is how pairs are counted (fast_stage.py). Imports numba: ask
engines.py, which knows where this can be had.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.distinct import MapChunks
from explorer.core.fast_lift import fast_lift_steps
from explorer.core.fast_pretokens import PreTokenArrays, pretokenize_arrays
from explorer.core.fast_stage import FastStage
from explorer.core.figures import thousands
from explorer.core.kernels import training_state as written
from explorer.core.layout import layout_steps
from explorer.core.lazy_pretokens import LazyPreTokens
from explorer.core.mapped import letting_go
from explorer.core.pretokens import PreTokens, corpus_read, pretokenize
from explorer.core.progress import Stage, Step
from explorer.core.recipe import AlphabetKind, Choice, Counting, Recipe, TieRule
from explorer.core.table import MergeTable
from explorer.core.training import Engine, Merge, MergeStep, Stopped, Training, merges_wanted, same_until
from explorer.core.vocabulary import Pair, Piece, Rank
from explorer.errors import ChoiceError, TooLargeError

MOST_COUNT = 2**63 - 1
SURELY_COUNTED = 2.0**62  # within the error of a sum of floats
OFTEN = 2  # pairs that occur less often are not followed where none of them can be merged


def why_readable(recipe: Recipe) -> str | None:
    """Why the loops do not take on a recipe, as a clause; None where they do."""
    if recipe.counting is Counting.DISJOINT:
        return "disjoint counting is the readable engine's"
    return None


def fast_training_steps(
    corpus: Corpus, recipe: Recipe, prefix: Training | None = None, map_chunks: MapChunks | None = None
) -> Generator[Step, None, Training]:
    """Trains step by step, as `training.training_steps` does; counts the pre-tokens on the caller's threads if there are any."""
    read = prefix.corpus if prefix else corpus_read(corpus, recipe)
    if prefix:
        assert same_until(prefix.learned, prefix.recipe, recipe), "a prefix may differ in size and in later choices only"
        alphabet, pretokens = prefix.alphabet, lazily(prefix.pretokens)
    else:
        alphabet, pretokens = yield from gather(read, recipe, None, map_chunks)
    wanted = merges_wanted(recipe, alphabet)
    state = _State(read, recipe, alphabet, pretokens)
    replayed = prefix.merges if prefix else ()
    if prefix:
        replayed = replayed if wanted is None else replayed[:wanted]
        yield from state.replay(replayed, prefix.lift_rank)
    stopped = yield from state.learn(wanted)
    return state.training(stopped)


def fast_replay_steps(corpus: Corpus, table: MergeTable, map_chunks: MapChunks | None = None) -> Generator[Step, None, Training]:
    """Applies the merges of a table to a corpus, as `training.replay_table_steps` does."""
    read = corpus_read(corpus, table.recipe)
    alphabet, pretokens = yield from gather(read, table.recipe, table.alphabet, map_chunks)
    state = _State(read, table.recipe, alphabet, pretokens, given=True)
    yield from state.give(table)
    return state.training(Stopped.GIVEN)


def fast_retrace_steps(training: Training) -> Generator[Step, None, Training]:
    """The same training with a history, for one of another engine or with less of it than its recipe ranks."""
    state = _State(training.corpus, training.recipe, training.alphabet, lazily(training.pretokens), given=True)
    state.follows_once = ranks_once(training.corpus, training.recipe)
    yield from state.replay(training.merges, training.lift_rank)
    if training.lift_rank == training.learned:
        yield from state.lift()
    yield from state.have_stage()
    return replace(training, engine=Engine.COMPILED, history=state.training(training.stopped).history)


def ranks_once(corpus: Corpus, recipe: Recipe) -> bool:
    """Whether pairs that occur once must be followed, be it to rank them.

    Weighted texts laid out whole have pairs from one to the next, which have no place where a count could be looked up.
    """
    return recipe.min_count < OFTEN or (recipe.lift is not None and corpus.weights is not None)


def gather(
    corpus: Corpus, recipe: Recipe, given: Alphabet | None, map_chunks: MapChunks | None
) -> Generator[Step, None, tuple[Alphabet, LazyPreTokens]]:
    """The pre-tokens of a corpus and its alphabet, as `pretokens.pretokenize` gives them, counted on the threads there are."""
    if corpus.weights is not None and float(np.diff(corpus.starts) @ corpus.weights.astype(float)) > SURELY_COUNTED / 2:
        alphabet, pretokens = yield from pretokenize(corpus, recipe, given)  # whose integers have no end
        if max(pretokens.counts) > MOST_COUNT:
            raise _too_often(max(pretokens.counts))
        return alphabet, lazily(pretokens)
    alphabet, arrays = yield from pretokenize_arrays(corpus, recipe, given, map_chunks)
    return alphabet, LazyPreTokens(arrays)


def lazily(pretokens: PreTokens) -> LazyPreTokens:
    """Pre-tokens of either engine with their arrays at hand."""
    return pretokens if isinstance(pretokens, LazyPreTokens) else LazyPreTokens(PreTokenArrays.of(pretokens))


@dataclass(frozen=True, slots=True)
class FastHistory:
    """What the loops wrote down on the way: the stages of a training, each from its first rank on."""

    stages: tuple[FastStage, ...]


class _State:
    """A training under way: what was learned, and the stage that learns."""

    def __init__(self, corpus: Corpus, recipe: Recipe, alphabet: Alphabet, pretokens: LazyPreTokens, *, given: bool = False) -> None:
        self.corpus, self.recipe, self.alphabet, self.pretokens, self.given = corpus, recipe, alphabet, pretokens, given
        self.start = pretokens  # of this stage
        self.merges: list[Merge] = []
        self.length = pretokens.length
        self.lift_rank: Rank | None = None
        self.lift_at = None if recipe.lift is None else max(0, recipe.lift - alphabet.floor)
        self.stages: list[FastStage] = []
        self.follows_once = ranks_once(corpus, recipe) or bool(recipe.choices) or given
        self._pieces: list[Piece] = list(alphabet.rows)

    @property
    def stage(self) -> FastStage:
        """The stage that learns now."""
        return self.stages[-1]

    @property
    def pieces(self) -> list[Piece]:
        """The piece of every token there is, in id order."""
        pieces = self._pieces
        for merge in self.merges[len(pieces) - self.alphabet.first_merged_id :]:
            pieces.append(pieces[merge.left].joined(pieces[merge.right]))
        return pieces

    def begin_stage(self) -> Generator[Step, None, None]:
        """Lays out the pre-tokens as they are now and counts them."""
        arrays, tie = self.start.arrays, self.recipe.tie
        refuse_beyond_counts(arrays)
        steps = layout_steps(arrays, self.alphabet.stand_in, tie)
        layout = yield from letting_go(steps, self.corpus.data, every=100_000)
        by_text = tie is TieRule.LEXICOGRAPHIC and not self.given  # whose ties decide nothing, and are put in order when asked for
        texts, names_given = self._texts() if by_text else ([], False)
        first_id = self.alphabet.first_merged_id + len(self.merges)
        kept_from = 1 if self.follows_once else OFTEN
        rule = TieRule.LOWEST_IDS if tie is TieRule.LEXICOGRAPHIC and not by_text else tie
        stage = FastStage(layout, first_id, len(self.merges), rule, self.recipe.min_count, kept_from, texts, names_given)
        yield from stage.count_steps()
        self.stages.append(stage)

    def _texts(self) -> tuple[list[bytes], bool]:
        """The texts of all tokens that the lexicographic rule compares, byte by byte, and whether joining halves is not enough.

        In characters they are UTF-8 with lone surrogates in their place, whose bytes lie in the order of the code points. Two
        stray bytes that a merge brings together may be a character after all, and then read as one.
        """
        if self.alphabet.kind is AlphabetKind.BYTES:
            return [piece.bytes for piece in self.pieces], False
        stray = {at for at, piece in enumerate(self.pieces) if any(0xDC80 <= ord(character) <= 0xDCFF for character in piece.spelled())}
        return list(map(_compared, self.pieces)), bool(stray)

    def replay(self, merges: tuple[Merge, ...], lift_rank: Rank | None) -> Generator[Step, None, None]:
        """Applies merges that were learned before, figures and all."""
        self.follows_once |= any(merge.count < OFTEN for merge in merges)
        if merges and (lift_rank is None or lift_rank > 0):
            yield from self.begin_stage()
        for rank, merge in enumerate(merges):
            if rank == lift_rank:
                yield from self.lift()
            for _ in self.merge_steps(rank + 1, merge.pair):
                yield Step(Stage.REPLAYING, rank, len(merges))
            if rank % 50 == 0:
                yield Step(Stage.REPLAYING, rank + 1, len(merges))

    def give(self, table: MergeTable) -> Generator[Step, None, None]:
        """Applies the merges of a table, each counted here and now."""
        if table.lift_rank != 0:
            yield from self.begin_stage()
        for rank, pair in enumerate(table.merges):
            if rank == table.lift_rank:
                yield from self.lift()
            before = len(self.merges)
            for _ in self.merge_steps(rank + 1, pair):
                yield Step(Stage.REPLAYING, rank, len(table.merges))
            yield MergeStep(Stage.REPLAYING, rank + 1, len(table.merges), tuple(self.merges[before:]))
        if table.lift_rank == len(table.merges):
            yield from self.lift()

    def learn(self, wanted: int | None) -> Generator[Step, None, Stopped]:
        """Merges until the size is reached or no pair reaches the least count."""
        while True:
            if self.lift_pending and len(self.merges) >= (self.lift_at or 0):
                yield from self.lift()
            enough = wanted is not None and len(self.merges) >= wanted
            if enough and not self.lift_pending:
                yield from self.have_stage()
                return Stopped.SIZE
            yield from self.have_stage()
            most = self.stage.greatest()
            if most < self.recipe.min_count and self.lift_pending:
                yield from self.lift()  # also when no more is asked: the candidates for the next merge are those of the second stage
                continue
            if enough:
                return Stopped.SIZE
            choice = self.recipe.choice_at(len(self.merges))
            if choice is None and most < self.recipe.min_count:
                self.refuse_later_choices()
                return Stopped.NO_PAIR
            until = len(self.merges) + 1 if choice else self.next_stop(wanted)
            yield from self.merge_on(until, self.chosen(choice) if choice else None, wanted)

    def have_stage(self) -> Generator[Step, None, None]:
        """Begins the first stage where nothing has begun."""
        if not self.stages:
            yield from self.begin_stage()

    def merge_on(self, until: Rank, pair: Pair | None, wanted: int | None) -> Generator[Step, None, None]:
        """Merges up to a rank, or as long as a pair reaches the least count, telling what was learned."""
        before = len(self.merges)
        for _ in self.merge_steps(until, pair):
            if len(self.merges) > before:
                yield MergeStep(Stage.MERGING, len(self.merges), wanted or 0, tuple(self.merges[before:]))
                before = len(self.merges)
            else:
                yield Step(Stage.MERGING, before, wanted or 0)
        if len(self.merges) > before:
            yield MergeStep(Stage.MERGING, len(self.merges), wanted or 0, tuple(self.merges[before:]))

    def merge_steps(self, until: Rank, pair: Pair | None) -> Generator[None, None, None]:
        """Merges up to a rank (`pair` or by the rule), or as long as a pair reaches the least count; pauses every few milliseconds."""
        stage = self.stage
        stage.choose(pair)
        reason = written.PAUSED
        while reason not in (written.REACHED, written.NO_PAIR):
            reason = stage.learn(until - stage.first_rank)
            self.note()
            if reason == written.NAME_ASKED:
                left, right = stage.pair_to_come
                pieces = self.pieces
                stage.name(_compared(pieces[left].joined(pieces[right])))
            elif reason == written.PAUSED:
                yield

    def note(self) -> None:
        """Takes over the merges that the stage has made."""
        stage = self.stage
        for left, right, count, tied, saved, _ in stage.history.merges[len(self.merges) - stage.first_rank : stage.made].tolist():
            self.length -= saved
            self.merges.append(Merge(left, right, count, tied, saved, self.length))

    def next_stop(self, wanted: int | None) -> Rank:
        """The rank at which something other than the rule comes into play."""
        learned = len(self.merges)
        stops = [choice.rank for choice in self.recipe.choices if choice.rank > learned]
        stops += [wanted] if wanted is not None else []
        stops += [self.lift_at] if self.lift_pending and self.lift_at is not None else []
        return min(stops, default=MOST_COUNT)

    @property
    def lift_pending(self) -> bool:
        """Whether a second stage is asked for and has not begun."""
        return self.lift_at is not None and self.lift_rank is None

    def chosen(self, choice: Choice) -> Pair:
        """The pair of a choice: of several ids of one piece the lowest that occurs; ChoiceError if none does."""
        lefts = [at for at, piece in enumerate(self.pieces) if piece == choice.left]
        rights = [at for at, piece in enumerate(self.pieces) if piece == choice.right]
        for left in lefts:
            for right in rights:
                if self.stage.count((left, right)):
                    return left, right
        raise _choice_error(choice)

    def refuse_later_choices(self) -> None:
        """A choice for a rank that was never reached cannot be made either."""
        for choice in self.recipe.choices:
            if choice.rank >= len(self.merges):
                raise _choice_error(choice)

    def lift(self) -> Generator[Step, None, None]:
        """Begins the second stage: from here on whole texts are the pre-tokens."""
        if self.stages:
            self.stage.release()
        self.lift_rank = len(self.merges)
        table = MergeTable(self.recipe, self.alphabet, tuple(merge.pair for merge in self.merges))
        self.start = LazyPreTokens((yield from fast_lift_steps(self.corpus, table, self.pretokens.arrays)))
        yield from self.begin_stage()

    def training(self, stopped: Stopped) -> Training:
        """What was learned."""
        if self.stages:
            self.stage.greatest()  # notes the pairs that are tied at the end
            self.stage.release()
        return Training(
            self.corpus, self.recipe, self.alphabet, self.pretokens, tuple(self.merges), self.lift_rank, stopped,
            Engine.COMPILED, FastHistory(tuple(self.stages)),
        )


def refuse_beyond_counts(pretokens: PreTokenArrays) -> None:
    """TooLargeError where the count of a pair might pass 64 bits."""
    pairs = np.maximum(pretokens.lengths - 1, 0)
    if float(pairs.astype(float) @ pretokens.counts.astype(float)) > SURELY_COUNTED:
        most = sum(size * count for size, count in zip(pairs.tolist(), pretokens.counts.tolist(), strict=True))
        if most > MOST_COUNT:
            raise _too_often(most)


def _too_often(times: int) -> TooLargeError:
    most = thousands(MOST_COUNT)
    return TooLargeError(f"The pairs of this corpus occur {thousands(times)} times; {most} can be counted. Use smaller counts.")


def _compared(piece: Piece) -> bytes:
    return piece.spelled().encode("utf-8", "surrogatepass")


def _choice_error(choice: Choice) -> ChoiceError:
    return ChoiceError(choice.rank, f"{choice.left.spelled()!r} followed by {choice.right.spelled()!r}")
