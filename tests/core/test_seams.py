"""Matches looked for from several places of a text: the same as from its beginning, whatever the pattern and wherever the seams."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import marking, pattern_matches, seams
from explorer.core.corpus import Corpus
from explorer.core.marking import Found, Here, Passage, lending, marks_steps
from explorer.core.progress import drain
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.seams import looks_back, parts_of
from explorer.core.splitting import PATTERNS

ATOMS = ["a", "b", ".", r"\w", "[^a]", r"\s", "(?=a)", "(?!b)", "ab", "é", r"\p{L}", "(?i:A)", "(a|b)", "$", r"\Z"]
ENDINGS = ["", "*", "+", "?", "*?", "++", "{2}", "{3}", "{1,3}"]
branches = st.lists(st.tuples(st.sampled_from(ATOMS), st.sampled_from(ENDINGS)).map("".join), min_size=1, max_size=3).map("".join)
patterns = st.lists(branches, min_size=1, max_size=3).map("|".join)
texts = st.lists(st.sampled_from(["a", "b", "ab", " ", "\n", "é", "aaaa", "bab a"]), max_size=60).map("".join).map(str.encode)


@dataclass
class Turned:
    """Somebody who looks for matches in many passages at the same time: here the last of them is the first to be done."""

    count: int
    asked: int = 0

    def __call__(self, pattern: str, wanted: Iterable[Passage], /) -> Generator[Found | None, None, None]:
        for passage in reversed(list(wanted)):
            self.asked += 1
            yield from Here()(pattern, [passage])


def own(pattern: str) -> Recipe:
    return Recipe(pretokens=PreTokenRule.PATTERN, pattern=pattern)


def make_small(patch: pytest.MonkeyPatch) -> None:
    """Parts of some bytes, told a match or two at a time."""
    patch.setattr(seams, "LEAST_PART", 8)
    patch.setattr(seams, "OVERLAP", 6)
    patch.setattr(marking, "SHORT", -1)
    patch.setattr(marking, "PASSAGE", 8)
    patch.setattr(pattern_matches, "MATCHES", 2)


@settings(max_examples=150)
@given(patterns, texts, st.integers(2, 5))
def test_the_findings_are_those_of_one_search(pattern: str, text: bytes, count: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        corpus = Corpus.of_rows([text, b"a b", text[::-1] if text.isascii() else text])
        here = drain(marks_steps(corpus, own(pattern)))
        with lending(Turned(count)):
            marks = drain(marks_steps(corpus, own(pattern)))
        assert here is not None and marks is not None and (marks.bits == here.bits).all()


def test_a_long_text_is_looked_through_in_parts_where_the_pattern_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)
    text = Corpus.of_text(b"some words " * 20)
    for pattern, asked in ((r"\w+", 3), (r"\b\w+", 1), ("(?s).{7}", 4)):  # the last one never meets, and is looked for again
        lent = Turned(3)
        with lending(lent):
            marks = drain(marks_steps(text, own(pattern)))
        here = drain(marks_steps(text, own(pattern)))
        assert lent.asked == asked, pattern
        assert marks is not None and here is not None and (marks.bits == here.bits).all()


@pytest.mark.parametrize("inside", range(4, 40))
def test_one_match_over_several_seams(inside: int, monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)
    for before in range(1, 16):
        text = Corpus.of_text(b"a" * before + b"{" + b"b" * inside + b"}" + b"a" * (50 - inside - before))
        with lending(Turned(5)):
            marks = drain(marks_steps(text, own(r"\{[^}]*\}|\w|\W")))
        here = drain(marks_steps(text, own(r"\{[^}]*\}|\w|\W")))
        assert marks is not None and here is not None and (marks.bits == here.bits).all()


def test_the_published_patterns_do_not_look_back() -> None:
    assert not any(looks_back(regex.compile(pattern)) for pattern in PATTERNS.values())


@pytest.mark.parametrize(
    "pattern", [r"^a", r"(?:^a)", "[a^]", r"\ba", r"a\B", r"(?<=a)b", r"(a|(?<!b)c)", r"\Ga", r"a\Kb", r"\X", r"\ma", "(?r)a", "(?w)a$",
                "(?b)(?:abc){e<2}", "(?:abc){e<2}", "(?e)(?:ab){i,d<2}", "a(*SKIP)b", r"(?:a|(?<=(?:b))c)",
                r"(?(?<=a)b|c)", "(?x)(?< =a)b", "(?x)(?< !a)b"],
)  # fmt: skip
def test_what_looks_back_is_known(pattern: str) -> None:
    assert looks_back(regex.compile(pattern))


def test_parts_begin_between_characters_of_ascii() -> None:
    least = seams.LEAST_PART
    words = b"a line\n" * (least // 2)
    places = parts_of(words, 3, len(words), 3)
    assert len(places) == 3 and all(words[place - 1 : place] == b"\n" for place in places[1:])
    assert parts_of(words, 0, len(words), 1) == [0] == parts_of(words, 0, 2 * least - 1, 4)
    assert parts_of("é".encode() * least, 0, 2 * least, 2) == [0], "no such place"
