"""The whole window on the real Workspace: keys, commands, files, links between the panes, closing."""

import gc
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QAccessible,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QFileOpenEvent,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QKeySequence,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.gui import app as starting
from explorer.gui import theme, wear
from explorer.gui.actions import COMMANDS, STEP_KEYS
from explorer.gui.main_window import MainWindow
from explorer.gui.plots.series import Scale
from explorer.gui.theme import Theme
from explorer.workspace.settings import Preferences, Settings, load_settings
from explorer.workspace.workspace import Workspace
from tests.gui.test_panes import drag
from tests.workspace.settled import settle
from tests.workspace.test_workspace import slow_corpus

Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    made = opened(qtbot, Settings(theme="light"))
    yield made
    made.workspace.close()
    wear.wear(Settings(theme="light"))


def opened(qtbot: QtBot, settings: Settings) -> MainWindow:
    wear.wear(settings)
    made = MainWindow(Workspace(), Preferences(settings))
    made.workspace.setParent(made)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    starting.open_first(made, starting.Opening())
    made.show()
    qtbot.waitExposed(made)
    qtbot.wait(20)
    return made


def test_the_first_start_is_the_chronicle_at_a_tie(window: MainWindow) -> None:
    workspace = window.workspace
    assert workspace.corpus is not None and workspace.corpus.name == "chronicle" and workspace.learned == 256
    assert workspace.moment is not None and len(workspace.moment.tied) > 1
    assert window.windowTitle() == "chronicle.jsonl – BPE Explorer"
    assert window.welcome.isVisible() and not window.notices.isVisible()


def test_the_keyboard_steps_from_the_start(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    k = window.workspace.k
    for key, wanted in ((Key.Key_Right, k + 1), (Key.Key_Left, k), (Key.Key_End, 256), (Key.Key_Home, 0)):
        qtbot.keyClick(QApplication.focusWidget(), key)
        assert window.workspace.k == wanted
    qtbot.keyClick(QApplication.focusWidget(), Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    first_tie = next(rank for rank, merge in enumerate(window.workspace.run.training.merges) if merge.tied > 1)  # type: ignore[union-attr]
    assert window.workspace.k == first_tie


def test_arrows_in_your_text_move_the_caret_and_nothing_else(window: MainWindow, qtbot: QtBot) -> None:
    k = window.workspace.k
    window.your_text.editor.setFocus()
    qtbot.keyClick(window.your_text.editor, Key.Key_Right)
    qtbot.keyClick(window.your_text.editor, Key.Key_Home)
    qtbot.keyClick(window.your_text.editor, "x")
    qtbot.waitUntil(lambda: window.workspace.text.startswith(b"x"))
    assert window.workspace.k == k


def test_every_command_is_in_a_menu_and_does_something(window: MainWindow) -> None:
    in_menus = {action.objectName() for menu in window.menus._menus.values() for action in menu.actions()}  # noqa: SLF001 - what the user sees
    assert {command.name for command in COMMANDS} <= in_menus
    assert set(STEP_KEYS.values()) <= {command.name for command in COMMANDS}
    for command in COMMANDS:
        assert window.actions_table[command.name].receivers("2triggered(bool)") >= 1, command.name


def test_commands_are_off_where_they_can_do_nothing(window: MainWindow) -> None:
    actions, workspace = window.actions_table, window.workspace
    workspace.go_to_merge(0)
    assert not actions["step_back"].isEnabled() and not actions["first"].isEnabled() and actions["step"].isEnabled()
    workspace.go_to_merge(256)
    assert actions["step_back"].isEnabled() and not actions["step"].isEnabled() and not actions["next_tie"].isEnabled()


def test_the_command_box_runs_a_command_by_its_words(window: MainWindow, qtbot: QtBot) -> None:
    box = window.menus.box
    window.actions_table["find_command"].trigger()
    qtbot.keyClicks(box, "last merge")
    qtbot.keyClick(box, Key.Key_Return)
    assert window.workspace.k == 256 and box.text() == ""


def drop(window: MainWindow, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, mime, buttons, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), copy, mime, buttons, keys))


def test_a_dropped_file_opens_and_is_remembered(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(b"abab abab\nabab\n")
    drop(window, path)
    settle(window.workspace)
    assert window.workspace.corpus is not None and window.workspace.corpus.name == "mine"
    assert window.windowTitle() == "mine.txt – BPE Explorer"
    assert window.preferences.settings.recent == (str(path),)


def test_a_wrong_file_is_told_in_the_bar_and_the_old_result_stays(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    path.write_bytes(b"the\t12\ncat\tmany\n")
    window.open_path(path)
    settle(window.workspace)
    assert window.notices.isVisible() and window.notices.shown is not None
    assert "counts.tsv" in window.notices.shown.text and "line 2" in window.notices.shown.text
    assert window.preferences.settings.recent == ()  # a list of files that cannot be opened helps nobody
    assert window.workspace.corpus is not None and window.workspace.corpus.name == "chronicle"


def test_another_column_of_json_lines_can_be_read(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"text": "one one", "title": "two two"}\n{"text": "one", "title": "two"}\n')
    window.open_path(path)
    settle(window.workspace)
    assert window.workspace.corpus is not None and window.workspace.corpus.data == b"one one\none\n"
    window.read_column("title")
    settle(window.workspace)
    assert window.workspace.corpus.data == b"two two\ntwo\n"


def test_another_column_is_one_of_the_open_file_and_not_of_one_that_could_not_be_opened(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text": "aa aa", "title": "bb bb"}\n', "utf-8")
    for asked in (path, tmp_path / "missing.jsonl"):
        window.open_path(asked)
        settle(window.workspace)
    window.read_column("title")
    settle(window.workspace)
    assert window.workspace.corpus is not None and window.workspace.corpus.data == b"bb bb\n"
    assert window.windowTitle().startswith("rows.jsonl") and str(path) in window.preferences.settings.recent


def test_a_table_is_saved_and_opened_by_the_commands(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    before = window.workspace.run.training  # type: ignore[union-attr]
    window.actions_table["save_table"].trigger()
    window.actions_table["open_table"].trigger()
    settle(window.workspace)
    after = window.workspace.run.training  # type: ignore[union-attr]
    assert after is not before and after.merges == before.merges


def test_a_token_selected_in_one_pane_is_selected_in_all(window: MainWindow, qtbot: QtBot) -> None:
    workspace = window.workspace
    table = workspace.run.training.table  # type: ignore[union-attr]
    workspace.go_to_merge(256)
    workspace.select_token(table.pieces[264])
    qtbot.wait(50)
    assert "264" in window.tree.pane.facts()


def test_the_welcome_strip_goes_after_three_steps_and_comes_back(window: MainWindow) -> None:
    for _ in range(3):
        window.activateWindow()
        QTest.keyClick(window.transport.timeline, Key.Key_Right)
    assert not window.welcome.isVisible() and not window.preferences.settings.welcome
    window.actions_table["welcome"].trigger()
    assert window.welcome.isVisible()


def test_show_me_a_tie_forks_and_opens_the_lab(window: MainWindow, qtbot: QtBot) -> None:
    window.welcome.tie_wanted.emit()
    settle(window.workspace)
    assert window.workspace.compared is not None and window.pages.currentWidget() is window.ties
    qtbot.keyClick(window.ties, Key.Key_Escape)
    assert window.pages.currentWidget() is window.panes


def test_show_me_greedy_lose_opens_the_tree_of_choices(window: MainWindow) -> None:
    window.welcome.greed_wanted.emit()
    settle(window.workspace)
    assert window.workspace.corpus is not None and window.workspace.corpus.name == "taste"
    assert window.pages.currentWidget() is window.greed


def test_every_menu_has_a_key_of_its_own_and_exemplars_are_commands(window: MainWindow, qtbot: QtBot) -> None:
    QTest.keyPress(window, Key.Key_Alt)
    keys = menu_letters(window)
    assert all(keys) and len(set(keys)) == len(keys)
    box = window.menus.box
    box.begin()
    qtbot.keyClicks(box, "four")
    qtbot.keyClick(box.completer().popup(), Key.Key_Down)
    qtbot.keyClick(box.completer().popup(), Key.Key_Return)
    qtbot.waitUntil(lambda: window.workspace.corpus is not None and window.workspace.corpus.name == "four-words")


def menu_letters(window: MainWindow) -> list[str]:
    return [QKeySequence.mnemonic(action.text()).toString() for action in window.menuBar().actions()]


def test_the_letters_of_the_menus_are_underlined_while_alt_is_down(window: MainWindow) -> None:
    timeline, bar = window.transport.timeline, window.menuBar()
    able = [widget for widget in window.findChildren(QWidget) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
    able = [widget for widget in able if widget.isVisible() and widget.isEnabled()]
    assert len(able) > 20
    for widget in able:
        assert not any(menu_letters(window))
        QTest.keyPress(widget, Key.Key_Alt)
        assert all(menu_letters(window)), f"{widget.accessibleName()} keeps the key to itself"
        QTest.keyRelease(widget, Key.Key_Alt, Qt.KeyboardModifier.AltModifier)
        assert bar.hasFocus() or not any(menu_letters(window))  # Alt alone goes into the menu bar, where there is one
        timeline.setFocus()
        bar.setActiveAction(None)
    QTest.keyPress(window, Key.Key_Alt)
    QApplication.sendEvent(bar, QFocusEvent(QEvent.Type.FocusOut))
    assert not any(menu_letters(window))


def test_themes_and_zoom_change_under_the_window(window: MainWindow) -> None:
    for name, wanted in (("dark", Theme.DARK), ("contrast", Theme.CONTRAST), ("light", Theme.LIGHT)):
        window.actions_table[f"theme_{name}"].trigger()
        assert theme.chosen() is wanted and window.actions_table[f"theme_{name}"].isChecked()
        assert not window.grab().isNull()
    window.actions_table["larger"].trigger()
    assert theme.zoom() == pytest.approx(1.1)
    window.actions_table["normal_size"].trigger()
    assert theme.zoom() == 1.0


def test_what_was_set_is_there_at_the_next_start(qtbot: QtBot) -> None:
    window = opened(qtbot, Settings(theme="dark", welcome=False))
    sizes = drag(window.arranged.whole, -200)
    window.close()
    settings, told = load_settings()
    assert told == () and settings.theme == "dark" and not settings.welcome
    again = opened(qtbot, settings)
    assert again.arranged.whole.sizes() == sizes and not again.welcome.isVisible()
    again.reset_layout()
    assert again.arranged.whole.sizes() != sizes
    again.close()
    wear.wear(Settings(theme="light"))


def test_closing_while_training_ends_soon(window: MainWindow) -> None:
    window.workspace.open_corpus(slow_corpus(), recipe=Recipe.of("chapter-81"))
    before = time.monotonic()
    QApplication.sendEvent(window, QCloseEvent())
    assert time.monotonic() - before < 3
    assert window.workspace.lanes.lanes == ()


def test_everything_that_takes_the_focus_has_a_name(window: MainWindow) -> None:
    nameless = []
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisibleTo(window) or widget.objectName().startswith("qt_"):
            continue
        parent = widget.parentWidget()
        if isinstance(parent, QAbstractScrollArea) and parent.viewport() is widget:
            continue  # the area has the name
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface and not interface.text(QAccessible.Text.Name):
            nameless.append(widget)
    assert [f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}" for widget in nameless] == []


def test_the_tie_lab_can_be_used_in_a_small_window_at_150_percent(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 600)
    window.set_zoom(1.5)
    window.show_a_tie()
    settle(window.workspace)
    qtbot.wait(20)
    merges, first = window.ties.merges, window.ties.merges.ranks.index(36)
    seen = QRectF(merges.viewport().rect()).translated(QPointF(*merges.offset()))
    assert all(seen.contains(merges.row_box(row)) for row in range(first - 1, first + 1)), "the first difference and a row before it"
    assert not window.transport.isVisible() and not window.ties.figures.isVisible()
    bar = window.menuBar()
    shown = [bar.actionGeometry(action) for action in bar.actions()]
    assert all(box.isValid() and box.right() < window.menus.box.parentWidget().x() for box in shown), "no menu is dropped"
    window.show_page(window.panes)
    assert window.transport.isVisible() and window.recipe_bar.isVisible()
    window.show_page(window.ties)
    window.resize(1440, 900)
    qtbot.waitUntil(window.transport.isVisible)
    qtbot.waitUntil(window.ties.figures.isVisible)


@pytest.mark.parametrize("size", [(900, 600), (1100, 700), (1440, 900)])
def test_the_window_fits_its_sizes(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    QApplication.processEvents()
    assert (window.width(), window.height()) == size


def shot(tmp_path: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    out = tmp_path / "window.png"
    command = [sys.executable, "-m", "explorer", "--shot", str(out), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False), out


def test_a_picture_of_the_window_is_taken_without_a_screen(tmp_path: Path) -> None:
    corpus = tmp_path / "mine.txt"
    corpus.write_bytes(b"standing in standing in\n" * 20)
    done, out = shot(
        tmp_path, "--size", "1100x700", "--theme", "dark", "--scale", "2", "--open", str(corpus), "--recipe", "byte-words", "--step", "3",
        "--text", "standing",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (2200, 1400)
    assert len({picture.pixel(x, y) for x in range(0, 2200, 20) for y in range(0, 1400, 20)}) > 10


def test_a_picture_of_a_file_that_is_not_there_fails_with_words(tmp_path: Path) -> None:
    done, _ = shot(tmp_path, "--open", str(tmp_path / "gone.txt"))
    assert done.returncode == 1 and "gone.txt" in done.stderr and "Traceback" not in done.stderr


def test_bad_arguments_are_refused_before_qt_is_loaded(tmp_path: Path) -> None:
    done, _ = shot(tmp_path, "--size", "large")
    assert done.returncode == 2 and "large" in done.stderr


def test_your_text_is_in_sight_when_it_is_asked_for_in_a_lab(window: MainWindow) -> None:
    QGuiApplication.clipboard().setText("pasted")  # whatever another test left there may be too long for the editor
    for ask in (window.welcome.text_wanted.emit, window.actions_table["paste"].trigger):
        window.show_page(window.ties)
        ask()
        assert window.your_text.editor.isVisible() and window.pages.currentWidget() is window.panes


def test_what_was_chosen_in_a_view_is_there_again(qtbot: QtBot) -> None:
    window = opened(qtbot, Settings(theme="light", blanks=False, merges_a_second=16, logarithmic=True))
    assert not window.your_text.blanks_action.isChecked() and window.transport.player.speed == 16
    assert [action.text() for action in window.transport.speeds.actions() if action.isChecked()] == ["16 merges a second"]
    window.your_text.blanks_action.trigger()
    window.transport.player.set_speed(64)
    window.curve.set_scale(Scale.LINEAR)
    kept = window.preferences.settings
    assert (kept.blanks, kept.merges_a_second, kept.logarithmic) == (True, 64, False)
    window.workspace.close()


def test_reduce_motion_is_a_command_that_is_checked(window: MainWindow) -> None:
    action = window.actions_table["reduce_motion"]
    assert not action.isChecked() and theme.motion() == theme.MOVING
    action.trigger()
    assert action.isChecked() and theme.motion() == theme.STILL and window.preferences.settings.reduce_motion
    action.trigger()
    assert not action.isChecked() and theme.motion() == theme.MOVING


def test_a_file_that_the_system_asks_to_open_is_opened(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "asked.txt"
    path.write_bytes(b"abab abab\nabab\n")
    heard = starting.FileOpening(window.open_path)
    assert heard.eventFilter(QApplication.instance(), QFileOpenEvent(str(path)))
    settle(window.workspace)
    assert window.workspace.corpus is not None and window.workspace.corpus.name == "asked"


def test_where_nothing_is_open_every_pane_says_so_and_one_button_leads_on(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    wear.wear(Settings(theme="light"))
    window = MainWindow(Workspace(), Preferences(Settings(theme="light")))
    window.workspace.setParent(window)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    qtbot.waitExposed(window)
    pairs = window.next_merge.pairs
    assert pairs.table.accessibleDescription() == "No corpus is open." and not pairs.its_merge.isVisible()
    assert window.corpus.open.isVisible() and not window.tree.step.isVisible()
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: asked.append("asked") or ("", ""))
    window.corpus.open.click()
    assert asked == ["asked"]
    window.workspace.open_exemplar("four-words", at_once=True)
    assert not window.corpus.open.isVisible() and window.tree.step.isVisible()
    window.tree.step.click()
    assert window.workspace.k == 1 and not window.tree.step.isVisible()
    window.workspace.open_corpus(Corpus.of_text(b"abcdefg"), recipe=Recipe.of("chapter-81"), at_once=True)
    assert not window.tree.step.isVisible(), "there is no merge to step to"
    assert pairs.table.accessibleDescription() == "No pair occurs twice."
    window.workspace.close()


def test_the_recipe_menu_retrains_and_marks_the_recipe(window: MainWindow) -> None:
    actions, workspace = window.actions_table, window.workspace
    assert actions["recipe_chapter-81"].isChecked() and not actions["recipe_gpt2"].isChecked()
    actions["recipe_byte-words"].trigger()
    settle(workspace)
    assert workspace.run is not None and workspace.run.recipe.preset == "byte-words"
    assert actions["recipe_byte-words"].isChecked() and not actions["recipe_chapter-81"].isChecked()
    actions["recipe_byte-words"].trigger()
    assert actions["recipe_byte-words"].isChecked(), "a click on the one that is on leaves it on"
    actions["recipe_settings"].trigger()
    assert window.recipe_bar.sheet.isVisible()
    window.recipe_bar.sheet.hide()


def test_page_keys_step_by_ten_from_anywhere(window: MainWindow) -> None:
    k = window.workspace.k
    for key, wanted in ((Key.Key_PageDown, k + 10), (Key.Key_PageUp, k)):
        QTest.keyClick(window, key)
        assert window.workspace.k == wanted


def test_the_theme_of_the_system_is_followed_while_it_runs(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wear, "system_theme", lambda: Theme.LIGHT)
    window = opened(qtbot, Settings(theme="auto"))
    assert theme.chosen() is Theme.LIGHT
    monkeypatch.setattr(wear, "system_theme", lambda: Theme.DARK)
    QApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.chosen() is Theme.DARK
    window.actions_table["theme_light"].trigger()
    QApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.chosen() is Theme.LIGHT, "what was chosen stays"
    window.workspace.close()


def test_esc_leads_out_of_your_text_and_enter_presses_a_button(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    for widget in (window.your_text.editor, window.transport.number):
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        qtbot.keyClick(widget, Key.Key_Escape)
        assert window.transport.timeline.hasFocus()
    k = window.workspace.k
    window.transport.forward.setFocus()
    qtbot.keyClick(window.transport.forward, Key.Key_Return)
    assert window.workspace.k == k + 1


def test_a_window_that_is_gone_hears_nothing(qtbot: QtBot) -> None:
    workspace = Workspace()
    window = MainWindow(workspace, Preferences(Settings(theme="light")))
    window.show()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gone = weakref.ref(window)
    del window
    gc.collect()
    assert gone() is None, "nobody holds it"
    with qtbot.captureExceptions() as raised:
        workspace.open_exemplar("four-words", at_once=True)
        workspace.go_to_merge(1)
    assert raised == []
    workspace.close()
    workspace.deleteLater()
