"""A table from elsewhere, applied to the corpus at hand with honest figures."""

from dataclasses import replace

from hypothesis import given, settings

from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.training import Merge, Stopped, replay_table_steps, train
from tests.core.strategies import corpora, recipes
from tests.core.trained import PUBLISHED, counts, same


@settings(deadline=None, max_examples=120)
@given(corpora, recipes())
def test_a_table_given_back_to_its_corpus_has_the_figures_it_was_learned_with(corpus: Corpus, recipe: Recipe) -> None:
    training = train(corpus, recipe)
    given_back = drain(replay_table_steps(corpus, training.table))
    assert same(given_back, training)
    assert given_back.stopped is Stopped.GIVEN
    assert given_back.table == training.table


def test_a_table_tells_what_it_does_on_another_corpus() -> None:
    table = train(counts(low=5, lower=2), PUBLISHED).table
    elsewhere = drain(replay_table_steps(counts(low=3, zoo=4), table))
    # z, and the o that ends a word, have no row: they are stand-ins, and a stand-in is in no pair
    assert [(table.text(m.left), table.text(m.right), m.count, m.tied, m.saved, m.length) for m in elsewhere.merges] == [
        ("l", "o", 3, 2, 3, 18),
        ("lo", "w</w>", 3, 1, 3, 15),
        ("e", "r</w>", 0, 0, 0, 15),
        ("lo", "w", 0, 0, 0, 15),
        ("low", "er</w>", 0, 0, 0, 15),
    ]


def test_kept_characters_stand_in_no_pair() -> None:
    table = train(counts(low=5, lower=2), Recipe.of("script").asking()).table
    elsewhere = drain(replay_table_steps(counts(zz=9, lz=9, low=1), table))
    assert elsewhere.merges[0] == Merge(*table.merges[0], count=1, tied=2, saved=1, length=18 + 18 + 3 - 1)
    empty = drain(replay_table_steps(counts(zz=9), table))
    assert {(m.count, m.tied, m.saved, m.length) for m in empty.merges} == {(0, 0, 0, 18)}


def test_a_table_with_two_stages_lifts_the_boundary_of_another_corpus_too() -> None:
    table = train(Corpus.of_text(b"ab ab ab ab"), replace(PUBLISHED, lift=4)).table
    elsewhere = drain(replay_table_steps(Corpus.of_text(b"ab ab ax\nab"), table))
    assert [m.count for m in elsewhere.merges] == [3, 1]
    assert elsewhere.lift_rank == 1
