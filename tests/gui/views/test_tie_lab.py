"""The tie lab on a real Workspace: forks, tracks, rows, words, curves, and the way back to the window."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import Merge, Training, train
from explorer.gui import theme
from explorer.gui.models.comparison import compare
from explorer.gui.painted import PaintedScroll
from explorer.gui.theme import Role, Theme, px
from explorer.gui.views.figure_strip import FigureStrip
from explorer.gui.views.rivals import Standing
from explorer.gui.views.tie_lab import FORKING, NO_RUN, NO_TIE, NOTHING_COMPARED, TieLab, next_tie_from
from explorer.gui.views.tree_words import short_label
from explorer.gui.views.two_curves import Track, TwoCurves, track_of
from explorer.gui.views.two_runs import Rows, TwoRuns
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def lab(workspace: Workspace, qtbot: QtBot) -> TieLab:
    made = TieLab(workspace)
    qtbot.addWidget(made)
    made.resize(1440, 784)
    made.show()
    return made


@pytest.fixture
def forked(lab: TieLab, workspace: Workspace) -> TieLab:
    """Four words with w + est as B, forked by a click on the rival at merge 3."""
    workspace.open_exemplar("four-words", at_once=True)
    workspace.set_text(b"lowest slowest")
    workspace.go_to_merge(3)
    click_row(lab.rivals, 2)
    settle(workspace)
    return lab


def click_row(view: PaintedScroll, row: int) -> None:
    box = view.row_box(row)  # type: ignore[attr-defined]  # every list of rows has it
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=_in(view, box.center()))


def _in(view: PaintedScroll, point: QPointF) -> QPoint:
    return (point - QPointF(*view.offset())).toPoint()


def names(workspace: Workspace) -> list[str]:
    return [run.name for run in workspace.runs]


def test_without_a_corpus_it_says_so_and_offers_nothing(lab: TieLab) -> None:
    assert lab.empty.isVisible() and lab.empty.sentence() == NO_RUN
    assert not lab.fork.isVisible() and not lab.open.isEnabled()


def test_with_one_run_the_tie_and_its_rivals_are_there(lab: TieLab, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(3)
    assert lab.empty.sentence() == NOTHING_COMPARED and lab.fork.isVisible()
    assert [rival.standing for rival in lab.rivals.rivals] == [Standing.TAKEN, Standing.OPEN, Standing.OPEN]
    assert lab.tie_pane.facts() == "3 pairs occur 6 times"


def test_where_there_is_no_tie_the_next_one_is_named(lab: TieLab, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(1)
    assert lab.rivals.rivals == () and lab.rivals.accessibleDescription() == "No tie at merge 1. The next one is at merge 3."
    workspace.go_to_merge(9)
    assert lab.rivals.accessibleDescription() == "No tie at merge 9. The first one is at merge 0."


def test_behind_the_last_merge_no_pair_was_taken(lab: TieLab, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(10)
    assert [rival.standing for rival in lab.rivals.rivals] == [Standing.OPEN] * 3
    click_row(lab.rivals, 1)
    settle(workspace)
    assert workspace.compared and workspace.compared.training.learned == 11
    assert lab.figures.accessibleDescription().startswith("merges that differ: 1 of 11, rows only in A: 0, rows only in B: 1")


def test_a_corpus_without_ties_says_so(lab: TieLab, workspace: Workspace) -> None:
    workspace.open_corpus(Corpus.of_text(b"ababab"), recipe=Recipe(merges=1), at_once=True)
    assert next_tie_from(workspace) is None
    assert lab.empty.sentence() == NO_TIE and not lab.fork.isVisible()


def test_the_button_forks_at_the_next_tie_and_round_at_the_end(lab: TieLab, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(1)
    lab.fork.click()
    assert workspace.k == 3 and lab.empty.sentence() == FORKING
    settle(workspace)
    assert workspace.compared and workspace.compared.fork_rank == 3 and not lab.empty.isVisible()
    workspace.compare(None)
    workspace.go_to_merge(10)
    lab.fork_at_next_tie()
    settle(workspace)
    assert workspace.k == 0 and workspace.compared.fork_rank == 0


def test_a_click_on_a_rival_forks_and_both_runs_stand_beside_each_other(forked: TieLab, workspace: Workspace) -> None:
    assert names(workspace) == ["published", "w + est</w> at merge 3"]
    assert forked.merges_pane.facts() == "both runs end at 22; 9 of 10 rows are in both"
    assert forked.figures.accessibleDescription() == (
        "merges that differ: 2 of 10, rows only in A: 1, rows only in B: 1, length at the end: 22 and 22"
    )
    assert forked.words_pane.facts() == "2 of 6 are cut differently"
    assert forked.curves_pane.facts() == "A and B lie on each other: no gap"
    assert [rival.standing for rival in forked.rivals.rivals] == [Standing.TAKEN, Standing.OPEN, Standing.COMPARED]


def test_a_rival_that_a_run_took_is_compared_and_not_forked_again(forked: TieLab, workspace: Workspace) -> None:
    click_row(forked.rivals, 1)
    settle(workspace)
    assert len(workspace.runs) == 3 and forked.rivals.rivals[2].standing is Standing.FORKED
    click_row(forked.rivals, 2)
    settle(workspace)
    assert len(workspace.runs) == 3 and workspace.compared and workspace.compared.name == "w + est</w> at merge 3"


def test_the_pair_that_was_taken_asks_nothing(forked: TieLab, workspace: Workspace) -> None:
    click_row(forked.rivals, 0)
    settle(workspace)
    assert len(workspace.runs) == 2


def test_rivals_by_keys(lab: TieLab, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    QTest.keyClick(lab.rivals, Qt.Key.Key_Down)
    QTest.keyClick(lab.rivals, Qt.Key.Key_Return)
    settle(workspace)
    assert workspace.compared and workspace.compared.name == "s + t</w> at merge 0"


def test_a_click_on_a_track_compares_and_a_double_click_makes_it_active(forked: TieLab, workspace: Workspace) -> None:
    workspace.compare(None)
    assert forked.empty.isVisible()
    click_row(forked.tracks, 1)
    assert workspace.compared and workspace.compared.name == "w + est</w> at merge 3" and not forked.empty.isVisible()
    QTest.mouseDClick(forked.tracks.viewport(), Qt.MouseButton.LeftButton, pos=_in(forked.tracks, forked.tracks.row_box(1).center()))
    assert workspace.run and workspace.run.name == "w + est</w> at merge 3"
    assert workspace.compared and workspace.compared.name == "published"
    assert forked.merges_pane.facts() == "both runs end at 22; 9 of 10 rows are in both"


def test_tracks_by_keys(forked: TieLab, workspace: Workspace) -> None:
    workspace.compare(None)
    QTest.keyClick(forked.tracks, Qt.Key.Key_Up)
    QTest.keyClick(forked.tracks, Qt.Key.Key_Down)
    QTest.keyClick(forked.tracks, Qt.Key.Key_Space)
    assert workspace.compared and workspace.compared.fork_rank == 3
    QTest.keyClick(forked.tracks, Qt.Key.Key_Delete)
    assert names(workspace) == ["published"] and workspace.compared is None and forked.empty.isVisible()
    workspace.undo()
    assert names(workspace) == ["published", "w + est</w> at merge 3"]
    QTest.keyClick(forked.tracks, Qt.Key.Key_Down)
    QTest.keyClick(forked.tracks, Qt.Key.Key_Return)
    assert workspace.run and workspace.run.fork_rank == 3


def test_the_active_run_cannot_be_dropped(forked: TieLab, workspace: Workspace) -> None:
    QTest.keyClick(forked.tracks, Qt.Key.Key_Up)
    QTest.keyClick(forked.tracks, Qt.Key.Key_Delete)
    assert len(workspace.runs) == 2


def test_only_differences_when_asked(forked: TieLab) -> None:
    assert list(forked.merges.ranks) == list(range(10))
    forked.rows.chosen.emit(1)
    assert forked.merges.ranks == (3, 4)
    forked.rows.chosen.emit(0)
    assert len(forked.merges.ranks) == 10


def test_a_row_selects_the_token_of_its_side_and_goes_to_its_merge(forked: TieLab, workspace: Workspace) -> None:
    view = forked.merges
    row = view.row_box(3).center().y()
    for x, text in ((100, "ew"), (view.viewport().width() - 100, "west</w>")):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=_in(view, QPointF(x, row)))
        assert workspace.selection.token and workspace.selection.token.spelled() == text
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.current == 4
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert workspace.k == 4
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.current == 9


def test_a_click_on_a_token_of_a_word_selects_it(forked: TieLab, workspace: Workspace) -> None:
    forked.grab()
    view = forked.words
    painted = [each for row in view._hits.values() for each in row]  # noqa: SLF001 - where things were painted
    found = {piece.spelled(): box for box, piece in painted}
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=_in(view, found["west</w>"].center()))
    assert workspace.selection.token and workspace.selection.token.spelled() == "west</w>"


def test_tokens_outside_of_what_is_painted_again_can_still_be_clicked(forked: TieLab) -> None:
    view = forked.words
    view.grab()
    width, height = view.viewport().width(), view.viewport().height()
    spots = [QPointF(x, y) for x in range(4, width, 12) for y in range(4, height, 8)]
    before = [view.token_at(spot) for spot in spots]
    assert len({piece for piece in before if piece}) > 5
    view.viewport().repaint(0, height // 2, 20, 10)
    assert [view.token_at(spot) for spot in spots] == before


def test_words_follow_your_text(forked: TieLab, workspace: Workspace) -> None:
    workspace.set_text(b"low")
    assert forked.words_pane.facts() == "none of 4 are cut differently"


def test_the_button_opens_b_in_the_window(forked: TieLab, workspace: Workspace, qtbot: QtBot) -> None:
    with qtbot.waitSignal(forked.left):
        forked.open.click()
    assert workspace.run and workspace.run.fork_rank == 3


def test_the_way_back(lab: TieLab, qtbot: QtBot) -> None:
    with qtbot.waitSignal(lab.left):
        lab.head.back.click()


def test_a_hidden_page_compares_nothing_until_it_is_shown(lab: TieLab, workspace: Workspace) -> None:
    lab.hide()
    workspace.open_exemplar("four-words", at_once=True)
    workspace.fork(0, workspace.moment.tied[1])  # type: ignore[union-attr]  # counted at once
    settle(workspace)
    assert len(lab.merges.ranks) == 0
    lab.show()
    assert len(lab.merges.ranks) == 10 and not lab.empty.isVisible()


def test_another_corpus_shows_one_run_again(forked: TieLab, workspace: Workspace) -> None:
    workspace.open_exemplar("taste", at_once=True)
    assert forked.empty.isVisible() and len(forked.merges.ranks) == 0
    assert forked.tracks.current and forked.tracks.current.name == "published"


def test_it_is_drawn_in_every_theme_and_at_every_size(forked: TieLab, qapp: QApplication) -> None:
    grounds = set()
    for each in Theme:
        for zoom, size in ((1.0, (1440, 784)), (1.0, (1100, 584)), (2.0, (900, 500))):
            theme.apply(qapp, each, zoom=zoom)
            forked.resize(*size)
            grounds.add(forked.grab().toImage().pixelColor(4, size[1] - 4).name())
    assert grounds == {theme.COLOURS[each].page.lower() for each in Theme}
    theme.apply(qapp, Theme.LIGHT)


def long_training(merges: int, turn: int) -> Training:
    """A training with many rows, made without counting; every hundredth differs by `turn`."""
    start = train(Corpus.of_text(b"ab"), Recipe(merges=0))
    made = tuple(Merge(at % 256, (at // 256 + turn * (at % 100 == 99)) % 256, 5, 1, 1, 10**6 - at) for at in range(merges))
    return replace(start, merges=made)


def test_of_many_thousands_of_merges_a_screenful_is_drawn(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    view = TwoRuns()
    qtbot.addWidget(view)
    view.resize(820, 500)
    view.show()
    view.show_runs(compare(long_training(20_000, 0), long_training(20_000, 7)))
    view.grab()
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    drawn, draw = list[int](), TwoRuns._draw_row  # noqa: SLF001 - each row goes through it
    monkeypatch.setattr(TwoRuns, "_draw_row", lambda *asked: (drawn.append(asked[-1]), draw(*asked)))
    view.grab()
    assert drawn == list(range(drawn[0], drawn[-1] + 1)) and 5 < len(drawn) < 60
    assert view.ranks[drawn[0]] > 5_000
    view.show_rows(Rows.DIFFERENCES)
    assert len(view.ranks) == 200


def test_runs_of_different_lengths_stand_beside_each_other(qtbot: QtBot, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.run
    training = workspace.run.training
    made = compare(training, training.cut(6))
    rows, curves = TwoRuns(), TwoCurves()
    for view in (rows, curves):
        qtbot.addWidget(view)
        view.resize(600, 300)
    rows.show_runs(made)
    curves.show_tracks(track_of(made.one), track_of(made.other), made.first)
    assert len(rows.ranks) == 10 and curves.accessibleDescription() == "A ends at 22, B at 36"
    rows.grab()
    curves.grab()


def test_the_curves_go_to_a_merge(forked: TieLab, workspace: Workspace) -> None:
    view = forked.curves
    right = QPoint(round(view.width() - px(20)), 20)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=right)
    assert workspace.k == 10
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert workspace.k == 4


# --- both trees -------------------------------------------------------------------------------------------------------


def test_a_rival_shows_both_trees(forked: TieLab, workspace: Workspace, qtbot: QtBot) -> None:
    forked.under.chosen.emit(1)
    one, other = forked.trees.one.tree, forked.trees.other.tree
    assert forked.words_pane.accessibleName() == "Trees under both"
    assert one.tree and other.tree, "what each made at the first merge that differs"
    assert [spot.piece.spelled() for spot in one.tree.spots[:1]] != [spot.piece.spelled() for spot in other.tree.spots[:1]]
    run, compared = workspace.run, workspace.compared
    assert run and compared
    only_there = compared.training.table.piece(other.root if isinstance(other.root, int) else 0)
    workspace.select_token(only_there)
    assert other.root == compared.training.table.find(only_there)
    assert run.training.table.find(only_there) is None and one.accessibleDescription() == f"A has no token {short_label(only_there)}."
    node = next(place for place, spot in enumerate(other.tree.spots) if place)
    clicked = other.tree.spots[node].piece
    QTest.mouseClick(other, Qt.MouseButton.LeftButton, pos=other.point_of(node).toPoint())
    assert workspace.selection.token == clicked and other.root == compared.training.table.find(only_there), "the trees stay"
    workspace.compare(None)
    assert forked.trees.one.tree.root is None


def test_the_first_difference_is_in_view_when_the_page_comes_up(lab: TieLab, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    click_row(lab.rivals, 1)
    settle(workspace)
    qtbot.waitUntil(lambda: workspace.compared is not None)
    qtbot.wait(20)
    box, view = lab.merges.row_box(36), lab.merges
    top = view.offset()[1]
    assert top <= box.top() and box.bottom() <= top + view.viewport().height()


@pytest.mark.parametrize(("zoom", "width"), [(1.0, 820), (1.0, 512), (1.0, 400), (1.5, 820), (1.5, 512)])
def test_a_pair_has_room_before_the_words_and_figures_beside_it(qtbot: QtBot, qapp: QApplication, zoom: float, width: int) -> None:
    workspace = Workspace()
    workspace.open_exemplar("chronicle", at_once=True)
    run = workspace.run
    assert run
    theme.apply(qapp, Theme.LIGHT, zoom=zoom)
    view, compared = TwoRuns(), compare(run.training, run.training)
    qtbot.addWidget(view)
    view.resize(width, 300)
    view.show()
    view.show_runs(compared)
    columns = view.columns(compared)
    assert view.pair_room(columns) >= theme.px(60)
    assert columns.count or not columns.tie, "the words go first"
    assert bool(columns.tie) == (width / zoom > 800), "a wide view leaves nothing out"
    view.grab()
    workspace.close()
    theme.apply(qapp, Theme.LIGHT)


def test_the_tooltip_says_what_a_narrow_row_leaves_out(forked: TieLab) -> None:
    view = forked.merges
    QTest.mouseMove(view.viewport(), _in(view, view.row_box(3).center()))
    assert "tie of 3 · count 6 · length 48" in view.viewport().toolTip()


def test_long_figures_have_room_where_there_is_some(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    strip, long = FigureStrip("figures"), "2\u2009555\u2009197 and 2\u2009555\u2009197"
    qtbot.addWidget(strip)
    strip.show_figures((("merges that differ", "2 of 32\u2009512"), ("rows only in A", "0"), ("length at the end", long)))
    strip.resize(820, 60)
    (_, first), (_, second), (left, last) = strip.columns()
    assert first == second < last and last >= theme.metrics(Role.FIGURE_STRONG).horizontalAdvance(long)
    assert left + last <= 820 - theme.measures().m
    strip.resize(360, 60)
    assert len({width for _, width in strip.columns()}) == 1, "where not all fit none takes from another"


def test_the_lengths_of_a_large_corpus_have_room_beside_the_curves(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    curves, track = TwoCurves(), Track((123_456_789, 98_000_000, 60_000_000), 256)
    qtbot.addWidget(curves)
    curves.resize(520, 240)
    curves.show_tracks(track, track, 2)
    picture, page = curves.grab().toImage(), theme.current().page.name()
    assert {picture.pixelColor(x, y).name() for x in range(6) for y in range(240)} == {page}, "no letter is cut at the edge"
