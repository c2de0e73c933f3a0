"""The compiled engine on threads: the same training and the same tokens with any number of them, and stopped at once."""

import random
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import distinct, layout
from explorer.core.corpus import Corpus
from explorer.core.engines import corpus_encoding_steps, encoding_steps, replay_table_steps, training_steps
from explorer.core.fast_pretokens import pretokenize_arrays
from explorer.core.kernels import why_not
from explorer.core.pretokens import pretokenize
from explorer.core.progress import Progress, drain
from explorer.core.recipe import Recipe
from explorer.core.training import Engine
from explorer.errors import Cancelled
from explorer.workers import Workers
from tests.core.strategies import any_bytes, corpora, few_letters, recipes, texts

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"nothing is compiled here: {why_not()}")

Result = TypeVar("Result")

COUNTS = st.sampled_from([1, 2, 3, 7])
PRESETS = st.sampled_from(["chapter-81", "byte-words", "published", "gpt2", "cl100k", "o200k"])
repeating = st.builds(lambda text, times: text * times, any_bytes | texts | few_letters, st.integers(1, 9))


def many_words(seed: int, size: int) -> bytes:
    chance = random.Random(seed)
    return b"".join(b"%x%s" % (chance.randrange(3000), chance.choice((b" ", b"\n", b"  "))) for _ in range(size))


@pytest.fixture
def tiny_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "CHUNK", 5)
    monkeypatch.setattr(distinct, "SLICE", 3)
    monkeypatch.setattr(distinct, "LOOK", 2)
    monkeypatch.setattr(layout, "PRETOKENS_A_STEP", 2)


@pytest.mark.usefixtures("tiny_chunks")
@settings(deadline=None, max_examples=150)
@given(corpora | st.builds(Corpus.of_text, repeating), recipes(), COUNTS)
def test_pre_tokens_are_the_same_with_any_number_of_workers(corpus: Corpus, recipe: Recipe, count: int) -> None:
    alone = drain(pretokenize_arrays(corpus, recipe))
    shared = drain(pretokenize_arrays(corpus, recipe, map_chunks=Workers(count)))
    assert shared[0] == alone[0]
    assert shared[1].pretokens() == alone[1].pretokens()


@st.composite
def nearly_alike(draw: st.DrawFn) -> bytes:
    """Words of up to 40 letters that differ in few places: what tells long ones apart is looked at in parts of 8 bytes."""
    size, words = draw(st.integers(6, 40)), [b""]
    for changed in draw(st.lists(st.sets(st.integers(0, 39), max_size=2), max_size=8)):
        longer = size + draw(st.integers(0, 2))
        words.append(bytes(b"ab"[at in changed] for at in range(longer)))
    return b" ".join(draw(st.lists(st.sampled_from(words), max_size=40)))


@pytest.mark.usefixtures("tiny_chunks")
@settings(deadline=None, max_examples=100)
@given(nearly_alike(), PRESETS, COUNTS)
def test_long_words_are_told_apart(text: bytes, name: str, count: int) -> None:
    corpus, recipe = Corpus.of_text(text), Recipe.of(name)
    expected = drain(pretokenize(corpus, recipe))[1]
    for lent in (None, Workers(count)):
        assert drain(pretokenize_arrays(corpus, recipe, map_chunks=lent))[1].pretokens() == expected


@settings(deadline=None, max_examples=40)
@given(st.builds(many_words, st.integers(0, 99), st.integers(0, 4000)), PRESETS, COUNTS)
def test_tables_of_many_words_add_up(text: bytes, name: str, count: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distinct, "CHUNK", 700)
        patch.setattr(distinct, "ROWS", 512)
        alone, shared = (
            drain(pretokenize_arrays(Corpus.of_text(text), Recipe.of(name), map_chunks=lent))[1].pretokens()
            for lent in (None, Workers(count))
        )
    assert shared == alone


@pytest.mark.usefixtures("compiled_engine", "tiny_chunks")
@settings(deadline=None, max_examples=60)
@given(st.builds(Corpus.of_text, repeating), recipes(), COUNTS)
def test_trainings_and_tokens_are_the_same_with_any_number_of_workers(corpus: Corpus, recipe: Recipe, count: int) -> None:
    lent = Workers(count)
    recipe = replace(recipe, merges=20, rows=None, choices=())
    alone, shared = drain(training_steps(corpus, recipe)), drain(training_steps(corpus, recipe, map_chunks=lent))
    assert shared.alphabet == alone.alphabet
    assert (shared.merges, shared.lift_rank, shared.stopped) == (alone.merges, alone.lift_rank, alone.stopped)
    replayed = [drain(replay_table_steps(corpus, alone.table, map_chunks=each)).merges for each in (None, lent)]
    assert replayed[0] == replayed[1]
    for one, other in (
        (drain(encoding_steps(alone.table, corpus.data)), drain(encoding_steps(alone.table, corpus.data, map_chunks=lent))),
        (drain(corpus_encoding_steps(alone.table, corpus)), drain(corpus_encoding_steps(alone.table, corpus, map_chunks=lent))),
    ):
        for column in ("ids", "starts", "ends", "groups"):
            assert getattr(one, column).tolist() == getattr(other, column).tolist()
        assert one.losses == other.losses


@pytest.mark.usefixtures("compiled_engine")
def test_stopped_while_a_thread_has_a_long_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text without a place to cut is one chunk: its thread looks at each slice whether anybody still wants it."""
    from explorer.core.kernels import distinct_loops  # which is not there where nothing is compiled

    counted: list[int] = []
    count_pretokens = distinct_loops.count_pretokens

    def watched(texts: object, table: object, stop: int, rule: int, marker: int) -> None:
        counted.append(stop)
        count_pretokens(texts, table, stop, rule, marker)

    def late(work: Callable[[tuple[int, int]], Result], chunks: Iterable[tuple[int, int]], /) -> Iterator[Result | None]:
        """Like a thread that comes to nothing until somebody waits for it."""
        found: list[Result] = []
        try:
            yield None
        finally:
            found += map(work, chunks)
        yield from found

    monkeypatch.setattr(distinct, "CHUNK", 1000)
    monkeypatch.setattr(distinct, "SLICE", 20)
    monkeypatch.setattr(distinct_loops, "count_pretokens", watched)
    corpus, recipe = Corpus.of_text(b"ab\t" * 3_000), Recipe.of("gpt2").asking(merges=0)
    assert drain(training_steps(corpus, recipe, map_chunks=late)).length_at_zero == 9_000
    assert len(counted) > 300
    counted.clear()
    progress = Progress(lambda: progress.cancel())
    with pytest.raises(Cancelled):
        drain(training_steps(corpus, recipe, map_chunks=late), progress)
    assert len(counted) == 1


@pytest.mark.usefixtures("compiled_engine", "tiny_chunks")
def test_no_thread_is_left_where_one_stops() -> None:
    progress, before = Progress(lambda: progress.cancel()), threading.active_count()
    with pytest.raises(Cancelled):
        drain(training_steps(Corpus.of_text(many_words(1, 20_000)), Recipe.of("gpt2"), map_chunks=Workers(2)), progress)
    assert threading.active_count() == before


@pytest.mark.usefixtures("compiled_engine")
def test_the_engine_that_counts_on_threads_is_the_compiled_one() -> None:
    training = drain(training_steps(Corpus.of_text(b"ab " * 9), Recipe.of("gpt2"), map_chunks=Workers(2)))
    assert training.engine is Engine.COMPILED
