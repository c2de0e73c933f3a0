"""The distinct pre-tokens of a corpus as arrays: what the compiled engine counts in.

`PreTokenArrays` holds exactly what `PreTokens` holds, in the same order, without a Python object for each pre-token.
`pretokenize_arrays` makes it with compiled loops, on as many threads as the caller has, and learns the alphabet on the way.
"""

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.distinct import DistinctWords, MapChunks, distinct_words, frozen
from explorer.core.fast_spelling import Spelling, note_symbols
from explorer.core.mapped import letting_go
from explorer.core.marking import marks_steps
from explorer.core.marks import Marks
from explorer.core.pretokens import Losses, PreTokens
from explorer.core.progress import Stage, Step
from explorer.core.recipe import AlphabetKind, Recipe

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
    marks: Marks | None = None

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
        return PreTokens(spellings, counts, first, last, self.apart, self.losses, self.outside, self.marks)

    @classmethod
    def of(cls, pretokens: PreTokens) -> "PreTokenArrays":
        """The arrays of pre-tokens that the readable engine made."""
        lengths = np.array([len(spelling) for spelling in pretokens.spellings], np.int64)
        coded = "".join(pretokens.spellings).encode("utf-32-le", "surrogatepass")
        symbols = np.frombuffer(coded, np.uint32).astype(np.int32)
        counts, first, last = (np.array(column, np.int64) for column in (pretokens.counts, pretokens.first, pretokens.last))
        starts = np.cumsum(lengths) - lengths
        out = cls(symbols, starts, lengths, counts, first, last, pretokens.apart, pretokens.losses, pretokens.outside)
        return replace(out, marks=pretokens.marks)


def _spelled(symbols: Symbols) -> str:
    if symbols.dtype == np.uint8:
        return symbols.tobytes().decode("latin-1")
    return symbols.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def pretokenize_arrays(
    corpus: Corpus, recipe: Recipe, given: Alphabet | None = None, map_chunks: MapChunks | None = None
) -> Generator[Step, None, tuple[Alphabet, PreTokenArrays]]:
    """The same as `pretokens.pretokenize`, compiled. Needs the kernels; raises TooLargeError for counts past 64 bits.

    `map_chunks` (see `MapChunks`) may work on several threads; the result is the same with any number of them. A split
    pattern of one's own is not compiled: its matches are looked for first (marking.py).
    """
    marks = yield from marks_steps(corpus, recipe)
    words = yield from letting_go(distinct_words(corpus, recipe, map_chunks, marks), corpus.data)
    data = frozen(np.frombuffer(corpus.data, np.uint8))
    alphabet = given or Alphabet.of_bytes()
    if recipe.alphabet is AlphabetKind.CHARACTERS and not given:
        alphabet = Alphabet.of_symbols((yield from letting_go(note_symbols(data, words), corpus.data)), recipe)
    if alphabet.kind is AlphabetKind.BYTES:
        return alphabet, replace(_arrays(words, data, words.first, words.lengths), marks=marks)
    spelling = Spelling(alphabet, data, words)
    yield from letting_go((Step(Stage.CUTTING, done, len(data)) for done in spelling.steps()), corpus.data)
    return alphabet, _arrays(words, spelling.symbols, spelling.bounds[:-1], np.diff(spelling.bounds))


def _arrays(words: DistinctWords, symbols: Symbols, starts: Offsets, lengths: Offsets) -> PreTokenArrays:
    return PreTokenArrays(
        symbols, starts, lengths, words.counts, words.first, words.last, words.apart, words.losses, words.outside
    )


__all__ = ["PreTokenArrays", "pretokenize_arrays"]
