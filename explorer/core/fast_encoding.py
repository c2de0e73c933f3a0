"""Encoding by compiled loops: exactly what encoding.py gives, in time that grows with the text alone.

A byte alphabet under a rule that is compiled is cut, looked up and merged in one pass (byte_encoding.py). Everything else
is cut and spelled (spelled_cuts.py), and merged pre-token by pre-token. From the lift on a second pass merges the tokens of
each text. Needs the kernels: ask engines.py.
"""

from collections.abc import Generator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import KEPT_FROM
from explorer.core.byte_encoding import ByteTexts, encode_bytes
from explorer.core.compiled_table import CompiledTable, PretokenCache, compiled_table
from explorer.core.corpus import Corpus
from explorer.core.distinct import MapChunks, frozen
from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.kernels import text_loops
from explorer.core.mapped import letting_go
from explorer.core.marking import marks_steps
from explorer.core.marks import Marks
from explorer.core.merging import covered, merge_groups
from explorer.core.pretokens import Losses, read_steps
from explorer.core.progress import Stage, Step
from explorer.core.recipe import AlphabetKind, PreTokenRule
from explorer.core.spelled_cuts import CutSpeller
from explorer.core.stretches import Stretch
from explorer.core.table import MergeTable
from explorer.core.token_arrays import TOKENS_A_STEP, Gathered, Tokens
from explorer.core.vocabulary import Rank

GROUPS_A_STEP = 10_000  # texts

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


def fast_encoding_steps(
    table: MergeTable, data: bytes, merges: int | None = None, fired: list[Rank] | None = None, map_chunks: MapChunks | None = None
) -> Generator[Step, None, EncodedText]:
    """Encodes one text step by step, as `encoding.encoding_steps` does; a long one on the caller's threads if there are any."""
    return (yield from _encode(table, Corpus.of_text(data), merges, fired, map_chunks))


def fast_corpus_encoding_steps(
    table: MergeTable, corpus: Corpus, merges: int | None = None, map_chunks: MapChunks | None = None, marks: Marks | None = None
) -> Generator[Step, None, EncodedText]:
    """Encodes the texts of a corpus, as `encoding.corpus_encoding_steps` does; on the caller's threads if there are any.

    `marks` are those of the corpus under a split pattern of one's own; where there are none, its matches are looked for.
    """
    read = yield from read_steps(corpus, table.recipe)
    return (yield from letting_go(_encode(table, read, merges, None, map_chunks, marks), read.data))


def stretch_encoding_steps(table: MergeTable, stretch: Stretch, merges: int | None = None) -> Generator[Step, None, EncodedText]:
    """Encodes a stretch of a corpus, without the byte that a pattern was let see behind it."""
    encoded = yield from fast_corpus_encoding_steps(table, stretch.corpus, merges, marks=stretch.marks)
    size = stretch.end - stretch.start
    if size == len(encoded.data):
        return encoded
    here = slice(encoded.starting_before(size))
    return replace(
        encoded, data=encoded.data[:size], ids=encoded.ids[here], starts=encoded.starts[here], ends=encoded.ends[here],
        groups=encoded.groups[here],
    )  # fmt: skip


def ids_steps(
    table: MergeTable, data: bytes, merges: int | None = None, map_chunks: MapChunks | None = None
) -> Generator[Step, None, Int32s]:
    """The ids of a text's tokens alone, `KEPT_ID` for a kept character: a third less time where spans are not wanted."""
    compiled = yield from compiled_table(table)
    count = _merges_used(table, merges)
    corpus = Corpus.of_text(data)
    if not _in_one_pass(table) or (table.lift_rank is not None and table.lift_rank <= count):
        return (yield from _encode(table, corpus, merges, None, map_chunks)).ids
    bound = min(compiled.first + count, _lift_id(table, compiled))
    marks = yield from marks_steps(corpus, table.recipe)
    return (yield from encode_bytes(ByteTexts(table, compiled, corpus, bound, with_spans=False, marks=marks), map_chunks)).ids


def _encode(
    table: MergeTable, corpus: Corpus, merges: int | None, fired: list[Rank] | None, map_chunks: MapChunks | None,
    marks: Marks | None = None,
) -> Generator[Step, None, EncodedText]:
    compiled = yield from compiled_table(table)
    count = _merges_used(table, merges)
    bound = min(compiled.first + count, _lift_id(table, compiled))
    if _in_one_pass(table):
        marks = marks or (yield from marks_steps(corpus, table.recipe))
        tokens = yield from encode_bytes(ByteTexts(table, compiled, corpus, bound, with_spans=True, marks=marks), map_chunks)
    else:
        tokens = yield from _encode_spelled(table, compiled, corpus, bound)
    if table.lift_rank is not None and table.lift_rank <= count:
        yield from cross_boundaries_steps(table, compiled, corpus, count, tokens)
    if fired is not None:
        fired.extend((yield from compiled.fired(tokens.ids)))
    if compiled.symbol_rows:
        for first in range(0, len(tokens.ids), TOKENS_A_STEP):
            ids = tokens.ids[first : first + TOKENS_A_STEP]
            ids[ids >= KEPT_FROM] = KEPT_ID
            yield Step(Stage.ENCODING, first, len(tokens.ids))
    return EncodedText(table, count, corpus.data, tokens.ids, tokens.starts, tokens.ends, tokens.groups, tokens.losses)


def _merges_used(table: MergeTable, merges: int | None) -> int:
    """How many of a table's merges apply where so many are asked for."""
    if merges is not None and merges < 0:
        raise ValueError(f"{merges} merges cannot be applied")
    return len(table.merges) if merges is None else min(merges, len(table.merges))


def _in_one_pass(table: MergeTable) -> bool:
    """Whether cutting and merging are one compiled loop for a table."""
    return table.alphabet.kind is AlphabetKind.BYTES and table.recipe.joints is None


def _lift_id(table: MergeTable, compiled: CompiledTable) -> int:
    """The first id that may cross pre-tokens, or the one after the last."""
    return compiled.size if table.lift_rank is None else compiled.first + table.lift_rank


# Anything else: cut, spelled, merged.


def _encode_spelled(table: MergeTable, compiled: CompiledTable, corpus: Corpus, bound: int) -> Generator[Step, None, Tokens]:
    """Cuts, spells and merges piece by piece."""
    speller = CutSpeller(table, corpus, compiled.symbol_rows)
    cache = PretokenCache()
    cache.begin(bound)
    seen = 0
    gathered = Gathered(len(corpus.data), spans=True, gapless=False)
    for piece in speller.pieces():
        ids, made_bounds = yield from merge_groups(piece.symbols, piece.bounds, compiled.before_lift, cache)
        groups = np.repeat(np.arange(1, len(made_bounds), dtype=np.int32), np.diff(made_bounds))
        starts, ends = covered(ids, compiled.before_lift, piece.starts, piece.ends)
        part = Tokens(ids, starts.astype(np.int32), ends.astype(np.int32), groups, Losses())  # the low bits of each
        seen = int(piece.ends[-1]) if len(piece.ends) else seen
        yield from gathered.add_steps(part, seen)
        yield Step(Stage.ENCODING, seen, len(corpus.data))
    tokens = gathered.tokens()
    tokens.losses = speller.losses
    return tokens


# The second stage.


def cross_boundaries_steps(
    table: MergeTable, compiled: CompiledTable, corpus: Corpus, count: int, tokens: Tokens
) -> Generator[Step, None, None]:
    """Merges the tokens of each text by the merges from the lift on; a text is a line where words lie in lines."""
    assert compiled.after_lift is not None, "a table with a lift has merges after it, be they none"
    by_line = table.recipe.pretokens in (PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS)
    bounds, numbers = yield from text_bounds_steps(corpus, tokens, by_line=by_line)
    cache = PretokenCache()
    cache.begin(compiled.first + count)
    ids, made_bounds = yield from merge_groups(tokens.ids, bounds, compiled.after_lift, cache)
    starts, ends, groups = (np.empty(len(ids), tokens.starts.dtype) for _ in range(3))
    before = 0
    for first in range(0, len(numbers), GROUPS_A_STEP):
        stop = min(first + GROUPS_A_STEP, len(numbers))
        before = text_loops.cover(
            ids, made_bounds, numbers, first, stop, compiled.after_lift.widths, before, tokens.starts, tokens.ends, starts, ends, groups
        )
        yield Step(Stage.ENCODING, first, len(numbers))
    tokens.ids, tokens.starts, tokens.ends, tokens.groups = ids, starts, ends, groups


def text_bounds_steps(corpus: Corpus, tokens: Tokens | EncodedText, *, by_line: bool) -> Generator[Step, None, tuple[Int64s, Int64s]]:
    """Where the tokens of each text begin, with the end of the last, and the number of each text; `by_line` also of each line."""
    data, text_starts = frozen(np.frombuffer(corpus.data, np.uint8)), frozen(corpus.starts)
    state, size = np.zeros(text_loops.STATE_SIZE, np.int64), len(tokens.ids)
    bounds, numbers = np.empty(size + 1, np.int64), np.empty(size, np.int64)
    for first in range(0, size, TOKENS_A_STEP):
        stop = min(first + TOKENS_A_STEP, size)
        text_loops.bound_texts(data, text_starts, by_line, tokens.starts, tokens.groups, first, stop, state, bounds, numbers)
        yield Step(Stage.ENCODING, first, size)
    count = int(state[text_loops.BOUNDS])
    bounds[count] = size
    return bounds[: count + 1], numbers[:count]


__all__ = [
    "cross_boundaries_steps", "fast_corpus_encoding_steps", "fast_encoding_steps", "ids_steps", "stretch_encoding_steps",
    "text_bounds_steps",
]  # fmt: skip
