"""Words, counts and spellings at merge k, and the orders of the table."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt

from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.timeline import Timeline, timeline_of
from explorer.core.training import train
from explorer.gui.models import words_model
from explorer.gui.models.words_model import BLOCK, Column, Order, OrderSteps, WordsModel

FOUR = {b"low": 5, b"lowest": 2, b"newer": 6, b"wider": 3}
DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder


def trained(counts: dict[bytes, int], preset: str = "published", merges: int = 10) -> Timeline:
    return timeline_of(train(Corpus.of_counts(counts), Recipe.of(preset).asking(merges=merges)))


def model_of(timeline: Timeline, k: int = 0) -> WordsModel:
    model = WordsModel()
    model.show_words(timeline.training.corpus, timeline, k)
    return model


def column(model: WordsModel, which: Column) -> list[str]:
    return [model.cell(row, which) for row in range(model.rowCount())]


def test_weighted_pieces_are_the_corpus_length_at_every_merge(qapp: object) -> None:
    for preset in ("published", "fallback", "script", "byte-words"):
        timeline = trained(FOUR, preset)
        model = model_of(timeline)
        for k in range(timeline.training.learned + 1):
            model.go_to_merge(k)
            pieces = [len(model.spelling(row).ids) * model.count(row) for row in range(model.rowCount())]
            assert sum(pieces) == timeline.length(k), (preset, k)
            for row in range(model.rowCount()):
                assert b"".join(piece.bytes for piece in model.spelling(row).pieces) == model.word(row)


def test_words_and_counts_in_file_order_until_one_sorts(qapp: object) -> None:
    model = model_of(trained(FOUR))
    assert column(model, Column.WORD) == ["low", "lowest", "newer", "wider"]
    model.sort(Column.COUNT, DOWN)
    assert column(model, Column.COUNT) == ["6", "5", "3", "2"]
    model.sort(Column.WORD, DOWN)
    assert column(model, Column.WORD) == ["wider", "newer", "lowest", "low"]
    model.sort(-1, UP)
    assert column(model, Column.WORD) == ["low", "lowest", "newer", "wider"]


def test_order_by_pieces_follows_the_merge_when_asked(qapp: object) -> None:
    timeline = trained(FOUR)
    model = model_of(timeline)
    model.sort(Column.PIECES, UP)
    assert column(model, Column.PIECES) == ["3", "5", "5", "6"]
    model.go_to_merge(10)
    assert model.sorted_by_pieces
    model.sort_again()
    pieces = [int(each) for each in column(model, Column.PIECES)]
    assert pieces == sorted(pieces) and pieces[0] < 3


def test_a_kept_row_follows_its_word_through_sorting(qapp: object) -> None:
    model = model_of(trained(FOUR))
    kept = QPersistentModelIndex(model.index(1, 0))
    model.sort(Column.WORD, DOWN)
    assert model.word(kept.row()) == b"lowest"
    assert model.row_of(1) == kept.row()


def test_only_the_block_that_is_shown_is_spelled(qapp: object) -> None:
    words = {f"word{n:05}".encode(): 1 + n % 3 for n in range(5_000)}
    timeline = trained(words, "byte-words", 40)
    model = model_of(timeline, 40)
    asked: list[tuple[int, int]] = []
    spell = timeline.spell

    def recorded(start: int, end: int, k: int) -> object:
        asked.append((start, end))
        return spell(start, end, k)

    timeline.spell = recorded
    assert b"".join(piece.bytes for piece in model.spelling(4_000).pieces) == b"word04000"
    assert len(asked) == 1 and asked[0][1] - asked[0][0] == BLOCK * len(b"word00000")


def test_descending_order_leaves_equal_words_in_file_order(qapp: object) -> None:
    model = model_of(trained({b"bb": 2, b"aa": 2, b"cc": 9}))
    model.sort(Column.COUNT, DOWN)
    assert column(model, Column.WORD) == ["cc", "bb", "aa"]


def test_nothing_trained_and_nothing_open(qapp: object) -> None:
    model = WordsModel()
    assert model.rowCount() == 0
    corpus = Corpus.of_counts(FOUR)
    model.show_words(corpus, None, 0)
    assert [model.cell(0, each) for each in Column] == ["low", "5", "…", "…"]
    model.show_words(Corpus.of_text(b"plain text"), None, 0)
    assert model.rowCount() == 0
    assert np.array_equal(corpus.weights, [5, 2, 6, 3])


@pytest.mark.parametrize("order", [UP, DOWN])
@given(words=st.lists(st.binary(min_size=1, max_size=2).map(lambda word: bytes(97 + each % 2 for each in word)), max_size=12))
def test_words_are_put_in_order_some_at_a_time_and_equal_ones_stay_as_they_are(words: list[bytes], order: Qt.SortOrder) -> None:
    ends = np.cumsum([0, *map(len, words)])
    corpus = Corpus("words", b"".join(words), ends, np.ones(len(words), np.int64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words_model, "RUN", 2)
        steps, count = words_model._ordering(corpus, None, 0, Column.WORD, order), 0  # noqa: SLF001
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found = end.value.tolist()
                break
            count += 1
    assert found == sorted(range(len(words)), key=words.__getitem__, reverse=order is DOWN)
    assert count == (len(words) + 1) // 2 + len(words) // 2


def test_a_long_sorting_is_done_elsewhere_and_only_the_last_one_counts(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_model, "STEPS_AT_ONCE", 0)
    rest: list[tuple[OrderSteps, Callable[[Order], None]]] = []
    model = WordsModel(later=lambda steps, take: rest.append((steps, take)))
    model.show_words(Corpus.of_counts(FOUR), None, 0)
    model.sort(Column.COUNT, UP)
    model.sort(Column.COUNT, DOWN)
    assert [model.text_of(row) for row in range(4)] == [0, 1, 2, 3], "the order before, until then"
    assert len(rest) == 3
    for steps, take in reversed(rest):
        take(drain(steps))
    assert [model.count(row) for row in range(4)] == [6, 5, 3, 2]


def test_another_recipe_on_the_same_words_puts_only_the_pieces_in_order_anew(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_model, "STEPS_AT_ONCE", 0)
    rest: list[tuple[OrderSteps, Callable[[Order], None]]] = []
    model = WordsModel(later=lambda steps, take: rest.append((steps, take)))
    timeline = trained(FOUR)
    corpus = timeline.training.corpus
    for column, again in ((Column.WORD, 0), (Column.PIECES, 1)):
        model.show_words(corpus, timeline, 0)
        model.sort(column, DOWN)
        steps, take = rest.pop()
        take(drain(steps))
        shown = [model.text_of(row) for row in range(4)]
        rest.clear()
        model.show_words(corpus, timeline, 5)
        assert [model.text_of(row) for row in range(4)] == shown and len(rest) == again
