"""Texts encoded: cut, looked up in a cache of encoded pre-tokens, and merged where the cache has none.

A row of the cache is four words of 64 bits:

    key      the bytes of a pre-token of at most 8, a hash of a longer one (as in distinct_loops.py)
    about    its length in bytes (8 bits), how many tokens it has (8), and where its bytes are kept (48)
    tokens   up to four token ids of 32 bits; of more than four, where they are kept

Only pre-tokens of at most SHORT bytes are kept. The caller empties the cache when it is full, so that it never grows on.
"""

from typing import NamedTuple

import numpy as np

from explorer.core.kernels import distinct_loops
from explorer.core.kernels.array_types import Bytes, Int32s, Int64s, Number, Words
from explorer.core.kernels.compiling import inlined, kernel, prefetch
from explorer.core.kernels.distinct_loops import AT, BATCH, TEXT, Texts, key_of, lose, slot_of, text_end
from explorer.core.kernels.instructions import load_word
from explorer.core.kernels.merging_loops import SHORT, Merges, Scratch
from explorer.core.kernels.splitting_loops import BLANK, LF, WORDS, next_end
from explorer.core.kernels.window_loops import MADE, WIDEST, begin_long, merge_long

PAUSED, LONG_MET, CACHE_FULL, OUT_FULL = range(4)  # why `encode_texts` returned
TOKENS, GROUP, ROWS, LETTERS, KEPT, LONG_START, LONG_END, STATE_SIZE = range(distinct_loops.STATE_SIZE, distinct_loops.STATE_SIZE + 8)
"""What a state holds beside what counting knows: tokens and groups made, rows, bytes and tokens in the cache, a long pre-token."""

COUNT_BITS, PLACE_BITS = np.uint64(8), np.uint64(16)
LOW_BYTE = np.uint64(0xFF)
HALF, HALF_MASK = np.uint64(32), np.uint64(0xFFFFFFFF)
INLINE = 4  # tokens that a row holds itself
UNCACHED = -1  # in the place of a slot


class Cache(NamedTuple):
    """Encoded pre-tokens; `spans` (start, length, slot) and `keys` are those of the batch at work."""

    slots: Int32s
    rows: Words
    letters: Bytes
    tokens: Int32s
    spans: Int64s
    keys: Words


class Out(NamedTuple):
    """Where tokens are written: ids alone (the others are empty), or with the spans in bytes and the number of the pre-token."""

    ids: Int32s
    starts: Int64s
    ends: Int64s
    groups: Int64s


@inlined
def same_letters(data: Bytes, at: Number, letters: Bytes, kept: Number, length: Number) -> Number:
    """Whether a pre-token of more than 8 bytes is the one whose letters are kept."""
    for n in range(0, length - 8, 8):
        if load_word(data, at + n) != load_word(letters, kept + n):
            return False
    return load_word(data, at + length - 8) == load_word(letters, kept + length - 8)


@inlined
def find_encoded(data: Bytes, at: Number, length: Number, key: Number, slot: Number, cache: Cache) -> Number:
    """The slot where a pre-token has its row in the cache, or where its row belongs."""
    mask = cache.slots.size - 1
    while True:
        row = np.int64(cache.slots[slot])
        if row < 0:
            return slot
        about = cache.rows[row, 1]
        alike = cache.rows[row, 0] == key and np.int64(about & LOW_BYTE) == length
        if alike and (length <= 8 or same_letters(data, at, cache.letters, np.int64(about >> PLACE_BITS), length)):
            return slot
        slot = (slot + 1) & mask


@inlined
def keep_row(data: Bytes, at: Number, length: Number, key: Number, cache: Cache, state: Int64s, ids: Int32s, first: Number) -> None:
    """Keeps the tokens ids[first:state[TOKENS]] of a pre-token in a new row of the cache. Four places from `first` on must be there."""
    count = state[TOKENS] - first
    row = state[ROWS]
    state[ROWS] += 1
    cache.rows[row, 0] = key
    cache.rows[row, 1] = np.uint64(length) | (np.uint64(count) << COUNT_BITS) | (np.uint64(state[LETTERS]) << PLACE_BITS)
    if length > 8:
        for n in range(length):
            cache.letters[state[LETTERS] + n] = data[at + n]
        state[LETTERS] += length
    if count > INLINE:
        cache.rows[row, 2] = np.uint64(state[KEPT])
        for n in range(count):
            cache.tokens[state[KEPT] + n] = ids[first + n]
        state[KEPT] += count
    else:  # what follows the last token is kept as well, and never read
        cache.rows[row, 2] = low_half(ids[first]) | (low_half(ids[first + 1]) << HALF)
        cache.rows[row, 3] = low_half(ids[first + 2]) | (low_half(ids[first + 3]) << HALF)


@inlined
def low_half(token: Number) -> Number:
    """Thirty-two bits as the low half of a word."""
    return np.uint64(np.int64(token)) & HALF_MASK


@kernel
def fill_cache_slots(slots: Int32s, rows: Words, count: Number) -> None:
    """Enters the first rows of a cache into an empty, larger table of slots."""
    mask = slots.size - 1
    for row in range(count):
        slot = slot_of(rows[row, 0], np.int64(rows[row, 1] & LOW_BYTE), mask)
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = row


@inlined
def write_row(cache: Cache, row: Number, out: Out, made: Number) -> Number:
    """Writes the tokens of a row; four places are written whatever their number. Returns the place after the last token."""
    count = np.int64((cache.rows[row, 1] >> COUNT_BITS) & LOW_BYTE)
    if count > INLINE:
        place = np.int64(cache.rows[row, 2])
        for n in range(count):
            out.ids[made + n] = cache.tokens[place + n]
    else:
        two, others = cache.rows[row, 2], cache.rows[row, 3]
        out.ids[made] = np.int32(two & HALF_MASK)
        out.ids[made + 1] = np.int32(two >> HALF)
        out.ids[made + 2] = np.int32(others & HALF_MASK)
        out.ids[made + 3] = np.int32(others >> HALF)
    return made + count


@inlined
def write_spans(out: Out, merges: Merges, start: Number, first: Number, last: Number, group: Number) -> None:
    """Writes spans and group of the tokens [first, last), which cover the bytes from `start` on."""
    for n in range(first, last):
        out.groups[n] = group
        out.starts[n] = start
        start += np.int64(merges.widths[out.ids[n]])
        out.ends[n] = start


@inlined
def gather(texts: Texts, cache: Cache, stop: Number, rule: Number, state: Int64s) -> Number:
    """The next cuts that have tokens, as many as a batch holds, with their keys; their slots are on their way. Returns how many.

    A long pre-token is not among them: gathering ends before it and says where it lies.
    """
    at = state[AT]
    text = state[TEXT]
    end = text_end(texts, text, rule)
    found = 0
    while found < BATCH and at < stop:
        if at >= end:
            at = texts.starts[text + 1]
            while texts.starts[text + 1] <= at and at < stop:
                text += 1
            end = text_end(texts, text, rule)
            continue
        start = at
        at = next_end(texts.data, at, end, texts.classes, rule)
        if rule == WORDS and (texts.data[start] == BLANK or texts.data[start] == LF):
            lose(texts.data, start, at, False, 1, state)
            continue
        length = at - start
        if length > WIDEST:
            state[LONG_START] = start
            state[LONG_END] = at
            at = start
            break
        cache.spans[0, found] = start
        cache.spans[1, found] = length
        if length <= SHORT:
            key = key_of(texts.data, start, length)
            slot = slot_of(key, length, cache.slots.size - 1)
            prefetch(cache.slots, slot)
            cache.spans[2, found] = slot
            cache.keys[found] = key
        else:
            cache.spans[2, found] = UNCACHED
        found += 1
    state[AT] = at
    state[TEXT] = text
    return found


@inlined
def encode_one(
    texts: Texts, cache: Cache, n: Number, merges: Merges, bound: Number, scratch: Scratch, state: Int64s, long_state: Int64s, out: Out
) -> None:
    """Writes the tokens of pre-token n of the batch."""
    start, length, slot = cache.spans[0, n], cache.spans[1, n], cache.spans[2, n]
    first = state[TOKENS]
    row = np.int64(-1)
    if slot != UNCACHED:
        slot = find_encoded(texts.data, start, length, cache.keys[n], slot, cache)
        row = np.int64(cache.slots[slot])
    if row >= 0:
        state[TOKENS] = write_row(cache, row, out, first)
    else:
        begin_long(long_state, start, first)
        merge_long(texts.data, start, start + length, start + length, merges, bound, scratch, long_state, out.ids, first)
        state[TOKENS] = long_state[MADE]
        if slot != UNCACHED:
            cache.slots[slot] = state[ROWS]
            keep_row(texts.data, start, length, cache.keys[n], cache, state, out.ids, first)
    state[GROUP] += 1
    if out.starts.size:
        write_spans(out, merges, start, first, state[TOKENS], state[GROUP])


@kernel
def encode_texts(
    texts: Texts, cache: Cache, merges: Merges, bound: Number, scratch: Scratch, state: Int64s, long_state: Int64s, out: Out, rule: Number,
    stop: Number,
) -> Number:  # fmt: skip
    """Encodes pre-tokens from state[AT] until `stop`; returns why it stopped before, PAUSED if it did not."""
    state[LONG_END] = 0
    while state[AT] < stop:
        if state[ROWS] + BATCH > min(cache.rows.shape[0], cache.slots.size // 2) or state[LETTERS] + BATCH * SHORT > cache.letters.size:
            return CACHE_FULL
        if state[KEPT] + BATCH * SHORT > cache.tokens.size:
            return CACHE_FULL
        if state[TOKENS] + stop - state[AT] + WIDEST + INLINE > out.ids.size:
            return OUT_FULL
        found = gather(texts, cache, stop, rule, state)
        for n in range(found):
            slot = cache.spans[2, n]
            if slot != UNCACHED and cache.slots[slot] >= 0:
                prefetch(cache.rows, np.int64(cache.slots[slot]))
        for n in range(found):
            encode_one(texts, cache, n, merges, bound, scratch, state, long_state, out)
        if state[LONG_END] > 0:
            return LONG_MET
    return PAUSED


@kernel
def fill_spans(out: Out, merges: Merges, start: Number, first: Number, last: Number, group: Number) -> None:
    """Writes spans and group of the tokens [first, last), which cover the bytes from `start` on."""
    write_spans(out, merges, start, first, last, group)
