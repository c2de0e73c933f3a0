"""The first count of the pairs of a small alphabet: what a walk over the slots finds, in any number of parts and slices."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import kernels

if kernels.why_not() is not None:
    pytest.skip(str(kernels.why_not()), allow_module_level=True)

from explorer.core import square_count
from explorer.core.distinct import MapChunks
from explorer.core.kernels.counting_loops import BORDER, Weights
from explorer.core.layout import Layout
from explorer.core.progress import drain
from explorer.core.square_count import NOT_KEPT, SquareCount
from explorer.workers import Workers

SIZE = 3
LENT = st.sampled_from([None, map, Workers(1), Workers(3)])
slots = st.lists(st.sampled_from([BORDER, 0, 0, 1, 2]) | st.just(0), max_size=300).map(lambda ids: [BORDER, *ids, BORDER])


def layout_of(ids: list[int], ends: list[int]) -> Layout:
    """The slots, in stretches that end at some of them; the first counts once, the next twice and so on."""
    until = sorted({end for end in ends if end < len(ids)} | {len(ids)})
    return Layout(np.array(ids, np.int32), Weights(np.array(until, np.int32), np.arange(1, len(until) + 1, dtype=np.int64)))


def walked(layout: Layout) -> tuple[dict[int, list[int]], Counter[int], Counter[int]]:
    """Places and weighted count of each cell, and of each token the pairs of it with itself that a merge replaces."""
    ids, places, counts, apart, run = layout.ids.tolist(), {}, Counter[int](), Counter[int](), False
    for slot, (left, right) in enumerate(pairwise(ids)):
        weight = int(layout.weights.counts[np.searchsorted(layout.weights.until, slot, side="right")])
        run = left == right >= 0 and not run
        if run:
            apart[left] += weight
        if left >= 0 and right >= 0:
            places.setdefault(left * SIZE + right, []).append(slot)
            counts[left * SIZE + right] += weight
    return places, counts, apart


@settings(deadline=None, max_examples=200)
@given(slots, st.lists(st.integers(1, 300), max_size=5), LENT, st.integers(1, 40), st.integers(1, 30))
def test_every_pair_is_counted_and_placed_once(ids: list[int], ends: list[int], lent: MapChunks | None, step: int, look: int) -> None:
    layout = layout_of(ids, ends)
    places, counts, apart = walked(layout)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(square_count, "SLOTS_A_CELL", 1)
        patch.setattr(square_count, "SLOTS_A_STEP", step)
        patch.setattr(square_count, "LOOK", look)
        square = SquareCount(layout, SIZE, lent)
        drain(square.count_steps())
        cells = range(SIZE * SIZE)
        assert square.places.tolist() == [len(places.get(cell, [])) for cell in cells]
        assert square.counts.tolist() == [counts[cell] for cell in cells]
        assert square.apart.tolist() == [apart[token] for token in range(SIZE)]
        kept = [cell for cell in cells if len(places.get(cell, [])) > 1]
        starts = np.full(SIZE * SIZE, NOT_KEPT, np.int64)
        expected: list[int] = []
        for cell in kept:
            starts[cell] = len(expected)
            expected += places[cell]
        pool = np.zeros(len(expected), np.int32)
        drain(square.place_steps(starts, pool))
    assert pool.tolist() == expected


def test_there_are_several_parts_where_it_is_worth_while() -> None:
    ids = np.tile(np.array([0, 0, 1, 2, BORDER], np.int32), 100)
    assert len(square_count.parts_of(ids, 4)) == 4
    assert square_count.parts_of(np.zeros(1000, np.int32), 4) == [(0, 999)]  # one run


def test_threads_that_are_left_stop_after_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(square_count, "SLOTS_A_CELL", 1)
    monkeypatch.setattr(square_count, "SLOTS_A_STEP", 10)
    ids = [0, 1, 2] * 100
    worked_at: list[int] = []

    def lent(work: Callable[[int], None], parts: Iterable[int], /) -> Iterator[None]:
        """Like threads that were all begun, of which none has come to an end where they are waited for."""
        try:
            yield None
        finally:
            for part in parts:
                work(part)
                worked_at.append(part)

    square = SquareCount(layout_of(ids, []), SIZE, lent)
    steps = square.count_steps()
    next(steps)
    steps.close()
    assert len(worked_at) > 1
    assert square.places.sum() <= 10  # of the first part, which has more slots
