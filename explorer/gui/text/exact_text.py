"""A Qt document as bytes and back, without the conversions that Qt and its binding make on the way.

Qt's own `toPlainText` makes spaces of no-break spaces and line ends of U+2029; its fragments do the same on copying.
So a document is read raw: U+2029 stands for a line end there, and nothing else does, since no text of ours holds one.
"""

from PySide6.QtGui import QTextCursor, QTextDocument

from explorer.gui.text.text_mime import utf8

LINE_END = "\u2029"


def document_bytes(document: QTextDocument) -> bytes:
    """The whole text."""
    return _read(document.toRawText())


def selected_bytes(cursor: QTextCursor) -> bytes:
    """What a cursor has selected."""
    return _read(cursor.selectedText())


def around(cursor: QTextCursor) -> tuple[bytes, bytes]:
    """The text before and after what a cursor has selected."""
    raw = cursor.document().toRawText()
    after = _units(raw)[2 * cursor.selectionEnd() :].decode("utf-16-le", "surrogatepass")
    return _read(first_units(raw, cursor.selectionStart())), _read(after)


def insert_exactly(cursor: QTextCursor, text: str) -> None:
    """Replaces what a cursor has selected, as a step of undo of its own.

    WORKAROUND: PySide6 (6.10) reads U+FEFF and U+FFFE at the start of a str as byte order marks, drops them and, after
    the latter, swaps the bytes of all that follows. So neither is ever at the start. Drop it when that is mended.
    WORKAROUND: Qt (6.10) adds letters typed right behind an insertion to its step of undo, however it was made, so that one undo
    took back a paste with them. It adds none to a step that ended by taking something out. Drop it when that is mended.
    """
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    start = cursor.position()
    cursor.insertText("x" + text + "x")
    end = cursor.position()
    cursor.setPosition(start)
    cursor.deleteChar()
    cursor.setPosition(end - 1)
    cursor.deletePreviousChar()
    cursor.endEditBlock()


def first_units(text: str, count: int) -> str:
    """The first `count` UTF-16 units of a text."""
    return _units(text)[: 2 * count].decode("utf-16-le", "surrogatepass")


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _read(raw: str) -> bytes:
    return utf8(raw.replace(LINE_END, "\n"))
