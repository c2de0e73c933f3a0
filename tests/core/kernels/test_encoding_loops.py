"""The compiled encoder: equal to the readable one in ids, spans, groups and losses, for every recipe and any number of merges."""

import gc
import importlib
import random
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import alphabet, compiled_table, distinct, engines
from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, corpus_encoding_steps, encoding_steps
from explorer.core.fast_encoding import fast_corpus_encoding_steps, fast_encoding_steps, ids_steps
from explorer.core.fast_training import fast_replay_steps
from explorer.core.kernels import why_not
from explorer.core.merging import merge_in_heap
from explorer.core.progress import Progress, drain
from explorer.core.recipe import AlphabetKind, PreTokenRule, Recipe, Unknown
from explorer.core.table import MergeTable
from explorer.core.training import train
from explorer.core.vocabulary import Pair
from explorer.errors import Cancelled
from tests.core.strategies import any_bytes, corpora, few_letters, recipes, texts

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"nothing is compiled here: {why_not()}")

CHAPTER, GPT2 = Recipe.of("chapter-81"), Recipe.of("gpt2")


def assert_alike(one: EncodedText, other: EncodedText) -> None:
    for name in ("ids", "starts", "ends", "groups"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (name, ours.tolist(), ours.dtype) == (name, theirs.tolist(), theirs.dtype)
    assert (one.merges, one.data, one.losses) == (other.merges, other.data, other.losses)


def assert_equal(table: MergeTable, text: bytes, merges: int | None = None) -> None:
    fired: list[int] = []
    readable: list[int] = []
    ours = drain(fast_encoding_steps(table, text, merges, fired))
    assert_alike(ours, drain(encoding_steps(table, text, merges, readable)))
    assert fired == readable
    assert drain(ids_steps(table, text, merges)).tolist() == ours.ids.tolist()


def byte_table(merges: list[Pair], recipe: Recipe = CHAPTER) -> MergeTable:
    return MergeTable(recipe, Alphabet.of_bytes(), tuple(merges))


def same_text(text: bytes, table: MergeTable) -> EncodedText:
    encoded = drain(fast_encoding_steps(table, text))
    assert encoded.decoded == text
    return encoded


# against the readable engine


@settings(deadline=None, max_examples=500)
@given(corpora, recipes(), any_bytes | few_letters | texts, st.integers(0, 12))
def test_a_text_is_encoded_as_the_readable_engine_does(corpus: Corpus, recipe: Recipe, text: bytes, k: int) -> None:
    table = train(corpus, recipe).table
    assert_equal(table, text)
    assert_equal(table, text, k)


@settings(deadline=None, max_examples=250)
@given(corpora, corpora, recipes())
def test_a_corpus_is_encoded_as_the_readable_engine_does(trained_on: Corpus, corpus: Corpus, recipe: Recipe) -> None:
    table = train(trained_on, recipe).table
    assert_alike(drain(fast_corpus_encoding_steps(table, corpus)), drain(corpus_encoding_steps(table, corpus)))


@st.composite
def strange_merges(draw: st.DrawFn) -> list[Pair]:
    """Merges that no training would learn: any two ids there are, the newest ones more often than others, some pairs twice."""
    letters = draw(st.sampled_from([b"a", b"ab", b"abc"]))
    merges: list[Pair] = []
    for _ in range(draw(st.sampled_from([1, 4, 12, 40]))):
        ids = [*letters, *range(256, 256 + len(merges))]
        one = st.sampled_from(ids[-4:]) | st.sampled_from(ids)
        merges.append((draw(one), draw(one)))
    return merges


units = st.sampled_from([b"a", b"b", b"ab", b"aab", b"abc", b"c"])
runs = st.builds(lambda unit, times: unit * times, units, st.sampled_from([1, 2, 5, 40, 150]))
long_texts = st.lists(runs, min_size=1, max_size=40).map(b"".join)


@settings(deadline=None, max_examples=500)
@given(strange_merges(), long_texts, st.none() | st.integers(0, 40))
def test_long_stretches_are_merged_by_windows_as_they_are_whole(merges: list[Pair], text: bytes, k: int | None) -> None:
    assert_equal(byte_table(merges), text, k)
    assert_equal(byte_table(merges), text + b"\n" + text[:100], k)


@settings(deadline=None, max_examples=100)
@given(strange_merges(), long_texts)
def test_a_heap_over_all_gives_the_same(merges: list[Pair], text: bytes) -> None:
    table = byte_table(merges)
    compiled = drain(compiled_table.compiled_table(table))
    out = np.empty(len(text), np.int32)
    source = np.frombuffer(text, np.uint8)
    steps = merge_in_heap(source, 0, len(text), compiled.before_lift, compiled.size, out, 0)
    assert out[: drain(steps)].tolist() == drain(encoding_steps(table, text)).ids.tolist()


@settings(deadline=None, max_examples=20)
@given(strange_merges(), st.lists(runs, min_size=3, max_size=8).map(b"".join), st.integers(30, 300))
def test_stretches_too_long_for_one_call_are_merged_in_slices(merges: list[Pair], unit: bytes, times: int) -> None:
    text = (unit * times)[:20_000]
    assert_equal(byte_table(merges), text)
    spelled = replace(CHAPTER, pretokens=PreTokenRule.PATTERN, pattern="[^x]+")
    assert_equal(byte_table(merges, spelled), text)


def test_every_number_of_merges_over_one_cache() -> None:
    training = train(Corpus.of_text(b"the cat sat on the mat. the hat that sat\n" * 9), replace(GPT2, rows=None))
    text = b"that cat hates the other hat on the mat\n" * 5
    for k in [*range(training.learned + 1), 3, 0, training.learned]:
        assert_equal(training.table, text, k)


def test_two_texts_encoded_in_turns_do_not_meet() -> None:
    table = train(Corpus.of_text(b"abab abc bca cab " * 20), replace(GPT2, rows=None)).table
    rng = random.Random(8)
    texts = ["".join(rng.choices("abc ", k=400_000)).encode() for _ in range(2)]
    wanted = [drain(fast_encoding_steps(table, text)) for text in texts]
    walks = [fast_encoding_steps(table, text, k) for text in texts for k in (None, 3)]
    found: dict[int, EncodedText] = {}
    while len(found) < len(walks):
        for number, walk in enumerate(walks):
            if number not in found:
                try:
                    next(walk)
                except StopIteration as end:
                    found[number] = end.value
    assert_alike(found[0], wanted[0])
    assert_alike(found[2], wanted[1])


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("name", ["chapter-81", "byte-words", "gpt2", "cl100k", "o200k"])
def test_the_result_is_the_same_with_any_number_of_threads(name: str, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "CHUNK", 3_000)
    scripts = importlib.import_module("tests.core.kernels.test_splitting_loops").MANY_SCRIPTS
    table = train(Corpus.of_text(scripts.encode() * 2), Recipe.of(name).asking(merges=200)).table
    text = (scripts * 12 + "a" * 9000 + scripts).encode()
    alone = drain(fast_encoding_steps(table, text))
    rows = Corpus.of_rows([line.encode() for line in (scripts * 8).split("\n")])
    with ThreadPoolExecutor(workers) as pool:
        assert_alike(drain(fast_encoding_steps(table, text, map_chunks=pool.map)), alone)
        assert drain(ids_steps(table, text, map_chunks=pool.map)).tolist() == alone.ids.tolist()
        assert_alike(drain(fast_corpus_encoding_steps(table, rows, map_chunks=pool.map)), drain(fast_corpus_encoding_steps(table, rows)))
        progress = Progress(lambda: progress.cancel() if progress.step.done > 10_000 else None)
        with pytest.raises(Cancelled):
            drain(fast_encoding_steps(table, text, map_chunks=pool.map), progress)
        assert_alike(drain(fast_encoding_steps(table, text, map_chunks=pool.map)), alone)


def test_words_in_bytes_on_threads_lose_what_they_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "CHUNK", 40)
    table = train(Corpus.of_text(b"ab abc"), Recipe(pretokens=PreTokenRule.WORDS)).table
    text = b"\n\nab  abc \n ab\nabc abc\n\nab " * 9
    assert_alike(drain(fast_encoding_steps(table, text, map_chunks=map)), drain(encoding_steps(table, text)))


def test_the_cache_is_emptied_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_table, "FEWEST_SLOTS", 1024)
    monkeypatch.setattr(compiled_table, "MOST_SLOTS", 2048)
    rng = random.Random(4)
    words = [" " + "".join(rng.choices("abcdefgh", k=rng.randint(1, 30))) for _ in range(6000)]
    table = train(Corpus.of_text("".join(words[:400]).encode()), replace(GPT2, rows=None)).table
    assert_equal(table, "".join(rng.choices(words, k=20_000)).encode())


def test_pretokens_that_were_made_up_to_share_a_row_give_way_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    from explorer.core.kernels import cache_loops

    monkeypatch.setattr(compiled_table, "MOST_SLOTS", compiled_table.FEWEST_SLOTS)
    rows = np.zeros(compiled_table.FEWEST_SLOTS * cache_loops.WORDS_A_ROW, np.uint64)
    sharing: dict[int, list[bytes]] = {}
    for number in range(200_000):
        word = b" %x" % (number * 7919)
        low, high = (np.uint64(part) for part in (int.from_bytes(word[:8], "little"), int.from_bytes(word[8:], "little") | len(word) << 56))
        sharing.setdefault(int(cache_loops.slot_of(low, high, rows)), []).append(word)
    words = max(sharing.values(), key=len)
    assert len(words) > 3 * cache_loops.PROBES
    table = train(Corpus.of_text(b"".join(words[:10]) * 2), replace(GPT2, rows=None)).table
    assert_equal(table, b"".join(random.Random(5).choices(words, k=5_000)))


def test_constants_of_the_kernels_are_those_of_the_alphabet() -> None:
    from explorer.core.kernels import merging_loops, spelling_loops

    assert (spelling_loops.BARE_MARKER, spelling_loops.FIRST_KEPT) == (alphabet.BARE_MARKER, alphabet.FIRST_KEPT)
    assert spelling_loops.KEPT_FROM == alphabet.KEPT_FROM <= int(merging_loops.ID)


def test_a_text_without_anything() -> None:
    for recipe in (CHAPTER, GPT2, Recipe.of("published"), Recipe(pretokens=PreTokenRule.PATTERN, pattern="a")):
        assert_equal(train(Corpus.of_text(b"ab ab\n"), recipe).table, b"")
        assert_equal(train(Corpus.of_text(b""), recipe).table, b"ab\n\n a")


def test_thousands_of_characters_that_a_table_lacks() -> None:
    rng = random.Random(2)
    text = "".join(chr(rng.randrange(0x4E00, 0x9FFF)) + rng.choice(["", "", " ", "\n", "é"]) for _ in range(6000)).encode() + b"\xff \xfe"
    for unknown in Unknown:
        for marker in (False, True):
            recipe = Recipe(AlphabetKind.CHARACTERS, marker, unknown, PreTokenRule.WORDS, merges=20)
            assert_equal(train(Corpus.of_text("é 一 丁七 é一\n".encode() * 3), recipe).table, text)


# which engine answers


def known(table: MergeTable) -> bool:
    return any(reference() is table for reference, _ in compiled_table._KNOWN.values())  # noqa: SLF001 - what is kept shows nowhere else


def test_a_long_text_is_encoded_by_the_compiled_engine_where_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"the cat sat on the mat " * 5_000
    table = train(Corpus.of_text(text[:500]), GPT2.asking(merges=20)).table
    wanted = drain(encoding_steps(table, text))
    monkeypatch.setattr(engines, "_why_not_loaded", lambda: "the kernels are not compiled yet")
    assert_alike(engines.encode(table, text), wanted)
    assert not known(table)
    monkeypatch.setattr(engines, "_why_not_loaded", lambda: None)
    assert_alike(engines.encode(table, text[:1000]), drain(encoding_steps(table, text[:1000])))
    assert not known(table)
    steps = engines.encoding_steps(table, text)
    assert not known(table)  # nothing is loaded before the first step, which a job takes
    assert_alike(drain(steps), wanted)
    assert known(table)
    corpus = Corpus.of_text(text)
    assert_alike(drain(engines.corpus_encoding_steps(table, corpus)), drain(corpus_encoding_steps(table, corpus)))


# time, memory, cancelling


@pytest.mark.parametrize("unit", ["a", " ", "^", "\n", "letters", "中"])
def test_a_megabyte_in_one_piece_takes_no_longer_than_its_length(unit: str) -> None:
    """Not a measurement: a quadratic case takes minutes here."""
    corpus = Corpus.of_text(b"the rain in spain stays mainly  in   the     plain aaaaaaaaaaaaaaaa\n\n\n\n" * 9)
    table = train(corpus, replace(GPT2, rows=None)).table
    letters = random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=1_000_000)
    text = "".join(letters) if unit == "letters" else unit * (1_000_000 // len(unit.encode()))
    same_text(text[:5000].encode(), table)
    started = time.process_time()
    same_text(text.encode(), table)
    assert time.process_time() - started < 5


def test_memory_settles_over_many_long_pastes() -> None:
    """A cache that kept each long piece for ever was another tool's leak."""
    table = train(Corpus.of_text(b"abcabc bcd cde def\n" * 20), replace(GPT2, rows=None)).table
    rng = random.Random(7)
    for _ in range(300):
        same_text("".join(rng.choices("abcdefg", k=5000)).encode(), table)
    (cache,) = drain(compiled_table.compiled_table(table)).free
    assert sum(array.nbytes for array in cache.arrays) < 2_000_000


def kept_for(table: MergeTable) -> "weakref.ref[compiled_table.CompiledTable]":
    return weakref.ref(drain(compiled_table.compiled_table(table)))


def test_what_is_kept_for_a_table_goes_with_it() -> None:
    table = byte_table([(97, 98)])
    assert_equal(table, b"abab")
    kept = kept_for(table)
    (cache,) = drain(compiled_table.compiled_table(table)).free
    cache_kept = weakref.ref(cache)
    del cache
    gc.disable()  # nothing else is waited for
    try:
        assert kept() is kept_for(table)()
        del table
        assert kept() is None
        assert cache_kept() is None
    finally:
        gc.enable()


def test_the_tables_asked_for_last_are_remembered() -> None:
    tables = [byte_table([(97, 98)]) for _ in range(compiled_table.TABLES + 1)]
    first, *others = [kept_for(table) for table in tables]
    assert first() is None
    assert all(others)
    assert kept_for(tables[1])() is others[0]()  # the one asked for longest ago is now the last
    again = kept_for(tables[0])
    assert [again() is None, *(one() is None for one in others)] == [False, False, True, *[False] * (compiled_table.TABLES - 2)]
    assert kept_for(tables[0])() is again()


def test_a_table_that_goes_while_it_is_encoded_with_is_gone_afterwards() -> None:
    tables = [byte_table([(97, 98)])]
    kept, walk = kept_for(tables[0]), ids_steps(tables.pop(), b"abab")
    with pytest.raises(StopIteration) as end:
        while True:
            next(walk)
    assert end.value.value.tolist() == [256, 256]
    del walk, end
    gc.collect()
    assert kept() is None


RECIPES = [GPT2, CHAPTER, Recipe.of("published"), replace(GPT2, lift=257)]


@pytest.mark.parametrize("recipe", RECIPES, ids=["gpt2", "entries", "published", "lift"])
def test_cancelled_at_any_step(recipe: Recipe) -> None:
    table = train(Corpus.of_text(b"the cat sat on the mat\n" * 9), recipe.asking()).table
    text = b"the cat sat on the mat that sat " * 20_000
    drain(fast_encoding_steps(table, text))  # the first time it takes more steps, to read the table
    steps = sum(1 for _ in fast_encoding_steps(table, text))
    assert steps > 3
    for after in (0, steps // 2, steps - 1):
        walk = fast_encoding_steps(table, text)
        for _ in range(after):
            next(walk)
        progress = Progress()
        progress.cancel()
        with pytest.raises(Cancelled):
            drain(walk, progress)
    assert len(drain(fast_encoding_steps(table, text))) == len(drain(encoding_steps(table, text)))


# what no loop may be given


def test_what_would_be_read_outside_the_arrays_is_refused() -> None:
    table = byte_table([(97, 98)])
    for steps in (fast_encoding_steps, ids_steps):
        with pytest.raises(ValueError, match="-1 merges"):
            drain(steps(table, b"ab", -1))
    for merges in ([(97, 256)], [(97, 98), (300, 97)], [(-1, 97)]):
        with pytest.raises(ValueError, match="the merge of rank"):
            drain(fast_encoding_steps(byte_table(merges), b"abab"))
        with pytest.raises(ValueError, match="not both there"):
            drain(fast_replay_steps(Corpus.of_text(b"abab"), byte_table(merges)))
