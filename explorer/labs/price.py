"""What a text costs: characters, words and tokens, and the two ratios between them.

A character is a code point, a stray byte counts as one; a word is a run without white space, as Unicode has it. Neither ratio
is a constant of language: both belong to one table and one text together.
"""

from collections.abc import Generator
from dataclasses import dataclass

from explorer.core.encoding import EncodedText
from explorer.core.engines import encoding_steps
from explorer.core.progress import Step
from explorer.core.table import MergeTable
from explorer.core.training import Training


@dataclass(frozen=True, slots=True)
class Price:
    """The sizes of one text, weighted where a corpus is. A ratio with nothing to divide by is None."""

    characters: int
    bytes: int
    words: int
    tokens: int

    @property
    def characters_per_token(self) -> float | None:
        """How much text one token is worth."""
        return self.characters / self.tokens if self.tokens else None

    @property
    def tokens_per_word(self) -> float | None:
        """What a word costs."""
        return self.tokens / self.words if self.words else None


def characters_in(text: bytes) -> int:
    """How many characters a text has; a byte that is not part of one counts as one."""
    return len(text.decode("utf-8", "surrogateescape"))


def words_of(text: bytes) -> list[bytes]:
    """The words of a text, in order: its runs without white space."""
    return [word.encode("utf-8", "surrogateescape") for word in text.decode("utf-8", "surrogateescape").split()]


def price_of(encoded: EncodedText) -> Price:
    """The price of a text that is encoded already."""
    text = encoded.data[:]
    return Price(characters_in(text), len(text), len(words_of(text)), len(encoded))


def price_steps(table: MergeTable, text: bytes) -> Generator[Step, None, Price]:
    """Encodes a text and prices it."""
    encoded = yield from encoding_steps(table, text)
    return price_of(encoded)


def corpus_price(training: Training) -> Price:
    """The price of the corpus a table was trained on; its tokens are the corpus length at the end. One pass over the corpus."""
    characters = size = words = 0
    for start, end, weight in training.corpus.texts():
        text = training.corpus.data[start:end]
        characters += weight * characters_in(text)
        size += weight * len(text)
        words += weight * len(words_of(text))
    return Price(characters, size, words, training.length(training.learned))
