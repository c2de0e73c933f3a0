"""What a vocabulary of whole words does with the texts a merge table reads.

The list is every distinct word of a corpus, one row each. It reads its own corpus in fewer tokens than any merge table, has no
row for a word it never held, and loses what stood between the words.
"""

from dataclasses import dataclass

from explorer.core.corpus import Corpus
from explorer.labs.price import words_of


@dataclass(frozen=True, slots=True)
class WordList:
    """The distinct words of a corpus, in the order they are first met."""

    words: tuple[bytes, ...]

    @property
    def vocabulary(self) -> int:
        """How many rows the list has."""
        return len(self.words)


@dataclass(frozen=True, slots=True)
class WordReading:
    """A text read word by word: the words that have a row and those that have none, by name and in order."""

    found: tuple[bytes, ...]
    unknown: tuple[bytes, ...]

    @property
    def words(self) -> int:
        """How many words the text has."""
        return len(self.found) + len(self.unknown)

    @property
    def tokens(self) -> int:
        """How many tokens the list gives: one a word that has a row. The others have no number at all."""
        return len(self.found)


@dataclass(frozen=True, slots=True)
class TakenApart:
    """A corpus taken apart into words and put back with one space between them. Boundaries are its LFs; sizes are in bytes."""

    words: int
    bytes_in: int
    bytes_out: int
    boundaries_in: int
    boundaries_out: int
    same: bool


def word_list(corpus: Corpus) -> WordList:
    """The word list of a corpus. One pass over it."""
    words: dict[bytes, None] = {}
    for start, end, _ in corpus.texts():
        words.update(dict.fromkeys(words_of(corpus.data[start:end])))
    return WordList(tuple(words))


def read_words(words: WordList, text: bytes) -> WordReading:
    """A text as the list reads it."""
    known = frozenset(words.words)
    read = words_of(text)
    return WordReading(tuple(w for w in read if w in known), tuple(w for w in read if w not in known))


def take_apart(corpus: Corpus) -> TakenApart:
    """What is left of a corpus that went through its own word list. Each text counts once, whatever its weight."""
    parts = [word for start, end, _ in corpus.texts() for word in words_of(corpus.data[start:end])]
    back = b" ".join(parts)
    return TakenApart(len(set(parts)), len(corpus.data), len(back), corpus.data.count(b"\n"), back.count(b"\n"), back == corpus.data)
