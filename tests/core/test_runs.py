"""Runs and forks: a fork is the training with that choice, and two runs are told apart by piece."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.progress import Stage, drain
from explorer.core.recipe import Choice, Recipe
from explorer.core.runs import Run, fork_recipe, fork_steps, pair_name, rows_only_in, same_merges
from explorer.core.timeline import timeline_of
from explorer.core.training import replay_table_steps, train
from explorer.core.vocabulary import Piece
from tests.core.strategies import corpora, recipes
from tests.core.trained import CHAPTER, PUBLISHED, counts, same

FOUR = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def run_of(corpus: Corpus, recipe: Recipe) -> Run:
    return Run(1, None, None, recipe, train(corpus, recipe), "first")


@settings(deadline=None, max_examples=120)
@given(corpora, recipes(), st.data())
def test_a_fork_is_the_training_with_that_choice(corpus: Corpus, recipe: Recipe, data: st.DataObject) -> None:
    run = run_of(corpus, recipe)
    rank = data.draw(st.integers(0, run.training.learned))
    ranked = timeline_of(run.training).ranked(rank, 50)
    if not ranked:
        return
    pair = data.draw(st.sampled_from([row.pair for row in ranked]))
    fork = drain(fork_steps(run, rank, pair, 7))
    assert (fork.id, fork.parent, fork.fork_rank) == (7, 1, rank)
    assert same(fork.training, train(corpus, fork.recipe))
    assert fork.training.merges[:rank] == run.training.merges[:rank]
    table = fork.training.table
    assert [table.pieces[at] for at in table.merges[rank]] == [run.training.table.pieces[at] for at in pair]
    assert same_merges(run.training, fork.training) >= rank


def test_a_fork_replays_its_prefix_and_learns_the_rest() -> None:
    run = run_of(counts(**FOUR), PUBLISHED.asking(merges=10))
    pair = timeline_of(run.training).tied(3)[1]
    steps = list(fork_steps(run, 3, pair, 2))
    assert [step.done for step in steps if step.stage is Stage.REPLAYING] == [1, 2, 3]
    assert next(step.done for step in steps if step.stage is Stage.MERGING) == 4


def test_a_fork_of_the_rule_s_own_winner_is_the_same_table() -> None:
    run = run_of(counts(**FOUR), PUBLISHED.asking(merges=10))
    fork = drain(fork_steps(run, 3, run.training.merges[3].pair, 2))
    assert fork.training.table.merges == run.training.table.merges
    assert rows_only_in(run.training, fork.training) == ()


def test_choices_before_the_fork_stay_and_later_ones_go() -> None:
    run = run_of(counts(**FOUR), PUBLISHED.asking(merges=10))
    once = drain(fork_steps(run, 5, timeline_of(run.training).ranked(5, 5)[2].pair, 2))
    twice = drain(fork_steps(once, 7, timeline_of(once.training).ranked(7, 5)[0].pair, 3))
    assert [choice.rank for choice in twice.recipe.choices] == [5, 7]
    again = drain(fork_steps(twice, 7, timeline_of(twice.training).ranked(7, 5)[1].pair, 5))
    assert [choice.rank for choice in again.recipe.choices] == [5, 7]
    assert again.recipe.choices[1] != twice.recipe.choices[1]
    back = drain(fork_steps(twice, 2, timeline_of(twice.training).ranked(2, 5)[1].pair, 4))
    assert [choice.rank for choice in back.recipe.choices] == [2]


@pytest.mark.parametrize("size", [{"merges": 4}, {"rows": 16}, {}], ids=["merges", "rows", "to the end"])
def test_a_fork_at_the_end_makes_room_for_its_choice(size: dict[str, int]) -> None:
    run = run_of(counts(**FOUR), PUBLISHED.asking(**size))
    rank = min(4, run.training.learned)
    pair = timeline_of(run.training).ranked(rank, 5)[1].pair
    fork = drain(fork_steps(run, rank, pair, 2))
    assert fork.training.table.merges[rank] == pair
    assert fork.training.learned == (5 if size else fork.training.learned)
    assert fork_recipe(run, 0, pair).asking() == replace(PUBLISHED, choices=fork_recipe(run, 0, pair).choices)


def test_a_fork_where_the_boundary_lifts_may_cross_it() -> None:
    for lift in (4, 1000):
        run = run_of(Corpus.of_text(b"ab ab ab\nab ab cd"), replace(PUBLISHED, lift=lift, min_count=1))
        rank = run.training.lift_rank
        assert rank is not None
        across = [row.pair for row in timeline_of(run.training).ranked(rank, 9) if run.training.table.piece(row.pair[0]).marked]
        fork = drain(fork_steps(run, rank, across[-1], 2))
        assert fork.training.lift_rank == rank
        assert fork.training.table.merges[rank] == across[-1]


def test_a_table_from_elsewhere_can_be_forked() -> None:
    table = train(counts(**FOUR), PUBLISHED).table
    given_back = drain(replay_table_steps(counts(low=3, lot=4, zz=2), table))
    run = Run(1, None, None, table.recipe, given_back, "given")
    pair = timeline_of(given_back).ranked(1, 9)[-1].pair
    fork = drain(fork_steps(run, 1, pair, 2))
    assert fork.training.table.merges[:2] == (table.merges[0], pair)


def test_rows_and_merges_are_compared_by_piece() -> None:
    one, other = train(counts(**FOUR), PUBLISHED.asking(merges=10)), train(counts(zq=1, **FOUR), PUBLISHED.asking(merges=10))
    assert one.table.merges != other.table.merges  # another symbol moves every id
    assert same_merges(one, other) == 10
    assert rows_only_in(one, other) == ()
    third = train(counts(**FOUR), replace(PUBLISHED.asking(merges=10), choices=(Choice(0, Piece(b"s"), Piece(b"t", marked=True)),)))
    assert same_merges(one, third) == 0
    assert [one.table.text(at) for at in rows_only_in(one, third)] == ["es"]
    assert [third.table.text(at) for at in rows_only_in(third, one)] == ["st</w>"]


def test_a_pair_is_named_as_a_person_reads_it() -> None:
    table = train(counts(**FOUR), PUBLISHED).table
    first = table.merges[0]
    assert pair_name(table, first) == "e + s"
    in_bytes = train(Corpus.of_text("éé éé".encode()), CHAPTER).table
    assert pair_name(in_bytes, in_bytes.merges[0]) == "c3 + a9"
