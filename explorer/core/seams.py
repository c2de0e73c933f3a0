"""A long text in which matches are looked for from several places at once, and how the findings are put together.

A pattern that does not look back matches at a place whatever stands before it. So of two searches that begin at different
places of a text, both find the same from the first place on where both have a cut that starts. Each search goes on a little
past the place where the next one began, the seam; there they meet after a word or so, and what the later one found before
that is forgotten. Where they do not meet (`(?s).{999}` never does) the text is looked through again in one go.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import regex

from explorer.core.mapped import Data
from explorer.core.marks import Marks

LEAST_PART = 1 << 20  # bytes: less is not worth a second process
MOST = 1 << 28  # bytes of a text that is looked through in parts: every process holds all that follows its part
OVERLAP = 1 << 14  # bytes that a search goes on past the next one's beginning
LOOK = 1 << 12  # bytes in which a place to begin at is looked for

_LOOKS_AHEAD = regex.compile(
    r"""
    (?: \\[^bBmMAGKX] | \[\^ | [^\\^(] | \((?!\?|\*) | \(\?(?:[:>|=!\#&]|\((?!\?)|P?<(?!\s*[=!])|P[=>]|[LV01aimsfux\-]+[:)]|R\)|\d+\)) )*+
    """,
    regex.VERBOSE | regex.DOTALL,
)
_FUZZY = regex.compile(r"(?<!\\[pPN])\{[^}]*[a-z<]")  # how far a match may be off is counted over more than the match
_FLAGS = regex.REVERSE | regex.WORD | regex.BESTMATCH | regex.ENHANCEMATCH | regex.POSIX

Int64s = npt.NDArray[np.int64]


def looks_back(pattern: "regex.Pattern[str]") -> bool:
    r"""Whether a match may depend on what stands before it. Also said of some patterns of which it is not so.

    What does is `^`, `\b` and its kind, `(?<=`, `\G`, `\K`, and some flags and verbs.

    >>> [looks_back(regex.compile(pattern)) for pattern in (r"\w+|[^a]", r"^a", r"\ba", r"(?<=a)b", r"(?<name>a)", r"\\b", "(?r)a")]
    [False, True, True, True, False, False, True]
    """
    if pattern.flags & _FLAGS or _FUZZY.search(pattern.pattern):
        return True
    return _LOOKS_AHEAD.fullmatch(pattern.pattern) is None


def parts_of(data: Data, start: int, end: int, count: int) -> list[int]:
    """Where up to `count` searches begin in the text [start, end) that leave each other about as much: between two characters of ASCII."""
    size = end - start
    if count < 2 or size < 2 * LEAST_PART or size > MOST:
        return [start]
    count = min(count, size // LEAST_PART)
    wanted = [start + size * number // count for number in range(1, count)]
    return [start, *(place for place in (_between_ascii(data[at : at + LOOK], at) for at in wanted) if place)]


def _between_ascii(some: bytes, at: int) -> int | None:
    """The first place there, at a line or else anywhere, before which and after which stand two characters of ASCII; None without one."""
    plain = np.frombuffer(some, np.uint8) < 0x80
    fit = np.flatnonzero(plain[1:] & plain[:-1]) + 1
    lines = fit[np.frombuffer(some, np.uint8)[fit - 1] == ord("\n")]
    return at + int((lines if len(lines) else fit)[0]) if len(fit) else None


class Seams:
    """The places where searches began in one text, in order, and what those before went on to find past them."""

    def __init__(self, places: list[int], end: int) -> None:
        self.places, self.end = places, end
        self._past: dict[int, list[Int64s]] = {place: [] for place in places[1:]}
        self._next = dict(pairwise(places))

    def add(self, marks: Marks, begun: int, starts: Int64s) -> None:
        """Marks where cuts start that the search found which began at `begun`; what is past the next one's beginning is kept apart."""
        seam = self._next.get(begun)
        own = len(starts) if seam is None else int(np.searchsorted(starts, seam))
        marks.add(starts[:own])
        if seam is not None and own < len(starts):
            self._past[seam].append(starts[own:])

    def mend(self, marks: Marks) -> bool:
        """Puts the findings together when all are there; False, and no mark is left in the text, where two searches did not meet."""
        meet = -1
        for seam, parts in self._past.items():
            if seam <= meet:  # one cut over the whole part before it: what that part's own search found there is wrong
                continue
            past = np.concatenate([np.empty(0, np.int64), *parts])
            both = np.intersect1d(past, marks.within(seam, int(past[-1]) + 1)) if len(past) else past
            if not len(both):
                marks.clear(self.places[0], self.end)
                return False
            meet = int(both[0])
            marks.clear(seam, meet)
            marks.add(past[past < meet])
        return True


def seam_stops(places: list[int]) -> Iterator[tuple[int, int | None]]:
    """Each beginning of a search with the byte of the text that it need not go past; None for the last."""
    for place, seam in pairwise(places):
        yield place, seam + OVERLAP
    yield places[-1], None


__all__ = ["Seams", "looks_back", "parts_of", "seam_stops"]
