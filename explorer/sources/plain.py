"""A plain text file: one text, to the byte. CR, NUL, U+2028 and invalid bytes are data; lines end at LF alone."""

from array import array
from collections.abc import Generator

import numpy as np

from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.mapped import Data
from explorer.core.progress import Stage, Step
from explorer.sources.files import SLICE, FileBytes
from explorer.sources.rows import TextRows


def read_text(file: FileBytes, name: str) -> Generator[Step, None, Corpus]:
    """The corpus of a text file; a note counts the bytes that are not UTF-8."""
    data, size = file.data, file.facts.bytes
    starts = array("q", [0])
    invalid = InvalidBytes()
    at = 0
    while at < len(data):
        end = character_start(data, at + SLICE)
        part = data[at:end]
        starts.frombytes((np.flatnonzero(np.frombuffer(part, np.uint8) == ord("\n")) + (at + 1)).astype(np.int64, copy=False).tobytes())
        invalid.look(part, at + file.skipped)
        at = end
        yield Step(Stage.READING, (size + file.skipped + at) // 2, size)
    if data and not data.endswith(b"\n"):
        starts.append(len(data))
    rows = TextRows(data, np.frombuffer(starts, np.int64))
    corpus = Corpus(name, data, np.array([0, len(data)], np.int64), rows=rows, file=file.facts, notes=file.notes + invalid.notes)
    if not file.skipped:
        corpus.__dict__["sha256"] = file.facts.sha256  # where a cached property keeps it: it was taken on the way
    return corpus


class InvalidBytes:
    """How many bytes are not UTF-8, and the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.first = -1  # byte offset in the file

    def look(self, part: bytes, offset: int) -> None:
        """Counts in one part of a file, which begins at that offset and is cut between characters."""
        try:
            part.decode()
        except UnicodeDecodeError as error:
            if not self.count:
                self.first = offset + error.start
            self.count += len(part) - len(part.decode("utf-8", "ignore").encode())

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user is told, if there is anything to tell."""
        if not self.count:
            return ()
        first = thousands(self.first)
        if self.count == 1:
            return (f"1 byte is not UTF-8 and is kept as it is, at byte offset {first}.",)
        return (f"{thousands(self.count)} bytes are not UTF-8 and are kept as they are; the first is at byte offset {first}.",)


def character_start(data: Data, at: int) -> int:
    """The last place not after `at` where the bytes may be cut without cutting a character; the end of the data at most.

    Three steps back are enough: a fourth continuation byte belongs to no character.

    >>> character_start("für".encode(), 2)
    1
    """
    if at >= len(data):
        return len(data)
    for back in range(min(3, at) + 1):
        if data[at - back] & 0xC0 != 0x80:
            return at - back
    return at
