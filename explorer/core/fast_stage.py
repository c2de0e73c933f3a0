"""One stage of a training in compiled loops: its arrays, the room they need, and how they are driven.

A stage begins with a layout of pre-tokens and the tokens there are, and learns merges from rank `first_rank` on. The
loops run in slices of some milliseconds; between two of them the arrays may be made larger, and the table of pairs be filled anew,
in slices too. That is rare: they begin with room for what mostly comes, since the system hands memory out only where it is written to.
"""

from collections.abc import Generator, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from explorer.core.distinct import MapChunks
from explorer.core.growing import grow
from explorer.core.kernels import counting_loops as counting
from explorer.core.kernels import pair_loops as by_pair
from explorer.core.kernels import tied_loops
from explorer.core.kernels import training_loops as loops
from explorer.core.kernels import training_state as written
from explorer.core.layout import Layout
from explorer.core.progress import Stage, Step
from explorer.core.recipe import TieRule
from explorer.core.square_count import NOT_KEPT, SquareCount
from explorer.core.stage_arrays import PAIRS_A_STEP, Int64s, empty_pairs, narrow, refilled, slices, tokens_of, wide
from explorer.core.stage_history import StageHistory
from explorer.core.vocabulary import Pair, Rank, TokenId

SQUARE_UP_TO = 1024  # tokens: their pairs are counted in a square table
SLOTS_A_STEP = 2_000_000  # about 5 ms
PLACES_A_STEP = 100_000  # visited between two steps: about 5 ms
NOTES_A_MERGE = 4
SLOTS_A_PAIR = 16  # at first: of text 1 MB has a pair to 10 slots at the end, 100 MB one to 32
LOSSES_A_PAIR = 1.75  # likewise
DONE = object()
LEVEL_AT_FIRST = np.iinfo(np.int64).max
BY_MERGE = ("born_until", "lost_until", "met_until", "distinct", "noted_until")  # what of a history has one entry a merge and one more

RULES = {
    TieRule.LOWEST_IDS: by_pair.BY_IDS, TieRule.LEXICOGRAPHIC: by_pair.BY_TEXT,
    TieRule.FIRST_MET: by_pair.BY_FIRST_PLACE, TieRule.LAST_MET: by_pair.BY_LAST_PLACE,
}


class FastStage:
    """The arrays of one stage.

    `kept_from` is the count from which a pair is followed: 2 where pairs that occur once can never be merged, 1
    otherwise. `texts` are the texts of all tokens there are, by which a lexicographic rule compares; `names_given` says
    that a merged token's is not its halves' joined, so that the caller writes it. `expected` is how many merges there is room
    for at first.
    """

    def __init__(
        self, layout: Layout, first_id: TokenId, first_rank: Rank, tie: TieRule, least: int, kept_from: int, texts: Sequence[bytes],
        names_given: bool, expected: int,
    ) -> None:
        self.layout, self.first_id, self.first_rank, self.kept_from = layout, first_id, first_rank, kept_from
        self._making: Iterator[None] | None = None  # the room that is being made
        self.pairs: by_pair.Pairs
        self.corpus: written.Corpus
        state = self.state = np.zeros(written.STATE_SIZE, np.int64)
        state[written.FIRST_ID], state[written.KEPT_FROM], state[written.LEAST] = first_id, kept_from, least
        state[written.RULE], state[written.LEVEL], state[written.NAMES_GIVEN] = RULES[tie], LEVEL_AT_FIRST, names_given
        self.choose(None)
        self.table = np.zeros(0, np.int32)
        self.queue = by_pair.Queue(np.full(by_pair.BUCKETS, by_pair.NONE, np.int32), np.zeros(0, np.int32))
        merges = min(layout.ids.size, expected) + 1
        tokens = first_id + merges + 1
        self.tokens = tokens_of(texts, first_id, tokens)
        state[written.TEXT_USED] = sum(map(len, texts))
        left, right = (np.zeros((tokens, written.NEAR_COLUMNS), np.int64) for _ in range(2))
        self.near = written.Neighbours(left, narrow(tokens), right, narrow(tokens))
        self.history = written.History(
            np.zeros((merges, written.COLUMNS), np.int64), wide(merges + 1), wide(merges + 1), wide(merges + 1), wide(merges + 1),
            narrow(0), wide(0), narrow(0), wide(0), wide(merges + 1), narrow(first_id + 4), wide(first_id + 4),
        )

    @property
    def made(self) -> int:
        """How many merges this stage has made."""
        return int(self.state[written.MADE])

    def count_steps(self, map_chunks: MapChunks | None = None) -> Generator[Step, None, None]:
        """Counts all pairs and finds their places, on the caller's threads if any: what must be done once before anything else."""
        yield from self._count_in_square(map_chunks) if self.first_id <= SQUARE_UP_TO else self._count_by_hash()
        state, history = self.state, self.history
        history.born_until[0] = state[written.BORN]
        history.distinct[0], history.noted_until[0] = state[written.DISTINCT], state[written.NOTED]
        for _ in self._rebuild_table():
            yield Step(Stage.MERGING, 0, 0)
        for first, last in slices(self.born, PAIRS_A_STEP):
            tied_loops.fill_queue(state, self.queue, self.pairs, first, last)
            yield Step(Stage.MERGING, 0, 0)
        most = int(self.pairs.places[: self.born].max(initial=0))
        self.sites = written.Sites(narrow(most + 2), narrow(most + 2), narrow(most + 2))

    @property
    def born(self) -> int:
        """How many pairs there ever were that were followed."""
        return int(self.state[written.BORN])

    def greatest(self) -> int:
        """The greatest count there is, 0 where there is no pair that is followed."""
        while True:
            found = int(tied_loops.find_greatest(self.state, self.queue, self.pairs, self.tokens, self.corpus, self.history))
            if found != by_pair.NONE:
                return found
            for _ in self._make_room_for_ties():
                pass

    def count(self, pair: Pair) -> int:
        """The count of a pair now; 0 where it does not occur or is not followed."""
        found = int(by_pair.find_pair(self.table, self.pairs, *pair))
        return 0 if found < 0 else int(self.pairs.counts[found])

    def choose(self, pair: Pair | None) -> None:
        """Settles the pair of the merges to come; None leaves it to the rule. ValueError for tokens that are not there yet."""
        if pair and not (min(pair) >= 0 and max(pair) < self.first_id + self.made):
            raise ValueError(f"tokens {pair} are not both there: the next to be made is {self.first_id + self.made}")
        self.state[written.CHOSEN_LEFT], self.state[written.CHOSEN_RIGHT] = pair or (by_pair.NONE, by_pair.NONE)

    def learn(self, stop_at: int) -> int:
        """Goes on for one slice, to at most `stop_at` merges; returns the reason it stopped: PAUSED, REACHED, NO_PAIR, NAME_ASKED.

        A slice may be one of making room: until that is done nothing is merged, and the table of pairs is not to be looked into.
        """
        if self._making is not None:
            if next(self._making, DONE) is DONE:
                self._making = None
            return written.PAUSED
        self.state[written.STOP_AT] = stop_at
        reason = int(loops.learn(
            self.state, PLACES_A_STEP, self.queue, self.table, self.pairs, self.tokens, self.corpus, self.near, self.sites, self.history
        ))
        if reason in (written.PAUSED, written.REACHED, written.NO_PAIR, written.NAME_ASKED):
            return reason
        self._making = self._make_room(reason)
        return written.PAUSED

    def name(self, text: bytes) -> None:
        """Writes the text of the token about to be made, as NAME_ASKED wants."""
        used = int(self.state[written.TEXT_USED])
        tokens, new = self.tokens, self.first_id + self.made
        if used + len(text) > tokens.text.size:
            grow(tokens.text, 2 * tokens.text.size + len(text))
        tokens.text[used : used + len(text)] = np.frombuffer(text, np.uint8)
        tokens.text_start[new], tokens.text_size[new] = used, len(text)
        self.state[written.TEXT_USED], self.state[written.NAMES_GIVEN] = used + len(text), 2

    @property
    def pair_to_come(self) -> Pair:
        """The pair about to be merged, when NAME_ASKED."""
        return int(self.state[written.LEFT]), int(self.state[written.RIGHT])

    def so_far(self) -> StageHistory:
        """What was written down before the first merge, copied, as the arrays grow on."""
        assert not self.made, "later it would be much to copy"
        pairs, history, born = self.pairs, self.history, self.born
        met, noted = int(self.state[written.MET]), int(self.state[written.NOTED])
        copied = history._replace(
            merges=history.merges[:0].copy(), met_pair=history.met_pair[:met].copy(), met_key=history.met_key[:met].copy(),
            noted_token=history.noted_token[:noted].copy(), noted_change=history.noted_change[:noted].copy(),
            lost_pair=narrow(0), lost_amount=wide(0),
            **{name: getattr(history, name)[:1].copy() for name in BY_MERGE},
        )  # fmt: skip
        return self._told(pairs.ids[:born], pairs.born[:born].copy(), copied)

    def told(self) -> StageHistory:
        """What was written down, cut to size; nothing can be learned after it. A merge half done is not among it."""
        made, history = self.made, self.history
        born, lost, noted = (int(until[made]) for until in (history.born_until, history.lost_until, history.noted_until))
        met = int(self.state[written.MET])
        history.merges.resize((made, written.COLUMNS), refcheck=False)
        for array, size in (
            (self.pairs.ids, born), (self.pairs.born, born), (history.lost_pair, lost), (history.lost_amount, lost),
            (history.met_pair, met), (history.met_key, met), (history.noted_token, noted), (history.noted_change, noted),
            *((getattr(history, name), made + 1) for name in BY_MERGE),
        ):
            array.resize(size, refcheck=False)
        told = self._told(self.pairs.ids, self.pairs.born, history)
        del self.queue, self.table, self.near, self.sites, self.corpus, self.tokens, self.layout, self.pairs, self.history
        return told

    def _told(self, ids: Int64s, born: Int64s, history: written.History) -> StageHistory:
        left, right = (ids >> 32).astype(np.int32), (ids & 0xFFFFFFFF).astype(np.int32)
        return StageHistory(self.first_id, self.first_rank, self.kept_from, left, right, born, history)

    @property
    def merging(self) -> Pair | None:
        """The pair of the merge that is half done, if there is one."""
        return None if self.state[written.PHASE] == written.CHOOSING else self.pair_to_come

    def _count_in_square(self, map_chunks: MapChunks | None) -> Generator[Step, None, None]:
        size = self.first_id
        square = SquareCount(self.layout, size, map_chunks)
        yield from square.count_steps()
        self._note_doubles(square.apart)
        kept = np.flatnonzero(square.counts >= self.kept_from)
        self.state[written.DISTINCT] = np.count_nonzero(square.places)
        left, right = np.divmod(kept, max(size, 1))
        self._first_pairs(left << 32 | right, square.places[kept], square.counts[kept], int(square.places.sum()))
        starts = np.full(size * size, NOT_KEPT, np.int64)
        starts[kept] = self.pairs.start[: len(kept)]
        yield from self._touch_pool()
        yield from square.place_steps(starts, self.corpus.pool)

    def _count_by_hash(self) -> Generator[Step, None, None]:
        ids, weights = self.layout.ids, self.layout.weights
        pairs, table = empty_pairs(1 << 16, by_place=False), np.full(1 << 18, by_pair.NONE, np.int32)
        born = run = 0
        apart = wide(self.first_id)
        for first, last in slices(ids.size - 1, SLOTS_A_STEP):
            while first < last:
                first, born, run = counting.count_by_hash(ids, weights, first, last, table, pairs, born, apart, run)
                if first < last:
                    for array in pairs:
                        if len(array):  # nothing is known of places
                            grow(array, 2 * array.size)
                    table = np.empty(4 * pairs.ids.size, np.int32)
                    for _ in refilled(table, pairs, born):
                        yield Step(Stage.MERGING, 0, 0)
            yield Step(Stage.MERGING, 0, 0)
        self._note_doubles(apart)
        kept = np.flatnonzero(pairs.counts[:born] >= self.kept_from)
        self.state[written.DISTINCT] = born
        adjacent = int(pairs.places[:born].sum(dtype=np.int64))
        self._first_pairs(pairs.ids[kept], pairs.places[kept], pairs.counts[kept], adjacent)
        cursors = np.full(born, by_pair.NONE, np.int64)
        cursors[kept] = self.pairs.start[: len(kept)]
        yield from self._touch_pool()
        for first, last in slices(ids.size - 1, SLOTS_A_STEP):
            counting.place_by_hash(ids, first, last, table, pairs, cursors, self.corpus.pool)
            yield Step(Stage.MERGING, 0, 0)

    def _note_doubles(self, apart: Int64s) -> None:
        """Writes down how many pairs of each token with itself a merge would replace at the start."""
        tokens = np.flatnonzero(apart)
        noted = self.state[written.NOTED] = len(tokens)
        self.history.noted_token[:noted], self.history.noted_change[:noted] = tokens, apart[tokens]

    def _first_pairs(
        self, ids: Int64s, places: npt.NDArray[np.integer], counts: Int64s, adjacent: int
    ) -> None:
        """Numbers the pairs that are followed, and makes the pool; `adjacent` is how many neighbours there are, and so how many sites.

        The system hands memory out where it is written to. A merge takes at most as much of the pool as it has sites, and
        mostly a third: the rest is never touched.
        """
        born = len(ids)
        room = born + self._births_at_most + self.layout.ids.size // SLOTS_A_PAIR
        pairs = self.pairs = empty_pairs(room, by_place=self.state[written.RULE] >= by_pair.BY_FIRST_PLACE)
        self.queue = self.queue._replace(heap=np.empty(room, np.int32))
        losses = round(room * LOSSES_A_PAIR)
        self.history = self.history._replace(lost_pair=np.empty(losses, np.int32), lost_amount=np.empty(losses, np.int64))
        ends = np.cumsum(places, dtype=np.int64)
        columns = (pairs.ids, ids), (pairs.places, places), (pairs.counts, counts), (pairs.born, counts)
        for array, values in (*columns, (pairs.start, ends - places)):
            array[:born] = values
        self.state[written.BORN] = born
        pooled = self.state[written.POOLED] = int(ends[-1]) if born else 0
        pool = np.empty(pooled + adjacent, np.int32)
        self.corpus = written.Corpus(self.layout.ids, self.layout.weights, pool)

    def _touch_pool(self) -> Generator[Step, None, None]:
        """Has the system hand out the pool's memory bit by bit: places are written all over it, and the first few would take all of it."""
        for first, last in slices(int(self.state[written.POOLED]), SLOTS_A_STEP):
            self.corpus.pool[first:last] = 0
            yield Step(Stage.MERGING, 0, 0)

    def _make_room(self, reason: int) -> Iterator[None]:
        makers = {
            written.ROOM_FOR_PAIRS: self._make_room_for_pairs, written.ROOM_FOR_LOSSES: self._make_room_for_losses,
            written.ROOM_FOR_TIES: self._make_room_for_ties, written.ROOM_IN_TABLE: self._rebuild_table,
            written.ROOM_FOR_MERGES: self._make_room_for_merges, written.ROOM_FOR_TEXT: self._make_room_for_text,
        }
        return makers[reason]()

    @property
    def _births_at_most(self) -> int:
        """How many pairs some merges to come can make, and so lose: at most two for each token, or for each place of a pair."""
        return 4 * min(self.first_id + self.made, int(self.state[written.LEVEL])) + 4096

    def _make_room_for_pairs(self) -> Iterator[None]:
        size = max(round(1.5 * self.pairs.ids.size), self.born + self._births_at_most)
        for array in (*self.pairs, self.queue.heap):
            if len(array):  # no place decides: there are no keys
                grow(array, size)
                yield

    def _make_room_for_losses(self) -> Iterator[None]:
        lost = int(self.state[written.LOST]) + self._births_at_most
        size = max(round(1.5 * self.history.lost_pair.size), lost) if lost > self.history.lost_pair.size else self.history.lost_pair.size
        for array in (self.history.lost_pair, self.history.lost_amount):
            grow(array, size)
            yield
        noted = int(self.state[written.NOTED])
        if noted + NOTES_A_MERGE > self.history.noted_token.size:
            for array in (self.history.noted_token, self.history.noted_change):
                grow(array, 2 * noted + 1024)
                yield

    def _make_room_for_ties(self) -> Iterator[None]:
        size = max(round(1.5 * self.history.met_pair.size), int(self.state[written.MET]) + self.born + self._births_at_most)
        for array in (self.history.met_key, self.history.met_pair):  # the latter last: by it is told whether there is room, be it half-way
            grow(array, size)
            yield

    def _make_room_for_merges(self) -> Iterator[None]:
        merges = round(1.5 * self.history.merges.shape[0]) + 1024
        tokens = self.first_id + merges + 1
        for array in (*self.near, self.tokens.width, self.tokens.text_start, self.tokens.text_size):
            grow(array, tokens)
            yield
        grow(self.history.merges, merges)
        for name in BY_MERGE:
            grow(getattr(self.history, name), merges + 1)
        yield

    def _make_room_for_text(self) -> Iterator[None]:
        grow(self.tokens.text, 2 * self.tokens.text.size + 2 * int(self.tokens.text_size.max()))
        yield

    def _rebuild_table(self) -> Iterator[None]:
        alive = int(np.count_nonzero(self.pairs.counts[: self.born]))
        size = 1 << 12
        while size < 4 * (alive + self._births_at_most):
            size *= 2
        if size != self.table.size:
            self.table = np.empty(size, np.int32)
        self.state[written.ENTERED] = yield from refilled(self.table, self.pairs, self.born)
