"""How a row of ranked pairs is painted: the winner ringed, ties bracketed, the offer on a rival."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from explorer.gui import theme
from explorer.gui.models.pair_model import Column, PairModel
from explorer.gui.painting import paint
from explorer.gui.painting.piece_spelling import fitted, piece_spelling
from explorer.gui.painting.spelling import Spelling
from explorer.gui.theme import Ink, Role, px

OFFERS = ("What if this one?", "What if?", "If?")  # the longest that fits
NOBODY = -1


class PairDelegate(QStyledItemDelegate):
    """Paints cells from the model's pairs. `hovered` is the row under the mouse, `focused` the one the keyboard is at."""

    def __init__(self, view: QTableView, model: PairModel) -> None:
        super().__init__(view)
        self._view, self._model = view, model
        self.hovered = NOBODY
        self.focused = NOBODY

    def offers(self, row: int) -> bool:
        """Whether a row carries the offer to take it: a rival of a tie, pointed at, with figures that hold."""
        return row in (self.hovered, self.focused) and not self._model.stale and self._model.is_rival(row)

    def offer_box(self, row: int) -> QRectF:
        """Where the offer lies in the view: over bar and saved, never over the count. Empty where it is not."""
        if not self.offers(row):
            return QRectF()
        share = self._view.visualRect(self._model.index(row, Column.SHARE))
        saved = self._view.visualRect(self._model.index(row, Column.SAVED))
        cells = QRectF(share.united(saved)) if share.width() > 0 else QRectF(saved)
        width = theme.metrics(Role.LABEL).horizontalAdvance(self._words(cells.width())) + px(16)
        return QRectF(cells.right() - px(7) - width, cells.center().y() - px(9.5), width, px(20))

    def _words(self, room: float) -> str:
        metrics = theme.metrics(Role.LABEL)
        return next((words for words in OFFERS if metrics.horizontalAdvance(words) + px(24) <= room), OFFERS[-1])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        ink, row, column = theme.current(), index.row(), Column(index.column())
        box = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(box, ink.selected if selected else ink.hover if row == self.hovered else ink.page)
        painter.setClipRect(box)
        if column is Column.RANK:
            self._draw_rank(painter, ink, box, row)
        elif column is Column.PAIR:
            self._draw_pair(painter, ink, box, row)
        elif self.offers(row) and column in (Column.SHARE, Column.SAVED):
            self._draw_offer(painter, ink, row)
        elif column is Column.SHARE:
            self._draw_share(painter, ink, box, row)
        else:
            self._draw_figure(painter, ink, box, row, column)
        painter.restore()

    def _draw_rank(self, p: QPainter, ink: Ink, box: QRectF, row: int) -> None:
        model, winner = self._model, self._model.is_winner(row)
        if model.is_tied(row):
            top = box.top() + (0 if row and model.is_tied(row - 1) else px(4))
            foot = box.bottom() - (-1 if row + 1 < model.rowCount() and model.is_tied(row + 1) else px(4))
            p.fillRect(QRectF(box.left() + px(4), top, px(3), foot - top), ink.tie)
        role, colour = (Role.FIGURE_STRONG, ink.accent) if winner else (Role.FIGURE_SMALL, ink.ink_3)
        paint.words_to(p, str(model.rank(row)), box.right() - px(6), box.center().y(), role, colour)

    def _draw_pair(self, p: QPainter, ink: Ink, box: QRectF, row: int) -> None:
        left, right = self._spellings(row, box.width() - px(8))
        chip = paint.pair_chip(p, ink, (left, right), box.left() + px(4), box.top() + px(3), box.height() - px(6), Role.TOKEN)
        if self._model.is_winner(row):
            paint.ring(p, chip.adjusted(-px(1), -px(1), px(1), px(1)), ink.accent, 1.5)
        if self._starts_tie(row):
            words = "tie"
            width = theme.metrics(Role.CAPTION).horizontalAdvance(words)
            if chip.right() + px(8) + width <= box.right():
                paint.words_to(p, words, box.right() - px(2), box.center().y(), Role.CAPTION, ink.tie)

    def _starts_tie(self, row: int) -> bool:
        model = self._model
        return model.is_tied(row) and not (row and model.is_tied(row - 1))

    def _spellings(self, row: int, room: float) -> tuple[Spelling, Spelling]:
        """Both pieces, cut in the middle where they do not fit; a short one leaves its room to a long one."""
        left, right = map(piece_spelling, self._model.pieces(row))
        widths = paint.piece_width(left, Role.TOKEN), paint.piece_width(right, Role.TOKEN)
        room -= 4 * px(4) + px(1)
        half = room / 2
        if sum(widths) <= room:
            return left, right
        if widths[0] <= half:
            return left, fitted(right, Role.TOKEN, room - widths[0])
        if widths[1] <= half:
            return fitted(left, Role.TOKEN, room - widths[1]), right
        return fitted(left, Role.TOKEN, half), fitted(right, Role.TOKEN, half)

    def _draw_figure(self, p: QPainter, ink: Ink, box: QRectF, row: int, column: Column) -> None:
        ranked = self._model.ranked(row)
        says_more = column is Column.COUNT or ranked.saved != ranked.count
        margin = px(8) if column is Column.COUNT else px(12)
        colour = ink.ink if says_more else ink.ink_3
        paint.words_to(p, self._model.figure(row, column), box.right() - margin, box.center().y(), Role.FIGURE, colour)

    def _draw_share(self, p: QPainter, ink: Ink, box: QRectF, row: int) -> None:
        track = box.adjusted(px(4), 0, -px(8), 0)
        if track.width() < px(3) or self._model.stale:
            return
        ranked, most = self._model.ranked(row), self._model.ranking.pairs[0].count
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(paint.soft(ink.tie, 0.75) if self._model.is_tied(row) else ink.mark)
        width = max(px(3), track.width() * ranked.count / most)
        p.drawRoundedRect(QRectF(track.left(), track.center().y() - px(3), width, px(6)), px(2), px(2))

    def _draw_offer(self, p: QPainter, ink: Ink, row: int) -> None:
        """Drawn by both cells it lies over, each within itself."""
        box = self.offer_box(row)
        p.setPen(QPen(ink.tie, 1))
        p.setBrush(ink.tie_fill)
        p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
        share, saved = (self._view.columnWidth(column) for column in (Column.SHARE, Column.SAVED))
        paint.centred(p, self._words(share + saved), box, Role.LABEL, ink.ink)


