"""What two trainings have in common, by piece: where their merges differ and which rows only one of them has. Knows no Qt."""

from dataclasses import dataclass
from functools import cached_property

from explorer.core.figures import thousands
from explorer.core.runs import rows_only_in
from explorer.core.training import Training
from explorer.core.vocabulary import Piece, Rank


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
    ranks = range(max(one.learned, other.learned))
    differing = tuple(rank for rank in ranks if merged_at(one, rank) != merged_at(other, rank))
    pieces, other_pieces = one.table.pieces, other.table.pieces
    only_one = tuple(pieces[at] for at in rows_only_in(one, other))
    only_other = tuple(other_pieces[at] for at in rows_only_in(other, one))
    return Comparison(one, other, differing, only_one, only_other)


def merged_at(training: Training, rank: Rank) -> tuple[Piece, Piece] | None:
    """The pieces that a rank merges, None behind the last."""
    if rank >= training.learned:
        return None
    pieces, merge = training.table.pieces, training.merges[rank]
    return pieces[merge.left], pieces[merge.right]
