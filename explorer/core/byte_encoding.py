"""Texts of bytes encoded in one pass: cut, looked up in a cache of pre-tokens, and merged where the cache has none."""

from collections.abc import Generator

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
from explorer.core.token_arrays import Tokens, joined_steps, room_for_spans

SLICE = 1 << 17  # bytes that one call of a kernel encodes: about 3 ms where all is new
TOKENS_A_STEP = 1 << 17  # whose spans are filled in: about 1 ms, and 3 MB of memory that may be new
FORESEEN = 1 << 21  # bytes after which the number of tokens is guessed from those there were

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

        The tokens are a part as `joined_steps` takes them.
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
        self.out = loops.Out(*(np.empty(0, np.int32) for _ in range(4)))
        self.grow()

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
                self.grow()
            elif why == loops.LONG_MET:
                yield from self.long_pretoken()
            yield Step(Stage.ENCODING, int(state[distinct_loops.AT]), size)

    def grow(self, beyond: int = 0) -> None:
        """Makes room for the tokens to come, as many to a byte as there were so far and a quarter more, and `beyond` at least.

        Room that is not written to takes no memory.
        """
        made, seen, size = int(self.cache.state[loops.TOKENS]), int(self.cache.state[distinct_loops.AT]) - self.start, self.end - self.start
        guess = int(1.25 * made / seen * size) if seen >= FORESEEN else 2 * made + int(0.4 * min(size, FORESEEN))
        room = max(min(guess, size), made + SLICE + beyond) + window_loops.WIDEST + 2 * loops.FOUR
        spans = room if self.of.with_spans else 0
        starts, ends = room_for_spans(spans, np.int32, gapless=self.of.gapless)
        old, self.out = self.out, loops.Out(np.empty(room, np.int32), starts, ends, np.empty(spans, np.int32))
        for larger, array in zip(self.out, old, strict=True):
            kept = min(made, len(array))
            larger[:kept] = array[:kept]

    def long_pretoken(self) -> Generator[Step, None, None]:
        """Encodes the pre-token that was too long for the loop over all."""
        state, merges = self.cache.state, self.of.merges
        start, end, first = (int(state[at]) for at in (loops.LONG_START, loops.LONG_END, loops.TOKENS))
        if first + end - start + SLICE > len(self.out.ids):
            self.grow(end - start)
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
            start = int(self.out.ends[stop - 1])
            yield Step(Stage.ENCODING, start, size)

    def tokens(self) -> Tokens:
        """What was made."""
        made, out = int(self.cache.state[loops.TOKENS]), self.out
        return Tokens(out.ids[:made], out.starts[:made], out.ends[:made], out.groups[:made], _losses(self.cache.state))


def encode_bytes(work: ByteTexts, map_chunks: MapChunks | None) -> Generator[Step, None, Tokens]:
    """Encodes all of the texts, on the caller's threads if there are any; the tokens are the same with any number of them."""
    size = len(work.data)
    parts: list[Tokens] = []
    if map_chunks is None or size <= distinct.CHUNK:
        parts.append((yield from work.steps(0, size)))
        return parts[0] if place_type(size) is np.int32 else (yield from joined_steps(parts, size, gapless=work.gapless))
    chunks = list(safe_chunks(work.data, work.texts.starts, work.pretokens, work.marks))
    results = map_chunks(work.encode, chunks)
    try:
        for tokens in results:
            if tokens is not None:
                parts.append(tokens)
            yield Step(Stage.ENCODING, chunks[len(parts) - 1][1] if parts else 0, size)
    finally:
        work.closed = True  # before `results` goes, which waits for the threads
    return (yield from joined_steps(parts, size, gapless=work.gapless))


def _losses(state: Int64s) -> Losses:
    places = (distinct_loops.SPACES, distinct_loops.FIRST_SPACE, distinct_loops.LINE_ENDS, distinct_loops.FIRST_LINE_END)
    return Losses(*(int(state[at]) for at in places))


__all__ = ["ByteTexts", "encode_bytes"]
