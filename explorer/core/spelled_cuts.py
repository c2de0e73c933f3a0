"""A text cut by the readable rules and spelled in symbols, as arrays: for what is not cut and encoded in one pass."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.distinct import DistinctWords, frozen
from explorer.core.fast_spelling import Spelling, SymbolRows
from explorer.core.pretokens import Losses
from explorer.core.progress import Stage, Step
from explorer.core.splitting import Cut, CutKind, cut_text
from explorer.core.table import MergeTable

CUTS_A_STEP = 1_000

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)  # arrays have no single truth
class SpelledCuts:
    """The symbols of all cuts that have tokens: those of cut n are symbols[bounds[n] : bounds[n + 1]].

    `starts` and `ends` are the spans of the symbols in the bytes of the text.
    """

    symbols: Int32s
    bounds: Int64s
    starts: Int64s
    ends: Int64s
    losses: Losses


class _Cuts:
    """The cuts of a corpus that have tokens, and what is lost between them."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.ends_word: list[bool] = []
        self.lost: list[tuple[int, int]] = []
        self.markers: list[tuple[int, int, int]] = []  # a space that a marker stands for, and the cut before it

    def add(self, cut: Cut) -> None:
        """Notes a cut."""
        if cut.kind is CutKind.LOST:
            self.lost.append((cut.start, cut.end))
        elif cut.kind is CutKind.MARKER:
            self.markers.append((cut.start, cut.end, len(self.starts) - 1))
        elif cut.kind is not CutKind.ADDED:
            self.starts.append(cut.start)
            self.ends.append(cut.end)
            self.ends_word.append(cut.ends_word)


def spell_cuts(table: MergeTable, corpus: Corpus, rows: SymbolRows | None) -> Generator[Step, None, SpelledCuts]:
    """Cuts the texts of a corpus as a table's recipe says and spells them in its alphabet, whose `rows` are given for characters."""
    cuts = _Cuts()
    for done, cut in enumerate(_cuts_of(table, corpus)):
        cuts.add(cut)
        if done % CUTS_A_STEP == 0:
            yield Step(Stage.CUTTING, cut.end, len(corpus.data))
    starts, ends = np.array(cuts.starts, np.int64), np.array(cuts.ends, np.int64)
    symbols, bounds, symbol_ends = yield from _spell(table, rows, corpus, starts, ends, np.array(cuts.ends_word, np.bool_))
    symbol_starts = np.concatenate((np.zeros(min(1, len(symbol_ends)), np.int64), symbol_ends[:-1]))
    symbol_starts[bounds[:-1]] = starts
    losses = _count_losses(corpus.data, cuts, symbols, bounds, table.alphabet.stand_in)
    return SpelledCuts(symbols, bounds, symbol_starts, symbol_ends, losses)


def _cuts_of(table: MergeTable, corpus: Corpus) -> Iterable[Cut]:
    return (cut for start, end, _ in corpus.texts() for cut in cut_text(table.recipe, corpus.data, start, end, corpus.ended))


def _spell(
    table: MergeTable, rows: SymbolRows | None, corpus: Corpus, starts: Int64s, ends: Int64s, ends_word: npt.NDArray[np.bool_]
) -> Generator[Step, None, tuple[Int32s, Int64s, Int64s]]:
    """The symbols of all cuts, where each cut's begin among them, and the byte offset after each symbol."""
    data = frozen(np.frombuffer(corpus.data, np.uint8))
    lengths = ends - starts
    if rows is None:
        bounds = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        places = np.arange(bounds[-1], dtype=np.int64) + np.repeat(starts - bounds[:-1], lengths)
        return data[places].astype(np.int32), bounds, places + 1
    words = DistinctWords(lengths, starts, starts, starts, ends_word & table.alphabet.marker, 0, 0, Losses())
    spelling = Spelling(table.alphabet, data, words, rows)
    for done in spelling.steps():
        yield Step(Stage.CUTTING, done, len(data))
    return spelling.symbols, spelling.bounds, spelling.ends


def _count_losses(data: bytes, cuts: _Cuts, symbols: Int32s, bounds: Int64s, stand_in: int | None) -> Losses:
    """What lies between words; the space that a marker stands for too, where the word before ends in a stand-in, which carries none."""
    if stand_in is not None:
        cuts.lost += [(start, end) for start, end, word in cuts.markers if symbols[bounds[word + 1] - 1] == stand_in]
    spaces, line_ends, first_space, first_line_end = 0, 0, -1, -1
    for start, end in sorted(cuts.lost):
        lines = data.count(b"\n", start, end)
        if lines and first_line_end < 0:
            first_line_end = data.find(b"\n", start)
        if end - start > lines and first_space < 0:
            first_space = data.find(b" ", start)
        line_ends += lines
        spaces += end - start - lines
    return Losses(spaces, first_space, line_ends, first_line_end)


__all__ = ["SpelledCuts", "spell_cuts"]
