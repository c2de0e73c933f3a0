"""The corpus as a training left it, so that asking for more, or a fork at any rank before, need not replay the merges.

It is small: one number a token that is left; of a training that was stopped, one a symbol that there was. And the last
moment holds all moments before it, since a merge that is undone leaves what was there: a fork at merge 100 finds the
corpus by taking the tokens of later merges apart again.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from explorer.core.progress import Stage, Step
from explorer.core.vocabulary import Rank, TokenId

SLOTS_A_STEP = 1_000_000  # some milliseconds

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class KeptSlots:
    """The slots of a corpus with `rank` merges made, in whole texts where `lifted`, else in pre-tokens.

    `ids` are slots as in a layout, `until` and `counts` their weights; `widths` is how many slots each token takes, one entry
    for all where each takes one. `lefts` and `rights` are the parts of every token from `first_id` on, by id, that of a merge
    half done too.
    """

    ids: Int32s
    until: Int32s
    counts: Int64s
    widths: Int32s
    lefts: Int32s
    rights: Int32s
    first_id: TokenId
    rank: Rank
    lifted: bool

    @property
    def size(self) -> int:
        """Bytes of memory that the slots keep."""
        return self.ids.nbytes + self.until.nbytes + self.counts.nbytes

    def at(self, rank: Rank) -> "Generator[Step, None, KeptSlots]":
        """The slots with the first `rank` merges made, at most as many as were; each token takes one of them."""
        # Here: nothing else of this module needs what numba compiles, and trainings of the readable engine import it.
        from explorer.core.kernels import merging_loops, unmerging_loops

        rank = min(rank, self.rank)
        limit = self.first_id + rank
        sizes = np.empty(len(self.lefts), np.int32)
        merging_loops.fill_widths(sizes, self.lefts, self.rights, limit)
        size = slot = made = 0
        while slot < len(self.ids):
            parts, slot = unmerging_loops.count_parts(self.ids, self.widths, sizes, slot, min(slot + SLOTS_A_STEP, len(self.ids)))
            size += parts
            yield Step(Stage.REPLAYING, 0, 0)
        ids, until, waiting = np.empty(size, np.int32), np.empty_like(self.until), np.empty(len(self.lefts) + 1, np.int32)
        slot = stretch = 0
        while slot < len(self.ids):
            made, slot, stretch = unmerging_loops.write_parts(
                self.ids, self.widths, self.lefts, self.rights, limit, slot, min(slot + SLOTS_A_STEP, len(self.ids)), waiting, ids, made,
                self.until, until, stretch,
            )  # fmt: skip
            yield Step(Stage.REPLAYING, 0, 0)
        until[stretch:] = size
        return replace(
            self, ids=ids, until=until, widths=np.ones(1, np.int32), rank=rank, lefts=self.lefts[:limit], rights=self.rights[:limit]
        )


def nearest(kept: "list[KeptSlots]", rank: Rank, lifted: bool) -> KeptSlots | None:
    """Of some slots of one training those from which a merge is reached soonest: the earliest after it, else the last before."""
    there = [one for one in tuple(kept) if one.lifted == lifted]
    after = [one for one in there if one.rank >= rank]
    return min(after, key=lambda one: one.rank) if after else max(there, key=lambda one: one.rank, default=None)
