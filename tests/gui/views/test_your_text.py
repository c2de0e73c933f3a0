"""The pane of your text: which view shows what, what is told of it, and that nothing long holds up the window."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from explorer.core.recipe import Recipe
from explorer.gui import theme
from explorer.gui.models.editable import EDITOR_BYTES
from explorer.gui.models.text_facts import TextFacts
from explorer.gui.models.token_lists import TokenFormat
from explorer.gui.theme import Theme
from explorer.gui.views import text_taking
from explorer.gui.views.your_text_pane import YourTextPane
from explorer.workspace.values import Level, MergesUsed, Notice
from explorer.workspace.workspace import Workspace

LEFT = Qt.MouseButton.LeftButton
STALL_MS = 400  # a beat as late as this would be a freeze that a person sees; what is measured is far below, see the printed figures


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    made.open_exemplar("chronicle", at_once=True)
    made.go_to_merge(36)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pane(workspace: Workspace, qtbot: QtBot) -> YourTextPane:
    made = YourTextPane(workspace)
    qtbot.addWidget(made)
    made.resize(900, 260)
    made.show()
    return made


@pytest.fixture
def notices(workspace: Workspace) -> list[Notice]:
    told: list[Notice] = []
    workspace.noticed.connect(told.append)
    return told


def known(pane: YourTextPane, qtbot: QtBot) -> TextFacts:
    qtbot.waitUntil(lambda: pane.facts_of_text is not None, timeout=60_000)
    assert pane.facts_of_text is not None
    return pane.facts_of_text


def mime_text(text: str) -> QMimeData:
    made = QMimeData()
    made.setText(text)
    return made


def prose(workspace: Workspace, size: int) -> bytes:
    assert workspace.corpus is not None
    unit = bytes(workspace.corpus.data)
    return (unit * (size // len(unit) + 1))[:size]


def test_the_header_tells_tokens_and_merges(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    heard: list[TextFacts | None] = []
    pane.facts_changed.connect(heard.append)
    workspace.set_text(b"The Hollow has a gate.")
    assert known(pane, qtbot).counts == "22 characters, 5 words, 10 tokens" and pane.facts() == "10 tokens"
    assert heard[-1] is pane.facts_of_text
    choice = pane.merges_used.findChildren(QToolButton)
    assert [button.text() for button in choice] == ["first 36", "all 256"]
    workspace.step(1)
    assert choice[0].text() == "first 37"
    qtbot.mouseClick(choice[1], LEFT)
    assert workspace.merges_used is MergesUsed.ALL and known(pane, qtbot).tokens < 10
    workspace.use_merges(MergesUsed.FIRST_K)
    assert pane.merges_used.place == 0


def test_an_empty_text_tells_nothing(pane: YourTextPane) -> None:
    assert pane.facts() == "" and pane.editing and pane.editor.placeholderText() == "Paste or type here."


def test_what_an_editor_cannot_hold_is_only_read(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.set_text(b"one\r\ntwo")
    assert not pane.editing and pane.token_view.data == b"one\r\ntwo"
    assert pane.reason() == "Read-only: an editor would change the carriage return in it."
    assert pane.editor.data == b""
    workspace.set_text(b"one\ntwo")
    assert pane.editing and pane.editor.data == b"one\ntwo" and pane.reason() == "" and pane.token_view.data == b""
    qtbot.wait(1)
    assert workspace.text == b"one\ntwo"


def test_a_paste_of_windows_lines_keeps_their_bytes(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.set_text(b"start ")
    QGuiApplication.clipboard().setMimeData(mime_text("one\r\ntwo\r"))
    pane.editor.moveCursor(pane.editor.textCursor().MoveOperation.End)
    qtbot.mouseClick(pane.paste_button, LEFT)
    assert workspace.text == b"start one\r\ntwo\r" and not pane.editing
    QGuiApplication.clipboard().setMimeData(mime_text("plain"))
    qtbot.mouseClick(pane.paste_button, LEFT)
    assert workspace.text == b"plain" and pane.editing


def test_no_break_spaces_are_kept_and_told_apart(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    """case-045"""
    QGuiApplication.clipboard().setMimeData(mime_text("42\u00a0m and 42 m"))
    pane.paste()
    qtbot.waitUntil(lambda: workspace.text == "42\u00a0m and 42 m".encode())
    pane.copy_tokens(TokenFormat.PIECES)
    qtbot.waitUntil(lambda: "<C2>\n<A0>" in QGuiApplication.clipboard().text())
    assert [row.text.cells.part(cell).text for row in pane.editor.visible_rows(0, 200) for cell in range(2, 3)] == ["NBSP"]


def test_nul_is_no_end(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    """case-071"""
    workspace.set_text(b"first\x00second")
    facts = known(pane, qtbot)
    assert facts.bytes == facts.characters == 12 and facts.exact and pane.editing
    qtbot.keyClick(pane.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(pane.editor, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "first\x00second"


def drop(pane: YourTextPane, mime: QMimeData) -> bool:
    place, buttons, modifiers = QPointF(100, 100), LEFT, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, mime, buttons, modifiers)
    QApplication.sendEvent(pane, entering)
    if entering.isAccepted():
        QApplication.sendEvent(pane, QDropEvent(place, Qt.DropAction.CopyAction, mime, buttons, modifiers))
    return entering.isAccepted()


def test_a_dropped_file_is_taken_to_the_byte(pane: YourTextPane, workspace: Workspace, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "any.bin"
    file.write_bytes(b"\xef\xbb\xbfone\xff\r\n\x00")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    assert drop(pane, mime) and workspace.text == file.read_bytes() and not pane.editing
    assert known(pane, qtbot).exact
    assert drop(pane, mime_text("text")) and workspace.text == b"text"
    assert not drop(pane, QMimeData())


def test_a_file_dropped_on_the_editor_replaces_the_text(pane: YourTextPane, workspace: Workspace, tmp_path: Path) -> None:
    workspace.set_text(b"before")
    file = tmp_path / "short.txt"
    file.write_bytes(b"after")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    pane.editor.insertFromMimeData(mime)
    assert workspace.text == b"after" and pane.editor.data == b"after"


def test_files_that_cannot_be_taken_are_told(
    pane: YourTextPane, workspace: Workspace, notices: list[Notice], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text_taking.take_file(workspace, tmp_path / "gone.txt")
    assert notices[-1].level is Level.ERROR and "gone.txt cannot be read" in notices[-1].text
    monkeypatch.setattr(text_taking, "LARGEST", 3)
    (tmp_path / "large.txt").write_bytes(b"1234")
    text_taking.take_file(workspace, tmp_path / "large.txt")
    assert notices[-1].level is Level.WARNING and "too large" in notices[-1].text and workspace.text == b""


def test_tokens_are_copied_in_every_format(pane: YourTextPane, workspace: Workspace, notices: list[Notice], qtbot: QtBot) -> None:
    workspace.set_text(b"The Hollow")
    formats = {TokenFormat.IDS: "291", TokenFormat.JSON: "[291]", TokenFormat.PIECES: "The Hollow", TokenFormat.TABLE: "n\tid\t"}
    for wanted, begins in formats.items():
        QGuiApplication.clipboard().clear()
        next(action for action in pane.copy_menu.actions() if action.text() == wanted.value).trigger()
        qtbot.waitUntil(lambda begins=begins: QGuiApplication.clipboard().text().startswith(begins))  # type: ignore[misc]
    assert notices[-1].text == "Copied 1 token."


def test_blanks_can_be_hidden_in_the_editor(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.set_text(b"a b\tc\nd")
    shown = pane.editor.viewport().grab().toImage()
    qtbot.keyClick(pane, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    if pane.blanks_action.isChecked():  # offscreen no window is active, so a shortcut may not fire
        pane.blanks_action.trigger()
    assert pane.editor.viewport().grab().toImage() != shown


def test_blanks_can_be_hidden_in_the_read_only_view(pane: YourTextPane, workspace: Workspace) -> None:
    workspace.set_text(b"a b\tc\n\xff")
    shown = pane.token_view.viewport().grab().toImage()
    pane.blanks_action.trigger()
    hidden = pane.token_view.viewport().grab().toImage()
    pane.blanks_action.trigger()
    assert hidden != shown and pane.token_view.viewport().grab().toImage() == shown


def test_stand_ins_and_losses_are_told(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.set_recipe(Recipe.of("published").asking(merges=10))
    workspace.set_text(b"lower  z\n")
    facts = known(pane, qtbot)
    assert not facts.exact and "z at byte 7" in facts.round_trip and "1 line end lost" in facts.round_trip


def test_begin_marks_what_is_there(pane: YourTextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.set_text(b"old")
    pane.begin()
    qtbot.keyClicks(pane.editor, "new")
    qtbot.waitUntil(lambda: workspace.text == b"new")


def test_it_is_right_when_nothing_is_open(qapp: QApplication, qtbot: QtBot) -> None:
    theme.apply(qapp, Theme.DARK)
    workspace = Workspace()
    pane = YourTextPane(workspace)
    qtbot.addWidget(pane)
    pane.show()
    workspace.set_text(b"text \xff")
    assert pane.facts() == "" and pane.facts_of_text is None and not pane.copy_button.isEnabled()
    workspace.open_exemplar("chronicle", at_once=True)
    assert known(pane, qtbot).tokens > 0
    workspace.close()
    workspace.deleteLater()


class Beat:
    """A timer of 5 ms, and the longest it had to wait for its turn."""

    def __init__(self) -> None:
        self.late: list[int] = []
        self._clock = QElapsedTimer()
        self._timer = QTimer()
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._on_beat)

    def _on_beat(self) -> None:
        self.late.append(self._clock.restart())

    def during(self, work: Callable[[], None], name: str, record: Callable[[str, object], None]) -> int:
        """The longest wait in ms while work was done."""
        self.late.clear()
        self._clock.start()
        self._timer.start()
        work()
        QApplication.processEvents()
        self._timer.stop()
        self._on_beat()
        record(name, f"longest {max(self.late)} ms, over 50 ms {sum(ms > 50 for ms in self.late)} of {len(self.late)}")
        return max(self.late)


Record = Callable[[str, object], None]
PASTES = {"200 KB": (200_000, b"\n"), "1 MB": (1_000_000, b"\n"), "1 MB in one line": (1_000_000, b" ")}


@pytest.mark.parametrize("name", PASTES)
def test_a_long_paste_freezes_nothing(
    pane: YourTextPane, workspace: Workspace, qtbot: QtBot, record_property: Record, name: str
) -> None:
    """case-007, case-051, case-090"""
    size, between_lines = PASTES[name]
    data = prose(workspace, size).replace(b"\n", between_lines)
    beat = Beat()

    def paste() -> None:
        QGuiApplication.clipboard().setMimeData(mime_text(data.decode()))
        pane.paste()
        QApplication.processEvents()
        assert pane.token_view.data == data  # the text is there, its tokens come later
        known(pane, qtbot)

    def read() -> None:
        bar = pane.token_view.verticalScrollBar()
        bar.setValue(bar.maximum())
        for _ in range(100):
            bar.setValue(bar.value() - bar.pageStep())
            QApplication.processEvents()

    assert not pane.token_view.data and pane.editing
    assert beat.during(paste, f"{name}: paste", record_property) < STALL_MS
    assert not pane.editing and len(data) > EDITOR_BYTES
    assert beat.during(read, f"{name}: 100 pages", record_property) < STALL_MS
    assert beat.during(pane.clear, f"{name}: clear", record_property) < STALL_MS
    assert workspace.text == b"" and pane.editing


def test_clearing_five_megabytes_is_quick(
    pane: YourTextPane, workspace: Workspace, qtbot: QtBot, record_property: Record
) -> None:
    """case-090"""
    workspace.set_text(prose(workspace, 5_000_000))
    QApplication.processEvents()
    assert Beat().during(pane.clear, "5 MB: clear", record_property) < STALL_MS
    assert pane.token_view.data == b"" and known(pane, qtbot).tokens == 0


def test_typing_into_a_hundred_kilobytes_echoes(
    pane: YourTextPane, workspace: Workspace, qtbot: QtBot, record_property: Record
) -> None:
    data = prose(workspace, 99_000)
    workspace.set_text(data)
    assert pane.editing
    known(pane, qtbot)
    pane.editor.moveCursor(pane.editor.textCursor().MoveOperation.End)

    def keys() -> None:
        for letter in "twenty letters typed":
            qtbot.keyClicks(pane.editor, letter)
            QApplication.processEvents()

    assert Beat().during(keys, "100 KB: 20 keys", record_property) < STALL_MS
    qtbot.waitUntil(lambda: workspace.text == data + b"twenty letters typed")
    assert known(pane, qtbot).bytes == len(data) + 20


def test_zoom_and_theme_keep_a_text_that_is_only_read(workspace: Workspace, pane: YourTextPane, qtbot: QtBot, qapp: QApplication) -> None:
    data = b"a long text\n" * (EDITOR_BYTES // 12 + 1)
    workspace.set_text(data)
    assert not pane.editing
    for worn, zoom in ((Theme.DARK, 1.0), (Theme.LIGHT, 1.5), (Theme.LIGHT, 1.0)):
        theme.apply(qapp, worn, zoom=zoom)
        qtbot.wait(30)  # the hidden editor hears of its new font in the next turn of the event loop
        assert workspace.text == data


def test_the_placeholder_grows_with_the_zoom(workspace: Workspace, pane: YourTextPane, qapp: QApplication) -> None:
    for zoom in (1.5, 1.0):
        theme.apply(qapp, Theme.LIGHT, zoom=zoom)
        assert pane.editor.viewport().font().pixelSize() == theme.font(theme.Role.TEXT).pixelSize()
