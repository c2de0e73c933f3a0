"""Words as two tables cut them: the commonest of the corpus, and those of your text. Knows no Qt.

A word is what `labs.spellings` calls one: a text of a corpus of word counts, a run without spaces under a recipe over words, and any
other recipe's pre-token. Each is encoded alone, with all merges of a table.
"""

from collections.abc import Generator
from dataclasses import dataclass
from heapq import nlargest
from itertools import accumulate, islice, takewhile
from operator import itemgetter

from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.marking import marks_steps
from explorer.core.pretokens import corpus_cuts
from explorer.core.progress import Stage, Step, drain
from explorer.core.recipe import PreTokenRule
from explorer.core.splitting import CutKind
from explorer.core.table import MergeTable
from explorer.core.training import Training
from explorer.core.vocabulary import Piece
from explorer.errors import PatternTimeoutError
from explorer.labs.spellings import spelling_steps, word_of, words_in_steps

MOST_OF_CORPUS = 200  # words of the corpus that are shown, the commonest
MOST_OF_TEXT = 50  # and of your text, the first
TEXT_READ = 20_000  # bytes of your text in which its words are looked for
WORK = 60_000_000  # bytes x merges that are encoded at once: about 16 ms
LEAST_READ = 2_000  # bytes that are encoded whatever the merges

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
    return drain(cut_words_steps(training, other, text))


def cut_words_steps(training: Training, other: MergeTable, text: bytes) -> Generator[Step, None, CutWords]:
    """The same step by step; no words where a split pattern of one's own finds no end in one of them or in the text."""
    counted, distinct = yield from commonest_steps(training)
    try:
        return (yield from _cut_words(training, other, text, counted, distinct))
    except PatternTimeoutError:
        return CutWords((), distinct)


def _cut_words(
    training: Training, other: MergeTable, text: bytes, counted: list[tuple[bytes, int]], distinct: int
) -> Generator[Step, None, CutWords]:
    table = training.table
    seen = {word for word, _ in counted}
    noted = [(word, f"× {thousands(count)}") for word, count in counted]
    words = yield from words_of_steps(training, text)
    noted += [(word, "yours") for word in islice((word for word in words if word not in seen), MOST_OF_TEXT)]
    affordable = max(LEAST_READ, WORK // max(1, len(table.merges) + len(other.merges)))
    reach = accumulate(len(word) for word, _ in noted)
    noted = [each for each, so_far in zip(noted, reach, strict=True) if so_far <= affordable]
    words = [word for word, _ in noted]
    ones, others = (yield from spelling_steps(table, words)), (yield from spelling_steps(other, words))
    rows = [CutWord(word, note, one, two) for (word, note), one, two in zip(noted, ones, others, strict=True)]
    shown = sum(note != "yours" for _, note in noted)
    return CutWords(tuple(sorted(rows, key=lambda row: not row.differs)), distinct - shown)


def commonest_steps(training: Training) -> Generator[Step, None, tuple[list[tuple[bytes, int]], int]]:
    """The commonest words of the corpus with their counts, of equal counts the one first met; and how many words there are."""
    if training.corpus.weights is not None:
        words = yield from words_in_steps(training)
        return nlargest(MOST_OF_CORPUS, words.items(), key=itemgetter(1)), len(words)
    found = training.pretokens.commonest(MOST_OF_CORPUS)
    yield Step(Stage.READING, 0, 0)
    return [(word_of(training, spelling), count) for spelling, count in found], training.pretokens.distinct


def words_of_steps(training: Training, text: bytes) -> Generator[Step, None, list[bytes]]:
    """The distinct words in the first `TEXT_READ` bytes of a text, in order."""
    recipe, data = training.recipe, text[:TEXT_READ]
    if recipe.pretokens is PreTokenRule.WORDS or training.corpus.weights is not None:
        found = iter(data.replace(b"\n", b" ").split(b" "))
    else:
        corpus = Corpus.of_text(data)
        marks = yield from marks_steps(corpus, recipe)
        found = (data[cut.start : cut.end] for cut, _, _ in corpus_cuts(corpus, recipe, marks) if cut.kind is CutKind.PRETOKEN)
    return list(dict.fromkeys(word for word in found if word))
