"""Stretches of a corpus that can be cut and spelled without the rest of it.

A merge crosses no pre-token (or, from the lift on, no text), so that a stretch that begins and ends where pre-tokens do
is spelled as it is in the whole. Where that is can be seen from the bytes: after an LF, for every rule but a pattern of
one's own; the published patterns also want a character after it that no whitespace, slash or letter from before reaches.
For a pattern of one's own the marks of the corpus tell (marks.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.core.corpus import Corpus
from explorer.core.mapped import Data
from explorer.core.marks import Marks
from explorer.core.recipe import PreTokenRule, Recipe

LINE_RULES = (PreTokenRule.ENTRIES, PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS)
AFTER_LINE_END = re.compile(rb"\n(?=[!-.0-~])")  # ASCII, no white space; o200k draws a slash to what stands before it
STRETCH = 1 << 15  # bytes looked through between two slices of places: about 1 ms


@dataclass(frozen=True, slots=True)
class Stretch:
    """The bytes [start, end) of a corpus as a corpus of its own, with its marks if the corpus has any.

    `corpus` may hold a byte more, so that a pattern sees what follows.
    """

    start: int
    end: int
    corpus: Corpus
    marks: Marks | None = None


def stretch_around(
    corpus: Corpus, recipe: Recipe, start: int, end: int, *, lifted: bool, marks: Marks | None = None
) -> Stretch:
    """The least stretch that holds the bytes [start, end); of whole texts where merges cross pre-tokens, or of whole lines.

    `marks` are the corpus's; without any, a pattern of one's own is cut in whole texts.
    """
    size = len(corpus.data)
    if not size:
        return Stretch(0, 0, Corpus.of_text(b""))
    start, end = min(start, size - 1), min(end, size)
    low, high = corpus.span(corpus.text_at(start))[0], corpus.span(corpus.text_at(max(start, end - 1)))[1]
    by_line = recipe.pretokens in LINE_RULES
    if marks:
        if not lifted:
            low, high = marks.last_to(start, low), marks.first_from(end, high)
        return Stretch(low, high, _part(corpus, low, high, with_next=True), marks.part(low, min(high + 1, size)))
    if by_line or (recipe.pretokens is not PreTokenRule.PATTERN and not lifted):
        low = _cut_before(corpus.data, low, start, by_line)
        high = _cut_after(corpus.data, end, high, by_line)
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


def _cut_before(data: Data, low: int, start: int, by_line: bool) -> int:
    """The last place at or before `start`, and not before `low`, where a stretch may begin."""
    at = start
    while True:
        at = data.rfind(b"\n", low, at)
        if at < 0:
            return low
        if by_line or AFTER_LINE_END.match(data, at):
            return at + 1


def _cut_after(data: Data, end: int, high: int, by_line: bool) -> int:
    """The first place at or after `end`, and not after `high`, where a stretch may end."""
    at = max(end - 1, 0)
    if by_line:
        found = data.find(b"\n", at, high)
        return high if found < 0 else found + 1
    match = AFTER_LINE_END.search(data, at, high)
    return match.end() if match else high


def _part(corpus: Corpus, low: int, high: int, *, with_next: bool) -> Corpus:
    """The bytes [low, high) with the texts they are of, and if asked the byte after where the last text goes on there."""
    first, last = corpus.text_at(low), corpus.text_at(high - 1)
    starts = corpus.starts[first : last + 1].clip(low)
    end = high + 1 if with_next and high < corpus.span(last)[1] else high
    return Corpus(corpus.name, corpus.data[low:end], np.append(starts, end) - low, ended=corpus.ended)
