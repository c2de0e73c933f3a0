"""A merge table as kernels read it, and the caches of pre-tokens that were encoded with it."""

import weakref
from collections import OrderedDict
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cached_property

import numpy as np
import numpy.typing as npt

from explorer.core.fast_spelling import SymbolRows
from explorer.core.kernels import cache_loops, distinct_loops, merging_loops, window_loops
from explorer.core.kernels import encoding_loops as loops
from explorer.core.kernels.merging_loops import Merges, Scratch
from explorer.core.progress import Stage, Step
from explorer.core.recipe import AlphabetKind
from explorer.core.stretches import Inside
from explorer.core.table import MergeTable

IDS_A_STEP = 1 << 20  # about 2 ms
WORDS_A_STEP = cache_loops.WORDS_A_ROW << 14  # of a cache that is moved: about 2 ms
READ_A_STEP = 10_000  # merges made into arrays between two steps: about 2 ms
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 20  # of a cache; at most about 40 MB, and when they are taken it is emptied
IN_CACHE = [cache_loops.ROWS, cache_loops.LETTERS, cache_loops.KEPT]  # what outlives a text
TABLES = 3  # tables that are remembered: more are seldom looked at in turn

Int32s = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]


class CompiledTable:
    """The merges of a table, before and after its boundary is lifted, as hash tables."""

    def __init__(self, table: MergeTable, lefts: Int32s, rights: Int32s) -> None:
        self.size, self.first = table.size, table.alphabet.first_merged_id
        self.lefts, self.rights = lefts, rights
        lift = self.size if table.lift_rank is None else self.first + table.lift_rank
        self.before_lift = self._merges(self.first, lift, table.alphabet.kind is AlphabetKind.BYTES)
        self.after_lift = None if table.lift_rank is None else self._merges(lift, self.size, in_bytes=False)
        self.symbol_rows = SymbolRows(table.alphabet) if table.alphabet.kind is AlphabetKind.CHARACTERS else None
        self.free: list[PretokenCache] = []  # those that nobody is encoding with; append and pop are atomic

    def _merges(self, base: int, end: int, in_bytes: bool) -> Merges:
        """The merges that make the ids [base, end), over symbols below `base`."""
        pairs = np.full(1 << max(4, (2 * (end - base)).bit_length()), merging_loops.EMPTY, np.uint64)  # a quarter to half full
        merging_loops.fill_pairs(pairs, self.lefts, self.rights, base, end)
        widths = np.empty(self.size, np.int32)
        merging_loops.fill_widths(widths, self.lefts, self.rights, base)
        square = np.full(1 << 16 if in_bytes else 0, merging_loops.NONE, np.int32)
        if in_bytes:
            made = np.arange(base, end, dtype=np.int32)[::-1]  # of two of one pair the first is written last
            lefts, rights = self.lefts[base:end][::-1], self.rights[base:end][::-1]
            of_bytes = (lefts < 256) & (rights < 256)
            square[(lefts[of_bytes] << 8) | rights[of_bytes]] = made[of_bytes]
        return Merges(pairs, square, self.lefts, self.rights, widths, base)

    @cached_property
    def inside(self) -> Inside:
        """Which bytes stand beside each other inside the tokens of a table of bytes."""
        return Inside(self.lefts, self.rights)

    def fired(self, ids: Int32s) -> Generator[Step, None, list[int]]:
        """The ranks that applied to make the tokens, in order: those of the tokens and of all they were merged from."""
        present = np.zeros(self.size, np.uint8)
        for first in range(0, len(ids), IDS_A_STEP):
            merging_loops.mark_ids(present, ids, first, min(first + IDS_A_STEP, len(ids)))
            yield Step(Stage.ENCODING, first, len(ids))
        merging_loops.mark_parts(present, self.lefts, self.rights, self.first)
        ranks: list[int] = np.flatnonzero(present[self.first :]).tolist()
        return ranks


class PretokenCache:
    """Pre-tokens that were encoded with the merges below one bound, and the state of whoever is encoding with it."""

    def __init__(self) -> None:
        self.bound = -1
        self.scratch = scratch(window_loops.WIDEST)
        self.state = np.zeros(loops.STATE_SIZE, np.int64)
        self.long_state = np.zeros(window_loops.LONG_SIZE, np.int64)
        words, places = np.empty((2, loops.BATCH_ROOM), np.uint64), np.empty((3, loops.BATCH_ROOM), np.int64)
        self.batch = loops.Batch(places[0], places[1], words[0], words[1], places[2])
        self.arrays = cache_loops.Cache(np.empty(0, np.uint64), np.empty(0, np.uint8), np.empty(0, np.int32))
        self.make_room()

    def begin(self, bound: int) -> None:
        """Makes ready to encode a text from its start by the merges that make ids below `bound`."""
        used = self.state[IN_CACHE].copy()
        self.state[:] = 0
        self.state[[distinct_loops.FIRST_SPACE, distinct_loops.FIRST_LINE_END]] = -1
        if bound == self.bound:
            self.state[IN_CACHE] = used
        elif used.any():
            self.arrays.rows.fill(0)
        self.bound = bound

    def make_room(self) -> None:
        """Makes a full cache twice as large, or empties it when it is as large as it may be."""
        for _ in self.make_room_steps():
            pass

    def make_room_steps(self) -> Iterator[None]:
        """The same in slices: a large cache is moved for a tenth of a second. One that is left half moved stays as it was."""
        old = self.arrays
        slots = max(FEWEST_SLOTS, 2 * (len(old.rows) // cache_loops.WORDS_A_ROW))
        if slots > MOST_SLOTS:
            self.state[IN_CACHE] = 0
            old.rows.fill(0)
            return
        batch = loops.BATCH_ROOM * merging_loops.SHORT
        new = cache_loops.Cache(_aligned(slots), np.empty(8 * slots + batch, np.uint8), np.empty(2 * slots + batch, np.int32))
        letters, tokens = (int(self.state[at]) for at in (cache_loops.LETTERS, cache_loops.KEPT))
        new.letters[:letters] = old.letters[:letters]
        new.tokens[:tokens] = old.tokens[:tokens]
        for first in range(0, len(old.rows), WORDS_A_STEP):
            cache_loops.move_rows(old.rows[first : first + WORDS_A_STEP], new.rows)
            yield
        self.arrays = new


def _aligned(slots: int) -> Words:
    """So many empty rows that none of them crosses a cache line."""
    row = cache_loops.WORDS_A_ROW
    rows = np.zeros((slots + 1) * row, np.uint64)
    first = -(rows.ctypes.data // rows.itemsize) % row
    return rows[first : first + slots * row]


def scratch(symbols: int) -> Scratch:
    """Room to merge that many symbols in."""
    keys, numbers, after, before = (np.empty(symbols, np.int32) for _ in range(4))
    return Scratch(keys, numbers, after, before, np.empty(3 * symbols, np.int64), np.empty(window_loops.WIDEST, np.int32))


def _check_order(merges: Int32s, first: int) -> None:
    """ValueError for a merge of tokens that do not come before it: the loops would read outside their arrays."""
    made = np.arange(first, first + len(merges))
    wrong = np.flatnonzero((merges.min(axis=1, initial=0) < 0) | (merges.max(axis=1, initial=0) >= made))
    if len(wrong):
        rank = int(wrong[0])
        raise ValueError(f"the merge of rank {rank} takes tokens {merges[rank].tolist()}, and it makes token {first + rank}")


# Jobs of several lanes may ask at the same time, and a table may go at any time: this is changed by single calls alone.
_KNOWN: OrderedDict[int, tuple["weakref.ref[MergeTable]", CompiledTable]] = OrderedDict()  # by identity; the one asked for last is last


def compiled_table(table: MergeTable) -> Generator[Step, None, CompiledTable]:
    """The table as kernels read it; it is remembered for as long as the table lives and is among the last few asked for."""
    key = id(table)
    known = _KNOWN.get(key)
    if known and known[0]() is table:
        with suppress(KeyError):  # another lane asked for others meanwhile
            _KNOWN.move_to_end(key)
        return known[1]
    merges, first = len(table.merges), table.alphabet.first_merged_id
    pairs = np.full((table.size, 2), -1, np.int32)
    for start in range(0, merges, READ_A_STEP):
        stop = min(start + READ_A_STEP, merges)
        pairs[first + start : first + stop] = table.merges[start:stop]
        yield Step(Stage.ENCODING, 0, 0)
    _check_order(pairs[first:], first)
    compiled = CompiledTable(table, np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]))
    _KNOWN[key] = weakref.ref(table, lambda gone: _forget(key, gone)), compiled
    while len(_KNOWN) > TABLES:
        _KNOWN.popitem(last=False)
    return compiled


def _forget(key: int, gone: "weakref.ref[MergeTable]") -> None:
    """Lets go of what was kept for a table, with the caches of its pre-tokens, as the table is gone."""
    known = _KNOWN.get(key)
    if known and known[0] is gone:
        _KNOWN.pop(key, None)  # another lane may have asked for others meanwhile
