"""The pre-tokens of one stage laid out for the compiled loops.

The corpus lies in slots: the id of a token in its first and in its last slot, BORDER around every pre-token. Where the
tie rule looks at places the pre-tokens lie in the order in which it looks through them, so that of two places the one in
the lower slot is the one met before: by first occurrence, or for last-met by last occurrence. Otherwise they lie in the
order of their counts: then the few pre-tokens that make up most of a text lie together, and there are few stretches of
pre-tokens that count alike.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import KEPT_FROM
from explorer.core.distinct import MapChunks
from explorer.core.fast_pretokens import PreTokenArrays
from explorer.core.figures import thousands
from explorer.core.kernels.counting_loops import BORDER, Weights, lay_pretokens
from explorer.core.memory import BYTES_A_SLOT, refuse_beyond_memory
from explorer.core.progress import Stage, Step
from explorer.core.recipe import TieRule
from explorer.core.vocabulary import TokenId
from explorer.errors import TooLargeError

MOST_SLOTS = 2**31 - 2
PRETOKENS_A_STEP = 20_000
SYMBOLS_A_STEP = 1 << 20  # some milliseconds, as the memory they are laid into is mostly new
SORTED_BELOW = 1 << 16  # counts that are put in order: rarer ones, of which there are many; numpy sorts 16 bits fastest


@dataclass(frozen=True, slots=True)
class Layout:
    """The slots of a corpus and how often each counts."""

    ids: npt.NDArray[np.int32]
    weights: Weights


def layout_steps(
    pretokens: PreTokenArrays, stand_in: TokenId | None, tie: TieRule, map_chunks: MapChunks | None = None
) -> Generator[Step, None, Layout]:
    """Puts pre-tokens into slots; TooLargeError where there are more than slots can be numbered, or memory for them.

    What stands in no pair (a stand-in, a character that is kept without an id) is a BORDER. They are laid on the caller's
    threads if there are any.
    """
    size = int(pretokens.lengths.sum()) + len(pretokens) + 1
    _refuse_too_large(size)
    slots, weights = yield from _places_steps(pretokens, tie, size)
    ids = np.empty(size, np.int32)
    ids[0] = BORDER
    strange, done = KEPT_FROM if stand_in is None else stand_in, 0

    def lay(chunk: tuple[int, int]) -> int:
        lay_pretokens(pretokens.symbols, pretokens.starts, pretokens.lengths, slots, *chunk, ids, strange, KEPT_FROM)
        return chunk[1]

    long = np.flatnonzero(pretokens.lengths > SYMBOLS_A_STEP).tolist()
    for number in long:
        yield from _lay_long(pretokens, number, int(slots[number]), ids, strange)
    lent: MapChunks = map_chunks or map
    for ended in lent(lay, _chunks(pretokens.lengths, long)):
        done = done if ended is None else ended
        yield Step(Stage.CUTTING, done, len(slots))
    return Layout(ids, weights)


def _chunks(lengths: npt.NDArray[np.int64], long: list[int]) -> Iterator[tuple[int, int]]:
    """Stretches of the pre-tokens between the long ones: of `PRETOKENS_A_STEP` at most, and of not many more symbols than a step has."""
    for last, stop in pairwise((-1, *long, len(lengths))):
        for at in range(last + 1, stop, PRETOKENS_A_STEP):
            end = min(at + PRETOKENS_A_STEP, stop)
            full = np.flatnonzero(np.diff(np.cumsum(lengths[at:end]) // SYMBOLS_A_STEP)) + (at + 1)
            yield from pairwise((at, *full.tolist(), end))


def _places_steps(pretokens: PreTokenArrays, tie: TieRule, size: int) -> Generator[Step, None, tuple[npt.NDArray[np.int32], Weights]]:
    """The slot where each pre-token begins, and how often what lies in a slot counts; there are `size` slots."""
    order = _order_of(pretokens, tie)
    yield Step(Stage.CUTTING, 0, len(order))
    slots, stretches, slot = np.empty(len(order), np.int32), _Stretches(), 1
    for first in range(0, len(order), PRETOKENS_A_STEP):
        here = order[first : first + PRETOKENS_A_STEP]
        sizes = pretokens.lengths[here] + 1
        ends = np.cumsum(sizes) + slot
        slots[here] = ends - sizes
        stretches.add(pretokens.counts[here], ends, slot)
        slot = int(ends[-1])
        yield Step(Stage.CUTTING, 0, len(order))
    return slots, stretches.weights(size)


def _lay_long(
    pretokens: PreTokenArrays, number: int, slot: int, ids: npt.NDArray[np.int32], strange: TokenId
) -> Generator[Step, None, None]:
    """Lays a long pre-token from a slot on, in parts: the border after each gives way to the next one."""
    start, length, starts = int(pretokens.starts[number]), int(pretokens.lengths[number]), pretokens.starts
    for at in range(0, length, SYMBOLS_A_STEP):
        part = _one(start + at, starts), _one(min(SYMBOLS_A_STEP, length - at), pretokens.lengths), np.array([slot + at], np.int32)
        lay_pretokens(pretokens.symbols, *part, 0, 1, ids, strange, KEPT_FROM)
        yield Step(Stage.CUTTING, 0, len(starts))


def _one(number: int, like: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """An array of one number that the loop takes for one like another."""
    made = np.array([number], np.int64)
    made.flags.writeable = like.flags.writeable
    return made


def _order_of(pretokens: PreTokenArrays, tie: TieRule) -> npt.NDArray[np.int64]:
    """The numbers of the pre-tokens in the order in which they lie."""
    if tie not in (TieRule.FIRST_MET, TieRule.LAST_MET):
        return np.argsort(np.minimum(pretokens.counts, SORTED_BELOW - 1).astype(np.uint16), kind="stable")
    places = pretokens.last if tie is TieRule.LAST_MET else pretokens.first
    if bool((places[1:] > places[:-1]).all()):  # those met first are in that order already
        return np.arange(len(places))
    return np.argsort(places, kind="stable")


class _Stretches:
    """The stretches of slots that count alike, from the counts and ends of the pre-tokens as they lie, some at a time."""

    def __init__(self) -> None:
        self._until: list[npt.NDArray[np.int64]] = []
        self._counts: list[npt.NDArray[np.int64]] = []
        self._last = 1  # the count of the pre-token before those to come

    def add(self, counts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], slot: int) -> None:
        """Adds pre-tokens of which the first lies at a slot; `ends` are the slots after each and its border."""
        if slot > 1 and counts[0] != self._last:
            self._until.append(np.array([slot]))
            self._counts.append(np.array([self._last]))
        last = np.flatnonzero(counts[1:] != counts[:-1])
        self._until.append(ends[last])
        self._counts.append(counts[last])
        self._last = int(counts[-1])

    def weights(self, slots: int) -> Weights:
        """The stretches, the last up to the last of all slots."""
        until = np.concatenate((*self._until, np.array([slots]))).astype(np.int32)
        return Weights(until, np.concatenate((*self._counts, np.array([self._last]))))


def _refuse_too_large(slots: int) -> None:
    if slots > MOST_SLOTS:
        raise TooLargeError(
            f"This corpus has {thousands(slots)} symbols in different pre-tokens; {thousands(MOST_SLOTS)} can be counted. "
            "Open a part of it, or choose smaller pre-tokens."
        )
    refuse_beyond_memory(
        slots * BYTES_A_SLOT, f"The {thousands(slots)} symbols of this corpus",
        "Open a part of it, or choose pre-tokens that occur again and again, as words do or those of GPT-2.",
    )


__all__ = ["BORDER", "Layout", "layout_steps"]
