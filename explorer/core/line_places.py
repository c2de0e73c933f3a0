"""Where the lines of a corpus lie, as they are shown: found in slices, once a corpus, beside the window.

A line ends after each LF and at the end of each text. A line that is longer than `LONGEST` is cut for display into
parts, after a space where there is one and never inside a character. Lines that stand together make a block of about
`BLOCK` bytes. One pass over the bytes in numpy and no walk over lines: 100 MB take half a second, which a window would
notice. So whoever opens a corpus has it found by a job.
"""

from array import array
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from explorer.core.mapped import Data
from explorer.core.progress import Stage, Step

if TYPE_CHECKING:
    from explorer.core.corpus import Corpus  # which finds its lines here

LONGEST = 2048  # bytes of a line that is shown in one part
BLOCK = 1024  # bytes laid out together, more or less: some screenfuls
LINE_WEIGHT = 24  # bytes that a line counts beside its own, so that a thousand empty lines are no block
A_STEP = 1 << 21  # bytes looked through at a time: about 3 ms
PARTS_A_STEP = 500  # of long lines: about 2 ms

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)  # arrays have no single truth
class LinePlaces:
    """Lines and blocks of a corpus.

    `starts` has the byte offset of each line and the end of the last, `numbers` what the gutter says of each (0: it is
    the rest of a line or text begun before), `letters` how many code points each has, `blocks` the first line of each
    block and the number of lines at the end. `line_feeds` is how many LFs there are.
    """

    starts: Ints
    numbers: Ints
    letters: Ints
    blocks: Ints
    line_feeds: int


def line_places_steps(corpus: "Corpus") -> Generator[Step, None, LinePlaces]:
    """The lines of a corpus: rows are numbered by row, the lines of a single text by line, from 1."""
    begins, line_feeds = yield from _line_begins(corpus)
    size = len(corpus.data)
    starts = np.append((yield from _cut_long(corpus.data, np.append(begins, size))), size) if size else np.zeros(1, np.int64)
    yield Step(Stage.READING, size, 2 * size)
    numbers = np.zeros(len(starts) - 1, np.int64)
    numbered = begins if _by_line(corpus) else corpus.starts[:-1][np.diff(corpus.starts) > 0]
    numbers[np.searchsorted(starts[:-1], numbered)] = _numbers(corpus, len(numbered))
    yield Step(Stage.READING, size, 2 * size)
    weights = (starts[:-1] + LINE_WEIGHT * np.arange(len(starts) - 1)) // BLOCK
    blocks = np.append(np.flatnonzero(np.diff(weights, prepend=-1)), len(numbers))
    letters = yield from _letters(corpus, starts)
    return LinePlaces(starts, numbers, letters, blocks, line_feeds)


def _line_begins(corpus: "Corpus") -> Generator[Step, None, tuple[Ints, int]]:
    """Where lines begin, ascending: after every LF and at the start of every text, the end left out. And how many LFs there are."""
    buffer, size = np.frombuffer(corpus.data, np.uint8), len(corpus.data)
    found = [np.zeros(0, np.int64)]
    for first in range(0, size - 1, A_STEP):
        found.append(np.flatnonzero(buffer[first : min(size - 1, first + A_STEP)] == 0x0A) + (first + 1))
        yield Step(Stage.READING, first, 2 * size)
    after = np.concatenate(found)
    texts = corpus.starts[:-1][np.diff(corpus.starts) > 0]
    alone = texts[(texts == 0) | (buffer[np.maximum(texts, 1) - 1] != 0x0A)]  # of texts that no LF ends
    return np.insert(after, np.searchsorted(after, alone), alone), len(after) + corpus.data[-1:].count(b"\n")


def _letters(corpus: "Corpus", starts: Ints) -> Generator[Step, None, Ints]:
    """How many code points each line has: its bytes without those behind the first of a character."""
    buffer, size = np.frombuffer(corpus.data, np.uint8), len(corpus.data)
    before = np.zeros(len(starts), np.int64)  # such bytes before each line
    total = 0
    for first in range(0, size, A_STEP):
        behind = np.flatnonzero((buffer[first : first + A_STEP] & 0xC0) == 0x80)
        lines = slice(*np.searchsorted(starts, (first, first + A_STEP)).tolist())
        before[lines] = total + np.searchsorted(behind, starts[lines] - first)
        total += len(behind)
        yield Step(Stage.READING, size + first, 2 * size)
    before[np.searchsorted(starts, size) :] = total  # the end, where it begins no slice
    return np.diff(starts) - np.diff(before)


def _by_line(corpus: "Corpus") -> bool:
    """Whether lines are numbered: a plain text is one text, and rows are rows even where there is one only."""
    return len(corpus) == 1 and not corpus.ended and corpus.weights is None


def _numbers(corpus: "Corpus", count: int) -> Ints:
    """The numbers of the lines that have one; an empty text is no line and its number is left out."""
    if _by_line(corpus):
        return np.arange(1, count + 1)
    return np.flatnonzero(np.diff(corpus.starts) > 0) + 1


def _cut_long(data: Data, bounds: Ints) -> Generator[Step, None, Ints]:
    """The starts of the lines between `bounds`, long ones in parts."""
    parts, size = array("q"), len(data)
    for line in np.flatnonzero(np.diff(bounds) > LONGEST).tolist():
        for at in _parts(data, int(bounds[line]), int(bounds[line + 1])):
            parts.append(at)
            if len(parts) % PARTS_A_STEP == 0:
                yield Step(Stage.READING, size, 2 * size)
    found = np.frombuffer(parts, np.int64)
    return np.insert(bounds[:-1], np.searchsorted(bounds[:-1], found), found)


def _parts(data: Data, at: int, end: int) -> Iterator[int]:
    """Where the parts of one line begin, the first aside: after a space, or else at the start of a character."""
    while end - at > LONGEST:
        space = data.rfind(b" ", at + LONGEST // 2, at + LONGEST)
        cut = space + 1 if space >= 0 else at + LONGEST
        for _ in range(3):  # a character has at most three bytes behind its first
            if data[cut] & 0xC0 != 0x80:
                break
            cut -= 1
        at = cut
        yield at
