"""Pre-tokens that the compiled loops gathered, as the readable code knows them, without a string for each until one is asked for."""

from functools import cached_property

import numpy as np

from explorer.core.fast_pretokens import PreTokenArrays
from explorer.core.pretokens import PreTokens

SURELY_64_BITS = 2.0**62  # within the error of a sum of floats


class LazyPreTokens(PreTokens):
    """The pre-tokens of some arrays; equal to the `PreTokens` of the same values.

    Counts and lengths are told from the arrays. The strings and tuples are made when they are first asked for: of a
    hundred megabytes of entries they take ten seconds and a gigabyte.
    """

    def __init__(self, arrays: PreTokenArrays) -> None:
        object.__setattr__(self, "arrays", arrays)
        for name in ("apart", "losses", "outside", "marks"):
            object.__setattr__(self, name, getattr(arrays, name))

    arrays: PreTokenArrays

    @cached_property
    def _values(self) -> PreTokens:
        return self.arrays.pretokens()

    @property
    def spellings(self) -> tuple[str, ...]:
        """One spelling a pre-token."""
        return self._values.spellings

    @property
    def counts(self) -> tuple[int, ...]:
        """One weighted count a pre-token."""
        return self._values.counts

    @property
    def first(self) -> tuple[int, ...]:
        """One first place a pre-token."""
        return self._values.first

    @property
    def last(self) -> tuple[int, ...]:
        """One last place a pre-token."""
        return self._values.last

    @property
    def length(self) -> int:
        """The corpus length: tokens, weighted, those that stand apart included."""
        arrays = self.arrays
        if float(arrays.lengths @ arrays.counts.astype(float)) < SURELY_64_BITS:
            return arrays.length
        return arrays.apart + sum(length * count for length, count in zip(map(int, arrays.lengths), map(int, arrays.counts), strict=True))

    @property
    def distinct(self) -> int:
        """How many distinct pre-tokens there are."""
        return len(self.arrays)

    @property
    def distinct_symbols(self) -> int:
        """How many symbols all distinct pre-tokens hold together."""
        return self.arrays.distinct_symbols

    @property
    def occurrences(self) -> int:
        """How many pre-tokens the corpus holds, weighted."""
        counts = self.arrays.counts
        return int(counts.sum()) if float(counts.sum(dtype=float)) < SURELY_64_BITS else sum(map(int, counts.tolist()))

    def commonest(self, most: int) -> list[tuple[str, int]]:
        """The spellings that occur most often, without a string for any other."""
        counts, arrays = self.arrays.counts, self.arrays
        least = np.partition(counts, len(counts) - most)[len(counts) - most] if 0 < most < len(counts) else counts.min(initial=0)
        above, equal = np.flatnonzero(counts > least), np.flatnonzero(counts == least)
        places = np.concatenate((above[np.argsort(-counts[above], kind="stable")], equal))[:most]
        return [(arrays.spelling(at), int(counts[at])) for at in places.tolist()]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PreTokens):
            return NotImplemented
        return self._values == (other._values if isinstance(other, LazyPreTokens) else other)

    def __hash__(self) -> int:
        return hash(self._values)

    def __reduce__(self) -> tuple[type["LazyPreTokens"], tuple[PreTokenArrays]]:
        return LazyPreTokens, (self.arrays,)
