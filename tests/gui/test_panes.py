"""How the panes stand at any size and zoom: each has the room it needs, and what the window lacks can be scrolled to."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui import app as starting
from explorer.gui import wear
from explorer.gui.main_window import MainWindow
from explorer.gui.panes import Form
from explorer.gui.theme import px
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.values import Level, Notice
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

SIZES = ((900, 600), (1024, 640), (1440, 900))


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    settings = Settings(theme="light")
    wear.wear(settings)
    made = MainWindow(Workspace(), Preferences(settings))
    made.workspace.setParent(made)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    starting.open_first(made, starting.Opening())
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.workspace.close()
    wear.wear(Settings(theme="light"))


def put(window: MainWindow, qtbot: QtBot, zoom: float, size: tuple[int, int]) -> None:
    window.show_page(window.panes)
    window.set_zoom(zoom)
    window.resize(*size)
    before: list[QRect] = []
    while before != (now := [widget.geometry() for widget in window.findChildren(QWidget)]):  # until everything has found its place
        before = now
        qtbot.wait(1)
    assert window.scrolled.horizontalScrollBar().maximum() == 0


def drag(splitter: QSplitter, by: int) -> list[int]:
    """Drags the line between two parts; their sizes then."""
    handle, left = splitter.handle(1), Qt.MouseButton.LeftButton
    grip = handle.rect().center()
    QTest.mousePress(handle, left, Qt.KeyboardModifier.NoModifier, grip)
    QTest.mouseMove(handle, grip + QPoint(by, 0))
    QTest.mouseRelease(handle, left, Qt.KeyboardModifier.NoModifier, grip)
    return splitter.sizes()


def panes(window: MainWindow) -> list[QWidget]:
    return [window.corpus, window.context, window.next_merge, window.your_text, window.tree, window.curve]


@pytest.mark.parametrize("zoom", [1.0, 1.25, 1.5, 2.0])
def test_no_pane_is_cut_and_every_one_can_be_scrolled_to(window: MainWindow, qtbot: QtBot, zoom: float) -> None:
    content = window.scrolled.widget()
    assert content is not None
    for size in SIZES:
        put(window, qtbot, zoom, size)
        for pane in (*panes(window), window.transport, window.recipe_bar, window.welcome):
            box = pane.rect().translated(pane.mapTo(content, QPoint()))
            assert content.rect().contains(box), pane.accessibleName()
            assert pane.width() >= pane.minimumSizeHint().width() and pane.height() >= pane.minimumHeight(), pane.accessibleName()
            title = next((label for label in pane.findChildren(QLabel) if label.text() == pane.accessibleName()), None)
            assert title is None or title.width() >= title.sizeHint().width(), f"the title {pane.accessibleName()} is cut"
        window.scrolled.ensureWidgetVisible(window.curve)
        foot = window.curve.mapTo(window.scrolled.viewport(), window.curve.rect().bottomLeft())
        assert window.scrolled.viewport().rect().contains(foot + QPoint(1, 0)), "the last pane comes into view"


def test_nothing_scrolls_at_100_percent(window: MainWindow, qtbot: QtBot) -> None:
    window.workspace.notify(Notice(Level.INFO, "With a notice above the panes, too."))
    assert window.notices.isVisible() and window.welcome.isVisible()
    for size in SIZES:
        put(window, qtbot, 1.0, size)
        assert window.arranged.form is Form.THREE
        assert window.scrolled.verticalScrollBar().maximum() == window.scrolled.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("zoom", [1.5, 2.0])
def test_every_button_of_the_bars_is_whole_in_a_small_window(window: MainWindow, qtbot: QtBot, zoom: float) -> None:
    put(window, qtbot, zoom, (900, 600))
    transport = window.transport
    row = [transport.first, transport.last, transport.number, transport.timeline, transport.previous_tie, transport.next_tie]
    qtbot.waitUntil(lambda: all(one.geometry().right() < other.geometry().left() for one, other in pairwise(row)))
    assert transport.timeline.width() >= px(60) and transport.next_tie.geometry().right() <= transport.width()
    for button in window.welcome._buttons.values():  # noqa: SLF001 - what the user sees
        assert button.width() >= button.sizeHint().width(), button.text()
    bar = window.menuBar()
    shown = [bar.actionGeometry(action) for action in bar.actions()]
    corner = window.menus.box.parentWidget()
    assert corner is not None
    assert all(box.isValid() and box.right() < corner.x() for box in shown), "no menu is dropped"


def test_what_was_dragged_in_three_columns_is_there_again_after_two(window: MainWindow, qtbot: QtBot) -> None:
    put(window, qtbot, 1.0, (1440, 900))
    whole = window.arranged.whole
    dragged = drag(whole, -200)
    put(window, qtbot, 1.5, (900, 600))
    assert window.arranged.form is Form.TWO and whole.orientation() is Qt.Orientation.Vertical
    assert dict(window.arranged.sizes())["whole"] == tuple(dragged), "what is remembered is of the three columns"
    put(window, qtbot, 1.0, (1440, 900))
    qtbot.waitUntil(lambda: whole.sizes() == dragged)
    window.reset_layout()
    assert whole.sizes() != dragged


def test_step_keys_step_and_do_not_scroll(window: MainWindow, qtbot: QtBot) -> None:
    put(window, qtbot, 1.5, (900, 600))
    k, at = window.workspace.k, window.scrolled.verticalScrollBar().value()
    QTest.keyClick(window.transport, Qt.Key.Key_PageDown)
    assert window.workspace.k == k + 10 and window.scrolled.verticalScrollBar().value() == at
    QTest.keyClick(window.transport, Qt.Key.Key_PageUp)
    assert window.workspace.k == k


def test_your_text_comes_into_view_where_it_is_asked_for(window: MainWindow, qtbot: QtBot) -> None:
    put(window, qtbot, 2.0, (900, 600))
    window.welcome.text_wanted.emit()
    head = window.your_text.mapTo(window.scrolled.viewport(), QPoint())
    assert window.scrolled.viewport().rect().contains(head)
    window.show_page(window.panes)
    assert window.scrolled.verticalScrollBar().value() == 0, "where the transport is, which has the focus"


def test_a_lab_scrolls_where_it_has_no_room_and_panes_ask_for_none(window: MainWindow, qtbot: QtBot) -> None:
    put(window, qtbot, 1.0, (900, 600))
    window.show_page(window.ties)
    QApplication.processEvents()
    assert window.scrolled.verticalScrollBar().maximum() == 0
    window.set_zoom(2.0)
    QApplication.processEvents()
    assert window.ties.width() >= px(580) and window.ties.height() >= px(330)
    assert window.scrolled.verticalScrollBar().maximum() > 0
    window.show_page(window.panes)
    settle(window.workspace)


def turn(view: QWidget, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """One notch of the wheel towards the reader, over what can be seen of a view, as the system sends it."""
    at = view.mapTo(view.window(), view.visibleRegion().boundingRect().center())
    QTest.wheelEvent(view.window().windowHandle(), at, QPoint(0, -120), QPoint(), keys)


def test_the_wheel_scrolls_past_tree_and_curve_and_zooms_them_with_ctrl(window: MainWindow, qtbot: QtBot) -> None:
    tree, bar = window.tree.tree, window.scrolled.verticalScrollBar()
    put(window, qtbot, 1.0, (1440, 900))
    before = tree.scale
    turn(tree)
    assert tree.scale < before, "nothing scrolls: it zooms"
    put(window, qtbot, 2.0, (900, 600))
    for view in (tree, window.curve.build().canvas):
        window.scrolled.ensureWidgetVisible(view)
        bar.setValue(bar.value() - 20)
        scale, at = tree.scale, bar.value()
        turn(view, Qt.KeyboardModifier.ControlModifier)
        assert bar.value() == at
        assert (tree.scale < scale) is (view is tree)
        scale = tree.scale
        turn(view)
        assert bar.value() > at and tree.scale == scale
