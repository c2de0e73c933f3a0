"""The question of the greed lab, its answer, and what is said of it."""

from dataclasses import replace

import pytest

from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.runs import Run
from explorer.core.training import train
from explorer.errors import RecipeError
from explorer.gui.models import greed_search as greed
from explorer.gui.models.greed_search import Answer, Question, answer_steps, bare, recipe_at
from explorer.sources.exemplars import exemplar_named, open_exemplar


def answer(name: str, merges: int, nodes: int = greed.FIRST_NODES) -> Answer:
    return drain(answer_steps(Question(open_exemplar(name), bare(exemplar_named(name).recipe), merges, nodes)))


def test_greedy_loses_on_taste_and_the_best_is_proven() -> None:
    made = answer("taste", 4)
    assert made.optimum.best == (84, 66, 56, 46) and made.greedy.lengths == (84, 74, 64, 54)
    assert made.best.length(made.best.learned) == 46 and made.words.differing == 1
    states = thousands(made.optimum.nodes)
    assert greed.verdict(made) == f"Proven best: no sequence of 4 merges leaves fewer than 46 tokens. {states} states were looked at."
    assert greed.bound_words(made) == ""
    assert greed.share_words(made) == "Greedy saved 48 of the 56 tokens that could be saved, or 85.7\u00a0%."
    assert greed.rules_words(made) == "Greedy ends at 54 by lexicographic and lowest ids, at 46 by first met and last met."
    assert greed.decides_words(made) == "the tie rule decides: first met and last met would reach it"


def test_a_search_that_stops_tells_of_how_many_states_and_the_bound() -> None:
    made = answer("eighteen", 4, nodes=50)
    assert not made.optimum.proven and greed.verdict(made) == "The best of 50 states, not proven: 568 tokens after 4 merges."
    assert made.optimum.bound and greed.bound_words(made).startswith(f"No merges reach less than {made.optimum.bound.length}: ")
    assert greed.decides_words(made) == "nothing better was found"
    assert greed.share_words(made) == "Greedy saved 80 of the 80 tokens that the best found saves, or 100\u00a0%."


def test_where_nothing_can_be_merged_nothing_is_saved() -> None:
    made = drain(answer_steps(Question(Corpus.of_text(b"abc"), bare(Recipe.of("chapter-81")), 2, 100)))
    assert greed.share_words(made) == "No merge saves anything." and greed.decides_words(made) == "greedy reaches the best"


def test_a_lifted_boundary_is_refused() -> None:
    recipe = replace(bare(exemplar_named("taste").recipe), lift=3)
    with pytest.raises(RecipeError, match="lift"):
        drain(answer_steps(Question(open_exemplar("taste"), recipe, 2, 100)))


def test_size_and_choices_ask_no_other_question() -> None:
    corpus, recipe = open_exemplar("taste"), exemplar_named("taste").recipe
    made = answer("taste", 2)
    along = replace(recipe.asking(merges=9), choices=recipe_at(run_of(recipe), made.optimum.best_pairs).choices)
    one, other = (Question(corpus, bare(each), 2, 100) for each in (recipe, along))
    assert one.same_as(other) and not one.same_as(Question(corpus, bare(recipe), 3, 100)) and not one.same_as(None)
    assert not one.about(Question(open_exemplar("taste"), bare(recipe), 2, 100))  # read anew, it is another corpus


def run_of(recipe: Recipe) -> Run:
    return Run(1, None, None, recipe, train(open_exemplar("taste"), recipe), "")


def test_a_node_keeps_the_size_of_the_run_if_that_has_room() -> None:
    pairs = answer("taste", 3).optimum.best_pairs
    recipe = exemplar_named("taste").recipe
    assert recipe_at(run_of(recipe), pairs).merges is None
    assert recipe_at(run_of(recipe.asking(merges=2)), pairs).merges == 3
    assert recipe_at(run_of(recipe.asking(merges=7)), pairs).merges == 7
    run = run_of(recipe)
    by_rows = run_of(recipe.asking(rows=run.training.alphabet.floor + 1))
    assert recipe_at(by_rows, pairs).rows == run.training.alphabet.floor + 3
    training = train(open_exemplar("taste"), recipe_at(run, pairs))
    assert [merge.length for merge in training.merges[:3]] == [84, 66, 56]


def test_a_larger_corpus_begins_with_fewer_merges() -> None:
    sizes = {}
    for name in ("taste", "eighteen", "chronicle"):
        recipe = exemplar_named(name).recipe
        run = Run(1, None, None, recipe, train(open_exemplar(name), recipe.asking(merges=0)), "")
        sizes[name] = (greed.symbols_of(run), greed.merges_at_first(run))
    assert sizes == {"taste": (16, 4), "eighteen": (399, 3), "chronicle": (7032, 2)}
