"""Word counts: `word TAB count [TAB un|do]`, one word a line; a word is a text with a weight, the third column its joints.

Lines end at LF alone. A CR at the very end of a line belongs to no column and is left out, which is told; anywhere else it is
data. Words are cut on U+0020 by every recipe over words, so a word that holds one is refused rather than cut behind one's back.
"""

import re
from array import array
from collections.abc import Generator
from types import MappingProxyType

import numpy as np

from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.lines import numbered_lines
from explorer.core.mapped import ByteStore
from explorer.core.progress import Stage, Step
from explorer.errors import CorpusFileError
from explorer.sources.files import FileBytes
from explorer.sources.rows import CountRows

LINES_A_STEP = 600  # about 1 ms
MOST = 2**63 - 1
EXPECTED = f"word TAB count, or word TAB count TAB joints as un|do, the count a whole number from 1 to {thousands(MOST)}"

_COUNTED_LINE = re.compile(rb"^[^\t\n]+\t[0-9]+\r?(?:\t[^\t\n]*)?$", re.MULTILINE)
_LOOKED_AT = 1 << 20  # bytes looked through for one good line before the whole file is called something else
_NOT_JOINTS = "the joints do not make the word: its parts are written with | between them"
_DIGITS = re.compile(rb"[0-9]+")


def read_word_counts(file: FileBytes, name: str) -> Generator[Step, None, Corpus]:
    """The corpus of a file of word counts; CorpusFileError names line and column (1 word, 2 count, 3 joints) of the first fault."""
    tally = _Tally(file)
    if file.data and not _COUNTED_LINE.search(file.data[:_LOOKED_AT]):
        raise CorpusFileError(f"This is not a file of word counts. Expected on each line: {EXPECTED}.", file.path)
    for number, start, end in numbered_lines(file.data):
        tally.add(number, file.data[start:end])
        tally.lines.append(min(end + 1, len(file.data)))
        if number % LINES_A_STEP == 0:
            yield Step(Stage.READING, (file.facts.bytes + file.skipped + end) // 2, file.facts.bytes)
    starts, lines = np.frombuffer(tally.starts, np.int64), np.frombuffer(tally.lines, np.int64)
    weights = np.frombuffer(tally.weights, np.int64) if tally.weights else np.zeros(0, np.int64)
    return Corpus(
        name, tally.words.data(), starts, weights, rows=CountRows(file.data, lines), file=file.facts,
        joints=MappingProxyType(tally.joints), notes=file.notes + tally.notes,
    )


def looks_like_word_counts(head: bytes) -> bool:
    """Whether every whole line of a file's beginning has an integer second column."""
    lines = head.split(b"\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return all(_COUNTED_LINE.fullmatch(line) for line in whole)


class _Tally:
    """Words, weights and joints while the lines are read."""

    def __init__(self, file: FileBytes) -> None:
        self.file = file
        self.words = ByteStore()
        self.starts = array("q", [0])
        self.lines = array("q", [0])
        self.weights = array("q")
        self.joints: dict[bytes, tuple[bytes, ...]] = {}
        self.returns = 0

    def add(self, number: int, line: bytes) -> None:
        if line.endswith(b"\r") and b"\t" in line:
            line = line[:-1]
            self.returns += 1
        columns = line.split(b"\t")
        if not 2 <= len(columns) <= 3:
            found = "the line is empty" if not line else f"{len(columns)} column{'s' * (len(columns) != 1)}"
            raise CorpusFileError(f"{found}. Expected {EXPECTED}.", self.file.path, number)
        word = self._word(number, columns[0])
        self.words.write(word)
        self.starts.append(len(self.words))
        self.weights.append(self._count(number, columns[1]))
        if len(columns) == 3 and b"|" in columns[2]:
            self._join(number, word, tuple(columns[2].split(b"|")))
        elif columns[2:] not in ([], [b""], [word]):
            raise CorpusFileError(f"{_NOT_JOINTS}.", self.file.path, number, 3)

    def _word(self, number: int, word: bytes) -> bytes:
        if not word.strip():
            raise CorpusFileError("the word is blank.", self.file.path, number, 1)
        if b" " in word:
            raise CorpusFileError("the word holds a space, and words are cut at spaces.", self.file.path, number, 1)
        return word

    def _count(self, number: int, text: bytes) -> int:
        if not _DIGITS.fullmatch(text):
            raise self._bad_count(number, f"{text[:40].decode('utf-8', 'backslashreplace')!r} is not a whole number from 1 up")
        digits = text.lstrip(b"0")
        if not digits:
            raise self._bad_count(number, "a count of 0 is no occurrence")
        if len(digits) > 19 or int(digits) > MOST:
            raise self._bad_count(number, f"a count is at most {thousands(MOST)}")
        return int(digits)

    def _bad_count(self, number: int, reason: str) -> CorpusFileError:
        return CorpusFileError(f"{reason}.", self.file.path, number, 2)

    def _join(self, number: int, word: bytes, parts: tuple[bytes, ...]) -> None:
        if b"".join(parts) != word or not all(parts):
            raise CorpusFileError(f"{_NOT_JOINTS}.", self.file.path, number, 3)
        if self.joints.setdefault(word, parts) != parts:
            raise CorpusFileError("the same word has other joints further up.", self.file.path, number, 3)

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.returns:
            return ()
        lines = "lines end" if self.returns > 1 else "line ends"
        return (f"{thousands(self.returns)} {lines} in CR LF; the CR belongs to no word and was left out.",)
