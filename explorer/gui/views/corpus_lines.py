"""The lines of a corpus as they are shown: where each begins, what the gutter says of it, and how high each block is.

Only the blocks in view are ever laid out. Heights are estimated from the number of letters and made exact when a block
was laid out. Where lines and blocks lie is found once a corpus (core/line_places.py).
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus

FILLED = 0.93  # of a row, on average: a word that does not fit goes to the next
ONE_BY_ONE = 2_000_000  # lines whose heights are guessed each by itself, at every new width; of more a block is guessed as a whole

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CorpusLines:
    """Lines and blocks of a corpus.

    `starts` has the byte offset of each line and the end of the last, `numbers` what the gutter says of each (0: it is
    the rest of a line or text begun before), `letters` how many code points each has, `blocks` the first line of each
    block and the number of lines at the end.
    """

    corpus: Corpus
    starts: Ints
    numbers: Ints
    letters: Ints
    blocks: Ints
    _guessed: dict[float, npt.NDArray[np.float64]] = field(default_factory=dict, repr=False)  # of the last width asked for

    @classmethod
    def of(cls, corpus: Corpus) -> "CorpusLines":
        """The lines of a corpus: rows are numbered by row, the lines of a single text by line, from 1. Found now if they were not yet."""
        found = corpus.line_places
        return cls(corpus, found.starts, found.numbers, found.letters, found.blocks)

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
        if letters_a_row not in self._guessed:
            self._guessed.clear()
            self._guessed[letters_a_row] = self._rows(letters_a_row)
        return self._guessed[letters_a_row]

    def _rows(self, letters_a_row: float) -> npt.NDArray[np.float64]:
        if not len(self):
            return np.zeros(0)
        if len(self) > ONE_BY_ONE:
            lines = np.diff(self.blocks)
            return np.maximum(lines, np.ceil(self._block_letters / max(1.0, letters_a_row * FILLED) + lines / 2))
        rows = self.letters / max(1.0, letters_a_row * FILLED)
        np.maximum(np.ceil(rows, out=rows), 1, out=rows)  # in place: a million lines take 6 ms, and twice as long in new arrays
        return np.add.reduceat(rows, self.blocks[:-1])

    @cached_property
    def _block_letters(self) -> Ints:
        return np.add.reduceat(self.letters, self.blocks[:-1])


class Heights:
    """Where each block lies, in pixels from the top: guessed at first, exact where `settle` was told."""

    def __init__(self, guessed: npt.NDArray[np.float64]) -> None:
        self._heights = np.rint(guessed).astype(np.int64)
        self._tops = np.concatenate([np.zeros(1, np.int64), np.cumsum(self._heights)])

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
        self._tops[block + 1 :] += round(height) - self._heights[block]
        self._heights[block] = round(height)
        return True
