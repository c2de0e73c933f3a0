"""One bit for every byte of a corpus: set where a pre-token starts. What a split pattern of one's own comes to.

A pattern of one's own says nothing about where a text could be cut without reading it from its beginning. So its matches
are looked for once, and kept as marks: an eighth of the corpus, in which compiled loops find the end of a pre-token as fast as
by a rule, and a view finds the pre-tokens around any byte.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Int64s = npt.NDArray[np.int64]
SPARE = 8  # bytes behind the bits, so that a loop may read eight at once
LOOKED_THROUGH = 1 << 10  # bytes of bits that are looked through for the nearest mark at first


class Marks:
    """The marks of `size` bytes; bit n of byte m of `bits` stands for byte 8 m + n."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.bits: npt.NDArray[np.uint8] = np.zeros(size // 8 + 1 + SPARE, np.uint8)

    def add(self, places: Int64s) -> None:
        """Marks some places, given in rising order. One marked already stays so."""
        if not len(places):
            return
        at, bit = places >> 3, (1 << (places & 7)).astype(np.uint8)
        new = np.flatnonzero(np.diff(at, prepend=-1))  # the first place of each byte
        self.bits[at[new]] |= np.bitwise_or.reduceat(bit, new)

    def clear(self, start: int, end: int) -> None:
        """Takes away the marks of [start, end)."""
        stay = np.concatenate((self.within(start & ~7, start), self.within(end, (end + 7) & ~7)))
        self.bits[start >> 3 : (end + 7) >> 3] = 0
        self.add(stay)

    def __contains__(self, place: int) -> bool:
        """Whether a place is marked."""
        return bool(self.bits[place >> 3] >> (place & 7) & 1)

    def within(self, start: int, end: int) -> Int64s:
        """The marked places of [start, end), in order. Takes some nanoseconds a byte."""
        low = start & ~7
        found = np.flatnonzero(np.unpackbits(self.bits[low >> 3 : (end + 7) >> 3], bitorder="little")) + low
        return found[np.searchsorted(found, start) : np.searchsorted(found, end)]

    def last_to(self, place: int, least: int) -> int:
        """The last marked place that is at most `place`; `least` where there is none from that on."""
        width = LOOKED_THROUGH
        while True:
            low = max(least, place + 1 - 8 * width)
            found = self.within(low, place + 1)
            if len(found):
                return int(found[-1])
            if low == least:
                return least
            width *= 2

    def first_from(self, place: int, most: int) -> int:
        """The first marked place that is at least `place`; `most` where there is none before that."""
        width = LOOKED_THROUGH
        while True:
            high = min(most, place + 8 * width)
            found = self.within(place, high)
            if len(found):
                return int(found[0])
            if high == most:
                return most
            width *= 2

    def part(self, start: int, end: int) -> "Marks":
        """The marks of [start, end), counted from `start`."""
        out = Marks(end - start)
        low = start & ~7
        bits = np.unpackbits(self.bits[low >> 3 : (end + 7) >> 3], bitorder="little")[start - low : end - low]
        packed = np.packbits(bits, bitorder="little")
        out.bits[: len(packed)] = packed
        return out

    def chunks(self, size: int) -> Iterator[tuple[int, int]]:
        """All bytes in chunks of about that size which start at a mark, in order."""
        start = 0
        while start < self.size:
            end = self.first_from(min(self.size, start + size), self.size)
            yield start, end
            start = end


__all__ = ["Marks"]
