"""The text of the corpus with its tokens as at merge k: painted, read-only, of any size.

Only the blocks in view are spelled, laid out and painted (`corpus_page`); the scroll bar counts pixels, guessed for
what was never in view and corrected when it comes (`corpus_geometry`), with what is at the top of the view kept in
its place. So nothing moves while k does.
"""

from collections.abc import Callable, Generator
from typing import cast

from PySide6.QtCore import QEvent, QKeyCombination, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent

from explorer.core.corpus import Corpus
from explorer.core.progress import Step, drain
from explorer.gui.models.finding import Hit, finding_steps
from explorer.gui.models.token_words import token_card
from explorer.gui.models.training_words import coming
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.text.text_mime import mime_of
from explorer.gui.theme import px
from explorer.gui.views.corpus_geometry import CorpusGeometry
from explorer.gui.views.corpus_lines import CorpusLines
from explorer.gui.views.corpus_page import CorpusPage, CorpusToken, Spelled, SpellingSteps
from explorer.gui.views.corpus_picture import draw_corpus, stresses
from explorer.gui.views.select_motion import SelectMotion
from explorer.gui.views.token_card import TokenCard
from explorer.workspace.job import Job, JobState
from explorer.workspace.values import Lane
from explorer.workspace.workspace import Workspace

COPY_HEX = QKeyCombination(Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_C)
MARGIN = 10.0  # pixels at 100 % right of the text


class CorpusText(PaintedScroll):
    """The user sees numbered lines, merged tokens on their tints, the newest one underlined, the next pair ringed.

    The pointer rings a token wherever it stands and, resting, shows its card; a click selects it; a drag marks text.
    Arrows move a cursor from token to token, Enter selects there, Ctrl+C copies the marked text, Ctrl+Shift+C the
    bytes of the token as hex. Hears corpus, run, merge, selection, hover, moment and place; calls `hover` and
    `select_token`. Empty for a word-count corpus, whose words have a table of their own.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("Corpus text")
        self._workspace = workspace
        self._laid: CorpusGeometry | None = None
        self._to_lay: tuple[CorpusLines, int] | None = None  # lines, and the byte at the top: laid out when first looked at
        self._cursor: int | None = None  # the byte where the token under the keyboard begins
        self._marked: tuple[int, int] | None = None
        self._pressed: tuple[int, int] | None = None
        self.card, self._selecting = TokenCard(self.viewport()), SelectMotion(workspace, self)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._connect()
        self._show_corpus()

    @property
    def corpus(self) -> Corpus | None:
        """What is shown: the text that the active run read, or the open corpus while there is none."""
        lines = self._lines
        return lines.corpus if lines else None

    @property
    def _lines(self) -> CorpusLines | None:
        return self._to_lay[0] if self._to_lay else self._laid.page.lines if self._laid else None

    @property
    def _geometry(self) -> CorpusGeometry | None:
        """Where everything lies; what was put off is laid out now."""
        if self._to_lay:
            (lines, place), self._to_lay = self._to_lay, None
            self._lay_out(lines, place)
        return self._laid

    @property
    def geometry_shown(self) -> CorpusGeometry | None:
        """Where everything lies, None where there is no text."""
        return self._geometry

    @property
    def marked(self) -> tuple[int, int] | None:
        """The marked bytes of the corpus, half-open."""
        return self._marked

    @property
    def token_cursor(self) -> CorpusToken | None:
        """The token under the keyboard."""
        return self._geometry.page.token_at(self._cursor) if self._geometry and self._cursor is not None else None

    @property
    def first_byte(self) -> int:
        """The byte of the corpus at the top left of the view."""
        return self._geometry.first_byte(self.offset()[1]) if self._geometry and self.corpus and self.corpus.data else 0

    def show_place(self, offset: int) -> None:
        """Brings a byte of the corpus into view, a third from the top if it is not there already, and puts the cursor there."""
        if self._geometry is None or not self.corpus or not self.corpus.data:
            return
        token = self._geometry.page.token_at(offset)
        self._cursor = token.start if token else offset
        self._scroll_to(offset)

    def show_number(self, number: int) -> None:
        """Brings the line or row of a number, from 1, into view."""
        if self._geometry and (offset := self._geometry.page.lines.offset_of(number)) is not None:
            self.show_place(offset)

    def finding(self, text: bytes, *, backwards: bool = False) -> Generator[Step, None, Hit]:
        """Looks for the next (or previous) place of some bytes, from the marked one or the top of the view, going round at the end."""
        data = self.corpus.data if self.corpus else b""
        return finding_steps(data, text, self._marked, self.first_byte, backwards=backwards)

    def show_found(self, start: int, end: int) -> None:
        """Marks some bytes and brings the first of them into view."""
        if self._geometry:
            self._mark(start, end)
            self._scroll_to(start)

    # what is shown

    def _connect(self) -> None:
        workspace = self._workspace
        workspace.corpus_changed.connect(self._show_corpus)
        workspace.run_changed.connect(self._show_corpus)
        workspace.merge_changed.connect(self._show_merge)
        for signal in (workspace.selection_changed, workspace.hover_changed, workspace.moment_changed, self._selecting.moved):
            signal.connect(self.viewport().update)
        workspace.place_shown.connect(self.show_place)

    def _show_corpus(self) -> None:
        self._workspace.lanes.drop(Lane.SPELL)  # of the run before
        run = self._workspace.run
        corpus = run.training.corpus if run else self._workspace.corpus
        if corpus is None or corpus.weights is not None:
            self._laid = self._to_lay = None
            self.set_extent(0, 0)
            return
        kept = lines if (lines := self._lines) and lines.corpus is corpus else None
        if kept is None:
            self._cursor = self._marked = self._pressed = None
        if kept and self._to_lay:
            return
        self._to_lay = (kept or CorpusLines.of(corpus), self.first_byte if kept else 0)
        self.card.dismiss()
        self.viewport().update()

    def _show_merge(self, k: int) -> None:
        if self._laid is None or self._to_lay:
            return
        self._laid.page.go_to_merge(k)
        if not self._laid.page.is_late:
            self._workspace.lanes.drop(Lane.SPELL)  # of the merge before
        self.card.dismiss()
        self.viewport().update()

    def _spell_later(self, steps: SpellingSteps, take: Callable[[Spelled | None], None]) -> None:
        """Goes on with a spelling beside the window; Cancel stops it like any other work."""
        def done(job: Job) -> None:
            if job.error:
                raise job.error
            take(cast(Spelled, job.result) if job.state is JobState.SUCCEEDED else None)

        self._workspace.lanes.run(Lane.SPELL, "the tokens of the corpus", lambda progress: drain(steps, progress), done)

    def _lay_out(self, lines: CorpusLines, place: int) -> None:
        """Lays the lines out anew at the present width and zoom, with the byte `place` at the top."""
        gutter = CorpusGeometry.gutter_for(lines.highest_number)
        workspace = self._workspace
        workspace.lanes.drop(Lane.SPELL)
        width, later, arrived = self._text_width(gutter), self._spell_later, self.viewport().update
        page = CorpusPage(lines, workspace.timeline, width, workspace.k, later, arrived)
        self._laid = CorpusGeometry(page, gutter)
        self.card.dismiss()
        if lines.blocks_count:
            self._settle(self._laid.row_of(place))
        self.viewport().update()

    def _text_width(self, gutter: float) -> float:
        """The room for text. That of the scroll bar is taken off even while there is none: its coming would wrap the text anew."""
        return max(px(80), self.width() - self.verticalScrollBar().sizeHint().width() - gutter - px(MARGIN))

    def _settle(self, anchor: tuple[int, float] | None = None) -> None:
        """Makes what is in view exact, without moving it."""
        assert self._geometry is not None
        top = self._geometry.settle(self.offset()[1], self.viewport().height(), anchor)
        if self._extent != (0, self._geometry.heights.total):
            self.set_extent(0, self._geometry.heights.total)
        self.verticalScrollBar().setValue(round(top))

    def _scroll_to(self, offset: int) -> None:
        assert self._geometry is not None
        block, below = self._geometry.row_of(offset)
        height = self.viewport().height()
        y = self._geometry.heights.top(block) + below - self.offset()[1]
        if not 0 <= y <= height - 2 * self._geometry.line:
            self._settle((block, below - round(height / 3)))
        self.viewport().update()

    def restyled(self) -> None:
        self._lay_out_anew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._laid and self._laid.page.width != self._text_width(self._laid.gutter):
            self._lay_out_anew()
        super().resizeEvent(event)

    def _lay_out_anew(self) -> None:
        """Lays all out again when it is looked at, with the same byte at the top."""
        if self._laid and not self._to_lay:
            self._to_lay = self._laid.page.lines, self.first_byte
            self.viewport().update()

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._geometry:
            self._settle()
        super().paintEvent(event)

    def draw(self, p: QPainter, clip: QRectF) -> None:
        geometry = self._geometry
        if geometry is None or not geometry.page.lines.blocks_count:
            none = coming(self._workspace.task) or "No corpus is open."
            said = none if self._workspace.corpus is None else "The corpus is empty."
            paint.sentence(p, said, QRectF(self.viewport().rect()), self.ink.ink_2)
            return
        cursor = self.token_cursor if self.hasFocus() else None
        draw_corpus(p, self.ink, geometry, clip, stresses(self._workspace, geometry.page, self._selecting.spread), self._marked, cursor)

    # pointer

    def _picture_point(self, point: QPointF) -> QPointF:
        x, y = self.offset()
        return point + QPointF(x, y)

    def _hover_at(self, point: QPointF) -> None:
        token = self._geometry.token_under(self._picture_point(point)) if self._geometry else None
        self._workspace.hover(token.piece if token else None)
        self._show_card(token, self._picture_point(point))

    def _show_card(self, token: CorpusToken | None, near: QPointF | None) -> None:
        """The card of a token beside the box that holds a point, or beside its first."""
        boxes = self._geometry.boxes(token) if self._geometry and token else []
        if token is None or not boxes:
            self.card.dismiss()
            return
        box = next((box for box in boxes if near and box.contains(near)), boxes[0])
        self.card.show_for(token_card(token.encoded, token.n, (token.start, token.end)), box.translated(0, -self.offset()[1]).toRect())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed and self._geometry and event.buttons() & Qt.MouseButton.LeftButton:
            y, bar = event.position().y(), self.verticalScrollBar()
            bar.setValue(bar.value() + round(min(0.0, y) + max(0.0, y - self.viewport().height())))
            start, end = self._geometry.bytes_near(self._picture_point(event.position()))
            if (start, end) != self._pressed or self._marked:
                self._mark(min(start, self._pressed[0]), max(end, self._pressed[1]))
                self.card.dismiss()
            return
        self._hover_at(event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self._geometry or not self._geometry.page.lines.blocks_count:
            return
        here = self._geometry.bytes_near(self._picture_point(event.position()))
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and (self._marked or self._cursor is not None):
            start, end = self._marked or (self._cursor or 0, self._cursor or 0)
            self._mark(min(start, here[0]), max(end, here[1]))
            return
        self._pressed = here
        self._mark(0, 0)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self._pressed:
            return
        self._pressed = None
        if self._marked is None and self._geometry and (token := self._geometry.token_under(self._picture_point(event.position()))):
            self._cursor = token.start
            self._workspace.select_token(token.piece)
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        self._workspace.hover(None)
        self.card.dismiss()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.card.dismiss()
        if self.viewport().underMouse():
            self._workspace.hover(None)  # another token is under the pointer now

    # keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._geometry is None or not self._geometry.page.lines.blocks_count:
            event.ignore()
            return
        moves = {
            Qt.Key.Key_Left: lambda: self._step(forward=False), Qt.Key.Key_Right: lambda: self._step(forward=True),
            Qt.Key.Key_Up: lambda: self._step_row(-1), Qt.Key.Key_Down: lambda: self._step_row(1),
            Qt.Key.Key_PageUp: lambda: self._turn_page(-1), Qt.Key.Key_PageDown: lambda: self._turn_page(1),
            Qt.Key.Key_Home: lambda: self._go_to_end(forward=False), Qt.Key.Key_End: lambda: self._go_to_end(forward=True),
            Qt.Key.Key_Return: self._select_cursor, Qt.Key.Key_Enter: self._select_cursor,
        }  # fmt: skip
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and (move := moves.get(Qt.Key(event.key()))):
            move()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._mark(0, len(self.corpus.data) if self.corpus else 0)
        elif event.keyCombination() == COPY_HEX:
            self.copy_hex()
        elif event.key() == Qt.Key.Key_Escape and (self._marked or self._cursor is not None):
            self._cursor = None
            self._mark(0, 0)
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Copies the marked text, or the token under the keyboard where none is marked."""
        token = self.token_cursor
        span = self._marked or ((token.start, token.end) if token else None)
        if span and self.corpus:
            QGuiApplication.clipboard().setMimeData(mime_of(bytes(self.corpus.data[span[0] : span[1]])))

    def copy_hex(self) -> None:
        """Copies the bytes of the token under the keyboard, or of the selected one, as hex."""
        piece = self.token_cursor.piece if self.token_cursor else self._workspace.selection.token
        if piece:
            QGuiApplication.clipboard().setText(piece.bytes.hex(" ").upper())

    def _step(self, *, forward: bool) -> None:
        assert self._geometry is not None
        page, token = self._geometry.page, self.token_cursor
        if token is None:
            self._move_to(page.token_from(self._cursor if self._cursor is not None else self.first_byte))
        else:
            self._move_to(page.token_from(token.end) if forward else page.token_before(token.start))

    def _step_row(self, by: int) -> None:
        assert self._geometry is not None
        if token := self.token_cursor:
            self._move_to(self._geometry.token_in_row(token, by))
        else:
            self._step(forward=True)

    def _turn_page(self, by: int) -> None:
        assert self._geometry is not None
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + by * (bar.pageStep() - self._geometry.line))
        self._settle()
        if self._cursor is not None:
            self._move_to(self._geometry.page.token_from(self.first_byte))

    def _go_to_end(self, *, forward: bool) -> None:
        assert self._geometry is not None and self.corpus is not None
        page = self._geometry.page
        self._move_to(page.token_before(len(self.corpus.data)) if forward else page.token_from(0))

    def _move_to(self, token: CorpusToken | None) -> None:
        if token is None:
            return
        self._cursor = token.start
        self._scroll_to(token.start)
        self._workspace.hover(token.piece)
        self._show_card(token, None)
        self.setAccessibleDescription(token_card(token.encoded, token.n, (token.start, token.end)).spoken())

    def _select_cursor(self) -> None:
        if token := self.token_cursor:
            self._workspace.select_token(token.piece)

    def _mark(self, start: int, end: int) -> None:
        self._marked = (start, end) if end > start else None
        self.viewport().update()
