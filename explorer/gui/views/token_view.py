"""Your text where it is only read: any size, any bytes, each character and each token drawn as in the rest of the window.

For what an editor cannot hold: megabytes, lines without end, bytes that are no text, line ends that an editor would
change. The text is there at once, its tints when the tokens come. Rows are cut between characters, after a blank
where there is one.
"""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from explorer.gui import theme
from explorer.gui.models.text_spans import TextSpans
from explorer.gui.models.token_words import token_card
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.loss_mark import draw_losses
from explorer.gui.text.text_mime import mime_of
from explorer.gui.views.text_page import TextPage
from explorer.gui.views.text_taking import acceptable, take
from explorer.gui.views.token_keys import MOVES, Key, is_ours
from explorer.gui.views.token_pointer import TokenPointer
from explorer.workspace.workspace import Workspace

MARKED = 0.3  # how strong the colour over marked text is


class TokenView(PaintedScroll):
    """Your text, read-only. Hears the text's tokens and what stands out; calls select_token, hover, and set_text for a paste.

    Arrows go from token to token, Home and End along the row, with Ctrl to the ends of the text; dragging marks text.
    """

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__("Your text, read-only", parent)
        self._workspace = workspace
        self._tokens: TextSpans | None = None
        self._marked: tuple[int, int] | None = None  # where dragging began, and where it is
        self._pressed: QPointF | None = None
        self._blanks = True
        self._page = TextPage(b"", None, 1.0)
        self._pointer = TokenPointer(workspace, self.viewport())
        self.setAcceptDrops(True)
        workspace.encoded_changed.connect(self._show_tokens)
        for signal in (workspace.hover_changed, workspace.selection_changed, workspace.merge_changed, workspace.moment_changed):
            signal.connect(self._repaint)

    # --- the text -----------------------------------------------------------------------------------------------------

    @property
    def data(self) -> bytes:
        """The text that is shown."""
        return self._page.data

    @property
    def tokens(self) -> TextSpans | None:
        """Its tokens; None until they are known."""
        return self._tokens

    def load(self, data: bytes) -> None:
        """Shows a text from its beginning; its tokens as soon as they are known."""
        if data is self.data:
            return
        self._marked = None
        self._pointer.card.dismiss()
        self._tokens = None
        self._page = TextPage(data, None, self._width())
        self.verticalScrollBar().setValue(0)
        self._show_tokens()
        self._fit()

    def forget(self) -> None:
        """Lets go of the text and its tokens."""
        self.load(b"")

    def show_blanks(self, shown: bool) -> None:
        """Marks for spaces, tabs and line ends, or none."""
        self._blanks = shown
        self._repaint()

    def _show_tokens(self) -> None:
        encoded = self._workspace.encoded
        if encoded is None or encoded.data != self.data or (self._tokens and self._tokens.encoded is encoded):
            return  # the old tokens stay until the new ones are there
        top = self._top_byte()
        self._tokens = TextSpans(encoded, flags=self._tokens.flags if self._tokens else None)
        self._page.show_tokens(self._tokens)
        self._show_from(top)

    def _repaint(self) -> None:
        self.viewport().update()

    # --- places -------------------------------------------------------------------------------------------------------

    def _margin(self) -> QPointF:
        return QPointF(theme.measures().l, theme.measures().xs)

    def _width(self) -> float:
        return max(theme.px(80), self.viewport().width() - self._margin().x() - theme.measures().xl)

    def _fit(self) -> None:
        """Lays out what is in view, and tells the scroll bars how much there is."""
        self._page.settle(self.offset()[1] - self._margin().y(), self.viewport().height())
        height = self._page.heights.total + 2 * self._margin().y()
        if round(height) != self._extent[1]:
            self.set_extent(0, height)

    def _top_byte(self) -> tuple[int, float]:
        """The first byte in view, and how far its row is scrolled out."""
        top = self.offset()[1] - self._margin().y()
        if top <= 0 or not len(self._page):
            return 0, top
        offset = self._page.first_byte(top)
        return offset, top - self._page.row_top(offset)

    def _show_from(self, top: tuple[int, float]) -> None:
        """Scrolls to where a byte was, after the layout changed."""
        offset, out = top
        if offset and len(self._page):
            for _ in range(2):  # laying out what is above the byte in its view may move it once
                self._fit()
                self.verticalScrollBar().setValue(round(self._page.row_top(offset) + out + self._margin().y()))
        self._fit()
        self.viewport().update()

    def _on_page(self, point: QPointF) -> QPointF:
        """A point of the viewport in the coordinates of the page."""
        return point + QPointF(*self.offset()) - self._margin()

    def _box_in_view(self, box: QRectF) -> QRect:
        return box.translated(self._margin() - QPointF(*self.offset())).toAlignedRect()

    def token_at(self, point: QPointF) -> int | None:
        """The index of the token under a point of the viewport."""
        return self._page.token_at(self._on_page(point)) if self._tokens else None

    def token_boxes(self, n: int) -> list[QRect]:
        """The boxes of a token in the viewport."""
        return [self._box_in_view(box) for box in self._page.boxes(n)]

    # --- the picture --------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        self._fit()
        super().paintEvent(event)

    def draw(self, p: QPainter, clip: QRectF) -> None:
        margin, emphasis = self._margin(), self._pointer.emphasis(self._tokens)
        for block in self._page.blocks_in(clip.top() - margin.y(), clip.bottom() - margin.y()):
            origin = margin + QPointF(0, self._page.heights.top(block))
            p.save()
            p.translate(origin)
            self._page.laid(block).layout.paint(p, clip.translated(-origin), emphasis, blanks=self._blanks)
            p.restore()
            lost = self._page.lost(block, clip.top() - margin.y(), clip.bottom() - margin.y())
            draw_losses(p, self.ink, [box.translated(margin) for box in lost])
        start, end = self.marked
        if start < end:
            for box in self._page.stretch(start, end, clip.top() - margin.y(), clip.bottom() - margin.y()):
                p.fillRect(box.translated(margin), paint.soft(self.ink.accent, MARKED))

    def restyled(self) -> None:
        self._relayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if abs(self._width() - self._page.width) > 0.5:
            self._relayout()
        self._fit()

    def _relayout(self) -> None:
        top = self._top_byte()
        self._page = TextPage(self.data, self._tokens, self._width())
        self._show_from(top)

    # --- the pointer --------------------------------------------------------------------------------------------------

    @property
    def marked(self) -> tuple[int, int]:
        """The bytes that dragging or Ctrl+A marked; empty where there are none."""
        return (min(self._marked), max(self._marked)) if self._marked else (0, 0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
            self._marked = None
            self._repaint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            if self._marked or (point - self._pressed).manhattanLength() >= QApplication.startDragDistance():
                self._pointer.leave()
                self._mark_to(point)
            return
        n = self.token_at(point)
        boxes = self.token_boxes(n) if n is not None else []
        box = next((box for box in boxes if box.top() - 9 <= point.y() <= box.bottom() + 9), boxes[0] if boxes else QRect())
        self._pointer.over(self._tokens, n, box)

    def _mark_to(self, point: QPointF) -> None:
        assert self._pressed is not None
        start = self._marked[0] if self._marked else self._page.byte_near(self._on_page(self._pressed))
        self._marked = (start, self._page.byte_near(self._on_page(point)))
        outside = min(0.0, point.y()) + max(0.0, point.y() - self.viewport().height())
        if outside:
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + round(outside))
        self._repaint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            if self._pressed is not None and self._marked is None:
                self._pointer.select(self._tokens, self.token_at(event.position()))
            self._pressed = None

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._pointer.leave()
        return super().viewportEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._pointer.card.dismiss()
        super().focusOutEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self._pointer.card.dismiss()
        super().scrollContentsBy(dx, dy)

    # --- keys ---------------------------------------------------------------------------------------------------------

    @property
    def current(self) -> int | None:
        """The token that was touched last; None before one was."""
        span = self._workspace.selection.span
        return None if self._tokens is None or span is None or span[0] >= len(self.data) else self._tokens.at_byte(span[0])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_ours(event):
            event.accept()  # the same keys step through the merges elsewhere
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.mark_all()
        elif event.matches(QKeySequence.StandardKey.Paste):
            take(self._workspace, QGuiApplication.clipboard().mimeData())
        elif not self._move(event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)):
            super().keyPressEvent(event)

    def _move(self, key: int, far: bool) -> bool:
        """Goes to another token by a key; whether the key is one of ours."""
        if key not in MOVES:
            return False
        if self._tokens is None or not len(self._tokens.encoded):
            steps = {Key.Key_Up: -self._page.line, Key.Key_Down: self._page.line}
            pages = {Key.Key_PageUp: -self.viewport().height(), Key.Key_PageDown: self.viewport().height()}
            bar = self.verticalScrollBar()
            bar.setValue(round(bar.value() + {**steps, **pages}.get(Key(key), 0)))
            return True
        n = self.current
        if n is None:
            n = self._tokens.at_byte(self._top_byte()[0])
            self._go_to(0 if n is None else n)
            return True
        self._go_to(self._target(n, Key(key), far))
        return True

    def _target(self, n: int, key: Key, far: bool) -> int:
        """The token to which a key goes from the n-th."""
        assert self._tokens is not None
        last = len(self._tokens.encoded) - 1
        if key in (Key.Key_Left, Key.Key_Right):
            return max(0, min(last, n + (1 if key == Key.Key_Right else -1)))
        if far and key in (Key.Key_Home, Key.Key_End):
            return 0 if key == Key.Key_Home else last
        boxes = self._page.boxes(n)
        if not boxes:
            return n
        middle, page = boxes[0].center(), self.viewport().height() - self._page.line
        if key in (Key.Key_Home, Key.Key_End):
            return self._nearest(QPointF(-1.0 if key == Key.Key_Home else 1e9, middle.y()), n)
        down = {Key.Key_Up: -self._page.line, Key.Key_Down: self._page.line, Key.Key_PageUp: -page, Key.Key_PageDown: page}[key]
        return self._nearest(QPointF(middle.x(), max(0.0, min(middle.y() + down, self._page.heights.total - 1.0))), n)

    def _nearest(self, point: QPointF, otherwise: int) -> int:
        """The token at a point of the page, or the last before it."""
        assert self._tokens is not None
        found = self._page.token_at(point)
        if found is not None:
            return found
        offset = self._page.byte_near(point)
        for at in (offset, offset - 1):
            if 0 <= at < len(self.data) and (n := self._tokens.at_byte(at)) is not None:
                return n
        return otherwise

    def _go_to(self, n: int) -> None:
        """Selects a token and shows it."""
        assert self._tokens is not None
        self._page.settle(self._page.row_top(self._tokens.place(n)[0]), self.viewport().height())
        self._fit()
        boxes = self._page.boxes(n)
        if boxes:
            self.reveal(boxes[0].translated(self._margin()), margin=self._page.line - boxes[0].height())
        self._fit()
        self.setAccessibleDescription(token_card(self._tokens.encoded, n).spoken())
        self._pointer.select(self._tokens, n)
        if boxes:
            self._pointer.tell(self._tokens, n, self._box_in_view(boxes[0]))

    # --- copy, paste, drop --------------------------------------------------------------------------------------------

    def mark_all(self) -> None:
        """Marks the whole text."""
        self._marked = (0, len(self.data))
        self._repaint()

    def copy(self) -> None:
        """Copies what is marked, or else the token that was touched last."""
        start, end = self.marked
        n = self.current
        if start == end and n is not None and self._tokens is not None:
            start, end = self._tokens.place(n)
        if start < end:
            QGuiApplication.clipboard().setMimeData(mime_of(self.data[start:end]))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if acceptable(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragEnterEvent) -> None:  # type: ignore[override]  # a move is no entering, but has the same parts
        if acceptable(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        take(self._workspace, event.mimeData())
        event.acceptProposedAction()

