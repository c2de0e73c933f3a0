"""Texts encoded: cut, looked up in a cache of encoded pre-tokens, and merged where the cache has none.

That goes batch by batch: a batch is cut, its rows of the cache are fetched meanwhile, and then its tokens are written.
Plain text is cut a block at a time (block_loops.py), anything else pre-token by pre-token (splitting_loops.py).
"""

from typing import NamedTuple

import numpy as np

from explorer.core.kernels import cache_loops
from explorer.core.kernels.array_types import Int32s, Int64s, Number, Words
from explorer.core.kernels.block_loops import BLOCK, block_starts, is_plain
from explorer.core.kernels.byte_runs import BLANK, LF
from explorer.core.kernels.cache_loops import (
    KEPT,
    LETTERS,
    ROWS,
    WHOLE,
    Cache,
    edge_word,
    find_row,
    has_key,
    high_of,
    keep_row,
    low_of,
    slot_of,
    write_row,
)  # fmt: skip
from explorer.core.kernels.compiling import inlined, kernel, prefetch
from explorer.core.kernels.distinct_loops import AT, TEXT, Texts, long_key, lose, text_end
from explorer.core.kernels.instructions import trailing_zeros
from explorer.core.kernels.merging_loops import SHORT, Merges, Scratch, merge_short
from explorer.core.kernels.splitting_loops import PATTERN, WORDS, next_end
from explorer.core.kernels.window_loops import MADE, NARROW, WIDEST, begin_long, merge_long

PAUSED, LONG_MET, CACHE_FULL, OUT_FULL = range(4)  # why `encode_texts` returned
TOKENS, GROUP, LONG_START, LONG_END, STATE_SIZE = range(cache_loops.STATE_SIZE, cache_loops.STATE_SIZE + 5)
"""What a state holds beside what counting and the cache know: tokens and groups made, a long pre-token."""

BATCH = 256  # pre-tokens; a block may add as many as it has bytes
BATCH_ROOM = BATCH + BLOCK
AROUND = BLOCK + 16  # bytes that must be there for a block to be cut and its last pre-token to be read as two words
FOUR = 4  # places that are written whatever a row's number of tokens
UNCACHED = -1  # in the place of a row


class Batch(NamedTuple):
    """Pre-tokens that were cut: where each starts, its length, the two words of its key, and the place in the cache to look first."""

    starts: Int64s
    lengths: Int64s
    low: Words
    high: Words
    places: Int64s


class Out(NamedTuple):
    """Where tokens are written: ids alone (the others are empty), or with the spans in bytes and the number of the pre-token.

    Of each of those the low 32 bits are written. `starts` and `ends` may be one array, the ends a place further on.
    """

    ids: Int32s
    starts: Int32s
    ends: Int32s
    groups: Int32s


@inlined
def write_spans(out: Out, merges: Merges, start: Number, first: Number, last: Number, group: Number) -> None:
    """Writes spans and group of the tokens [first, last), which cover the bytes from `start` on."""
    for n in range(first, last):
        out.groups[n] = group
        out.starts[n] = start
        start += np.int64(merges.widths[out.ids[n]])
        out.ends[n] = start


@inlined
def note(batch: Batch, n: Number, cache: Cache, start: Number, length: Number, low: Number, high: Number) -> None:
    """Notes pre-token n of the batch with its key; its row is on its way."""
    place = slot_of(low, high, cache.rows)
    prefetch(cache.rows, place)
    batch.starts[n] = start
    batch.lengths[n] = length
    batch.low[n] = low
    batch.high[n] = high
    batch.places[n] = place


@inlined
def note_any(texts: Texts, batch: Batch, n: Number, cache: Cache, start: Number, length: Number) -> None:
    """Notes a pre-token of any length, wherever it is."""
    data = texts.data
    if length > SHORT:
        batch.starts[n] = start
        batch.lengths[n] = length
        batch.places[n] = UNCACHED
    elif length > WHOLE:
        note(batch, n, cache, start, length, long_key(data, start, length), np.uint64(length))
    elif start + 16 <= data.size:
        note(batch, n, cache, start, length, low_of(data, start, length), high_of(data, start, length))
    else:
        high = edge_word(data, start + 8, length - 8) | (np.uint64(length) << cache_loops.LENGTH_BITS)
        note(batch, n, cache, start, length, edge_word(data, start, length), high)


@inlined
def gather_block(texts: Texts, batch: Batch, found: Number, cache: Cache, at: Number, starts: Number) -> Number:
    """Notes the pre-tokens of the block at `at` that end where another starts; returns how many the batch has then."""
    data = texts.data
    start = at
    while starts:
        end = at + trailing_zeros(starts)
        length = end - start
        if length <= WHOLE:
            note(batch, found, cache, start, length, low_of(data, start, length), high_of(data, start, length))
        else:
            note_any(texts, batch, found, cache, start, length)
        found += 1
        start = end
        starts &= starts - np.uint64(1)
    return found


@inlined
def gather(texts: Texts, batch: Batch, cache: Cache, stop: Number, rule: Number, state: Int64s) -> Number:
    """The next cuts that have tokens, as many as a batch holds. Returns how many.

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
        if rule < PATTERN and at + BLOCK <= min(end, stop) and at + AROUND <= texts.data.size and is_plain(texts.data, at):
            starts = block_starts(texts.data, at, rule)
            if starts:
                found = gather_block(texts, batch, found, cache, at, starts)
                at = batch.starts[found - 1] + batch.lengths[found - 1]
                continue
        start = at
        at = next_end(texts.data, at, end, texts.classes, rule)
        if rule == WORDS and (texts.data[start] == BLANK or texts.data[start] == LF):
            lose(texts.data, start, at, False, 1, state)
            continue
        if at - start > WIDEST:
            state[LONG_START] = start
            state[LONG_END] = at
            at = start
            break
        note_any(texts, batch, found, cache, start, at - start)
        found += 1
    state[AT] = at
    state[TEXT] = text
    return found


@inlined
def encode_one(
    texts: Texts, batch: Batch, n: Number, cache: Cache, merges: Merges, bound: Number, scratch: Scratch, state: Int64s,
    long_state: Int64s, ids: Int32s, made: Number,
) -> Number:  # fmt: skip
    """Writes the tokens of pre-token n of the batch from `made` on, be it kept in the cache or not; returns the place after the last."""
    start, length, place = batch.starts[n], batch.lengths[n], batch.places[n]
    if place != UNCACHED:
        place = find_row(texts.data, start, length, batch.low[n], batch.high[n], place, cache)
        if cache.rows[place + 1]:
            return write_row(cache, place, ids, made)
    if length <= NARROW:
        last = merge_short(texts.data, start, length, merges, bound, scratch, ids, made)
    else:
        begin_long(long_state, start, made)
        merge_long(texts.data, start, start + length, start + length, merges, bound, scratch, long_state, ids, made)
        last = long_state[MADE]
    if place != UNCACHED:
        keep_row(texts.data, start, length, batch.low[n], batch.high[n], place, cache, state, ids, made, last)
    return last


@inlined
def encode_batch(
    texts: Texts, batch: Batch, found: Number, cache: Cache, merges: Merges, bound: Number, scratch: Scratch, state: Int64s,
    long_state: Int64s, out: Out,
) -> None:  # fmt: skip
    """Writes the tokens of the pre-tokens of a batch."""
    made = state[TOKENS]
    for n in range(found):
        first = made
        place = batch.places[n]
        if place != UNCACHED and batch.high[n] >> cache_loops.LENGTH_BITS and has_key(cache.rows, place, batch.low[n], batch.high[n]):
            made = write_row(cache, place, out.ids, made)
        else:
            made = encode_one(texts, batch, n, cache, merges, bound, scratch, state, long_state, out.ids, made)
        if out.starts.size:
            write_spans(out, merges, batch.starts[n], first, made, state[GROUP] + n + 1)
    state[TOKENS] = made
    state[GROUP] += found


@kernel
def encode_texts(
    texts: Texts, batch: Batch, cache: Cache, merges: Merges, bound: Number, scratch: Scratch, state: Int64s, long_state: Int64s, out: Out,
    rule: Number, stop: Number,
) -> Number:  # fmt: skip
    """Encodes pre-tokens from state[AT] until `stop`; returns why it stopped before, PAUSED if it did not."""
    state[LONG_END] = 0
    while state[AT] < stop:
        if state[ROWS] + BATCH_ROOM > cache.rows.size // cache_loops.WORDS_A_ROW * 5 // 8:
            return CACHE_FULL
        if state[LETTERS] + BATCH_ROOM * SHORT > cache.letters.size or state[KEPT] + BATCH_ROOM * SHORT > cache.tokens.size:
            return CACHE_FULL
        if state[TOKENS] + stop - state[AT] + WIDEST + FOUR > out.ids.size:
            return OUT_FULL
        found = gather(texts, batch, cache, stop, rule, state)
        encode_batch(texts, batch, found, cache, merges, bound, scratch, state, long_state, out)
        if state[LONG_END] > 0:
            return LONG_MET
    return PAUSED


@kernel
def fill_spans(out: Out, merges: Merges, start: Number, first: Number, last: Number, group: Number) -> None:
    """Writes spans and group of the tokens [first, last), which cover the bytes from `start` on."""
    write_spans(out, merges, start, first, last, group)
