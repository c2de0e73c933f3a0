"""The words of a word-count corpus: how often each counts, and its spelling at merge k, which shortens as k moves."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from explorer.core.corpus import Corpus
from explorer.core.progress import Step, drain
from explorer.core.vocabulary import Piece, PieceKind
from explorer.gui import theme
from explorer.gui.models.words_model import Column, Order, OrderSteps, SpelledWord, WordsModel
from explorer.gui.painted import Painted
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.piece_spelling import piece_spelling
from explorer.gui.theme import Ink, Role, px
from explorer.gui.tinting import merged_ids, tint_of
from explorer.gui.views.corpus_rows import FixedTable
from explorer.gui.views.select_motion import SelectMotion
from explorer.workspace.job import Job, JobState
from explorer.workspace.values import Lane
from explorer.workspace.workspace import Workspace

SORTED_AGAIN_MS = 120  # after the slider rests; sorting by pieces spells every word


@dataclass(frozen=True, slots=True)
class Chip:
    """One token of a word as it is painted: its place in pixels from the left of the cell, and its tint in turn (None: a single symbol)."""

    left: float
    width: float
    turn: int | None


def chips_of(word: SpelledWord, role: Role) -> tuple[Chip, ...]:
    """Where the tokens of a word stand in its cell."""
    x, turn, chips = float(theme.measures().s), 0, []
    for piece in word.pieces:
        spelling = piece_spelling(piece)
        single = piece.kind is not PieceKind.MERGE
        width = paint.piece_width(spelling, role) + 2 * px(2 if single else 4)
        chips.append(Chip(x, width, None if single else turn))
        turn += not single
        x += width + px(1)
    return tuple(chips)


class SpellingDelegate(QStyledItemDelegate):
    """Paints a spelling: merged tokens on their tints, ticks between symbols, the newest token, the next pair, what is selected."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.selecting = SelectMotion(workspace, self)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        ink, model = theme.current(), index.model()
        assert isinstance(model, WordsModel)
        box = QRectF(option.rect)
        state = option.state
        chosen, under = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
        p.save()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setClipRect(box)
        p.fillRect(box, ink.selected if chosen else ink.hover if under else ink.page)
        if word := model.spelling(index.row()):
            self._word(p, ink, word, box)
        else:
            paint.words(p, "…", box.left() + theme.measures().s, box.center().y(), Role.TOKEN, ink.ink_3)
        p.restore()

    def _word(self, p: QPainter, ink: Ink, word: SpelledWord, cell: QRectF) -> None:
        chips = chips_of(word, Role.TOKEN)
        new, merged = self._workspace.new_token, merged_ids(self._workspace.run)
        boxes = [QRectF(cell.left() + chip.left, cell.top() + px(3), chip.width, cell.height() - px(6)) for chip in chips]
        for n, (chip, box) in enumerate(zip(chips, boxes, strict=True)):
            fill = tint_of(ink, word.ids[n], chip.turn, merged) if chip.turn is not None else None
            if fill:
                paint.tint(p, box, ink.new_fill if word.ids[n] == new else fill)
            if fill and word.ids[n] == new:
                p.fillRect(QRectF(box.left() + 1, box.bottom() - px(2), box.width() - 2, px(2)), ink.new)
            spelling = piece_spelling(word.pieces[n])
            paint.draw_piece(p, ink, spelling, box.center().x() - paint.piece_width(spelling, Role.TOKEN) / 2, box, Role.TOKEN)
            if n and chip.turn is None and chips[n - 1].turn is None:
                paint.tick(p, box.left() - px(0.5), box.bottom(), ink.edge, theme.measures().tick_single)
        self._rings(p, ink, word, boxes)

    def _rings(self, p: QPainter, ink: Ink, word: SpelledWord, boxes: list[QRectF]) -> None:
        for n, piece in enumerate(word.pieces):
            if piece == self._workspace.hovered:
                paint.ring(p, boxes[n], ink.ink_2)
            if piece == self._workspace.selection.token:
                out = self.selecting.spread
                paint.ring(p, boxes[n].adjusted(-out, -out, out, out), ink.accent, 2)
        after = -1
        for n in range(len(boxes) - 1):
            if n > after and word.ids[n : n + 2] == self._workspace.next_pair:
                both = boxes[n].united(boxes[n + 1])
                paint.ring(p, both, ink.accent, 1.75)
                paint.tick(p, boxes[n + 1].left() - px(0.5), both.bottom(), ink.accent, both.height())
                after = n + 1


class Words(FixedTable):
    """The table itself: a token under the pointer is hovered everywhere, a click on it selects it everywhere.

    Left and Right do the first from token to token of the current row, Enter then the second.
    """

    piece_hovered = Signal(object)  # Piece | None
    piece_clicked = Signal(object)  # Piece

    def __init__(self, model: WordsModel) -> None:
        super().__init__("Words of the corpus")
        self._words = model
        self._key_piece: tuple[int, int] | None = None  # row and token under the keyboard
        self.setModel(model)
        self.setSortingEnabled(True)
        head = self.horizontalHeader()
        head.setSortIndicatorClearable(True)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.setStretchLastSection(False)
        head.setSectionResizeMode(Column.SPELLING, QHeaderView.ResizeMode.Stretch)

    def fit_columns(self) -> None:
        pad = 4 * theme.measures().s  # the padding of a cell and what Qt keeps free beside its text
        rows = range(min(40, self._words.rowCount()))
        for column, role, least in ((Column.WORD, Role.TOKEN, 72), (Column.COUNT, Role.FIGURE, 56), (Column.PIECES, Role.FIGURE, 56)):
            texts = [self._words.cell(row, column) for row in rows] if column is not Column.PIECES else []
            widest = max((theme.metrics(role).horizontalAdvance(text) for text in texts), default=0.0)
            self.setColumnWidth(column, round(min(max(widest + pad, px(least)), px(240))))

    def piece_at(self, point: QPoint) -> Piece | None:
        """The token under a point of the viewport."""
        index = self.indexAt(point)
        if index.column() != Column.SPELLING or (word := self._words.spelling(index.row())) is None:
            return None
        x = point.x() - self.visualRect(index).left()
        for chip, piece in zip(chips_of(word, Role.TOKEN), word.pieces, strict=True):
            if chip.left <= x < chip.left + chip.width:
                return piece
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        row = self.currentIndex().row()
        word = self._words.spelling(row) if row >= 0 else None
        here = self._key_piece[1] if self._key_piece and self._key_piece[0] == row else None
        if by and word and word.pieces:
            there = max(0, min((-1 if here is None else here) + by, len(word.pieces) - 1))
            self._key_piece = (row, there)
            self.piece_hovered.emit(word.pieces[there])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and word and here is not None and here < len(word.pieces):
            self.piece_clicked.emit(word.pieces[here])
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.piece_hovered.emit(self.piece_at(event.position().toPoint()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if (piece := self.piece_at(event.position().toPoint())) and event.button() is Qt.MouseButton.LeftButton:
            self.piece_clicked.emit(piece)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.piece_hovered.emit(None)


class Total(Painted):
    """The corpus length at merge k as words and as a bar that shortens; all of it at merge 0."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("Corpus length")
        self._workspace = workspace
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.restyled()

    def restyled(self) -> None:
        self.setFixedHeight(theme.measures().header)

    def text(self) -> str:
        """What the line says."""
        run, k = self._workspace.run, self._workspace.k
        if run is None:
            return "not trained yet"
        now, start = run.training.length(k), run.training.length_at_zero
        pieces = f"{thousands(now)} piece{'' if now == 1 else 's'}"
        return pieces if now == start else f"{pieces} of {thousands(start)}"

    def draw(self, p: QPainter, clip: QRectF) -> None:
        ink, sizes, run = self.ink, theme.measures(), self._workspace.run
        p.fillRect(QRectF(0, 0, self.width(), 1), ink.line)
        mid = self.height() / 2
        end = paint.words(p, self.text(), sizes.m, mid, Role.FIGURE_STRONG, ink.ink)
        left = max(end + sizes.l, px(160))
        track = QRectF(left, mid - px(3), self.width() - left - sizes.m, px(6))
        if run is None or track.width() < px(24) or not run.training.length_at_zero:
            return
        paint.tint(p, track, ink.well)
        share = run.training.length(self._workspace.k) / run.training.length_at_zero
        paint.tint(p, QRectF(track.left(), track.top(), max(2.0, track.width() * share), track.height()), ink.accent)


class WordTable(QWidget):
    """The user sees word, count, spelling and pieces, and under them the corpus length at merge k.

    Hears run, merge, selection and hover; calls `select_token` and `hover`. A click or Enter on a row is told by
    `row_activated` with the number of the text. Empty where the corpus has no counts.
    """

    row_activated = Signal(int)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.words_model = WordsModel(self, self._sort_later)
        self.table = Words(self.words_model)
        self.total = Total(workspace)
        spelling = SpellingDelegate(workspace, self.table)
        spelling.selecting.moved.connect(self.table.viewport().update)
        self.table.setItemDelegateForColumn(Column.SPELLING, spelling)
        self._sorting = QTimer(self, singleShot=True, interval=SORTED_AGAIN_MS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self.total)
        self._connect()
        self._show_words()

    def show_text(self, text: int) -> None:
        """Selects the row of a text and scrolls to it."""
        if self.words_model.rowCount():
            self.table.show_row(self.words_model.row_of(text))

    def finding(self, text: bytes) -> Generator[Step, None, list[int]]:
        """Looks for the words that hold some bytes, by their texts' numbers."""
        return self.words_model.finding(text)

    def show_found(self, texts: list[int], *, backwards: bool = False) -> None:
        """Selects the next (or previous) row of those that show some texts, going round."""
        if rows := self.words_model.rows_of(texts):
            count = self.words_model.rowCount()
            here = self.table.currentIndex().row() if self.table.currentIndex().isValid() else (count if backwards else -1)
            further = [row for row in rows if (row < here if backwards else row > here)] or rows
            self.table.show_row(further[-1] if backwards else further[0])

    def _sort_later(self, steps: OrderSteps, take: Callable[[Order], None]) -> None:
        """Goes on with a long sorting beside the window; Cancel leaves the order that is there, and the header says which."""
        def done(job: Job) -> None:
            if job.error:
                raise job.error
            if job.state is JobState.SUCCEEDED:
                take(cast(Order, job.result))
            else:
                head = self.table.horizontalHeader()
                with QSignalBlocker(head):  # it is not to be sorted again
                    head.setSortIndicator(*self.words_model.leave_order())

        self._workspace.lanes.run(Lane.SORT, "words of the corpus", lambda progress: drain(steps, progress), done)

    def _connect(self) -> None:
        workspace = self._workspace
        workspace.corpus_changed.connect(self._show_words)
        workspace.run_changed.connect(self._show_words)
        workspace.merge_changed.connect(self._show_merge)
        for signal in (workspace.selection_changed, workspace.hover_changed, workspace.moment_changed):
            signal.connect(self.table.viewport().update)
        self._sorting.timeout.connect(self.words_model.sort_again)
        self.words_model.sort_asked.connect(lambda: workspace.lanes.drop(Lane.SORT))
        self.table.piece_hovered.connect(workspace.hover)
        self.table.piece_clicked.connect(workspace.select_token)
        self.table.row_activated.connect(lambda row: self.row_activated.emit(self.words_model.text_of(row)))

    def _show_words(self) -> None:
        corpus: Corpus | None = self._workspace.run.training.corpus if self._workspace.run else self._workspace.corpus
        self.words_model.show_words(corpus, self._workspace.timeline, self._workspace.k)
        self.table.fit_columns()
        self._show_total()

    def _show_merge(self, k: int) -> None:
        self.words_model.go_to_merge(k)
        if self.words_model.sorted_by_pieces:
            self._sorting.start()
        self._show_total()

    def _show_total(self) -> None:
        self.total.setAccessibleDescription(self.total.text())
        self.total.update()
