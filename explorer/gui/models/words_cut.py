"""Words as two tables cut them: the commonest of the corpus, and those of your text. Knows no Qt.

A word is what `labs.spellings` calls one: a text of a corpus of word counts, a run without spaces under a recipe over words, and any
other recipe's pre-token. Each is encoded alone, with all merges of a table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile

import numpy as np

from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.marking import Here, lending, marks_steps
from explorer.core.pretokens import corpus_cuts
from explorer.core.progress import drain
from explorer.core.recipe import PreTokenRule
from explorer.core.splitting import CutKind
from explorer.core.table import MergeTable
from explorer.core.training import Training
from explorer.core.vocabulary import Piece
from explorer.errors import PatternTimeoutError
from explorer.labs.spellings import spelling_steps, words_in

MOST_OF_CORPUS = 200  # words of the corpus that are shown, the commonest
MOST_OF_TEXT = 50  # and of your text, the first
TEXT_READ = 20_000  # bytes of your text in which its words are looked for
WORK = 60_000_000  # bytes x merges that are encoded at once: about 16 ms
LEAST_READ = 2_000  # bytes that are encoded whatever the merges
PATTERN_S = 0.05  # a split pattern of one's own that takes longer shows no words


Cut = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class CutWord:
    """A word under two tables; `note` says where it comes from ("× 5", "yours")."""

    word: bytes
    note: str
    one: Cut
    other: Cut

    @property
    def differs(self) -> bool:
        """Whether the tables cut it differently."""
        return self.one != self.other

    @property
    def alike(self) -> int:
        """How many first pieces are the same under both."""
        same = takewhile(lambda pair: pair[0] == pair[1], zip(self.one, self.other, strict=False))
        return sum(1 for _ in same)


@dataclass(frozen=True, slots=True)
class CutWords:
    """The words shown, those that are cut differently first; `left_out` counts words of the corpus that are not among them."""

    words: tuple[CutWord, ...]
    left_out: int

    @property
    def differing(self) -> int:
        """How many of the words shown are cut differently."""
        return sum(word.differs for word in self.words)

    def facts(self) -> str:
        """The outcome in one line."""
        among = f"of the {len(self.words)} commonest" if self.left_out else f"of {len(self.words)}"
        return f"{self.differing or 'none'} {among} {'is' if self.differing == 1 else 'are'} cut differently" if self.words else ""


def cut_words(training: Training, other: MergeTable, text: bytes) -> CutWords:
    """The words of the corpus and of a text under the table of a training and another one of the same corpus."""
    try:
        with lending(Here(PATTERN_S)):
            return _cut_words(training, other, text)
    except PatternTimeoutError:
        return CutWords((), _distinct(training))


def _cut_words(training: Training, other: MergeTable, text: bytes) -> CutWords:
    table = training.table
    counted = commonest(training)
    seen = {word for word, _ in counted}
    noted = [(word, f"× {thousands(count)}") for word, count in counted]
    noted += [(word, "yours") for word in islice((word for word in words_of(training, text) if word not in seen), MOST_OF_TEXT)]
    affordable = max(LEAST_READ, WORK // max(1, len(table.merges) + len(other.merges)))
    reach = accumulate(len(word) for word, _ in noted)
    noted = [each for each, so_far in zip(noted, reach, strict=True) if so_far <= affordable]
    words = [word for word, _ in noted]
    ones, others = _cuts(table, words), _cuts(other, words)
    rows = [CutWord(word, note, one, two) for (word, note), one, two in zip(noted, ones, others, strict=True)]
    shown = sum(note != "yours" for _, note in noted)
    return CutWords(tuple(sorted(rows, key=lambda row: not row.differs)), _distinct(training) - shown)


def commonest(training: Training) -> list[tuple[bytes, int]]:
    """The commonest words of the corpus with their counts; of equal counts the one first met."""
    if training.corpus.weights is not None:
        return sorted(words_in(training).items(), key=lambda word: -word[1])[:MOST_OF_CORPUS]
    rows, pretokens = training.alphabet.rows, training.pretokens
    order = np.argsort(-np.asarray(pretokens.counts, np.int64), kind="stable")[:MOST_OF_CORPUS].tolist()
    return [(b"".join(rows[ord(symbol)].bytes for symbol in pretokens.spellings[at]), pretokens.counts[at]) for at in order]


def _distinct(training: Training) -> int:
    if training.corpus.weights is not None:
        return len(words_in(training))
    return training.pretokens.distinct


def words_of(training: Training, text: bytes) -> Iterator[bytes]:
    """The distinct words in the first `TEXT_READ` bytes of a text, in order."""
    recipe, data = training.recipe, text[:TEXT_READ]
    if recipe.pretokens is PreTokenRule.WORDS or training.corpus.weights is not None:
        found = iter(data.replace(b"\n", b" ").split(b" "))
    else:
        corpus = Corpus.of_text(data)
        cuts = corpus_cuts(corpus, recipe, drain(marks_steps(corpus, recipe)))
        found = (data[cut.start : cut.end] for cut, _, _ in cuts if cut.kind is CutKind.PRETOKEN)
    return iter(dict.fromkeys(word for word in found if word))


def _cuts(table: MergeTable, words: Sequence[bytes]) -> tuple[Cut, ...]:
    return drain(spelling_steps(table, words))
