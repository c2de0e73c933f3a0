"""The distinct pre-tokens of a corpus as arrays: what the compiled engine counts in.

`PreTokenArrays` holds exactly what `PreTokens` holds, in the same order, without a Python object for each pre-token.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from explorer.core.pretokens import Losses, PreTokens

Offsets = npt.NDArray[np.int64]
Symbols = npt.NDArray[np.uint8] | npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)  # arrays have no single truth
class PreTokenArrays:
    """Distinct pre-tokens in the order they are first met; `counts`, `first`, `last`, `starts`, `lengths` have one entry each.

    Pre-token n is spelled `symbols[starts[n] : starts[n] + lengths[n]]`. In a byte alphabet `symbols` are bytes (uint8):
    the corpus itself where that is at hand, so nothing is copied and the spellings lie in it with gaps. In an alphabet of
    characters they are token ids (int32). The kernel that trains reads them once, to lay out its own symbols; `flat` gives
    them as one array without gaps. The other fields are those of `PreTokens`.
    """

    symbols: Symbols
    starts: Offsets
    lengths: Offsets
    counts: Offsets
    first: Offsets
    last: Offsets
    apart: int = 0
    losses: Losses = field(default_factory=Losses)
    outside: int = 0

    def __len__(self) -> int:
        """How many distinct pre-tokens there are."""
        return len(self.starts)

    @cached_property
    def length(self) -> int:
        """The corpus length: tokens, weighted, those that stand apart included."""
        return self.apart + int(self.lengths @ self.counts)

    @cached_property
    def occurrences(self) -> int:
        """How many pre-tokens the corpus holds, weighted."""
        return int(self.counts.sum())

    @cached_property
    def distinct_symbols(self) -> int:
        """How many symbols all distinct pre-tokens hold together."""
        return int(self.lengths.sum())

    def spelling(self, n: int) -> str:
        """Pre-token n as the readable engine spells it: one character a token id."""
        return _spelled(self.symbols[int(self.starts[n]) : int(self.starts[n] + self.lengths[n])])

    def flat(self) -> tuple[npt.NDArray[np.int32], Offsets]:
        """The symbols of all pre-tokens as int32 without gaps, and where each starts, with the end of the last one."""
        bounds = np.zeros(len(self) + 1, np.int64)
        np.cumsum(self.lengths, out=bounds[1:])
        places = np.arange(bounds[-1], dtype=np.int64) + np.repeat(self.starts - bounds[:-1], self.lengths)
        return self.symbols[places].astype(np.int32, copy=False), bounds

    def pretokens(self) -> PreTokens:
        """The same as Python values: a string for every distinct pre-token."""
        spellings = tuple(map(self.spelling, range(len(self))))
        counts, first, last = (tuple(column.tolist()) for column in (self.counts, self.first, self.last))
        return PreTokens(spellings, counts, first, last, self.apart, self.losses, self.outside)

    @classmethod
    def of(cls, pretokens: PreTokens) -> "PreTokenArrays":
        """The arrays of pre-tokens that the readable engine made."""
        lengths = np.array([len(spelling) for spelling in pretokens.spellings], np.int64)
        coded = "".join(pretokens.spellings).encode("utf-32-le", "surrogatepass")
        symbols = np.frombuffer(coded, np.uint32).astype(np.int32)
        counts, first, last = (np.array(column, np.int64) for column in (pretokens.counts, pretokens.first, pretokens.last))
        starts = np.cumsum(lengths) - lengths
        return cls(symbols, starts, lengths, counts, first, last, pretokens.apart, pretokens.losses, pretokens.outside)


def _spelled(symbols: Symbols) -> str:
    if symbols.dtype == np.uint8:
        return symbols.tobytes().decode("latin-1")
    return symbols.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


__all__ = ["PreTokenArrays"]
