"""The words of a corpus as a table spells them at any merge.

A word is a text of a corpus of word counts, a run without spaces under a recipe over words, and any other recipe's pre-token.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from explorer.core.corpus import Corpus
from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.engines import corpus_encoding_steps
from explorer.core.progress import Stage, Step, drain
from explorer.core.recipe import PreTokenRule
from explorer.core.table import MergeTable
from explorer.core.training import Training
from explorer.core.vocabulary import Piece

WORDS_A_STEP = 1_000


@dataclass(frozen=True, slots=True)
class SpelledWord:
    """A word, how often the corpus holds it (0 for one that was only asked about), and its pieces."""

    word: bytes
    count: int
    pieces: tuple[Piece, ...]


def words_in(training: Training) -> dict[bytes, int]:
    """The distinct words of the corpus with their weighted counts, in the order they are first met."""
    return drain(words_in_steps(training))


def words_in_steps(training: Training) -> Generator[Step, None, dict[bytes, int]]:
    """The same step by step."""
    corpus, counts = training.corpus, dict[bytes, int]()
    if corpus.weights is None and training.recipe.pretokens is not PreTokenRule.WORDS:
        pretokens = training.pretokens
        for done, (spelling, count) in enumerate(zip(pretokens.spellings, pretokens.counts, strict=True)):
            counts[word_of(training, spelling)] = count
            if done % WORDS_A_STEP == 0:
                yield Step(Stage.READING, done, pretokens.distinct)
        return counts
    for done, (start, end, weight) in enumerate(corpus.texts()):
        text = corpus.data[start:end]
        for word in [text] if corpus.weights is not None else text.replace(b"\n", b" ").split(b" "):
            if word:
                counts[word] = counts.get(word, 0) + weight
        if done % WORDS_A_STEP == 0:
            yield Step(Stage.READING, start, len(corpus.data))
    return counts


def word_of(training: Training, spelling: str) -> bytes:
    """The bytes of a pre-token that is spelled in the symbols of a training."""
    rows = training.alphabet.rows
    return b"".join(rows[ord(symbol)].bytes for symbol in spelling)


def spelling_steps(
    table: MergeTable, words: Sequence[bytes], merges: int | None = None
) -> Generator[Step, None, tuple[tuple[Piece, ...], ...]]:
    """The pieces of each word, encoded alone with the first `merges` merges (None: all). One encoding for all of them."""
    corpus = Corpus.of_counts(dict.fromkeys(words, 1))
    encoded = yield from corpus_encoding_steps(table, corpus, merges)
    spelled = dict(zip(dict.fromkeys(words), pieces_by_text(encoded, corpus), strict=True))
    return tuple(spelled[word] for word in words)


def spelled_words_steps(training: Training, merges: int | None = None) -> Generator[Step, None, tuple[SpelledWord, ...]]:
    """The words of the corpus as its table spells them after the first `merges` merges."""
    words = words_in(training)
    spelled = yield from spelling_steps(training.table, list(words), merges)
    return tuple(SpelledWord(word, words[word], pieces) for word, pieces in zip(words, spelled, strict=True))


def pieces_by_text(encoded: EncodedText, corpus: Corpus) -> list[tuple[Piece, ...]]:
    """The pieces of each text of an encoded corpus. A token belongs to the text it ends in, so that a bare marker stays with its word."""
    return [tuple(encoded.piece(n) for n in range(first, last)) for first, last in pairwise(text_edges(encoded, corpus))]


def text_edges(encoded: EncodedText, corpus: Corpus) -> list[int]:
    """The first token of each text, and after them how many tokens there are."""
    edges: list[int] = np.searchsorted(encoded.ends, corpus.starts.astype(encoded.ends.dtype), side="right").tolist()
    return edges


def decoded_texts(encoded: EncodedText, corpus: Corpus) -> list[bytes]:
    """Each text of an encoded corpus as decoding its own tokens gives it back."""
    out = []
    for first, last in pairwise(text_edges(encoded, corpus)):
        ids = encoded.ids[first:last].tolist()
        out.append(encoded.table.decode(encoded.covered(first + n) if token == KEPT_ID else token for n, token in enumerate(ids)))
    return out
