"""The model of ranked pairs: what it shows, how it sorts and filters, and how little it is asked."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.timeline import RankedPair, timeline_of
from explorer.core.training import Training, train
from explorer.core.vocabulary import byte_piece
from explorer.gui.models.pair_model import AnyIndex, Column, PairModel, Ranking, matcher
from explorer.gui.views.pair_table import PairTable
from explorer.sources.exemplars import exemplar_named, open_exemplar

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def training(qapp: QApplication) -> Training:
    return train(open_exemplar("four-words"), exemplar_named("four-words").recipe)


def ranking_of(training: Training, k: int) -> Ranking:
    ranked = timeline_of(training).ranked(k, 1000)
    return Ranking(ranked, training.table, training.merges[k].pair)


@pytest.fixture
def model(training: Training) -> Iterator[PairModel]:
    made = PairModel()
    made.set_ranking(ranking_of(training, 3))
    yield made
    made.deleteLater()


def shown(model: PairModel, column: Column = Column.PAIR) -> list[str]:
    return [str(model.data(model.index(row, column))) for row in range(model.rowCount())]


def test_the_order_is_the_ranking_s(model: PairModel, training: Training) -> None:
    assert shown(model)[:3] == ["e + w", "n + e", "w + est◂"]
    assert shown(model, Column.RANK) == [str(rank + 1) for rank in range(model.rowCount())]
    assert [model.ranked(row).tied for row in range(4)] == [True, True, True, False]


def test_winner_and_rivals_are_told_apart(model: PairModel) -> None:
    assert [model.is_winner(row) for row in range(4)] == [True, False, False, False]
    assert [model.is_rival(row) for row in range(4)] == [False, True, True, False]


def test_a_greatest_pair_that_is_alone_is_no_tie(model: PairModel, training: Training) -> None:
    assert [model.is_tied(row) for row in range(4)] == [True, True, True, False]
    model.set_ranking(ranking_of(training, 1))
    assert not any(model.is_tied(row) for row in range(model.rowCount()))
    assert model.tab_separated([0]) == "1\tes\tt</w>\t9\t9\t\n"


def test_a_winner_off_the_maximum_makes_rivals_of_all_tied(model: PairModel) -> None:
    ranking = model.ranking
    model.set_ranking(Ranking(ranking.pairs, ranking.table, ranking.pairs[4].pair))
    assert [model.is_rival(row) for row in range(4)] == [True, True, True, False] and model.is_winner(4)


def test_it_sorts_by_figures_and_text_and_back(model: PairModel) -> None:
    before = shown(model)
    model.sort(Column.COUNT, UP)
    counts = [model.ranked(row).count for row in range(model.rowCount())]
    assert counts == sorted(counts) and shown(model)[-3:] == before[:3]  # equal counts stay in rank order
    model.sort(Column.PAIR, UP)
    left = [model.pieces(row)[0].bytes for row in range(model.rowCount())]
    assert left == sorted(left)
    model.sort(Column.RANK, DOWN)
    assert shown(model) == before[::-1]
    model.sort(Column.RANK, UP)
    assert shown(model) == before


def test_sorting_by_saved_differs_where_occurrences_overlap(qapp: QApplication) -> None:
    training = train(Corpus.of_text(b"aaaaaaa bcbcbcbcbc"), Recipe(merges=2))
    model = PairModel()
    model.set_ranking(Ranking(timeline_of(training).ranked(0, 99), training.table, None))
    assert shown(model)[0] == "a + a" and (model.figure(0, Column.COUNT), model.figure(0, Column.SAVED)) == ("6", "3")
    model.sort(Column.SAVED, DOWN)
    assert shown(model)[0] == "b + c"
    model.deleteLater()


def test_counts_beyond_what_floats_tell_apart_are_sorted_right(qapp: QApplication) -> None:
    counts = {b"ab": 9007199254740993, b"cd": 9007199254740992}
    training = train(Corpus.of_counts(counts), Recipe(merges=1))
    model = PairModel()
    model.set_ranking(Ranking(timeline_of(training).ranked(0, 9), training.table, None))
    model.sort(Column.COUNT, UP)
    assert shown(model) == ["c + d", "a + b"]
    assert shown(model, Column.COUNT)[1].replace("\u2009", "") == "9007199254740993"
    model.deleteLater()


def test_a_filter_finds_text_and_hex(model: PairModel) -> None:
    model.set_filter("est")
    assert shown(model) == ["w + est◂", "d + est◂"]
    assert shown(model, Column.RANK)[0] == "3"
    model.set_filter("65 77")  # e w
    assert shown(model) == ["e + w"]
    model.set_filter("nothing like it")
    assert shown(model) == []
    model.set_filter("")
    assert len(shown(model)) > 5


@pytest.mark.parametrize(("needle", "found"), [("the", True), ("The", False), ("he ", True), ("7468", True), ("0a", False)])
def test_small_letters_match_capitals_too(needle: str, found: bool) -> None:
    word = byte_piece(ord("T")).joined(byte_piece(ord("H"))).joined(byte_piece(ord("e")))
    small = byte_piece(ord("t")).joined(byte_piece(ord("h"))).joined(byte_piece(ord("e")))
    assert matcher(needle)(small, byte_piece(ord(" "))) is found
    assert matcher(needle.lower())(word, byte_piece(ord(" "))) is (needle.lower() in "the ")


def test_a_pair_is_found_by_its_pieces(model: PairModel, training: Training) -> None:
    pieces = model.pieces(2)
    assert model.row_of(pieces) == 2
    model.set_filter("n")
    assert model.row_of(pieces) is None


def test_rows_copy_as_tab_separated_lines(model: PairModel) -> None:
    assert model.tab_separated([0, 2]) == "1\te\tw\t6\t6\ttie\n3\tw\test</w>\t6\t6\ttie\n"


def test_copied_rows_stay_lines_whatever_the_pieces_hold(qapp: QApplication) -> None:
    training = train(Corpus.of_text(b"\t\xff\t\xff\\\r\\\r"), Recipe(merges=1))
    model = PairModel()
    model.set_ranking(Ranking(timeline_of(training).ranked(0, 9), training.table, None))
    lines = model.tab_separated(range(model.rowCount())).splitlines()
    assert [line.split("\t")[1:3] for line in lines] == [["\\t", "\\xFF"], ["\\\\", "\\r"]]
    model.deleteLater()


def test_figures_are_dots_while_another_merge_is_counted(model: PairModel) -> None:
    model.set_stale(True)
    assert set(shown(model, Column.COUNT)) == {"…"} and shown(model)[0] == "e + w"
    model.set_stale(False)
    assert shown(model, Column.COUNT)[0] == "6"


def test_a_screen_reader_hears_the_row(model: PairModel) -> None:
    said = model.data(model.index(0, Column.PAIR), Qt.ItemDataRole.AccessibleTextRole)
    assert said == "e + w, count 6, saved 6, tie, comes next"


def test_it_is_a_sound_model(model: PairModel, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)


class Asked(PairModel):
    """Counts how often it is asked for data."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        self.asked += 1
        return super().data(index, role)


def test_fifty_thousand_rows_open_without_asking_for_them(qapp: QApplication, qtbot: QtBot) -> None:
    training = train(Corpus.of_text(b"ab"), Recipe(merges=0))
    pairs = tuple(RankedPair((n // 256 % 256, n % 256), 60_000 - n, 1, n == 0) for n in range(50_000))
    model = Asked()
    table = PairTable(model)
    qtbot.addWidget(table)
    model.setParent(table)
    table.resize(430, 300)
    table.show()
    model.set_ranking(Ranking(pairs, training.table, pairs[0].pair))
    table.grab()
    assert model.rowCount() == 50_000 and model.asked < 2_000
    before = model.asked
    model.sort(Column.COUNT, UP)
    table.grab()
    assert model.ranked(0).count == 10_001 and model.asked - before < 2_000
    table.scrollToBottom()
    table.grab()
    assert table.indexAt(table.viewport().rect().center()).row() > 49_900


def test_a_model_without_pairs_is_empty(qapp: QApplication) -> None:
    model = PairModel()
    assert model.rowCount() == 0 and model.columnCount() == 5 and model.rowCount(QModelIndex()) == 0
    model.set_filter("x")
    model.sort(Column.PAIR, DOWN)
    assert model.rowCount() == 0
    model.deleteLater()
