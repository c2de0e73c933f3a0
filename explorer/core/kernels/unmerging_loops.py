"""Merges undone: the corpus as it was spelled at an earlier merge, out of the slots as a later one left them.

A merge that is undone leaves what was there before it, so a token of too late a merge is taken apart into its parts, and
they into theirs. One pass over the slots.
"""

from explorer.core.kernels.compiling import inlined, kernel
from explorer.core.kernels.pair_loops import Int32s, Number


@inlined
def width_at(token: Number, widths: Int32s) -> Number:
    """How many slots a token takes, or a border; of packed slots, whose `widths` are one entry, all take one."""
    if token < 0 or widths.size == 1:
        return 1
    return widths[token]


@kernel
def count_parts(ids: Int32s, widths: Int32s, sizes: Int32s, slot: Number, stop: Number) -> tuple[Number, Number]:
    """How many slots the tokens and borders from `slot` up to `stop` take once they are in parts; and the slot it came to."""
    slot, parts = int(slot), 0
    while slot < stop:
        token = int(ids[slot])
        parts += 1 if token < 0 else int(sizes[token])
        slot += int(width_at(token, widths))
    return parts, slot


@kernel
def write_parts(
    ids: Int32s, widths: Int32s, lefts: Int32s, rights: Int32s, limit: Number, slot: Number, stop: Number, waiting: Int32s, out: Int32s,
    made: Number, until: Int32s, out_until: Int32s, stretch: Number,
) -> tuple[Number, Number, Number]:  # fmt: skip
    """Writes the tokens and borders from `slot` up to `stop` from place `made` on, those from id `limit` on as their parts.

    `waiting` has room for the parts of a token that wait, at most one for each merge. `until` is where the stretches of slots
    that count alike end, `out_until` where they end then. Returns the place, slot and stretch after.
    """
    slot, made, stretch = int(slot), int(made), int(stretch)
    while slot < stop:
        while slot >= until[stretch]:
            out_until[stretch] = made
            stretch += 1
        part, waits = int(ids[slot]), 0
        slot += int(width_at(part, widths))
        while True:
            while part >= limit:
                waiting[waits] = rights[part]
                waits += 1
                part = int(lefts[part])
            out[made] = part
            made += 1
            if waits == 0:
                break
            waits -= 1
            part = int(waiting[waits])
    return made, slot, stretch
