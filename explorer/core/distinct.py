"""The distinct words of a corpus, as stretches of its bytes, by any rule that is compiled: what pre-tokens are spelled from."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.mapped import Data
from explorer.core.marks import Marks
from explorer.core.pretokens import Losses
from explorer.core.progress import Stage, Step
from explorer.core.recipe import Joints, PreTokenRule, Recipe
from explorer.errors import TooLargeError

SLICE = 1 << 19  # bytes that one call of a kernel counts: about 3 ms
CHUNK = 1 << 20  # bytes that one thread counts in one go: enough of them that all threads end at about the same time
ROWS = 1 << 14  # distinct words that a table has room for at first
CACHE_LINE = 64  # bytes
LOOK = 1 << 10  # bytes looked at first for a place to cut
JOINED_A_STEP = 4_000
ROWS_A_STEP = 1 << 16  # some milliseconds
SLOTS_A_STEP = 1 << 20

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Int64s = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]  # Any: of whatever kind


class MapChunks(Protocol):
    """How a caller who has threads lends them: `work` of every chunk, the results in the order of the chunks.

    An executor's `map` is one. It may do several chunks at the same time. In between it may give None, so that whoever waits
    can tell how far it is and be stopped.
    """

    def __call__(self, work: Callable[[Chunk], Result], chunks: Iterable[Chunk], /) -> Iterable[Result | None]:
        """The results, in the order of the chunks, and any number of Nones."""


@dataclass(frozen=True, eq=False)  # arrays have no single truth
class DistinctWords:
    """Distinct pre-tokens as bytes in the order they are first met: number n is data[first[n] : first[n] + lengths[n]].

    `marked` says which end a word and carry the end-of-word marker: two of the same bytes may differ in that.
    """

    lengths: Int64s
    counts: Int64s
    first: Int64s
    last: Int64s
    marked: npt.NDArray[np.bool_]
    apart: int
    outside: int
    losses: Losses


def frozen(array: Numbers) -> Numbers:
    """The array as kernels are compiled for: without gaps, and not to be written to."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def distinct_words(
    corpus: Corpus, recipe: Recipe, map_chunks: MapChunks | None = None, marks: Marks | None = None
) -> Generator[Step, None, DistinctWords]:
    """Counts the distinct words of a corpus (as `corpus_read` gives it), on the caller's threads if there are any.

    `marks` are the corpus's, as `marks_steps` gives them.
    """
    _refuse_large_counts(corpus)
    counting = _Counting(corpus, recipe, marks)
    threads = map_chunks if len(corpus.data) > CHUNK else None
    tables = yield from _counted_in_chunks(counting, threads) if threads else _counted_at_once(counting)
    words = yield from _laid_out(counting, tables[0], in_order=threads is None)
    if recipe.joints:
        words = yield from _cut_at_joints(corpus.data, words, recipe.joints, recipe.marker)
    return words


def _refuse_large_counts(corpus: Corpus) -> None:
    """Counts are kept in 64 bits: no sum over the whole corpus may pass them."""
    if corpus.weights is not None and float(np.diff(corpus.starts).astype(np.float64) @ corpus.weights.astype(np.float64)) >= 2.0**62:
        raise TooLargeError("The counts of this corpus come to more than 4,611,686,018,427,387,904 bytes: use smaller counts.")


class _Counting:
    """One corpus to be counted by one rule, and the tables that its threads fill."""

    def __init__(self, corpus: Corpus, recipe: Recipe, marks: Marks | None = None) -> None:
        # Here and below: what numba compiles is imported when it is used.
        from explorer.core.kernels import distinct_loops, splitting_loops, unicode_classes

        self.data, self.starts = frozen(np.frombuffer(corpus.data, np.uint8)), frozen(corpus.starts)
        weights = frozen(np.zeros(0, np.int64) if corpus.weights is None else corpus.weights)
        classes = frozen(marks.bits if marks else unicode_classes.character_classes())
        self.marks = marks
        self.texts = distinct_loops.Texts(self.data, self.starts, weights, classes, int(corpus.ended))
        self.pretokens = recipe.pretokens
        self.rule: int = getattr(splitting_loops, recipe.pretokens.name)  # the kernel's numbers have the names of the rules
        self.marker = recipe.marker
        self.free: list[_Table] = []  # of the threads that are between two chunks; append and pop are atomic
        self.closed = False

    def count(self, chunk: tuple[int, int]) -> int:
        """Counts the bytes of a chunk into a table that no other thread is using; returns where it ended."""
        try:
            table = self.free.pop()
        except IndexError:
            table = _Table()
        try:
            for _ in table.count(self, *chunk):
                if self.closed:
                    break
        finally:
            self.free.append(table)
        return chunk[1]


class _Table:
    """A hash table of distinct words that grows."""

    def __init__(self) -> None:
        from explorer.core.kernels import distinct_loops as loops
        from explorer.core.kernels import row_loops

        self.loops, self.row_loops = loops, row_loops
        spans, keys = np.empty((4, loops.BATCH), np.int64), np.empty(loops.BATCH, np.uint64)
        state = np.zeros(loops.STATE_SIZE, np.int64)
        state[[loops.FIRST_SPACE, loops.FIRST_LINE_END]] = -1
        self.arrays = loops.Table(np.full(2 * ROWS, -1, np.int32), _empty_rows(ROWS), np.empty(ROWS, np.uint64), state, spans, keys)

    @property
    def state(self) -> Int64s:
        """Where counting stands and what it found, as the kernel keeps it."""
        return self.arrays.state

    @property
    def rows(self) -> npt.NDArray[np.uint64]:
        """The words, those that there is room for included."""
        return self.arrays.rows

    @property
    def distinct(self) -> int:
        """How many words there are."""
        return int(self.state[self.loops.DISTINCT])

    def count(self, of: _Counting, start: int, end: int) -> Iterator[int]:
        """Counts the bytes [start, end), both where a pre-token starts; yields after each slice where it stands."""
        state, loops = self.state, self.loops
        state[loops.AT], state[loops.TEXT] = start, max(0, int(np.searchsorted(of.starts, start, side="right")) - 1)
        while state[loops.AT] < end:
            stop = min(end, int(state[loops.AT]) + SLICE)
            loops.count_pretokens(of.texts, self.arrays, stop, of.rule, of.marker)
            if state[loops.AT] < stop:
                for _ in self.grow(2 * len(self.rows)):
                    yield int(state[loops.AT])
            yield int(state[loops.AT])

    def grow(self, rows: int) -> Iterator[None]:
        """Makes room for that many rows, in slices."""
        larger, tails, slots = _empty_rows(rows), np.empty(rows, np.uint64), np.empty(2 * rows, np.int32)
        for first in range(0, len(slots), SLOTS_A_STEP):  # the system hands out memory as it is written to: a second for a gigabyte
            slots[first : first + SLOTS_A_STEP] = -1
            yield
        for first in range(0, self.distinct, ROWS_A_STEP):
            stop = min(first + ROWS_A_STEP, self.distinct)
            larger[first:stop], tails[first:stop] = self.rows[first:stop], self.arrays.tails[first:stop]
            self.row_loops.fill_slots(slots, larger, first, stop)
            yield
        self.arrays = self.arrays._replace(slots=slots, rows=larger, tails=tails)

    def add(self, of: _Counting, other: "_Table") -> Iterator[None]:
        """Adds what another table counted."""
        for start in range(0, other.distinct, ROWS):
            if self.distinct + ROWS > len(self.rows):
                yield from self.grow(2 * len(self.rows))
            self.row_loops.add_rows(of.data, other.rows, other.arrays.tails, start, min(start + ROWS, other.distinct), self.arrays)
            yield
        loops = self.loops
        for at in (loops.APART, loops.OUTSIDE, loops.SPACES, loops.LINE_ENDS):
            self.state[at] += other.state[at]
        for at in (loops.FIRST_SPACE, loops.FIRST_LINE_END):
            places = [int(state[at]) for state in (self.state, other.state) if state[at] >= 0]
            self.state[at] = min(places, default=-1)


def _empty_rows(count: int) -> npt.NDArray[np.uint64]:
    """Room for so many rows, two of which share a cache line: a row that lies on two is fetched twice (a seventh of the time)."""
    room = np.empty(4 * count + CACHE_LINE // 8, np.uint64)
    skipped = -room.ctypes.data % CACHE_LINE // 8
    return room[skipped : skipped + 4 * count].reshape(count, 4)


def _counted_at_once(counting: _Counting) -> Generator[Step, None, list[_Table]]:
    table = _Table()
    for done in table.count(counting, 0, len(counting.data)):
        yield Step(Stage.CUTTING, done, len(counting.data))
    return [table]


def _counted_in_chunks(counting: _Counting, map_chunks: MapChunks) -> Generator[Step, None, list[_Table]]:
    """Counts chunks wherever the caller has them counted, then adds the tables up into the first of those returned."""
    size, done = len(counting.data), 0
    results = map_chunks(counting.count, safe_chunks(counting.data, counting.starts, counting.pretokens, counting.marks))
    try:
        for ended in results:
            done = done if ended is None else ended
            yield Step(Stage.CUTTING, done, size)
    finally:
        counting.closed = True  # before `results` goes, which waits for the threads
    tables = sorted(counting.free, key=lambda table: -table.distinct) or [_Table()]
    for other in tables[1:]:
        for _ in tables[0].add(counting, other):
            yield Step(Stage.CUTTING, size, size)
    return tables


def safe_chunks(
    data: npt.NDArray[np.uint8], starts: Int64s, rule: PreTokenRule, marks: Marks | None = None
) -> Iterator[tuple[int, int]]:
    """Stretches of about CHUNK bytes that no pre-token crosses: they end with a text, or where a pre-token begins by any rule.

    Under a pattern of one's own that is at the marks alone.
    """
    if marks:
        yield from marks.chunks(CHUNK)
        return
    start, size = 0, len(data)
    while start < size:
        end = _safe_place(data, starts, min(size, start + CHUNK), rule)
        yield start, end
        start = end


def _safe_place(data: npt.NDArray[np.uint8], starts: Int64s, at: int, rule: PreTokenRule) -> int:
    """The first place from `at` on that is safe to cut at: a text ends there, or what stands there begins a pre-token, whatever follows.

    That does what is no white space after an LF, and, save in entries, a space after what is none.
    """
    text_end, width = int(starts[np.searchsorted(starts, at)]), LOOK
    while at < text_end:
        end = min(text_end, at + width)
        before, here = data[at - 1 : end - 1], data[at:end]
        safe = (before == ord("\n")) & _AFTER_LINE_END[here]
        if rule is not PreTokenRule.ENTRIES:
            safe |= (here == ord(" ")) & _VISIBLE[before]
        first = int(safe.argmax())
        if safe[first]:
            return at + first
        at, width = end, 2 * width
    return text_end


def _bytes_in(*ranges: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Of each byte whether it lies in one of the ranges, ends included."""
    return np.array([any(low <= byte <= high for low, high in ranges) for byte in range(256)])


_VISIBLE = _bytes_in((0x21, 0x7E))
# All white space outside ASCII begins with 0xC2 or 0xE1 to 0xE3. o200k draws a slash to what stands before it.
_AFTER_LINE_END = _bytes_in((0x21, ord("/") - 1), (ord("/") + 1, 0x7E), (0xC3, 0xE0), (0xE4, 0xF4))


def _laid_out(counting: _Counting, table: _Table, in_order: bool) -> Generator[Step, None, DistinctWords]:
    """The rows of a table as columns in the order of the first places."""
    from explorer.core.kernels import distinct_loops as loops
    from explorer.core.kernels import row_loops

    rows, state = table.rows[: table.distinct], table.state.tolist()
    order = np.arange(len(rows)) if in_order else np.argsort(rows[:, 1] & loops.OFFSET)
    lengths, counts, first, last = (np.empty(len(rows), np.int64) for _ in range(4))
    for start in range(0, len(rows), ROWS_A_STEP):
        row_loops.lay_out(rows, order, start, min(start + ROWS_A_STEP, len(rows)), lengths, counts, first, last)
        yield Step(Stage.CUTTING, len(counting.data), len(counting.data))
    losses = Losses(state[loops.SPACES], state[loops.FIRST_SPACE], state[loops.LINE_ENDS], state[loops.FIRST_LINE_END])
    marked = np.full(len(rows), counting.marker)
    return DistinctWords(lengths, counts, first, last, marked, state[loops.APART], state[loops.OUTSIDE], losses)


def _cut_at_joints(data: Data, words: DistinctWords, joints: Joints, marker: bool) -> Generator[Step, None, DistinctWords]:
    """The distinct parts of the words: first where the first word that has it has it first, and last likewise."""
    places: dict[tuple[bytes, bool], list[int]] = {}
    columns = zip(words.first.tolist(), words.lengths.tolist(), words.counts.tolist(), words.last.tolist(), strict=True)
    for done, (first, length, count, last) in enumerate(columns):
        word = data[first : first + length]
        parts = joints.mapping.get(word, (word,))
        at = 0
        for number, part in enumerate(parts, start=1):
            place = places.setdefault((part, marker and number == len(parts)), [len(part), 0, first + at, last + at])
            place[1:] = place[1] + count, min(place[2], first + at), max(place[3], last + at)
            at += len(part)
        if done % JOINED_A_STEP == 0:
            yield Step(Stage.CUTTING, len(data), len(data))
    columns_of = np.array(list(places.values()), np.int64).reshape(-1, 4)
    order = np.argsort(columns_of[:, 2])
    lengths, counts, starts, ends = np.ascontiguousarray(columns_of[order].T)
    marked = np.array([ends_word for _, ends_word in places], np.bool_)[order]
    return replace(words, lengths=lengths, counts=counts, first=starts, last=ends, marked=marked)


def rehearse_tables(corpus: Corpus, recipe: Recipe) -> None:
    """Calls the kernels that only large corpora and several threads need."""
    counting = _Counting(corpus, recipe)
    one, other = _Table(), _Table()
    for table in (one, other):
        for _ in table.count(counting, 0, len(counting.data)):
            pass
    for _ in chain(one.grow(2 * len(one.rows)), one.add(counting, other)):
        pass


__all__ = ["DistinctWords", "MapChunks", "distinct_words", "frozen", "rehearse_tables", "safe_chunks"]
