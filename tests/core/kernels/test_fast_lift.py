"""The second stage begun by compiled loops: the whole texts that the readable engine lays out, and what is merged in them."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.core import kernels
from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.progress import drain
from explorer.core.recipe import AlphabetKind, Counting, PreTokenRule, Recipe, TieRule
from explorer.core.table import MergeTable
from explorer.core.timeline import timeline_of
from explorer.core.training import Training, replay_table_steps, train
from explorer.errors import TooLargeError
from tests.core.strategies import corpora, recipes
from tests.core.trained import PUBLISHED, counts

if kernels.why_not() is not None:
    pytest.skip(str(kernels.why_not()), allow_module_level=True)

from explorer.core import fast_lift
from explorer.core.fast_timeline import fast_timeline_steps
from explorer.core.fast_training import fast_replay_steps, fast_training_steps

few = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def lifted(draw: st.DrawFn) -> Recipe:
    """Any recipe of two stages, the lift early, so that there is something left to merge."""
    recipe = draw(recipes().filter(lambda recipe: recipe.pretokens is not PreTokenRule.ENTRIES))
    low = 256 if recipe.alphabet is AlphabetKind.BYTES else 0
    return replace(recipe, counting=Counting.OVERLAPPING, lift=low + draw(st.integers(0, 9)), merges=draw(st.none() | st.integers(0, 24)))


def fast(corpus: Corpus, recipe: Recipe) -> Training:
    return drain(fast_training_steps(corpus, recipe))


@pytest.fixture(params=[3, 11, fast_lift.BYTES_A_STRETCH])
def stretch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts put together from stretches of a few bytes, or whole."""
    monkeypatch.setattr(fast_lift, "BYTES_A_STRETCH", request.param)


@few
@given(corpora, lifted())
def test_both_stages_are_the_readable_ones(stretch: None, corpus: Corpus, recipe: Recipe) -> None:
    one, other = train(corpus, recipe), fast(corpus, recipe)
    assert (one.merges, one.lift_rank, one.stopped, one.alphabet) == (other.merges, other.lift_rank, other.stopped, other.alphabet)
    assert one.pretokens == other.pretokens


@few
@given(corpora, corpora, lifted())
def test_a_table_of_two_stages_is_replayed_on_any_corpus_alike(stretch: None, learned_on: Corpus, corpus: Corpus, recipe: Recipe) -> None:
    table = train(learned_on, recipe).table
    one, other = drain(replay_table_steps(corpus, table)), drain(fast_replay_steps(corpus, table))
    assert (one.merges, one.lift_rank, one.stopped) == (other.merges, other.lift_rank, other.stopped)
    if table.lift_rank is not None:  # be it that nothing was merged since
        answers, others = timeline_of(one), drain(fast_timeline_steps(other))
        for k in {table.lift_rank, one.learned}:
            assert others.ranked(k, 20) == answers.ranked(k, 20)


def test_words_a_thousand_times_over_are_laid_out_in_order() -> None:
    corpus = counts(abc=700, bca=1, cab=1999)
    for tie in TieRule:
        recipe = replace(PUBLISHED, tie=tie, lift=6)
        assert train(corpus, recipe).merges == fast(corpus, recipe).merges


def test_a_layout_too_large_is_refused_with_the_size_that_passed_the_bound() -> None:
    corpus, recipe = counts(ab=30_000_000, cd=20_000_001, ef=5), replace(PUBLISHED, lift=100)
    message = rf"one text of {thousands(50_000_001)} tokens and more"
    for trained in (train, fast):
        with pytest.raises(TooLargeError, match=message):
            trained(corpus, recipe)
    table = train(Corpus.of_text(b"ab"), replace(PUBLISHED, lift=0)).table  # which lifts after its last merge
    for replayed in (replay_table_steps, fast_replay_steps):
        with pytest.raises(TooLargeError, match=f"one text of {thousands(60_000_000)} tokens and more"):
            drain(replayed(corpus, table))


@pytest.mark.parametrize("preset", ["byte-words", "gpt2", "cl100k", "o200k", "published", "fallback", "script"])
def test_every_preset_on_some_pages(preset: str) -> None:
    random = Random(2)
    words = ["the", "of", "and", "in", "sea", "shell", "shore", "don't", "çà", "1234", "\u4e2d\u6587", "--", "  x"]
    lines = [" ".join(random.choices(words, k=random.randrange(9))) for _ in range(400)]
    corpus = Corpus.of_text("\n".join(lines).encode())
    base = Recipe.of(preset).asking(merges=90)
    recipe = replace(base, lift=(256 if base.alphabet is AlphabetKind.BYTES else 30) + 30)
    one, other = train(corpus, recipe), fast(corpus, recipe)
    assert (one.merges, one.lift_rank) == (other.merges, other.lift_rank)
    assert other.lift_rank is not None and other.lift_rank < other.learned
    assert isinstance(other.table, MergeTable)
