"""Which of several equal pairs is merged, and what a shuffle of the corpus leaves as it was."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import Joints, TieRule
from explorer.core.training import train
from tests.core.naive import Naive
from tests.core.trained import CHAPTER, PUBLISHED, counts, figures, naive_figures, spelled


@pytest.mark.parametrize(
    ("tie", "first"), [(TieRule.LOWEST_IDS, "ab"), (TieRule.LEXICOGRAPHIC, "ab"), (TieRule.FIRST_MET, "zy"), (TieRule.LAST_MET, "cd")]
)
def test_each_tie_rule_decides_by_its_own_measure(tie: TieRule, first: str) -> None:
    training = train(Corpus.of_text(b"zy\nab\ncd\nzy\nab\ncd"), replace(CHAPTER, tie=tie, merges=1))
    assert training.merges[0].tied == 3
    assert training.table.pieces[256].bytes == first.encode()


def test_a_made_token_comes_last_by_id_and_where_its_text_stands_by_text() -> None:
    corpus = Corpus.of_text(b"ab\nabc\nabc\nxy\nxy")
    by_ids, by_text = (train(corpus, replace(CHAPTER, tie=tie)) for tie in (TieRule.LOWEST_IDS, TieRule.LEXICOGRAPHIC))
    assert [piece.bytes for piece in by_ids.table.pieces[256:]] == [b"ab", b"xy", b"abc"]
    assert [piece.bytes for piece in by_text.table.pieces[256:]] == [b"ab", b"abc", b"xy"]
    assert by_ids.merges[1].tied == by_text.merges[1].tied == 2


def test_text_is_compared_by_code_point_with_the_marker_spelled_out() -> None:
    # last come x + a</w> and x + a1z</w>, three times each; "1" is less than the "<" of the marker, though "a" alone is less than "a1"
    training = train(counts(xa=3, xa1z=3, a1q=1), PUBLISHED.asking(merges=4))
    assert spelled(training) == [("a", "1", 4), ("a1", "z</w>", 3), ("x", "a1z</w>", 3), ("x", "a</w>", 3)]
    assert [merge.tied for merge in training.merges] == [1, 3, 2, 1]
    high = train(counts(**{"\uffee\uffee": 2, "\U00010000\U00010000": 2}), replace(PUBLISHED, marker=False, merges=1))
    assert spelled(high)[0][0] == "\uffee"  # by UTF-16 units the other would be first


def test_ties_of_equal_text_go_to_the_lowest_ids() -> None:
    # two rows read "ab": a + b made in the first stage, and again across a joint in the second
    joints = Joints.of({b"ab": (b"a", b"b")})
    training = train(counts(ab=3, ca=2), replace(PUBLISHED, marker=False, joints=joints, lift=0, min_count=1))
    assert figures(training) == naive_figures(Naive(training.corpus, training.recipe))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=6).map("".join), max_size=8), st.randoms(use_true_random=False))
def test_a_shuffle_of_entries_leaves_tables_of_ids_and_of_text_as_they_were(entries: list[str], shuffle: random.Random) -> None:
    other = list(entries)
    shuffle.shuffle(other)
    once = replace(CHAPTER, min_count=1)
    for recipe in (once, replace(once, tie=TieRule.LEXICOGRAPHIC), replace(PUBLISHED, min_count=1)):
        one, two = (train(Corpus.of_text("\n".join(lines).encode()), recipe) for lines in (entries, other))
        assert figures(one) == figures(two)
        assert one.table == two.table


def test_a_shuffle_of_entries_may_change_a_first_met_table() -> None:
    lines = [b"gg", b"hh", b"ii", b"jj"]
    recipe = replace(CHAPTER, tie=TieRule.FIRST_MET, min_count=1)
    forward, backward = (train(Corpus.of_text(b"\n".join(order)), recipe) for order in (lines, lines[::-1]))
    assert [m.left for m in forward.merges] == [ord(c) for c in "ghij"]
    assert [m.left for m in backward.merges] == [ord(c) for c in "jihg"]
    last = train(Corpus.of_text(b"\n".join(lines)), replace(recipe, tie=TieRule.LAST_MET))
    assert last.merges == backward.merges
