"""The tokens of a text as arrays while they are made, part by part, and how the parts become one.

Places and the numbers of groups are made in 32 bits, whatever the size of the text: memory that is written to for the first time
costs more than anything else here. Of a text of two gigabytes or more those are the low bits, and joining the parts gives
back the others, as places only ever grow.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from explorer.core.encoding import Places, place_type
from explorer.core.pretokens import Losses
from explorer.core.progress import Stage, Step

TOKENS_A_STEP = 1 << 18  # about 2 ms
LOW = (1 << 32) - 1

Kind = TypeVar("Kind", bound=np.signedinteger[Any])
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


@dataclass(slots=True)
class Tokens:
    """Tokens with their spans, and the cuts that had any: group n of the tokens is cut n - 1.

    `starts`, `ends` and `groups` are of the type that `place_type` gives for the text; of a part of the tokens they are int32, the
    low bits of each. They are empty where ids alone were wanted.
    """

    ids: Int32s
    starts: Places
    ends: Places
    groups: Places
    losses: Losses


def room_for_spans(count: int, kind: type[Kind], *, gapless: bool) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
    """Room for the starts and ends of so many tokens, not written to; both in one array where every token starts where one ends."""
    if not gapless:
        return np.empty(count, kind), np.empty(count, kind)
    edges = np.empty(count + 1, kind)
    return edges[:-1], edges[1:]


def joined_steps(parts: list[Tokens], size: int, *, gapless: bool) -> Generator[Step, None, Tokens]:
    """The tokens of parts that follow each other in a text of `size` bytes, their groups numbered on.

    `parts` is emptied on the way, so that the tokens are there only once.
    """
    count, losses = sum(len(part.ids) for part in parts), joined_losses([part.losses for part in parts])
    spans, kind = count if any(len(part.starts) for part in parts) else 0, place_type(size)
    out = Tokens(np.empty(count, np.int32), *room_for_spans(spans, kind, gapless=gapless), np.empty(spans, kind), losses)
    at = groups = 0
    parts.reverse()
    while parts:
        part, before = parts.pop(), groups
        for first in range(0, len(part.ids), TOKENS_A_STEP):
            some = slice(first, first + TOKENS_A_STEP)
            here = slice(at, at + len(part.ids[some]))
            out.ids[here] = part.ids[some]
            if spans:
                out.starts[here] = _whole(part.starts[some], int(out.starts[at - 1]) if at else 0, kind)
                out.ends[here] = _whole(part.ends[some], int(out.ends[at - 1]) if at else 0, kind)
                out.groups[here] = _whole(part.groups[some], groups - before, kind) + kind(before)
                groups = int(out.groups[here.stop - 1])
            at = here.stop
            yield Step(Stage.ENCODING, size, size)
    return out


def _whole(low: Places, before: int, kind: type[np.signedinteger[Any]]) -> Places:
    """Numbers that grow from `before` on, each by less than 2^32, given the low 32 bits of each."""
    if kind is np.int32:
        return low
    grown = np.diff(low.view(np.uint32), prepend=np.uint32(before & LOW))
    return before + np.cumsum(grown, dtype=np.int64)


def joined_losses(losses: list[Losses]) -> Losses:
    """The losses of parts that follow each other."""
    spaces, line_ends = sum(each.spaces for each in losses), sum(each.line_ends for each in losses)
    first_space = next((each.first_space for each in losses if each.spaces), -1)
    first_line_end = next((each.first_line_end for each in losses if each.line_ends), -1)
    return Losses(spaces, first_space, line_ends, first_line_end)


__all__ = ["TOKENS_A_STEP", "Tokens", "joined_steps", "room_for_spans"]
