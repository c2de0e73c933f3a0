"""Counts that are not counted again are those that a count would give."""

import dataclasses

import pytest

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.recipe import Counting, Recipe
from explorer.core.table import MergeTable
from explorer.core.timeline import timeline_of
from explorer.core.training import train
from explorer.core.vocabulary import byte_piece
from explorer.gui.models.piece_ids import PieceIds
from explorer.gui.models.places import LISTED, Gathered, Sought, Subject, count_of, gather
from explorer.gui.painting.paint import thousands

CORPORA = (
    Corpus.of_text(b"aaaa aaab abab\naaaaaa bab\n"),
    Corpus.of_rows([b"the hollow has a hobb", b"the hobb has a hollow", b"hhhhhh"]),
    Corpus.of_counts({b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}),
)


@pytest.mark.parametrize("counting", list(Counting))
@pytest.mark.parametrize("preset", ["chapter-81", "published", "byte-words"])
@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus.name)
def test_next_pairs_and_newest_tokens(corpus: Corpus, preset: str, counting: Counting) -> None:
    recipe = dataclasses.replace(Recipe.of(preset), counting=counting).asking(merges=12)
    timeline = timeline_of(train(corpus, recipe))
    table = timeline.training.table
    for k in range(timeline.training.learned + 1):
        if k < timeline.training.learned:
            pair = timeline.training.merges[k].pair
            assert count_of(timeline, pair, k) == timeline.pair_count(k, pair)
        if k:
            token = table.id_of_rank(k - 1)
            assert count_of(timeline, token, k) == timeline.token_count(k, token)


def test_a_piece_that_two_merges_make_has_two_ids() -> None:
    table = MergeTable(Recipe.of("chapter-81"), Alphabet.of_bytes(), ((98, 99), (97, 98), (97, 256), (257, 99)))
    ids = PieceIds(table)
    assert ids.of(table.pieces[258]) == ids.of(table.pieces[259]) == (258, 259)
    assert ids.of(table.pieces[256]) == (256,) and ids.of(byte_piece(97)) == (97,)
    assert ids.of(None) == () and PieceIds(None).of(table.pieces[0]) == ()


def test_places_of_several_ids_are_counted_together_and_lie_in_corpus_order() -> None:
    timeline = timeline_of(train(Corpus.of_rows([b"abcab", b"cab", b"bca"] * 2_000), Recipe.of("chapter-81").asking(merges=0)))
    letters = tuple(b"ca")
    gathered = Gathered(timeline, Sought(Subject.TOKEN, (byte_piece(99),), letters, 0, "two letters", ""))
    for _ in gather(gathered):
        pass
    data = timeline.training.corpus.data
    assert [place.start for place in gathered.places] == [at for at, letter in enumerate(data) if letter in letters][:LISTED]
    assert gathered.count == sum(data.count(letter) for letter in letters)
    assert gathered.facts() == f"first 10\u2009000 of {thousands(gathered.count)} places of two letters"


def test_what_lies_across_words_has_a_count_and_a_reason_but_no_place() -> None:
    corpus = Corpus.of_counts({b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3})
    timeline = timeline_of(train(corpus, dataclasses.replace(Recipe.of("published"), rows=25, lift=22)))
    training = timeline.training
    assert training.lift_rank is not None and training.learned > training.lift_rank
    inside = across = 0
    for k in range(training.learned):
        pair = training.merges[k].pair
        gathered = Gathered(timeline, Sought(Subject.NEXT_PAIR, (), (pair,), k, "the next pair", ""))
        assert gathered.across == 0, "not known before all places are"
        for _ in gather(gathered):
            pass
        found = sum(place.weight for place in gathered.places)
        assert gathered.across == training.merges[k].count - found
        if gathered.across:
            across += 1
            assert k >= training.lift_rank and "across words" in gathered.facts() and "0 words" not in gathered.facts()
            assert gathered.places or "across two words" in gathered.reason
        else:
            inside += 1
            assert "across" not in gathered.facts() and gathered.reason == ""
    assert inside and across
