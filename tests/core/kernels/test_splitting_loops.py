"""The compiled splitter and counter: equal to the readable ones on any text, by every rule, on any number of threads."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import distinct
from explorer.core.corpus import Corpus
from explorer.core.fast_pretokens import PreTokenArrays, pretokenize_arrays
from explorer.core.kernels import why_not
from explorer.core.kernels.unicode_classes import LINE_END, SPACE, STRAY, SYMBOLS, character_classes
from explorer.core.pretokens import pretokenize
from explorer.core.progress import Progress, drain
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.splitting import cut_text
from explorer.errors import Cancelled, TooLargeError
from tests.core.strategies import any_bytes, corpora, few_letters, recipes, texts

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"nothing is compiled here: {why_not()}")

PATTERNS = [Recipe.of(name) for name in ("gpt2", "cl100k", "o200k")]
OWN = Recipe(pretokens=PreTokenRule.PATTERN, pattern=r"\p{L}{1,9}|\s+|[^\s\p{L}]")
PLAIN = [Recipe.of("chapter-81"), Recipe.of("byte-words"), Recipe.of("published"), replace(Recipe.of("published"), marker=False)]

# Real words of many scripts, with signs, digits, marks, spaces and line ends as people write them.
MANY_SCRIPTS = """The cat's 3 hats, didn't they'll WE'RE “quoted” – naïve café, 12,345.67 ½ kg\r
\tfor (i = 0; i != n; ++i) { x_y += a[i]; }  // done
Съешь же ещё этих мягких французских булок, да выпей чаю. ФБР и НАТО — 2024 год!
いろはにほへと ちりぬるを、わかよたれそ。カタカナとＦＵＬＬ　ｗｉｄｔｈ １２３
我能吞下玻璃而不伤身体。三十二个字　全角空格
나는 유리를 먹을 수 있어요. 그래도 아프지 않아요
मैं काँच खा सकता हूँ और मुझे उससे कोई चोट नहीं पहुंचती १२३
أنا قادر على أكل الزجاج و هذا لا يؤلمني. ٣٤٥
Ελληνικά: Μπορώ να φάω σπασμένα γυαλιά ΧΩΡΊΣ να πάθω τίποτα.
ฉันกินกระจกได้ แต่มันไม่ทำให้ฉันเจ็บ Ⅷ ² ³ ǅungla ʰaʱ e\u0301e\u0301 zero\u200bwidth no\u00a0break line\u2028sep 👩‍👩‍👧 🇩🇪 'ſ S'ſ
\x00\x1c\x1f\x7f\x85 ''''  \n \n\n   \n\t\t  end   """


def compiled(corpus: Corpus, recipe: Recipe, **options: Any) -> tuple[object, PreTokenArrays]:  # Any: whichever options
    return drain(pretokenize_arrays(corpus, recipe, **options))


def assert_equal(corpus: Corpus, recipe: Recipe, **options: Any) -> None:
    alphabet, arrays = compiled(corpus, recipe, **options)
    readable = drain(pretokenize(corpus, recipe, options.get("given")))
    assert (alphabet, arrays.pretokens()) == readable
    assert (arrays.length, arrays.occurrences) == (readable[1].length, readable[1].occurrences)
    again = PreTokenArrays.of(readable[1])
    assert again.pretokens() == readable[1]
    assert [part.tolist() for part in again.flat()] == [part.tolist() for part in arrays.flat()]


@pytest.fixture
def tiny_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "CHUNK", 7)
    monkeypatch.setattr(distinct, "SLICE", 3)


# the patterns

def of_class(kind: int) -> list[str]:
    points = np.flatnonzero(character_classes()[:STRAY] == kind).tolist()
    return [chr(point) for point in points if not 0xD800 <= point < 0xE000]


NO_UTF8 = [b"\xc0\x80", b"\xe0\x80\xa0", b"\xed\xa0\x80", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xe4\xb8", b"\xf0\x9f\x98"]
ODD = "''' 'sStTmMdDrReEvVlLlL  \n\n\r\t/.,-_ſaAzZ19é你ǅʰ\u0301\u0903\u00a0\u2028\x85\x1c\u200b٣Ⅷ"
MORSELS = [
    "a", "Bc", "word", "w" * 70, "1", "2024", "!", "--", "{}", "'", "''", "'s", "'ll", "'Re", "'x", " '", "'s's", " ", " ", " ", "  ", "\n",
    "\n\n", " \n", "\t", "\r\n", "é", "你", "\x00", "\x1c", "\x7f", "\x85", "\u00a0", "\u2028",
]
odd_characters = st.sampled_from(ODD)
any_characters = st.one_of([st.sampled_from(of_class(kind)) for kind in range(LINE_END + 1)])
strange_texts = st.lists(odd_characters | any_characters, max_size=24).map(lambda parts: "".join(parts).encode())
broken_texts = st.lists(
    st.sampled_from([*"aé中😀' \n1", *"ʰ\u0301"]).map(str.encode) | st.binary(max_size=3) | st.sampled_from(NO_UTF8), max_size=16
).map(b"".join)


@settings(deadline=None, max_examples=1500)
@given(strange_texts | broken_texts)
def test_patterns_cut_as_regex_does_over_every_category_and_over_what_is_no_utf8(text: bytes) -> None:
    for recipe in PATTERNS:
        assert_equal(Corpus.of_text(text), recipe)


@pytest.mark.parametrize("recipe", PATTERNS, ids=["gpt2", "cl100k", "o200k"])
def test_patterns_cut_every_character_in_its_surroundings_as_regex_does(recipe: Recipe) -> None:
    """Every character there is, each between letters, digits, signs, spaces and line ends."""
    characters = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    step = 97  # of a prime, so that each run of the test takes the same spread over all categories
    text = "".join(f"a{c}B1{c}2 {c}{c}\n{c}'s{c}. " for c in characters[:0x3400] + characters[0x3400::step]).encode()
    cuts = [(cut.start, cut.end) for cut in cut_text(recipe, text)]
    _, arrays = compiled(Corpus.of_text(text), recipe)
    counted: dict[bytes, int] = {}
    for start, end in cuts:
        counted[text[start:end]] = counted.get(text[start:end], 0) + 1
    found = zip(arrays.first.tolist(), arrays.lengths.tolist(), arrays.counts.tolist(), strict=True)
    assert {text[first : first + length]: count for first, length, count in found} == counted


@pytest.mark.parametrize("recipe", PATTERNS + PLAIN, ids=lambda recipe: recipe.preset or "other")
def test_real_text_of_many_scripts(recipe: Recipe) -> None:
    whole = MANY_SCRIPTS.encode()
    assert_equal(Corpus.of_text(whole), recipe)
    for cut in range(0, len(whole), 11):  # begins and ends inside words and inside characters
        assert_equal(Corpus.of_text(whole[cut : cut + 200]), recipe)


def test_classes_are_those_of_the_installed_regex() -> None:
    table = character_classes()
    assert len(table) == SYMBOLS
    assert not table[0xD800:0xE000].any()
    assert not table[0x110000:].any()
    generator = np.random.default_rng(5)
    letter, number, space = (regex.compile(pattern) for pattern in (r"\p{L}", r"\p{N}", r"\s"))
    for point in generator.integers(0, 0xD800, 3000).tolist():
        kind, character = int(table[point]), chr(point)
        assert bool(letter.match(character)) == (2 <= kind <= 4)
        assert bool(number.match(character)) == (kind == 5)
        assert bool(space.match(character)) == (kind >= 6)
    assert table[ord(" ")] == SPACE


# counting


@settings(deadline=None, max_examples=1200)
@given(corpora | st.builds(Corpus.of_text, any_bytes), recipes())
def test_pre_tokens_are_those_of_the_readable_engine(corpus: Corpus, recipe: Recipe) -> None:
    assert_equal(corpus, recipe)


@settings(deadline=None, max_examples=200)
@given(corpora, corpora, recipes())
def test_a_corpus_is_spelled_in_the_alphabet_of_another(corpus: Corpus, other: Corpus, recipe: Recipe) -> None:
    alphabet, _ = drain(pretokenize(other, recipe))
    assert_equal(corpus, recipe, given=alphabet)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(MORSELS), min_size=40, max_size=300), st.sampled_from(PATTERNS))
def test_a_text_long_enough_for_blocks_of_bytes_is_cut_as_a_short_one_is(morsels: list[str], recipe: Recipe) -> None:
    text = "".join(morsels).encode()
    assert_equal(Corpus.of_text(text), recipe)
    assert_equal(Corpus.of_rows([text, text[:100], text[50:]]), recipe)


@pytest.mark.usefixtures("tiny_chunks")
@settings(deadline=None, max_examples=200)
@given(st.builds(Corpus.of_text, few_letters | texts.map(lambda text: text * 3)) | corpora, recipes(), st.randoms())
def test_the_result_is_the_same_in_whatever_order_chunks_are_done(corpus: Corpus, recipe: Recipe, random: Any) -> None:
    """Chunks done in any order, by two workers each with a table of its own."""

    def shuffled(work: Callable[[Any], Any], chunks: Iterable[Any]) -> Iterable[Any]:
        waiting = list(enumerate(chunks))
        random.shuffle(waiting)
        counting = getattr(work, "__self__")  # noqa: B009
        done, kept = {}, []
        for number, chunk in waiting:
            if random.random() < 0.5:  # the other worker has the tables
                kept, counting.free = counting.free, kept
            done[number] = work(chunk)
        counting.free += kept
        return [done[number] for number in sorted(done)]

    assert_equal(corpus, recipe, map_chunks=shuffled)


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("recipe", [*PATTERNS, *PLAIN, OWN], ids=lambda recipe: recipe.preset or "other")
def test_the_result_is_the_same_with_any_number_of_threads(recipe: Recipe, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "CHUNK", 5_000)
    monkeypatch.setattr(distinct, "ROWS", 512)
    corpus = Corpus.of_text((MANY_SCRIPTS * 20 + "only here\n" + MANY_SCRIPTS * 3).encode())
    with ThreadPoolExecutor(workers) as pool:
        assert_equal(corpus, recipe, map_chunks=pool.map)
    rows = Corpus.of_rows([line.encode() for line in (MANY_SCRIPTS * 5).split("\n")])
    with ThreadPoolExecutor(workers) as pool:
        assert_equal(rows, recipe, map_chunks=pool.map)


def test_tables_grow_and_long_words_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "ROWS", 512)
    words = [f"{n:x}" * (1 + n % 7) for n in range(9000)]
    text = " ".join(words + words[::3]).encode()
    for recipe in (*PATTERNS, *PLAIN):
        assert_equal(Corpus.of_text(text + b"\n" + text), recipe)


def test_a_pre_token_of_many_megabytes_keeps_its_length() -> None:
    text = b"a" * 20_000_000 + b" " + b"a" * 20_000_001
    _, arrays = compiled(Corpus.of_text(text), Recipe.of("gpt2"))
    assert arrays.lengths.tolist() == [20_000_000, 20_000_002]


def test_counts_past_32_bits_are_exact_and_counts_past_64_are_refused() -> None:
    corpus = Corpus.of_counts({b"ab": 5_000_000_000, b"abc": 7_000_000_001})
    assert compiled(corpus, Recipe.of("published"))[1].counts.tolist() == [5_000_000_000, 7_000_000_001]
    with pytest.raises(TooLargeError, match="smaller counts"):
        compiled(Corpus.of_counts({b"ab": 1 << 62}), Recipe.of("published"))


def test_cancelled_between_two_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "SLICE", 100)
    progress = Progress(lambda: progress.cancel() if progress.step.done > 1000 else None)
    with pytest.raises(Cancelled):
        drain(pretokenize_arrays(Corpus.of_text(MANY_SCRIPTS.encode() * 9), Recipe.of("gpt2")), progress)
    assert 1000 < progress.step.done < 1300


def test_an_empty_corpus_has_none() -> None:
    for recipe in (*PATTERNS, *PLAIN):
        for corpus in (Corpus.of_text(b""), Corpus.of_rows([]), Corpus.of_rows([b"", b""]), Corpus.of_counts({})):
            assert_equal(corpus, recipe)
            assert_equal(corpus, recipe, map_chunks=map)
