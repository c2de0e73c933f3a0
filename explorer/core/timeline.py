"""Any moment of a training: ranked pairs, ties, spellings and places at merge k, without training again.

`Timeline` is the Protocol that views and labs hold; `ReadableTimeline` answers for small corpora by replaying merges
from the nearest of a few checkpoints. k is the number of merges made, 0..learned; at k the ranking shows the
candidates for the merge of rank k.
"""

from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Protocol, TypeVar

import numpy as np

from explorer.core.alphabet import BOUNDARY
from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, encode_cuts
from explorer.core.pairs import count_disjoint, count_pairs, tie_order
from explorer.core.pretokens import PreTokens, corpus_cuts, lift_boundary
from explorer.core.progress import Stage, Step, begin, drain
from explorer.core.splitting import LF, Cut, CutKind
from explorer.core.training import Training
from explorer.core.vocabulary import Pair, TokenId

CHECKPOINTS = 24  # states kept of a whole training
CUTS_A_SLICE = 2_000  # looked through between two slices of places
PLACES_A_SLICE = 1_000  # about 1 ms
TOKENS_A_SLICE = 1 << 16  # looked through for places: well under 1 ms

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RankedPair:
    """A candidate for the next merge: `count` and `saved` as in a merge; `tied` says that it shares the greatest count."""

    pair: Pair
    count: int
    saved: int
    tied: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pair or token stands: its text's number and weight, its bytes [start, end) in the corpus buffer.

    `middle` is the byte where the right half of a pair begins, None for a token.
    """

    text: int
    weight: int
    start: int
    end: int
    middle: int | None


class Timeline(Protocol):
    """What can be asked about a training at any merge k. All k from 0 to `learned` are answered."""

    @property
    def training(self) -> Training:
        """The training it tells of."""

    def on(self, training: Training) -> "Timeline":
        """The timeline of another training on the same corpus with the same pre-tokens: a fork, or one that went on."""

    def effort(self, k: int) -> int:
        """About how many symbols or pairs must be gone through to rank the pairs at merge k: 40,000 take about 8 ms."""

    def ranked(self, k: int, top: int) -> tuple[RankedPair, ...]:
        """The candidates for the next merge, exact for counts of min_count and more.

        By count; the pairs tied at the greatest count in the order of the recipe's tie rule; the others by ids.
        """

    def tied(self, k: int) -> tuple[Pair, ...]:
        """The pairs that share the greatest count, in tie order; empty where no pair reaches min_count."""

    def pair_count(self, k: int, pair: Pair) -> int:
        """The weighted count of a pair."""

    def token_count(self, k: int, token: TokenId) -> int:
        """How often a token stands in the corpus, weighted; line ends that no merge touches are counted as well."""

    def distinct(self, k: int) -> int:
        """How many distinct pairs there are, of whatever count."""

    def length(self, k: int) -> int:
        """The corpus length in tokens."""

    def spell(self, start: int, end: int, k: int) -> tuple[int, EncodedText]:
        """The bytes [start, end) of the corpus as tokens, with as much around them as the pre-tokens at the edges need.

        Returns the offset in the corpus where the encoded text begins, and the text.
        """

    def spell_steps(self, start: int, end: int, k: int) -> Generator[Step, None, tuple[int, EncodedText]]:
        """The same step by step: a pre-token of some megabytes takes seconds."""

    def occurrences(self, what: Pair | TokenId, k: int) -> Generator[tuple[Place, ...], None, None]:
        """Every place of a pair (overlapping ones too) or a token, in corpus order, in slices of at most about 2 ms.

        The weights of the places add up to the count, save in the second stage of a weighted corpus: a row is looked
        through once, and what crosses from one row to the next has no place in it.
        """


class ReadableTimeline:
    """The timeline by definition: replay from a checkpoint, then count."""

    def __init__(self, training: Training, cuts: "CorpusCuts") -> None:
        self.training = training
        self._cuts = cuts
        self._spacing = max(1, -(-training.learned // CHECKPOINTS))
        self._checkpoints: dict[int, _Moment] = {0: _Moment(training.pretokens, BOUNDARY.join(training.pretokens.spellings))}
        self._moment = lru_cache(maxsize=4)(self._replayed)
        self._counts = lru_cache(maxsize=8)(self._counted)

    def on(self, training: Training) -> "ReadableTimeline":
        """The timeline of another training on the same pre-tokens."""
        return ReadableTimeline(training, self._cuts)

    def effort(self, k: int) -> int:
        """The symbols of all distinct pre-tokens: they are counted anew, whatever k is."""
        return self.training.distinct_symbols

    def ranked(self, k: int, top: int) -> tuple[RankedPair, ...]:
        """The candidates for the next merge; see `Timeline.ranked`."""
        counts, tied = self._counts(k), self.tied(k)
        least = self.training.recipe.min_count
        most = counts[tied[0]] if tied else 0
        others = sorted((pair for pair, count in counts.items() if least <= count < most), key=lambda pair: (-counts[pair], pair))
        shown = [*tied, *others][:top]
        return tuple(RankedPair(pair, counts[pair], self._saved(k, pair), counts[pair] == most) for pair in shown)

    def tied(self, k: int) -> tuple[Pair, ...]:
        """The pairs that share the greatest count, in tie order."""
        counts = self._counts(k)
        most = max(counts.values(), default=0)
        if most < self.training.recipe.min_count:
            return ()
        tied = [pair for pair, count in counts.items() if count == most]
        moment, training = self._moment(k), self.training
        pieces = list(training.table.pieces)
        order = tie_order(training.recipe.tie, training.alphabet, pieces, moment.spellings, moment.start, tied)
        return tuple(sorted(tied, key=order))

    def pair_count(self, k: int, pair: Pair) -> int:
        """The weighted count of a pair; 0 where it does not occur."""
        return self._counts(k).get(pair, 0)

    def token_count(self, k: int, token: TokenId) -> int:
        """How often a token stands in the corpus, weighted."""
        moment = self._moment(k)
        counts = zip(moment.spellings, moment.start.counts, strict=True)
        inside = sum(spelling.count(chr(token)) * count for spelling, count in counts)
        return inside + (moment.start.apart + moment.start.outside if token == LF else 0)  # none are apart but under byte alphabets

    def distinct(self, k: int) -> int:
        """How many distinct pairs there are."""
        return len(self._counts(k))

    def length(self, k: int) -> int:
        """The corpus length in tokens."""
        return self.training.length(k)

    def spell(self, start: int, end: int, k: int) -> tuple[int, EncodedText]:
        """The bytes [start, end) of the corpus as tokens; see `Timeline.spell`."""
        return drain(self.spell_steps(start, end, k))

    def spell_steps(self, start: int, end: int, k: int) -> Generator[Step, None, tuple[int, EncodedText]]:
        """The same step by step."""
        first, last = self._cuts.around(start, end, whole_texts=self._lifted_at(k))
        offset, stop = self._cuts.span(first, last, start, end)
        data = self.training.corpus.data[offset:stop]
        return offset, (yield from encode_cuts(self.training.table, data, self._cuts.shifted(first, last, offset), k, None))

    def occurrences(self, what: Pair | TokenId, k: int) -> Generator[tuple[Place, ...], None, None]:
        """Every place of a pair or token, in corpus order, in slices."""
        lifted, data = self._lifted_at(k), self.training.corpus.data
        first = 0
        while first < len(self._cuts):
            last = self._cuts.text_end(first + CUTS_A_SLICE - 1) if lifted else min(first + CUTS_A_SLICE, len(self._cuts))
            encoded = yield from in_turns(encode_cuts(self.training.table, data, self._cuts.shifted(first, last, 0), k, None))
            yield from places_in_slices(self.training.corpus, encoded, 0, what)
            first = last

    def _lifted_at(self, k: int) -> bool:
        """Whether the pairs at merge k may cross pre-tokens."""
        self.training.check_merge(k)
        return self.training.lift_rank is not None and k >= self.training.lift_rank

    def _saved(self, k: int, pair: Pair) -> int:
        if pair[0] != pair[1]:
            return self._counts(k)[pair]
        moment = self._moment(k)
        return count_disjoint(moment.spellings, moment.start.counts, pair)

    def _counted(self, k: int) -> dict[Pair, int]:
        moment, training = self._moment(k), self.training
        step = Step(Stage.MERGING, k, 0)
        return drain(count_pairs(moment.spellings, moment.start.counts, training.recipe.counting, training.alphabet.stand_in, step))

    def _replayed(self, k: int) -> "_Moment":
        training = self.training
        training.check_merge(k)
        at = max(made for made in self._checkpoints if made <= k)
        moment = self._checkpoints[at]
        for rank in range(at, k + 1):
            if rank == training.lift_rank:
                moment = self._lifted(moment)
            if rank == k:
                break
            merge = training.merges[rank]
            new = chr(training.table.id_of_rank(rank))
            moment = _Moment(moment.start, moment.joined.replace(chr(merge.left) + chr(merge.right), new))
            if (rank + 1) % self._spacing == 0:  # where the boundary lifts, as it was before the lift
                self._checkpoints[rank + 1] = moment
        return moment

    def _lifted(self, moment: "_Moment") -> "_Moment":
        training = self.training
        spelled = dict(zip(moment.start.spellings, moment.spellings, strict=True))
        start = drain(lift_boundary(training.corpus, training.recipe, training.alphabet, spelled, training.pretokens))
        return _Moment(start, BOUNDARY.join(start.spellings))


def in_turns(steps: Generator[Step, None, Result]) -> Generator[tuple[Place, ...], None, Result]:
    """Steps as slices of no places."""
    while (result := begin(steps, 1)) is None:
        yield ()
    return result[0]


def places_in_slices(corpus: Corpus, encoded: EncodedText, offset: int, what: Pair | TokenId) -> Iterator[tuple[Place, ...]]:
    """The places of a pair or token in a part of the corpus that begins at a byte offset, `PLACES_A_SLICE` at a time, or none."""
    for first in range(0, len(encoded), TOKENS_A_SLICE):
        found = _places_from(corpus, encoded, offset, what, first)
        while some := tuple(islice(found, PLACES_A_SLICE)):
            yield some
        yield ()


def place_across(
    corpus: Corpus, before: EncodedText, at: int, after: EncodedText, offset: int, what: Pair | TokenId
) -> Iterator[Place]:
    """The place of a pair whose halves lie in two parts of one pre-token, the first beginning at byte `at` and the second at `offset`."""
    if len(before) and len(after) and what == (int(before.ids[-1]), int(after.ids[0])):
        text = corpus.text_at(offset)
        yield Place(text, corpus.weight(text), at + int(before.starts[-1]), offset + int(after.ends[0]), offset)


def _places_from(corpus: Corpus, encoded: EncodedText, offset: int, what: Pair | TokenId, first: int) -> Iterator[Place]:
    """Those that begin in the `TOKENS_A_SLICE` tokens from one on."""
    middles: Sequence[int | None]
    ids, groups = (each[first : first + TOKENS_A_SLICE + 1] for each in (encoded.ids, encoded.groups))
    if isinstance(what, tuple):
        hits = np.flatnonzero((ids[:-1] == what[0]) & (ids[1:] == what[1]) & (groups[:-1] == groups[1:])) + first
        middle, ends = encoded.spans_in(offset, hits + 1)
        middles = middle.tolist()
    else:
        hits = np.flatnonzero(ids[:TOKENS_A_SLICE] == what) + first
        middles = [None] * len(hits)
        _, ends = encoded.spans_in(offset, hits)
    starts, _ = encoded.spans_in(offset, hits)
    inside = starts - (starts == ends)  # a bare marker takes no byte and stands after its word, be that the end of the text
    texts = np.searchsorted(corpus.starts, inside, side="right") - 1
    weights = [1] * len(hits) if corpus.weights is None else corpus.weights[texts].tolist()
    return map(Place, texts.tolist(), weights, starts.tolist(), ends.tolist(), middles)


@dataclass(frozen=True)
class _Moment:
    """The corpus at one merge: the pre-tokens its stage began with, and their spellings now, joined by boundaries."""

    start: PreTokens
    joined: str

    @property
    def spellings(self) -> list[str]:
        """One spelling a pre-token."""
        return self.joined.split(BOUNDARY) if self.start.spellings else []


class CorpusCuts:
    """Every cut of a corpus that has tokens, in order, each with the number of its text."""

    def __init__(self, cuts: list[tuple[Cut, int]]) -> None:
        self._cuts = cuts
        self._starts = [cut.start for cut, _ in cuts]

    def __len__(self) -> int:
        """How many cuts there are."""
        return len(self._cuts)

    def around(self, start: int, end: int, *, whole_texts: bool) -> tuple[int, int]:
        """The cuts [first, last) that hold the bytes [start, end), widened to whole texts if asked."""
        first = max(0, bisect_right(self._starts, start) - 1)
        last = max(first, bisect_right(self._starts, end - 1))
        if whole_texts:
            while first > 0 and self._place(first - 1) == self._place(first):
                first -= 1
            last = self.text_end(last - 1)
        return first, last

    def text_end(self, at: int) -> int:
        """The cut after the last one of the text that a cut lies in."""
        at = min(at, len(self._cuts) - 1)
        while at + 1 < len(self._cuts) and self._place(at + 1) == self._place(at):
            at += 1
        return at + 1

    def span(self, first: int, last: int, start: int, end: int) -> tuple[int, int]:
        """The bytes that cuts [first, last) and [start, end) take together."""
        if first >= last:
            return start, end
        return min(start, self._cuts[first][0].start), max(end, self._cuts[last - 1][0].end)

    def shifted(self, first: int, last: int, offset: int) -> Iterator[tuple[Cut, int]]:
        """The cuts [first, last) with their text's number, their bytes counted from an offset."""
        for cut, text in self._cuts[first:last]:
            yield Cut(cut.start - offset, cut.end - offset, cut.kind, cut.ends_word, cut.line), text

    def _place(self, at: int) -> tuple[int, int]:
        cut, text = self._cuts[at]
        return text, cut.line


def timeline_steps(training: Training) -> Generator[Step, None, ReadableTimeline]:
    """Makes the timeline of a training; one pass over the corpus."""
    cuts: list[tuple[Cut, int]] = []
    for done, (cut, text, _) in enumerate(corpus_cuts(training.corpus, training.recipe, training.pretokens.marks)):
        if cut.kind in (CutKind.PRETOKEN, CutKind.ALONE, CutKind.OUTSIDE):
            cuts.append((cut, text))
        if done % 4000 == 0:
            yield Step(Stage.CUTTING, cut.end, len(training.corpus.data))
    return ReadableTimeline(training, CorpusCuts(cuts))


def timeline_of(training: Training) -> Timeline:
    """The timeline of a training, made at once."""
    return drain(timeline_steps(training))


