"""The first count of the pairs of a small alphabet: square tables, filled on as many threads as the caller has.

The slots are worked at in parts. Each part has tables of its own, which are added up; then it writes the places of its pairs
after those of the parts before it, so that places ascend whichever part is done first.
"""

from collections.abc import Callable, Generator, Iterator

import numpy as np
import numpy.typing as npt

from explorer.core.distinct import MapChunks
from explorer.core.kernels import counting_loops as counting
from explorer.core.layout import Layout
from explorer.core.progress import Stage, Step

PARTS = 4  # at most: two threads end at about the same time
SLOTS_A_CELL = 16  # at least, of a part: to add up its tables must cost little beside filling them
SLOTS_A_STEP = 2_000_000  # about 5 ms
LOOK = 1 << 16  # slots in which a place to cut is looked for
NOT_KEPT = -1

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Work = Callable[[int, int, int, int], int]
"""Does the slots [first, last) of a part; takes and gives on whether a run goes on there."""


class SquareCount:
    """The pairs in the slots of a layout, of tokens below `size`; cell left * size + right of a table is that of a pair.

    After `count_steps` `places` and `counts` have how often each pair stands there and counts, `apart` how many pairs of each
    token with itself a merge would replace.
    """

    def __init__(self, layout: Layout, size: int, map_chunks: MapChunks | None = None) -> None:
        self._layout, self._size, self._map = layout, size, map_chunks
        most = min(PARTS, layout.ids.size // (SLOTS_A_CELL * max(1, size * size))) if map_chunks else 1
        self._parts = parts_of(layout.ids, max(1, most))
        self._closed = False
        self._tables, self._counts = (np.zeros((len(self._parts), size * size), np.int64) for _ in range(2))
        self._apart = np.zeros((len(self._parts), size), np.int64)
        self.places, self.counts, self.apart = (table[0] for table in (self._tables, self._counts, self._apart))

    def count_steps(self) -> Generator[Step, None, None]:
        """Counts."""

        def count(part: int, first: int, last: int, run: int) -> int:
            found = self._tables[part], self._counts[part], self._apart[part]
            return int(counting.count_in_square(self._layout.ids, self._layout.weights, first, last, self._size, *found, run))

        yield from self._steps(count)
        if len(self._parts) > 1:
            self.places, self.counts, self.apart = (table.sum(axis=0) for table in (self._tables, self._counts, self._apart))

    def place_steps(self, starts: Int64s, pool: Int32s) -> Generator[Step, None, None]:
        """Writes the places of each pair into a pool from its start on, ascending; NOT_KEPT for a pair without any."""
        before = np.cumsum(self._tables, axis=0) - self._tables
        cursors = np.where(starts >= 0, starts + before, NOT_KEPT)

        def place(part: int, first: int, last: int, run: int) -> int:
            counting.place_by_square(self._layout.ids, first, last, self._size, cursors[part], pool)
            return run

        yield from self._steps(place)

    def _steps(self, work: Work) -> Generator[Step, None, None]:
        """Does some work on all slots; a thread that is left stops after a slice."""

        def slices(part: int) -> Iterator[None]:
            run, (begin, end) = 0, self._parts[part]
            for first in range(begin, end, SLOTS_A_STEP):
                run = work(part, first, min(end, first + SLOTS_A_STEP), run)
                yield

        def whole(part: int) -> None:
            for _ in slices(part):
                if self._closed:
                    break

        step, many = Step(Stage.MERGING, 0, 0), self._map if len(self._parts) > 1 else None
        under_way = many(whole, range(len(self._parts))) if many else slices(0)
        try:
            for _ in under_way:
                yield step
        except GeneratorExit:
            self._closed = True  # before `under_way` goes, which waits for the threads: it is held by its name until then
            raise


def parts_of(ids: Int32s, count: int) -> list[tuple[int, int]]:
    """So many stretches of the slots that begin a pair, or fewer: each begins where no run of one token goes on."""
    last = max(0, ids.size - 1)
    cuts = [0]
    for at in (number * last // count for number in range(1, count)):
        look = ids[at - 1 : min(at + LOOK, last)]
        changes = np.flatnonzero(look[1:] != look[:-1])
        if len(changes) and at + int(changes[0]) > cuts[-1]:
            cuts.append(at + int(changes[0]))
    return list(zip(cuts, (*cuts[1:], last), strict=True))


__all__ = ["NOT_KEPT", "SquareCount", "parts_of"]
