"""Counts of pairs at any merge, from what training wrote down: births, losses, and the greatest counts at some checkpoints.

A question about merge k starts from the checkpoint before it: the pairs whose count was `least` or more there. Whatever
has `least` or more at k was among them or was born since, as a pair only ever loses. So their losses since, and the
births since, are all there is to go through.
"""

from typing import NamedTuple

from explorer.core.kernels.compiling import inlined, kernel
from explorer.core.kernels.pair_loops import Int32s, Int64s, Number


class Written(NamedTuple):
    """What a stage wrote down, by merge; `merged` has the number of the pair that each merge took, below 0 for none followed."""

    born: Int64s
    born_until: Int64s
    lost_pair: Int32s
    lost_amount: Int64s
    lost_until: Int64s
    merged: Int64s


@inlined
def losses(written: Written, merge: Number, counts: Int64s) -> None:
    """Takes from the counts of all pairs what one merge cost them."""
    if written.merged[merge] >= 0:
        counts[written.merged[merge]] = 0
    for at in range(written.lost_until[merge], written.lost_until[merge + 1]):
        counts[written.lost_pair[at]] -= written.lost_amount[at]


@kernel
def replay(written: Written, first: Number, last: Number, counts: Int64s) -> None:
    """Brings the counts of all pairs from merge `first` to merge `last`; pairs not yet born have any."""
    for merge in range(first, last):
        losses(written, merge, counts)
        for pair in range(written.born_until[merge], written.born_until[merge + 1]):
            counts[pair] = written.born[pair]


@kernel
def greatest(
    counts: Int64s, born: Number, wanted: Number, kept_from: Number, tally: Int64s, pairs: Int32s, values: Int64s
) -> tuple[Number, Number]:
    """The pairs with the greatest counts: at least `wanted` of them if there are, with all that share the least count taken.

    Returns how many and that least count. `tally` is scratch, by count; counts past its end are all taken. Where those that
    share the least do not all find room in `pairs` they are left out, and fewer are taken.
    """
    tally[:] = 0
    top = tally.size - 1
    for pair in range(born):
        if counts[pair] >= kept_from:
            tally[min(counts[pair], top)] += 1
    least = top
    found = tally[top]
    while least > kept_from and found < wanted and found + tally[least - 1] <= pairs.size:
        least -= 1
        found += tally[least]
    taken = 0
    for pair in range(born):
        if counts[pair] >= least and taken < pairs.size:
            pairs[taken] = pair
            values[taken] = counts[pair]
            taken += 1
    return taken, least


@kernel
def since(
    written: Written, first: Number, last: Number, least: Number, pairs: Int32s, counts: Int64s, known: Number, slots: Int32s
) -> Number:
    """Brings the `known` pairs of a checkpoint at merge `first` to merge `last`, with those born since with `least` or more.

    `slots` has one entry a pair, all -1, and is left so. Returns how many pairs there are, -1 where they have no room.
    """
    for at in range(known):
        slots[pairs[at]] = at
    full = False
    for merge in range(first, last):
        gone = written.merged[merge]
        if gone >= 0 and slots[gone] >= 0:
            counts[slots[gone]] = 0
        for at in range(written.lost_until[merge], written.lost_until[merge + 1]):
            slot = slots[written.lost_pair[at]]
            if slot >= 0:
                counts[slot] -= written.lost_amount[at]
        for pair in range(written.born_until[merge], written.born_until[merge + 1]):
            if written.born[pair] >= least:
                if known == pairs.size:
                    full = True
                    break
                pairs[known] = pair
                counts[known] = written.born[pair]
                slots[pair] = known
                known += 1
    for at in range(known):
        slots[pairs[at]] = -1
    return -1 if full else known
