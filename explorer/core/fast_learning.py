"""A training under way in compiled loops: what was learned, and the stage that learns.

A stage counts all pairs where it begins, and learns merges from there on. It begins with the corpus, at the lift, and
wherever a training goes on: there the slots are those that were kept, and the stages before are taken over as they are.
"""

from collections.abc import Generator
from itertools import accumulate, repeat
from operator import sub

import numpy as np

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.distinct import MapChunks
from explorer.core.fast_lift import fast_lift_steps
from explorer.core.fast_pretokens import PreTokenArrays
from explorer.core.fast_stage import FastStage
from explorer.core.figures import thousands
from explorer.core.kept_slots import KeptSlots
from explorer.core.kernels import training_state as written
from explorer.core.kernels.counting_loops import Weights
from explorer.core.layout import Layout, layout_steps
from explorer.core.lazy_pretokens import LazyPreTokens
from explorer.core.mapped import letting_go
from explorer.core.progress import Stage, Step
from explorer.core.recipe import AlphabetKind, Choice, Recipe, TieRule
from explorer.core.stage_history import FastHistory, StageHistory
from explorer.core.table import MergeTable
from explorer.core.training import Engine, Merge, MergeStep, Stopped, Training, choice_error
from explorer.core.vocabulary import Pair, Piece, Rank
from explorer.errors import TooLargeError

MOST_COUNT = 2**63 - 1
SURELY_COUNTED = 2.0**62  # within the error of a sum of floats
MERGES_AT_FIRST = 1 << 16  # that there is room for where nobody says how many are wanted
MOST_AT_FIRST = 1 << 18  # some hundred bytes a merge, which the system hands out as they are written to
OFTEN = 2  # pairs that occur less often are not followed where none of them can be merged


def ranks_once(corpus: Corpus, recipe: Recipe) -> bool:
    """Whether pairs that occur once must be followed, be it to rank them.

    Weighted texts laid out whole have pairs from one to the next, which have no place where a count could be looked up.
    """
    return recipe.min_count < OFTEN or (recipe.lift is not None and corpus.weights is not None)


class Learning:
    """A training under way.

    `follows_once` says that the merges to come may be of pairs that occur once, be they given; `keeps` that the slots are
    kept where a stage ends, so that somebody can go on from there.
    """

    def __init__(
        self, corpus: Corpus, recipe: Recipe, alphabet: Alphabet, pretokens: LazyPreTokens, map_chunks: MapChunks | None = None, *,
        given: bool = False, keeps: bool = False,
    ) -> None:
        self.corpus, self.recipe, self.alphabet, self.pretokens = corpus, recipe, alphabet, pretokens
        self.map_chunks = map_chunks
        self.given, self.keeps = given, keeps
        self.merges: list[Merge] = []
        self.length = pretokens.length
        self.lift_rank: Rank | None = None
        self.lift_at = None if recipe.lift is None else max(0, recipe.lift - alphabet.floor)
        self.told: list[StageHistory] = []  # of the stages that are over
        self.kept: list[KeptSlots] = []
        self.follows_once = ranks_once(corpus, recipe) or given
        self._stage: FastStage | None = None
        self._pieces: list[Piece] = list(alphabet.rows)

    @property
    def stage(self) -> FastStage:
        """The stage that learns now."""
        assert self._stage is not None, "no stage has begun"
        return self._stage

    @property
    def pieces(self) -> list[Piece]:
        """The piece of every token there is, in id order."""
        pieces = self._pieces
        for merge in self.merges[len(pieces) - self.alphabet.first_merged_id :]:
            pieces.append(pieces[merge.left].joined(pieces[merge.right]))
        return pieces

    @property
    def _expected(self) -> int:
        """How many more merges to have room for: those asked for, as far as it is not too many."""
        recipe = self.recipe
        asked = recipe.merges if recipe.rows is None else recipe.rows - self.alphabet.floor
        return MERGES_AT_FIRST if asked is None else max(0, min(asked - len(self.merges), MOST_AT_FIRST))

    # Stages.

    def have_stage(self) -> Generator[Step, None, None]:
        """Begins the first stage where nothing has begun."""
        if self._stage is None:
            yield from self.begin_with(self.pretokens.arrays)

    def begin_with(self, pretokens: PreTokenArrays) -> Generator[Step, None, None]:
        """Begins a stage with pre-tokens."""
        refuse_beyond_counts(pretokens)
        yield Step(Stage.CUTTING, 0, len(pretokens))
        steps = layout_steps(pretokens, self.alphabet.stand_in, self.recipe.tie, self.map_chunks)
        yield from self.begin((yield from letting_go(steps, self.corpus.data, every=100_000)))

    def begin(self, layout: Layout) -> Generator[Step, None, None]:
        """Begins a stage with the slots as they are now, and counts them."""
        tie = self.recipe.tie
        by_text = tie is TieRule.LEXICOGRAPHIC and not self.given  # whose ties decide nothing, and are put in order when asked for
        texts, names_given = self._texts() if by_text else ([], False)
        first_id = self.alphabet.first_merged_id + len(self.merges)
        kept_from = 1 if self.follows_once else OFTEN
        rule = TieRule.LOWEST_IDS if tie is TieRule.LEXICOGRAPHIC and not by_text else tie
        stage = FastStage(layout, first_id, len(self.merges), rule, self.recipe.min_count, kept_from, texts, names_given, self._expected)
        yield from stage.count_steps(self.map_chunks)
        self._stage = stage

    def end_stage(self) -> Generator[Step, None, None]:
        """Ends the stage that learns; what it wrote down stays, and its slots if they are kept."""
        stage = self.stage
        stage.greatest()  # notes the pairs that are tied at the end
        kept = yield from self.slots().at(len(self.merges)) if self.keeps else _nothing()
        self._stage = None
        self._tell(stage, kept)

    def slots(self) -> KeptSlots:
        """The slots as they are at this moment, be it in the middle of a merge."""
        stage, first = self.stage, self.alphabet.first_merged_id
        pairs = [*(merge.pair for merge in self.merges), *filter(None, (stage.merging,))]
        parts = np.full((first + len(pairs), 2), -1, np.int32)
        parts[first:] = np.array(pairs, np.int32).reshape(-1, 2)
        lefts, rights = np.ascontiguousarray(parts.T)
        layout = stage.layout
        until, counts = layout.weights
        lifted = self.lift_rank is not None
        return KeptSlots(layout.ids, until, counts, stage.tokens.width, lefts, rights, first, len(self.merges), lifted)

    def take_up(
        self, told: tuple[StageHistory, ...], merges: tuple[Merge, ...], slots: KeptSlots, lift_rank: Rank | None, kept: list[KeptSlots]
    ) -> Generator[Step, None, None]:
        """Begins a stage with the slots as they are with some merges made; `kept` are all that were kept beside them."""
        self.told, self.merges, self.lift_rank = list(told), list(merges), lift_rank
        self.length = merges[-1].length if merges else self.length
        self.kept = [one for one in tuple(kept) if slots.lifted and not one.lifted]
        yield from self.begin(Layout(slots.ids, Weights(slots.until, slots.counts)))

    def anew(self) -> "Learning":
        """The same training from its beginning."""
        return Learning(self.corpus, self.recipe, self.alphabet, self.pretokens, self.map_chunks, given=self.given, keeps=self.keeps)

    def _tell(self, stage: FastStage, kept: KeptSlots | None) -> None:
        if kept:
            self.kept = [*(one for one in self.kept if one.lifted != kept.lifted), kept]
        if stage.made or not self.told or self.lift_rank == stage.first_rank:
            self.told.append(stage.told())

    def _texts(self) -> tuple[list[bytes], bool]:
        """The texts of all tokens that the lexicographic rule compares, byte by byte, and whether joining halves is not enough.

        In characters they are UTF-8 with lone surrogates in their place, whose bytes lie in the order of the code points. Two
        stray bytes that a merge brings together may be a character after all, and then read as one.
        """
        if self.alphabet.kind is AlphabetKind.BYTES:
            return [piece.bytes for piece in self.pieces], False
        stray = {at for at, piece in enumerate(self.pieces) if any(0xDC80 <= ord(character) <= 0xDCFF for character in piece.spelled())}
        return list(map(_compared, self.pieces)), bool(stray)

    # Learning.

    def learn(self, wanted: int | None) -> Generator[Step, None, Stopped]:
        """Merges until the size is reached or no pair reaches the least count."""
        while True:
            yield from self.settle()
            if wanted is not None and len(self.merges) >= wanted:
                return Stopped.SIZE
            choice = self.recipe.choice_at(len(self.merges))
            if choice is None and self.stage.greatest() < self.recipe.min_count:
                self.refuse_later_choices()
                return Stopped.NO_PAIR
            pair = (yield from self.chosen(choice)) if choice else None
            yield from self.merge_on(len(self.merges) + 1 if choice else self.next_stop(wanted), pair, wanted)

    def settle(self) -> Generator[Step, None, None]:
        """Has the stage there that the next merge belongs to, also where no more is asked: its pairs are the candidates shown."""
        if self.lift_pending and len(self.merges) >= (self.lift_at or 0):
            yield from self.lift()
        yield from self.have_stage()
        if self.lift_pending and self.stage.greatest() < self.recipe.min_count:
            yield from self.lift()

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
        made = stage.history.merges[len(self.merges) - stage.first_rank : stage.made]
        left, right, count, tied, saved, _ = made.T.tolist()
        lengths = list(accumulate(saved, sub, initial=self.length))
        self.length = lengths[-1]
        columns = zip(left, right, count, tied, saved, lengths[1:], strict=True)
        self.merges.extend(map(tuple.__new__, repeat(Merge), columns))  # as Merge._make, in half the time

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

    def lift(self) -> Generator[Step, None, None]:
        """Begins the second stage: from here on whole texts are the pre-tokens."""
        if self._stage:
            yield from self.end_stage()
        table = MergeTable(self.recipe, self.alphabet, tuple(merge.pair for merge in self.merges))
        texts = yield from fast_lift_steps(self.corpus, table, self.pretokens.arrays)
        yield from self.begin_with(texts)
        self.lift_rank = len(self.merges)

    # Choices.

    def chosen(self, choice: Choice) -> Generator[Step, None, Pair]:
        """The pair of a choice: of several ids of one piece the lowest that occurs; ChoiceError if none does.

        Where pairs that occur once are not followed, one that is chosen begins a stage in which they are: one that occurred
        more often before and is still counted does so too, or the pairs that it is tied with would not be.
        """
        lefts = [at for at, piece in enumerate(self.pieces) if piece == choice.left]
        rights = [at for at, piece in enumerate(self.pieces) if piece == choice.right]
        for pair in ((left, right) for left in lefts for right in rights):
            if self.stage.count(pair) >= self.stage.kept_from:
                return pair
            if self.stage.kept_from > 1 and (yield from self.occurs(pair)):
                return pair
        raise choice_error(choice)

    def occurs(self, pair: Pair) -> Generator[Step, None, bool]:
        """Whether a pair that is not followed occurs; if it does, it is followed from now on."""
        slots = yield from self.slots().at(len(self.merges))
        if not bool(((slots.ids[:-1] == pair[0]) & (slots.ids[1:] == pair[1])).any()):
            return False
        self.follows_once = True
        stage, self._stage = self.stage, None
        stage.greatest()  # notes the pairs that are tied: the next stage may be stopped before it tells
        self._tell(stage, None)
        yield from self.begin(Layout(slots.ids, Weights(slots.until, slots.counts)))
        return True

    def refuse_later_choices(self) -> None:
        """A choice for a rank that was never reached cannot be made either."""
        for choice in self.recipe.choices:
            if choice.rank >= len(self.merges):
                raise choice_error(choice)

    # What came of it.

    def begun(self) -> Training:
        """The training before its first merge, which it goes on with."""
        self.stage.greatest()  # notes the pairs that are tied
        history = FastHistory((*self.told, self.stage.so_far()))
        return Training(
            self.corpus, self.recipe, self.alphabet, self.pretokens, (), self.lift_rank, Stopped.SIZE, Engine.COMPILED, history
        )  # fmt: skip

    def training(self, stopped: Stopped) -> Training:
        """What was learned; all stages are over."""
        return Training(
            self.corpus, self.recipe, self.alphabet, self.pretokens, tuple(self.merges), self.lift_rank, stopped,
            Engine.COMPILED, FastHistory(tuple(self.told)), self.kept,
        )  # fmt: skip

    def cut_short(self) -> Training:
        """What was learned so far, as if no more had been asked for; whoever is told so stops. Takes no time to speak of."""
        if self._stage:
            stage, kept = self._stage, self.slots() if self.keeps else None
            if stage.merging is None:
                stage.greatest()  # notes the pairs that are tied
            self._stage = None
            self._tell(stage, kept)
        self.recipe = self.recipe.asking(merges=len(self.merges))
        return self.training(Stopped.SIZE)


def _nothing() -> Generator[Step, None, None]:
    return
    yield


def refuse_beyond_counts(pretokens: PreTokenArrays) -> None:
    """TooLargeError where the count of a pair might pass 64 bits."""
    pairs = np.maximum(pretokens.lengths - 1, 0)
    if float(pairs.astype(float) @ pretokens.counts.astype(float)) > SURELY_COUNTED:
        most = sum(size * count for size, count in zip(pairs.tolist(), pretokens.counts.tolist(), strict=True))
        if most > MOST_COUNT:
            raise too_often(most)


def too_often(times: int) -> TooLargeError:
    """The refusal of a corpus whose counts pass 64 bits."""
    most = thousands(MOST_COUNT)
    return TooLargeError(f"The pairs of this corpus occur {thousands(times)} times; {most} can be counted. Use smaller counts.")


def _compared(piece: Piece) -> bytes:
    return piece.spelled().encode("utf-8", "surrogatepass")
