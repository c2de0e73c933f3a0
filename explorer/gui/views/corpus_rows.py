"""The rows of the corpus file as a table: every column, read as it is shown."""

from PySide6.QtCore import QEvent, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from explorer.core.corpus import Rows
from explorer.gui import theme
from explorer.gui.models.rows_model import RowsModel
from explorer.gui.theme import Role

SAMPLED = 40  # rows measured for the width of a column
WIDEST = 480  # pixels at 100 % of a column; the last one takes what is left


class FixedTable(QTableView):
    """A table as all of ours look: rows of one height, no grid, whole rows selected, Tab leaves it.

    A click or Enter on a row is told by `row_activated`.
    """

    row_activated = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._fitting = QTimer(self)  # a change of theme tells of itself several times; the columns follow once
        self._fitting.setSingleShot(True)
        self._fitting.timeout.connect(self.fit_columns)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self.clicked.connect(self._on_clicked)
        self._measure()

    def show_row(self, row: int) -> None:
        """Selects a row and scrolls to it."""
        if 0 <= row < self.model().rowCount():
            self.selectRow(row)
            self.scrollTo(self.model().index(row, 0))

    def fit_columns(self) -> None:
        """Called after a change of theme or zoom: gives the columns their widths anew."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.row_activated.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._measure()
            self._fitting.start()

    def _measure(self) -> None:
        sizes = theme.measures()
        self.verticalHeader().setMinimumSectionSize(1)  # a greater one is looked up for each row: 8 s for a million
        self.verticalHeader().setDefaultSectionSize(sizes.row)
        self.horizontalHeader().setFixedHeight(sizes.xl + 1)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.row_activated.emit(index.row())


class CorpusRows(FixedTable):
    """The user sees the rows of the file with all their columns; a click tells the row by `row_activated`. Hears nothing by itself."""

    def __init__(self) -> None:
        super().__init__("Rows of the corpus file")
        self.rows_model = RowsModel(self)
        self.setModel(self.rows_model)

    def show_rows(self, rows: Rows) -> None:
        """Replaces the rows and gives each column the width of its first cells."""
        self.rows_model.show_rows(rows)
        self.fit_columns()
        self.scrollToTop()

    def fit_columns(self) -> None:
        model, pad = self.rows_model, 2 * theme.measures().s + theme.measures().m
        last = max(0, model.rowCount() - 1)  # holds the widest number
        for column in range(model.columnCount()):
            head = theme.metrics(Role.CAPTION).horizontalAdvance(str(model.headerData(column, Qt.Orientation.Horizontal)))
            texts = [str(model.data(model.index(row, column)) or "") for row in {*range(min(SAMPLED, last)), last}]
            widest = max(theme.metrics(Role.FIGURE).horizontalAdvance(text) for text in texts)
            self.setColumnWidth(column, round(min(max(head, widest) + pad, theme.px(WIDEST))))
