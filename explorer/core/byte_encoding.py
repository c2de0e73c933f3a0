"""Texts of bytes encoded in one pass: cut, looked up in a cache of pre-tokens, and merged where the cache has none."""

from collections.abc import Generator
from itertools import tee

import numpy as np
import numpy.typing as npt

from explorer.core import distinct
from explorer.core.compiled_table import CompiledTable, PretokenCache
from explorer.core.corpus import Corpus
from explorer.core.distinct import MapChunks, frozen, safe_chunks
from explorer.core.encoding import place_type
from explorer.core.kernels import distinct_loops, splitting_loops, window_loops
from explorer.core.kernels import encoding_loops as loops
from explorer.core.kernels.unicode_classes import character_classes
from explorer.core.marks import Marks
from explorer.core.merging import merge_long
from explorer.core.pretokens import Losses
from explorer.core.progress import Stage, Step
from explorer.core.recipe import PreTokenRule
from explorer.core.table import MergeTable
from explorer.core.token_arrays import LOW, TOKENS_A_STEP, Gathered, Room, Tokens, foreseen

SLICE = 1 << 17  # bytes that one call of a kernel encodes: about 3 ms where all is new

Int64s = npt.NDArray[np.int64]


class ByteTexts:
    """Texts of bytes to be encoded in one pass, by the merges that make ids below a bound; `marks` as `marks_steps` gives them."""

    def __init__(
        self, table: MergeTable, compiled: CompiledTable, corpus: Corpus, bound: int, with_spans: bool, marks: Marks | None
    ) -> None:
        self.compiled, self.bound, self.with_spans = compiled, bound, with_spans
        self.merges = compiled.before_lift
        self.data = frozen(np.frombuffer(corpus.data, np.uint8))
        none = frozen(np.zeros(0, np.int64))
        classes = frozen(marks.bits if marks else character_classes())
        self.marks = marks
        self.texts = distinct_loops.Texts(self.data, frozen(corpus.starts), none, classes, int(corpus.ended))
        self.pretokens = table.recipe.pretokens
        self.rule: int = getattr(splitting_loops, table.recipe.pretokens.name)  # the kernel's numbers have the names of the rules
        # What no token stands for: what lies between words, and the LF that a reader of rows added and no pattern is shown.
        self.gapless = self.pretokens is not PreTokenRule.WORDS and not (corpus.ended and self.rule < splitting_loops.ENTRIES)
        self.closed = False

    def steps(self, start: int, end: int) -> Generator[Step, None, Tokens]:
        """Encodes the bytes [start, end), both where a pre-token starts, with a cache that nobody else is using.

        The tokens are a part as `Gathered` takes them.
        """
        try:
            cache = self.compiled.free.pop()
        except IndexError:
            cache = PretokenCache()
        try:
            run = _Run(self, cache, start, end)
            yield from run.steps()
            return run.tokens()
        finally:
            self.compiled.free.append(cache)

    def encode(self, chunk: tuple[int, int]) -> Tokens | None:
        """Encodes a chunk without telling anybody; None where the others were cancelled meanwhile."""
        steps = self.steps(*chunk)
        try:
            while not self.closed:
                next(steps)
        except StopIteration as end:
            tokens: Tokens = end.value
            return tokens
        steps.close()
        return None


class _Run:
    """A stretch of the texts being encoded, with a cache of pre-tokens that is its own for as long."""

    def __init__(self, of: ByteTexts, cache: PretokenCache, start: int, end: int) -> None:
        self.of, self.cache, self.start, self.end = of, cache, start, end
        cache.begin(of.bound)
        cache.state[distinct_loops.AT] = start
        cache.state[distinct_loops.TEXT] = max(0, int(np.searchsorted(of.texts.starts, start, side="right")) - 1)
        self.room = Room(np.int32, spans=of.with_spans, gapless=of.gapless)
        self.out = loops.Out(*self.room.columns)

    def steps(self) -> Generator[Step, None, None]:
        """Encodes all of it."""
        state, size = self.cache.state, len(self.of.data)
        while state[distinct_loops.AT] < self.end:
            stop = min(self.end, int(state[distinct_loops.AT]) + SLICE)
            why = loops.encode_texts(
                self.of.texts, self.cache.batch, self.cache.arrays, self.of.merges, self.of.bound, self.cache.scratch, state,
                self.cache.long_state, self.out, self.of.rule, stop,
            )  # fmt: skip
            if why == loops.CACHE_FULL:
                for _ in self.cache.make_room_steps():
                    yield Step(Stage.ENCODING, int(state[distinct_loops.AT]), size)
            elif why == loops.OUT_FULL:
                yield from self.grow()
            elif why == loops.LONG_MET:
                yield from self.long_pretoken()
            yield Step(Stage.ENCODING, int(state[distinct_loops.AT]), size)

    def grow(self, beyond: int = 0) -> Generator[Step, None, None]:
        """Makes room for the tokens to come, as many as are foreseen, and `beyond` at least."""
        made, seen, size = int(self.cache.state[loops.TOKENS]), int(self.cache.state[distinct_loops.AT]) - self.start, self.end - self.start
        room = max(min(foreseen(made, seen, size), size), made + SLICE + beyond) + window_loops.WIDEST + 2 * loops.FOUR
        for _ in self.room.grow_steps(made, room):
            yield Step(Stage.ENCODING, self.start + seen, len(self.of.data))
        self.out = loops.Out(*self.room.columns)

    def long_pretoken(self) -> Generator[Step, None, None]:
        """Encodes the pre-token that was too long for the loop over all."""
        state, merges = self.cache.state, self.of.merges
        start, end, first = (int(state[at]) for at in (loops.LONG_START, loops.LONG_END, loops.TOKENS))
        if first + end - start + SLICE > len(self.out.ids):
            yield from self.grow(end - start)
        last = yield from merge_long(self.of.data, start, end, merges, self.cache, self.out.ids, first)
        state[loops.GROUP] += 1
        state[loops.TOKENS], state[distinct_loops.AT] = last, end
        if self.of.with_spans:
            yield from self.long_spans(start, first, last)

    def long_spans(self, start: int, first: int, last: int) -> Generator[Step, None, None]:
        """Fills in the spans of the tokens [first, last) of a long pre-token that starts at a byte."""
        group, size = self.cache.state[loops.GROUP], len(self.of.data)
        for token in range(first, last, TOKENS_A_STEP):
            stop = min(last, token + TOKENS_A_STEP)
            loops.fill_spans(self.out, self.of.merges, start, token, stop, group)
            start += (int(self.out.ends[stop - 1]) - start) & LOW  # what is written are the low bits
            yield Step(Stage.ENCODING, start, size)

    def tokens(self) -> Tokens:
        """What was made."""
        return self.room.tokens(int(self.cache.state[loops.TOKENS]), _losses(self.cache.state))


def encode_bytes(work: ByteTexts, map_chunks: MapChunks | None) -> Generator[Step, None, Tokens]:
    """Encodes all of the texts, on the caller's threads if there are any; the tokens are the same with any number of them."""
    size = len(work.data)
    alone = map_chunks is None or size <= distinct.CHUNK
    if alone and place_type(size) is np.int32:
        return (yield from work.steps(0, size))  # one part need not be gathered
    chunks = safe_chunks(work.data, work.texts.starts, work.pretokens, work.marks)  # found one by one: each is looked for on the disk
    gathered = Gathered(size, spans=work.with_spans, gapless=work.gapless)
    if map_chunks is None or alone:
        for chunk in chunks:
            part = yield from work.steps(*chunk)
            yield from gathered.add_steps(part, chunk[1])
        return gathered.tokens()
    chunks, ends = tee(chunks)
    results, done = map_chunks(work.encode, chunks), 0
    try:
        for found in results:
            if found is not None:
                _, done = next(ends)
                yield from gathered.add_steps(found, done)
            yield Step(Stage.ENCODING, done, size)
    finally:
        work.closed = True  # before `results` goes, which waits for the threads
    return gathered.tokens()


def _losses(state: Int64s) -> Losses:
    places = (distinct_loops.SPACES, distinct_loops.FIRST_SPACE, distinct_loops.LINE_ENDS, distinct_loops.FIRST_LINE_END)
    return Losses(*(int(state[at]) for at in places))


__all__ = ["ByteTexts", "encode_bytes"]
