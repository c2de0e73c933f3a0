"""The tokens of a text as a view needs them: byte spans in arrays, without the tokenizer that made them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

NO_ID = -1  # in `Spans.ids`, for a character that is kept without one


@dataclass(frozen=True, slots=True)
class Span:
    """One token of a text.

    It covers the bytes [start, end), none at all for a bare end-of-word marker. `single` says that no merge made
    it, so it gets no tint; `marked` that it carries the end-of-word marker, drawn after its last character.
    """

    start: int
    end: int
    token_id: int | None
    single: bool
    marked: bool = False


@dataclass(frozen=True, eq=False)
class Spans:
    """All tokens of a text, in text order: they do not overlap, but bytes between them may belong to none.

    One entry a token: `starts`, `ends` and `ids` are int64, `single` and `marked` bool, `groups` int64 or None.
    Two neighbours can be a pair only if they touch and their groups (pre-tokens) are equal. `word_ends` are the bytes
    inside tokens at which words end too, as in tokens merged over a boundary.
    """

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int64]
    single: npt.NDArray[np.bool_]
    marked: npt.NDArray[np.bool_]
    groups: npt.NDArray[np.int64] | None = None
    word_ends: npt.NDArray[np.int64] | None = None

    @classmethod
    def of(cls, spans: Sequence[Span]) -> "Spans":
        """The arrays of a sequence of spans."""
        return cls(
            np.array([s.start for s in spans], dtype=np.int64),
            np.array([s.end for s in spans], dtype=np.int64),
            np.array([NO_ID if s.token_id is None else s.token_id for s in spans], dtype=np.int64),
            np.array([s.single for s in spans], dtype=np.bool_),
            np.array([s.marked for s in spans], dtype=np.bool_),
        )

    @classmethod
    def none(cls) -> "Spans":
        """No tokens: text that is not encoded yet."""
        return cls.of(())

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.starts)

    def __getitem__(self, n: int) -> Span:
        """The n-th token, 0-based."""
        token_id = int(self.ids[n])
        known = None if token_id == NO_ID else token_id
        return Span(int(self.starts[n]), int(self.ends[n]), known, bool(self.single[n]), bool(self.marked[n]))

    def at_byte(self, offset: int) -> int | None:
        """Which token covers a byte; None for a byte that no token stands for."""
        n = int(np.searchsorted(self.starts, offset, side="right")) - 1
        while n >= 0 and self.starts[n] == self.ends[n]:  # the bare marker covers none
            n -= 1
        return n if n >= 0 and self.starts[n] <= offset < self.ends[n] else None

    def markers(self) -> npt.NDArray[np.int64]:
        """The bytes after which an end-of-word marker is drawn, each once, ascending."""
        ends = self.ends[self.marked]
        return np.unique(ends if self.word_ends is None else np.concatenate([ends, self.word_ends]))

    def turns(self) -> npt.NDArray[np.int64]:
        """Which merged token, counted from 0, each one is, so that tints take turns; meaningless where `single`."""
        return np.cumsum(~self.single) - 1

    def edges(self) -> npt.NDArray[np.int64]:
        """The bytes where a token starts or ends, each once, ascending."""
        return np.unique(np.concatenate([self.starts, self.ends]))

    def pairs(self, left: int, right: int) -> npt.NDArray[np.int64]:
        """The places where a merge of (left, right) would fire: the index of each left half, left to right without overlap."""
        if len(self) < 2:
            return np.zeros(0, dtype=np.int64)
        here = (self.ids[:-1] == left) & (self.ids[1:] == right) & (self.ends[:-1] == self.starts[1:])
        if self.groups is not None:
            here &= self.groups[:-1] == self.groups[1:]
        found = np.flatnonzero(here)
        return found if left != right else _every_other(found)


def _every_other(found: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of places in a row (aaa holds aa at 0 and 1) the first, third, ...: what is replaced without overlap."""
    if not len(found):
        return found
    run_starts = np.flatnonzero(np.diff(found, prepend=found[0] - 2) != 1)
    lengths = np.diff(np.append(run_starts, len(found)))
    place = np.arange(len(found)) - np.repeat(run_starts, lengths)
    kept: npt.NDArray[np.int64] = found[place % 2 == 0]
    return kept
