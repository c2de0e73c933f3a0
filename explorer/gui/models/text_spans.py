"""The tokens of an encoded text as views paint them, also while the text is being edited and its tokens are late.

Tokens belong to the bytes they were worked out for. After an edit, those before and behind the changed bytes still
hold, the latter moved; those that touch the change are gone until the new ones come. So no box is ever painted
where it does not belong, and typing into a long text does not make it flicker.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.mapped import Data
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece
from explorer.gui.text.spans import NO_ID, Spans

Flags = npt.NDArray[np.bool_]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Tokens that hold: those of index [first, after), `shift` bytes further on than they were."""

    first: int
    after: int
    shift: int


class TextSpans:
    """The tokens of an encoded text, laid over the text as it is now (`data`)."""

    def __init__(self, encoded: EncodedText, data: bytes | None = None, flags: "TableFlags | None" = None) -> None:
        self.encoded = encoded
        self.data = encoded.data if data is None else data
        self.flags = flags if flags and flags.table is encoded.table else TableFlags(encoded.table)
        self._stretches = self._holding()

    def over(self, data: bytes) -> "TextSpans":
        """The same tokens over an edited text."""
        return TextSpans(self.encoded, data, self.flags)

    @property
    def fresh(self) -> bool:
        """Whether these are the tokens of the text as it is now."""
        return self.data == self.encoded.data

    def between(self, start: int, end: int) -> tuple[Spans, Offsets]:
        """The tokens that touch the bytes [start, end), cut to them and counted from `start`, and their index in the text.

        A bare end-of-word marker belongs to the bytes it stands behind.
        """
        found = [self._found(stretch, start, end) for stretch in self._stretches]
        indexes = np.concatenate(found) if found else np.zeros(0, np.int64)
        shifts = np.concatenate([np.full(len(one), s.shift) for one, s in zip(found, self._stretches, strict=True)])
        return self._cut_to(indexes, shifts, start, end), indexes

    def at_byte(self, offset: int) -> int | None:
        """The index of the token that covers a byte of the text as it is now, None where none is known."""
        spans, indexes = self.between(offset, offset + 1)
        at = spans.at_byte(0)
        return None if at is None else int(indexes[at])

    def place(self, n: int) -> tuple[int, int]:
        """The bytes of the n-th token in the text as it is now."""
        shift = next((s.shift for s in self._stretches if s.first <= n < s.after), 0)
        return int(self.encoded.starts[n]) + shift, int(self.encoded.ends[n]) + shift

    @property
    def stand_in(self) -> int | None:
        """The id of the token that stands for lost characters, None where the table has none."""
        return self.encoded.table.alphabet.stand_in

    def token_of(self, piece: Piece | None) -> int | None:
        """The id of a piece in this table, None where it has no such row."""
        return None if piece is None else self.encoded.table.find(piece)

    def _holding(self) -> tuple[_Stretch, ...]:
        encoded, count = self.encoded, len(self.encoded)
        if self.fresh:
            return (_Stretch(0, count, 0),)
        before, behind = unchanged(encoded.data, self.data)
        first = encoded.ended_at(before)
        after = encoded.starting_before(len(encoded.data) - behind)
        shift = len(self.data) - len(encoded.data)
        return _Stretch(0, first, 0), _Stretch(max(first, after), count, shift)

    def _found(self, stretch: _Stretch, start: int, end: int) -> Offsets:
        encoded, a, b = self.encoded, start - stretch.shift, end - stretch.shift
        low = encoded.ended_at(a)
        high = encoded.starting_before(b)
        while high < len(encoded) and encoded.ends[high] == b == encoded.starts[high]:
            high += 1
        return np.arange(max(low, stretch.first), max(low, stretch.first, min(high, stretch.after)), dtype=np.int64)

    def _cut_to(self, indexes: Offsets, shifts: Offsets, start: int, end: int) -> Spans:
        encoded = self.encoded
        starts = np.maximum(encoded.starts[indexes] + shifts, start) - start
        ends = np.minimum(encoded.ends[indexes] + shifts, end)
        ids = encoded.ids[indexes]
        marked = self.flags.marked[ids] & (encoded.ends[indexes] + shifts == ends)
        numbers = np.where(ids == KEPT_ID, NO_ID, ids).astype(np.int64)
        return Spans(starts, ends - start, numbers, self.flags.single(ids), marked, encoded.groups[indexes].astype(np.int64))


class TableFlags:
    """What a table says of each of its tokens; kept from one text to the next."""

    def __init__(self, table: MergeTable) -> None:
        self.table = table
        self.marked: Flags = np.append(table.marked, False)  # the last is KEPT_ID's

    def single(self, ids: npt.NDArray[np.int32]) -> Flags:
        """Whether no merge made a token."""
        return ids < self.table.alphabet.first_merged_id


def unchanged(old: Data, new: Data) -> tuple[int, int]:
    """How many bytes at the start and how many at the end two texts share; the two do not overlap in either."""
    size = min(len(old), len(new))
    before = _largest(size, lambda n: old[:n] == new[:n])
    behind = _largest(size - before, lambda n: old[len(old) - n :] == new[len(new) - n :])
    return before, behind


def _largest(size: int, holds: Callable[[int], bool]) -> int:
    """The largest n up to size for which a test holds that holds for all smaller ones."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low
