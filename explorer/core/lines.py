"""The lines of a file whose lines end at LF alone."""

from collections.abc import Iterator

from explorer.core.mapped import Data


def numbered_lines(data: Data) -> Iterator[tuple[int, int, int]]:
    r"""Number from 1, start and end (without the LF) of every line.

    >>> list(numbered_lines(b"ab\n\nc"))
    [(1, 0, 2), (2, 3, 3), (3, 4, 5)]
    """
    start, number = 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        number += 1
        yield number, start, end
        start = end + 1
