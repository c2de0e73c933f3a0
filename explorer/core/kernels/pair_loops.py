"""The pairs of a training in arrays: found by a hash, ranked by a queue of counts.

Two facts make this small. A pair only ever loses occurrences: whatever is adjacent to a new token is a new pair, so a
pair has all its places when it is born, and the greatest count never rises. And so the queue may be lazy: a pair waits
in a bucket by its count, or where that is large by how far it lay below the greatest one, and moves on only when that
bucket is looked into.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.core.kernels.compiling import inlined, kernel, prefetch
from explorer.core.kernels.instructions import bits_of

Int8s = npt.NDArray[np.uint8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Number = Any  # an integer as numba infers it

RARE = 1 << 12  # counts below have a bucket each; most pairs are rare, and are looked at no more until it is their turn
BUCKETS = RARE + 65  # for other counts one a bit, and one for no difference
NONE = -1

# How equal counts are decided: the numbers that kernels know the tie rules by.
BY_IDS = 0
BY_TEXT = 1
BY_FIRST_PLACE = 2
BY_LAST_PLACE = 3


class Pairs(NamedTuple):
    """One entry a pair, in the order they were born.

    `ids` has the left id above the right one, so that the least is that of the lowest ids. `start` and `places` are its
    stretch of the pool of places, `counts` its weighted count now and `born` at birth, `key` its first or last place (by
    the rule) while it is tied, empty where no place decides, `after` the next one in its bucket.
    """

    ids: Int64s
    start: Int64s
    places: Int32s
    counts: Int64s
    born: Int64s
    key: Int64s
    after: Int32s


class Queue(NamedTuple):
    """The first pair of each bucket, and a heap of the pairs that had the greatest count when they came into it."""

    buckets: Int32s
    heap: Int32s


class Tokens(NamedTuple):
    """One entry a token: its width in slots, and its text, which stays empty where no rule asks for it."""

    width: Int32s
    text_start: Int64s
    text_size: Int32s
    text: Int8s


@inlined
def ids_of(left: Number, right: Number) -> Number:
    """Both ids of a pair as one number."""
    return (np.int64(left) << np.int64(32)) | np.int64(right)


@inlined
def left_of(ids: Number) -> Number:
    """The left id of a pair."""
    return ids >> np.int64(32)


@inlined
def right_of(ids: Number) -> Number:
    """The right id of a pair."""
    return ids & np.int64(0xFFFFFFFF)


@inlined
def slot_of(table: Int32s, ids: Number) -> Number:
    """Where the table is looked into first for a pair (Fibonacci hashing). The table has a power of two of slots."""
    mixed = np.uint64(ids) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    return mixed & np.uint64(table.size - 1)


@inlined
def find(table: Int32s, pairs: Pairs, ids: Number) -> Number:
    """The number of a pair, NONE where the table has it not. The table is not full."""
    mask = np.uint64(table.size - 1)
    at = slot_of(table, ids)
    while True:
        pair = table[at]
        if pair < 0 or pairs.ids[pair] == ids:
            return pair
        at = (at + np.uint64(1)) & mask


@inlined
def fetch_slot(table: Int32s, ids: Number) -> None:
    """Has the slot of a pair brought near that will soon be looked into."""
    prefetch(table, np.int64(slot_of(table, ids)))


@inlined
def fetch_pair(table: Int32s, pairs: Pairs, ids: Number) -> None:
    """Has what is known of a pair brought near, be it another pair's that has its slot."""
    pair = np.int64(table[slot_of(table, ids)])
    if pair >= 0:
        prefetch(pairs.ids, pair)
        prefetch(pairs.counts, pair)


@inlined
def enter(table: Int32s, ids: Number, pair: Number) -> None:
    """Puts a pair into the table, which has it not."""
    mask = np.uint64(table.size - 1)
    at = slot_of(table, ids)
    while table[at] >= 0:
        at = (at + np.uint64(1)) & mask
    table[at] = pair


@kernel
def enter_alive(table: Int32s, pairs: Pairs, first: Number, last: Number) -> Number:
    """Puts those of the pairs [first, last) into the table that still occur, be it once; returns how many. The table has none of them.

    A pair that is not found in a table of all that occur is one that was never worth keeping.
    """
    entered = 0
    for pair in range(first, last):
        if pairs.counts[pair] > 0:
            enter(table, pairs.ids[pair], pair)
            entered += 1
    return entered


@inlined
def bucket_of(count: Number, level: Number) -> Number:
    """A rare count's own; else by the highest bit in which a count differs from the greatest, 0 where they are equal."""
    if count < RARE:
        return np.int64(count)
    return RARE + bits_of(np.uint64(count) ^ np.uint64(level))


@inlined
def wait(queue: Queue, pairs: Pairs, pair: Number, level: Number) -> None:
    """Puts a pair into the bucket for its count."""
    bucket = bucket_of(pairs.counts[pair], level)
    pairs.after[pair] = queue.buckets[bucket]
    queue.buckets[bucket] = pair


@inlined
def compare_text(tokens: Tokens, one: Number, other: Number) -> Number:
    """Below 0, 0 or above as the text of a token lies before, with or after another's, byte by byte."""
    if one == other:
        return 0
    a, b = tokens.text_start[one], tokens.text_start[other]
    shorter = min(tokens.text_size[one], tokens.text_size[other])
    for at in range(shorter):
        difference = np.int64(tokens.text[a + at]) - np.int64(tokens.text[b + at])
        if difference != 0:
            return difference
    return np.int64(tokens.text_size[one]) - np.int64(tokens.text_size[other])


@inlined
def before(one: Number, other: Number, rule: Number, pairs: Pairs, tokens: Tokens) -> Number:
    """Whether the tie rule takes one pair before another of the same count."""
    if rule == BY_TEXT:
        difference = compare_text(tokens, left_of(pairs.ids[one]), left_of(pairs.ids[other]))
        if difference == 0:
            difference = compare_text(tokens, right_of(pairs.ids[one]), right_of(pairs.ids[other]))
        if difference != 0:
            return difference < 0
    elif rule != BY_IDS and pairs.key[one] != pairs.key[other]:
        return pairs.key[one] < pairs.key[other]
    return pairs.ids[one] < pairs.ids[other]


@inlined
def rise(heap: Int32s, at: Number, rule: Number, pairs: Pairs, tokens: Tokens) -> None:
    """Moves the pair at a place of the heap up to where it belongs."""
    pair = heap[at]
    while at > 0:
        above = (at - 1) >> 1
        if not before(pair, heap[above], rule, pairs, tokens):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = pair


@inlined
def sink(heap: Int32s, at: Number, size: Number, rule: Number, pairs: Pairs, tokens: Tokens) -> None:
    """Moves the pair at a place of the heap down to where it belongs."""
    pair = heap[at]
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and before(heap[below + 1], heap[below], rule, pairs, tokens):
            below += 1
        if not before(heap[below], pair, rule, pairs, tokens):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = pair


@kernel
def find_pair(table: Int32s, pairs: Pairs, left: Number, right: Number) -> Number:
    """The number of a pair, NONE where the table has it not."""
    return find(table, pairs, ids_of(left, right))
