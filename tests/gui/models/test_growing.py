"""The figures of a training under way: the same whether they come at once or bit by bit; another training begins anew."""

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import MergeColumns, train
from explorer.gui.models.growing import Growing

LINES = b"the cat sat on the mat\nthe hat sat on the cat\n"


def figures(columns: MergeColumns) -> list[list[float]]:
    return [columns.saved.tolist(), columns.lengths.tolist(), columns.tied.tolist()]


def test_figures_that_come_bit_by_bit_are_those_of_all() -> None:
    training = train(Corpus.of_text(LINES), Recipe.of("chapter-81"))
    growing = Growing()
    assert not growing.follow(())
    for count in (2, 3, 3, training.learned):
        before = len(growing)
        assert growing.follow(training.merges[:count]) == (count > before)
        assert figures(growing.columns) == figures(MergeColumns.of(training.merges[:count]))
    assert figures(training.columns) == figures(growing.columns)
    assert training.columns.lengths.tolist() == [training.length(k) for k in range(1, training.learned + 1)]


def test_another_training_begins_anew() -> None:
    one = train(Corpus.of_text(LINES), Recipe.of("chapter-81"))
    other = train(Corpus.of_text(LINES[5:]), Recipe.of("chapter-81"))
    growing = Growing()
    growing.follow(one.merges[:3])
    assert growing.follow(other.merges[:3])
    assert figures(growing.columns) == figures(MergeColumns.of(other.merges[:3]))
    assert growing.follow(other.merges[:1]) and len(growing) == 1
    assert growing.forget() and not growing.forget() and len(growing) == 0
