"""Texts cut into runs and symbols by loops over bytes: the first half of the naive oracle (naive.py)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex

from explorer.core.corpus import Corpus
from explorer.core.recipe import AlphabetKind, LineEnds, PreTokenRule, Recipe

WORD_RULES = (PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS)

# The published patterns in their plainest spelling: alternatives written out, nothing possessive.
PUBLISHED = {
    PreTokenRule.GPT2: r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    PreTokenRule.CL100K: (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+\Z|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    PreTokenRule.O200K: "|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
}


@dataclass(frozen=True)
class Symbol:
    """A base unit: its bytes, whether it carries the marker, whether it is a byte and not a character."""

    bytes: bytes
    marked: bool = False
    stray: bool = False

    @property
    def text(self) -> str:
        return self.bytes.decode("utf-8", "surrogateescape") + ("</w>" if self.marked else "")


class Cutter:
    """The texts of a corpus cut into runs and symbols."""

    def __init__(self, corpus: Corpus, recipe: Recipe) -> None:
        self.corpus, self.recipe, self.data = corpus, recipe, corpus.data
        self.starts = corpus.starts.tolist()
        if recipe.line_ends is LineEnds.LF:
            assert len(corpus) == 1, "the naive reader knows line ends of one text only"
            self.data = self.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            self.starts = [0, len(self.data)]

    def cut(self) -> Iterator[tuple[tuple[int, int, bool], tuple[int, int], int, bool, bool]]:
        """Every run: (start, end, ends a word), (text, line), weight, whether it is fixed, whether it is counted in the length."""
        rule = self.recipe.pretokens
        for text in range(len(self.starts) - 1):
            start, end = self.starts[text], self.starts[text + 1]
            weight = 1 if self.corpus.weights is None else int(self.corpus.weights[text])
            if rule is PreTokenRule.ENTRIES:
                cuts = self.entries(start, end)
            elif rule is PreTokenRule.WORDS:
                cuts = self.words(start, end)
            elif rule is PreTokenRule.BYTE_WORDS:
                cuts = self.byte_words(start, end)
            else:
                cuts = self.matches(start, end - 1 if self.corpus.ended else end)
            for span, line, fixed, counted in cuts:
                yield span, (text, line), weight, fixed, counted

    def entries(self, start: int, end: int) -> Iterator[tuple[tuple[int, int, bool], int, bool, bool]]:
        at = start
        for here in range(start, end):
            if self.data[here : here + 1] == b"\n":
                if here > at:
                    yield (at, here, True), 0, False, True
                yield (here, here + 1, True), 0, True, True
                at = here + 1
        if end > at:
            yield (at, end, True), 0, False, True

    def words(self, start: int, end: int) -> Iterator[tuple[tuple[int, int, bool], int, bool, bool]]:
        at, line = start, 0
        for here in range(start, end + 1):
            if here == end or self.data[here : here + 1] in (b" ", b"\n"):
                if here > at:
                    for part in self.joined(at, here):
                        yield part, line, False, True
                at = here + 1
                if here < end and self.data[here : here + 1] == b"\n":
                    line += 1

    def joined(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        parts = dict(self.recipe.joints.words).get(self.data[start:end]) if self.recipe.joints else None
        for part in parts or [self.data[start:end]]:
            yield start, start + len(part), start + len(part) == end
            start += len(part)

    def byte_words(self, start: int, end: int) -> Iterator[tuple[tuple[int, int, bool], int, bool, bool]]:
        at, line = start, 0
        while at < end:
            stop = at + 1
            if self.data[at : at + 1] not in (b"\t", b"\r", b"\n"):
                while stop < end and self.data[stop : stop + 1] not in (b" ", b"\t", b"\r", b"\n"):
                    stop += 1
            ends_line = self.data[at:stop] == b"\n"
            yield (at, stop, True), line, ends_line, not ends_line
            line += ends_line
            at = stop

    def matches(self, start: int, end: int) -> Iterator[tuple[tuple[int, int, bool], int, bool, bool]]:
        text = self.data[start:end].decode("utf-8", "surrogateescape")
        pattern = PUBLISHED.get(self.recipe.pretokens) or self.recipe.pattern
        assert pattern
        cuts = {0, len(text)}
        for found in regex.finditer(pattern, text):
            cuts.update(found.span() if found.end() > found.start() else ())
        edges = [start + len(text[:at].encode("utf-8", "surrogateescape")) for at in sorted(cuts)]
        for a, b in pairwise(edges):
            yield (a, b, True), 0, False, True

    def symbols(self, start: int, end: int, ends_word: bool) -> list[Symbol]:
        if self.recipe.alphabet is AlphabetKind.BYTES:
            return [Symbol(self.data[at : at + 1], stray=True) for at in range(start, end)]
        text = self.data[start:end].decode("utf-8", "surrogateescape")
        units = [(c.encode("utf-8", "surrogateescape"), 0xDC80 <= ord(c) <= 0xDCFF) for c in text]
        return [Symbol(b, self.recipe.marker and ends_word and n == len(units) - 1, stray) for n, (b, stray) in enumerate(units)]
