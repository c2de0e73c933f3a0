"""The timeline of merges, on a real Workspace: what a click, a drag, a key and the wheel do, and what the bars show."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import Merge, MergeColumns, MergeStep, training_steps
from explorer.gui import theme
from explorer.gui.plots.series import scale_marks
from explorer.gui.theme import Theme
from explorer.gui.views.timeline import PAGE, MergeTimeline, columns, heights_and_ties
from explorer.workspace.workspace import Workspace


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def timeline(workspace: Workspace, qtbot: QtBot) -> MergeTimeline:
    workspace.open_exemplar("four-words", at_once=True)
    made = MergeTimeline(workspace)
    qtbot.addWidget(made)
    made.resize(416, 64)
    made.show()
    return made


def at(timeline: MergeTimeline, k: int) -> QPoint:
    return QPoint(round(timeline.x_of(k)), 30)


def move_with_button(timeline: MergeTimeline, k: int) -> None:
    there = QPointF(at(timeline, k))
    left = Qt.MouseButton.LeftButton
    event = QMouseEvent(QEvent.Type.MouseMove, there, timeline.mapToGlobal(there), left, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(timeline, event)


def turn_wheel(timeline: MergeTimeline, eighths: int) -> None:
    there = QPointF(20, 20)
    event = QWheelEvent(
        there, timeline.mapToGlobal(there), QPoint(), QPoint(0, eighths), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(timeline, event)


def painted(timeline: MergeTimeline) -> QImage:
    return timeline.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_a_click_goes_to_the_merge_under_it(timeline: MergeTimeline, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=at(timeline, 7))
    assert workspace.k == 7
    qtbot.mouseClick(timeline, Qt.MouseButton.RightButton, pos=at(timeline, 2))
    assert workspace.k == 7


def test_a_drag_scrubs_and_stays_inside(timeline: MergeTimeline, workspace: Workspace, qtbot: QtBot) -> None:
    seen: list[int] = []
    workspace.merge_changed.connect(seen.append)
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=at(timeline, 1))
    for k in (2, 3, 5, 99, -9):
        move_with_button(timeline, k)
    qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=at(timeline, 0))
    assert seen == [1, 2, 3, 5, 10, 0]


def test_moving_without_a_button_moves_nothing(timeline: MergeTimeline, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseMove(timeline, at(timeline, 6))
    assert workspace.k == 0


@pytest.mark.parametrize(
    ("key", "start", "end"),
    [
        (Qt.Key.Key_Right, 3, 4), (Qt.Key.Key_Left, 3, 2), (Qt.Key.Key_Home, 3, 0), (Qt.Key.Key_End, 3, 10),
        (Qt.Key.Key_PageDown, 0, min(10, PAGE)), (Qt.Key.Key_PageUp, 10, 0), (Qt.Key.Key_Left, 0, 0), (Qt.Key.Key_Right, 10, 10),
    ],
)  # fmt: skip
def test_keys_step(timeline: MergeTimeline, workspace: Workspace, qtbot: QtBot, key: Qt.Key, start: int, end: int) -> None:
    workspace.go_to_merge(start)
    qtbot.keyClick(timeline, key)
    assert workspace.k == end


def test_shift_and_arrows_go_from_tie_to_tie(timeline: MergeTimeline, workspace: Workspace, qtbot: QtBot) -> None:
    places = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(timeline, key, Qt.KeyboardModifier.ShiftModifier)
        places.append(workspace.k)
    assert places == [3, 4, 7, 4]  # tied merges of the four words: ranks 0, 3, 4, 7, 8


def test_the_wheel_steps_a_merge_a_notch(timeline: MergeTimeline, workspace: Workspace) -> None:
    turn_wheel(timeline, -240)
    assert workspace.k == 2
    for _ in range(4):
        turn_wheel(timeline, 30)  # a fine wheel: four quarters of a notch
    assert workspace.k == 1


def test_the_tooltip_tells_the_merge_under_the_pointer(timeline: MergeTimeline, workspace: Workspace) -> None:
    there = at(timeline, 3) + QPoint(3, 0)
    QApplication.sendEvent(timeline, QHelpEvent(QEvent.Type.ToolTip, there, timeline.mapToGlobal(there)))
    assert QToolTip.text() == "rank 3 · e + w → ew · 6 times · tie of 3"
    QApplication.sendEvent(timeline, QHelpEvent(QEvent.Type.ToolTip, QPoint(0, 0), timeline.mapToGlobal(QPoint(0, 0))))
    QToolTip.hideText()


def test_bars_before_the_cursor_are_of_another_colour(timeline: MergeTimeline, workspace: Workspace) -> None:
    workspace.go_to_merge(5)
    image, ratio = painted(timeline), timeline.devicePixelRatioF()

    def bar(rank: int) -> QColor:
        middle = (timeline.x_of(rank) + timeline.x_of(rank + 1)) / 2 - 1
        return QColor(image.pixel(round(middle * ratio), round((timeline.height() - 18) * ratio)))

    assert bar(1) == bar(4) and bar(6) == bar(9) == theme.current().mark and bar(1) != bar(6)


def test_a_tie_has_a_mark_under_its_bar(timeline: MergeTimeline) -> None:
    image, ratio = painted(timeline), timeline.devicePixelRatioF()
    foot = round((timeline.height() - 16 + 4) * ratio)
    marked = [QColor(image.pixel(round((timeline.x_of(rank) + 6) * ratio), foot)) == theme.current().tie for rank in range(10)]
    assert [rank for rank in range(10) if marked[rank]] == [0, 3, 4, 7, 8]


def test_another_theme_repaints_the_bars(timeline: MergeTimeline, qapp: QApplication) -> None:
    light = painted(timeline)
    theme.apply(qapp, Theme.DARK)
    dark = painted(timeline)
    theme.apply(qapp, Theme.LIGHT)
    assert light != dark and QColor(dark.pixel(2, 40)) == theme.ink_of(Theme.DARK).chrome
    assert painted(timeline) == light


def test_it_is_empty_and_calm_where_nothing_is_open(workspace: Workspace, qtbot: QtBot) -> None:
    made = MergeTimeline(workspace)
    qtbot.addWidget(made)
    made.resize(400, 64)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Home):
        qtbot.keyClick(made, key)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=QPoint(200, 30))
    assert made.bars == 0 and workspace.k == 0
    assert len({painted(made).pixel(x, 30) for x in range(400)}) == 1


def learned_of(text: bytes, recipe: Recipe) -> tuple[Merge, ...]:
    return tuple(merge for step in training_steps(Corpus.of_text(text), recipe) if isinstance(step, MergeStep) for merge in step.merges)


def test_merges_being_learned_grow_the_bars(workspace: Workspace, qtbot: QtBot) -> None:
    made = MergeTimeline(workspace)
    qtbot.addWidget(made)
    made.resize(400, 64)
    empty = painted(made)
    merges = learned_of(b"low lower lowest\n" * 3, Recipe(merges=6))
    workspace.merges_learned.emit(merges[:3])
    three = painted(made)
    workspace.merges_learned.emit(merges)
    assert made.bars == 6 and len({empty.cacheKey(), three.cacheKey()}) == 2
    assert three != empty and painted(made) != three


def test_what_is_learned_goes_when_the_training_stops(timeline: MergeTimeline, workspace: Workspace) -> None:
    before = painted(timeline)
    workspace.merges_learned.emit(learned_of(b"aaa bbb ababab " * 9, Recipe(merges=20)))
    during = painted(timeline)
    assert during != before
    workspace.task_changed.emit(None)
    assert painted(timeline) == before


def test_a_training_grows_it_and_ends_in_its_merges(timeline: MergeTimeline, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.set_recipe(workspace.recipe.asking(merges=12))
    qtbot.waitUntil(lambda: workspace.learned == 12)
    assert timeline.bars == 12 and timeline.accessibleDescription() == "0 of 12 merges made"


def merge(saved: int, tied: int = 1) -> Merge:
    return Merge(0, 1, saved, tied, saved, 0)


def test_columns_hold_the_largest_of_the_merges_of_a_pixel() -> None:
    merges = tuple(merge(saved, tied) for saved, tied in ((3, 1), (100, 1), (7, 2), (1, 1), (1, 1), (2, 1)))
    heights, ties = columns(*heights_and_ties(MergeColumns.of(merges)), 6, 3)
    assert heights.tolist() == pytest.approx([1.0, np.log1p(7) / np.log1p(100), np.log1p(2) / np.log1p(100)])
    assert ties.tolist() == [False, True, False]


def test_columns_leave_room_for_merges_that_are_not_there_yet() -> None:
    heights, ties = columns(*heights_and_ties(MergeColumns.of((merge(5),))), 4, 100)
    assert heights.tolist() == [1.0, 0.0, 0.0, 0.0] and not ties.any()


def test_thirty_thousand_merges_are_thinned_to_the_pixels() -> None:
    merges = tuple(merge(1 + 30_000 // (rank + 1)) for rank in range(30_000))
    heights, _ = columns(*heights_and_ties(MergeColumns.of(merges)), len(merges), 1000)
    assert len(heights) == 1000 and heights[0] == 1.0 and (np.diff(heights) <= 0).all()


@pytest.mark.parametrize(("merges", "most"), [(0, 10), (1, 10), (7, 3), (256, 4), (354, 12), (32_768, 15), (1000, 1)])
def test_scale_marks_begin_at_zero_end_at_the_end_and_are_few(merges: int, most: float) -> None:
    marks = scale_marks(merges, most)
    assert marks[-1] == merges and marks == sorted(marks) and (marks[0] == 0 or merges == 0)
    assert len(marks) <= most + 2


def test_it_marks_where_the_compared_run_took_another_way(timeline: MergeTimeline, workspace: Workspace, qtbot: QtBot) -> None:
    without = painted(timeline)
    assert timeline.fork is None and workspace.moment is not None
    rival = next(pair for pair in workspace.moment.tied if pair != workspace.next_pair)
    workspace.go_to_merge(5)
    before = painted(timeline)
    workspace.fork(0, rival)
    qtbot.waitUntil(lambda: workspace.compared is not None)
    assert timeline.fork == 0 and timeline.accessibleDescription() == "5 of 10 merges made; B takes another way at merge 0"
    assert painted(timeline) != before
    workspace.compare(None)
    assert timeline.fork is None and painted(timeline) == before != without


def test_a_bar_under_the_pointer_hovers_the_token_of_its_merge(timeline: MergeTimeline, workspace: Workspace) -> None:
    run = workspace.run
    assert run
    for rank in (0, 4, 9):
        QTest.mouseMove(timeline, at(timeline, rank) + QPoint(8, 0))
        assert workspace.hovered == run.training.table.pieces[run.training.table.id_of_rank(rank)]
    QTest.mouseMove(timeline, QPoint(1, 30))
    assert workspace.hovered is None, "left of the first merge"
    QTest.mouseMove(timeline, at(timeline, 2) + QPoint(8, 0))
    QApplication.sendEvent(timeline, QEvent(QEvent.Type.Leave))
    assert workspace.hovered is None
