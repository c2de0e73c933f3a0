"""The words of a word-count corpus with their spelling at merge k, for a table that sorts inside the model.

A spelling is asked of the timeline when its row is shown, a block of words at a time; only sorting by pieces spells
them all. Sorting is by index arrays: a proxy over a Python model would take seconds. It is done in steps: a million words are put in
order beside the window, in the order before until then.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import IntEnum
from heapq import merge
from itertools import pairwise
from operator import itemgetter

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText
from explorer.core.progress import Stage, Step, begin, drain
from explorer.core.timeline import Timeline
from explorer.core.vocabulary import Piece
from explorer.gui import theme
from explorer.gui.models.finding import finding_texts_steps
from explorer.gui.models.rows_model import LEFT, NOWHERE, RIGHT, Index
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.spelling import shown
from explorer.gui.theme import Role

BLOCK = 64  # words spelled at once: more than a page
RUN = 5_000  # words that are put in order in one step: about 3 ms
STEPS_AT_ONCE = 8  # of sorting that are done where it is asked for
Order = npt.NDArray[np.int64]
SortedBy = tuple[int, Qt.SortOrder]
"""A column, or -1 for the order of the file, and which way."""
FILE_ORDER: SortedBy = (-1, Qt.SortOrder.AscendingOrder)
OrderSteps = Generator[Step, None, Order]
SortLater = Callable[[OrderSteps, Callable[[Order], None]], None]
"""Runs the rest of a sorting beside the window, the one before being given up, and hands over the order."""


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
    """One row a word: word, count, spelling at merge k, pieces. Empty where the corpus has no counts.

    `later` is given by who can have a long sorting done beside the window; `sort_asked` says that the one before is given up.
    """

    sort_asked = Signal()

    def __init__(self, parent: QObject | None = None, later: SortLater | None = None) -> None:
        super().__init__(parent)
        self._later, self._sorting = later, 0
        self._corpus: Corpus | None = None
        self._timeline: Timeline | None = None
        self._k = 0
        self._order: Order = np.zeros(0, np.int64)
        self._sorted_by = self._shown_by = FILE_ORDER  # what was asked for, and what the rows are in
        self._spelled: dict[int, SpelledWord] = {}

    def show_words(self, corpus: Corpus | None, timeline: Timeline | None, k: int) -> None:
        """Replaces the words; the order that was chosen stays."""
        self.beginResetModel()
        before, self._corpus = self._corpus, corpus if corpus is not None and corpus.weights is not None else None
        self._timeline, self._k = timeline, k
        self._spelled = {}
        if self._corpus is not before:
            self._order, self._shown_by = np.arange(len(self._corpus) if self._corpus else 0, dtype=np.int64), FILE_ORDER
        self.endResetModel()
        if self._corpus is not before or self.sorted_by_pieces or self._shown_by != self._sorted_by:
            self._sort()

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
        self._sort()

    def leave_order(self) -> SortedBy:
        """Gives up a sorting that was asked for; by what the rows are sorted."""
        self._sorted_by = self._shown_by
        return self._shown_by

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
        self._sorted_by = (column, order)
        self._sort()

    def _sort(self) -> None:
        """Sorts by what was chosen last: at once, or as soon as it can be."""
        self.sort_asked.emit()
        self._sorting += 1
        mine, steps = self._sorting, _ordering(self._corpus, self._timeline, self._k, *self._sorted_by)
        found = begin(steps, STEPS_AT_ONCE)
        if found or self._later is None:
            self._take(mine, found[0] if found else drain(steps))
        else:
            self._later(steps, lambda order: self._take(mine, order))

    def _take(self, asked: int, order: Order) -> None:
        """Puts the rows in an order, if none was asked for later."""
        if asked != self._sorting:
            return
        self._shown_by = self._sorted_by
        if np.array_equal(order, self._order):
            return
        self.layoutAboutToBeChanged.emit()
        before, self._order = self._order, order
        if kept := self.persistentIndexList():
            places = np.empty(len(order), np.int64)
            places[order] = np.arange(len(order))
            self.changePersistentIndexList(kept, [self.index(int(places[before[each.row()]]), each.column()) for each in kept])
        self.layoutChanged.emit()


def _ordering(corpus: Corpus | None, timeline: Timeline | None, k: int, column: int, order: Qt.SortOrder) -> OrderSteps:
    """The texts in the order of a column; equal ones, and all where no column is chosen, in file order."""
    if corpus is None or corpus.weights is None:
        return np.zeros(0, np.int64)
    descending = order is Qt.SortOrder.DescendingOrder
    if column == Column.WORD:
        return (yield from _by_word(corpus, descending))
    if column == Column.COUNT:
        keys = corpus.weights
    elif column in (Column.SPELLING, Column.PIECES) and timeline is not None:
        keys = yield from _piece_counts(corpus, timeline, k)
    else:
        return np.arange(len(corpus), dtype=np.int64)
    for _ in range(len(corpus) // RUN):  # as many as the work is worth: of many words it is not for this thread
        yield Step(Stage.SEARCHING, 0, 0)
    return np.argsort(-keys if descending else keys, kind="stable")


def _by_word(corpus: Corpus, descending: bool) -> OrderSteps:
    """The texts by their bytes: some at a time, and these merged. Sorting a million in one go would hold the interpreter for a second."""
    runs: list[list[tuple[bytes, int]]] = []
    for first in range(0, len(corpus), RUN):
        starts = corpus.starts[first : first + RUN + 1].tolist()
        words = ((corpus.data[start:end], number) for number, (start, end) in enumerate(pairwise(starts), start=first))
        runs.append(sorted(words, key=itemgetter(0), reverse=descending))
        yield Step(Stage.SEARCHING, first, len(corpus))
    found = np.empty(len(corpus), np.int64)
    for place, (_, number) in enumerate(merge(*runs, key=itemgetter(0), reverse=descending)):
        found[place] = number
        if place % RUN == RUN - 1:
            yield Step(Stage.SEARCHING, place, len(corpus))
    return found


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


def _piece_counts(corpus: Corpus, timeline: Timeline, k: int) -> OrderSteps:
    """How many tokens each text has; one pass over the whole corpus."""
    offset, encoded = yield from timeline.spell_steps(0, len(corpus.data), k)
    return np.bincount(_texts_of(corpus, offset, encoded), minlength=len(corpus)).astype(np.int64)
