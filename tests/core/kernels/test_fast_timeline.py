"""The timeline of compiled trainings, equal to the readable one at every merge: ranking, ties, counts, spellings and places."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.core import kernels
from explorer.core.corpus import Corpus
from explorer.core.encoding import KEPT_ID, EncodedText, corpus_encoding_steps
from explorer.core.progress import drain
from explorer.core.recipe import Choice, PreTokenRule, Recipe, TieRule
from explorer.core.timeline import PLACES_A_SLICE, Place, Timeline, timeline_of
from explorer.core.training import Training, replay_table_steps, train
from explorer.core.vocabulary import Pair, Piece, TokenId
from tests.core.strategies import corpora, either_engine
from tests.core.trained import CHAPTER, PUBLISHED

if kernels.why_not() is not None:
    pytest.skip(str(kernels.why_not()), allow_module_level=True)

from explorer.core import byte_encoding, fast_ranking, stretches
from explorer.core.fast_encoding import fast_corpus_encoding_steps
from explorer.core.fast_timeline import FastTimeline, fast_timeline_steps
from explorer.core.fast_training import fast_replay_steps, fast_training_steps
from explorer.core.kernels import encoding_loops
from explorer.core.stage_history import FastHistory, history_of

ALL = 1_000_000
OWN_PATTERN = replace(Recipe.of("gpt2"), pretokens=PreTokenRule.PATTERN, pattern=r"\w+|\W+")
TEXT = b"she sells sea shells by the sea shore\nthe shells she sells are sea shells for sure\n" * 3
many = settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])


def fast(corpus: Corpus, recipe: Recipe, prefix: Training | None = None) -> FastTimeline:
    return drain(fast_timeline_steps(drain(fast_training_steps(corpus, recipe, prefix))))


@pytest.fixture(params=[(1, 3, 1, 7, 2), (2, 20, 3, 40, 65_536), (4096, 65_536, 512, 65_536, 65_536)])
def checkpoints(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints of a few pairs and a few merges, and no count but 0 and 1 tallied, or as they are."""
    names = ("KEPT", "EVENTS_A_CHECKPOINT", "MERGES_A_CHECKPOINT", "KEPT_AT_MOST", "COUNTS_TALLIED")
    for name, value in zip(names, request.param, strict=True):
        monkeypatch.setattr(fast_ranking, name, value)
    monkeypatch.setattr(fast_ranking, "BORN_SINCE_AT_MOST", request.param[3])


def assert_same_pairs(one: Timeline, other: Timeline, k: int) -> None:
    assert other.ranked(k, ALL) == one.ranked(k, ALL)
    assert other.ranked(k, 3) == one.ranked(k, 3)
    assert other.tied(k) == one.tied(k)
    assert (other.distinct(k), other.length(k)) == (one.distinct(k), one.length(k))


def tokens_of(encoded: EncodedText, offset: int) -> list[tuple[int, int, int]]:
    spans = zip(encoded.ids.tolist(), encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
    return [(token, start + offset, end + offset) for token, start, end in spans]


def places(timeline: Timeline, what: Pair | TokenId, k: int) -> list[Place]:
    return [place for part in timeline.occurrences(what, k) for place in part]


@many
@given(corpora, either_engine)
def test_the_ranking_at_every_merge(checkpoints: None, corpus: Corpus, recipe: Recipe) -> None:
    one, other = timeline_of(train(corpus, recipe)), fast(corpus, recipe)
    for k in reversed(range(one.training.learned + 1)):
        assert_same_pairs(one, other, k)


@many
@given(st.text("ab", max_size=150) | st.text("abc\n", max_size=100), st.sampled_from(TieRule), st.integers(1, 3))
def test_runs_of_few_letters_at_every_merge(checkpoints: None, text: str, tie: TieRule, least: int) -> None:
    corpus, recipe = Corpus.of_text(text.encode()), replace(CHAPTER, tie=tie, min_count=least)
    one, other = timeline_of(train(corpus, recipe)), fast(corpus, recipe)
    for k in range(one.training.learned + 1):
        assert_same_pairs(one, other, k)


@settings(deadline=None, max_examples=150)
@given(corpora, either_engine)
def test_counts_of_every_pair_and_token(corpus: Corpus, recipe: Recipe) -> None:
    one, other = timeline_of(train(corpus, recipe)), fast(corpus, recipe)
    everything = timeline_of(replace(train(corpus, recipe), recipe=replace(recipe, min_count=1)))
    for k in range(one.training.learned + 1):
        for row in everything.ranked(k, 60):
            assert other.pair_count(k, row.pair) == row.count
        assert other.pair_count(k, (0, one.training.table.size - 1)) == one.pair_count(k, (0, one.training.table.size - 1))
        for token in range(max(0, one.training.table.size - 120), one.training.table.size):
            assert other.token_count(k, token) == one.token_count(k, token)
        assert other.token_count(k, 10) == one.token_count(k, 10)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpora, either_engine, st.integers(0, 12), st.data())
def test_stretches_are_spelled_as_the_whole_is(
    monkeypatch: pytest.MonkeyPatch, corpus: Corpus, recipe: Recipe, k: int, data: st.DataObject
) -> None:
    monkeypatch.setattr(stretches, "STRETCH", 5)
    one, other = timeline_of(train(corpus, recipe)), fast(corpus, recipe)
    k, read = min(k, one.training.learned), one.training.corpus
    size = len(read.data)
    start = data.draw(st.integers(0, size))
    end = data.draw(st.integers(start, size))
    offset, encoded = other.spell(start, end, k)
    assert offset <= start
    assert offset + len(encoded.data) >= end
    assert encoded.data == read.data[offset : offset + len(encoded.data)]
    whole = tokens_of(one.spell(0, size, k)[1], 0)
    assert tokens_of(encoded, offset) == [token for token in whole if token[1] >= offset and token[2] <= offset + len(encoded.data)]
    assert {token for token in whole if token[1] < end and token[2] > start} <= set(tokens_of(encoded, offset))
    for what in [*(row.pair for row in one.ranked(k, 4)), *range(one.training.table.size - 4, one.training.table.size), 10]:
        assert places(other, what, k) == places(one, what, k)


@pytest.mark.parametrize("recipe", [CHAPTER, Recipe.of("byte-words"), OWN_PATTERN], ids=["entries", "byte-words", "own pattern"])
def test_of_a_long_pretoken_only_what_lies_between_sure_edges_is_spelled(recipe: Recipe) -> None:
    letters = random.Random(5)
    text = bytes(letters.choices(b"abcdefgh", range(1, 9), k=60_000)) + b"xabx"
    corpus = Corpus.of_text(text)
    timeline = fast(corpus, recipe.asking(merges=24))
    whole = tokens_of(drain(corpus_encoding_steps(timeline.training.table, corpus, 24)), 0)
    for start in (0, 1, 777, 30_000, 59_990):
        offset, encoded = timeline.spell(start, start + 100, 24)
        assert offset <= start and offset + len(encoded.data) >= min(start + 100, len(text))
        assert len(encoded.data) < 2_000, "the pre-token has sixty thousand"
        stop = offset + len(encoded.data)
        assert tokens_of(encoded, offset) == [token for token in whole if token[1] >= offset and token[2] <= stop]
        assert len(timeline.spell(start, start + 100, 0)[1].data) <= 102, "before any merge every edge is sure"


def test_places_come_some_at_a_time_also_where_a_line_is_long() -> None:
    timeline = fast(Corpus.of_text(b"ab" * 100_000), CHAPTER.asking(merges=0))
    for what, start in ((97, 0), ((98, 97), 1)):
        parts = list(timeline.occurrences(what, 0))
        assert max(map(len, parts)) <= PLACES_A_SLICE
        assert [place.start for part in parts for place in part] == list(range(start, 200_000 - start, 2))


def test_spans_of_a_long_pretoken_are_filled_in_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = random.Random(2)
    corpus = Corpus.of_text(bytes(letters.choices(b"ab", k=20_000)))
    table = fast(corpus, CHAPTER.asking(merges=9)).training.table
    whole = drain(corpus_encoding_steps(table, corpus))
    filled: list[int] = []
    fill_spans = encoding_loops.fill_spans

    def watched(out: object, merges: object, start: int, first: int, last: int, group: int) -> None:
        filled.append(last - first)
        fill_spans(out, merges, start, first, last, group)

    monkeypatch.setattr(encoding_loops, "fill_spans", watched)
    monkeypatch.setattr(byte_encoding, "TOKENS_A_STEP", 700)
    found = drain(fast_corpus_encoding_steps(table, corpus))
    assert len(filled) > 5 and max(filled) <= 700
    assert tokens_of(found, 0) == tokens_of(whole, 0) and found.groups.tolist() == whole.groups.tolist()


@pytest.mark.parametrize("preset", ["gpt2", "cl100k", "o200k"])
def test_line_ends_before_anything_a_pattern_knows(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "STRETCH", 3)
    joined = [b"a", b"'s", b"'S", b" ", b"  ", b"/", b"//", b"1", b"12345", b"-", b"--", b"\xff", b"\t", b"\r", b"\x1c"]
    joined += ["é".encode(), "\u00a0".encode()]
    text = b"".join(one + gap + other for one in joined for gap in (b"\n", b"\n\n", b"\r\n", b" \n") for other in joined)
    corpus, recipe = Corpus.of_text(text), Recipe.of(preset).asking(merges=20)
    one, other = timeline_of(train(corpus, recipe)), fast(corpus, recipe)
    whole = tokens_of(one.spell(0, len(text), 20)[1], 0)
    found = []
    for part in stretches.stretches(corpus, recipe, lifted=False):
        found += tokens_of(other.spell(part.start, part.end, 20)[1], part.start)
    assert found == whole


@pytest.mark.parametrize("tie", TieRule)
def test_forks_and_what_was_gone_on_from(tie: TieRule) -> None:
    corpus, recipe = Corpus.of_text(TEXT), replace(Recipe.of("byte-words"), tie=tie)
    training = train(corpus, recipe)
    pair = timeline_of(training).ranked(5, 9)[8].pair
    chosen = replace(recipe, choices=(Choice(5, training.table.piece(pair[0]), training.table.piece(pair[1])),))
    one, other = timeline_of(train(corpus, chosen)), fast(corpus, chosen, training.cut(5))
    again = fast(corpus, recipe).on(other.training)
    for k in range(one.training.learned + 1):
        assert_same_pairs(one, other, k)
        assert_same_pairs(one, again, k)


def test_a_training_cut_short_has_a_timeline_up_to_there() -> None:
    corpus = Corpus.of_text(TEXT)
    whole = drain(fast_training_steps(corpus, CHAPTER))
    one, other = timeline_of(train(corpus, CHAPTER.asking(merges=7))), drain(fast_timeline_steps(whole.cut(7)))
    for k in range(8):
        assert_same_pairs(one, other, k)
    assert other.token_count(7, whole.table.id_of_rank(3)) == one.token_count(7, whole.table.id_of_rank(3))


@pytest.mark.parametrize("tie", TieRule)
def test_a_table_from_elsewhere(tie: TieRule) -> None:
    table = train(Corpus.of_text(TEXT), replace(PUBLISHED, tie=tie)).table
    corpus = Corpus.of_text(b"sell shells to the seller\n" * 3)
    training = drain(fast_replay_steps(corpus, table))
    other = drain(fast_timeline_steps(training))
    one = timeline_of(replace(training, history=None))
    for k in range(training.learned + 1):
        assert_same_pairs(one, other, k)


@settings(deadline=None, max_examples=60)
@given(corpora, either_engine)
def test_merges_that_came_without_a_history_or_with_too_little_of_it_are_replayed(corpus: Corpus, recipe: Recipe) -> None:
    training = drain(fast_training_steps(corpus, recipe))
    assert history_of(training) is training.history
    every = replace(training, recipe=replace(recipe, min_count=1))
    assert isinstance(training.history, FastHistory)
    assert (history_of(every) is not None) == all(stage.kept_from == 1 for stage in training.history.stages)
    assert history_of(train(corpus, recipe)) is None
    started = drain(fast_training_steps(corpus, recipe.asking(merges=0)))
    cancelled = replace(started, recipe=recipe, merges=training.merges, lift_rank=training.lift_rank)
    assert (history_of(cancelled) is not None) == (training.learned == 0)
    for asked in (every, cancelled, train(corpus, recipe)):
        one, other = timeline_of(replace(asked, history=None)), drain(fast_timeline_steps(asked))
        for k in range(training.learned + 1):
            assert_same_pairs(one, other, k)


@pytest.mark.parametrize("corpus", [*map(Corpus.of_text, (b"", b"   \n  ", b"a")), Corpus.of_counts({}), Corpus.of_rows([])])
def test_next_to_nothing(corpus: Corpus) -> None:
    for recipe in (PUBLISHED, CHAPTER):
        timeline = fast(corpus, recipe)
        assert_same_pairs(timeline_of(train(corpus, recipe)), timeline, 0)
        assert len(timeline.spell(0, len(corpus.data), 0)[1]) == timeline.length(0)
        assert places(timeline, 5, 0) == []


@pytest.mark.parametrize("k", [-1, 1])
def test_a_merge_that_was_never_made_is_refused(k: int) -> None:
    timeline = fast(Corpus.of_text(b"a"), CHAPTER)
    asked = (
        timeline.tied, timeline.distinct, timeline.length, timeline.effort, lambda k: timeline.ranked(k, 1),
        lambda k: timeline.pair_count(k, (1, 2)), lambda k: timeline.token_count(k, 97), lambda k: timeline.spell(0, 1, k),
        lambda k: next(timeline.occurrences(97, k)),
    )
    for ask in asked:
        with pytest.raises(ValueError, match="there is no merge"):
            ask(k)


def test_more_pairs_of_great_counts_than_have_room_in_a_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts from 65,535 on are not told apart where a checkpoint is made; the last pair, which has the greatest, was left out."""
    monkeypatch.setattr(fast_ranking, "KEPT", 2)
    monkeypatch.setattr(fast_ranking, "KEPT_AT_MOST", 4)
    words = [bytes([65 + at, 97 + at]) for at in range(9)]
    timeline = fast(Corpus.of_counts({word: 70_000 + (at == 8) for at, word in enumerate(words)}), PUBLISHED.asking(merges=0))
    assert [row.count for row in timeline.ranked(0, 3)] == [70_001, 70_000, 70_000]


def test_what_the_alphabet_lacks_is_in_no_pair_of_a_training_traced_again() -> None:
    """Merges of the readable engine are traced again as a training is, which does not follow what occurs once."""
    table = train(Corpus.of_text(b"ab ab ab"), replace(PUBLISHED, marker=False)).table
    given = drain(replay_table_steps(Corpus.of_text(b"ab ab xa"), table))
    one, other = timeline_of(given), drain(fast_timeline_steps(given))
    a, stand_in = table.find(Piece(b"a")), table.alphabet.stand_in
    assert a is not None and stand_in is not None
    for pair in ((stand_in, a), (stand_in, stand_in), (KEPT_ID, a)):
        assert other.pair_count(0, pair) == one.pair_count(0, pair) == 0


@pytest.mark.parametrize("name", ["chapter-81", "byte-words"])
def test_what_stands_beside_a_line_end_at_the_edge_of_a_stretch_is_no_pair_with_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "STRETCH", 1)
    corpus, recipe = Corpus.of_text(b"ab\nc\n"), Recipe.of(name).asking(merges=0)
    one, other = timeline_of(train(corpus, recipe)), fast(corpus, recipe)
    for pair in ((98, 10), (10, 99), (99, 10), (97, 98)):
        assert places(other, pair, 0) == places(one, pair, 0) == [Place(0, 1, 0, 2, 1)] * (pair == (97, 98))


def test_no_bytes_at_a_mark_of_a_pattern_are_spelled_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.encoding.NARROW_BELOW", 0)  # as of a long text: its parts were read past the end
    timeline = fast(Corpus.of_text(b"aa"), Recipe(pretokens=PreTokenRule.PATTERN, pattern="b", min_count=1))
    for k in (0, 1):
        offset, encoded = timeline.spell(0, 0, k)
        assert (offset, encoded.data, len(encoded)) == (0, b"", 0)


def test_marks_of_a_stretch_go_no_further_than_its_bytes() -> None:
    """Where a text ends there is no byte behind the stretch, and loops that go by the marks would read one."""
    training = fast(Corpus.of_rows([b"ab", b"", b"b"]), Recipe(pretokens=PreTokenRule.PATTERN, pattern="b", min_count=1)).training
    corpus, marks = training.corpus, training.pretokens.marks
    for start in range(len(corpus.data)):
        stretch = stretches.stretch_around(corpus, training.recipe, start, start + 1, lifted=False, marks=marks)
        assert stretch.marks is not None and stretch.marks.size == len(stretch.corpus.data)


def test_weights_past_32_bits() -> None:
    timeline = fast(Corpus.of_counts({b"aba": 5_000_000_000, b"ab": 1}), replace(PUBLISHED, marker=False))
    assert timeline.ranked(0, 1)[0].count == 5_000_000_001
    assert timeline.token_count(0, 1) == 10_000_000_001
