"""The first count of all pairs, and where each of them stands.

The corpus lies in slots: the id of a token in its first and in its last slot, BORDER between pre-tokens and at both ends
of the corpus. Counted by a square table where the alphabet is small, by a hash otherwise. Each kernel works on the slots
[first, last) alone, so that its caller can stop between two.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.core.kernels.compiling import AHEAD, inlined, kernel, prefetch
from explorer.core.kernels.pair_loops import Int32s, Int64s, Number, Pairs, enter, find, ids_of

Symbols = npt.NDArray[np.uint8] | Int32s

BORDER = -1
INSIDE = -2  # a slot of a token that is neither its first nor its last


class Weights(NamedTuple):
    """How often what lies in a slot counts, one entry a stretch of slots that count alike: where it ends, and its count.

    Pre-tokens that count alike mostly lie together, so that this is small, and whoever goes through slots in their order
    looks it up where a stretch ends and not at every slot.
    """

    until: Int32s
    counts: Int64s


@kernel
def lay_pretokens(
    symbols: Symbols, starts: Int64s, lengths: Int64s, slots: Int32s, first: Number, last: Number, ids: Int32s, strange: Number,
    strange_from: Number,
) -> None:
    """Writes the pre-tokens [first, last) into slots, each from the one in `slots` on, with a border after it.

    The symbol `strange`, and numbers from `strange_from` on, are borders too. Pre-tokens are read as they stand in the
    corpus and written to where they lie: in a large corpus reading here and there takes twice as long.
    """
    for at in range(first, last):
        if at + AHEAD < last:
            prefetch(symbols, starts[at + AHEAD])
        start, slot = starts[at], np.int64(slots[at])
        for symbol in range(lengths[at]):
            token = np.int32(symbols[start + symbol])
            ids[slot] = BORDER if token == strange or token >= strange_from else token
            slot += 1
        ids[slot] = BORDER


@inlined
def stretch_at(weights: Weights, slot: Number, stretch: Number) -> Number:
    """The stretch that a slot is in, if `stretch` is not past it. Steps twice as long each time, then halves."""
    first, last = np.int64(stretch), np.int64(stretch)
    step = np.int64(1)
    while weights.until[last] <= slot:
        first = last + 1
        last = min(last + step, np.int64(weights.until.size) - 1)
        step *= 2
    while first < last:
        middle = (first + last) >> 1
        if weights.until[middle] <= slot:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def count_in_square(
    ids: Int32s, weights: Weights, first: Number, last: Number, size: Number, places: Int64s, counts: Int64s, apart: Int64s, run: Number
) -> Number:
    """Adds the pairs that begin in the slots [first, last) to square tables of size x size.

    `apart` counts, for each token, how many pairs of it with itself a merge would really replace: of a run, every other
    one. Takes and returns whether the last pair was such a one, so that a run may reach over two stretches.
    """
    stretch = stretch_at(weights, first, 0)
    until, weight = np.int64(weights.until[stretch]), weights.counts[stretch]
    for slot in range(first, last):
        left, right = ids[slot], ids[slot + 1]
        replaced = 0
        if slot == until:
            stretch += 1
            until, weight = np.int64(weights.until[stretch]), weights.counts[stretch]
        if left >= 0 and right >= 0:
            at = np.int64(left) * size + right
            places[at] += 1
            counts[at] += weight
            if left == right and run == 0:
                replaced = 1
                apart[left] += weight
        run = replaced
    return run


@kernel
def place_by_square(ids: Int32s, first: Number, last: Number, size: Number, cursors: Int64s, pool: Int32s) -> None:
    """Writes the places of the pairs that begin in the slots [first, last); a cursor below 0 is a pair not kept."""
    for slot in range(first, last):
        left, right = ids[slot], ids[slot + 1]
        if left >= 0 and right >= 0:
            at = np.int64(left) * size + right
            if cursors[at] >= 0:
                pool[cursors[at]] = slot
                cursors[at] += 1


@kernel
def count_by_hash(
    ids: Int32s, weights: Weights, first: Number, last: Number, table: Int32s, pairs: Pairs, born: Number, apart: Int64s, run: Number
) -> tuple[Number, Number, Number]:
    """Counts the pairs that begin in the slots [first, last), numbered as they are met; `apart` and `run` as above.

    Returns the slot it came to, the number of pairs and the run: short of `last` where the arrays are full.
    """
    room = min(pairs.ids.size, table.size // 2)
    stretch = stretch_at(weights, first, 0)
    until, weight = np.int64(weights.until[stretch]), weights.counts[stretch]
    for slot in range(first, last):
        left, right = ids[slot], ids[slot + 1]
        replaced = 0
        if slot == until:
            stretch += 1
            until, weight = np.int64(weights.until[stretch]), weights.counts[stretch]
        if left >= 0 and right >= 0:
            ids_here = ids_of(left, right)
            pair = np.int64(find(table, pairs, ids_here))
            if pair < 0:
                if born >= room:
                    return slot, born, run
                pair = np.int64(born)
                born += 1
                pairs.ids[pair], pairs.places[pair], pairs.counts[pair] = ids_here, 0, 0
                enter(table, ids_here, pair)
            pairs.places[pair] += 1
            pairs.counts[pair] += weight
            if left == right and run == 0:
                replaced = 1
                apart[left] += weight
        run = replaced
    return last, born, run


@kernel
def count_tokens(symbols: Symbols, starts: Int64s, lengths: Int64s, counts: Int64s, first: Number, last: Number, totals: Int64s) -> None:
    """Adds the weighted number of each symbol in the pre-tokens [first, last); symbols past the totals are not counted."""
    for at in range(first, last):
        for symbol in range(starts[at], starts[at] + lengths[at]):
            token = np.int64(symbols[symbol])
            if token < totals.size:
                totals[token] += counts[at]


@kernel
def place_by_hash(ids: Int32s, first: Number, last: Number, table: Int32s, pairs: Pairs, cursors: Int64s, pool: Int32s) -> None:
    """Writes the places of the pairs that begin in the slots [first, last); a cursor below 0 is a pair not kept."""
    for slot in range(first, last):
        left, right = ids[slot], ids[slot + 1]
        if left >= 0 and right >= 0:
            pair = find(table, pairs, ids_of(left, right))
            if cursors[pair] >= 0:
                pool[cursors[pair]] = slot
                cursors[pair] += 1
