"""Pre-tokens spelled in an alphabet of characters, and the characters that such an alphabet is learned from.

Two tables say which row of the alphabet a symbol (see utf8_loops.py) has, plain and at the end of a word, -1 for none.
"""

from explorer.core.kernels.array_types import Bools, Bytes, Int32s, Int64s, Number
from explorer.core.kernels.compiling import inlined, kernel
from explorer.core.kernels.unicode_classes import SYMBOLS
from explorer.core.kernels.utf8_loops import symbol_at

# As in alphabet.py, repeated as the cache folder is named by the files of this one alone; a test compares them.
BARE_MARKER, FIRST_KEPT, KEPT_FROM = 256, 0x10FFFD, 0xE0000

FALLBACK = -1  # in the place of the stand-in's id: the rows of the bytes and the bare marker
KEEP = -2  # numbers of their own
FULL = -1  # no room for another kept character


@kernel
def note_symbols(
    data: Bytes, first: Int64s, lengths: Int64s, marked: Bools, start: Number, stop: Number, plain: Bools, at_end: Bools,
) -> None:  # fmt: skip
    """Notes in two tables which symbols the words [start, stop) have, `plain` and `at_end` of a word that is marked."""
    for n in range(start, stop):
        at = first[n]
        end = at + lengths[n]
        while at < end:
            seen = symbol_at(data, at, end)
            at += seen & 7
            if at == end and marked[n]:
                at_end[seen >> 3] = True
            else:
                plain[seen >> 3] = True


@inlined
def fall_back(data: Bytes, at: Number, end: Number, row: Number, marked: Number, out: Int32s, ends: Int64s, made: Number) -> Number:
    """Spells the symbol [at, end) that has no row of its own: its plain `row` if there is one, else its bytes; then the bare marker."""
    if row >= 0:
        out[made] = row
        ends[made] = end
        made += 1
    else:
        for place in range(at, end):
            out[made] = data[place]
            ends[made] = place + 1
            made += 1
    if marked:
        out[made] = BARE_MARKER
        ends[made] = end
        made += 1
    return made


@inlined
def kept_number(symbol: Number, kept: Int32s) -> Number:
    """The number of a character that the recipe keeps: one for each, from FIRST_KEPT down; FULL where there is none left.

    `kept` has the numbers given so far, by symbol, and in its last place how many those are.
    """
    if kept[symbol] == 0:
        if kept[SYMBOLS] > FIRST_KEPT - KEPT_FROM:
            return FULL
        kept[symbol] = FIRST_KEPT - kept[SYMBOLS]
        kept[SYMBOLS] += 1
    return kept[symbol]


@kernel
def spell_words(
    data: Bytes, first: Int64s, lengths: Int64s, marked: Bools, start: Number, stop: Number, plain_rows: Int32s,
    end_rows: Int32s, unknown: Number, kept: Int32s, out: Int32s, ends: Int64s, bounds: Int64s, made: Number,
) -> Number:  # fmt: skip
    """Spells the words [start, stop) into `out`, from place `made` on; returns the place after, or FULL.

    `ends` has the byte offset after each symbol, `bounds` where each word starts in `out`. `unknown` is the stand-in's
    id, FALLBACK or KEEP. There must be room for a symbol a byte and one a word.
    """
    for n in range(start, stop):
        bounds[n] = made
        at = first[n]
        end = at + lengths[n]
        while at < end:
            seen = symbol_at(data, at, end)
            symbol = seen >> 3
            after = at + (seen & 7)
            last = after == end and marked[n]
            row = end_rows[symbol] if last else plain_rows[symbol]
            if row < 0 and unknown == FALLBACK:
                made = fall_back(data, at, after, plain_rows[symbol] if last else row, last, out, ends, made)
            else:
                if row < 0:
                    row = unknown if unknown >= 0 else kept_number(symbol, kept)
                    if row < 0:
                        return FULL
                out[made] = row
                ends[made] = after
                made += 1
            at = after
    return made
