"""Two stages and joints: the boundary between pre-tokens, lifted or drawn inside words."""

from dataclasses import replace

import pytest

from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.recipe import AlphabetKind, Joints, PreTokenRule, Recipe, TieRule, Unknown
from explorer.core.training import train
from explorer.errors import RecipeError, TooLargeError
from tests.core.naive import Naive
from tests.core.trained import CHAPTER, PUBLISHED, counts, figures, naive_figures, spelled


def test_a_lift_at_or_below_the_alphabet_begins_with_whole_texts() -> None:
    corpus = Corpus.of_text(b"a b a b a b")
    for lift in (0, 1, 3):  # the alphabet takes three rows: the stand-in, a</w>, b</w>
        training = train(corpus, replace(PUBLISHED, lift=lift))
        assert training.lift_rank == 0
        assert spelled(training)[0] == ("a</w>", "b</w>", 3)
    assert train(corpus, replace(PUBLISHED, lift=None)).learned == 0


def test_a_lift_never_reached_comes_where_the_first_stage_ends() -> None:
    corpus = Corpus.of_text(b"ab ab cd cd\nab ab")
    training = train(corpus, replace(PUBLISHED, lift=1000))
    assert training.lift_rank == 2
    assert spelled(training) == [("a", "b</w>", 4), ("c", "d</w>", 2), ("ab</w>", "ab</w>", 2)]


def test_a_lift_at_the_size_asked_for_changes_nothing_but_what_comes_next() -> None:
    corpus = Corpus.of_text(b"ab ab ab ab")
    plain, lifted = train(corpus, PUBLISHED.asking(merges=1)), train(corpus, replace(PUBLISHED.asking(merges=1), lift=4))
    assert figures(plain) == figures(lifted)
    assert (plain.lift_rank, lifted.lift_rank) == (None, 1)


def test_a_pair_merged_inside_words_may_be_learned_again_across_a_boundary() -> None:
    corpus = Corpus.of_text(b"ab ab a b a b")
    recipe = Recipe(AlphabetKind.CHARACTERS, False, Unknown.KEEP, PreTokenRule.WORDS, tie=TieRule.LEXICOGRAPHIC, lift=3)
    training = train(corpus, recipe)
    pairs = [merge.pair for merge in training.merges]
    assert pairs[0] == pairs[1]
    assert training.table.pieces[2] == training.table.pieces[3]
    assert training.lift_rank == 1


def test_the_boundary_between_entries_is_never_lifted() -> None:
    with pytest.raises(RecipeError, match="entries"):
        replace(CHAPTER, lift=300)


def test_a_layout_of_counted_words_too_large_to_write_out_is_refused_with_its_size() -> None:
    corpus = counts(ab=60_000_000)
    with pytest.raises(TooLargeError, match=thousands(60_000_000)):
        train(corpus, replace(PUBLISHED, lift=100))
    assert train(corpus, PUBLISHED).learned == 1


def test_a_row_with_joints_is_laid_out_whole() -> None:
    joints = Joints.of({b"undo": (b"un", b"do")})
    training = train(counts(undo=3), replace(PUBLISHED, joints=joints, lift=0, merges=1, tie=TieRule.FIRST_MET))
    naive = Naive(training.corpus, training.recipe)
    assert figures(training) == naive_figures(naive)
    spelled_out = {(training.table.text(a), training.table.text(b)): count for (a, b), count in naive.moments[0].counts.items()}
    assert spelled_out == {("u", "n"): 3, ("n", "d"): 3, ("d", "o</w>"): 3, ("o</w>", "u"): 2}


def test_joints_of_words_that_do_not_occur_change_nothing() -> None:
    corpus = counts(undo=3, redo=2)
    joints = Joints.of({b"untie": (b"un", b"tie")})
    assert train(corpus, replace(PUBLISHED, joints=joints)).merges == train(corpus, PUBLISHED).merges


def test_the_marker_is_on_the_last_part_only() -> None:
    training = train(counts(undo=3), replace(PUBLISHED, joints=Joints.of({b"undo": (b"un", b"do")})))
    assert spelled(training) == [("d", "o</w>", 3), ("u", "n", 3)]
    assert training.length(2) == 6
