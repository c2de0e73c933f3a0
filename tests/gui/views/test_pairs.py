"""The ranked pairs on a real Workspace: choosing a row, taking a rival, filtering, copying."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Choice, Recipe
from explorer.gui import theme
from explorer.gui.models.pair_model import Column
from explorer.gui.theme import Theme
from explorer.gui.views.next_merge_pane import NextMergePane
from explorer.gui.views.pair_table import PairTable
from explorer.gui.views.pairs import Pairs
from explorer.workspace.workspace import Workspace

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pane(workspace: Workspace, qtbot: QtBot) -> NextMergePane:
    workspace.open_exemplar("four-words", at_once=True)
    made = NextMergePane(workspace)
    qtbot.addWidget(made)
    made.resize(432, 468)
    made.show()
    return made


@pytest.fixture
def pairs(pane: NextMergePane) -> Pairs:
    return pane.pairs


def middle(table: PairTable, row: int, column: Column = Column.PAIR) -> QPoint:
    return table.visualRect(table.pairs.index(row, column)).center()


def words(pairs: Pairs, row: int) -> str:
    return str(pairs.model.data(pairs.model.index(row, Column.PAIR)))


def forked(workspace: Workspace, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: workspace.compared is not None)
    assert workspace.compared
    return workspace.compared.name


def test_the_ranking_follows_the_merge(pairs: Pairs, workspace: Workspace) -> None:
    assert words(pairs, 0) == "e + s" and pairs.model.is_winner(0)
    workspace.go_to_merge(3)
    assert [words(pairs, row) for row in range(3)] == ["e + w", "n + e", "w + est◂"]


def test_the_header_tells_rank_and_id(pane: NextMergePane, workspace: Workspace) -> None:
    assert workspace.run
    first = workspace.run.training.alphabet.first_merged_id
    workspace.go_to_merge(3)
    assert pane.facts() == f"rank 3 · will be token {first + 3}"
    workspace.go_to_merge(10)
    assert pane.facts() == f"rank 10 · would be token {first + 10}"


def test_a_chosen_pair_far_down_is_brought_into_view(pairs: Pairs, workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    assert workspace.run and workspace.corpus
    table = workspace.run.training.table
    choice = Choice(36, *(table.piece(token) for token in pairs.model.ranked(80).pair))
    workspace.open_corpus(workspace.corpus, recipe=replace(workspace.recipe, choices=(choice,)), at_once=True)
    workspace.go_to_merge(36)
    shown = pairs.table.visualRect(pairs.model.index(80, Column.PAIR))
    assert pairs.model.is_winner(80) and pairs.table.viewport().rect().contains(shown)


def test_a_click_selects_the_pair_everywhere(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseClick(pairs.table.viewport(), LEFT, pos=middle(pairs.table, 2))
    assert workspace.selection.pair == pairs.model.pieces(2) and workspace.k == 0
    assert pairs.table.selected_rows() == [2]


def test_the_arrows_select_too(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseClick(pairs.table.viewport(), LEFT, pos=middle(pairs.table, 0))
    qtbot.keyClick(pairs.table, Qt.Key.Key_Down)
    qtbot.keyClick(pairs.table, Qt.Key.Key_Down)
    assert workspace.selection.pair == pairs.model.pieces(2)
    qtbot.keyClick(pairs.table, Qt.Key.Key_End)
    assert workspace.selection.pair == pairs.model.pieces(pairs.model.rowCount() - 1)
    qtbot.keyClick(pairs.table, Qt.Key.Key_Home)
    assert workspace.selection.pair == pairs.model.pieces(0)


def test_keys_that_step_are_left_to_the_window(pairs: Pairs, qtbot: QtBot) -> None:
    pairs.table.setCurrentIndex(pairs.model.index(1, Column.PAIR))
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space):
        event = QKeyEvent(QKeyEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
        pairs.table.keyPressEvent(event)
        assert not event.isAccepted() and pairs.table.currentIndex() == pairs.model.index(1, Column.PAIR)


def test_a_pair_selected_elsewhere_is_shown_and_nothing_is_sent_back(pairs: Pairs, workspace: Workspace) -> None:
    chosen: list[int] = []
    pairs.table.chosen.connect(chosen.append)
    workspace.select_pair(pairs.model.pieces(4))
    assert pairs.table.selected_rows() == [4] and chosen == []
    workspace.select_pair(None)
    assert pairs.table.selected_rows() == [] and chosen == []


def test_the_selected_pair_keeps_its_row_from_merge_to_merge(pairs: Pairs, workspace: Workspace) -> None:
    row = next(row for row in range(pairs.model.rowCount()) if words(pairs, row) == "l + o")
    workspace.select_pair(pairs.model.pieces(row))
    workspace._move(1)  # noqa: SLF001 - a step selects the token made; history moves without
    assert [words(pairs, row) for row in pairs.table.selected_rows()] == ["l + o"] and pairs.table.selected_rows() != [row]


def test_enter_on_a_rival_forks_the_run(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseClick(pairs.table.viewport(), LEFT, pos=middle(pairs.table, 1))
    qtbot.keyClick(pairs.table, Qt.Key.Key_Return)
    assert forked(workspace, qtbot) == "s + t</w> at merge 0"
    assert workspace.compared and workspace.compared.training.merges[0].count == 9


def test_enter_on_the_winner_does_nothing(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseClick(pairs.table.viewport(), LEFT, pos=middle(pairs.table, 0))
    qtbot.keyClick(pairs.table, Qt.Key.Key_Return)
    assert not workspace.lanes.lanes and workspace.compared is None


def test_enter_on_a_pair_off_the_maximum_is_a_choice_too(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseClick(pairs.table.viewport(), LEFT, pos=middle(pairs.table, 2))
    qtbot.keyClick(pairs.table, Qt.Key.Key_Enter)
    assert forked(workspace, qtbot) == "w + e at merge 0"


def test_a_button_held_that_went_down_elsewhere_drags_no_rows(pairs: Pairs, workspace: Workspace) -> None:
    table = pairs.table
    workspace.go_to_merge(3)
    at = QPointF(middle(table, 2))
    held = QMouseEvent(QEvent.Type.MouseMove, at, table.viewport().mapToGlobal(at), LEFT, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(table.viewport(), held)
    assert table.painter_of_rows.hovered == 2
    assert workspace.selection.pair is None


def test_the_offer_on_a_hovered_rival_is_a_button(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    table = pairs.table
    workspace.go_to_merge(3)
    assert table.painter_of_rows.offer_box(2).isEmpty()
    before = table.grab().toImage()
    qtbot.mouseMove(table.viewport(), middle(table, 2))
    assert table.painter_of_rows.hovered == 2
    offer = table.painter_of_rows.offer_box(2)
    count = table.visualRect(table.pairs.index(2, Column.COUNT))
    assert not offer.isEmpty() and offer.left() > count.right() and offer.right() < table.viewport().width()
    assert table.grab().toImage() != before
    qtbot.mouseClick(table.viewport(), LEFT, pos=offer.center().toPoint())
    assert forked(workspace, qtbot) == "w + est</w> at merge 3"
    assert workspace.selection.pair is None  # the click took the offer; it chose no row


def test_no_offer_on_the_winner_or_off_the_tie(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.go_to_merge(3)
    for row in (0, 3):
        pairs.table.painter_of_rows.hovered = row
        assert pairs.table.painter_of_rows.offer_box(row).isEmpty()


def test_the_focused_rival_carries_the_offer_too(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.go_to_merge(3)
    pairs.table.setFocus()
    pairs.table.setCurrentIndex(pairs.model.index(1, 0))
    qtbot.waitUntil(pairs.table.hasFocus)
    assert not pairs.table.painter_of_rows.offer_box(1).isEmpty()


def test_a_narrow_pane_shortens_the_offer_and_covers_no_count(pane: NextMergePane, workspace: Workspace) -> None:
    pane.resize(330, 345)
    workspace.go_to_merge(3)
    table = pane.pairs.table
    table.painter_of_rows.hovered = 1
    offer = table.painter_of_rows.offer_box(1)
    assert offer.left() >= table.visualRect(table.pairs.index(1, Column.COUNT)).right()
    assert 0 < offer.width() < 75


def test_the_menu_names_what_it_does(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.go_to_merge(3)
    menus = [pairs.table.menu_of(row) for row in (0, 1, 3)]
    takes = [menu.actions()[0] for menu in menus]
    assert [take.text() for take in takes] == ["Merge this one instead", "What if this one?", "Merge this one instead"]
    assert [take.isEnabled() for take in takes] == [False, True, True]
    takes[2].trigger()
    assert forked(workspace, qtbot).endswith("at merge 3")


def test_nothing_is_taken_from_a_ranking_of_another_merge(pairs: Pairs, workspace: Workspace) -> None:
    workspace.moment_changed.emit(None)
    pairs.model.set_stale(True)
    pairs.table.painter_of_rows.hovered = 1
    assert pairs.table.painter_of_rows.offer_box(1).isEmpty()
    assert not pairs.table.menu_of(1).actions()[0].isEnabled()


def test_a_slow_ranking_is_announced_by_dots(pairs: Pairs, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.moment_changed.emit(None)
    assert not pairs.model.stale  # not at once: most rankings come sooner than an eye sees
    qtbot.waitUntil(lambda: pairs.model.stale)
    workspace.go_to_merge(1)
    assert not pairs.model.stale


def test_the_filter_opens_finds_and_closes(pane: NextMergePane, qtbot: QtBot) -> None:
    pairs = pane.pairs
    everything = pairs.model.rowCount()
    assert not pairs.filter.isVisible()
    qtbot.mouseClick(pane.filter, LEFT)
    assert pairs.filter.isVisible()
    qtbot.keyClicks(pairs.filter, "lo")
    assert words(pairs, 0) == "l + o" and pairs.model.rowCount() < everything
    assert pairs.foot.text().startswith(f"{pairs.model.rowCount()} of {everything} ranked")
    qtbot.keyClick(pairs.filter, Qt.Key.Key_Escape)
    assert pairs.model.rowCount() == everything and pairs.filter.isVisible()
    qtbot.keyClick(pairs.filter, Qt.Key.Key_Escape)
    assert not pairs.filter.isVisible() and not pane.filter.isChecked()


def test_the_foot_tells_what_is_not_ranked(pairs: Pairs, workspace: Workspace) -> None:
    assert workspace.moment
    assert pairs.foot.text() == f"{workspace.moment.distinct} distinct pairs"  # all of the four words' pairs occur twice
    workspace.open_corpus(Corpus.of_text(b"ababcd"), recipe=Recipe(merges=1), at_once=True)
    assert pairs.foot.text() == "4 distinct pairs; counts under 2 are not ranked"
    assert pairs.model.rowCount() == 1


def test_rows_are_copied_tab_separated(pairs: Pairs, qtbot: QtBot) -> None:
    pairs.table.setCurrentIndex(pairs.model.index(0, 0))
    qtbot.keyClick(pairs.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(pairs.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "1\te\ts\t9\t9\ttie\n2\ts\tt</w>\t9\t9\ttie\n"


def test_a_head_sorts_and_the_third_click_ranks_again(pairs: Pairs, qtbot: QtBot) -> None:
    heads = pairs.table.horizontalHeader()
    there = QPoint(heads.sectionViewportPosition(Column.COUNT) + 10, heads.height() // 2)

    def counts() -> list[int]:
        return [pairs.model.ranked(row).count for row in range(pairs.model.rowCount())]

    ranked = counts()
    for expected, head in ((sorted(ranked, reverse=True), "Count ↓"), (sorted(ranked), "Count ↑"), (ranked, "Count")):
        qtbot.mouseClick(heads.viewport(), LEFT, pos=there)
        assert counts() == expected and pairs.model.headerData(Column.COUNT, Qt.Orientation.Horizontal) == head
    assert pairs.model.rank(0) == 1


def test_the_columns_always_fit_the_view(pane: NextMergePane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_corpus(Corpus.of_counts({b"ab": 3_000_000_000, b"cd": 2_000_000_000}), recipe=Recipe(merges=2), at_once=True)
    qtbot.waitUntil(lambda: workspace.moment is not None)
    table = pane.pairs.table
    for width in (330, 432, 700):
        pane.resize(width, 400)
        QApplication.processEvents()
        widths = [table.columnWidth(column) for column in Column]
        assert sum(widths) <= table.viewport().width()
        needed = theme.metrics(theme.Role.FIGURE).horizontalAdvance("3\u2009000\u2009000\u2009000")
        assert widths[Column.COUNT] >= needed and widths[Column.PAIR] > 40


def test_it_is_empty_where_nothing_is_open(workspace: Workspace, qtbot: QtBot) -> None:
    made = NextMergePane(workspace)
    qtbot.addWidget(made)
    assert made.pairs.model.rowCount() == 0 and made.facts() == "" and made.pairs.foot.text() == ""
    qtbot.keyClick(made.pairs.table, Qt.Key.Key_Return)


def test_another_theme_repaints_rows(pairs: Pairs, qapp: QApplication) -> None:
    light = pairs.table.viewport().grab().toImage()
    theme.apply(qapp, Theme.DARK)
    dark = pairs.table.viewport().grab().toImage()
    assert dark != light and dark.pixelColor(2, dark.height() - 2) == theme.ink_of(Theme.DARK).page
    theme.apply(qapp, Theme.LIGHT, zoom=1.5)
    assert pairs.table.rowHeight(0) == 36
    theme.apply(qapp, Theme.LIGHT)
    assert pairs.table.rowHeight(0) == 24


def test_a_row_under_the_pointer_hovers_the_token_that_its_pair_makes(pairs: Pairs, workspace: Workspace) -> None:
    run, table = workspace.run, pairs.table
    assert run
    made, others = run.training.table.pieces[run.training.table.id_of_rank(0)], 0
    QTest.mouseMove(table.viewport(), middle(table, 0))
    assert workspace.hovered == made, "the first pair is the one that is merged"
    for row in range(1, min(8, pairs.model.rowCount())):
        QTest.mouseMove(table.viewport(), middle(table, row))
        left, right = pairs.model.pieces(row)
        in_table = run.training.table.find(left.joined(right)) is not None
        assert workspace.hovered == (left.joined(right) if in_table else None)
        others += not in_table
    assert others, "some pairs are never merged"
    QTest.mouseMove(table.viewport(), middle(table, 0))
    workspace.step(1)
    assert workspace.hovered is None, "another ranking is under the pointer now"
    QTest.mouseMove(table.viewport(), middle(table, 1))
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert workspace.hovered is None
