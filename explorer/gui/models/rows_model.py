"""The rows of the file behind a corpus, for a table: read and formatted when a cell is shown, and not before."""

from functools import lru_cache

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from explorer.core.corpus import NoRows, Rows
from explorer.gui import theme
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.spelling import shown
from explorer.gui.theme import Role

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
CELL_LETTERS = 400  # of a cell; the rest would lie outside every column
ROWS_KEPT = 512  # read rows that are kept: some pages
SAMPLED = 50  # rows looked at to tell a column of figures from one of words

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class RowsModel(QAbstractTableModel):
    """One row a row of the file; the first column is its number from 1, the others are the file's own."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Rows = NoRows()
        self._figures: tuple[bool, ...] = ()
        self._cells = lru_cache(maxsize=ROWS_KEPT)(self._read)

    def show_rows(self, rows: Rows) -> None:
        """Replaces the rows."""
        self.beginResetModel()
        self._rows = rows
        self._cells.cache_clear()
        self._figures = _figure_columns(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() or not len(self._rows) else 1 + len(self._rows.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return "row" if section == 0 else self._rows.columns[section - 1]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(Role.FIGURE)
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.current().ink_3 if index.column() == 0 else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(index.column())
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if index.column() == 0:
            return thousands(index.row() + 1) if role == Qt.ItemDataRole.DisplayRole else None
        return self.cell(index.row(), index.column() - 1)

    def cell(self, row: int, column: int) -> str:
        """A cell of the file as one line of text; names stand for what has no picture. Cut after `CELL_LETTERS`."""
        cells = self._cells(row)
        text = cells[column] if column < len(cells) else ""
        cut = text[:CELL_LETTERS]
        return shown(_as_bytes(cut)) + ("…" if len(cut) < len(text) else "")

    def alignment(self, column: int) -> Qt.AlignmentFlag:
        """Figures stand at the right, words at the left."""
        return RIGHT if column == 0 or (column <= len(self._figures) and self._figures[column - 1]) else LEFT

    def _read(self, row: int) -> tuple[str, ...]:
        return self._rows.cells(row)


def _as_bytes(text: str) -> bytes:
    """The bytes of a cell; a lone surrogate, which JSON can name and UTF-8 cannot, as the three stray bytes it would be."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _figure_columns(rows: Rows) -> tuple[bool, ...]:
    """Which columns hold whole numbers alone, by the first rows."""
    sample = [rows.cells(row) for row in range(min(SAMPLED, len(rows)))]
    return tuple(bool(sample) and all(at < len(cells) and _is_figure(cells[at]) for cells in sample) for at in range(len(rows.columns)))


def _is_figure(text: str) -> bool:
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()
