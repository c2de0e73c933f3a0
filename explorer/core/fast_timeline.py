"""The timeline of a compiled training: every question in some milliseconds, at a gigabyte as well.

Rankings come from what training wrote down (fast_ranking.py), the counts of tokens from the merges alone, and spellings
and places from encoding a stretch of the corpus. The definition is timeline.py.
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from explorer.core import stretches
from explorer.core.compiled_table import compiled_table
from explorer.core.encoding import EncodedText
from explorer.core.fast_encoding import stretch_encoding_steps
from explorer.core.fast_pretokens import PreTokenArrays
from explorer.core.fast_ranking import Found, StageRanking
from explorer.core.fast_training import fast_retrace_steps, lazily
from explorer.core.kernels.counting_loops import count_tokens
from explorer.core.mapped import letting_go
from explorer.core.pairs import tie_order
from explorer.core.progress import Stage, Step, drain
from explorer.core.recipe import TieRule
from explorer.core.splitting import LF
from explorer.core.stage_history import history_of
from explorer.core.stretches import Flags, Stretch
from explorer.core.timeline import Place, RankedPair, in_turns, place_across, places_in_slices
from explorer.core.training import Training
from explorer.core.vocabulary import Pair, TokenId

PRETOKENS_A_STEP = 20_000


class FastTimeline:
    """The timeline of a compiled training. What it needs is made at the first question, unless `fast_timeline_steps` made it."""

    def __init__(self, training: Training, like: "FastTimeline | None" = None) -> None:
        self.training = training
        self._like = like  # one on the same pre-tokens
        self._ready: _Ready | None = None

    def effort(self, k: int) -> int:
        """How much must be gone through to answer at merge k; see `Timeline.effort`."""
        self.training.check_merge(k)
        if self._ready is None:
            return self.training.distinct_symbols
        return self.training.merges[k].tied if k < self.training.learned else len(self.tied(k))

    def ranked(self, k: int, top: int) -> tuple[RankedPair, ...]:
        """The candidates for the next merge; see `Timeline.ranked`."""
        ranking, at = self._stage(k)
        found = ranking.greatest(at, top, self.training.recipe.min_count)
        if not len(found.counts) or top < 1:
            return ()
        tied = self._tied(ranking, at, found)
        rest = found.counts < found.counts.max()
        others = _ranked_by_ids(ranking, found.pairs[rest], found.counts[rest], top - len(tied))
        most = int(found.counts.max())
        tied = tied[:top]
        pairs, counts = tied + [pair for pair, _ in others], [most] * len(tied) + [count for _, count in others]
        saved = [ranking.replaced(at, pair[0]) if pair[0] == pair[1] else count for pair, count in zip(pairs, counts, strict=True)]
        return tuple(map(RankedPair, pairs, counts, saved, [True] * len(tied) + [False] * len(others)))

    def tied(self, k: int) -> tuple[Pair, ...]:
        """The pairs that share the greatest count, in tie order."""
        ranking, at = self._stage(k)
        found = ranking.greatest(at, 1, self.training.recipe.min_count)
        return tuple(self._tied(ranking, at, found)) if len(found.counts) else ()

    def pair_count(self, k: int, pair: Pair) -> int:
        """The weighted count of a pair; 0 where it does not occur."""
        ranking, at = self._stage(k)
        alphabet = self.training.alphabet
        if min(pair) < 0 or max(pair) >= alphabet.first_merged_id + k or alphabet.stand_in in pair:  # what the alphabet lacks is in no pair
            return 0
        found = ranking.count(at, pair)
        if found is not None:
            return found
        return next((1 for places in self.occurrences(pair, k) if places), 0)  # never followed: once or not at all

    def token_count(self, k: int, token: TokenId) -> int:
        """How often a token stands in the corpus, weighted: what its merge made, less what later merges took."""
        training = self.training
        training.check_merge(k)
        rank = training.table.rank_of_id(token)
        if token < 0 or (rank is not None and rank >= k):
            return 0
        count = self._made.first_counts[token] if rank is None else training.merges[rank].saved
        for halves in self._halves:
            for taken in np.flatnonzero(halves[:k] == token).tolist():  # in both where a merge takes it twice
                count -= training.merges[taken].saved
        start = training.pretokens
        return count + (start.apart + start.outside if token == LF else 0)  # none are apart but under byte alphabets

    def distinct(self, k: int) -> int:
        """How many distinct pairs there are."""
        ranking, at = self._stage(k)
        return ranking.distinct(at)

    def length(self, k: int) -> int:
        """The corpus length in tokens."""
        return self.training.length(k)

    def spell(self, start: int, end: int, k: int) -> tuple[int, EncodedText]:
        """The bytes [start, end) of the corpus as tokens; see `Timeline.spell`."""
        return drain(self.spell_steps(start, end, k))

    def spell_steps(self, start: int, end: int, k: int) -> Generator[Step, None, tuple[int, EncodedText]]:
        """The same step by step. Of a long pre-token only as much is spelled as lies between edges of tokens that are sure."""
        stretch = yield from self._stretch_steps(start, end, k, (yield from self._inside(k)))
        return stretch.start, (yield from self._encoded(stretch, k))

    def occurrences(self, what: Pair | TokenId, k: int) -> Generator[tuple[Place, ...], None, None]:
        """Every place of a pair or token, in corpus order, in slices."""
        corpus, at, before = self.training.corpus, 0, None
        inside = yield from in_turns(self._inside(k))
        while at < len(corpus.data):
            stretch = yield from in_turns(self._stretch_steps(at, at + stretches.STRETCH, k, inside))
            encoded = yield from in_turns(self._encoded(stretch, k))
            if before and self._goes_on_at(stretch.start):  # a pair may lie across the edge, which is then in its middle
                yield tuple(place_across(corpus, *before, encoded, stretch.start, what))
            yield from places_in_slices(corpus, encoded, stretch.start, what)
            before, at = (encoded, stretch.start), stretch.end

    def _stretch_steps(self, start: int, end: int, k: int, inside: Flags | None) -> Generator[Step, None, Stretch]:
        training = self.training
        return stretches.stretch_steps(
            training.corpus, training.recipe, start, end, lifted=self._lifted_at(k), marks=training.pretokens.marks, inside=inside
        )

    def _inside(self, k: int) -> Generator[Step, None, Flags | None]:
        """Which bytes stand beside each other inside the tokens at merge k, where that tells where pre-tokens can be cut."""
        training = self.training
        if not stretches.cut_inside(training.recipe, lifted=self._lifted_at(k), marks=training.pretokens.marks):
            return None
        return (yield from compiled_table(training.table)).inside.after(k)

    def _goes_on_at(self, place: int) -> bool:
        """Whether a stretch that begins at a place begins inside a pre-token, or from the lift on inside a text."""
        corpus, marks = self.training.corpus, self.training.pretokens.marks
        if corpus.span(corpus.text_at(place))[0] == place:
            return False
        return place not in marks if marks else LF not in corpus.data[place - 1 : place + 1]  # which is a token of its own

    def on(self, training: Training) -> "FastTimeline":
        """The timeline of another training on the same pre-tokens."""
        return FastTimeline(training, self)

    def ready_steps(self) -> Generator[Step, None, "_Ready"]:
        """Makes what every question needs, if it is not made: checkpoints, and the history itself for merges of another engine."""
        if self._ready is None:
            training = self.training
            history = history_of(training) or history_of((yield from fast_retrace_steps(training)))
            assert history, "what was traced again has a history"
            like = self._like and self._like._ready  # noqa: SLF001 - one of its own kind
            known = {id(ranking.stage): ranking for ranking in like.rankings} if like else {}
            rankings = tuple(known[id(stage)].for_another() if id(stage) in known else StageRanking(stage) for stage in history.stages)
            for ranking in rankings:
                if not ranking.checkpoints:
                    for _ in ranking.checkpoint_steps():
                        yield Step(Stage.REPLAYING, training.learned, training.learned)
                    ranking.index_doubles()
            counts = like.first_counts if like else (yield from letting_go(_first_counts(training), training.corpus.data, every=1))
            self._ready, self._like = _Ready(rankings, counts), None
        return self._ready

    @property
    def _made(self) -> "_Ready":
        return self._ready or drain(self.ready_steps())

    def _encoded(self, stretch: Stretch, k: int) -> Generator[Step, None, EncodedText]:
        return stretch_encoding_steps(self.training.table, stretch, k)

    def _lifted_at(self, k: int) -> bool:
        self.training.check_merge(k)
        return self.training.lift_rank is not None and k >= self.training.lift_rank

    def _stage(self, k: int) -> tuple[StageRanking, int]:
        """The ranking that answers at merge k, and how many of its own merges that is."""
        self.training.check_merge(k)
        ranking = next(one for one in reversed(self._made.rankings) if one.stage.first_rank <= k)
        return ranking, k - ranking.stage.first_rank

    def _tied(self, ranking: StageRanking, at: int, found: Found) -> list[Pair]:
        """The pairs with the greatest count of those found, in the order of the recipe's rule."""
        numbers = found.pairs[found.counts == found.counts.max()]
        left, right = ranking.stage.left[numbers], ranking.stage.right[numbers]
        rule = self.training.recipe.tie
        if rule in (TieRule.FIRST_MET, TieRule.LAST_MET):
            order = np.argsort(ranking.places(at, numbers), kind="stable")
        else:
            order = np.lexsort((right, left))
        tied = list(zip(left[order].tolist(), right[order].tolist(), strict=True))
        if rule is TieRule.LEXICOGRAPHIC:
            table = self.training.table
            tied.sort(key=tie_order(rule, table.alphabet, list(table.pieces), [], self.training.pretokens, tied))
        return tied

    @cached_property
    def _halves(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The left and the right token of every merge, in rank order."""
        merges = self.training.merges
        left, right = (np.fromiter(map(attrgetter(half), merges), np.int32, len(merges)) for half in ("left", "right"))
        return left, right


def _ranked_by_ids(ranking: StageRanking, pairs: np.ndarray, counts: np.ndarray, wanted: int) -> list[tuple[Pair, int]]:
    """The first so many pairs by count, then ids."""
    if wanted < 1 or not len(pairs):
        return []
    if len(pairs) > wanted:
        least = np.partition(counts, len(counts) - wanted)[len(counts) - wanted]
        pairs, counts = pairs[counts >= least], counts[counts >= least]
    left, right = ranking.stage.left[pairs], ranking.stage.right[pairs]
    order = np.lexsort((right, left, -counts))[:wanted]
    return list(zip(zip(left[order].tolist(), right[order].tolist(), strict=True), counts[order].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class _Ready:
    """The rankings of the stages, and how often each token stands in the corpus before any merge, in id order."""

    rankings: tuple[StageRanking, ...]
    first_counts: list[int]


def fast_timeline_steps(training: Training, like: FastTimeline | None = None) -> Generator[Step, None, FastTimeline]:
    """Makes the timeline of a training; `like` is one on the same pre-tokens. Replays the merges where they came without a history."""
    timeline = FastTimeline(training, like)
    yield from timeline.ready_steps()
    return timeline


def _first_counts(training: Training) -> Generator[Step, None, list[int]]:
    """How often each token stands in the pre-tokens, weighted, before any merge."""
    arrays = lazily(training.pretokens).arrays
    size = training.alphabet.first_merged_id
    if float(arrays.lengths @ arrays.counts.astype(float)) > 2.0**62:
        return _counted_in_python(arrays, size)
    totals = np.zeros(size, np.int64)
    for first in range(0, len(arrays), PRETOKENS_A_STEP):
        last = min(len(arrays), first + PRETOKENS_A_STEP)
        count_tokens(arrays.symbols, arrays.starts, arrays.lengths, arrays.counts, first, last, totals)
        yield Step(Stage.CUTTING, last, len(arrays))
    counts: list[int] = totals.tolist()
    return counts


def _counted_in_python(arrays: PreTokenArrays, size: int) -> list[int]:
    """The same in integers that have no end."""
    totals = [0] * size
    for at, count in enumerate(arrays.counts.tolist()):
        for token in map(ord, arrays.spelling(at)):
            if token < size:
                totals[token] += count
    return totals


__all__ = ["FastTimeline", "fast_timeline_steps"]
