"""Symbols merged into tokens by compiled loops, in slices: groups that no merge crosses, and stretches too long for one call."""

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from explorer.core.compiled_table import PretokenCache, scratch
from explorer.core.kernels import window_loops
from explorer.core.kernels.merging_loops import Merges
from explorer.core.progress import Stage, Step

GROUPS_A_STEP = 10_000
SYMBOLS_A_STEP = 1 << 16

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Source = npt.NDArray[np.uint8] | npt.NDArray[np.int32]


def merge_groups(symbols: Int32s, bounds: Int64s, merges: Merges, cache: PretokenCache) -> Generator[Step, None, tuple[Int32s, Int64s]]:
    """The tokens of every group of symbols, and where each group's begin among them."""
    groups = len(bounds) - 1
    out, made_bounds = np.empty(len(symbols), np.int32), np.zeros(groups + 1, np.int64)
    at = 0
    while at < groups:
        stop = min(groups, at + GROUPS_A_STEP, max(at + 1, int(np.searchsorted(bounds, bounds[at] + SYMBOLS_A_STEP))))
        after = window_loops.merge_groups(
            symbols, bounds, at, stop, merges, cache.bound, cache.scratch, cache.long_state, out, made_bounds, made_bounds[at]
        )
        if after < stop:
            start, end = int(bounds[after]), int(bounds[after + 1])
            made_bounds[after + 1] = yield from merge_long(symbols, start, end, merges, cache, out, int(made_bounds[after]))
            after += 1
        at = after
        yield Step(Stage.ENCODING, int(bounds[at]), len(symbols))
    return out[: made_bounds[-1]], made_bounds


def covered(ids: Int32s, merges: Merges, starts: Int64s, ends: Int64s) -> tuple[Int64s, Int64s]:
    """The spans of tokens, from those of what they were merged from."""
    widths = np.append(merges.widths, np.int32(1))[np.minimum(ids, len(merges.widths))]  # the last is a kept character's
    after = np.cumsum(widths, dtype=np.int64)
    return starts[after - widths], ends[after - 1]


def merge_long(
    source: Source, start: int, end: int, merges: Merges, cache: PretokenCache, out: Int32s, first: int
) -> Generator[Step, None, int]:
    """Merges a long stretch of symbols into `out` from `first` on, in slices; returns the place after its last token."""
    state = cache.long_state
    window_loops.begin_stretch(state, start, first)
    while state[window_loops.AT] < end:
        stop = min(end, int(state[window_loops.AT]) + SYMBOLS_A_STEP)
        if not window_loops.merge_stretch(source, start, end, stop, merges, cache.bound, cache.scratch, state, out, first):
            return (yield from merge_in_heap(source, start, end, merges, cache.bound, out, first))
        yield Step(Stage.ENCODING, stop, len(source))
    return int(state[window_loops.MADE])


def merge_in_heap(source: Source, start: int, end: int, merges: Merges, bound: int, out: Int32s, first: int) -> Generator[Step, None, int]:
    """The same where no windows of the stretch go together: with a heap over all of it."""
    count, size = end - start, 0
    room = scratch(count)
    for at in range(0, count, SYMBOLS_A_STEP):
        size = window_loops.heap_stretch(source, start, count, merges, bound, room, size, at, min(at + SYMBOLS_A_STEP, count))
        yield Step(Stage.ENCODING, start, len(source))
    while size:
        size = window_loops.merge_heaped(count, merges, bound, room, size, SYMBOLS_A_STEP)
        yield Step(Stage.ENCODING, start, len(source))
    made: int = window_loops.read_stretch(count, room, out, first)
    return made


__all__ = ["covered", "merge_groups", "merge_in_heap", "merge_long"]
