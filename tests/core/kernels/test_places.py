"""The places of tokens in 32 bits and in 64: the same, whichever the size of the text asks for; and texts that are never copied."""

from collections.abc import Callable, Generator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.core import byte_encoding, distinct, encoding, mapped, token_arrays
from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, corpus_encoding_steps, place_type
from explorer.core.fast_encoding import fast_corpus_encoding_steps, fast_encoding_steps, stretch_encoding_steps
from explorer.core.kernels import why_not
from explorer.core.mapped import ByteStore, MappedBytes
from explorer.core.pretokens import Losses
from explorer.core.progress import Step, drain
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.stretches import stretch_around
from explorer.core.table import MergeTable
from explorer.core.timeline import Place, places_in_slices, timeline_of
from explorer.core.token_arrays import Gathered, Tokens
from explorer.core.training import train
from explorer.core.vocabulary import Pair, TokenId
from tests.core.strategies import corpora, recipes

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"nothing is compiled here: {why_not()}")

TEXT = "that cat, hats! a ab\n\n  für Öl aaaaaaa\nab ab".encode() * 20
WORDS_IN_BYTES = Recipe(pretokens=PreTokenRule.WORDS)
SPANS = ("starts", "ends", "groups")


@pytest.fixture
def few_tokens_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_arrays, "TOKENS_A_STEP", 3)


def values(encoded: EncodedText) -> list[list[int]]:
    return [getattr(encoded, name).tolist() for name in ("ids", *SPANS)]


def types(encoded: EncodedText) -> set[np.dtype[np.signedinteger]]:
    return {getattr(encoded, name).dtype for name in SPANS}


def places(corpus: Corpus, encoded: EncodedText, offset: int, what: Pair | TokenId) -> list[Place]:
    return [place for some in places_in_slices(corpus, encoded, offset, what) for place in some]


def gathered(parts: list[Tokens]) -> Tokens:
    found = Gathered(1 << 40, spans=True, gapless=False)
    for part in parts:
        for _ in found.add_steps(part, 1):
            pass
    return found.tokens()


def test_two_gigabytes_are_where_places_become_wide() -> None:
    assert place_type(0) is place_type(encoding.NARROW_BELOW - 1) is np.int32
    assert place_type(encoding.NARROW_BELOW) is np.int64
    assert np.iinfo(np.int32).max >= encoding.NARROW_BELOW  # so that the place after the last byte is sought as well


@pytest.mark.usefixtures("few_tokens_a_step")
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpora, recipes(), st.booleans())
def test_tokens_are_the_same_in_wide_places(corpus: Corpus, recipe: Recipe, on_threads: bool) -> None:
    table = train(corpus, recipe).table
    lent = map if on_threads else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distinct, "CHUNK", 20)
        narrow = [drain(fast_corpus_encoding_steps(table, corpus, map_chunks=lent)), drain(corpus_encoding_steps(table, corpus))]
        patch.setattr(encoding, "NARROW_BELOW", 0)
        wide = [drain(fast_corpus_encoding_steps(table, corpus, map_chunks=lent)), drain(corpus_encoding_steps(table, corpus))]
    assert [types(each) for each in (*narrow, *wide)] == [{np.dtype(np.int32)}] * 2 + [{np.dtype(np.int64)}] * 2
    assert all(values(each) == values(narrow[0]) for each in (*narrow, *wide))


@pytest.mark.usefixtures("few_tokens_a_step")
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 1 << 31), st.integers(0, (1 << 31) - 1), st.booleans()), max_size=9), max_size=6)
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_high_bits_come_back(parts: list[list[tuple[int, int, bool]]]) -> None:
    """Tokens of up to two gigabytes with gaps of as much between them, in parts of which each numbers its groups from 1."""
    at, starts, ends, groups, number = 0, [], [], [], 0
    low: list[Tokens] = []
    for part in parts:
        first, before = len(starts), number
        for gap, width, begins in part:
            starts.append(at + gap)
            at += gap + width
            ends.append(at)
            number += begins or number == before
            groups.append(number)
        own = [np.array(each[first:], np.int64) for each in (starts, ends, groups)]
        own[2] -= before
        low.append(Tokens(np.arange(first, len(starts), dtype=np.int32), *(each.astype(np.int32) for each in own), Losses()))
    found = gathered(low)
    assert [each.tolist() for each in (found.ids, found.starts, found.ends, found.groups)] == [[*range(len(starts))], starts, ends, groups]


def test_more_pretokens_than_32_bits_count() -> None:
    """As many groups as no test can make: their numbers, too, go on past the highest that a part may hold."""
    numbers = np.arange((1 << 32) - 5, (1 << 32) + 5)
    part = Tokens(np.zeros(10, np.int32), *(numbers.astype(np.int32) for _ in range(3)), Losses())
    again = Tokens(np.zeros(1, np.int32), *(np.ones(1, np.int32) for _ in range(3)), Losses())
    begun = Tokens(np.zeros(1, np.int32), *(np.full(1, 1 << 30, np.int32) for _ in range(3)), Losses())
    wanted = [1 << 30, *(numbers + (1 << 30)).tolist(), (1 << 32) + 4 + (1 << 30) + 1]
    assert gathered([begun, part, again]).groups.tolist() == wanted


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("preset", ["gpt2", "chapter-81", "byte-words"])
def test_where_no_byte_is_between_tokens_their_spans_are_one_array(preset: str, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "NARROW_BELOW", 0 if wide else 1 << 20)
    table = train(Corpus.of_text(TEXT), Recipe.of(preset).asking(merges=9)).table
    encoded = drain(fast_encoding_steps(table, TEXT))
    assert encoded.starts.base is encoded.ends.base
    assert encoded.starts[1:].tolist() == encoded.ends[:-1].tolist()


def test_where_bytes_are_between_tokens_they_are_two() -> None:
    rows = Corpus.of_rows([b"ab ab", b"", b"ab"])
    for recipe, corpus in ((WORDS_IN_BYTES, Corpus.of_text(TEXT)), (Recipe.of("gpt2"), rows)):
        table = train(corpus, recipe.asking(merges=9)).table
        encoded = drain(fast_corpus_encoding_steps(table, corpus))
        assert any(start > end for end, start in pairwise([0, *sum(zip(encoded.starts, encoded.ends, strict=True), ())]))
        assert values(encoded) == values(drain(corpus_encoding_steps(table, corpus)))


def test_what_is_asked_of_places_may_lie_anywhere() -> None:
    table = train(Corpus.of_text(TEXT), Recipe.of("published").asking(merges=9)).table
    encoded = drain(fast_encoding_steps(table, TEXT))
    starts, ends = encoded.starts.tolist(), encoded.ends.tolist()
    for at in (-(1 << 40), -1, *range(len(TEXT) + 2), (1 << 31) - 1, 1 << 31, 1 << 40):
        assert encoded.starting_before(at) == sum(start < at for start in starts)
        assert encoded.ended_at(at) == sum(end <= at for end in ends)
    assert encoded.token_at(1 << 40) is encoded.token_at(-1) is None


def test_a_part_of_a_large_corpus_tells_its_places_in_all_of_it() -> None:
    table = train(Corpus.of_text(TEXT), Recipe.of("gpt2").asking(merges=9)).table
    encoded = drain(fast_encoding_steps(table, TEXT))
    far = (1 << 31) - 10  # the first tokens lie before what 32 bits hold, the others behind
    starts, ends = encoded.spans_in(far)
    assert (starts.tolist(), ends.tolist()) == ([far + at for at in encoded.starts.tolist()], [far + at for at in encoded.ends.tolist()])
    corpus = Corpus("large", TEXT, np.array([0, 1 << 33], np.int64))
    ids = encoded.ids.tolist()
    inside = int(np.flatnonzero(encoded.groups[:-1] == encoded.groups[1:])[0])
    for what in ((ids[inside], ids[inside + 1]), ids[inside]):
        near = places(corpus, encoded, 0, what)
        assert near
        moved = [replace(one, start=one.start + far, end=one.end + far, middle=one.middle and one.middle + far) for one in near]
        assert places(corpus, encoded, far, what) == moved


def test_seeking_a_place_copies_no_array() -> None:
    """numpy makes the types of both sides one first: as slow as going through all tokens."""
    encoded = drain(fast_encoding_steps(train(Corpus.of_text(TEXT), Recipe.of("gpt2").asking(merges=9)).table, TEXT))
    sought: list[type] = []

    class Watched(np.ndarray):
        def searchsorted(self, value: object, *_: object, **__: object) -> np.intp:
            sought.append(type(value))
            return np.intp(0)

    watched = replace(encoded, starts=encoded.starts.view(Watched), ends=encoded.ends.view(Watched))
    watched.token_at(5), watched.starting_before(5), watched.ended_at(np.int64(5))
    assert sought == [np.int32] * 3


# without a copy


class Slices(MappedBytes):
    """Bytes on the disk that know how much of them was asked for at once."""

    most = 0

    def __getitem__(self, at: int | slice) -> int | bytes:
        found = super().__getitem__(at)
        if isinstance(found, bytes):
            self.most = max(self.most, len(found))
        return found


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], Corpus]:
    def made(data: bytes) -> Corpus:
        store = ByteStore()
        store.write(data)
        return Corpus("text", store.data(), np.array([0, len(data)], np.int64))

    monkeypatch.setattr(mapped, "MAPPED_FROM", 1)
    monkeypatch.setattr(mapped, "MappedBytes", Slices)
    return made


@pytest.mark.parametrize("engine", [fast_corpus_encoding_steps, corpus_encoding_steps], ids=["compiled", "readable"])
@pytest.mark.parametrize("preset", ["gpt2", "chapter-81", "byte-words", "published"])
def test_a_corpus_on_the_disk_is_not_copied(
    engine: Callable[..., Generator[Step, None, EncodedText]], preset: str, on_disk: Callable[[bytes], Corpus],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(mapped, "PART", 100)
    table = train(Corpus.of_text(TEXT), Recipe.of(preset).asking(merges=9)).table
    corpus = on_disk(TEXT * 5)
    encoded = drain(engine(table, corpus))
    assert isinstance(corpus.data, Slices)
    assert encoded.data is corpus.data
    assert corpus.data.most < len(TEXT) or (engine is corpus_encoding_steps and preset == "gpt2")  # `regex` takes a text whole
    here = drain(engine(table, Corpus.of_text(TEXT * 5)))
    assert values(encoded) == values(here)
    assert (encoded.losses, encoded.exact, encoded.covered(7)) == (here.losses, here.exact, here.covered(7))


def test_places_are_found_in_a_corpus_on_the_disk_without_a_copy(
    on_disk: Callable[[bytes], Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapped, "PART", 100)
    training = train(Corpus.of_text(TEXT), Recipe.of("chapter-81").asking(merges=9))
    corpus = on_disk(TEXT)
    what = training.merges[3].pair
    found, expected = (list(timeline_of(one).occurrences(what, 3)) for one in (replace(training, corpus=corpus), training))
    assert found == expected
    assert any(found)
    assert isinstance(corpus.data, Slices)
    assert corpus.data.most < len(TEXT)


def test_what_was_read_is_let_go_of(on_disk: Callable[[bytes], Corpus], monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[int] = []
    table = train(Corpus.of_text(TEXT), Recipe.of("gpt2").asking(merges=9)).table
    corpus = on_disk(TEXT * 200)
    monkeypatch.setattr(byte_encoding, "SLICE", 10_000)
    monkeypatch.setattr(mapped.letting_go, "__defaults__", (30_000,))
    monkeypatch.setattr(Slices, "let_go", lambda self: gone.append(len(self)))
    drain(fast_corpus_encoding_steps(table, corpus))
    assert len(gone) >= len(corpus.data) // 40_000


def test_a_stretch_of_a_corpus_is_cut_to_its_end() -> None:
    table: MergeTable = train(Corpus.of_text(TEXT), Recipe.of("gpt2").asking(merges=9)).table
    corpus = Corpus.of_text(TEXT)
    stretch = stretch_around(corpus, table.recipe, 100, 200, lifted=False)
    encoded = drain(stretch_encoding_steps(table, stretch))
    assert int(encoded.ends[-1]) == len(encoded.data) == stretch.end - stretch.start


def test_the_parts_of_a_large_text_are_looked_for_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text on the disk would else be read in full, a page of each part, before the first step."""
    found: list[tuple[int, int]] = []

    def noted(*given: object) -> Generator[tuple[int, int], None, None]:
        for chunk in distinct.safe_chunks(*given):  # type: ignore[arg-type]
            found.append(chunk)
            yield chunk

    monkeypatch.setattr(distinct, "CHUNK", 100)
    monkeypatch.setattr(byte_encoding, "safe_chunks", noted)
    table = train(Corpus.of_text(TEXT), Recipe.of("gpt2").asking(merges=9)).table
    for lent, below in ((map, encoding.NARROW_BELOW), (None, 0)):
        monkeypatch.setattr(encoding, "NARROW_BELOW", below)
        steps, at_most = fast_encoding_steps(table, TEXT, map_chunks=lent), 0
        for step in steps:
            at_most = max(at_most, sum(start > step.done for start, _ in found))
        assert len(found) > 5
        assert at_most <= 1
        found.clear()
