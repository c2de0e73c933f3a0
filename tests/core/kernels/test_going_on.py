"""Going on from a training and forking it by what was kept of it: the merges and the timeline that training from nothing gives."""

from collections.abc import Generator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.core import kernels
from explorer.core.corpus import Corpus
from explorer.core.progress import Step, drain
from explorer.core.recipe import Choice, PreTokenRule, Recipe, TieRule
from explorer.core.timeline import timeline_of
from explorer.core.training import Training, UnderWay, replay_table_steps, train, training_steps
from explorer.core.vocabulary import byte_piece
from tests.core.strategies import corpora, either_engine
from tests.core.trained import CHAPTER, PUBLISHED

if kernels.why_not() is not None:
    pytest.skip(str(kernels.why_not()), allow_module_level=True)

from explorer.core import fast_stage, fast_training, square_count
from explorer.core.fast_timeline import FastTimeline, fast_timeline_steps
from explorer.core.fast_training import fast_replay_steps, fast_training_steps
from explorer.core.stage_history import FastHistory

many = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


def keeping(corpus: Corpus, recipe: Recipe, prefix: Training | None = None) -> Training:
    return drain(fast_training_steps(corpus, recipe, prefix, under_way=UnderWay()))


def assert_same(one: Training, other: Training, before: FastTimeline | None = None) -> FastTimeline:
    """Merges, and what the timeline says at every merge; returns the timeline."""
    assert (one.merges, one.lift_rank, one.stopped, one.recipe) == (other.merges, other.lift_rank, other.stopped, other.recipe)
    answers, others = timeline_of(one), drain(fast_timeline_steps(other, before))
    for k in range(one.learned + 1):
        assert others.ranked(k, 1000) == answers.ranked(k, 1000)
        assert (others.tied(k), others.distinct(k)) == (answers.tied(k), answers.distinct(k))
    return others


@pytest.fixture(params=[0, 3, 4096])
def learned_again(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages of every few merges, or few stages."""
    monkeypatch.setattr(fast_training, "LEARNED_AGAIN", request.param)


@many
@given(corpora, either_engine, st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_asking_for_more_again_and_again_is_asking_for_all(learned_again: None, corpus: Corpus, recipe: Recipe, more: list[int]) -> None:
    wanted = more[0]
    training = keeping(corpus, recipe.asking(merges=wanted))
    timeline = drain(fast_timeline_steps(training))
    for step in [*more[1:], None]:
        wanted += step or 0
        asked = recipe.asking(merges=None if step is None else wanted)
        training = keeping(corpus, asked, training)
        timeline = assert_same(train(corpus, asked), training, timeline)


@many
@given(corpora, either_engine, st.data())
def test_a_fork_of_a_fork(learned_again: None, corpus: Corpus, recipe: Recipe, data: st.DataObject) -> None:
    training = keeping(corpus, recipe)
    timeline = drain(fast_timeline_steps(training))
    for _ in range(3):
        rank = data.draw(st.integers(0, training.learned))
        candidates = timeline_of(replace(train(corpus, recipe), recipe=replace(recipe, min_count=1))).ranked(rank, 9)
        if not candidates:
            return
        pair = data.draw(st.sampled_from([row.pair for row in candidates]))
        choice = Choice(rank, training.table.piece(pair[0]), training.table.piece(pair[1]))
        recipe = replace(recipe, choices=(*(made for made in recipe.choices if made.rank < rank), choice))
        recipe = recipe if recipe.merges is None else recipe.asking(merges=max(recipe.merges, rank + 1))
        training = keeping(corpus, recipe, training.cut(rank))
        timeline = assert_same(train(corpus, recipe), training, timeline)


@many
@given(corpora, either_engine, st.integers(0, 60), st.booleans())
def test_a_training_stopped_anywhere_keeps_what_it_learned_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, corpus: Corpus, recipe: Recipe, steps: int, forgets: bool
) -> None:
    monkeypatch.setattr(fast_stage, "PLACES_A_STEP", 1)  # so that it stops in the middle of merges as well
    under_way = UnderWay()
    stopped = stop_after(fast_training_steps(corpus, recipe, under_way=under_way), steps)
    whole = train(corpus, recipe)
    if under_way.begun:
        assert_same(replace(whole.cut(0), recipe=recipe), replace(under_way.begun, stopped=whole.cut(0).stopped))
    if not stopped or under_way.stopped is None:
        return
    part = under_way.stopped
    expected = whole.cut(part.learned) if part.learned < whole.learned else replace(whole, recipe=part.recipe, stopped=part.stopped)
    if part.lift_rank is None:  # the boundary may be lifted where it stopped, and had not been yet
        expected = replace(expected, lift_rank=None)
    assert_same(replace(expected, recipe=part.recipe), part)
    if forgets:
        part.kept.clear()
    assert_same(whole, keeping(corpus, recipe, replace(part, recipe=recipe)))


@pytest.mark.parametrize("tie", [TieRule.FIRST_MET, TieRule.LAST_MET])
def test_stopped_while_the_pair_of_a_choice_is_looked_for(tie: TieRule, monkeypatch: pytest.MonkeyPatch) -> None:
    """The choice occurs once, so that a stage begins for it; what is tied just before belongs to the stage that ends."""
    monkeypatch.setattr(fast_stage, "SLOTS_A_STEP", 3)
    monkeypatch.setattr(square_count, "SLOTS_A_STEP", 3)
    corpus = Corpus.of_text(b"xy.xy.xy.ef,ab,ef,cd,ab,cd,zq")
    choice = Choice(1, byte_piece(ord("z")), byte_piece(ord("q")))
    recipe = replace(CHAPTER, pretokens=PreTokenRule.GPT2, tie=tie, min_count=2, choices=(choice,))
    expected, seen = train(corpus, recipe).cut(1), 0
    for steps in range(200):
        under_way = UnderWay()
        if not stop_after(fast_training_steps(corpus, recipe, under_way=under_way), steps):
            break
        if under_way.stopped and under_way.stopped.learned == 1:
            assert_same(replace(expected, recipe=under_way.stopped.recipe), under_way.stopped)
            seen += 1
    assert seen > 5


def stop_after(steps: Generator[Step, None, Training], count: int) -> bool:
    """Closes a training after some steps; whether it was not over before."""
    for _ in range(count):
        if next(steps, None) is None:
            return False
    steps.close()
    return True


@settings(deadline=None, max_examples=60)
@given(corpora, either_engine, st.integers(0, 30))
def test_the_readable_engine_stops_with_what_it_learned_too(corpus: Corpus, recipe: Recipe, steps: int) -> None:
    under_way = UnderWay()
    stopped = stop_after(training_steps(corpus, recipe, under_way=under_way), steps)
    whole = train(corpus, recipe)
    if under_way.begun:
        zero = whole.cut(0)
        assert (under_way.begun.merges, under_way.begun.lift_rank, under_way.begun.recipe) == ((), zero.lift_rank, recipe)
    if stopped and under_way.stopped:
        assert under_way.stopped.merges == whole.merges[: under_way.stopped.learned]
        assert train(corpus, recipe, prefix=replace(under_way.stopped, recipe=recipe)).merges == whole.merges


@settings(deadline=None, max_examples=60)
@given(corpora, corpora, either_engine, st.data())
def test_a_fork_of_a_table_from_elsewhere(learned_on: Corpus, corpus: Corpus, recipe: Recipe, data: st.DataObject) -> None:
    table = train(learned_on, recipe).table
    one = drain(replay_table_steps(corpus, table))
    other = drain(fast_replay_steps(corpus, table, under_way=UnderWay()))
    rank = data.draw(st.integers(0, one.learned))
    asked = recipe.asking(merges=data.draw(st.integers(0, rank + 6)))
    for forgets in (False, True):
        if forgets:
            other.kept.clear()
        assert_same(train(corpus, asked, prefix=one.cut(rank)), keeping(corpus, asked, other.cut(rank)))


def test_less_of_a_table_from_elsewhere_lifts_where_this_corpus_says_and_not_where_the_table_does() -> None:
    """The table lifts after a merge that does not occur here: asked for no merge, nothing is left to merge in the first stage."""
    recipe = replace(PUBLISHED, marker=False, min_count=2, lift=None)
    table = train(Corpus.of_text(b"ab ab"), replace(recipe, lift=4)).table
    corpus = Corpus.of_text(b"a a a a\nb")
    one, other = drain(replay_table_steps(corpus, table)), drain(fast_replay_steps(corpus, table, under_way=UnderWay()))
    assert (one.lift_rank, other.lift_rank) == (1, 1)
    for merges in (0, 1):
        asked = table.recipe.asking(merges=merges)
        assert_same(train(corpus, asked, prefix=one), keeping(corpus, asked, other))
    assert keeping(corpus, table.recipe.asking(merges=0), other).lift_rank == 0


def test_asking_for_few_more_again_and_again_takes_no_more_room_each_time() -> None:
    corpus = Corpus.of_text(b"she sells sea shells by the sea shore\nthe shells she sells are sea shells for sure\n" * 9)
    training = keeping(corpus, CHAPTER.asking(merges=5))
    for merges in range(6, 60):
        training = keeping(corpus, CHAPTER.asking(merges=merges), training)
        assert isinstance(training.history, FastHistory)
        assert len(training.history.stages) <= 2 and len(training.kept) == 1


def test_what_is_asked_less_of_is_cut_and_not_learned_again() -> None:
    corpus = Corpus.of_text(b"ab ab abc abc\n" * 5)
    training = keeping(corpus, CHAPTER)
    steps = fast_training_steps(corpus, CHAPTER.asking(merges=2), training)
    assert list(steps) == []
    assert keeping(corpus, CHAPTER.asking(merges=2), training) == train(corpus, CHAPTER.asking(merges=2))


@pytest.mark.parametrize("tie", TieRule)
def test_only_who_asks_for_it_has_slots_kept(tie: TieRule) -> None:
    corpus, recipe = Corpus.of_text(b"ab ab abc abc\n" * 5), replace(PUBLISHED, tie=tie, lift=8)
    assert drain(fast_training_steps(corpus, recipe)).kept == []
    kept = keeping(corpus, recipe).kept
    assert [one.lifted for one in kept] == [False, True]
    assert all(0 < one.size < 2000 for one in kept)
