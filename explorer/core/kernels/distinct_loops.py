"""Distinct pre-tokens with count, first and last place, gathered in a hash table: the inner loop of pre-tokenizing.

A row of the table is four words of 64 bits, so that two rows share a cache line:

    key     the bytes themselves of a pre-token of at most 8, a hash of a longer one
    first   byte offset of the first occurrence (40 bits), below the low 24 bits of the length in bytes
    last    byte offset of the last occurrence (40 bits), below the high 24 bits of the length
    count   occurrences, weighted

`slots` has the number of a row, or -1, at its hash; `tails` has the last 8 bytes of every row's pre-token of more than 8.
Rows stand in the order they were met: by first place, where the corpus was counted from its beginning to its end.
Pre-tokens are looked up a batch at a time, so that the cache misses of one hide behind those of the others.
"""

from typing import NamedTuple

import numpy as np

from explorer.core.kernels.array_types import Bytes, Int32s, Int64s, Number, Words
from explorer.core.kernels.block_loops import BLOCK, ONE, block_starts, is_plain
from explorer.core.kernels.byte_runs import BLANK, LF
from explorer.core.kernels.compiling import inlined, kernel, prefetch
from explorer.core.kernels.instructions import load_word, trailing_zeros
from explorer.core.kernels.splitting_loops import ENTRIES, PATTERN, WORDS, next_end

AT, TEXT, DISTINCT, APART, OUTSIDE, SPACES, FIRST_SPACE, LINE_ENDS, FIRST_LINE_END, STATE_SIZE = range(10)
"""What a state holds: where counting stands (byte, text) and what it found."""

BATCH = 320  # pre-tokens; a block of bytes may hold 63


class Texts(NamedTuple):
    """A corpus as kernels read it: bytes, where texts start, how often each counts (empty: once), and what characters are, or marks.

    `ended` is 1 where each text ends with an LF that the reader of its rows added.
    """

    data: Bytes
    starts: Int64s
    weights: Int64s
    classes: Bytes
    ended: int


class Table(NamedTuple):
    """A hash table of distinct pre-tokens; `spans` (start, length, weight, slot) and `keys` are those of the batch at work."""

    slots: Int32s
    rows: Words
    tails: Words
    state: Int64s
    spans: Int64s
    keys: Words


ROW_WORDS = 4
WHOLE = 16  # bytes: of a pre-token that has no more the key and the tail say all
OFFSET_BITS = np.uint64(40)
OFFSET = np.uint64((1 << 40) - 1)
LENGTH_PART = np.uint64((1 << 24) - 1)
MIX = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)


@inlined
def short_key(data: Bytes, at: Number, length: Number) -> Number:
    """The bytes of a pre-token of at most 8 as one number."""
    if at + 8 <= data.size:
        return load_word(data, at) & (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - 8 * length))
    key = np.uint64(0)
    for n in range(length):
        key |= np.uint64(data[at + n]) << np.uint64(8 * n)
    return key


@inlined
def long_key(data: Bytes, at: Number, length: Number) -> Number:
    """A hash of a pre-token of more than 8 bytes; the last 8 are read whole, be it twice.

    Every step can be undone by whoever knows what went into it: of two pre-tokens of one length, up to 16 bytes, that have
    the same key and the same last 8 bytes, the first 8 are the same as well.
    """
    mixed = np.uint64(length) * MIX
    for place in range(at, at + length - 8, 8):
        mixed = (mixed ^ load_word(data, place)) * MIX
        mixed ^= mixed >> HALF
    mixed = (mixed ^ load_word(data, at + length - 8)) * MIX
    return mixed ^ (mixed >> HALF)


@inlined
def key_of(data: Bytes, at: Number, length: Number) -> Number:
    """The key of the pre-token of `length` bytes at `at`."""
    return short_key(data, at, length) if length <= 8 else long_key(data, at, length)


@inlined
def slot_of(key: Number, length: Number, mask: Number) -> Number:
    """Where the search for a key begins."""
    mixed = (key ^ np.uint64(length)) * MIX
    return np.int64(mixed ^ (mixed >> HALF)) & mask


@inlined
def same_bytes(data: Bytes, one: Number, other: Number, length: Number) -> Number:
    """Whether two stretches of more than 8 bytes are alike."""
    for n in range(0, length - 8, 8):
        if load_word(data, one + n) != load_word(data, other + n):
            return False
    return load_word(data, one + length - 8) == load_word(data, other + length - 8)


@inlined
def row_length(rows: Words, row: Number) -> Number:
    """The length in bytes of the pre-token of a row."""
    return np.int64((rows[row, 1] >> OFFSET_BITS) | ((rows[row, 2] >> OFFSET_BITS) << np.uint64(24)))


@inlined
def is_row(data: Bytes, at: Number, length: Number, key: Number, tail: Number, rows: Words, tails: Words, row: Number) -> Number:
    """Whether a row is a pre-token's. The corpus, which may be far away, is looked at for the long ones alone."""
    if rows[row, 0] != key or row_length(rows, row) != length:
        return False
    if length <= WHOLE:
        return length <= 8 or tails[row] == tail
    return same_bytes(data, np.int64(rows[row, 1] & OFFSET), at, length)


@inlined
def find_row(data: Bytes, at: Number, length: Number, key: Number, tail: Number, slot: Number, table: Table) -> Number:
    """The slot where a pre-token has its row, or where its row belongs."""
    slots, rows, tails = table.slots, table.rows, table.tails
    mask = slots.size - 1
    while True:
        row = np.int64(slots[slot])
        if row < 0 or is_row(data, at, length, key, tail, rows, tails, row):
            return slot
        slot = (slot + 1) & mask


@inlined
def fill_row(rows: Words, row: Number, key: Number, length: Number, first: Number, last: Number, count: Number) -> None:
    """Fills a row, but for its tail."""
    rows[row, 0] = key
    rows[row, 1] = np.uint64(first) | ((np.uint64(length) & LENGTH_PART) << OFFSET_BITS)
    rows[row, 2] = np.uint64(last) | ((np.uint64(length) >> np.uint64(24)) << OFFSET_BITS)
    rows[row, 3] = np.uint64(count)


@inlined
def lose(data: Bytes, start: Number, stop: Number, marked: Number, weight: Number, state: Int64s) -> None:
    """Tallies the spaces and line ends between two words; of spaces within a line the marker keeps the first (`marked`)."""
    if marked:
        for at in range(start, stop):
            if data[at] == LF:
                marked = False
    for at in range(start + 1 if marked else start, stop):
        if data[at] == LF:
            if state[FIRST_LINE_END] < 0 or at < state[FIRST_LINE_END]:
                state[FIRST_LINE_END] = at
            state[LINE_ENDS] += weight
        else:
            if state[FIRST_SPACE] < 0 or at < state[FIRST_SPACE]:
                state[FIRST_SPACE] = at
            state[SPACES] += weight


@inlined
def text_end(texts: Texts, text: Number, rule: Number) -> Number:
    """Where a text ends as its rule sees it: a split pattern does not see the LF that a reader of rows added."""
    end = texts.starts[text + 1]
    if texts.ended and rule < ENTRIES and end > texts.starts[text] and texts.data[end - 1] == LF:
        return end - 1
    return end


@inlined
def stands_apart(
    texts: Texts, start: Number, stop: Number, text: Number, end: Number, weight: Number, rule: Number, marker: Number, state: Int64s
) -> Number:
    """Whether a cut is no pre-token, which is tallied: the LFs of entries and byte-words, what lies between words."""
    first = texts.data[start]
    if rule == WORDS:
        if first != BLANK and first != LF:
            return False
        lose(texts.data, start, stop, marker and start > texts.starts[text] and stop < end, weight, state)
        return True
    if first == LF:
        state[APART if rule == ENTRIES else OUTSIDE] += weight
        return True
    return False


@inlined
def note(texts: Texts, table: Table, n: Number, start: Number, length: Number, weight: Number) -> None:
    """Makes a pre-token number n of the batch; its slot is on its way."""
    key = key_of(texts.data, start, length)
    slot = slot_of(key, length, table.slots.size - 1)
    prefetch(table.slots, slot)
    table.spans[0, n] = start
    table.spans[1, n] = length
    table.spans[2, n] = weight
    table.spans[3, n] = slot
    table.keys[n] = key


@inlined
def gather(texts: Texts, table: Table, stop: Number, rule: Number, marker: Number) -> Number:
    """The next pre-tokens, as many as a batch holds, with their keys; their slots are on their way. Returns how many."""
    state = table.state
    at = state[AT]
    text = state[TEXT]
    end = text_end(texts, text, rule)
    found = 0
    while found <= BATCH - BLOCK and at < stop:
        if at >= end:
            at = texts.starts[text + 1]
            while texts.starts[text + 1] <= at and at < stop:
                text += 1
            end = text_end(texts, text, rule)
            continue
        weight = texts.weights[text] if texts.weights.size else np.int64(1)
        start = at
        if rule < PATTERN and at + BLOCK <= min(end, stop) and is_plain(texts.data, at):
            starts = block_starts(texts.data, at, rule)
            while starts:
                after = at + trailing_zeros(starts)
                starts &= starts - ONE
                note(texts, table, found, start, after - start, weight)
                found += 1
                start = after
            if start > at:
                at = start
                continue
        at = next_end(texts.data, at, end, texts.classes, rule)
        if rule >= ENTRIES and stands_apart(texts, start, at, text, end, weight, rule, marker, state):
            continue
        note(texts, table, found, start, at - start, weight)
        found += 1
    state[AT] = at
    state[TEXT] = text
    return found


@inlined
def fetch(texts: Texts, table: Table, found: Number) -> None:
    """Has the rows of the batch brought near, and what its long pre-tokens will be compared with."""
    for n in range(found):
        row = np.int64(table.slots[table.spans[3, n]])
        if row >= 0:
            prefetch(table.rows, ROW_WORDS * row)
            if table.spans[1, n] > 8:
                prefetch(table.tails, row)
    for n in range(found):
        if table.spans[1, n] > WHOLE:
            row = np.int64(table.slots[table.spans[3, n]])
            if row >= 0:
                prefetch(texts.data, np.int64(table.rows[row, 1] & OFFSET))


@inlined
def count_one(texts: Texts, table: Table, n: Number) -> None:
    """Counts pre-token n of the batch."""
    start = table.spans[0, n]
    length = table.spans[1, n]
    count = np.uint64(table.spans[2, n])
    rows = table.rows
    tail = load_word(texts.data, start + length - 8) if length > 8 else np.uint64(0)
    slot = find_row(texts.data, start, length, table.keys[n], tail, table.spans[3, n], table)
    row = np.int64(table.slots[slot])
    if row < 0:
        row = table.state[DISTINCT]
        table.slots[slot] = row
        table.state[DISTINCT] += 1
        fill_row(rows, row, table.keys[n], length, start, start, count)
        table.tails[row] = tail
        return
    if start > np.int64(rows[row, 2] & OFFSET):
        rows[row, 2] = (rows[row, 2] & ~OFFSET) | np.uint64(start)
    elif start < np.int64(rows[row, 1] & OFFSET):  # where chunks are done out of order
        rows[row, 1] = (rows[row, 1] & ~OFFSET) | np.uint64(start)
    rows[row, 3] += count


@kernel
def count_pretokens(texts: Texts, table: Table, stop: Number, rule: Number, marker: Number) -> None:
    """Counts the pre-tokens from state[AT] until `stop`, or until the table wants room: then state[AT] is below `stop` after it."""
    room = min(table.rows.shape[0], table.slots.size // 2) - BATCH
    while table.state[AT] < stop and table.state[DISTINCT] <= room:
        found = gather(texts, table, stop, rule, marker)
        fetch(texts, table, found)
        for n in range(found):
            count_one(texts, table, n)
