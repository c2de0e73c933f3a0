"""Stretches of a corpus that can be cut and spelled without the rest of it.

A merge crosses no pre-token (or, from the lift on, no text), so that a stretch that begins and ends where pre-tokens do
is spelled as it is in the whole. Where that is can be seen from the bytes: after an LF, for every rule but a pattern of
one's own; the published patterns also want a character after it that no whitespace, slash or letter from before reaches.
For a pattern of one's own the marks of the corpus tell (marks.py).

A pre-token of some megabytes would still be spelled whole for a screenful. Mostly that can be spared: between two bytes that stand
beside each other inside no token there is an edge of a token, whatever is around (`Inside`).
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.mapped import Data
from explorer.core.marks import Marks
from explorer.core.progress import Stage, Step, drain
from explorer.core.recipe import AlphabetKind, PreTokenRule, Recipe

LINE_RULES = (PreTokenRule.ENTRIES, PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS)
AFTER_LINE_END = re.compile(rb"\n(?=[!-.0-~])")  # ASCII, no white space; o200k draws a slash to what stands before it
STRETCH = 1 << 15  # bytes looked through between two slices of places: about 1 ms
NEAR, FAR = 1 << 14, 1 << 20  # bytes in which an edge is looked for at first, and at most in one step
BYTES = 256
BLANK = np.frombuffer(b" \t\r\n", np.uint8)

Flags = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The bytes [start, end) of a corpus as a corpus of its own, with its marks if the corpus has any.

    `corpus` may hold a byte more, so that a pattern sees what follows.
    """

    start: int
    end: int
    corpus: Corpus
    marks: Marks | None = None


class Inside:
    """Which bytes stand beside each other inside the tokens of a table of bytes, after any number of its merges.

    `lefts` and `rights` have the halves of the token of each id; those of the bytes are not looked at.
    """

    def __init__(self, lefts: Ids, rights: Ids) -> None:
        first, last = _end_of_each(lefts), _end_of_each(rights)
        self._met = last[lefts[BYTES:]] << 8 | first[rights[BYTES:]]  # one entry a merge: the two bytes that it brings together

    def after(self, merges: int) -> Flags:
        """A flag for each two bytes: whether they stand beside each other inside a token that the first so many merges make."""
        flags = np.zeros(1 << 16, np.bool_)
        flags[self._met[:merges]] = True
        return flags


def _end_of_each(halves: Ids) -> Ids:
    """The byte at one end of each token, from the half that is at that end: of halves again and again, twice as deep each time."""
    ends = np.arange(len(halves), dtype=np.int32)
    ends[BYTES:] = halves[BYTES:]
    while (ends >= BYTES).any():
        ends = ends[ends]
    return ends


def cut_inside(recipe: Recipe, *, lifted: bool, marks: Marks | None) -> bool:
    """Whether the pre-tokens of a recipe may be cut between any two bytes that are not blank: both parts are cut and merged as before."""
    if recipe.alphabet is not AlphabetKind.BYTES or recipe.joints is not None:
        return False
    return recipe.pretokens in (PreTokenRule.ENTRIES, PreTokenRule.BYTE_WORDS) or (marks is not None and not lifted)


def _sure(recipe: Recipe, inside: Flags | None, *, lifted: bool, marks: Marks | None) -> Flags | None:
    """The flags of what cannot be cut apart, if anything can be."""
    if inside is None or not cut_inside(recipe, lifted=lifted, marks=marks):
        return None
    flags = inside.copy().reshape(256, 256)
    if recipe.pretokens is not PreTokenRule.ENTRIES:
        flags[BLANK], flags[:, BLANK] = True, True
    return flags.reshape(-1)


def stretch_around(corpus: Corpus, recipe: Recipe, start: int, end: int, *, lifted: bool, marks: Marks | None = None) -> Stretch:
    """The least stretch that holds the bytes [start, end); of whole texts where merges cross pre-tokens, or of whole lines.

    `marks` are the corpus's; without any, a pattern of one's own is cut in whole texts.
    """
    return drain(stretch_steps(corpus, recipe, start, end, lifted=lifted, marks=marks))


def stretch_steps(
    corpus: Corpus, recipe: Recipe, start: int, end: int, *, lifted: bool, marks: Marks | None = None, inside: Flags | None = None
) -> Generator[Step, None, Stretch]:
    """The same step by step. With flags as `Inside` gives them the stretch begins and ends at the nearest edges of tokens that are sure.

    Those may lie inside a pre-token, so that a pair which lies across the ends of two stretches is in neither.
    """
    size = len(corpus.data)
    if not size:
        return Stretch(0, 0, Corpus.of_text(b""))
    start, end = min(start, size - 1), min(end, size)
    low, high = corpus.span(corpus.text_at(start))[0], corpus.span(corpus.text_at(max(start, end - 1)))[1]
    by_line = recipe.pretokens in LINE_RULES
    sure = _sure(recipe, inside, lifted=lifted, marks=marks)
    if marks:
        if not lifted:
            low, high = marks.last_to(start, low), marks.first_from(end, high)
            low = yield from _edge_before(corpus.data, low, start, sure, by_line=False)
            high = yield from _edge_after(corpus.data, end, high, sure, by_line=False)
        if low == high:  # no bytes were asked for, at a mark: a corpus without a text is none that loops may walk through
            return Stretch(low, high, Corpus.of_text(b""))
        part = _part(corpus, low, high, with_next=True)
        return Stretch(low, high, part, marks.part(low, low + len(part.data)))
    if by_line:
        low = yield from _edge_before(corpus.data, low, start, sure, by_line=True)
        high = yield from _edge_after(corpus.data, end, high, sure, by_line=True)
    elif recipe.pretokens is not PreTokenRule.PATTERN and not lifted:
        low = yield from _cut_before(corpus.data, low, start)
        high = yield from _cut_after(corpus.data, end, high)
    return Stretch(low, high, _part(corpus, low, high, with_next=not by_line))


def stretches(
    corpus: Corpus, recipe: Recipe, *, lifted: bool, size: int | None = None, marks: Marks | None = None
) -> Iterator[Stretch]:
    """The whole corpus in stretches of about so many bytes, STRETCH if none are said."""
    at, size = 0, size or STRETCH
    while at < len(corpus.data):
        found = stretch_around(corpus, recipe, at, at + size, lifted=lifted, marks=marks)
        yield found
        at = found.end


def _edge_before(data: Data, low: int, start: int, sure: Flags | None, *, by_line: bool) -> Generator[Step, None, int]:
    """The last place at or before `start`, and not before `low`, at a line end if asked or at a sure edge of a token; `low` without one."""
    if sure is None and not by_line:
        return low
    stop, width = start, NEAR
    while stop > low:
        begin = max(low, stop - width)
        found = data.rfind(b"\n", begin, stop) + 1 if by_line else 0
        if sure is not None:
            found = max(found, *_sure_edges(data, begin, stop, sure)[-1:], 0)
        if found:
            return found
        yield Step(Stage.ENCODING, start - begin, 0)
        stop, width = begin, min(FAR, 4 * width)
    return low


def _edge_after(data: Data, end: int, high: int, sure: Flags | None, *, by_line: bool) -> Generator[Step, None, int]:
    """The first place at or after `end`, and not after `high`, likewise."""
    if sure is None and not by_line:
        return high
    begin, width = max(end - 1, 0), NEAR
    while begin < high:
        stop = min(high, begin + width)
        line = data.find(b"\n", begin, stop) + 1 if by_line else 0
        edges = _sure_edges(data, begin, stop, sure) if sure is not None else []
        if found := [place for place in (line, *edges[:1]) if place]:
            return min(found)
        yield Step(Stage.ENCODING, stop - end, 0)
        begin, width = stop, min(FAR, 4 * width)
    return high


def _sure_edges(data: Data, begin: int, stop: int, sure: Flags) -> list[int]:
    """The places in (begin, stop] between two bytes that nothing keeps together, if there are any.

    Of many only the first and the last: nobody asks for others.
    """
    some = np.frombuffer(data[begin : stop + 1], np.uint8)
    free = ~sure[some[:-1].astype(np.uint16) << 8 | some[1:]]
    if not free.any():
        return []
    return [begin + 1 + int(free.argmax()), begin + len(free) - int(free[::-1].argmax())]


def _cut_before(data: Data, low: int, start: int) -> Generator[Step, None, int]:
    """The last place at or before `start`, and not before `low`, where a stretch of a published pattern may begin."""
    stop = at = start
    while stop > low:
        begin = max(low, stop - FAR)
        while (at := data.rfind(b"\n", begin, at)) >= 0:
            if AFTER_LINE_END.match(data, at):
                return at + 1
        yield Step(Stage.ENCODING, start - begin, 0)
        stop = at = begin
    return low


def _cut_after(data: Data, end: int, high: int) -> Generator[Step, None, int]:
    """The first place at or after `end`, and not after `high`, where a stretch of a published pattern may end."""
    for at in range(max(end - 1, 0), high, FAR):
        if match := AFTER_LINE_END.search(data, at, min(at + FAR + 1, high)):
            return match.end()
        yield Step(Stage.ENCODING, at, 0)
    return high


def _part(corpus: Corpus, low: int, high: int, *, with_next: bool) -> Corpus:
    """The bytes [low, high) with the texts they are of, and if asked the byte after where the last text goes on there."""
    first, last = corpus.text_at(low), corpus.text_at(high - 1)
    starts = corpus.starts[first : last + 1].clip(low)
    end = high + 1 if with_next and high < corpus.span(last)[1] else high
    return Corpus(corpus.name, corpus.data[low:end], np.append(starts, end) - low, ended=corpus.ended)
