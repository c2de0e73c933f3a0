"""Where the lines of a corpus lie: in bytes, in blocks that are laid out together, and in pixels.

A line ends after each LF and at the end of each text. A line that is longer than `LONGEST` is cut for display into
parts, after a space where there is one and never inside a character. Lines that stand together make a block of about
`BLOCK` bytes; only the blocks in view are ever laid out. Heights are estimated from the number of letters and made
exact when a block was laid out, so that opening costs one pass in numpy and no walk over lines.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.mapped import Data

LONGEST = 2048  # bytes of a line that is shown in one part
BLOCK = 1024  # bytes laid out together, more or less: some screenfuls
LINE_WEIGHT = 24  # bytes that a line counts beside its own, so that a thousand empty lines are no block
FILLED = 0.93  # of a row, on average: a word that does not fit goes to the next

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CorpusLines:
    """Lines and blocks of a corpus.

    `starts` has the byte offset of each line and the end of the last, `numbers` what the gutter says of each (0: it is
    the rest of a line or text begun before), `blocks` the first line of each block and the number of lines at the end.
    """

    corpus: Corpus
    starts: Ints
    numbers: Ints
    blocks: Ints

    @classmethod
    def of(cls, corpus: Corpus) -> "CorpusLines":
        """The lines of a corpus: rows are numbered by row, the lines of a single text by line, from 1. One pass in numpy."""
        begins = _line_begins(corpus)
        size = len(corpus.data)
        starts = np.append(_cut_long(corpus.data, np.append(begins, size)), size) if size else np.zeros(1, np.int64)
        numbers = np.zeros(len(starts) - 1, np.int64)
        numbered = begins if _by_line(corpus) else corpus.starts[:-1][np.diff(corpus.starts) > 0]
        numbers[np.searchsorted(starts[:-1], numbered)] = _numbers(corpus, len(numbered))
        weights = (starts[:-1] + LINE_WEIGHT * np.arange(len(starts) - 1)) // BLOCK
        blocks = np.append(np.flatnonzero(np.diff(weights, prepend=-1)), len(numbers))
        return cls(corpus, starts, numbers, blocks)

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self.numbers)

    @property
    def blocks_count(self) -> int:
        """How many blocks there are."""
        return len(self.blocks) - 1

    def block_span(self, block: int) -> tuple[int, int]:
        """The bytes of a block, half-open."""
        return int(self.starts[self.blocks[block]]), int(self.starts[self.blocks[block + 1]])

    def block_at(self, offset: int) -> int:
        """The block that holds a byte; the nearest for an offset outside."""
        line = int(np.searchsorted(self.starts, offset, side="right")) - 1
        block = int(np.searchsorted(self.blocks, line, side="right")) - 1
        return max(0, min(block, self.blocks_count - 1))

    def number_at(self, offset: int) -> int:
        """The number of the line or row that holds a byte."""
        line = min(int(np.searchsorted(self.starts, offset, side="right")), len(self)) - 1
        while line > 0 and not self.numbers[line]:
            line -= 1
        return int(self.numbers[line]) if len(self) else 0

    def line_starts(self, block: int) -> Ints:
        """Where the lines of a block begin, counted from the block."""
        starts = self.starts[self.blocks[block] : self.blocks[block + 1]]
        return starts - self.block_span(block)[0]

    def offset_of(self, number: int) -> int | None:
        """The byte where the line or row of a number begins; None where there is no such line."""
        found = np.flatnonzero(self.numbers == number)
        return int(self.starts[found[0]]) if len(found) else None

    def numbers_in(self, block: int) -> dict[int, int]:
        """What the gutter says beside the lines of a block, by the byte offset where the line starts."""
        first, last = int(self.blocks[block]), int(self.blocks[block + 1])
        numbers = zip(self.starts[first:last].tolist(), self.numbers[first:last].tolist(), strict=True)
        return {start: number for start, number in numbers if number}

    @property
    def highest_number(self) -> int:
        """The number with the most digits."""
        return int(self.numbers.max(initial=0))

    def rows_guessed(self, letters_a_row: float) -> npt.NDArray[np.float64]:
        """How many rows each block will take, by its letters (code points)."""
        if not len(self):
            return np.zeros(0)
        rows = np.maximum(1, np.ceil(self._letters / max(1.0, letters_a_row * FILLED)))
        return np.add.reduceat(rows, self.blocks[:-1])

    @cached_property
    def _letters(self) -> Ints:
        """How many code points each line has."""
        behind = np.flatnonzero((np.frombuffer(self.corpus.data, np.uint8) & 0xC0) == 0x80)
        return np.diff(self.starts) - np.diff(np.searchsorted(behind, self.starts))


def _line_begins(corpus: Corpus) -> Ints:
    """Where lines begin, ascending: after every LF and at the start of every text, the end left out."""
    buffer = np.frombuffer(corpus.data, np.uint8)
    after = np.flatnonzero(buffer[:-1] == 0x0A) + 1
    texts = corpus.starts[:-1][np.diff(corpus.starts) > 0]
    alone = texts[(texts == 0) | (buffer[np.maximum(texts, 1) - 1] != 0x0A)]  # of texts that no LF ends
    return np.insert(after, np.searchsorted(after, alone), alone)


def _by_line(corpus: Corpus) -> bool:
    """Whether lines are numbered: a plain text is one text, and rows are rows even where there is one only."""
    return len(corpus) == 1 and not corpus.ended and corpus.weights is None


def _numbers(corpus: Corpus, count: int) -> Ints:
    """The numbers of the lines that have one; an empty text is no line and its number is left out."""
    if _by_line(corpus):
        return np.arange(1, count + 1)
    return np.flatnonzero(np.diff(corpus.starts) > 0) + 1


def _cut_long(data: Data, bounds: Ints) -> Ints:
    """The starts of the lines between `bounds`, long ones in parts."""
    long = np.flatnonzero(np.diff(bounds) > LONGEST)
    parts = [at for line in long.tolist() for at in _parts(data, int(bounds[line]), int(bounds[line + 1]))]
    return np.insert(bounds[:-1], np.searchsorted(bounds[:-1], parts), np.array(parts, np.int64))


def _parts(data: Data, at: int, end: int) -> list[int]:
    """Where the parts of one line begin, the first aside: after a space, or else at the start of a character."""
    starts: list[int] = []
    while end - at > LONGEST:
        space = data.rfind(b" ", at + LONGEST // 2, at + LONGEST)
        cut = space + 1 if space >= 0 else at + LONGEST
        for _ in range(3):  # a character has at most three bytes behind its first
            if data[cut] & 0xC0 != 0x80:
                break
            cut -= 1
        at = cut
        starts.append(at)
    return starts


class Heights:
    """Where each block lies, in pixels from the top: guessed at first, exact where `settle` was told."""

    def __init__(self, guessed: npt.NDArray[np.float64]) -> None:
        self._heights = np.rint(guessed).astype(np.int64)
        self._tops = self._summed()

    @property
    def total(self) -> int:
        """Of all blocks together."""
        return int(self._tops[-1])

    def top(self, block: int) -> int:
        """Where a block begins."""
        return int(self._tops[block])

    def block_at(self, y: float) -> int:
        """The block at a height; the first or last for one outside."""
        return max(0, min(int(np.searchsorted(self._tops, y, side="right")) - 1, len(self._heights) - 1))

    def settle(self, block: int, height: float) -> bool:
        """Notes the height of a block that was laid out; whether it was another one."""
        if self._heights[block] == round(height):
            return False
        self._heights[block] = round(height)
        self._tops = self._summed()
        return True

    def _summed(self) -> Ints:
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self._heights)])
