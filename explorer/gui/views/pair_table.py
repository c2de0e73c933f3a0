"""The table of ranked pairs: rows that are chosen, offers that are taken, columns that fit the pane."""

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from explorer.gui import painted, theme
from explorer.gui.models.pair_model import AnyIndex, Column, PairModel
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.theme import Role, px
from explorer.gui.views.pair_delegate import NOBODY, PairDelegate

STEPPING = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space)  # rows are chosen whole: these keys are left to the window
LEAST_PAIR = 90.0  # pixels in which a pair can be read


class PairTable(QTableView):
    """Ranked pairs under heads that sort. It knows no Workspace: `chosen` and `taken` say what a person did.

    A click or the arrows choose a row; Enter, the offer on a rival, or the menu take one; Ctrl+C copies rows.
    """

    chosen = Signal(int)  # row
    taken = Signal(int)  # row: merge this one instead
    pointed = Signal(int)  # row under the pointer, NOBODY when it left

    def __init__(self, model: PairModel) -> None:
        super().__init__()
        self.pairs = model
        self.painter_of_rows = PairDelegate(self, model)
        self._pressed = False
        self._showing = False
        self._empty = ""
        self.setModel(model)
        self.setItemDelegate(self.painter_of_rows)
        self.setAccessibleName("Ranked pairs")
        self._build_rows()
        self._build_heads()
        model.modelReset.connect(self._on_reset)
        self._measure()

    def _build_rows(self) -> None:
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _build_heads(self) -> None:
        heads = self.horizontalHeader()
        heads.setHighlightSections(False)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setMinimumSectionSize(0)
        heads.setSectionsClickable(True)
        heads.sectionClicked.connect(self._on_head)

    def set_empty(self, sentence: str) -> None:
        """What is said where there is no row."""
        if sentence != self._empty:
            self._empty = sentence
            self.setAccessibleDescription(sentence)
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty and not self.pairs.rowCount():
            p = painted.begin(self.viewport())
            paint.sentence(p, self._empty, QRectF(self.viewport().rect()), theme.current().ink_2)
            p.end()

    # --- measures -----------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        heads = self.horizontalHeader()
        heads.setFont(theme.font(Role.CAPTION))
        heads.setFixedHeight(theme.measures().row)
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(theme.measures().row)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Figures take what they need, pairs most of the rest, and the bar what is left; under 16 pixels there is none.

        Where figures are so long that no pair could be read, saved gives way: it is in the tooltip too.
        """
        room = self.viewport().width()
        ranking = self.pairs.ranking.pairs
        widest = thousands(max((pair.count for pair in ranking), default=0))
        heads = max(theme.metrics(Role.CAPTION).horizontalAdvance(self.pairs.head(column)) for column in (Column.COUNT, Column.SAVED))
        figure = max(heads + px(20), theme.metrics(Role.FIGURE).horizontalAdvance(widest) + px(20))
        rank = px(18) + theme.metrics(Role.FIGURE_STRONG).horizontalAdvance("0") * max(3, len(str(len(ranking))))
        rest = room - rank - 2 * figure
        saved = figure if rest >= px(LEAST_PAIR) else 0.0
        rest += figure - saved
        pair = min(max(px(160), 0.62 * rest), px(340), max(rest - px(22), 0.0))
        share = max(0.0, rest - pair)
        if share < px(16):
            pair, share = pair + share, 0.0
        for column, width in zip(Column, (rank, pair, figure, share, saved), strict=True):
            self.setColumnWidth(column, int(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event) and hasattr(self, "pairs"):  # Qt sends one while the base is being built
            self._measure()
            self.viewport().update()

    # --- rows ---------------------------------------------------------------------------------------------------------

    def show_row(self, row: int | None) -> None:
        """Selects a row without telling anybody; None selects nothing."""
        self._showing = True
        try:
            if row is None:
                self.clearSelection()
                self.setCurrentIndex(QModelIndex())
            elif row != self.currentIndex().row() or not self.selectionModel().isRowSelected(row, QModelIndex()):
                self.selectRow(row)
                self.scrollTo(self.pairs.index(row, Column.PAIR))
        finally:
            self._showing = False

    def show_winner(self) -> None:
        """Brings the pair that comes next into view; it is not the first where a person chose it."""
        winner = next((row for row in range(self.pairs.rowCount()) if self.pairs.is_winner(row)), None)
        if winner is not None:
            self.scrollTo(self.pairs.index(winner, Column.PAIR))

    def selected_rows(self) -> list[int]:
        """The rows that are selected, from above."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        self._point()
        if current.isValid() and not self._showing:
            self.chosen.emit(current.row())

    def _on_reset(self) -> None:
        self._point_at(NOBODY)
        self._fit_columns()
        self._point()

    def _on_head(self, section: int) -> None:
        """A head sorts by its column, figures from the greatest; once more turns it round, and a third time ranks again."""
        column, way = self.pairs.sorted_by
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        first = down if section in (Column.COUNT, Column.SHARE, Column.SAVED) else up
        second = up if first is down else down
        if column != section:
            self.pairs.sort(section, first)
        elif way is first and column is not Column.RANK:
            self.pairs.sort(section, second)
        else:
            self.pairs.sort(Column.RANK)

    # --- mouse and keys -----------------------------------------------------------------------------------------------

    def _point(self) -> None:
        """Tells the delegate which row the keyboard is at."""
        self.painter_of_rows.focused = self.currentIndex().row() if self.hasFocus() else NOBODY
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._point()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed or not event.buttons():  # a button that went down on an offer, or elsewhere, drags no rows
            super().mouseMoveEvent(event)
        self._hover(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = False
        super().mouseReleaseEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:  # towards the heads, too, where the table itself is not left
            self._point_at(NOBODY)
        return super().viewportEvent(event)

    def _hover(self, at: QPointF) -> None:
        over = self._offered(at) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        self._point_at(self.indexAt(at.toPoint()).row())

    def _point_at(self, row: int) -> None:
        self.viewport().update()
        if row != self.painter_of_rows.hovered:
            self.painter_of_rows.hovered = row
            self.pointed.emit(row)

    def _offered(self, at: QPointF) -> int | None:
        """The row whose offer lies under a point."""
        row = self.indexAt(at.toPoint()).row()
        return row if row != NOBODY and self.painter_of_rows.offer_box(row).contains(at) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._offered(event.position())
        if row is not None and event.button() is Qt.MouseButton.LeftButton:
            self.taken.emit(row)
        else:
            self._pressed = True
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.taken.emit(self.currentIndex().row())
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and not event.modifiers() and self.pairs.rowCount():
            row = 0 if event.key() == Qt.Key.Key_Home else self.pairs.rowCount() - 1
            self.setCurrentIndex(self.pairs.index(row, Column.PAIR))
        elif event.key() in STEPPING:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Puts the selected rows on the clipboard, tab-separated."""
        if rows := self.selected_rows():
            QGuiApplication.clipboard().setText(self.pairs.tab_separated(rows))

    def menu_of(self, row: int) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        take = menu.addAction("What if this one?" if self.pairs.is_rival(row) else "Merge this one instead")
        take.setEnabled(not self.pairs.stale and not self.pairs.is_winner(row))
        take.triggered.connect(lambda: self.taken.emit(row))
        copy = menu.addAction("Copy rows")
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.triggered.connect(self.copy)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        row = self.currentIndex().row() if by_key else self.indexAt(event.pos()).row()
        if row != NOBODY:
            menu = self.menu_of(row)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())
