"""Where a text is cut into pre-tokens, and what becomes of the bytes between them.

One function, `cut_text`, answers for every rule; training, encoding and the views all ask it, so they cannot differ.
Split patterns are run by the `regex` library over the text with stray bytes as surrogate escapes. Where the matches of one
were looked for already (marking.py), the marks tell the cuts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

import regex

from explorer.core.mapped import Data
from explorer.core.marks import Marks
from explorer.core.pattern_matches import SomeTexts, limit_for
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.errors import RecipeError

LF = 0x0A
MARKS_AT_ONCE = 1 << 16  # bytes whose marks are read at once
PATTERNS_KEPT = 32  # compiled: somebody who types one makes many

# Versions of Unicode, newest first, each with a character that came with it.
FIRST_IN = (
    ("17.0", "\u088f"), ("16.0", "\u1c89"), ("15.1", "\u2ffc"), ("15.0", "\u0cf3"), ("14.0", "\u061d"), ("13.0", "\u08be"),
)  # fmt: skip

PATTERNS = {
    PreTokenRule.GPT2: r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+""",
    PreTokenRule.CL100K: (
        r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
    ),
    PreTokenRule.O200K: (
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"""
        r"""|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"""
        r"""|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
    ),
}
"""The split patterns of the tokenizers that made them known, as their authors published them."""

_BYTE_WORDS = re.compile(rb" ?[^ \t\r\n]+|[ \t\r\n]")
_WORDS = re.compile(rb"[^ \n]+")


class CutKind(Enum):
    """What a cut of a text is."""

    PRETOKEN = "pre-token"
    ALONE = "alone"  # a token of its own that no merge touches, counted in the length: the LF of entries
    OUTSIDE = "outside"  # the same, but not counted: the LF of byte-words
    MARKER = "marker"  # no token: the space that the end-of-word marker before it stands for
    ADDED = "added"  # no token: the LF that a reader of rows put after a text under a split pattern
    LOST = "lost"  # no token: further spaces and line ends of words


@dataclass(frozen=True, slots=True)
class Cut:
    """One stretch of a text: bytes [start, end) of the buffer it was cut from.

    `ends_word` is False for a part of a word that a joint ends; the end-of-word marker is not for it. `line` counts the
    lines of the text from 0 where pre-tokens lie in lines, and stays 0 elsewhere.
    """

    start: int
    end: int
    kind: CutKind = CutKind.PRETOKEN
    ends_word: bool = True
    line: int = 0


def cut_text(
    recipe: Recipe, data: Data, start: int = 0, end: int | None = None, ended: bool = False, marks: Marks | None = None
) -> Iterator[Cut]:
    """The cuts of the text data[start:end], in order and without a gap.

    `ended` says that the last byte is an LF that a reader of rows added: a split pattern does not see it. `marks` are those
    of `data`, where a pattern has been looked for; where not, one that finds no end is stopped with PatternTimeoutError.
    """
    end = len(data) if end is None else end
    rule = recipe.pretokens
    if rule is PreTokenRule.ENTRIES:
        yield from _cut_entries(data, start, end)
    elif rule is PreTokenRule.WORDS:
        yield from _cut_words(data, start, end, recipe)
    elif rule is PreTokenRule.BYTE_WORDS:
        yield from _cut_byte_words(data, start, end)
    else:
        last = end - 1 if ended and end > start and data[end - 1] == LF else end
        limit_s = limit_for(last - start) if rule is PreTokenRule.PATTERN else None  # the published ones end
        yield from _cuts_at_marks(marks, start, last) if marks else _cuts_by_matches(split_pattern(recipe), data, start, last, limit_s)
        if last < end:
            yield Cut(last, end, CutKind.ADDED)


def split_pattern(recipe: Recipe) -> "regex.Pattern[str]":
    """The compiled split pattern of a recipe that has one; RecipeError with the place if it is none."""
    return compiled_pattern(PATTERNS.get(recipe.pretokens) or recipe.pattern or "")


@cache
def unicode_version() -> str:
    """The version of Unicode that the installed `regex` and so every split pattern knows, told by characters it was the first to have."""
    assigned = regex.compile(r"\P{Cn}")
    return next((version for version, character in FIRST_IN if assigned.match(character)), "before 13.0")


@lru_cache(maxsize=PATTERNS_KEPT)
def compiled_pattern(pattern: str) -> "regex.Pattern[str]":
    """A split pattern compiled; RecipeError with the place if it is none."""
    try:
        return regex.compile(pattern)
    except regex.error as error:
        at = f" at column {error.pos + 1}" if getattr(error, "pos", None) is not None else ""
        raise RecipeError(f"The split pattern is no regular expression{at}: {getattr(error, 'msg', error)}.") from None
    except (RecursionError, OverflowError, MemoryError):
        raise RecipeError("The split pattern is too large, or its groups lie too deep in each other.") from None


def _cut_entries(data: Data, start: int, end: int) -> Iterator[Cut]:
    line = 0
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        if stop > start:
            yield Cut(start, stop, line=line)
        if stop < end:
            yield Cut(stop, stop + 1, CutKind.ALONE, line=line)
        start = stop + 1
        line += 1


def _cut_words(data: Data, start: int, end: int, recipe: Recipe) -> Iterator[Cut]:
    """Words between spaces and LFs. The one space between two words of a line is kept by the marker; the rest is lost."""
    joints = recipe.joints.mapping if recipe.joints else {}
    at, line = start, 0
    for found in _WORDS.finditer(data, start, end):
        first, last = found.span()
        if first > at:
            one_line = at > start and data.find(b"\n", at, first) < 0
            yield from _lost(at, first, one_line and recipe.marker)
            line += data.count(b"\n", at, first)
        for part in _parts(first, last, joints.get(data[first:last]) if joints else None):
            yield Cut(part.start, part.end, ends_word=part.ends_word, line=line)
        at = last
    if at < end:
        yield from _lost(at, end, False)


def _lost(start: int, end: int, marker_keeps_first: bool) -> Iterator[Cut]:
    """The bytes between two words; of a run of spaces the marker keeps the first."""
    if marker_keeps_first:
        yield Cut(start, start + 1, CutKind.MARKER)
        start += 1
    if start < end:
        yield Cut(start, end, CutKind.LOST)


def _parts(start: int, end: int, parts: tuple[bytes, ...] | None) -> Iterator[Cut]:
    for part in (parts or ())[:-1]:
        yield Cut(start, start + len(part), ends_word=False)
        start += len(part)
    yield Cut(start, end)


def _cut_byte_words(data: Data, start: int, end: int) -> Iterator[Cut]:
    line = 0
    for found in _BYTE_WORDS.finditer(data, start, end):
        first, last = found.span()
        ends_line = data[first] == LF
        yield Cut(first, last, CutKind.OUTSIDE if ends_line else CutKind.PRETOKEN, line=line)
        line += ends_line


def _cuts_by_matches(pattern: "regex.Pattern[str]", data: Data, start: int, end: int, limit_s: float | None) -> Iterator[Cut]:
    """Matches of the pattern; what no match covers is a pre-token of its own, so that nothing is lost."""
    texts = SomeTexts(pattern, data, ((start, end),), limit_s, end)
    at = start
    for starts in texts.starts():
        for place in starts:
            if place > at:
                yield Cut(at, place)
                at = place
    if at < end:
        yield Cut(at, end)


def _cuts_at_marks(marks: Marks, start: int, end: int) -> Iterator[Cut]:
    """From each mark to the next; the text starts with one."""
    at = start
    for low in range(start, end, MARKS_AT_ONCE):
        for mark in marks.within(low, min(end, low + MARKS_AT_ONCE)).tolist():
            if mark > at:
                yield Cut(at, mark)
                at = mark
    if at < end:
        yield Cut(at, end)
