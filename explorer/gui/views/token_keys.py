"""The keys of a view that is only read: from token to token, and copy, mark all, paste."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

Key = Qt.Key
MOVES = (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down, Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown)
_STANDARD = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll, QKeySequence.StandardKey.Paste)
_MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)


def is_ours(event: QKeyEvent) -> bool:
    """Whether the view takes a key before the window's shortcuts do."""
    moves = event.key() in MOVES and (event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier) in _MODIFIERS
    return moves or any(event.matches(key) for key in _STANDARD)
