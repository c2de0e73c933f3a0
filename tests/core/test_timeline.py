"""The timeline at every merge of small trainings, equal to a naive recount: ranking, ties, counts, spellings, places."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import timeline as module
from explorer.core.alphabet import BARE_MARKER
from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText
from explorer.core.progress import drain
from explorer.core.recipe import Counting, PreTokenRule, Recipe, TieRule
from explorer.core.timeline import Place, Timeline, timeline_of, timeline_steps
from explorer.core.training import replay_table_steps, train
from explorer.core.vocabulary import Pair, TokenId
from tests.core.naive import Naive
from tests.core.strategies import corpora, few_letters, recipes
from tests.core.trained import CHAPTER, PUBLISHED, counts

ALL = 1_000_000


def places(timeline: Timeline, what: Pair | TokenId, k: int) -> list[Place]:
    return [place for part in timeline.occurrences(what, k) for place in part]


def tokens_of(encoded: EncodedText, offset: int) -> list[tuple[int, int, int]]:
    spans = zip(encoded.ids.tolist(), encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
    return [(token, start + offset, end + offset) for token, start, end in spans]


@settings(deadline=None, max_examples=200)
@given(corpora, recipes())
def test_the_ranking_at_every_merge_is_a_recount(corpus: Corpus, recipe: Recipe) -> None:
    naive, timeline = Naive(corpus, recipe), timeline_of(train(corpus, recipe))
    for k in reversed(range(timeline.training.learned + 1)):
        moment = naive.moments[k]
        ranked = timeline.ranked(k, ALL)
        assert [(row.pair, row.count, row.saved, row.tied) for row in ranked] == moment.ranked(recipe.min_count)
        assert timeline.ranked(k, 3) == ranked[:3]
        assert list(timeline.tied(k)) == moment.tied
        assert (timeline.distinct(k), timeline.length(k)) == (len(moment.counts), moment.length)
        assert {pair: timeline.pair_count(k, pair) for pair in moment.counts} == moment.counts


@settings(deadline=None, max_examples=150)
@given(corpora, recipes(), st.integers(0, 12))
def test_the_winner_at_k_is_the_merge_of_rank_k(corpus: Corpus, recipe: Recipe, k: int) -> None:
    timeline = timeline_of(train(corpus, recipe))
    k = min(k, timeline.training.learned)
    ranked = timeline.ranked(k, 1)
    if k < timeline.training.learned:
        merge = timeline.training.merges[k]
        assert (ranked[0].pair, ranked[0].count, ranked[0].saved) == (merge.pair, merge.count, merge.saved)
        assert len(timeline.tied(k)) == merge.tied
    elif ranked:
        assert recipe.merges == k


@settings(deadline=None, max_examples=100)
@given(few_letters.map(Corpus.of_text) | st.lists(few_letters, max_size=4).map(Corpus.of_rows), recipes(), st.integers(0, 12))
def test_places_of_pairs_and_tokens_are_a_recount(corpus: Corpus, recipe: Recipe, k: int) -> None:
    naive, timeline = Naive(corpus, recipe), timeline_of(train(corpus, recipe))
    k = min(k, timeline.training.learned)
    moment = naive.moments[k]
    for pair in moment.counts:
        found = places(timeline, pair, k)
        assert [(place.start, place.middle, place.end) for place in found] == moment.pair_places(pair)
        if recipe.counting is Counting.OVERLAPPING:
            assert sum(place.weight for place in found) == timeline.pair_count(k, pair)
    for token in {*corpus.data, *range(max(0, timeline.training.alphabet.first_merged_id - 8), timeline.training.table.size)}:
        found = places(timeline, token, k)
        assert [(place.start, place.end) for place in found] == moment.token_places(token)
        assert sum(place.weight for place in found) == timeline.token_count(k, token) == moment.token_count(token)
        assert all(corpus.starts[place.text] <= place.start <= place.end <= corpus.starts[place.text + 1] for place in found)


@settings(deadline=None, max_examples=80)
@given(st.dictionaries(st.sampled_from([b"ab", b"abab", b"ba", b"aab"]), st.integers(1, 4)), st.sampled_from(TieRule), st.integers(0, 5))
def test_places_of_counted_words_weigh_what_the_counts_say(counted: dict[bytes, int], tie: TieRule, k: int) -> None:
    timeline = timeline_of(train(Corpus.of_counts(counted), replace(PUBLISHED, tie=tie, min_count=1)))
    k = min(k, timeline.training.learned)
    for row in timeline.ranked(k, ALL):
        assert sum(place.weight for place in places(timeline, row.pair, k)) == row.count
    for token in range(timeline.training.table.size):
        assert sum(place.weight for place in places(timeline, token, k)) == timeline.token_count(k, token)


@settings(deadline=None, max_examples=150)
@given(corpora, recipes(), st.integers(0, 12), st.data())
def test_any_stretch_of_the_corpus_is_spelled_as_the_whole_is(corpus: Corpus, recipe: Recipe, k: int, data: st.DataObject) -> None:
    timeline = timeline_of(train(corpus, recipe))
    k = min(k, timeline.training.learned)
    size = len(corpus.data)
    start = data.draw(st.integers(0, size))
    end = data.draw(st.integers(start, size))
    offset, encoded = timeline.spell(start, end, k)
    assert offset <= start
    assert offset + len(encoded.data) >= end
    assert encoded.data == corpus.data[offset : offset + len(encoded.data)]
    whole_offset, whole = timeline.spell(0, size, k)
    assert whole_offset == 0
    here = tokens_of(encoded, offset)
    inside = [token for token in tokens_of(whole, 0) if token[1] >= offset and token[2] <= offset + len(encoded.data)]
    assert here == inside
    covering = [token for token in tokens_of(whole, 0) if token[1] < end and token[2] > start]
    assert set(covering) <= set(here)


@settings(deadline=None, max_examples=80)
@given(few_letters.map(Corpus.of_text), recipes(), st.integers(0, 12))
def test_the_whole_corpus_spelled_has_the_length_at_that_merge(corpus: Corpus, recipe: Recipe, k: int) -> None:
    timeline = timeline_of(train(corpus, recipe))
    k = min(k, timeline.training.learned)
    _, whole = timeline.spell(0, len(corpus.data), k)
    outside = corpus.data.count(b"\n") if recipe.pretokens is PreTokenRule.BYTE_WORDS else 0
    assert len(whole) - outside == timeline.length(k)


def test_a_pair_across_a_lifted_boundary_has_its_places_from_the_lift_on() -> None:
    timeline = timeline_of(train(Corpus.of_text(b"ab ab ab\nab ab"), replace(PUBLISHED, lift=4)))
    pair = timeline.tied(1)[0]
    assert timeline.training.lift_rank == 1
    assert timeline.pair_count(1, pair) == 3
    assert [(place.start, place.middle, place.end) for place in places(timeline, pair, 1)] == [(0, 3, 5), (3, 6, 8), (9, 12, 14)]


@pytest.mark.parametrize("lift", [3, 4, 1000])
def test_places_are_the_same_in_however_many_slices(monkeypatch: pytest.MonkeyPatch, lift: int) -> None:
    training = train(Corpus.of_text(b"ab ab ab ab\nab ab x ab ab"), replace(PUBLISHED, lift=lift))
    asked = [(row.pair, k) for k in range(training.learned + 1) for row in timeline_of(training).ranked(k, ALL)]
    whole = [places(timeline_of(training), pair, k) for pair, k in asked]
    monkeypatch.setattr(module, "CUTS_A_SLICE", 1)
    timeline = timeline_of(training)
    assert [places(timeline, pair, k) for pair, k in asked] == whole
    assert [sum(place.weight for place in found) for found in whole] == [timeline.pair_count(k, pair) for pair, k in asked]
    assert len([part for part in timeline.occurrences(asked[0][0], 0) if part]) > 1


def test_no_more_is_spelled_than_the_edges_need() -> None:
    timeline = timeline_of(train(Corpus.of_text(b"abab cd\nabab"), Recipe.of("byte-words")))
    for start, end, covered in ((0, 4, (0, 4)), (1, 2, (0, 4)), (3, 5, (0, 7)), (7, 8, (7, 8)), (7, 9, (7, 12))):
        offset, encoded = timeline.spell(start, end, 1)
        assert (offset, offset + len(encoded.data)) == covered


def test_line_ends_are_tokens_with_places_under_entries_and_byte_words() -> None:
    corpus = Corpus.of_rows([b"ab", b"", b"ab"])
    for recipe in (CHAPTER, Recipe.of("byte-words")):
        timeline = timeline_of(train(corpus, recipe))
        assert timeline.token_count(1, 10) == 3
        assert [(place.text, place.start, place.end) for place in places(timeline, 10, 1)] == [(0, 2, 3), (1, 3, 4), (2, 6, 7)]
        assert timeline.pair_count(1, (256, 10)) == 0
        assert places(timeline, (256, 10), 1) == []


def test_pairs_below_the_least_count_are_counted_but_not_ranked() -> None:
    timeline = timeline_of(train(counts(ab=3, cd=1), PUBLISHED))
    assert [row.count for row in timeline.ranked(0, ALL)] == [3]
    assert timeline.distinct(0) == 2
    assert timeline.ranked(1, ALL) == ()
    assert timeline.tied(1) == ()


def test_a_timeline_asked_in_any_order_answers_alike() -> None:
    text = b"she sells sea shells by the sea shore\nthe shells she sells are sea shells for sure\n" * 3
    training = train(Corpus.of_text(text), replace(Recipe.of("byte-words"), lift=270))
    assert training.learned > 24  # more than there are checkpoints
    asked = [*range(training.learned, -1, -3), *range(0, training.learned + 1, 7)]
    one, fresh = timeline_of(training), {k: timeline_of(training).ranked(k, ALL) for k in asked}
    assert {k: one.ranked(k, ALL) for k in asked} == fresh


def test_a_table_from_elsewhere_has_a_timeline_too() -> None:
    table = train(counts(low=5, lower=2), Recipe.of("script").asking()).table
    timeline = timeline_of(drain(replay_table_steps(counts(low=2, zoz=9, lowlow=1), table)))
    for k in range(timeline.training.learned):
        merge = timeline.training.merges[k]
        assert timeline.pair_count(k, merge.pair) == merge.count
        assert len(timeline.tied(k)) == (merge.tied if timeline.ranked(k, 1) else 0)
        assert timeline.length(k + 1) == merge.length
    assert [(row.count, row.tied) for row in timeline.ranked(0, 2)] == [(4, True), (4, True)]  # never the kept z
    assert sum(place.weight for place in places(timeline, table.id_of_rank(0), 1)) == 4


@pytest.mark.parametrize("corpus", [Corpus.of_text(b""), Corpus.of_counts({}), Corpus.of_rows([]), Corpus.of_text(b"   \n  ")])
def test_an_empty_corpus_has_a_timeline(corpus: Corpus) -> None:
    timeline = timeline_of(train(corpus, PUBLISHED))
    assert (timeline.ranked(0, ALL), timeline.tied(0), timeline.length(0), timeline.distinct(0)) == ((), (), 0, 0)
    assert len(timeline.spell(0, len(corpus.data), 0)[1]) == 0
    assert places(timeline, 0, 0) == []


def test_making_a_timeline_tells_how_far_it_is() -> None:
    training = train(Corpus.of_text(b"a b " * 5000), PUBLISHED)
    steps = timeline_steps(training)
    done = [step.done for step in steps]
    assert len(done) > 2
    assert done == sorted(done)


def test_a_bare_marker_stands_in_the_text_whose_word_it_ends() -> None:
    """It takes no byte, so that in counted words it lies where the next one begins, and at the end of the last where none does."""
    table = train(counts(ab=1), Recipe.of("fallback")).table
    given_here = drain(replay_table_steps(counts(a=3, xa=5), table))
    assert places(timeline_of(given_here), BARE_MARKER, 0) == [Place(0, 3, 1, 1, None), Place(1, 5, 3, 3, None)]
