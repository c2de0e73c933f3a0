"""One text in three index spaces: its bytes, its code points, and the UTF-16 units in which Qt counts.

Bytes are the truth; Python counts code points and Qt counts units, and a view that mixes them up slips by
one at every character above U+FFFF. This class is the only place where one becomes another.

    spaces = IndexSpaces("i \\N{PILE OF POO}!".encode())
    spaces.unit_of_byte(6)          4: where "!" is for Qt
    spaces.code_points_in(2, 3)     (2, 3): the first byte of the picture lies in character 2

A byte that is not part of valid UTF-8 is one code point (a surrogate of Python's `surrogateescape`) and one
unit (U+FFFD in `qt_text`). All offsets are 0-based and may equal the length; spans are half-open. An offset
inside a character stands for the start of that character. Anything outside raises IndexError.
"""

import re

import numpy as np
import numpy.typing as npt

Offsets = npt.NDArray[np.int64]
_STRAY = re.compile("[\udc80-\udcff]")


class IndexSpaces:
    """Converts offsets of one text; built in one pass, 16 bytes a code point. The text does not change."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = data.decode("utf-8", "surrogateescape")
        self._letters = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        self._bytes = _starts(_byte_lengths(self._letters))
        self._units = _starts(np.where(self._letters >= 0x10000, 2, 1))

    @property
    def letters(self) -> npt.NDArray[np.uint32]:
        """The code points; a stray byte is 0xDC00 + byte."""
        return self._letters

    @property
    def byte_starts(self) -> Offsets:
        """Where each code point starts in the bytes, and the length at the end: one entry more than code points."""
        return self._bytes

    @property
    def qt_text(self) -> str:
        """The text for a Qt widget, with U+FFFD for each stray byte: as many units as this class counts, but lossy."""
        return _STRAY.sub("\ufffd", self.text)

    @property
    def bytes_count(self) -> int:
        """The length in bytes."""
        return len(self.data)

    @property
    def code_points_count(self) -> int:
        """The length in code points."""
        return len(self._letters)

    @property
    def units_count(self) -> int:
        """The length in UTF-16 units."""
        return int(self._units[-1])

    # one offset: O(1) from code points, O(log n) to them

    def byte_of_code_point(self, at: int) -> int:
        """The byte at which a code point starts."""
        return int(self.bytes_of_code_points(np.array([at]))[0])

    def unit_of_code_point(self, at: int) -> int:
        """The unit at which a code point starts."""
        return int(self.units_of_code_points(np.array([at]))[0])

    def code_point_of_byte(self, at: int) -> int:
        """The code point that holds a byte."""
        return int(self.code_points_of_bytes(np.array([at]))[0])

    def code_point_of_unit(self, at: int) -> int:
        """The code point that holds a unit."""
        return int(self.code_points_of_units(np.array([at]))[0])

    def unit_of_byte(self, at: int) -> int:
        """The unit at which the code point that holds a byte starts."""
        return self.unit_of_code_point(self.code_point_of_byte(at))

    def byte_of_unit(self, at: int) -> int:
        """The byte at which the code point that holds a unit starts."""
        return self.byte_of_code_point(self.code_point_of_unit(at))

    # whole arrays of offsets, in any order

    def bytes_of_code_points(self, at: Offsets) -> Offsets:
        """The bytes at which code points start."""
        return self._bytes[_inside(at, self.code_points_count)]

    def units_of_code_points(self, at: Offsets) -> Offsets:
        """The units at which code points start."""
        return self._units[_inside(at, self.code_points_count)]

    def code_points_of_bytes(self, at: Offsets) -> Offsets:
        """The code points that hold bytes."""
        return np.searchsorted(self._bytes, _inside(at, self.bytes_count), side="right") - 1

    def code_points_of_units(self, at: Offsets) -> Offsets:
        """The code points that hold units."""
        return np.searchsorted(self._units, _inside(at, self.units_count), side="right") - 1

    def units_of_bytes(self, at: Offsets) -> Offsets:
        """The units at which the code points that hold bytes start."""
        return self._units[self.code_points_of_bytes(at)]

    def bytes_of_units(self, at: Offsets) -> Offsets:
        """The bytes at which the code points that hold units start."""
        return self._bytes[self.code_points_of_units(at)]

    # spans: every character of which at least one byte is in it

    def code_points_in(self, start: int, end: int) -> tuple[int, int]:
        """The span of code points touched by a span of bytes; empty for an empty one."""
        first = self.code_point_of_byte(start)
        return first, (self.code_point_of_byte(end - 1) + 1 if end > start else first)

    def units_in(self, start: int, end: int) -> tuple[int, int]:
        """The span of units of the characters touched by a span of bytes."""
        first, after = self.code_points_in(start, end)
        return self.unit_of_code_point(first), self.unit_of_code_point(after)

    def bytes_in(self, first_unit: int, after_unit: int) -> tuple[int, int]:
        """The span of bytes of the characters touched by a span of units, as a selection in a Qt widget is one."""
        first = self.code_point_of_unit(first_unit)
        after = self.code_point_of_unit(after_unit - 1) + 1 if after_unit > first_unit else first
        return self.byte_of_code_point(first), self.byte_of_code_point(after)


def _byte_lengths(letters: npt.NDArray[np.uint32]) -> Offsets:
    lengths = 1 + (letters >= 0x80).astype(np.int64) + (letters >= 0x800) + (letters >= 0x10000)
    stray = (letters >= 0xDC80) & (letters <= 0xDCFF)  # UTF-8 holds no surrogates, so these are nothing else
    lengths[stray] = 1
    return lengths


def _starts(lengths: npt.NDArray[np.int64]) -> Offsets:
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def _inside(at: Offsets, length: int) -> Offsets:
    if len(at) and (at.min() < 0 or at.max() > length):
        wrong = at[(at < 0) | (at > length)][0]
        raise IndexError(f"offset {wrong} is outside 0..{length}")
    return at
