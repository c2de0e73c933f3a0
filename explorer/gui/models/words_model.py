"""The words of a word-count corpus with their spelling at merge k, for a table that sorts inside the model.

A spelling is asked of the timeline when its row is shown, a block of words at a time; only sorting by pieces spells
them all. Sorting is by index arrays: a proxy over a Python model would take seconds.
"""

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText
from explorer.core.progress import Step
from explorer.core.timeline import Timeline
from explorer.core.vocabulary import Piece
from explorer.gui import theme
from explorer.gui.models.finding import finding_texts_steps
from explorer.gui.models.rows_model import LEFT, NOWHERE, RIGHT, Index
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.spelling import shown
from explorer.gui.theme import Role

BLOCK = 64  # words spelled at once: more than a page
Order = npt.NDArray[np.int64]


class Column(IntEnum):
    """The columns, in order."""

    WORD = 0
    COUNT = 1
    SPELLING = 2
    PIECES = 3


HEADS = {Column.WORD: "Word", Column.COUNT: "Count", Column.SPELLING: "Spelling", Column.PIECES: "Pieces"}


@dataclass(frozen=True, slots=True)
class SpelledWord:
    """A word as tokens: one id (-1 for a kept character) and one piece a token, in order."""

    ids: tuple[int, ...]
    pieces: tuple[Piece, ...]


class WordsModel(QAbstractTableModel):
    """One row a word: word, count, spelling at merge k, pieces. Empty where the corpus has no counts."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._corpus: Corpus | None = None
        self._timeline: Timeline | None = None
        self._k = 0
        self._order: Order = np.zeros(0, np.int64)
        self._sorted_by = (-1, Qt.SortOrder.AscendingOrder)
        self._spelled: dict[int, SpelledWord] = {}

    def show_words(self, corpus: Corpus | None, timeline: Timeline | None, k: int) -> None:
        """Replaces the words; the order that was chosen stays."""
        self.beginResetModel()
        self._corpus = corpus if corpus is not None and corpus.weights is not None else None
        self._timeline, self._k = timeline, k
        self._spelled = {}
        self._order = self._sorted(*self._sorted_by)
        self.endResetModel()

    def go_to_merge(self, k: int) -> None:
        """Shows the spellings at another merge; the order by pieces waits for `sort_again`."""
        if k == self._k:
            return
        self._k = k
        self._spelled = {}
        if self.rowCount():
            self.dataChanged.emit(self.index(0, Column.SPELLING), self.index(self.rowCount() - 1, Column.PIECES))

    @property
    def sorted_by_pieces(self) -> bool:
        """Whether the order depends on the merge."""
        return self._sorted_by[0] in (Column.SPELLING, Column.PIECES)

    def sort_again(self) -> None:
        """Sorts anew by what was chosen last."""
        self.sort(*self._sorted_by)

    def word(self, row: int) -> bytes:
        """The bytes of the word in a row."""
        assert self._corpus is not None
        start, end = self._corpus.span(self.text_of(row))
        return self._corpus.data[start:end]

    def count(self, row: int) -> int:
        """How often the word in a row counts."""
        assert self._corpus is not None
        return self._corpus.weight(self.text_of(row))

    def text_of(self, row: int) -> int:
        """The number of the text in a row."""
        return int(self._order[row])

    def row_of(self, text: int) -> int:
        """The row that shows a text."""
        return int(np.flatnonzero(self._order == text)[0])

    def finding(self, text: bytes) -> Generator[Step, None, list[int]]:
        """Looks for the texts that hold some bytes."""
        return finding_texts_steps(self._corpus or Corpus.of_counts({}), text)

    def rows_of(self, texts: list[int]) -> list[int]:
        """The rows that show some texts, in order."""
        rows: list[int] = np.flatnonzero(np.isin(self._order, texts)).tolist()
        return rows

    def spelling(self, row: int) -> SpelledWord | None:
        """The word in a row as tokens at merge k; None while nothing is trained."""
        if self._corpus is None or self._timeline is None:
            return None
        text = self.text_of(row)
        if text not in self._spelled:
            first = text - text % BLOCK
            self._spelled.update(_spell_words(self._corpus, self._timeline, first, min(first + BLOCK, len(self._corpus)), self._k))
        return self._spelled[text]

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return HEADS[Column(section)] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(Role.TOKEN if index.column() == Column.WORD else Role.FIGURE)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.cell(index.row(), Column(index.column()))
        return None

    def cell(self, row: int, column: Column) -> str:
        """A cell as text, for painting, copying and screen readers; "…" for what is not known yet."""
        if column is Column.WORD:
            return shown(self.word(row))
        if column is Column.COUNT:
            return thousands(self.count(row))
        spelling = self.spelling(row)
        if spelling is None:
            return "…"
        if column is Column.PIECES:
            return thousands(len(spelling.ids))
        return " ".join(shown(piece.bytes, piece.marked) for piece in spelling.pieces)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        before = self._order
        self._sorted_by = (column, order)
        self._order = self._sorted(column, order)
        places = np.argsort(self._order, kind="stable")
        kept = self.persistentIndexList()
        self.changePersistentIndexList(kept, [self.index(int(places[before[each.row()]]), each.column()) for each in kept])
        self.layoutChanged.emit()

    def _sorted(self, column: int, order: Qt.SortOrder) -> Order:
        """The texts in the order of a column; equal ones, and all where no column is chosen, in file order."""
        if self._corpus is None or self._corpus.weights is None:
            return np.zeros(0, np.int64)
        numbers = np.arange(len(self._corpus), dtype=np.int64)
        descending = order is Qt.SortOrder.DescendingOrder
        if column == Column.WORD:
            words = [self._corpus.data[start:end] for start, end, _ in self._corpus.texts()]
            return np.array(sorted(numbers.tolist(), key=words.__getitem__, reverse=descending), np.int64)
        if column == Column.COUNT:
            keys = self._corpus.weights
        elif column in (Column.SPELLING, Column.PIECES) and self._timeline is not None:
            keys = _piece_counts(self._corpus, self._timeline, self._k)
        else:
            return numbers
        return np.argsort(-keys if descending else keys, kind="stable")


def _alignment(column: int) -> Qt.AlignmentFlag:
    return RIGHT if column in (Column.COUNT, Column.PIECES) else LEFT


def _texts_of(corpus: Corpus, offset: int, encoded: EncodedText) -> Order:
    """The number of the text that each token lies in; a bare marker, which covers no byte, lies where its word ends."""
    starts, ends = encoded.spans_in(offset)
    inside = np.where(starts == ends, starts - 1, starts)
    return np.searchsorted(corpus.starts, inside, side="right") - 1


def _spell_words(corpus: Corpus, timeline: Timeline, first: int, last: int, k: int) -> dict[int, SpelledWord]:
    """The spellings of the texts [first, last), by number."""
    offset, encoded = timeline.spell(int(corpus.starts[first]), int(corpus.starts[last]), k)
    texts, ids = _texts_of(corpus, offset, encoded), encoded.ids.tolist()
    spelled: dict[int, SpelledWord] = {}
    for text in range(first, last):
        start, end = np.searchsorted(texts, (text, text + 1)).tolist()
        spelled[text] = SpelledWord(tuple(ids[start:end]), tuple(encoded.piece(n) for n in range(start, end)))
    return spelled


def _piece_counts(corpus: Corpus, timeline: Timeline, k: int) -> Order:
    """How many tokens each text has; one pass over the whole corpus."""
    offset, encoded = timeline.spell(0, len(corpus.data), k)
    return np.bincount(_texts_of(corpus, offset, encoded), minlength=len(corpus)).astype(np.int64)
