"""A long stretch of symbols merged window by window, so that time grows with its length alone.

It rests on this:

    A row of tokens is the encoding of its symbols if and only if every two that are adjacent are (`goes_with`).

Until two adjacent tokens are merged across their border, the symbols on either side of it know nothing of each other.
So windows may be encoded apart, and only where they meet is there anything to be asked.
"""

import numpy as np

from explorer.core.kernels.array_types import Int32s, Int64s, Number, Source
from explorer.core.kernels.compiling import inlined, kernel
from explorer.core.kernels.instructions import LANES, same_lanes
from explorer.core.kernels.merging_loops import (
    SHORT,
    Merges,
    Scratch,
    goes_with,
    heap_symbols,
    lay_symbols,
    merge_least,
    merge_short,
    merge_window,
    read_symbols,
)  # fmt: skip

AT, MADE, EXPECTED, WIDTH, CALM, SPENT, WINDOW_AT, WINDOW_SYMBOLS, WINDOW_TOKENS, LONG_SIZE = range(10)
"""How far a long stretch is: the next symbol, tokens made, the token that is to come next (-1: any), and the windows tried."""

NARROW = 40  # symbols of a window at first
TAIL = 4  # the part of a window, a fourth, at its end whose tokens the next window makes again, now that it sees what follows
WIDEST = 4096  # symbols of a window; a longer stretch is its caller's, who merges it in slices (`merge_stretch`)
CALM_ENOUGH = 32  # windows that went together before they are made narrower again
PATIENCE = 6  # times a stretch's length: so much may be tried in windows before it is merged by a heap


@inlined
def begin_long(state: Int64s, start: Number, made: Number) -> None:
    """Sets a state to the beginning of a long stretch."""
    state[AT] = start
    state[MADE] = made
    state[EXPECTED] = -1
    state[WIDTH] = NARROW
    state[CALM] = 0
    state[SPENT] = 0
    state[WINDOW_SYMBOLS] = 0


@inlined
def alike(source: Source, one: Number, other: Number, most: Number) -> Number:
    """How many symbols from two places on are the same, up to `most`."""
    n = 0
    stride = LANES // source.itemsize
    while n + stride <= most and same_lanes(source, one + n, other + n):
        n += stride
    while n < most and source[one + n] == source[other + n]:
        n += 1
    return n


@inlined
def encode_window(source: Source, end: Number, merges: Merges, bound: Number, scratch: Scratch, state: Int64s) -> Number:
    """Encodes the window at state[AT] into scratch.tokens. Whether it is like the one before, which is there already."""
    at = state[AT]
    count = min(state[WIDTH], end - at)
    if count == state[WINDOW_SYMBOLS] and alike(source, at, state[WINDOW_AT], count) == count:
        return True
    if count <= SHORT:
        state[WINDOW_TOKENS] = merge_short(source, at, count, merges, bound, scratch, scratch.tokens, 0)
    else:
        state[WINDOW_TOKENS] = merge_window(source, at, count, merges, bound, scratch, scratch.tokens, 0)
    state[WINDOW_AT] = at
    state[WINDOW_SYMBOLS] = count
    state[SPENT] += count
    return False


@inlined
def keep_tokens(end: Number, merges: Merges, scratch: Scratch, state: Int64s, out: Int32s) -> None:
    """Takes the tokens of the window, without those that begin in its tail; what comes after those is expected next."""
    count = state[WINDOW_TOKENS]
    last = state[AT] + state[WINDOW_SYMBOLS]
    tail = last - state[WINDOW_SYMBOLS] // TAIL
    kept = 0
    while kept < count and (last == end or kept == 0 or state[AT] < tail):
        token = np.int64(scratch.tokens[kept])
        out[state[MADE] + kept] = token
        if last < end:
            state[AT] += merges.widths[token] if token < merges.widths.size else 1
        kept += 1
    state[MADE] += kept
    state[EXPECTED] = scratch.tokens[kept] if kept < count else -1
    if last == end:
        state[AT] = end


@inlined
def goes_on(merges: Merges, bound: Number, scratch: Scratch, state: Int64s, out: Int32s) -> Number:
    """Whether the window's tokens, kept, may be followed by those of a window just like it."""
    token = np.int64(scratch.tokens[0])
    return token == state[EXPECTED] or goes_with(merges, np.int64(out[state[MADE] - 1]), token, bound)


@inlined
def keep_again(source: Source, at: Number, made: Number, end: Number, stop: Number, state: Int64s, out: Int32s) -> None:
    """Keeps the tokens of the window again for as long as the text repeats what they cover; they were kept from `at` and `made` on.

    That needs no windows: all would be the same, and none may reach the end.
    """
    period, tokens = state[AT] - at, state[MADE] - made
    most = min(end - 1, stop + state[WINDOW_SYMBOLS]) - state[AT]
    if most < state[WINDOW_SYMBOLS]:
        return
    times = (alike(source, state[AT], at, most) - state[WINDOW_SYMBOLS]) // period + 1
    if times < 1:
        return
    for n in range(state[MADE], state[MADE] + times * tokens):
        out[n] = out[n - tokens]
    state[MADE] += times * tokens
    state[AT] += times * period


@inlined
def take_back(merges: Merges, state: Int64s, out: Int32s) -> None:
    """Takes the last token back, and makes the window that goes before it twice as wide."""
    state[WIDTH] *= 2
    state[CALM] = 0
    state[MADE] -= 1
    token = np.int64(out[state[MADE]])
    state[AT] -= merges.widths[token] if token < merges.widths.size else 1
    state[EXPECTED] = -1


@inlined
def merge_long(
    source: Source, start: Number, end: Number, stop: Number, merges: Merges, bound: Number, scratch: Scratch, state: Int64s,
    out: Int32s, first: Number,
) -> Number:  # fmt: skip
    """Merges the symbols [start, end) of a source into `out` from `first` on, as far as `stop`; state[AT] tells how far.

    Where a window does not go with what is before it, the last token is taken back and the window made twice as wide.
    Where that is done too often, one window over all is better: False if none is as wide as that.
    """
    while state[AT] < stop:
        again = encode_window(source, end, merges, bound, scratch, state)
        token = np.int64(scratch.tokens[0])
        if state[MADE] > first and token != state[EXPECTED] and not goes_with(merges, np.int64(out[state[MADE] - 1]), token, bound):
            take_back(merges, state, out)
            if state[WIDTH] > WIDEST or state[SPENT] > PATIENCE * (end - start):
                if end - start > WIDEST:
                    return False
                begin_long(state, start, first)
                state[WIDTH] = WIDEST
            continue
        at, made = state[AT], state[MADE]
        keep_tokens(end, merges, scratch, state, out)
        if again and state[AT] < stop and goes_on(merges, bound, scratch, state, out):
            keep_again(source, at, made, end, stop, state, out)
        state[CALM] += 1
        if state[CALM] == CALM_ENOUGH and state[WIDTH] > NARROW:
            state[WIDTH] //= 2
            state[CALM] = 0
    return True


@kernel
def merge_groups(
    symbols: Int32s, bounds: Int64s, first: Number, stop: Number, merges: Merges, bound: Number, scratch: Scratch, state: Int64s,
    out: Int32s, made_bounds: Int64s, made: Number,
) -> Number:  # fmt: skip
    """Merges the groups of symbols from number `first` on, until `stop` or a long one; returns the number of the next.

    Group n is symbols[bounds[n] : bounds[n + 1]]. made_bounds[n] is where its tokens start in `out`, and made_bounds of the
    number returned is the place after the last token.
    """
    for group in range(first, stop):
        made_bounds[group] = made
        start, end = bounds[group], bounds[group + 1]
        if end - start > WIDEST:
            return group
        begin_long(state, start, made)
        merge_long(symbols, start, end, end, merges, bound, scratch, state, out, made)
        made = state[MADE]
    made_bounds[stop] = made
    return stop


@kernel
def merge_stretch(
    source: Source, start: Number, end: Number, stop: Number, merges: Merges, bound: Number, scratch: Scratch, state: Int64s,
    out: Int32s, first: Number,
) -> Number:  # fmt: skip
    """Goes on merging a long stretch by windows as far as `stop`; False where a heap over all of it is better."""
    return merge_long(source, start, end, stop, merges, bound, scratch, state, out, first)


@kernel
def begin_stretch(state: Int64s, start: Number, made: Number) -> None:
    """Sets the state to the beginning of a long stretch."""
    begin_long(state, start, made)


@kernel
def heap_stretch(
    source: Source, start: Number, count: Number, merges: Merges, bound: Number, scratch: Scratch, size: Number, first: Number, last: Number
) -> Number:
    """Puts the symbols [first, last) of a stretch of `count` and their pairs into a heap of `size` keys; returns its size then."""
    lay_symbols(source, start, count, merges, bound, scratch, first, last)
    return heap_symbols(scratch, size, first, last)


@kernel
def merge_heaped(count: Number, merges: Merges, bound: Number, scratch: Scratch, size: Number, most: Number) -> Number:
    """Does at most so many merges of a stretch that lies in a heap; returns the heap's size, 0 when all is done."""
    for _ in range(most):
        if size == 0:
            break
        size = merge_least(count, merges, bound, scratch, size)
    return size


@kernel
def read_stretch(count: Number, scratch: Scratch, out: Int32s, made: Number) -> Number:
    """Writes the tokens of a stretch that was merged in a heap into `out` from `made` on; returns the place after."""
    return read_symbols(count, scratch, out, made)
