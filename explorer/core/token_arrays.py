"""The tokens of a text as arrays while they are made, part by part, and how the parts become one.

Places and the numbers of groups are made in 32 bits, whatever the size of the text: memory that is written to for the first time
costs more than anything else here. Of a text of two gigabytes or more those are the low bits, and whoever gathers the parts
gets the others back, as places only ever grow.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.core.encoding import Places, place_type
from explorer.core.pretokens import Losses
from explorer.core.progress import Stage, Step

TOKENS_A_STEP = 1 << 18  # about 2 ms, and 3 MB of memory that may be new
FORESEEN = 1 << 21  # bytes after which the number of tokens is guessed from those there were
LOW = (1 << 32) - 1

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


@dataclass(slots=True)
class Tokens:
    """Tokens with their spans, and the cuts that had any: group n of the tokens is cut n - 1.

    `starts`, `ends` and `groups` are of the type that `place_type` gives for the text; of a part of the tokens they are int32, the
    low bits of each. They are empty where ids alone were wanted.
    """

    ids: Int32s
    starts: Places
    ends: Places
    groups: Places
    losses: Losses


class Columns(NamedTuple):
    """Arrays with an entry a token, and room for more behind."""

    ids: Int32s
    starts: Any  # Any: Int32s where a kernel writes to them
    ends: Any
    groups: Any


class Room:
    """Room for tokens: ids alone, or with the spans of a kind, both in one array where every token starts where one ends."""

    def __init__(self, kind: type[np.signedinteger[Any]], *, spans: bool, gapless: bool) -> None:
        self.kind, self.spans, self.gapless = kind, spans, gapless
        self.columns = self._empty(0)

    def __len__(self) -> int:
        """How many tokens there is room for."""
        return len(self.columns.ids)

    def grow_steps(self, made: int, room: int) -> Iterator[None]:
        """Makes room for so many tokens in all, in slices; those made so far stay."""
        old, new = self.columns, self._empty(room)
        for first in range(0, made, TOKENS_A_STEP):
            some = slice(first, min(first + TOKENS_A_STEP, made))
            for larger, array in zip(new, old, strict=True):
                larger[some] = array[some]
            yield
        self.columns = new

    def tokens(self, made: int, losses: Losses) -> Tokens:
        """The first so many tokens."""
        ids, starts, ends, groups = (column[:made] for column in self.columns)
        return Tokens(ids, starts, ends, groups, losses)

    def _empty(self, count: int) -> Columns:
        """Columns that were not written to, and so take no memory yet."""
        ids, spans = np.empty(count, np.int32), count if self.spans else 0
        edges = np.empty(spans + 1, self.kind)
        ends = edges[1:] if self.gapless else np.empty(spans, self.kind)
        return Columns(ids, edges[:-1], ends, np.empty(spans, self.kind))


def foreseen(made: int, seen: int, size: int) -> int:
    """How many tokens a text of `size` bytes will have, about, given how many its first bytes had: rather a quarter too many.

    Too many cost nothing: room that is not written to takes no memory.
    """
    return int(1.25 * made / seen * size) if seen >= FORESEEN else 2 * made + int(0.4 * min(size, FORESEEN))


class Gathered:
    """The tokens of a text of `size` bytes, gathered from parts that follow each other; their groups are numbered on."""

    def __init__(self, size: int, *, spans: bool, gapless: bool) -> None:
        self.size, self.made, self.groups = size, 0, 0
        self.room = Room(place_type(size), spans=spans, gapless=gapless)
        self.losses = Losses()

    def add_steps(self, part: Tokens, seen: int) -> Iterator[Step]:
        """Adds the tokens that follow, in slices; `seen` bytes of the text have been encoded by then."""
        step = Step(Stage.ENCODING, seen, self.size)
        after, before = self.made + len(part.ids), self.groups
        if after > len(self.room):
            for _ in self.room.grow_steps(self.made, max(after, foreseen(after, seen, self.size))):
                yield step
        self.losses = _added(self.losses, part.losses)
        for first in range(0, len(part.ids), TOKENS_A_STEP):
            self._copy(part, slice(first, min(first + TOKENS_A_STEP, len(part.ids))), before)
            yield step

    def tokens(self) -> Tokens:
        """All that were added."""
        return self.room.tokens(self.made, self.losses)

    def _copy(self, part: Tokens, some: slice, before: int) -> None:
        """Adds some tokens of a part, before which there were so many groups."""
        out, at, kind = self.room.columns, self.made, self.room.kind
        self.made += some.stop - some.start
        here = slice(at, self.made)
        out.ids[here] = part.ids[some]
        if self.room.spans:
            out.starts[here] = _whole(part.starts[some], int(out.starts[at - 1]) if at else 0, kind)
            out.ends[here] = _whole(part.ends[some], int(out.ends[at - 1]) if at else 0, kind)
            out.groups[here] = _whole(part.groups[some], self.groups - before, kind) + kind(before)
            self.groups = int(out.groups[self.made - 1])


def _whole(low: Places, before: int, kind: type[np.signedinteger[Any]]) -> Places:
    """Numbers that grow from `before` on, each by less than 2^32, given the low 32 bits of each."""
    if kind is np.int32:
        return low
    grown = np.diff(low.view(np.uint32), prepend=np.uint32(before & LOW))
    return before + np.cumsum(grown, dtype=np.int64)


def _added(one: Losses, other: Losses) -> Losses:
    """The losses of two parts of which one follows the other."""
    first_space = one.first_space if one.spaces else other.first_space
    first_line_end = one.first_line_end if one.line_ends else other.first_line_end
    return Losses(one.spaces + other.spaces, first_space, one.line_ends + other.line_ends, first_line_end)


__all__ = ["LOW", "TOKENS_A_STEP", "Columns", "Gathered", "Room", "Tokens", "foreseen"]
