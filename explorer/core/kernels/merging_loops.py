"""Merges applied in rank order to one stretch of symbols: what encoding is.

Ids are in rank order, so a merge is known by the id it makes, and the lowest id goes first, of several places the
leftmost. A short stretch is merged by looking for that place again and again (`merge_short`), a middling one with a heap
(`merge_window`); a long one window by window (window_loops.py).
"""

from typing import NamedTuple

import numpy as np

from explorer.core.kernels.array_types import Bytes, Int32s, Int64s, Number, Source, Words
from explorer.core.kernels.compiling import inlined, kernel

NONE = (1 << 25) - 1  # the id that a pair without a merge makes: above every id, and the key of a place still fits in 32 bits
SHORT = 64  # symbols that `merge_short` takes: a place fits into the six bits below the id
PLACE_BITS, PLACE = 6, 63
ID_BITS, ID = np.uint64(20), np.uint64((1 << 20) - 1)  # ids end below alphabet.KEPT_FROM
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
MIX = np.uint64(0x9E3779B97F4A7C15)


class Merges(NamedTuple):
    """The merges of one stage of a table.

    `pairs` is a hash table of left id (21 bits, 43 up), right id (21 bits, 20 up) and the id made (20 bits). `square` has
    the ids made by pairs of symbols below 256, where all symbols are, and is empty elsewhere. `left`, `right` and `widths`
    (symbols covered) have one entry an id. `base` is the first id that this stage makes.
    """

    pairs: Words
    square: Int32s
    left: Int32s
    right: Int32s
    widths: Int32s
    base: int


class Scratch(NamedTuple):
    """Room to merge in. `tokens` is what a window came to; the others have an entry a symbol."""

    keys: Int32s
    symbols: Int32s
    after: Int32s
    before: Int32s
    heap: Int64s
    tokens: Int32s


@inlined
def pair_slot(pair: Number, mask: Number) -> Number:
    """Where the search for a pair, left id above right id, begins."""
    mixed = np.uint64(pair) * MIX
    return np.int64(mixed >> np.uint64(32)) & mask


@inlined
def made_by(merges: Merges, left: Number, right: Number) -> Number:
    """The id that a pair makes, NONE if it makes none."""
    pairs = merges.pairs
    mask = pairs.size - 1
    pair = (np.uint64(left) << np.uint64(21)) | np.uint64(right)
    slot = pair_slot(pair, mask)
    while True:
        entry = pairs[slot]
        if entry >> ID_BITS == pair:
            return np.int64(entry & ID)
        if entry == EMPTY:
            return np.int64(NONE)
        slot = (slot + 1) & mask


@inlined
def made_by_symbols(merges: Merges, left: Number, right: Number) -> Number:
    """The same for two symbols, which are in the square if there is one."""
    if merges.square.size:
        return np.int64(merges.square[(left << 8) | right])
    return made_by(merges, left, right)


@inlined
def goes_with(merges: Merges, left: Number, right: Number, bound: Number) -> Number:
    """Whether two tokens, each the encoding of its symbols, are that of all of them, by the merges that make ids below `bound`.

    The two are taken apart again, the later one first, back to their symbols: as long as both lay there, no pair across
    the border may have come before the merge that took one of them on. Of two merges of one rank the left one came first.
    """
    if left >= merges.left.size or right >= merges.left.size:
        return True  # a character kept without an id is in no merge
    limit = bound
    while True:
        if made_by(merges, left, right) < limit:
            return False
        if left > right:
            if left < merges.base:
                return True
            limit = left
            left = np.int64(merges.right[left])
        else:
            if right < merges.base:
                return True
            limit = right + 1
            right = np.int64(merges.left[right])


@inlined
def key_at(merges: Merges, left: Number, right: Number, bound: Number, place: Number) -> Number:
    """How early a pair is merged: id, then place; NONE shifted where it is not."""
    made = made_by(merges, left, right)
    return np.int32(((made if made < bound else NONE) << PLACE_BITS) | place)


@kernel
def fill_pairs(pairs: Words, lefts: Int32s, rights: Int32s, first: Number, last: Number) -> None:
    """Enters the merges that make the ids [first, last) into a table of pairs; of two of one pair the first counts."""
    mask = pairs.size - 1
    for made in range(first, last):
        pair = (np.uint64(lefts[made]) << np.uint64(21)) | np.uint64(rights[made])
        slot = pair_slot(pair, mask)
        while pairs[slot] != EMPTY and pairs[slot] >> ID_BITS != pair:
            slot = (slot + 1) & mask
        if pairs[slot] == EMPTY:
            pairs[slot] = (pair << ID_BITS) | np.uint64(made)


@kernel
def fill_widths(widths: Int32s, lefts: Int32s, rights: Int32s, base: Number) -> None:
    """How many symbols each id covers, where those below `base` are the symbols."""
    for token in range(widths.size):
        widths[token] = 1 if token < base else widths[lefts[token]] + widths[rights[token]]


@kernel
def mark_ids(present: Bytes, ids: Int32s, first: Number, stop: Number) -> None:
    """Marks the ids of the tokens [first, stop) of a text, kept characters left out."""
    for n in range(first, stop):
        if ids[n] < present.size:
            present[ids[n]] = 1


@kernel
def mark_parts(present: Bytes, lefts: Int32s, rights: Int32s, base: Number) -> None:
    """Marks every id that an id that is marked was merged from; the symbols, below `base`, have no parts."""
    for token in range(present.size - 1, base - 1, -1):
        if present[token]:
            present[lefts[token]] = 1
            present[rights[token]] = 1


@inlined
def merge_short(
    source: Source, start: Number, count: Number, merges: Merges, bound: Number, scratch: Scratch, out: Int32s, made: Number
) -> Number:
    """Merges at most SHORT symbols of a source into `out` from `made` on; returns the place after."""
    keys, symbols, after, before = scratch.keys, scratch.symbols, scratch.after, scratch.before
    left = np.int64(source[start])
    symbols[0] = left
    for n in range(1, count):
        right = np.int64(source[start + n])
        symbols[n] = right
        pair = made_by_symbols(merges, left, right)
        keys[n - 1] = ((pair if pair < bound else NONE) << PLACE_BITS) | (n - 1)
        after[n - 1] = n
        before[n] = n - 1
        left = right
    before[0] = -1
    after[count - 1] = count
    keys[count - 1] = np.int32(NONE << PLACE_BITS)
    while True:
        best = np.int32(NONE << PLACE_BITS)
        for n in range(count - 1):
            best = min(best, keys[n])
        if best >= NONE << PLACE_BITS:
            break
        place = np.int64(best & PLACE)
        token = np.int64(best >> PLACE_BITS)
        gone = np.int64(after[place])
        follower = np.int64(after[gone])
        symbols[place] = token
        after[place] = follower
        keys[gone] = np.int32(NONE << PLACE_BITS)
        keys[place] = np.int32(NONE << PLACE_BITS)
        if follower < count:
            before[follower] = place
            keys[place] = key_at(merges, token, np.int64(symbols[follower]), bound, place)
        leader = np.int64(before[place])
        if leader >= 0:
            keys[leader] = key_at(merges, np.int64(symbols[leader]), token, bound, leader)
    place = np.int64(0)
    while place < count:
        out[made] = symbols[place]
        made += 1
        place = np.int64(after[place])
    return made


@inlined
def push(heap: Int64s, size: Number, key: Number) -> None:
    """Adds a key to a heap of `size` keys."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if key >= heap[above]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = key


@inlined
def pop(heap: Int64s, size: Number) -> Number:
    """Takes the least key out of a heap of `size` keys."""
    least = heap[0]
    key = heap[size - 1]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and heap[below + 1] < heap[below]:
            below += 1
        if heap[below] >= key:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = key
    return least


@inlined
def lay_symbols(
    source: Source, start: Number, count: Number, merges: Merges, bound: Number, scratch: Scratch, first: Number, last: Number
) -> None:
    """Links the symbols [first, last) of a stretch of `count`, and gives each the id that it makes with the next one."""
    for n in range(first, last):
        scratch.symbols[n] = source[start + n]
        scratch.after[n] = n + 1
        scratch.before[n] = n - 1
        scratch.keys[n] = NONE
        if n + 1 < count:
            pair = made_by_symbols(merges, np.int64(source[start + n]), np.int64(source[start + n + 1]))
            scratch.keys[n] = pair if pair < bound else NONE


@inlined
def heap_symbols(scratch: Scratch, size: Number, first: Number, last: Number) -> Number:
    """Puts the pairs of the symbols [first, last) into a heap of `size` keys; returns how many there are then."""
    for n in range(first, last):
        if scratch.keys[n] != NONE:
            push(scratch.heap, size, (np.int64(scratch.keys[n]) << 32) | n)
            size += 1
    return size


@inlined
def read_symbols(count: Number, scratch: Scratch, out: Int32s, made: Number) -> Number:
    """Writes the tokens of a stretch of `count` symbols into `out` from `made` on; returns the place after."""
    place = np.int64(0)
    while place < count:
        out[made] = scratch.symbols[place]
        made += 1
        place = np.int64(scratch.after[place])
    return made


@inlined
def renew(place: Number, count: Number, merges: Merges, bound: Number, scratch: Scratch, size: Number) -> Number:
    """Asks what the token at a place makes with the next one, and puts that in the heap; returns the heap's size."""
    scratch.keys[place] = NONE
    follower = np.int64(scratch.after[place])
    if follower < count:
        pair = made_by(merges, np.int64(scratch.symbols[place]), np.int64(scratch.symbols[follower]))
        if pair < bound:
            scratch.keys[place] = pair
            push(scratch.heap, size, (pair << 32) | place)
            size += 1
    return size


@inlined
def merge_least(count: Number, merges: Merges, bound: Number, scratch: Scratch, size: Number) -> Number:
    """Does the merge at the top of the heap, if it is still there; returns the heap's size."""
    key = pop(scratch.heap, size)
    size -= 1
    place = key & 0xFFFFFFFF
    if scratch.keys[place] != key >> 32:
        return size
    gone = np.int64(scratch.after[place])
    follower = np.int64(scratch.after[gone])
    scratch.symbols[place] = key >> 32
    scratch.after[place] = follower
    scratch.keys[gone] = NONE
    if follower < count:
        scratch.before[follower] = place
    size = renew(place, count, merges, bound, scratch, size)
    leader = np.int64(scratch.before[place])
    if leader >= 0:
        size = renew(leader, count, merges, bound, scratch, size)
    return size


@inlined
def merge_window(
    source: Source, start: Number, count: Number, merges: Merges, bound: Number, scratch: Scratch, out: Int32s, made: Number
) -> Number:
    """Merges as many symbols as there is room for in the scratch, with a heap; returns the place after the last in `out`."""
    lay_symbols(source, start, count, merges, bound, scratch, 0, count)
    size = heap_symbols(scratch, 0, 0, count)
    while size > 0:
        size = merge_least(count, merges, bound, scratch, size)
    return read_symbols(count, scratch, out, made)
