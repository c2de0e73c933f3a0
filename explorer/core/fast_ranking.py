"""Counts of the pairs of one stage at any of its merges, from what the compiled training wrote down.

At some merges the pairs with the greatest counts are kept (a checkpoint); a question goes on from the one before. Where
too few are left to fill a list, as among very many pairs with one count, all counts are replayed from the start.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from explorer.core.kernels import timeline_loops as loops
from explorer.core.kernels import training_state as written
from explorer.core.stage_history import StageHistory
from explorer.core.vocabulary import Pair, TokenId

Int64s = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.integer]

KEPT = 4096  # pairs of a checkpoint at least
KEPT_AT_MOST = 1 << 16
EVENTS_A_CHECKPOINT = 65_536  # births and losses gone through by a question at most
MERGES_A_CHECKPOINT = 512  # late merges have few events, and each takes a pair from the top
BORN_SINCE_AT_MOST = 1 << 17
COUNTS_TALLIED = 1 << 16


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All pairs with `least` occurrences or more after `merge` merges of the stage, and their counts."""

    merge: int
    pairs: npt.NDArray[np.int32]
    counts: Int64s
    least: int


@dataclass(frozen=True, slots=True)
class Found:
    """Numbers of pairs with their counts at one merge: all that have `least` or more are among them."""

    pairs: Numbers
    counts: Int64s
    least: int


@dataclass
class StageRanking:
    """The pairs of a stage; merges are counted from its first one."""

    stage: StageHistory
    checkpoints: list[Checkpoint] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Takes the arrays of the stage, and scratch."""
        history, self.made = self.stage.history, self.stage.made
        merged = np.ascontiguousarray(history.merges[:, written.M_PAIR])
        self.written = loops.Written(
            self.stage.born, history.born_until, history.lost_pair, history.lost_amount, history.lost_until, merged
        )
        self._slots = np.full(len(self.stage.born), -1, np.int32)
        self._room = np.empty(KEPT_AT_MOST + BORN_SINCE_AT_MOST, np.int32), np.empty(KEPT_AT_MOST + BORN_SINCE_AT_MOST, np.int64)
        self._doubles: dict[TokenId, tuple[list[int], list[int]]] = {}
        self.all_counts = lru_cache(maxsize=2)(self._all_counts)

    def for_another(self) -> "StageRanking":
        """The same ranking with scratch of its own, for another training that shares the stage and may be asked at the same time."""
        other = StageRanking(self.stage, self.checkpoints)
        other._doubles = self._doubles
        return other

    def checkpoint_steps(self) -> Iterator[None]:
        """Makes the checkpoints, a step each. One pass over what was written down, and one over the pairs a checkpoint."""
        counts, tally = self._counts_at_first(), np.zeros(COUNTS_TALLIED, np.int64)
        pairs, values = np.empty(KEPT_AT_MOST, np.int32), np.empty(KEPT_AT_MOST, np.int64)
        events = self.written.born_until + self.written.lost_until
        merge = 0
        while True:
            self.checkpoints.append(self._checkpoint(merge, counts, tally, pairs, values))
            if merge >= self.made:
                return
            yield
            enough = int(np.searchsorted(events, events[merge] + EVENTS_A_CHECKPOINT))
            after = min(max(enough, merge + 1), merge + MERGES_A_CHECKPOINT, self.made)
            loops.replay(self.written, merge, after, counts)
            merge = after

    def _checkpoint(self, merge: int, counts: Int64s, tally: Int64s, pairs: npt.NDArray[np.int32], values: Int64s) -> Checkpoint:
        born = int(self.written.born_until[merge])
        taken, least = loops.greatest(counts, born, KEPT, self.stage.kept_from, tally, pairs, values)
        if taken == len(pairs) and least == len(tally) - 1:  # of the counts past the end of the tally there may be more than have room
            return _of_great_counts(merge, counts[:born])
        return Checkpoint(merge, pairs[:taken].copy(), values[:taken].copy(), least)

    def greatest(self, k: int, wanted: int, least: int) -> Found:
        """At least `wanted` of the pairs with the greatest counts, or all that have `least` or more where there are not so many."""
        found = self._since_checkpoint(k)
        if found is None or (found.least > least and np.count_nonzero(found.counts >= found.least) < wanted):
            counts = self.all_counts(k)
            pairs = np.flatnonzero(counts >= least)
            return Found(pairs, counts[pairs], least)
        kept = found.counts >= max(least, found.least)
        return Found(found.pairs[kept], found.counts[kept], max(least, found.least))

    def _since_checkpoint(self, k: int) -> Found | None:
        checkpoint = self.checkpoints[bisect_right(self.checkpoints, k, key=lambda one: one.merge) - 1]
        pairs, counts = self._room
        known = len(checkpoint.pairs)
        pairs[:known], counts[:known] = checkpoint.pairs, checkpoint.counts
        known = loops.since(self.written, checkpoint.merge, k, checkpoint.least, pairs, counts, known, self._slots)
        return Found(pairs[:known], counts[:known], checkpoint.least) if known >= 0 else None

    def count(self, k: int, pair: Pair) -> int | None:
        """The count of a pair; None where it was never followed, so that it occurs once or not at all."""
        number = self.number(pair)
        if number is None:
            return 0 if self.stage.kept_from == 1 else None
        if number >= self.written.born_until[k] or bool((self.written.merged[:k] == number).any()):
            return 0
        until = int(self.written.lost_until[k])
        return int(self.written.born[number]) - int(self.written.lost_amount[:until][self.written.lost_pair[:until] == number].sum())

    def number(self, pair: Pair) -> int | None:
        """The number of a pair: it was born with the younger of its tokens."""
        younger = max(pair) - self.stage.first_id
        if younger >= self.made:
            return None
        first = 0 if younger < 0 else int(self.written.born_until[younger])
        last = int(self.written.born_until[younger + 1 if younger >= 0 else 0])
        here = slice(first, last)
        found = np.flatnonzero((self.stage.left[here] == pair[0]) & (self.stage.right[here] == pair[1]))
        return first + int(found[0]) if len(found) else None

    def distinct(self, k: int) -> int:
        """How many distinct pairs there are, of whatever count."""
        return int(self.stage.history.distinct[k])

    def replaced(self, k: int, token: TokenId) -> int:
        """How many pairs of a token with itself a merge would replace."""
        until = self.stage.history.noted_until[k]
        merges, totals = self._doubles.get(token, ([], []))
        at = bisect_right(merges, int(until) - 1)
        return int(totals[at - 1]) if at else 0

    def places(self, k: int, pairs: Numbers) -> Int64s:
        """The first place of each of the pairs tied at k, or its last negated: what decided training by met order."""
        until = int(self.stage.history.met_until[min(k + 1, self.made)]) if k < self.made else len(self.stage.history.met_pair)
        keys = np.zeros(len(self.stage.born), np.int64)
        keys[self.stage.history.met_pair[:until]] = self.stage.history.met_key[:until]  # of several the last, which is that of now
        return keys[pairs]

    def index_doubles(self) -> None:
        """Notes for each token where in the notes it stands, and its total from there on."""
        history = self.stage.history
        order = np.argsort(history.noted_token, kind="stable")
        tokens, starts = np.unique(history.noted_token[order], return_index=True)
        ends = np.append(starts, len(order))[1:]
        changes = history.noted_change[order]
        self._doubles = {
            token: (order[start:end].tolist(), np.cumsum(changes[start:end]).tolist())
            for token, start, end in zip(tokens.tolist(), starts.tolist(), ends.tolist(), strict=True)
        }

    def _counts_at_first(self) -> Int64s:
        counts = np.zeros(len(self.stage.born), np.int64)
        first = int(self.written.born_until[0])
        counts[:first] = self.stage.born[:first]
        return counts

    def _all_counts(self, k: int) -> Int64s:
        counts = self._counts_at_first()
        loops.replay(self.written, 0, k, counts)
        return counts[: int(self.written.born_until[k])]


def _of_great_counts(merge: int, counts: Int64s) -> Checkpoint:
    """A checkpoint of the pairs that have more than the pair that comes `KEPT`th: fewer than that, or none where so many have as much."""
    least = int(np.partition(counts, len(counts) - KEPT)[len(counts) - KEPT]) + 1
    pairs = np.flatnonzero(counts >= least).astype(np.int32)
    return Checkpoint(merge, pairs, counts[pairs], least)
