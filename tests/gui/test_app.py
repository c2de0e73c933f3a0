"""Starting the program: what is set before the window is up."""

import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.gui import app as starting
from explorer.gui.main_window import MainWindow
from explorer.workspace import trainer
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.workspace import Workspace
from tests.workspace.test_workspace import slow_corpus

TAB_CELLS = 4  # the letters between two tab stops of your text


def test_the_window_gets_the_interpreter_back_soon() -> None:
    before = sys.getswitchinterval()
    try:
        starting.share_interpreter()
        assert sys.getswitchinterval() < before / 5
    finally:
        sys.setswitchinterval(before)


def test_the_tab_of_the_first_text_has_room_for_its_arrow() -> None:
    for line in starting.FIRST_TEXT.splitlines():
        for at, letter in enumerate(line):
            if letter == "\t":
                assert TAB_CELLS - at % TAB_CELLS > 2, "a ring around what stands before it takes one cell"
    assert "\t" in starting.FIRST_TEXT and not starting.FIRST_TEXT.isascii()


def test_what_two_threads_would_import_at_once_is_there_before_the_second_thread() -> None:
    asked = "import sys, explorer.gui.app; print('colorama' in sys.modules, 'pyqtgraph' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False", "False"]


def test_a_program_that_copied_ends_well() -> None:
    copied = """
from PySide6.QtGui import QGuiApplication
from explorer.gui import app as starting
from explorer.gui.text.text_mime import mime_of
app = starting.Application([])
QGuiApplication.clipboard().setMimeData(mime_of(b"copied"))
starting.empty_own_clipboard()
"""
    subprocess.run([sys.executable, "-c", copied], check=True)


def test_a_merge_asked_for_waits_for_the_training_of_what_is_shown_early(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "SHOWN_EARLY_S", 0.0)
    path = tmp_path / "lines.txt"
    path.write_bytes(slow_corpus().data[:25_000])
    window = MainWindow(Workspace(), Preferences(Settings(theme="light", welcome=False)))
    window.workspace.setParent(window)
    qtbot.addWidget(window)
    starting.open_first(window, starting.Opening(files=(path,), recipe="byte-words", k=30))
    qtbot.waitUntil(lambda: window.workspace.k == 30, timeout=60_000)
    assert window.workspace.recipe.preset == "byte-words" and window.workspace.learned > 30
    window.workspace.close()
