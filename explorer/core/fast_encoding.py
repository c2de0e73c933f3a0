"""Encoding by compiled loops: exactly what encoding.py gives, in time that grows with the text alone.

A byte alphabet under a rule that is compiled is cut, looked up and merged in one pass (`_Bytes`). Everything else is cut
by the readable rules, spelled, and merged pre-token by pre-token (`_Spelled`). From the lift on a second pass merges the
tokens of each text. Needs the kernels: ask engines.py.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import KEPT_FROM
from explorer.core.compiled_table import CompiledTable, PretokenCache, compiled_table, scratch
from explorer.core.corpus import Corpus
from explorer.core.distinct import frozen
from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.kernels import distinct_loops, splitting_loops, window_loops
from explorer.core.kernels import encoding_loops as loops
from explorer.core.kernels.merging_loops import Merges
from explorer.core.kernels.unicode_classes import character_classes
from explorer.core.pretokens import Losses, corpus_read
from explorer.core.progress import Stage, Step
from explorer.core.recipe import AlphabetKind, PreTokenRule
from explorer.core.spelled_cuts import CutSpeller
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Rank

SLICE = 1 << 17  # bytes that one call of a kernel encodes: about 3 ms where all is new
GROUPS_A_STEP = 10_000
SYMBOLS_A_STEP = 1 << 16

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Source = npt.NDArray[np.uint8] | npt.NDArray[np.int32]


@dataclass(slots=True)
class _Tokens:
    """Tokens with their spans, and the cuts that had any: group n of the tokens is cut n - 1."""

    ids: Int32s
    starts: Int64s
    ends: Int64s
    groups: Int64s
    losses: Losses


def fast_encoding_steps(
    table: MergeTable, data: bytes, merges: int | None = None, fired: list[Rank] | None = None
) -> Generator[Step, None, EncodedText]:
    """Encodes one text step by step, as `encoding.encoding_steps` does."""
    return (yield from _encode(table, Corpus.of_text(data), merges, fired))


def fast_corpus_encoding_steps(table: MergeTable, corpus: Corpus, merges: int | None = None) -> Generator[Step, None, EncodedText]:
    """Encodes the texts of a corpus, as `encoding.corpus_encoding_steps` does."""
    return (yield from _encode(table, corpus_read(corpus, table.recipe), merges, None))


def ids_steps(table: MergeTable, data: bytes, merges: int | None = None) -> Generator[Step, None, Int32s]:
    """The ids of a text's tokens alone, `KEPT_ID` for a kept character: a third of the time where spans are not wanted."""
    compiled = yield from compiled_table(table)
    count = len(table.merges) if merges is None else min(merges, len(table.merges))
    corpus = Corpus.of_text(data)
    if not _in_one_pass(table) or (table.lift_rank is not None and table.lift_rank <= count):
        return (yield from _encode(table, corpus, merges, None)).ids
    return (yield from _encode_bytes(table, compiled, corpus, count, with_spans=False)).ids


def _encode(table: MergeTable, corpus: Corpus, merges: int | None, fired: list[Rank] | None) -> Generator[Step, None, EncodedText]:
    compiled = yield from compiled_table(table)
    count = len(table.merges) if merges is None else min(merges, len(table.merges))
    if _in_one_pass(table):
        tokens = yield from _encode_bytes(table, compiled, corpus, count, with_spans=True)
    else:
        tokens = yield from _encode_spelled(table, compiled, corpus, count)
    if table.lift_rank is not None and table.lift_rank <= count:
        yield from _cross_boundaries(table, compiled, corpus, count, tokens)
    if fired is not None:
        fired.extend(compiled.fired(tokens.ids))
    tokens.ids[tokens.ids >= KEPT_FROM] = KEPT_ID
    return EncodedText(table, count, corpus.data, tokens.ids, tokens.starts, tokens.ends, tokens.groups, tokens.losses)


def _in_one_pass(table: MergeTable) -> bool:
    """Whether cutting and merging are one compiled loop for a table."""
    recipe = table.recipe
    return table.alphabet.kind is AlphabetKind.BYTES and recipe.pretokens is not PreTokenRule.PATTERN and recipe.joints is None


# Bytes, in one pass.


def _encode_bytes(
    table: MergeTable, compiled: CompiledTable, corpus: Corpus, count: int, with_spans: bool
) -> Generator[Step, None, _Tokens]:
    try:
        cache = compiled.free.pop()
    except IndexError:
        cache = PretokenCache()
    try:
        cache.begin(min(compiled.first + count, _lift_id(table, compiled)))
        run = _Bytes(table, compiled.before_lift, corpus, cache, with_spans)
        yield from run.steps()
        return run.tokens()
    finally:
        compiled.free.append(cache)


def _lift_id(table: MergeTable, compiled: CompiledTable) -> int:
    """The first id that may cross pre-tokens, or the one after the last."""
    return compiled.size if table.lift_rank is None else compiled.first + table.lift_rank


class _Bytes:
    """A text of bytes being encoded in one pass, with a cache of pre-tokens that is its own for as long."""

    def __init__(self, table: MergeTable, merges: Merges, corpus: Corpus, cache: PretokenCache, with_spans: bool) -> None:
        self.merges, self.cache = merges, cache
        self.data = frozen(np.frombuffer(corpus.data, np.uint8))
        none = frozen(np.zeros(0, np.int64))
        classes = frozen(character_classes())
        self.texts = distinct_loops.Texts(self.data, frozen(corpus.starts), none, classes, int(corpus.ended))
        self.rule: int = getattr(splitting_loops, table.recipe.pretokens.name)  # the kernel's numbers have the names of the rules
        self.with_spans = with_spans
        self.out = loops.Out(np.empty(0, np.int32), *(np.empty(0, np.int64) for _ in range(3)))
        self.grow()

    def steps(self) -> Generator[Step, None, None]:
        """Encodes all of it."""
        state, size = self.cache.state, len(self.data)
        while state[distinct_loops.AT] < size:
            stop = min(size, int(state[distinct_loops.AT]) + SLICE)
            why = loops.encode_texts(
                self.texts, self.cache.arrays, self.merges, self.cache.bound, self.cache.scratch, state, self.cache.long_state,
                self.out, self.rule, stop,
            )  # fmt: skip
            if why == loops.CACHE_FULL:
                self.cache.make_room()
            elif why == loops.OUT_FULL:
                self.grow()
            elif why == loops.LONG_MET:
                yield from self.long_pretoken()
            yield Step(Stage.ENCODING, int(state[distinct_loops.AT]), size)

    def grow(self, beyond: int = 0) -> None:
        """Makes room for the tokens to come, as many to a byte as there were so far and a tenth more, and `beyond` at least."""
        made, at, size = int(self.cache.state[loops.TOKENS]), int(self.cache.state[distinct_loops.AT]), len(self.data)
        share = 1.1 * (made + 1000) / at if at > SLICE else 0.4
        least = made + SLICE + window_loops.LONG + 2 * loops.INLINE + beyond
        room = max(least, min(int(share * size), size) + window_loops.LONG, len(self.out.ids) + len(self.out.ids) // 4)
        arrays = []
        for array in self.out:
            larger = np.empty(room if array is self.out.ids or self.with_spans else 0, array.dtype)
            larger[: made if len(larger) else 0] = array[:made]
            arrays.append(larger)
        self.out = loops.Out(*arrays)

    def long_pretoken(self) -> Generator[Step, None, None]:
        """Encodes the pre-token that was too long for the loop over all."""
        state = self.cache.state
        start, end, first = (int(state[at]) for at in (loops.LONG_START, loops.LONG_END, loops.TOKENS))
        if first + end - start + SLICE > len(self.out.ids):
            self.grow(end - start)
        last = yield from merge_long(self.data, start, end, self.merges, self.cache, self.out.ids, first)
        state[loops.GROUP] += 1
        state[loops.TOKENS], state[distinct_loops.AT] = last, end
        if self.with_spans:
            loops.fill_spans(self.out, self.merges, start, first, last, state[loops.GROUP])

    def tokens(self) -> _Tokens:
        """What was made."""
        made, out = int(self.cache.state[loops.TOKENS]), self.out
        return _Tokens(out.ids[:made], out.starts[:made], out.ends[:made], out.groups[:made], _losses(self.cache.state))


def _losses(state: Int64s) -> Losses:
    places = (distinct_loops.SPACES, distinct_loops.FIRST_SPACE, distinct_loops.LINE_ENDS, distinct_loops.FIRST_LINE_END)
    return Losses(*(int(state[at]) for at in places))


def merge_long(
    source: Source, start: int, end: int, merges: Merges, cache: PretokenCache, out: Int32s, first: int
) -> Generator[Step, None, int]:
    """Merges a long stretch of symbols into `out` from `first` on, in slices; returns the place after its last token."""
    state = cache.long_state
    window_loops.begin_stretch(state, start, first)
    while state[window_loops.AT] < end:
        stop = min(end, int(state[window_loops.AT]) + SYMBOLS_A_STEP)
        if not window_loops.merge_stretch(source, start, end, stop, merges, cache.bound, cache.scratch, state, out, first):
            return (yield from merge_in_heap(source, start, end, merges, cache.bound, out, first))
        yield Step(Stage.ENCODING, stop, len(source))
    return int(state[window_loops.MADE])


def merge_in_heap(source: Source, start: int, end: int, merges: Merges, bound: int, out: Int32s, first: int) -> Generator[Step, None, int]:
    """The same where no windows of the stretch go together: with a heap over all of it."""
    count, size = end - start, 0
    room = scratch(count)
    for at in range(0, count, SYMBOLS_A_STEP):
        size = window_loops.heap_stretch(source, start, count, merges, bound, room, size, at, min(at + SYMBOLS_A_STEP, count))
        yield Step(Stage.ENCODING, start, len(source))
    while size:
        size = window_loops.merge_heaped(count, merges, bound, room, size, SYMBOLS_A_STEP)
        yield Step(Stage.ENCODING, start, len(source))
    made: int = window_loops.read_stretch(count, room, out, first)
    return made


# Anything else: cut, spelled, merged.


def _encode_spelled(table: MergeTable, compiled: CompiledTable, corpus: Corpus, count: int) -> Generator[Step, None, _Tokens]:
    """Cuts, spells and merges piece by piece."""
    speller = CutSpeller(table, corpus, compiled.symbol_rows)
    cache = PretokenCache()
    cache.begin(min(compiled.first + count, _lift_id(table, compiled)))
    parts: list[tuple[Int32s, Int64s, Int64s, Int64s]] = []
    cuts = 0
    for piece in speller.pieces():
        ids, made_bounds = yield from _merge_groups(piece.symbols, piece.bounds, compiled.before_lift, cache)
        groups = np.repeat(np.arange(cuts + 1, cuts + len(made_bounds), dtype=np.int64), np.diff(made_bounds))
        cuts += len(made_bounds) - 1
        starts, ends = _covered(ids, compiled.before_lift, piece.starts, piece.ends)
        parts.append((ids, starts, ends, groups))
        yield Step(Stage.ENCODING, int(piece.ends[-1]) if len(piece.ends) else 0, len(corpus.data))
    none = np.empty(0, np.int64)
    parts.append((np.empty(0, np.int32), none, none, none))  # so that there is something to join
    columns = list(zip(*parts, strict=True))
    starts, ends, groups = (np.concatenate(column) for column in columns[1:])
    return _Tokens(np.concatenate(columns[0]), starts, ends, groups, speller.losses)


def _merge_groups(symbols: Int32s, bounds: Int64s, merges: Merges, cache: PretokenCache) -> Generator[Step, None, tuple[Int32s, Int64s]]:
    """The tokens of every group of symbols, and where each group's begin among them."""
    groups = len(bounds) - 1
    out, made_bounds = np.empty(len(symbols), np.int32), np.zeros(groups + 1, np.int64)
    at = 0
    while at < groups:
        stop = min(groups, at + GROUPS_A_STEP, max(at + 1, int(np.searchsorted(bounds, bounds[at] + SYMBOLS_A_STEP))))
        after = window_loops.merge_groups(
            symbols, bounds, at, stop, merges, cache.bound, cache.scratch, cache.long_state, out, made_bounds, made_bounds[at]
        )
        if after < stop:
            start, end = int(bounds[after]), int(bounds[after + 1])
            made_bounds[after + 1] = yield from merge_long(symbols, start, end, merges, cache, out, int(made_bounds[after]))
            after += 1
        at = after
        yield Step(Stage.ENCODING, int(bounds[at]), len(symbols))
    return out[: made_bounds[-1]], made_bounds


def _covered(ids: Int32s, merges: Merges, starts: Int64s, ends: Int64s) -> tuple[Int64s, Int64s]:
    """The spans of tokens, from those of what they were merged from."""
    widths = np.append(merges.widths, np.int32(1))[np.minimum(ids, len(merges.widths))]  # the last is a kept character's
    after = np.cumsum(widths, dtype=np.int64)
    return starts[after - widths], ends[after - 1]


# The second stage.


def _cross_boundaries(
    table: MergeTable, compiled: CompiledTable, corpus: Corpus, count: int, tokens: _Tokens
) -> Generator[Step, None, None]:
    """Merges the tokens of each text by the merges from the lift on; a text is a line where words lie in lines."""
    assert compiled.after_lift is not None, "a table with a lift has merges after it, be they none"
    begins = _begin_texts(table, corpus, tokens)
    firsts = np.flatnonzero(begins)
    bounds = np.unique(np.concatenate((np.zeros(1, np.int64), firsts, np.array([len(tokens.ids)], np.int64))))
    cache = PretokenCache()
    cache.begin(compiled.first + count)
    ids, made_bounds = yield from _merge_groups(tokens.ids, bounds, compiled.after_lift, cache)
    numbers = np.cumsum(begins, dtype=np.int64)[bounds[:-1]] if len(tokens.ids) else np.zeros(len(bounds) - 1, np.int64)
    tokens.groups = np.repeat(numbers, np.diff(made_bounds))
    tokens.starts, tokens.ends = _covered(ids, compiled.after_lift, tokens.starts, tokens.ends)
    tokens.ids = ids


def _begin_texts(table: MergeTable, corpus: Corpus, tokens: _Tokens) -> npt.NDArray[np.bool_]:
    """Whether each token begins what even the second stage does not cross: a text, a line of words, an LF that stands apart."""
    firsts = np.flatnonzero(np.diff(tokens.groups, prepend=0) > 0)  # of each cut: the one token whose span surely holds its first byte
    starts = tokens.starts[firsts]
    texts = np.searchsorted(corpus.starts, starts, side="right") - 1
    begins = np.diff(texts, prepend=0) != 0
    if table.recipe.pretokens in (PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS):
        data = np.frombuffer(corpus.data, np.uint8)
        line_ends = np.flatnonzero(data == splitting_loops.LF)
        lines = np.searchsorted(line_ends, starts) - np.searchsorted(line_ends, corpus.starts[texts])
        begins |= (np.diff(lines, prepend=0) != 0) | (data[starts] == splitting_loops.LF)
    whole = np.zeros(len(tokens.ids), np.bool_)
    whole[firsts] = begins
    return whole


__all__ = ["fast_corpus_encoding_steps", "fast_encoding_steps", "ids_steps", "merge_in_heap", "merge_long"]
