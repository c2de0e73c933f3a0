"""Words spelled in an alphabet of characters by compiled loops, and the symbols that such an alphabet is learned from."""

from collections.abc import Generator, Iterator

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import Alphabet
from explorer.core.distinct import DistinctWords
from explorer.core.figures import thousands
from explorer.core.progress import Stage, Step
from explorer.core.recipe import Unknown
from explorer.core.vocabulary import Piece, PieceKind
from explorer.errors import TooLargeError

WORDS_A_STEP = 20_000  # about 2 ms

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


def note_symbols(data: npt.NDArray[np.uint8], words: DistinctWords) -> Generator[Step, None, list[Piece]]:
    """The symbols that the words are made of, each once."""
    from explorer.core.kernels import spelling_loops, unicode_classes

    plain, at_end = (np.zeros(unicode_classes.SYMBOLS, np.bool_) for _ in range(2))
    for start in range(0, len(words.first), WORDS_A_STEP):
        stop = min(start + WORDS_A_STEP, len(words.first))
        spelling_loops.note_symbols(data, words.first, words.lengths, words.marked, start, stop, plain, at_end)
        yield Step(Stage.CUTTING, len(data), len(data))
    return [
        _piece(symbol, marked) for marked, seen in ((False, plain), (True, at_end)) for symbol in np.flatnonzero(seen).tolist()
    ]


def _piece(symbol: int, marked: bool) -> Piece:
    from explorer.core.kernels.unicode_classes import STRAY

    if symbol >= STRAY:
        return Piece(bytes([symbol - STRAY]), marked, PieceKind.BYTE)
    return Piece(chr(symbol).encode(), marked)


class SymbolRows:
    """Which row of an alphabet of characters each symbol has: `plain`, and `at_end` of a word, -1 for none.

    `unknown` is what a symbol without a row becomes, as the kernel knows it.
    """

    def __init__(self, alphabet: Alphabet) -> None:
        from explorer.core.kernels import spelling_loops, unicode_classes

        self.plain, self.at_end = (np.full(unicode_classes.SYMBOLS, -1, np.int32) for _ in range(2))
        for piece, row in alphabet.ids.items():
            if piece.kind is PieceKind.SYMBOL:
                (self.at_end if piece.marked else self.plain)[ord(piece.bytes.decode())] = row
            elif piece.kind is PieceKind.BYTE:
                (self.at_end if piece.marked else self.plain)[unicode_classes.STRAY + piece.bytes[0]] = row
        stand_in = alphabet.stand_in
        self.unknown = {Unknown.FALLBACK: spelling_loops.FALLBACK, Unknown.KEEP: spelling_loops.KEEP}.get(
            alphabet.unknown, -1 if stand_in is None else stand_in
        )

    def kept(self) -> Int32s:
        """Where the numbers of kept characters are noted: by symbol, and last how many there are."""
        return np.zeros(len(self.plain) + 1, np.int32)


class Spelling:
    """Words being spelled: number n is `symbols[bounds[n] : bounds[n + 1]]`, and `ends` is the byte offset after each symbol.

    `rows` and `kept`, the numbers given to kept characters so far, may be those of words that were spelled before.
    """

    def __init__(
        self, alphabet: Alphabet, data: npt.NDArray[np.uint8], words: DistinctWords, rows: SymbolRows | None = None,
        kept: Int32s | None = None,
    ) -> None:  # fmt: skip
        self.data, self.words, self.rows = data, words, rows or SymbolRows(alphabet)
        self.kept = self.rows.kept() if kept is None else kept
        room = int(words.lengths.sum()) + len(words.first)
        self.symbols = np.empty(room, np.int32)
        self.ends = np.empty(room, np.int64)
        self.bounds = np.zeros(len(words.first) + 1, np.int64)

    def steps(self) -> Iterator[int]:
        """Spells all words, yielding after each slice how far in the corpus they are first met; TooLargeError as `Alphabet.spell`."""
        from explorer.core.kernels import spelling_loops

        words, made = self.words, 0
        for start in range(0, len(words.first), WORDS_A_STEP):
            stop = min(start + WORDS_A_STEP, len(words.first))
            made = spelling_loops.spell_words(
                self.data, words.first, words.lengths, words.marked, start, stop, self.rows.plain, self.rows.at_end,
                self.rows.unknown, self.kept, self.symbols, self.ends, self.bounds, made,
            )  # fmt: skip
            if made == spelling_loops.FULL:
                raise TooLargeError(f"More than {thousands(int(self.kept[-1]))} different characters that the table lacks cannot be kept.")
            yield int(words.first[stop - 1])
        self.bounds[-1] = made
        self.symbols, self.ends = self.symbols[:made], self.ends[:made]


__all__ = ["Spelling", "SymbolRows", "note_symbols"]
