"""The words of a word-count corpus on a real Workspace: spellings shorten, the total goes from 79 to 22."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.gui import theme
from explorer.gui.models import words_model
from explorer.gui.models.words_model import Column
from explorer.gui.theme import Role, Theme
from explorer.gui.views import word_table
from explorer.gui.views.word_table import WordTable, chips_of
from explorer.workspace.values import Lane
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle
from tests.workspace.test_opener import until_cancelled

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    made.open_exemplar("four-words", at_once=True)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def table(workspace: Workspace, qtbot: QtBot) -> WordTable:
    made = WordTable(workspace)
    qtbot.addWidget(made)
    made.resize(460, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


def cells(table: WordTable, column: Column) -> list[str]:
    return [table.words_model.cell(row, column) for row in range(table.words_model.rowCount())]


def chip(table: WordTable, row: int, n: int) -> QPoint:
    word = table.words_model.spelling(row)
    assert word
    cell = table.table.visualRect(table.words_model.index(row, Column.SPELLING))
    place = chips_of(word, Role.TOKEN)[n]
    return QPoint(round(cell.left() + place.left + place.width / 2), cell.center().y())


def test_the_total_goes_from_79_to_22_in_ten_merges(table: WordTable, workspace: Workspace) -> None:
    assert table.total.text() == "79 pieces"
    totals = []
    for k in range(11):
        workspace.go_to_merge(k)
        weights = [int(count) for count in cells(table, Column.COUNT)]
        totals.append(sum(w * int(n) for w, n in zip(weights, cells(table, Column.PIECES), strict=True)))
        assert table.total.text().startswith(f"{totals[-1]} pieces")
    assert totals[0] == 79 and totals[-1] == 22 and totals == sorted(totals, reverse=True)
    assert table.total.text() == "22 pieces of 79" == table.total.accessibleDescription()


def accent(table: WordTable) -> int:
    image = table.total.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    row = image.height() // 2
    return sum(QColor(image.pixel(x, row)) == theme.current().accent for x in range(image.width()))


def test_the_bar_of_the_total_shortens(table: WordTable, workspace: Workspace) -> None:
    whole = accent(table)
    workspace.go_to_merge(10)
    assert 0 < accent(table) < whole / 2


def test_pointing_at_a_piece_hovers_it_and_a_click_selects_it(table: WordTable, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.go_to_merge(3)
    word = table.words_model.spelling(2)
    assert word
    qtbot.mouseMove(table.table.viewport(), chip(table, 2, 1))
    assert workspace.hovered == word.pieces[1]
    qtbot.mouseClick(table.table.viewport(), LEFT, pos=chip(table, 2, 1))
    assert workspace.selection.token == word.pieces[1]
    qtbot.mouseMove(table.table.viewport(), table.table.visualRect(table.words_model.index(0, Column.WORD)).center())
    assert workspace.hovered is None


def test_keys_walk_the_pieces_of_a_row_and_enter_selects_one(table: WordTable, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.go_to_merge(3)
    word = table.words_model.spelling(2)
    assert word
    table.show_text(2)
    for n in (0, 1, 2):
        qtbot.keyClick(table.table, Qt.Key.Key_Right)
        assert workspace.hovered == word.pieces[n]
    qtbot.keyClick(table.table, Qt.Key.Key_Left)
    qtbot.keyClick(table.table, Qt.Key.Key_Return)
    assert workspace.selection.token == word.pieces[1]
    told: list[int] = []
    table.row_activated.connect(told.append)
    qtbot.keyClick(table.table, Qt.Key.Key_Up)
    qtbot.keyClick(table.table, Qt.Key.Key_Return)
    assert told == [1], "no piece of the next row is chosen yet: Enter is for the row"


def test_a_row_tells_the_number_of_its_text_however_it_is_sorted(table: WordTable, qtbot: QtBot) -> None:
    told: list[int] = []
    table.row_activated.connect(told.append)
    table.table.sortByColumn(Column.COUNT, Qt.SortOrder.DescendingOrder)
    where = table.table.visualRect(table.words_model.index(0, Column.WORD)).center()
    qtbot.mouseClick(table.table.viewport(), LEFT, pos=where)
    assert told == [2], "newest counts six times and is third in the file"
    table.show_text(0)
    assert table.words_model.text_of(table.table.currentIndex().row()) == 0


def test_an_order_by_pieces_follows_the_merge(table: WordTable, workspace: Workspace, qtbot: QtBot) -> None:
    table.table.sortByColumn(Column.PIECES, Qt.SortOrder.DescendingOrder)
    workspace.go_to_merge(10)
    assert cells(table, Column.PIECES) == ["1", "1", "4", "1"], "not yet: the slider may still move"
    qtbot.waitUntil(lambda: cells(table, Column.PIECES) == ["4", "1", "1", "1"])


def test_the_newest_piece_and_the_next_pair_stand_out(table: WordTable, workspace: Workspace) -> None:
    def seen(colour: QColor) -> int:
        image = table.table.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        return sum(QColor(image.pixel(x, y)) == colour for y in range(image.height()) for x in range(image.width()))

    assert seen(theme.current().new) == 0 and seen(theme.current().accent) > 0
    workspace.go_to_merge(1)
    assert seen(theme.current().new) > 5
    workspace.go_to_merge(10)
    workspace.select_token(None)


def test_every_look_and_recipe_paints(table: WordTable, workspace: Workspace, qapp: QApplication) -> None:
    odd = Corpus.of_counts({b"\xff\xfe": 3, "e\u0301👨‍👩‍👧".encode(): 2, b"a\x00b": 7, b"x" * 300: 2})
    for preset in ("published", "fallback", "script", "chapter-81", "gpt2"):
        workspace.open_corpus(odd, recipe=Recipe.of(preset).asking(merges=4), at_once=True)
        for look in Theme:
            theme.apply(qapp, look, zoom=1.25)
            workspace.go_to_merge(2)
            table.grab()
        assert table.words_model.rowCount() == 4
    theme.apply(qapp, Theme.LIGHT)


def test_a_sorting_that_is_stopped_leaves_the_order_and_the_header_says_which(
    table: WordTable, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, down = table.table.horizontalHeader(), Qt.SortOrder.DescendingOrder
    table.table.sortByColumn(Column.COUNT, down)
    monkeypatch.setattr(words_model, "STEPS_AT_ONCE", 0)
    monkeypatch.setattr(word_table, "drain", until_cancelled)
    table.table.sortByColumn(Column.WORD, Qt.SortOrder.AscendingOrder)
    assert workspace.lanes.lanes == (Lane.SORT,) and head.sortIndicatorSection() == Column.WORD
    workspace.lanes.cancel(Lane.SORT)
    settle(workspace)
    assert cells(table, Column.COUNT) == ["6", "5", "3", "2"]
    assert (head.sortIndicatorSection(), head.sortIndicatorOrder()) == (Column.COUNT, down)


def test_a_sorting_is_given_up_for_another_and_for_another_corpus(
    table: WordTable, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for another_corpus in (False, True):
        monkeypatch.setattr(words_model, "STEPS_AT_ONCE", 0)
        table.table.sortByColumn(Column.WORD, Qt.SortOrder.DescendingOrder)
        assert workspace.lanes.busy(Lane.SORT)
        monkeypatch.setattr(words_model, "STEPS_AT_ONCE", 8)
        if another_corpus:
            workspace.open_exemplar("taste", at_once=True)
        else:
            table.table.sortByColumn(Column.COUNT, Qt.SortOrder.AscendingOrder)
        assert not workspace.lanes.busy(Lane.SORT)


def test_a_plain_text_has_no_words_here(table: WordTable, workspace: Workspace) -> None:
    workspace.open_exemplar("eighteen", at_once=True)
    assert table.words_model.rowCount() == 0
    assert drain(table.finding(b"x")) == []
    table.show_text(0)
    table.grab()


def test_large_counts_are_whole(table: WordTable, workspace: Workspace) -> None:
    workspace.open_corpus(Corpus.of_counts({b"the": 74_838, b"then": 3}), recipe=Recipe.of("published"), at_once=True)
    column = Column.COUNT
    text = theme.metrics(Role.FIGURE).horizontalAdvance(cells(table, column)[0])
    assert table.table.columnWidth(column) >= max(table.table.sizeHintForColumn(column), text + 24)
