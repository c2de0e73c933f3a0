"""A text cut and spelled in symbols, piece by piece, as arrays: for what is not cut and encoded in one pass.

Words are cut by a compiled loop (`_words`); joints by the readable rules (`_readable_cuts`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.distinct import DistinctWords, frozen
from explorer.core.fast_spelling import Spelling, SymbolRows
from explorer.core.kernels import distinct_loops, word_loops
from explorer.core.kernels.unicode_classes import character_classes
from explorer.core.pretokens import Losses
from explorer.core.recipe import PreTokenRule
from explorer.core.splitting import Cut, CutKind, cut_text
from explorer.core.table import MergeTable

BYTES_A_PIECE = 1 << 16  # of words: about 2 ms to cut, spell and merge
CUTS_A_PIECE = 1_000  # of other cuts: about 2 ms

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)  # arrays have no single truth
class SpelledCuts:
    """The symbols of some cuts that have tokens: those of cut n are symbols[bounds[n] : bounds[n + 1]].

    `starts` and `ends` are the spans of the symbols in the bytes of the text.
    """

    symbols: Int32s
    bounds: Int64s
    starts: Int64s
    ends: Int64s


class CutSpeller:
    """Cuts the texts of a corpus as a table's recipe says and spells them in its alphabet; `rows` are given for characters."""

    def __init__(self, table: MergeTable, corpus: Corpus, rows: SymbolRows | None) -> None:
        self._table, self._corpus, self._rows = table, corpus, rows
        self._data = frozen(np.frombuffer(corpus.data, np.uint8))
        self._kept = rows.kept() if rows else None
        self._state = np.zeros(word_loops.STATE_SIZE, np.int64)
        self._state[[distinct_loops.FIRST_SPACE, distinct_loops.FIRST_LINE_END]] = -1
        stand_in = table.alphabet.stand_in
        self._stand_in = -1 if stand_in is None else stand_in

    def pieces(self) -> Iterator[SpelledCuts]:
        """All cuts that have tokens, some at a time."""
        compiled = self._table.recipe.pretokens is PreTokenRule.WORDS and self._table.recipe.joints is None
        return self._words() if compiled else self._readable_cuts()

    @property
    def losses(self) -> Losses:
        """What lay between the words of the pieces so far, and no marker stands for."""
        places = (distinct_loops.SPACES, distinct_loops.FIRST_SPACE, distinct_loops.LINE_ENDS, distinct_loops.FIRST_LINE_END)
        return Losses(*(int(self._state[at]) for at in places))

    def _words(self) -> Iterator[SpelledCuts]:
        state, corpus, size = self._state, self._corpus, len(self._data)
        none = frozen(np.zeros(0, np.int64))
        texts = distinct_loops.Texts(self._data, frozen(corpus.starts), none, frozen(character_classes()), int(corpus.ended))
        starts, ends = (np.empty(BYTES_A_PIECE // 2 + 2, np.int64) for _ in range(2))
        marker = self._table.alphabet.marker
        while state[distinct_loops.AT] < size:
            stop = min(size, int(state[distinct_loops.AT]) + BYTES_A_PIECE)
            found = word_loops.list_words(texts, stop, state, starts, ends)
            cuts = self._spelled(starts[:found], ends[:found], np.full(found, marker))
            word_loops.tally_losses(texts, starts, ends, found, cuts.symbols, cuts.bounds, self._stand_in, marker, state)
            yield cuts
        word_loops.tally_last_losses(texts, state)

    def _readable_cuts(self) -> Iterator[SpelledCuts]:
        cuts = iter(_cuts_of(self._table, self._corpus))
        lost_marker = False  # whether the last word ended in a stand-in, which carries no marker
        while some := list(islice(cuts, CUTS_A_PIECE)):
            spelled = [cut for cut in some if cut.kind in (CutKind.PRETOKEN, CutKind.ALONE, CutKind.OUTSIDE)]
            spans = np.array([(cut.start, cut.end) for cut in spelled], np.int64).reshape(-1, 2)
            marked = np.array([cut.ends_word and self._table.alphabet.marker for cut in spelled], np.bool_)
            piece = self._spelled(np.ascontiguousarray(spans[:, 0]), np.ascontiguousarray(spans[:, 1]), marked)
            number = 0
            for cut in some:
                if cut.kind is CutKind.LOST or (cut.kind is CutKind.MARKER and lost_marker):
                    word_loops.tally_gap(self._data, cut.start, cut.end, self._state)
                elif cut.kind is not CutKind.ADDED and cut.kind is not CutKind.MARKER:
                    number += 1
                    lost_marker = bool(piece.symbols[piece.bounds[number] - 1] == self._stand_in)
            yield piece

    def _spelled(self, starts: Int64s, ends: Int64s, marked: npt.NDArray[np.bool_]) -> SpelledCuts:
        """The symbols of some cuts with their spans."""
        lengths = ends - starts
        if self._rows is None:
            bounds = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
            places = np.arange(bounds[-1], dtype=np.int64) + np.repeat(starts - bounds[:-1], lengths)
            return SpelledCuts(self._data[places].astype(np.int32), bounds, places, places + 1)
        words = DistinctWords(lengths, starts, starts, starts, marked, 0, 0, Losses())
        spelling = Spelling(self._table.alphabet, self._data, words, self._rows, self._kept)
        for _ in spelling.steps():
            pass
        symbol_starts = np.concatenate((np.zeros(min(1, len(spelling.ends)), np.int64), spelling.ends[:-1]))
        symbol_starts[spelling.bounds[:-1]] = starts
        return SpelledCuts(spelling.symbols, spelling.bounds, symbol_starts, spelling.ends)


def _cuts_of(table: MergeTable, corpus: Corpus) -> Iterable[Cut]:
    return (cut for start, end, _ in corpus.texts() for cut in cut_text(table.recipe, corpus.data, start, end, corpus.ended))


__all__ = ["CutSpeller", "SpelledCuts"]
