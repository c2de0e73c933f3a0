"""Words under two tables: which are taken, in what order, and where a long one begins to differ."""

import pytest

from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.runs import Run, fork_steps
from explorer.core.training import Training, train
from explorer.core.vocabulary import Piece
from explorer.gui.models import words_cut
from explorer.gui.models.words_cut import CutWord, commonest_steps, cut_words, cut_words_steps, words_of_steps
from explorer.labs import spellings
from explorer.sources.exemplars import exemplar_named, open_exemplar


def four_words() -> Training:
    return train(open_exemplar("four-words"), exemplar_named("four-words").recipe)


def forked(training: Training, rank: int, left: str, right: str) -> Training:
    ids = {piece.spelled(): at for at, piece in enumerate(training.table.pieces)}
    run = Run(1, None, None, training.recipe, training, "")
    return drain(fork_steps(run, rank, (ids[left], ids[right]), 2)).training


def test_words_cut_differently_come_first_then_the_commonest() -> None:
    training = four_words()
    made = cut_words(training, forked(training, 3, "w", "est</w>").table, b"lowest slowest low")
    assert [(row.word, row.note, row.differs) for row in made.words] == [
        (b"lowest", "yours", True), (b"slowest", "yours", True), (b"newest", "× 6", False), (b"low", "× 5", False),
        (b"widest", "× 3", False), (b"lower", "× 2", False),
    ]  # fmt: skip
    assert made.differing == 2 and made.left_out == 0 and made.facts() == "2 of 6 are cut differently"
    assert [piece.spelled() for piece in made.words[0].one] == ["lo", "w", "est</w>"]
    assert [piece.spelled() for piece in made.words[0].other] == ["lo", "west</w>"]
    assert made.words[0].alike == 1 and made.words[1].alike == 2


def test_of_many_words_the_commonest_are_shown_and_the_others_counted() -> None:
    words = {f"w{n:03}".encode(): n + 1 for n in range(words_cut.MOST_OF_CORPUS + 7)}
    training = train(Corpus.of_counts(words), Recipe.of("published").asking(merges=3))
    made = cut_words(training, training.table, b"")
    assert len(made.words) == words_cut.MOST_OF_CORPUS and made.left_out == 7
    assert made.words[0].word == b"w206" and made.facts() == "none of the 200 commonest are cut differently"


def test_the_words_of_a_text_corpus_are_its_pretokens() -> None:
    training = train(Corpus.of_text(b"to be or not to be"), Recipe.of("published").asking(merges=2))
    assert drain(commonest_steps(training)) == ([(b"to", 2), (b"be", 2), (b"or", 1), (b"not", 1)], 4)
    assert drain(words_of_steps(training, b"let it  be\nit")) == [b"let", b"it", b"be"]


def test_a_word_cut_alike_has_no_parting() -> None:
    cut = Piece(b"a"), Piece(b"b")
    assert CutWord(b"ab", "", cut, cut).alike == 2 and not CutWord(b"ab", "", cut, cut).differs


def test_no_step_goes_through_more_than_some_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spellings, "WORDS_A_STEP", 10)
    words = {f"w{n:03}".encode(): n + 1 for n in range(100)}
    training = train(Corpus.of_counts(words), Recipe.of("published").asking(merges=3))
    assert sum(1 for _ in cut_words_steps(training, training.table, b"")) >= 10
