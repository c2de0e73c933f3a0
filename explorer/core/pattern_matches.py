"""Where the cuts of a split pattern lie: the one loop over its matches, whatever thread or process it runs in.

Knows no numpy and no other module that does, so that a process of its own is ready in a twentieth of a second. Matches are
taken some thousand at a time, in lists: a step of Python for each takes several times as long as to find it.

A pattern can be such that it never ends. Whoever runs one here gives it a limit, or can end the process; how far it is can be asked
from another thread while it looks for a match.
"""

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from operator import lt
from time import monotonic
from typing import TYPE_CHECKING, Any

import regex

from explorer.errors import PatternTimeoutError, TooLargeError

if TYPE_CHECKING:
    from explorer.core.mapped import Data

LIMIT_S = 10.0  # how long a pattern may look for its next match
LIMIT_S_A_MB = 2.0  # and so much longer for every million bytes that it may have to look through for it
MATCHES = 4_000  # taken at a time: about 2 ms
FLUSH_S = 0.05  # how often starts are told where they are few
LEAST_S = 0.001  # a limit of nothing is none to the library

Span = tuple[int, int]
Starts = Any  # an array("q"), whose type cannot be written where it is used at run time
Match = Any  # of `regex`, which ships no types


def limit_for(size: int) -> float:
    """How many seconds a pattern may look for its next match in so many bytes."""
    return LIMIT_S + LIMIT_S_A_MB * size / 1e6


def out_of_memory(pattern: str, place: int) -> TooLargeError:
    """What is raised where a pattern wants more memory than there is, behind a byte of the text."""
    return TooLargeError(f"The split pattern {pattern} wants more memory than there is, behind byte {place} of the text.")


class OneText:
    """A text that is being cut: at matches that are not empty, and what lies between two of them. Places are bytes.

    Stray bytes are surrogate escapes to the pattern.
    """

    def __init__(self, pattern: "regex.Pattern[str]", data: bytes, limit_s: float | None) -> None:
        self._text = data.decode("utf-8", "surrogateescape")
        self._plain = len(self._text) == len(data)
        matches = pattern.finditer(self._text) if limit_s is None else pattern.finditer(self._text, timeout=limit_s)
        self._matches = _turned(matches) if pattern.flags & regex.REVERSE else matches
        self._found: list[Match] = []  # filled while it is looked for more
        self._at, self._before = 0, 0  # the end of the last cut, in bytes and in characters
        self._end, self._stays = -1, False  # of the last match, and whether that ended where the one before it did

    @property
    def through(self) -> int:
        """Up to where the text is cut; may be asked from another thread."""
        found = self._found
        last = max(found[-1].end(), self._before) if found else self._before
        return self._at + self._width(self._before, last)

    def starts(self) -> Iterator[Starts]:
        """Where cuts start, in order, some thousand at a time.

        Raises TimeoutError where the limit, in seconds of processor time, is passed or the matches go round in one place.
        """
        while True:
            self._found = []
            self._found.extend(islice(self._matches, MATCHES))  # what was found before an error stays
            if not self._found:
                break
            yield self._starts_found()
        if self._before < len(self._text):
            yield array("q", (self._at,))

    def _starts_found(self) -> Starts:
        firsts, lasts = [match.start() for match in self._found], [match.end() for match in self._found]
        if firsts[0] != self._before or firsts[1:] != lasts[:-1] or not all(map(lt, firsts, lasts)):
            firsts, lasts = self._without_gaps(firsts, lasts)
        if not firsts:
            return array("q")
        self._end, self._stays = lasts[-1], False
        if self._plain:
            starts, at = array("q", firsts), lasts[-1]
        else:
            starts = array("q", accumulate(map(self._width, firsts, lasts), initial=self._at))
            at = starts.pop()
        self._at, self._before = at, lasts[-1]
        return starts

    def _without_gaps(self, firsts: list[int], lasts: list[int]) -> tuple[list[int], list[int]]:
        """The matches that are not empty, each cut to what lies behind the one before, and what lies between them."""
        begins, ends, before = list[int](), list[int](), self._before
        for first, last in zip(firsts, lasts, strict=True):
            if last <= self._end and self._stays:  # as r"(?=a\K)" for ever; an empty match may follow another one where that ends
                raise TimeoutError
            self._end, self._stays = last, last <= self._end
            if last <= max(first, before):
                continue
            if first > before:
                begins.append(before)
                ends.append(first)
            begins.append(max(first, before))
            ends.append(last)
            before = last
        return begins, ends

    def _width(self, first: int, last: int) -> int:
        """How many bytes some characters take."""
        return last - first if self._plain else len(self._text[first:last].encode("utf-8", "surrogateescape"))


def _turned(matches: Iterator[Match]) -> Iterator[Match]:
    """The matches of a pattern that is matched from the end of the text, from its beginning."""
    found: list[Match] = []
    for match in matches:
        if len(found) > 1 and match.start() >= found[-2].start():
            raise TimeoutError
        found.append(match)
    return reversed(found)


class SomeTexts:
    """Texts that are being cut one after the other, each the bytes [start, end) of `data`.

    `limit_s` is for all together. Of what lies past byte `stop` only some is cut, if anything.
    """

    def __init__(self, pattern: "regex.Pattern[str]", data: "Data", texts: Iterable[Span], limit_s: float | None, stop: int) -> None:
        self._pattern, self._data, self._texts, self._limit_s, self._stop = pattern, data, texts, limit_s, stop
        self._until = monotonic() + (limit_s or 0.0)
        self._now: tuple[int, OneText | None] = (0, None)  # where the text begins that is being cut

    @property
    def through(self) -> int:
        """Up to which byte of `data` the texts are cut; may be asked from another thread."""
        start, text = self._now
        return start + text.through if text else start

    def starts(self) -> Iterator[Starts]:
        """Where the cuts of all texts start, in order and in batches.

        Raises PatternTimeoutError with the place in `data`, and TooLargeError where the pattern wants more memory than there is.
        """
        batch, due = array("q"), monotonic() + FLUSH_S
        try:
            for start, end in self._texts:
                left = None if self._limit_s is None else max(LEAST_S, self._until - monotonic())
                text = OneText(self._pattern, self._data[start:end], left)
                self._now = (start, text)
                for starts in text.starts():
                    batch.extend(array("q", [start + at for at in starts]) if start else starts)
                    if batch and batch[-1] >= self._stop:
                        break
                    if len(batch) >= MATCHES or monotonic() > due:
                        yield batch
                        batch, due = array("q"), monotonic() + FLUSH_S
                self._now = (end, None)
        except TimeoutError:
            raise PatternTimeoutError(self._pattern.pattern, self.through, self._limit_s or 0.0) from None
        except MemoryError:
            raise out_of_memory(self._pattern.pattern, self.through) from None
        yield batch


__all__ = ["OneText", "SomeTexts", "limit_for", "out_of_memory"]
