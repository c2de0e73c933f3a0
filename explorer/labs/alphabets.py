"""The same texts over characters with a stand-in, characters with byte fallback, and bytes, each fitted to the same corpus.

The three have as many merges, so that what differs is the alphabet: what it cannot write, and what writing everything costs.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText
from explorer.core.engines import encoding_steps, training_steps
from explorer.core.progress import Step
from explorer.core.recipe import Recipe
from explorer.core.training import Training
from explorer.core.vocabulary import PieceKind

TEXTS = ("Dr. Alvarez didn't expect the low-cost re-analysis.", "The cost of the café was small.", "café", "Το κόστος ήταν μικρότερο.")
BYTE_VALUES = 256
PUBLISHED = Recipe.of("published")


@dataclass(frozen=True, slots=True)
class Fitted:
    """One alphabet: the preset it is, its training, and the texts in its tokens, in the order given."""

    preset: str
    training: Training
    readings: tuple[EncodedText, ...]

    @property
    def table_rows(self) -> int:
        """Rows of the whole table, the fallback rows too."""
        return self.training.table.size

    @property
    def length(self) -> int:
        """The corpus length at the end."""
        return self.training.length(self.training.learned)


@dataclass(frozen=True, slots=True)
class AlphabetsCompared:
    """Stand-in, fallback and bytes, in that order; `unused_bytes` counts the byte values that no pre-token holds."""

    texts: tuple[bytes, ...]
    fits: tuple[Fitted, ...]
    unused_bytes: int


def byte_rows(encoded: EncodedText) -> int:
    """How many tokens of a text are rows of single bytes underneath a character alphabet."""
    return sum(encoded.piece(n).kind is PieceKind.BYTE for n in range(len(encoded)))


def alphabet_steps(corpus: Corpus, texts: Sequence[bytes], counted_by: Recipe = PUBLISHED) -> Generator[Step, None, AlphabetsCompared]:
    """Fits all three: the first to the size of `counted_by` (none: to the end), the others to as many merges as that learned.

    Tie rule, counting, least count and line ends are those of `counted_by` too; its alphabet and pre-tokens play no part.
    """
    fits: list[Fitted] = []
    for preset in ("published", "fallback", "byte-words"):
        recipe = replace(
            Recipe.of(preset), tie=counted_by.tie, counting=counted_by.counting,
            min_count=counted_by.min_count, line_ends=counted_by.line_ends,
        )
        sized = recipe.asking(merges=fits[0].training.learned) if fits else recipe.asking(rows=counted_by.rows, merges=counted_by.merges)
        training = yield from training_steps(corpus, sized)
        readings: list[EncodedText] = []
        for text in texts:
            readings.append((yield from encoding_steps(training.table, text)))
        fits.append(Fitted(preset, training, tuple(readings)))
    return AlphabetsCompared(tuple(texts), tuple(fits), BYTE_VALUES - len(set("".join(fits[-1].training.pretokens.spellings))))
