"""A cache of encoded pre-tokens: a hash table whose rows stand in their slots, so that a look-up is one cache line.

A row is four words of 64 bits, 32 bytes that lie in one cache line:

    low     the first 8 bytes of a pre-token of at most 15; a hash of a longer one
    high    its other bytes, how many it has (56 bits up; 0 of a longer one), how many tokens it has (60 bits up; 0: the row is empty)
    tokens  up to four ids of 32 bits; of more than four, or of a longer pre-token, where its tokens and letters are kept, and how many

A pre-token of at most 15 bytes is its own key, so nothing else is compared. Only pre-tokens of at most SHORT bytes are kept.
A row is looked for in PROBES slots and no others; where all are taken the first of them gives way, so that no text, however
it was made up, makes a look-up slow. The caller makes room when there is little left, so that the cache never grows on.
"""

from typing import NamedTuple

import numpy as np

from explorer.core.kernels import distinct_loops
from explorer.core.kernels.array_types import Bytes, Int32s, Int64s, Number, Words
from explorer.core.kernels.compiling import inlined, kernel
from explorer.core.kernels.instructions import copy_pair, load_word

WORDS_A_ROW = 4
INLINE = 4  # tokens that a row holds itself
ELSEWHERE = 15  # in the place of their number: they are kept elsewhere
WHOLE = 15  # bytes of a pre-token that is its own key
PROBES = 16  # slots that are looked at, at most
MIX, MIX_HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE, HALF = np.uint64(1), np.uint64(32)
HALF_MASK = np.uint64(0xFFFFFFFF)
LENGTH_BITS, COUNT_BITS, COUNT_WIDTH = np.uint64(56), np.uint64(60), np.uint64(4)
KEY_OF_HIGH = np.uint64((1 << 60) - 1)
ROWS, LETTERS, KEPT, STATE_SIZE = range(distinct_loops.STATE_SIZE, distinct_loops.STATE_SIZE + 4)
"""What a state holds beside what counting knows: how many rows, letters and tokens are in the cache."""


class Cache(NamedTuple):
    """Rows in their slots, a power of two of them, and the letters and tokens that rows have no room for."""

    rows: Words
    letters: Bytes
    tokens: Int32s


@inlined
def low_of(data: Bytes, at: Number, length: Number) -> Number:
    """The first word of the key of a pre-token of at most WHOLE bytes; 8 bytes must be there."""
    return load_word(data, at) & (ALL >> np.uint64(64 - 8 * min(length, 8)))


@inlined
def high_of(data: Bytes, at: Number, length: Number) -> Number:
    """The second word of that key; 16 bytes must be there."""
    others = (ONE << np.uint64(8 * max(length - 8, 0))) - ONE
    return (load_word(data, at + 8) & others) | (np.uint64(length) << LENGTH_BITS)


@inlined
def edge_word(data: Bytes, at: Number, length: Number) -> Number:
    """At most 8 bytes as one word, near the end of the data."""
    word = np.uint64(0)
    for n in range(min(length, 8)):
        word |= np.uint64(data[at + n]) << np.uint64(8 * n)
    return word


@inlined
def slot_of(low: Number, high: Number, rows: Words) -> Number:
    """The place of the row where the search for a key begins."""
    mixed = (low ^ (high * MIX_HIGH)) * MIX
    return np.int64((mixed ^ (mixed >> HALF)) & np.uint64(rows.size // WORDS_A_ROW - 1)) * WORDS_A_ROW


@inlined
def has_key(rows: Words, place: Number, low: Number, high: Number) -> Number:
    """Whether the row at a place has a key; that of a longer pre-token is a hash, and its letters are to be compared."""
    return (rows[place] ^ low) | ((rows[place + 1] ^ high) << COUNT_WIDTH) == 0


@inlined
def same_letters(data: Bytes, at: Number, letters: Bytes, kept: Number, length: Number) -> Number:
    """Whether a pre-token of more than 8 bytes is the one whose letters are kept."""
    for n in range(0, length - 8, 8):
        if load_word(data, at + n) != load_word(letters, kept + n):
            return False
    return load_word(data, at + length - 8) == load_word(letters, kept + length - 8)


@inlined
def find_row(data: Bytes, at: Number, length: Number, low: Number, high: Number, place: Number, cache: Cache) -> Number:
    """The place of the row of a pre-token, or else of an empty one or one that gives way."""
    rows = cache.rows
    found = place
    for _ in range(PROBES):
        if rows[found + 1] == 0:
            return found
        short = length <= WHOLE
        if has_key(rows, found, low, high) and (short or same_letters(data, at, cache.letters, np.int64(rows[found + 2] >> HALF), length)):
            return found
        found = (found + WORDS_A_ROW) & (rows.size - 1)
    rows[place + 1] = 0
    return place


@inlined
def write_row(cache: Cache, place: Number, ids: Int32s, made: Number) -> Number:
    """Writes the tokens of a row; four places are written whatever their number. Returns the place after the last token."""
    count = np.int64(cache.rows[place + 1] >> COUNT_BITS)
    if count <= INLINE:
        copy_pair(ids, made, cache.rows, place + 2)
        return made + count
    first = np.int64(cache.rows[place + 2] & HALF_MASK)
    count = np.int64(cache.rows[place + 3])
    for n in range(count):
        ids[made + n] = cache.tokens[first + n]
    return made + count


@inlined
def low_half(token: Number) -> Number:
    """Thirty-two bits as the low half of a word."""
    return np.uint64(np.int64(token)) & HALF_MASK


@inlined
def keep_row(
    data: Bytes, at: Number, length: Number, low: Number, high: Number, place: Number, cache: Cache, state: Int64s, ids: Int32s,
    first: Number, last: Number,
) -> None:  # fmt: skip
    """Keeps the tokens ids[first:last] of a pre-token in an empty row. Four places from `first` on must be there."""
    count = last - first
    row = cache.rows
    row[place] = low
    if count <= INLINE and length <= WHOLE:  # what follows the last token is kept as well, and never used
        row[place + 1] = high | (np.uint64(count) << COUNT_BITS)
        row[place + 2] = low_half(ids[first]) | (low_half(ids[first + 1]) << HALF)
        row[place + 3] = low_half(ids[first + 2]) | (low_half(ids[first + 3]) << HALF)
    else:
        row[place + 1] = high | (np.uint64(ELSEWHERE) << COUNT_BITS)
        row[place + 2] = np.uint64(state[KEPT]) | (np.uint64(state[LETTERS]) << HALF)
        row[place + 3] = np.uint64(count)
        for n in range(count):
            cache.tokens[state[KEPT] + n] = ids[first + n]
        state[KEPT] += count
        if length > WHOLE:
            for n in range(length):
                cache.letters[state[LETTERS] + n] = data[at + n]
            state[LETTERS] += length
    state[ROWS] += 1


@kernel
def move_rows(rows: Words, larger: Words) -> None:
    """Moves the rows of a cache into a larger, empty one; those that have no room there are forgotten."""
    for place in range(0, rows.size, WORDS_A_ROW):
        if rows[place + 1] == 0:
            continue
        high = rows[place + 1] & KEY_OF_HIGH
        target = slot_of(rows[place], high, larger)
        for _ in range(PROBES):
            if larger[target + 1] == 0:
                for n in range(WORDS_A_ROW):
                    larger[target + n] = rows[place + n]
                break
            target = (target + WORDS_A_ROW) & (larger.size - 1)
