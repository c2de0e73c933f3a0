"""Threads lent to core, which owns none: a map over chunks on as many as there are cores.

Core hands out chunks of work that is done in compiled loops, which release the interpreter, and takes the results in the
order of the chunks (`MapChunks`). The threads live as long as the map: a map that is left, be it half-way, ends them, so
that nobody has a pool to look after and none is left behind a window that closes.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

MOST = 8  # threads: each has a table of words of its own, and adding up more of them takes longer than they save
AHEAD = 2  # chunks a thread that are handed out before their results are taken: one to work at, one to go on with
BREATH_S = 0.01  # how long the caller waits for a result before it is told that there is none yet

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Workers:
    """A `MapChunks` with so many threads."""

    count: int

    def __call__(self, work: Callable[[Chunk], Result], chunks: Iterable[Chunk], /) -> Iterator[Result | None]:
        """The results in the order of the chunks, and None every hundredth of a second that the next one takes.

        At most `AHEAD` chunks a thread are under way or waiting to be taken, however many there are. An error in the work is
        raised here, in its turn. Whoever leaves this before its end has the work stop by itself: it waits for the chunks that
        were begun.
        """
        under_way: deque[Future[Result]] = deque()
        pool = ThreadPoolExecutor(self.count, "chunks")
        try:
            for chunk in chunks:
                if len(under_way) == AHEAD * self.count:
                    yield from _result_of(under_way.popleft())
                under_way.append(pool.submit(work, chunk))
            while under_way:
                yield from _result_of(under_way.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _result_of(one: Future[Result]) -> Iterator[Result | None]:
    """None as long as it takes, then the result."""
    while not one.done():
        try:
            one.exception(BREATH_S)
        except TimeoutError:
            yield None
    yield one.result()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers() -> Workers | None:
    """As many as the cores of this machine, as far as they help; None where there is one core."""
    count = min(cores(), MOST)
    return Workers(count) if count > 1 else None


__all__ = ["Workers", "cores", "workers"]
