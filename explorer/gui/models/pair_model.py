"""The ranked pairs of one moment as a table model: sorted and filtered inside, by index arrays.

No proxy: a proxy over a Python model asks it for every row at every change. Here a sort or a filter makes one
array of places, and a row on the screen costs one look-up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from explorer.core.table import MergeTable
from explorer.core.timeline import RankedPair
from explorer.core.vocabulary import Pair, Piece
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.piece_spelling import pair_label

AnyIndex = QModelIndex | QPersistentModelIndex
Places = npt.NDArray[np.int64]
NOWHERE = QModelIndex()
UNKNOWN = "…"


class Column(IntEnum):
    """The columns, from left to right."""

    RANK = 0
    PAIR = 1
    COUNT = 2
    SHARE = 3  # the count as a bar
    SAVED = 4


HEADS = {Column.RANK: "", Column.PAIR: "Pair", Column.COUNT: "Count", Column.SHARE: "", Column.SAVED: "Saved"}
FIGURES = (Column.RANK, Column.COUNT, Column.SAVED)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the table shows: the candidates in rank order, and the pair that is merged next (None: none of them)."""

    pairs: tuple[RankedPair, ...] = ()
    table: MergeTable | None = None
    winner: Pair | None = None

    @property
    def is_tie(self) -> bool:
        """Whether several pairs share the greatest count."""
        return len(self.pairs) > 1 and self.pairs[1].tied

    def pieces(self, place: int) -> tuple[Piece, Piece]:
        """The two pieces of the pair at a place in rank order."""
        assert self.table is not None, "a ranking of pairs has a table"
        left, right = self.pairs[place].pair
        return self.table.pieces[left], self.table.pieces[right]


class PairModel(QAbstractTableModel):
    """One row a ranked pair; `set_ranking` replaces all of it.

    Figures are "…" while `stale`: the ranking is of another merge, and the right one is being counted.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ranking = Ranking()
        self._order: Places = np.zeros(0, np.int64)
        self._needle = ""
        self._sorted_by = (Column.RANK, Qt.SortOrder.AscendingOrder)
        self._stale = False

    # --- what it holds ------------------------------------------------------------------------------------------------

    @property
    def ranking(self) -> Ranking:
        """What is shown."""
        return self._ranking

    @property
    def stale(self) -> bool:
        """Whether the figures are of another merge."""
        return self._stale

    @property
    def sorted_by(self) -> tuple[Column, Qt.SortOrder]:
        """The column it is sorted by, and which way."""
        return self._sorted_by

    def set_ranking(self, ranking: Ranking) -> None:
        """Replaces everything; sort and filter stay as they are."""
        self.beginResetModel()
        self._ranking, self._stale = ranking, False
        self._order = self._ordered()
        self.endResetModel()

    def set_stale(self, stale: bool) -> None:
        """Shows figures as "…", or again as they are."""
        if stale != self._stale:
            self._stale = stale
            if len(self._order):
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._order) - 1, len(Column) - 1))

    def set_filter(self, needle: str) -> None:
        """Leaves the pairs whose text or hex holds the needle; an empty one leaves all."""
        if needle != self._needle:
            self.beginResetModel()
            self._needle = needle
            self._order = self._ordered()
            self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; equal rows stay in rank order."""
        if self._sorted_by != (Column(column), order):
            self.beginResetModel()
            self._sorted_by = Column(column), order
            self._order = self._ordered()
            self.endResetModel()

    def ranked(self, row: int) -> RankedPair:
        """The pair in a row."""
        return self._ranking.pairs[int(self._order[row])]

    def pieces(self, row: int) -> tuple[Piece, Piece]:
        """The two pieces of the pair in a row."""
        return self._ranking.pieces(int(self._order[row]))

    def rank(self, row: int) -> int:
        """The place of a row in the ranking, from 1."""
        return int(self._order[row]) + 1

    def is_winner(self, row: int) -> bool:
        """Whether the pair in a row is the one merged next."""
        return self.ranked(row).pair == self._ranking.winner

    def is_tied(self, row: int) -> bool:
        """Whether the pair in a row shares the greatest count with another one."""
        return self._ranking.is_tie and self.ranked(row).tied

    def is_rival(self, row: int) -> bool:
        """Whether the pair in a row has the greatest count and another one is merged next."""
        return self.ranked(row).tied and not self.is_winner(row)

    def row_of(self, pair: tuple[Piece, Piece]) -> int | None:
        """The row of a pair of pieces, None where it is not shown."""
        table = self._ranking.table
        if table is None:
            return None
        ids = table.find(pair[0]), table.find(pair[1])
        return next((row for row in range(len(self._order)) if self.ranked(row).pair == ids), None)

    def tab_separated(self, rows: Sequence[int]) -> str:
        """Rows as lines of rank, left, right, count, saved, tie; tabs, line ends and bytes that are no text as escapes."""
        return "".join(
            "\t".join((str(self.rank(row)), *map(_escaped, self.pieces(row)), str(self.ranked(row).count), str(self.ranked(row).saved),
                       "tie" if self.is_tied(row) else "")) + "\n"
            for row in rows
        )  # fmt: skip

    # --- what Qt asks -------------------------------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if Column(section) in FIGURES else LEFT
        return self.head(Column(section)) if role == Qt.ItemDataRole.DisplayRole else None

    def head(self, column: Column) -> str:
        """The head of a column, with an arrow where it sorts otherwise than by rank."""
        by, way = self._sorted_by
        if column is not by or column is Column.RANK:
            return HEADS[column]
        return f"{HEADS[column]} {'↓' if way is Qt.SortOrder.DescendingOrder else '↑'}".strip()

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Plain text for screen readers and copying; a delegate draws from `ranked` and `pieces`."""
        row, column = index.row(), Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in FIGURES else LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._sentence(row)
        return self._sentence(row) if role == Qt.ItemDataRole.AccessibleTextRole and column is Column.PAIR else None

    def _text(self, row: int, column: Column) -> str:
        if column is Column.RANK:
            return str(self.rank(row))
        if column is Column.PAIR:
            return pair_label(*self.pieces(row))
        if column is Column.SHARE:
            return ""
        return self.figure(row, column)

    def figure(self, row: int, column: Column) -> str:
        """Count or saved of a row as it is written."""
        ranked = self.ranked(row)
        return UNKNOWN if self._stale else thousands(ranked.count if column is Column.COUNT else ranked.saved)

    def _sentence(self, row: int) -> str:
        words = f"{pair_label(*self.pieces(row))}, count {self.figure(row, Column.COUNT)}, saved {self.figure(row, Column.SAVED)}"
        words += ", tie" if self.is_tied(row) else ""
        return words + (", comes next" if self.is_winner(row) else "")

    # --- order --------------------------------------------------------------------------------------------------------

    def _ordered(self) -> Places:
        pairs, (column, way) = self._ranking.pairs, self._sorted_by
        places = self._matching() if self._needle else np.arange(len(pairs), dtype=np.int64)
        down = way is Qt.SortOrder.DescendingOrder
        if column in (Column.RANK,) or not len(places):
            return places[::-1] if down else places
        keys = self._keys(column)[places]
        return places[np.argsort(-keys if down else keys, kind="stable")]

    def _keys(self, column: Column) -> Places:
        """What a column sorts by, one number a pair."""
        pairs = self._ranking.pairs
        if column is Column.PAIR:
            texts = [tuple(piece.bytes for piece in self._ranking.pieces(place)) for place in range(len(pairs))]
            keys = np.zeros(len(pairs), np.int64)
            keys[sorted(range(len(pairs)), key=texts.__getitem__)] = np.arange(len(pairs))
            return keys
        figures = (pair.saved if column is Column.SAVED else pair.count for pair in pairs)
        return np.fromiter(figures, np.int64, len(pairs))

    def _matching(self) -> Places:
        matches = matcher(self._needle)
        pieces = map(self._ranking.pieces, range(len(self._ranking.pairs)))
        return np.flatnonzero(np.fromiter((matches(*pair) for pair in pieces), np.bool_, len(self._ranking.pairs)))


def matcher(needle: str) -> Callable[[Piece, Piece], bool]:
    """Whether a pair holds the needle: in the text of its token or of a half, or, if it is hex, in the bytes.

    Small letters match capitals too; capitals match only themselves.
    """
    digits = needle.replace(" ", "")
    code = bytes.fromhex(digits) if digits and len(digits) % 2 == 0 and _is_hex(digits) else None
    fold = needle.lower() == needle

    def matches(left: Piece, right: Piece) -> bool:
        whole = left.joined(right)
        if code is not None and code in whole.bytes:
            return True
        texts = (left.spelled(), right.spelled(), whole.spelled())
        return any(needle in (text.lower() if fold else text) for text in texts)

    return matches


def _is_hex(digits: str) -> bool:
    return all(digit in "0123456789abcdefABCDEF" for digit in digits)


def _escaped(piece: Piece) -> str:
    text = piece.spelled()
    return "".join(_escape(letter) for letter in text)


def _escape(letter: str) -> str:
    if "\udc80" <= letter <= "\udcff":
        return f"\\x{ord(letter) & 255:02X}"
    return {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}.get(letter, letter)
