"""The sentences about trainings: sizes asked and learned, merges, and why training ended."""

from dataclasses import replace

import pytest

from explorer.core.corpus import Corpus
from explorer.core.recipe import Counting, Recipe
from explorer.core.training import train
from explorer.gui.models.training_words import (
    is_under_way,
    learned_line,
    merge_line,
    no_pair,
    overlap,
    size_line,
    times,
    why_no_merge,
    why_no_step,
)
from explorer.sources.exemplars import open_exemplar


@pytest.mark.parametrize(("count", "words"), [(0, "0 times"), (1, "once"), (2, "twice"), (80, "80 times"), (7123, "7\u2009123 times")])
def test_times(count: int, words: str) -> None:
    assert times(count) == words


def test_a_size_in_merges_and_in_rows_and_to_the_end() -> None:
    corpus = open_exemplar("eighteen")
    published = Recipe.of("published")
    ending = "no pair is left that occurs twice"
    assert size_line(train(corpus, published.asking(merges=20))) == "20 of 20 asked"
    assert size_line(train(corpus, published.asking(rows=300))) == f"137 of 300 asked: {ending}"
    assert size_line(train(corpus, published.asking(rows=137))) == "137 of 137 asked"
    assert size_line(train(corpus, published)) == "No pair occurs twice. 85 merges to the end"


def test_the_fact_of_the_recipe_bar() -> None:
    corpus = open_exemplar("eighteen")
    published = Recipe.of("published")
    assert learned_line(train(corpus, published.asking(merges=20))) == "20 learned"
    assert learned_line(train(corpus, published)) == "85 learned"
    assert learned_line(train(corpus, published.asking(rows=60))) == "8 learned, 60 rows"
    words = "85 learned, 137 rows of 300 asked: no pair is left that occurs twice"
    assert learned_line(train(corpus, published.asking(rows=300))) == words


def test_why_no_pair_comes_next() -> None:
    sentences = [no_pair(Recipe(min_count=least)) for least in (1, 2, 3, 1000)]
    assert sentences == ["No pair is left.", "No pair occurs twice.", "No pair reaches 3.", "No pair reaches 1\u2009000."]


def test_a_merge_in_a_line() -> None:
    training = train(Corpus.of_text(b"a a a a\xff\xff\xff"), Recipe(merges=3))
    assert [merge_line(training, rank) for rank in range(2)] == [
        "rank 0 · · + a → ·a · 3 times · tie of 2" if training.merges[0].left == 32 else "rank 0 · a + · → a· · 3 times · tie of 2",
        merge_line(training, 1),
    ]
    overlapping = train(Corpus.of_text(b"aaaa"), Recipe(merges=1))
    assert merge_line(overlapping, 0) == "rank 0 · a + a → aa · 3 times, saved 2"


def test_overlap_is_said_only_where_it_is() -> None:
    assert overlap(Recipe(), 5, 5) == "" and overlap(replace(Recipe(), counting=Counting.DISJOINT), 5, 3) == ""
    assert overlap(Recipe(), 6, 3) == "Occurrences overlap: of 6, 3 can be replaced."


def test_what_is_shown_of_a_training_that_goes_on_says_so() -> None:
    recipe = Recipe.of("chapter-81")
    whole = train(Corpus.of_text(b"abababab"), recipe.asking(merges=2))
    begun = replace(whole.cut(0), recipe=recipe)  # as the window shows a long training while it goes on
    assert is_under_way(begun) and not is_under_way(whole) and not is_under_way(whole.cut(1))
    assert size_line(begun) == "0 of 256 asked: training goes on"
    assert learned_line(begun) == "0 learned of 256 asked: training goes on"
    assert size_line(replace(begun, recipe=replace(recipe, merges=None))) == "0 so far, training goes on"
    assert why_no_merge(begun) == why_no_step(begun, 0) == "Merges are being learned."


def test_why_there_is_no_step() -> None:
    whole, none = (train(Corpus.of_text(text), Recipe.of("chapter-81")) for text in (b"abab", b""))
    assert why_no_step(whole, 0) == why_no_merge(whole) == "" and why_no_step(whole, 1) == "Every merge is made."
    assert why_no_step(none, 0) == "No pair occurs twice. There is no merge."
    assert why_no_step(None, 0) == "Nothing is open."
