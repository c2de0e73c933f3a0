"""One bit a byte: whatever is asked of marks is told as a list of places tells it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.marks import Marks


@st.composite
def marked(draw: st.DrawFn) -> tuple[int, list[int]]:
    size = draw(st.integers(1, 200) | st.integers(8_000, 20_000))
    return size, sorted(draw(st.sets(st.integers(0, size - 1), max_size=30)))


def marks_of(size: int, places: list[int]) -> Marks:
    marks = Marks(size)
    marks.add(np.array(places[::2], np.int64))
    marks.add(np.array(places, np.int64))  # some of them again
    return marks


@given(marked(), st.data())
def test_places_within_and_around(case: tuple[int, list[int]], data: st.DataObject) -> None:
    size, places = case
    marks = marks_of(size, places)
    start = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(start + 1, size))
    assert marks.within(start, end).tolist() == [place for place in places if start <= place < end]
    assert marks.last_to(end - 1, start) == max([place for place in places if start <= place < end], default=start)
    assert marks.first_from(start, end) == min([place for place in places if start <= place < end], default=end)
    assert (start in marks) == (start in places)
    part = marks.part(start, end)
    assert part.within(0, part.size).tolist() == [place - start for place in places if start <= place < end]


@given(marked(), st.integers(1, 300))
def test_chunks_begin_at_marks_and_leave_no_gap(case: tuple[int, list[int]], step: int) -> None:
    size, places = case
    chunks = list(marks_of(size, places).chunks(step))
    assert [start for start, _ in chunks] == [0, *(end for _, end in chunks[:-1])] and chunks[-1][1] == size
    assert {start for start, _ in chunks[1:]} <= set(places)
    assert all(not [p for p in places if start + step <= p < end] for start, end in chunks)
