"""Tables of distinct pre-tokens (distinct_loops.py) made larger, added up where several threads had one each, and read out."""

import numpy as np

from explorer.core.kernels.array_types import Bytes, Int32s, Int64s, Number, Words
from explorer.core.kernels.compiling import inlined, kernel, prefetch
from explorer.core.kernels.distinct_loops import BATCH, DISTINCT, OFFSET, ROW_WORDS, Table, fill_row, find_row, row_length, slot_of


@kernel
def fill_slots(slots: Int32s, rows: Words, first: Number, stop: Number) -> None:
    """Enters the rows [first, stop) into a larger table of slots that has those before."""
    mask = slots.size - 1
    for row in range(first, stop):
        slot = slot_of(rows[row, 0], row_length(rows, row), mask)
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = row


@inlined
def fetch_alike(added: Words, start: Number, stop: Number, table: Table) -> None:
    """Has the rows of a table brought near that the rows [start, stop) of another will be added to."""
    mask = table.slots.size - 1
    for n in range(start, stop):
        prefetch(table.slots, slot_of(added[n, 0], row_length(added, n), mask))
    for n in range(start, stop):
        row = np.int64(table.slots[slot_of(added[n, 0], row_length(added, n), mask)])
        if row >= 0:
            prefetch(table.rows, ROW_WORDS * row)


@inlined
def add_row(data: Bytes, added: Words, tails: Words, n: Number, table: Table) -> None:
    """Adds row n of another table, which has these tails."""
    rows = table.rows
    key = added[n, 0]
    length = row_length(added, n)
    first = np.int64(added[n, 1] & OFFSET)
    last = np.int64(added[n, 2] & OFFSET)
    slot = find_row(data, first, length, key, tails[n], slot_of(key, length, table.slots.size - 1), table)
    row = np.int64(table.slots[slot])
    if row < 0:
        table.slots[slot] = table.state[DISTINCT]
        fill_row(rows, table.state[DISTINCT], key, length, first, last, added[n, 3])
        table.tails[table.state[DISTINCT]] = tails[n]
        table.state[DISTINCT] += 1
    else:
        first = min(first, np.int64(rows[row, 1] & OFFSET))
        last = max(last, np.int64(rows[row, 2] & OFFSET))
        fill_row(rows, row, key, length, first, last, rows[row, 3] + added[n, 3])


@kernel
def add_rows(data: Bytes, added: Words, tails: Words, start: Number, stop: Number, table: Table) -> None:
    """Adds the rows [start, stop) of another table of the same corpus; there must be room. Rows lose their order."""
    for first in range(start, stop, BATCH):
        last = min(stop, first + BATCH)
        fetch_alike(added, first, last, table)
        for n in range(first, last):
            add_row(data, added, tails, n, table)


@kernel
def lay_out(
    rows: Words, order: Int64s, start: Number, stop: Number, lengths: Int64s, counts: Int64s, first: Int64s, last: Int64s
) -> None:
    """The rows as columns in an order, the places [start, stop) of it."""
    for n in range(start, stop):
        row = order[n]
        lengths[n] = row_length(rows, row)
        counts[n] = np.int64(rows[row, 3])
        first[n] = np.int64(rows[row, 1] & OFFSET)
        last[n] = np.int64(rows[row, 2] & OFFSET)
