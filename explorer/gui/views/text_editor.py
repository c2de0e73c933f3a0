"""Your text where it can be typed: Qt's plain text editor with token boxes painted under its visible lines.

The editor holds text that it can give back byte for byte, and nothing else: `why_not_editable` says what it cannot
hold. Whatever would change a text on the way in (rich text, line ends, no-break spaces) is kept out or kept as it is.
"""

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from explorer.gui import painted, theme
from explorer.gui.models.editable import why_not_editable
from explorer.gui.models.text_spans import TextSpans
from explorer.gui.text import editor_picture
from explorer.gui.text.cells import Ints
from explorer.gui.text.editor_layout import EditorLayout
from explorer.gui.text.editor_rows import BlockText, EditorRow, rows_of
from explorer.gui.text.exact_text import around, document_bytes, first_units, insert_exactly, selected_bytes
from explorer.gui.text.text_mime import bytes_of, file_of, mime_of, utf8
from explorer.gui.text.text_rows import RowShape
from explorer.gui.theme import Role
from explorer.gui.views.text_taking import take_bytes, take_file
from explorer.gui.views.token_pointer import TokenPointer
from explorer.workspace.workspace import Workspace

KEPT_BLOCKS = 400  # lines whose cells are remembered: several screens


class TextEditor(QPlainTextEdit):
    """Your text, editable, its tokens tinted. Hears the text's tokens and what stands out; calls set_text, select_token, hover."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._tokens: TextSpans | None = None
        self._data: bytes | None = b""
        self._starts: Ints | None = None
        self._blocks: dict[int, BlockText] = {}
        self._blanks = True
        self._holds = True  # False after `forget`: then what is in the document is not your text
        self._pressed = QPoint()
        self._build()
        self._pointer = TokenPointer(workspace, self.viewport())
        self._telling = QTimer(self)
        self._telling.setSingleShot(True)
        self._telling.setInterval(0)
        self._telling.timeout.connect(self._tell)
        self._connect()
        self._restyle()

    def _build(self) -> None:
        self.setAccessibleName("Your text")
        self.setAccessibleDescription("Ctrl+period selects the token at the cursor, then the next; Ctrl+comma the one before. Esc leaves.")
        self.setProperty("part", "page")
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setPlaceholderText("Paste or type here.")
        self.setTabChangesFocus(False)
        document = QTextDocument(self)
        direction = document.defaultTextOption()
        direction.setTextDirection(Qt.LayoutDirection.LeftToRight)  # as in every view of tokens; letters turn round in it
        document.setDefaultTextOption(direction)
        self._layout = EditorLayout(document)
        document.setDocumentLayout(self._layout)
        self.setDocument(document)
        self.viewport().setMouseTracking(True)

    def _connect(self) -> None:
        workspace = self._workspace
        self.document().contentsChange.connect(self._on_change)
        workspace.encoded_changed.connect(self._show_tokens)
        for signal in (workspace.hover_changed, workspace.selection_changed, workspace.merge_changed, workspace.moment_changed):
            signal.connect(self._repaint)
        self._show_tokens()

    # --- the text -----------------------------------------------------------------------------------------------------

    @property
    def data(self) -> bytes:
        """The text as it is in the editor, byte for byte."""
        if self._data is None:
            self._data = document_bytes(self.document())
        return self._data

    def load(self, data: bytes) -> None:
        """Puts a text in that `why_not_editable` lets through; undo goes back to the one before."""
        self._holds = True
        if data == self.data:
            return
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        insert_exactly(cursor, data.decode())
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._show_tokens()

    def forget(self) -> None:
        """Lets go of the text, when another view shows another one; without undo and without telling the Workspace."""
        self._telling.stop()
        self._holds = False
        if self.document().isEmpty():
            return
        self.document().contentsChange.disconnect(self._on_change)
        self.setPlainText("")
        self._drop_text()
        self.document().contentsChange.connect(self._on_change)

    def show_blanks(self, shown: bool) -> None:
        """Marks for spaces, tabs and line ends, or none."""
        self._blanks = shown
        self._repaint()

    def _on_change(self) -> None:
        self._drop_text()
        self._pointer.card.dismiss()
        self._telling.start()

    def _drop_text(self) -> None:
        self._data = self._starts = None
        self._blocks.clear()

    def _tell(self) -> None:
        if not self._holds:  # another font is a change of the document too, and there is nothing in it to tell
            return
        self._workspace.set_text(self.data)
        self._show_tokens()

    # --- tokens -------------------------------------------------------------------------------------------------------

    @property
    def tokens(self) -> TextSpans | None:
        """The tokens as far as they hold for the text as it is now."""
        if self._tokens is not None and self._tokens.data is not self.data:
            self._tokens = self._tokens.over(self.data)
        return self._tokens

    def _show_tokens(self) -> None:
        """The newest tokens that were worked out; until others come, what holds of them is shown."""
        encoded = self._workspace.encoded
        if encoded is not None and (self._tokens is None or self._tokens.encoded is not encoded):
            self._tokens = TextSpans(encoded, self.data, self._tokens.flags if self._tokens else None)
        self._blocks.clear()
        self._repaint()

    def _repaint(self) -> None:
        self.viewport().update()

    def block_text(self, block: QTextBlock) -> BlockText:
        """The bytes, cells and tokens of a line."""
        number = block.blockNumber()
        if number not in self._blocks:
            if len(self._blocks) >= KEPT_BLOCKS:
                self._blocks.clear()
            start = self._block_start(number)
            size = len(utf8(block.text()))
            self._blocks[number] = BlockText.of(self.data[start : start + size], start, self.tokens)
        return self._blocks[number]

    def _block_start(self, number: int) -> int:
        if self._starts is None:
            line_ends = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\n"))
            self._starts = np.concatenate(([0], line_ends + 1)).astype(np.int64)
        return int(self._starts[number])

    # --- the picture --------------------------------------------------------------------------------------------------

    def visible_rows(self, top: float, bottom: float) -> list[EditorRow]:
        """The rows between two heights of the viewport."""
        rows: list[EditorRow] = []
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        high = RowShape.of(Role.TEXT).line
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(offset)
            if box.top() > bottom:
                break
            if box.bottom() >= top and not block.layout().preeditAreaText():  # what is being composed moves Qt's places, not ours
                made = rows_of(self.block_text(block), block, box.left(), box.top())
                rows += [row for row in made if row.top < bottom and row.top + high > top]
            block = block.next()
        return rows

    def paintEvent(self, event: QPaintEvent) -> None:
        ink, emphasis = theme.current(), self._pointer.emphasis(self.tokens)
        rows = self.visible_rows(event.rect().top(), event.rect().bottom() + 1)
        p = painted.begin(self.viewport())
        p.setClipRect(event.rect())
        for row in rows:
            editor_picture.draw_ground(p, ink, row, emphasis)
        p.end()
        super().paintEvent(event)
        p = painted.begin(self.viewport())
        p.setClipRect(event.rect())
        self._draw_over(p, rows)
        p.end()

    def _draw_over(self, p: QPainter, rows: list[EditorRow]) -> None:
        ink, emphasis, size = theme.current(), self._pointer.emphasis(self.tokens), len(self.data)
        for row in rows:
            ends = row.after == len(row.text.cells) and row.text.start + len(row.text.data) < size
            editor_picture.draw_marks(p, ink, row, emphasis.merged, blanks=self._blanks, line_end=ends)
        stand_in = self.tokens.stand_in if self.tokens else None
        for row in rows:
            editor_picture.draw_lost(p, ink, row, stand_in)
        for row in rows:
            editor_picture.draw_rings(p, ink, row, emphasis)

    def _restyle(self) -> None:
        self.setFont(theme.font(Role.TEXT))
        self.viewport().setFont(theme.font(Role.TEXT))  # of the placeholder; a style sheet gives viewports back the font they had
        self.document().setDefaultFont(theme.font(Role.TEXT))
        sizes = theme.measures()
        self.document().setDocumentMargin(sizes.xs)  # above and below; at the sides the rest is outside the viewport
        self.setViewportMargins(sizes.l - sizes.xs, 0, sizes.l - sizes.xs, 0)
        self.setTabStopDistance(4 * theme.metrics(Role.TEXT).horizontalAdvance("0"))
        self.setCursorWidth(max(1, round(theme.px(1.5))))
        self._blocks.clear()
        self._repaint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._restyle()

    # --- the pointer and keys -----------------------------------------------------------------------------------------

    def byte_at(self, point: QPointF) -> int | None:
        """The byte of the text under a point of the viewport; None beside it."""
        for row in self.visible_rows(point.y(), point.y() + 1):
            at = row.byte_at(point.x())
            if at is not None and row.top <= point.y() < row.top + row.shape.line:
                return row.text.start + at
        return None

    def token_at(self, point: QPointF) -> int | None:
        """The index of the token under a point of the viewport."""
        at, tokens = self.byte_at(point), self.tokens
        return None if at is None or tokens is None else tokens.at_byte(at)

    def token_boxes(self, n: int) -> list[QRect]:
        """The boxes of a token in the rows that are in sight."""
        found = []
        for row in self.visible_rows(0, self.viewport().height()):
            for at in np.flatnonzero(row.text.indexes == n).tolist():
                found += [box.toAlignedRect() for box in row.covered(at)]
        return found

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(self._onto_letters(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(self._onto_letters(event) if event.buttons() else event)
        n = None if event.buttons() else self.token_at(event.position())
        boxes = self.token_boxes(n) if n is not None else []
        under = next((box for box in boxes if box.adjusted(0, -99, 0, 99).contains(event.position().toPoint())), None)
        self._pointer.over(self.tokens, n, under or (boxes[0] if boxes else QRect()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(self._onto_letters(event))
        still = (event.position().toPoint() - self._pressed).manhattanLength() < 4
        if event.button() == Qt.MouseButton.LeftButton and still and not self.textCursor().hasSelection():
            self._pointer.select(self.tokens, self.token_at(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(self._onto_letters(event))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._pointer.leave()
        if theme.changed(event):
            self.viewport().setFont(theme.font(Role.TEXT))
        return super().viewportEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._pointer.card.dismiss()
        super().focusOutEvent(event)

    def _onto_letters(self, event: QMouseEvent) -> QMouseEvent:
        """The same event at the height of the letters of its row: Qt knows nothing of the room between rows."""
        point = event.position()
        row = next(iter(self.visible_rows(point.y(), point.y() + 0.5)), None)
        if row is None:
            return event
        middle = row.top + row.shape.top + row.shape.tint / 2
        moved = QPointF(point.x(), middle)
        shift = moved - point
        return QMouseEvent(
            event.type(), moved, event.globalPosition() + shift, event.button(), event.buttons(), event.modifiers(), event.pointingDevice()
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if control and event.key() in (Qt.Key.Key_Period, Qt.Key.Key_Comma):
            self._go_to_token(1 if event.key() == Qt.Key.Key_Period else -1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertBlock()  # Qt would put in U+2028, which nobody meant
        else:
            super().keyPressEvent(event)

    def _go_to_token(self, by: int) -> None:
        """Selects the token at the cursor; if it is selected already, the one after or before it."""
        tokens = self.tokens
        if tokens is None or not len(tokens.encoded):
            return
        n = tokens.at_byte(min(self.cursor_byte(), len(self.data) - 1))
        if n is None:
            return
        if tokens.place(n) == self._workspace.selection.span:
            n = max(0, min(len(tokens.encoded) - 1, n + by))
        self._put_cursor(tokens.place(n)[0])
        self._pointer.select(tokens, n)
        if boxes := self.token_boxes(n):
            self._pointer.tell(tokens, n, boxes[0])

    def cursor_byte(self) -> int:
        """The byte before which the text cursor stands."""
        cursor = self.textCursor()
        return self._block_start(cursor.blockNumber()) + len(utf8(first_units(cursor.block().text(), cursor.positionInBlock())))

    def _put_cursor(self, offset: int) -> None:
        number = int(np.searchsorted(self._starts, offset, side="right")) - 1 if self._starts is not None else 0
        block = self.document().findBlockByNumber(number)
        before = self.data[self._block_start(number) : offset].decode("utf-8", "ignore")
        cursor = self.textCursor()
        cursor.setPosition(block.position() + len(before.encode("utf-16-le")) // 2)
        self.setTextCursor(cursor)

    # --- copy, paste, drop --------------------------------------------------------------------------------------------

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or file_of(source) is not None

    def insertFromMimeData(self, source: QMimeData) -> None:
        file = file_of(source)
        data = bytes_of(source)
        if file is not None:
            take_file(self._workspace, file)
        elif data:
            self.insert(data)

    def insert(self, data: bytes) -> None:
        """Puts bytes in the place of what is selected; where the editor could not hold the whole, it goes to the Workspace as it is."""
        before, after = around(self.textCursor())
        whole = before + data + after
        if why_not_editable(whole):
            take_bytes(self._workspace, whole)
        else:
            insert_exactly(self.textCursor(), data.decode())
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        return mime_of(selected_bytes(self.textCursor()))
