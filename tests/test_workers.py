"""Workers: results in the order of the chunks, few chunks under way, errors in their turn, and no thread left behind."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from explorer import workers as module
from explorer.workers import AHEAD, Workers, cores, workers

COUNTS = [1, 2, 3, 7]


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def results(count: int, work: Callable[[int], int], chunks: int) -> list[int]:
    return [result for result in Workers(count)(work, range(chunks)) if result is not None]


@pytest.mark.parametrize("count", COUNTS)
def test_results_come_in_the_order_of_the_chunks(count: int) -> None:
    def work(chunk: int) -> int:
        time.sleep(0.002 * (chunk % 3 == 0))  # so that others are done before
        return chunk * chunk

    assert results(count, work, 40) == [chunk * chunk for chunk in range(40)]
    assert results(count, work, 0) == []


@pytest.mark.parametrize("count", COUNTS)
def test_as_many_chunks_are_done_at_the_same_time_as_there_are_threads(count: int) -> None:
    meeting = threading.Barrier(count, timeout=10)
    assert sorted(results(count, lambda chunk: chunk + 0 * meeting.wait(), 3 * count)) == list(range(3 * count))


@pytest.mark.parametrize("count", COUNTS)
def test_few_chunks_are_handed_out_before_their_results_are_taken(count: int) -> None:
    handed_out = 0

    def chunks() -> Iterator[int]:
        nonlocal handed_out
        for chunk in range(100):
            handed_out += 1
            yield chunk

    taken = 0
    for result in Workers(count)(abs, chunks()):
        taken += result is not None
        assert handed_out - taken <= AHEAD * count + 1  # and the one that waits for its place
    assert taken == 100


def test_none_comes_while_a_result_takes_its_time() -> None:
    may_end = threading.Event()
    walk = iter(Workers(2)(lambda chunk: may_end.wait(10), [0]))
    assert [next(walk) for _ in range(3)] == [None] * 3
    may_end.set()
    assert [result for result in walk if result is not None] == [True]


def test_an_error_is_raised_in_its_turn() -> None:
    seen = []
    with pytest.raises(ZeroDivisionError):
        for result in Workers(3)(lambda chunk: 12 // (4 - chunk), range(9)):
            seen += [] if result is None else [result]
    assert seen == [3, 4, 6, 12]


def test_a_work_that_raises_a_timeout_is_not_waited_for() -> None:
    def work(chunk: int) -> int:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        results(2, work, 5)


def test_whoever_leaves_half_way_gets_back_the_threads_and_no_more_chunks_are_begun() -> None:
    begun = []
    walk = Workers(2)(lambda chunk: begun.append(chunk) or chunk, range(1000))
    assert next(each for each in walk if each is not None) == 0
    walk.close()
    count = len(begun)
    assert count <= 2 * AHEAD + 1
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("chunks")]


def test_there_are_as_many_as_cores_help(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores() >= 1
    for count, lent in ((1, None), (2, Workers(2)), (96, Workers(module.MOST))):
        monkeypatch.setattr(module, "cores", lambda count=count: count)
        assert workers() == lent
