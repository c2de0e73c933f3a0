"""A corpus: one buffer of bytes, where its texts start, how often each counts, and the rows of its file.

A text is a whole file, or one row of a table (JSON Lines, word counts). The bytes are the truth; everything else is
derived from them. A large corpus lies in a file of our own and is read where it is looked at (mapped.py). A corpus knows nothing
of recipes: `Corpus.with_line_feeds` gives what a recipe with `line_ends = lf` reads.
"""

import hashlib
from array import array
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

import numpy as np
import numpy.typing as npt

from explorer.core.line_places import LinePlaces, line_places_steps
from explorer.core.mapped import PART, ByteStore, Data, letting_go
from explorer.core.progress import Stage, Step, drain

Offsets = npt.NDArray[np.int64]

CR, LF = b"\r\n"
SEARCHED_A_STEP = 1 << 23  # bytes: some milliseconds


class Rows(Protocol):
    """The rows of the file a corpus came from, read when they are shown."""

    @property
    def columns(self) -> Sequence[str]:
        """Names of the columns, in file order."""

    def __len__(self) -> int:
        """How many rows there are."""

    def cells(self, row: int) -> tuple[str, ...]:
        """The cells of one row (0-based), one a column."""


@dataclass(frozen=True, slots=True)
class NoRows:
    """The rows of a corpus that was made in memory: none."""

    columns: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Zero."""
        return 0

    def cells(self, row: int) -> tuple[str, ...]:
        """Never has any."""
        raise IndexError(row)


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The file on disk: its name, its size in bytes and its SHA-256 in hex, before anything was taken out of it."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, eq=False)  # arrays have no single truth: a corpus equals itself alone
class Corpus:
    """The text that training reads.

    `starts` has one entry a text and the end of the last one. `weights` says how often each text counts, None for once
    each. `ended` says that each text ends with one LF that the reader added (a row of JSON Lines). `joints` are the parts
    of words that the file offers. `notes` are facts about the reading that the user is told.
    """

    name: str
    data: Data
    starts: Offsets
    weights: Offsets | None = None
    ended: bool = False
    rows: Rows = field(default_factory=NoRows)
    file: FileFacts | None = None
    joints: Mapping[bytes, tuple[bytes, ...]] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    @classmethod
    def of_text(cls, data: Data, name: str = "text") -> "Corpus":
        """A corpus of one text, as a plain text file is."""
        return cls(name, data, np.array([0, len(data)], np.int64))

    @classmethod
    def of_counts(cls, counts: Mapping[bytes, int], name: str = "counts") -> "Corpus":
        """A corpus of words with how often each occurs, in the order given."""
        ends = np.cumsum([0, *map(len, counts)], dtype=np.int64)
        return cls(name, b"".join(counts), ends, np.array(list(counts.values()), np.int64))

    @classmethod
    def of_rows(cls, texts: Sequence[bytes], name: str = "rows") -> "Corpus":
        """A corpus of rows, each ended by one added LF."""
        ends = np.cumsum([0, *(len(text) + 1 for text in texts)], dtype=np.int64)
        return cls(name, b"".join(text + b"\n" for text in texts), ends, ended=True)

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self.starts) - 1

    @cached_property
    def sha256(self) -> str:
        """The digest of the text, in hex."""
        digest = hashlib.sha256()
        for at in range(0, len(self.data), PART):
            digest.update(self.data[at : at + PART])
        return digest.hexdigest()

    @cached_property
    def line_places(self) -> LinePlaces:
        """Where its lines lie, as they are shown: one pass over the text, unless `find_lines_steps` was asked before."""
        return drain(letting_go(line_places_steps(self), self.data))

    def find_lines_steps(self) -> Generator[Step, None, None]:
        """Finds `line_places` in slices; to be run beside a window that will ask for them."""
        if "line_places" not in self.__dict__:
            self.__dict__["line_places"] = yield from letting_go(line_places_steps(self), self.data)

    def span(self, text: int) -> tuple[int, int]:
        """Where a text lies in the buffer, half-open."""
        return int(self.starts[text]), int(self.starts[text + 1])

    def weight(self, text: int) -> int:
        """How often a text counts."""
        return 1 if self.weights is None else int(self.weights[text])

    def texts(self) -> Iterator[tuple[int, int, int]]:
        """Start, end and weight of every text, in order."""
        starts = self.starts.tolist()
        weights = [1] * len(self) if self.weights is None else self.weights.tolist()
        return zip(starts, starts[1:], weights, strict=False)

    def text_at(self, offset: int) -> int:
        """The number of the text that holds a byte of the buffer."""
        return int(np.searchsorted(self.starts, offset, side="right")) - 1

    def with_line_feeds(self) -> "Corpus":
        """The corpus with every CR LF and lone CR as one LF; itself where there is none. The LF that ends a row stays its own."""
        return drain(self.line_feed_steps())

    def line_feed_steps(self) -> Generator[Step, None, "Corpus"]:
        """The same with a step after every few milliseconds; `total` is twice the bytes, half of it for finding whether there is a CR."""
        size = len(self.data)
        for at in range(0, size, SEARCHED_A_STEP):
            if self.data.find(b"\r", at, at + SEARCHED_A_STEP) >= 0:
                return (yield from self._made_lf(size))
            yield Step(Stage.READING, at, 2 * size)
        return self

    def _made_lf(self, size: int) -> Generator[Step, None, "Corpus"]:
        store, starts, told = ByteStore(), array("q", [0]), 0
        for start, end, _ in self.texts():
            for part in _with_line_feeds(self.data, start, end - self.ended):
                store.write(part)
                if len(store) >= told + PART:
                    told = len(store)
                    yield Step(Stage.READING, size + told, 2 * size)
            store.write(b"\n" if self.ended else b"")
            starts.append(len(store))
        return replace(self, data=store.data(), starts=np.frombuffer(starts, np.int64))


def _with_line_feeds(data: Data, start: int, end: int) -> Iterator[bytes]:
    """The bytes [start, end) part by part with every CR LF and lone CR as one LF."""
    while start < end:
        stop = min(end, start + PART)
        if stop < end and data[stop - 1] == CR and data[stop] == LF:
            stop += 1
        yield data[start:stop].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        start = stop
