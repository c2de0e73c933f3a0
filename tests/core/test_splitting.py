"""Where texts are cut: every rule without a gap, the published patterns equal to their plain spelling."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import AlphabetKind, Joints, PreTokenRule, Recipe, Unknown
from explorer.core.splitting import FIRST_IN, PATTERNS_KEPT, Cut, CutKind, compiled_pattern, cut_text, split_pattern, unicode_version
from explorer.errors import RecipeError
from tests.core.naive_cutting import Cutter
from tests.core.strategies import any_bytes, recipes

GPT2, CL100K, O200K = (Recipe.of(name) for name in ("gpt2", "cl100k", "o200k"))
PUBLISHED = Recipe.of("published")

# Letters of every case and script, marks, digits of every kind, spaces of every kind, quotes, controls, stray bytes.
ODD = [
    *"aZ'sSmMtTlLdDvVrReE ſʰ中文あéßǅ123½²٣１三_-.,!/^\t\n\r\x00\x1c\x85\u00a0\u2028\u2029\u3000\ufeff\u0301\u0307\u200d",
    "\U0001f600", "\U00010400", "\U00010428", "\udc80", "\udcff", "  ", "\n\n", "\r\n", "'ll", "'RE", "don't", "123456",
]
odd_texts = st.lists(st.sampled_from(ODD), max_size=14).map("".join)


def cuts(recipe: Recipe, text: bytes) -> list[bytes]:
    return [text[cut.start : cut.end] for cut in cut_text(recipe, text)]


def split(recipe: Recipe, text: str) -> list[str]:
    return [piece.decode("utf-8", "surrogateescape") for piece in cuts(recipe, text.encode("utf-8", "surrogateescape"))]


@settings(deadline=None, max_examples=300)
@given(any_bytes, recipes(), st.data())
def test_cuts_follow_each_other_without_a_gap(text: bytes, recipe: Recipe, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    at = start
    for cut in cut_text(recipe, text, start, end):
        assert cut.start == at < cut.end <= end
        at = cut.end
    assert at == end
    moved = [(cut.start - start, cut.end - start, cut.kind, cut.line) for cut in cut_text(recipe, text, start, end)]
    assert moved == [(cut.start, cut.end, cut.kind, cut.line) for cut in cut_text(recipe, text[start:end])]


@settings(deadline=None, max_examples=300)
@given(any_bytes, recipes())
def test_pre_tokens_are_those_of_a_plain_loop(text: bytes, recipe: Recipe) -> None:
    with_tokens = (CutKind.PRETOKEN, CutKind.ALONE, CutKind.OUTSIDE)
    found = [(cut.start, cut.end, cut.ends_word) for cut in cut_text(recipe, text) if cut.kind in with_tokens]
    assert found == [span for span, *_ in Cutter(Corpus.of_text(text), recipe).cut()]


@settings(deadline=None, max_examples=600)
@given(odd_texts | st.text(max_size=20))
def test_the_published_patterns_cut_as_their_plain_spelling_does(text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    for recipe in (GPT2, CL100K, O200K):
        plain = [(start, end) for (start, end, _), *_ in Cutter(Corpus.of_text(data), recipe).cut()]
        assert [(cut.start, cut.end) for cut in cut_text(recipe, data)] == plain


@pytest.mark.parametrize(
    ("recipe", "text", "pieces"),
    [
        (GPT2, "Hello world", ["Hello", " world"]),
        (GPT2, "I'll don't we've HE'LL", ["I", "'ll", " don", "'t", " we", "'ve", " HE", "'", "LL"]),
        (GPT2, "a    b", ["a", "   ", " b"]),
        (GPT2, "x\n\n\ny", ["x", "\n\n", "\n", "y"]),
        (GPT2, "4 ½ m", ["4", " ½", " m"]),
        (GPT2, "1234567 ٣٤ １２ 三", ["1234567", " ٣٤", " １２", " 三"]),
        (GPT2, "q\u0301x", ["q", "\u0301", "x"]),
        (GPT2, "a \x1c\tb", ["a", " \x1c", "\t", "b"]),
        (CL100K, "I'LL Don'T", ["I", "'LL", " Don", "'T"]),
        (CL100K, "2024 1234567", ["202", "4", " ", "123", "456", "7"]),
        (CL100K, "(a\tb_c", ["(a", "\tb", "_c"]),
        (CL100K, "end.\n\nnext", ["end", ".\n\n", "next"]),
        (CL100K, "a\n ", ["a", "\n "]),
        (CL100K, "a  \n  b", ["a", "  \n", " ", " b"]),
        (O200K, "HelloWorld it's HTTPServer", ["Hello", "World", " it's", " HTTPServer"]),
        (O200K, "2024/01//x", ["202", "4", "/", "01", "//", "x"]),
        (O200K, "a\n ", ["a", "\n", " "]),
        (O200K, "q\u0301x", ["q\u0301x"]),
        (O200K, "東京 café", ["東京", " café"]),
    ],
)
def test_examples_of_the_published_patterns(recipe: Recipe, text: str, pieces: list[str]) -> None:
    assert split(recipe, text) == pieces


def test_another_rule_for_digits_is_another_recipe() -> None:
    two = Recipe(pretokens=PreTokenRule.PATTERN, pattern=r"\p{N}{1,2}|\P{N}+")
    assert (split(CL100K, "2024"), split(two, "2024")) == (["202", "4"], ["20", "24"])
    assert (split(CL100K, "1234567"), split(two, "1234567")) == (["123", "456", "7"], ["12", "34", "56", "7"])
    assert Recipe.from_json(two.to_json()) == two


def test_what_a_pattern_does_not_match_is_a_pre_token_too() -> None:
    recipe = Recipe(pretokens=PreTokenRule.PATTERN, pattern=r"b+|")
    assert split(recipe, "aabbéa\udcff") == ["aa", "bb", "éa\udcff"]
    assert split(replace(recipe, pattern=""), "ab") == ["ab"]
    assert split(replace(recipe, pattern="(?=b)"), "ab") == ["ab"]


def test_a_pattern_that_is_none_is_refused_with_its_place() -> None:
    with pytest.raises(RecipeError, match=r"no regular expression at column 3"):
        split_pattern(Recipe(pretokens=PreTokenRule.PATTERN, pattern="ab)c"))


def test_the_added_end_of_a_row_is_out_of_a_pattern_s_sight() -> None:
    found = list(cut_text(GPT2, b"ab\n\n", ended=True))
    assert found == [Cut(0, 2), Cut(2, 3), Cut(3, 4, CutKind.ADDED)]
    assert list(cut_text(GPT2, b"\n", ended=True)) == [Cut(0, 1, CutKind.ADDED)]


def test_entries_are_cut_at_line_feeds_alone() -> None:
    text = "a\rb\u2028c\x0bd\x85e\x0c\x1cf\n\ng".encode()
    found = list(cut_text(Recipe.of("chapter-81"), text))
    assert [text[cut.start : cut.end] for cut in found] == [text[:-3], b"\n", b"\n", b"g"]
    assert [cut.kind for cut in found] == [CutKind.PRETOKEN, CutKind.ALONE, CutKind.ALONE, CutKind.PRETOKEN]
    assert [cut.line for cut in found] == [0, 0, 1, 2]


def test_byte_words_carry_their_leading_space_and_lose_nothing() -> None:
    recipe = Recipe.of("byte-words")
    text = b"the cat  sat\t on\r\nit "
    assert cuts(recipe, text) == [b"the", b" cat", b" ", b" sat", b"\t", b" on", b"\r", b"\n", b"it", b" "]
    kinds = {text[cut.start : cut.end]: cut.kind for cut in cut_text(recipe, text)}
    assert kinds[b"\n"] is CutKind.OUTSIDE
    assert kinds[b"\r"] is CutKind.PRETOKEN


@pytest.mark.parametrize("kept", [True, False], ids=["marker", "no marker"])
def test_words_are_cut_on_spaces_alone_and_the_rest_is_told(kept: bool) -> None:
    recipe = replace(PUBLISHED, marker=kept, unknown=Unknown.STAND_IN)
    text = " a\tb  c\u00a0d \n e".encode()
    found = [(text[cut.start : cut.end], cut.kind, cut.line) for cut in cut_text(recipe, text)]
    between = [(b" ", CutKind.MARKER, 0), (b" ", CutKind.LOST, 0)] if kept else [(b"  ", CutKind.LOST, 0)]
    assert found == [
        (b" ", CutKind.LOST, 0), (b"a\tb", CutKind.PRETOKEN, 0), *between,
        ("c\u00a0d".encode(), CutKind.PRETOKEN, 0), (b" \n ", CutKind.LOST, 0), (b"e", CutKind.PRETOKEN, 1),
    ]


def test_joints_cut_the_words_they_name_and_no_others() -> None:
    recipe = Recipe(AlphabetKind.CHARACTERS, True, pretokens=PreTokenRule.WORDS, joints=Joints.of({b"undo": (b"un", b"do")}))
    text = b"undo undoing do"
    found = [(text[cut.start : cut.end], cut.ends_word) for cut in cut_text(recipe, text) if cut.kind is CutKind.PRETOKEN]
    assert found == [(b"un", False), (b"do", True), (b"undoing", True), (b"do", True)]


def test_patterns_that_were_typed_are_not_kept_for_ever() -> None:
    for length in range(1, 2 * PATTERNS_KEPT):
        compiled_pattern("a" * length)
    assert compiled_pattern.cache_info().currsize == PATTERNS_KEPT


def counting(recipe: Recipe) -> Callable[[bytes], int]:
    return lambda text: sum(1 for _ in cut_text(recipe, text))


@pytest.mark.parametrize("recipe", [GPT2, CL100K, O200K], ids=["gpt2", "cl100k", "o200k"])
@pytest.mark.parametrize("unit", [b"^", b"a", b"A", b"\n", b" ", b" \n", b"\r\n", "中".encode(), b"'"])
def test_a_long_run_of_one_thing_is_cut(recipe: Recipe, unit: bytes) -> None:
    assert counting(recipe)(unit * 100_000) <= 100_000


def test_the_version_of_unicode_is_that_of_its_newest_letter() -> None:
    assert re.fullmatch(r"1[3-9]\.\d|before 13\.0", unicode_version())
    assert regex.match(r"\p{L}", FIRST_IN[-1][1]), "a letter that this version of regex must know"
