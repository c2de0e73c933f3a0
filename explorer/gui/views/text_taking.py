"""How a text comes in that is not typed: from the clipboard, from a drop, from a file. What comes in is taken to the byte."""

from pathlib import Path

from PySide6.QtCore import QMimeData

from explorer.gui.painting.paint import thousands
from explorer.gui.text.text_mime import bytes_of, file_of
from explorer.workspace.values import Level, Notice
from explorer.workspace.workspace import Workspace

LARGEST = 64_000_000  # bytes of your text; it is held, and encoded, as a whole


def acceptable(mime: QMimeData) -> bool:
    """Whether a clipboard or a drop holds a text or a file."""
    return file_of(mime) is not None or bytes_of(mime) is not None


def take(workspace: Workspace, mime: QMimeData) -> None:
    """Makes what a clipboard or a drop holds your text, in place of what was there."""
    file = file_of(mime)
    data = bytes_of(mime)
    if file is not None:
        take_file(workspace, file)
    elif data is not None:
        take_bytes(workspace, data)


def take_file(workspace: Workspace, path: Path) -> None:
    """Makes the bytes of a file your text; an error is told."""
    try:
        size = path.stat().st_size
        if _told_too_large(workspace, size):
            return
        data = path.read_bytes()
    except OSError as error:
        workspace.notify(Notice(Level.ERROR, f"{path.name} cannot be read: {error.strerror or error}."))
        return
    workspace.set_text(data)


def take_bytes(workspace: Workspace, data: bytes) -> None:
    """Makes some bytes your text; more than `LARGEST` are refused with a notice."""
    if not _told_too_large(workspace, len(data)):
        workspace.set_text(data)


def _told_too_large(workspace: Workspace, size: int) -> bool:
    if size <= LARGEST:
        return False
    largest = thousands(LARGEST // 1_000_000)
    words = f"A text of {thousands(size)} bytes is too large for this pane, which takes {largest} MB. Open the file as a corpus."
    workspace.notify(Notice(Level.WARNING, words))
    return True
