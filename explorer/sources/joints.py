"""A file of joints: `word TAB un|do` on each line, or the lines of word counts, `word TAB count [TAB un|do]`.

Lines end at LF alone; a CR at the very end of a line is left out, as in word counts. A word without joints is one part.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from explorer.core.progress import drain
from explorer.core.recipe import Joints
from explorer.errors import CorpusFileError
from explorer.sources.files import read_steps

EXPECTED = "word TAB un|do, or word TAB count TAB un|do"

_COUNT = re.compile(rb"[0-9]+")


def read_joints(path: Path | str) -> Joints:
    """The joints of a file.

    Raises CorpusFileError for a file that cannot be read or offers none, and, naming line and column, for parts that do not make the word
    and for a word that has other joints further up.
    """
    path = Path(path)
    joints: dict[bytes, tuple[bytes, ...]] = {}
    for number, line in _lines(drain(read_steps(path)).data[:]):
        word, *rest = line.split(b"\t")
        if not 1 <= len(rest) <= 2 or not word:
            raise CorpusFileError(f"expected {EXPECTED}.", path, number)
        parts = _parts(word, rest, path, number)
        if joints.setdefault(word, parts) != parts:
            raise CorpusFileError("the same word has other joints further up.", path, number, len(rest) + 1)
    joined = {word: parts for word, parts in joints.items() if len(parts) > 1}
    if not joined:
        raise CorpusFileError(f"This file offers no joints. Expected {EXPECTED}.", path)
    return Joints.of(joined)


def _parts(word: bytes, rest: list[bytes], path: Path, number: int) -> tuple[bytes, ...]:
    """The parts that the columns after a word give it; the word alone where it has no joints."""
    counted = len(rest) == 2
    if counted and not _COUNT.fullmatch(rest[0]):
        raise CorpusFileError("the count is not a whole number.", path, number, 2)
    parts = tuple(rest[-1].split(b"|"))
    if b"".join(parts) == word and all(parts):
        return parts
    without = rest[-1] == b"" if counted else _COUNT.fullmatch(rest[-1])
    if not without:
        raise CorpusFileError("the joints do not make the word: its parts are written with | between them.", path, number, len(rest) + 1)
    return (word,)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number from 1 and bytes (without line end) of every line."""
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), start=1):
        yield number, line.removesuffix(b"\r")
