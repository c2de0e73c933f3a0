"""Two trainings side by side: where they differ, which rows are one's alone, and what is said of it."""

from dataclasses import replace

import pytest

from explorer.core.recipe import Choice
from explorer.core.training import Training, train
from explorer.core.vocabulary import Piece
from explorer.gui.models import comparison
from explorer.gui.models.comparison import compare, compare_steps, merged_at
from explorer.sources.exemplars import exemplar_named, open_exemplar


def four_words(*choices: Choice) -> Training:
    return train(open_exemplar("four-words"), replace(exemplar_named("four-words").recipe, choices=choices))


def chosen_at_3() -> Choice:
    training = four_words()
    est = next(piece for piece in training.table.pieces if piece.spelled() == "est</w>")
    return Choice(3, Piece(b"w"), est)


def test_one_other_choice_changes_two_merges_and_one_row_each() -> None:
    made = compare(four_words(), four_words(chosen_at_3()))
    assert made.differing == (3, 4) and made.first == 3 and made.ranks == 10
    assert [piece.spelled() for piece in made.only_one] == ["ew"]
    assert [piece.spelled() for piece in made.only_other] == ["west</w>"]
    assert made.lengths == (22, 22) and made.same_rows == 9
    assert made.facts() == "both runs end at 22; 9 of 10 rows are in both"


def test_a_training_and_itself_differ_nowhere() -> None:
    training = four_words()
    made = compare(training, training)
    assert made.differing == () and made.first is None and made.only_one == () == made.only_other


def test_the_longer_one_differs_where_the_other_has_ended() -> None:
    training = four_words()
    made = compare(training, training.cut(6))
    assert made.differing == (6, 7, 8, 9) and made.ranks == 10
    assert made.facts() == "A ends at 22, B at 36; 6 of 10 rows are in both"
    assert merged_at(training.cut(6), 6) is None


def test_no_step_goes_through_more_than_some_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "RANKS_A_STEP", 2)
    training = four_words()
    assert sum(1 for _ in compare_steps(training, training.cut(6))) >= 5 + 5 + 3
    assert compare(training, training.cut(6)).gaps == (0, 0)
