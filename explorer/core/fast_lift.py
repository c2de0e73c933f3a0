"""The pre-tokens of the second stage, whole texts, out of what the first stage merged: `pretokens.lift_boundary`, compiled.

The corpus is encoded by the merges of the first stage, which gives every pre-token as that stage left it, in the order of
the corpus. Texts that are alike are not counted as one, as few are: every text lies where it stands.
"""

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText
from explorer.core.fast_encoding import stretch_encoding_steps, text_bounds_steps
from explorer.core.fast_pretokens import PreTokenArrays
from explorer.core.pretokens import refuse_too_large
from explorer.core.progress import Stage, Step
from explorer.core.recipe import PreTokenRule
from explorer.core.splitting import LF
from explorer.core.stretches import stretches
from explorer.core.table import MergeTable

BYTES_A_STRETCH = 1 << 21  # encoded at a time: room for spans is taken for so much only
TEXTS_A_STEP = 1_000  # laid out between two steps: some milliseconds

Result = TypeVar("Result")
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


def fast_lift_steps(corpus: Corpus, table: MergeTable, before: PreTokenArrays) -> Generator[Step, None, PreTokenArrays]:
    """The pre-tokens of the second stage of a corpus, as it was read; `table` has the merges of the first and no lift.

    Raises TooLargeError as `pretokens.lift_boundary` does.
    """
    texts = _Texts(corpus, by_line=table.recipe.pretokens in (PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS) and corpus.weights is None)
    for stretch in stretches(corpus, table.recipe, lifted=False, size=BYTES_A_STRETCH, marks=before.marks):
        step = Step(Stage.CUTTING, stretch.start, len(corpus.data))
        encoded = yield from _telling(step, stretch_encoding_steps(table, stretch))
        if table.recipe.pretokens is PreTokenRule.BYTE_WORDS:
            encoded = _without_line_ends(encoded)
        bounds, _ = yield from _telling(step, text_bounds_steps(stretch.corpus, encoded, by_line=texts.by_line))
        texts.add(stretch.start, encoded, bounds[:-1])
    tokens, bounds, offsets = texts.joined()
    if corpus.weights is not None:
        tokens, bounds, offsets = yield from _laid_out(corpus, tokens, bounds, offsets)
    once = np.ones(len(offsets), np.int64)
    return PreTokenArrays(
        tokens, bounds[:-1], np.diff(bounds), once, offsets, offsets, before.apart, before.losses, before.outside, before.marks
    )


@dataclass
class _Texts:
    """The texts gathered so far: their tokens, stretch by stretch, where each begins among them, and at which byte of the corpus."""

    corpus: Corpus
    by_line: bool
    tokens: list[Int32s] = field(default_factory=lambda: [np.empty(0, np.int32)])
    begins: list[Int64s] = field(default_factory=lambda: [np.empty(0, np.int64)])
    offsets: list[Int64s] = field(default_factory=lambda: [np.empty(0, np.int64)])
    size: int = 0
    last: int = -1  # the number of the last text

    def add(self, start: int, encoded: EncodedText, begins: Int64s) -> None:
        """Adds the texts of a stretch that begins at a byte of the corpus."""
        offsets, _ = encoded.spans_in(start, begins)
        if len(begins) and not self.by_line:  # of a text that goes on from the stretch before, the rest is no other text
            goes_on = int(self.corpus.text_at(int(offsets[0])) == self.last)
            self.last = self.corpus.text_at(int(offsets[-1]))
            begins, offsets = begins[goes_on:], offsets[goes_on:]
        self.tokens.append(encoded.ids)
        self.begins.append(begins + self.size)
        self.offsets.append(offsets)
        self.size += len(encoded)

    def joined(self) -> tuple[Int32s, Int64s, Int64s]:
        """All tokens, where the texts begin among them, with the end, and at which byte."""
        bounds = np.concatenate((*self.begins, np.array([self.size], np.int64)))
        return np.concatenate(self.tokens), bounds, np.concatenate(self.offsets)


def _telling(step: Step, work: Generator[Step, None, Result]) -> Generator[Step, None, Result]:
    """The same work, which tells that it is at another step."""
    try:
        while True:
            next(work)
            yield step
    except StopIteration as end:
        result: Result = end.value
        return result


def _without_line_ends(encoded: EncodedText) -> EncodedText:
    """The tokens without the LFs that stand apart."""
    kept = encoded.ids != LF
    if bool(kept.all()):
        return encoded
    ids, starts, ends, groups = encoded.ids[kept], encoded.starts[kept], encoded.ends[kept], encoded.groups[kept]
    return replace(encoded, ids=ids, starts=starts, ends=ends, groups=groups)


def _laid_out(corpus: Corpus, tokens: Int32s, bounds: Int64s, offsets: Int64s) -> Generator[Step, None, tuple[Int32s, Int64s, Int64s]]:
    """All rows as one text, in order, each repeated by its count."""
    rows = np.searchsorted(corpus.starts, offsets, side="right") - 1
    assert corpus.weights is not None, "only counted words are laid out"
    times = corpus.weights[rows].tolist()
    sizes = np.diff(bounds).tolist()
    size = 0
    for count, length in zip(times, sizes, strict=True):
        size += count * length
        refuse_too_large(size)
    out = np.empty(size, np.int32)
    at = 0
    for done, (start, length, count) in enumerate(zip(bounds.tolist(), sizes, times, strict=False)):
        out[at : at + length * count].reshape(count, length)[:] = tokens[start : start + length]
        at += length * count
        if done % TEXTS_A_STEP == 0:
            yield Step(Stage.CUTTING, int(offsets[done]), len(corpus.data))
    some = min(size, 1)
    return out, np.array([0, size][: some + 1], np.int64), np.zeros(some, np.int64)


__all__ = ["fast_lift_steps"]
