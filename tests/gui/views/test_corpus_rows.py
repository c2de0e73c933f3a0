"""The table of file rows as a widget: fixed rows, columns as wide as their cells, few of many rows looked at."""

from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.theme import Role, Theme
from explorer.gui.views.corpus_rows import CorpusRows


@dataclass
class Many:
    """A hundred thousand rows, made when asked for."""

    columns: tuple[str, ...] = ("entry", "text")
    asked: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return 100_000

    def cells(self, row: int) -> tuple[str, ...]:
        self.asked.add(row)
        return str(row + 1), f"line {row} " * (row % 7)


@pytest.fixture
def table(qapp: QApplication, qtbot: QtBot) -> CorpusRows:
    theme.apply(qapp, Theme.LIGHT)
    made = CorpusRows()
    qtbot.addWidget(made)
    made.resize(460, 300)
    made.show()
    return made


def test_rows_are_of_one_height_at_every_zoom(table: CorpusRows, qapp: QApplication) -> None:
    table.show_rows(Many())
    assert {table.rowHeight(row) for row in (0, 5, 99_999)} == {24}
    theme.apply(qapp, Theme.DARK, zoom=1.5)
    table.grab()
    assert {table.rowHeight(row) for row in (0, 5, 99_999)} == {36}
    theme.apply(qapp, Theme.LIGHT)


def test_columns_have_room_for_figures_and_the_number_of_the_last_row(table: CorpusRows) -> None:
    table.show_rows(Many())
    assert table.columnWidth(0) > theme.metrics(Role.FIGURE).horizontalAdvance("100\u2009000")


def test_of_a_hundred_thousand_rows_those_in_view_are_looked_at(table: CorpusRows) -> None:
    rows = Many()
    table.show_rows(rows)
    for row in (99_999, 0, 50_000):
        table.show_row(row)
        table.grab()
        assert row in rows.asked
    assert len(rows.asked) < 1_000


def test_clicks_and_enter_tell_the_row(table: CorpusRows, qtbot: QtBot) -> None:
    table.show_rows(Many())
    told: list[int] = []
    table.row_activated.connect(told.append)
    where = table.visualRect(table.rows_model.index(4, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert told == [4, 5]
    table.show_row(100_000)
    assert table.currentIndex().row() == 5, "there is no such row"


def test_columns_follow_the_zoom_once_for_all_that_a_theme_tells(table: CorpusRows, qapp: QApplication, qtbot: QtBot) -> None:
    table.show_rows(Many())
    narrow, fitted = table.columnWidth(0), []
    table._fitting.timeout.connect(lambda: fitted.append(table.columnWidth(0)))  # noqa: SLF001 - how often it is worked out
    theme.apply(qapp, Theme.DARK, zoom=1.5)
    qtbot.waitUntil(lambda: table.columnWidth(0) > 1.3 * narrow)
    assert len(fitted) == 1
    theme.apply(qapp, Theme.LIGHT)
