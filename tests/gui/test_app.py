"""Starting the program: what is set before the window is up."""

import subprocess
import sys

from explorer.gui import app as starting

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
