"""The pre-tokens of one stage laid out for the compiled loops.

The corpus lies in slots: the id of a token in its first and in its last slot, BORDER around every pre-token. The
pre-tokens lie in the order in which the tie rule looks through them, so that of two places the one in the lower slot is
the one met before: by first occurrence, or for last-met by last occurrence.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import KEPT_FROM
from explorer.core.fast_pretokens import PreTokenArrays
from explorer.core.figures import thousands
from explorer.core.kernels.counting_loops import BORDER, lay_pretokens
from explorer.core.memory import refuse_beyond_memory
from explorer.core.progress import Stage, Step
from explorer.core.recipe import TieRule
from explorer.core.vocabulary import TokenId
from explorer.errors import TooLargeError

MOST_SLOTS = 2**31 - 2
BYTES_A_SLOT = 16  # the slot, its place in the pool and room there for births, and what is written down about pairs: measured
PRETOKENS_A_STEP = 50_000
ONCE = np.zeros(1, np.int64)  # the weights of a corpus in which every pre-token counts once
WRITTEN_OUT_UP_TO = 1.5  # times the slots: so much is copied out rather than weighted, since a weight takes two slots' room


@dataclass(frozen=True, slots=True)
class Layout:
    """The slots of a corpus and how often each counts (one entry where each counts once)."""

    ids: npt.NDArray[np.int32]
    weights: npt.NDArray[np.int64]


def layout_steps(pretokens: PreTokenArrays, stand_in: TokenId | None, tie: TieRule) -> Generator[Step, None, Layout]:
    """Puts pre-tokens into slots; TooLargeError where there are more than slots can be numbered, or memory for them.

    What stands in no pair (a stand-in, a character that is kept without an id) is a BORDER.
    """
    order = _order_of(pretokens.last if tie is TieRule.LAST_MET else pretokens.first)
    counts, sizes = pretokens.counts[order], pretokens.lengths[order]
    once = bool((counts == 1).all())
    slots = int((sizes + 1).sum()) + 1
    repeated = not once and float((sizes + 1.0) @ counts) <= WRITTEN_OUT_UP_TO * slots
    if repeated:
        order = np.repeat(order, counts)
        slots = int((pretokens.lengths[order] + 1).sum()) + 1
    weighted = not once and not repeated
    _refuse_too_large(slots, weighted)
    ids = np.empty(slots, np.int32)
    ids[0] = BORDER
    slot, strange = 1, KEPT_FROM if stand_in is None else stand_in
    for first in range(0, len(order), PRETOKENS_A_STEP):
        here = order[first : first + PRETOKENS_A_STEP]
        slot = lay_pretokens(pretokens.symbols, pretokens.starts, pretokens.lengths, here, ids, slot, strange, KEPT_FROM)
        yield Step(Stage.CUTTING, first, len(order))
    weights = np.concatenate((np.zeros(1, np.int64), np.repeat(counts, sizes + 1))) if weighted else ONCE
    return Layout(ids, weights)


def _order_of(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers of the pre-tokens by their places; those met first are in that order already."""
    if bool((places[1:] > places[:-1]).all()):
        return np.arange(len(places))
    return np.argsort(places, kind="stable")


def _refuse_too_large(slots: int, weighted: bool) -> None:
    if slots > MOST_SLOTS:
        raise TooLargeError(
            f"This corpus has {thousands(slots)} symbols in different pre-tokens; {thousands(MOST_SLOTS)} can be counted. "
            "Open a part of it, or choose smaller pre-tokens."
        )
    refuse_beyond_memory(slots * (BYTES_A_SLOT + (8 if weighted else 0)), f"{thousands(slots)} symbols")


__all__ = ["BORDER", "ONCE", "Layout", "layout_steps"]
