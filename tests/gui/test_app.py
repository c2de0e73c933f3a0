"""Starting the program: what is set before the window is up."""

import sys

from explorer.gui import app as starting


def test_the_window_gets_the_interpreter_back_soon() -> None:
    before = sys.getswitchinterval()
    try:
        starting.share_interpreter()
        assert sys.getswitchinterval() < before / 5
    finally:
        sys.setswitchinterval(before)
