"""Matches of a pattern of one's own are looked for once, are those that the pattern has, and a pattern that never ends is stopped."""

import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from explorer.core import pattern_matches
from explorer.core.corpus import Corpus
from explorer.core.marking import Found, Here, Passage, lending, marks_steps, passages
from explorer.core.pretokens import corpus_cuts, pretokenize
from explorer.core.progress import Stage, drain
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.splitting import CutKind, cut_text, split_pattern
from explorer.core.training import train
from explorer.errors import PatternTimeoutError, RecipeError, TooLargeError
from tests.core.endless import ENDLESS, endless_text

PATTERNS = ("[a-z]+", "a|ab", r"\s+|\S", "(?=a)|b+", "a*", r"(?<=a)b|é", r"(?r)[a-z]+", r"a\Kb", "é?.", r"\b", "(a)|(b)", "zz")
STRAWS = [b"a", b"b", b" ", b"\n", b"ab", "é".encode(), b"\xff", b"\xc3", "好".encode(), b"zz"]
TEXTS = st.lists(st.sampled_from(STRAWS), max_size=12).map(b"".join)


def own(pattern: str) -> Recipe:
    return Recipe(pretokens=PreTokenRule.PATTERN, pattern=pattern)


def cuts_by_definition(pattern: str, data: bytes) -> list[tuple[int, int]]:
    """Matches that are not empty, and the stretches between them, found one character at a time."""
    text = data.decode("utf-8", "surrogateescape")
    spans = sorted(match.span() for match in regex.finditer(pattern, text) if match.end() > match.start())
    edges = [0]
    for first, last in spans:
        edges += [first, last]
    bytes_before = [len(text[:at].encode("utf-8", "surrogateescape")) for at in [*edges, len(text)]]
    return [(a, b) for a, b in pairwise(bytes_before) if b > a]


@given(st.sampled_from(PATTERNS), TEXTS, st.integers(1, 5))
def test_cuts_are_the_matches_and_what_lies_between(pattern: str, data: bytes, at_a_time: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pattern_matches, "MATCHES", at_a_time)
        assert [(cut.start, cut.end) for cut in cut_text(own(pattern), data)] == cuts_by_definition(pattern, data)


@given(st.sampled_from(PATTERNS), st.lists(TEXTS, max_size=6), st.booleans())
def test_marks_tell_the_cuts_of_every_text(pattern: str, texts: list[bytes], ended: bool) -> None:
    corpus = Corpus.of_rows(texts) if ended else Corpus.of_counts(dict.fromkeys(texts, 3))
    recipe = own(pattern)
    marks = drain(marks_steps(corpus, recipe))
    assert list(corpus_cuts(corpus, recipe, marks)) == list(corpus_cuts(corpus, recipe))
    starts = [cut.start for cut, _, _ in corpus_cuts(corpus, recipe) if cut.kind is CutKind.PRETOKEN]
    assert marks is not None and marks.within(0, marks.size).tolist() == starts


def test_passages_hold_every_text_once_and_long_ones_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.marking.PASSAGE", 10)
    corpus = Corpus.of_rows([b"abc", b"", b"de", b"x" * 30, b"", b"f"])
    found = list(passages(corpus, 1, {}))
    texts = [[each.part(a, b) for a, b in zip(each.starts, each.ends, strict=True)] for each in found]
    assert texts == [[b"abc", b"de"], [b"x" * 30], [b"f"]]


def test_other_rules_have_no_marks() -> None:
    assert drain(marks_steps(Corpus.of_text(b"a b"), Recipe.of("gpt2"))) is None


def test_a_pattern_without_an_end_is_stopped_and_its_place_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_matches, "LIMIT_S", 0.1)
    text = b"one\ntwo \xc3\xa9 " + endless_text()
    for search in (lambda: drain(marks_steps(Corpus.of_text(text), own(ENDLESS))), lambda: list(cut_text(own(ENDLESS), text))):
        with pytest.raises(PatternTimeoutError, match=r"split pattern .* 0\.1 s .* byte 11 of the text") as error:
            search()
        assert error.value.at == 11 and error.value.pattern == ENDLESS
    with pytest.raises(PatternTimeoutError, match="in line 2:"):
        train(Corpus.of_text(text), own(ENDLESS))


def test_a_pattern_that_is_found_in_one_place_for_ever_is_stopped() -> None:
    for pattern in (r"(?=ab\K)", r"(?r)(?<=\Kab)"):
        began = time.monotonic()
        with pytest.raises(PatternTimeoutError):
            drain(marks_steps(Corpus.of_text(b"abab"), own(pattern)))
        assert time.monotonic() - began < 5


def test_a_limit_is_for_all_texts_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_matches, "LIMIT_S", 0.3)
    slow = Corpus.of_rows([b"x" * 22 + b"y"] * 4_000)  # some milliseconds each, and none of them long
    pattern = own(r"(?:x|xx)+z|.")
    assert drain(marks_steps(Corpus.of_rows([b"x" * 22 + b"y"]), pattern)) is not None
    with pytest.raises(PatternTimeoutError):
        drain(marks_steps(slow, pattern))


@dataclass
class Lent:
    """Somebody who looks for matches, and notes what he was asked."""

    count = 1
    asked: list[int] = field(default_factory=list)
    closed: bool = False

    def __call__(self, pattern: str, wanted: Iterable[Passage], /) -> Generator[Found | None, None, None]:
        try:
            for passage in wanted:
                self.asked.append(passage.at)
                yield None
                yield Found(passage, np.array([0, 2], np.int64), 2)
                yield Found(passage, np.array([3], np.int64), passage.size)
        finally:
            self.closed = True


def test_whoever_lends_is_asked_for_what_is_not_short(monkeypatch: pytest.MonkeyPatch) -> None:
    lent, recipe = Lent(), own(".")
    with lending(lent):
        drain(marks_steps(Corpus.of_text(b"abcd"), recipe))
        assert lent.asked == []
        monkeypatch.setattr("explorer.core.marking.SHORT", 3)
        steps = list(marks_steps(Corpus.of_text(b"abcd"), recipe))
        marks = drain(marks_steps(Corpus.of_text(b"abcd"), recipe))
    assert lent.asked == [0, 0] and lent.closed
    assert [(step.stage, step.done, step.total) for step in steps] == [(Stage.CUTTING, done, 4) for done in (0, 2, 4)]
    assert marks is not None and marks.within(0, 4).tolist() == [0, 2, 3]
    drain(marks_steps(Corpus.of_text(b"abcd"), recipe))
    assert lent.asked == [0, 0], "lent for as long as the context was open"


def test_a_short_text_that_takes_long_goes_to_whoever_lends() -> None:
    lent = Lent()
    with lending(lent):
        drain(marks_steps(Corpus.of_text(endless_text()), own(ENDLESS)))
    assert lent.asked == [0]
    with lending(Here(0.05)), pytest.raises(PatternTimeoutError):
        drain(marks_steps(Corpus.of_text(endless_text()), own(ENDLESS)))


def test_leaving_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.marking.SHORT", 0)
    lent = Lent()
    with lending(lent):
        steps = marks_steps(Corpus.of_text(b"abcd"), own("."))
        next(steps)
        steps.close()
    assert lent.closed


def test_training_and_encoding_look_for_matches_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.marking.SHORT", 0)
    lent, corpus, recipe = Lent(), Corpus.of_text(b"abcdabcd"), own(".")
    with lending(lent):
        _, pretokens = drain(pretokenize(corpus, recipe))
        assert pretokens.marks is not None and pretokens.spellings == ("ab", "c", "dabcd")
    assert lent.asked == [0]
    other = train(corpus, own("[abc]+")).pretokens
    assert other.marks is not None and list(corpus_cuts(corpus, recipe, other.marks)) == list(corpus_cuts(corpus, own("[abc]+")))


def test_a_text_that_memory_will_not_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.marking.LONG", 100)
    monkeypatch.setattr("explorer.core.memory.NEGLIGIBLE", 0)
    monkeypatch.setattr("explorer.core.memory.memory_free", lambda: 300)
    assert drain(marks_steps(Corpus.of_text(b"a " * 70), own(r"\w"))) is not None
    with pytest.raises(TooLargeError, match=r"in one text of 0\.0 GB need about 0\.0 GB of memory"):
        drain(marks_steps(Corpus.of_text(b"a " * 80), own(r"\w")))
    assert drain(marks_steps(Corpus.of_rows([b"a " * 45] * 9), own(r"\w"))) is not None


def test_a_pattern_whose_groups_lie_too_deep_is_refused() -> None:
    with pytest.raises(RecipeError, match="too deep"):
        split_pattern(own("(" * 5_000 + "a" + ")" * 5_000))
