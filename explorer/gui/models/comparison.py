"""What two trainings have in common, by piece: where their merges differ and which rows only one of them has. Knows no Qt."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from operator import sub

from explorer.core.figures import thousands
from explorer.core.progress import Stage, Step, drain
from explorer.core.training import Training
from explorer.core.vocabulary import Piece, Rank

RANKS_A_STEP = 2_000  # about 2 ms


@dataclass(frozen=True)
class Comparison:
    """Two trainings side by side.

    `differing` holds the ranks at which they merge other pieces, or at which only one of them merges anything. `only_one` and `only_other`
    are the merged pieces that the other table has nowhere, in rank order.
    """

    one: Training
    other: Training
    differing: tuple[Rank, ...]
    only_one: tuple[Piece, ...]
    only_other: tuple[Piece, ...]

    @cached_property
    def differing_set(self) -> frozenset[Rank]:
        """The same ranks, to ask whether one is among them."""
        return frozenset(self.differing)

    @cached_property
    def gaps(self) -> tuple[int, int]:
        """How many tokens the one has more than the other, below 0 for fewer: where that is most, and at the last merge of the shorter."""
        shared = min(self.one.learned, self.other.learned)
        one, other = ((each.length_at_zero, *(merge.length for merge in each.merges[:shared])) for each in (self.one, self.other))
        gaps = list(map(sub, one, other))
        return max(gaps, key=abs), gaps[-1]

    @cached_property
    def greatest(self) -> tuple[int, int, int]:
        """The greatest count, length and number of tied pairs of any merge in either."""
        merges = (*self.one.merges, *self.other.merges)
        counts, lengths, ties = (max((getattr(merge, of) for merge in merges), default=0) for of in ("count", "length", "tied"))
        return counts, lengths, ties

    @property
    def ranks(self) -> int:
        """How many ranks the longer of the two has."""
        return max(self.one.learned, self.other.learned)

    @property
    def first(self) -> Rank | None:
        """The first rank at which they differ, None where they never do."""
        return self.differing[0] if self.differing else None

    @property
    def lengths(self) -> tuple[int, int]:
        """The corpus length at the end of each."""
        return self.one.length(self.one.learned), self.other.length(self.other.learned)

    @property
    def same_rows(self) -> int:
        """How many merged rows of the one the other has too, at whatever rank."""
        return self.one.learned - len(self.only_one)

    def facts(self) -> str:
        """The outcome in one line."""
        one, other = (thousands(length) for length in self.lengths)
        ends = f"both runs end at {one}" if one == other else f"A ends at {one}, B at {other}"
        return f"{ends}; {self.same_rows} of {self.one.learned} rows are in both"


def compare(one: Training, other: Training) -> Comparison:
    """Compares two trainings of one corpus; one pass over both tables."""
    return drain(compare_steps(one, other))


def compare_steps(one: Training, other: Training) -> Generator[Step, None, Comparison]:
    """The same step by step, with what is asked of all merges at hand."""
    differing: list[Rank] = []
    total = max(one.learned, other.learned)
    for start in range(0, total, RANKS_A_STEP):
        ranks = range(start, min(start + RANKS_A_STEP, total))
        differing += [rank for rank in ranks if merged_at(one, rank) != merged_at(other, rank)]
        yield Step(Stage.SEARCHING, start, total)
    only_one, only_other = (yield from _only_in(one, other)), (yield from _only_in(other, one))
    made = Comparison(one, other, tuple(differing), only_one, only_other)
    for look in (lambda: made.differing_set, lambda: made.greatest, lambda: made.gaps):
        look()
        yield Step(Stage.SEARCHING, total, total)
    return made


def _only_in(one: Training, other: Training) -> Generator[Step, None, tuple[Piece, ...]]:
    """The merged pieces that the other's table has not, in rank order."""
    found: list[Piece] = []
    pieces, first = one.table.pieces, one.alphabet.first_merged_id
    for start in range(first, len(pieces), RANKS_A_STEP):
        found += [piece for piece in pieces[start : start + RANKS_A_STEP] if other.table.find(piece) is None]
        yield Step(Stage.SEARCHING, start, len(pieces))
    return tuple(found)


def merged_at(training: Training, rank: Rank) -> tuple[Piece, Piece] | None:
    """The pieces that a rank merges, None behind the last."""
    if rank >= training.learned:
        return None
    pieces, merge = training.table.pieces, training.merges[rank]
    return pieces[merge.left], pieces[merge.right]
