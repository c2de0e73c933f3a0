"""What the compiled loops wrote down in one stage of a training: all that its timeline is made of, and nothing that learns.

It never changes again, so that trainings share it: one that went on has the stages of the one it went on from, and a fork
has those of its parent, of which it goes by the merges before it left.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.kernels.training_state import History
from explorer.core.training import Training
from explorer.core.vocabulary import Rank, TokenId


@dataclass(frozen=True, slots=True, eq=False)
class StageHistory:
    """The merges of a stage from rank `first_rank` on, the first of which made token `first_id`.

    `left`, `right` and `born` (the count then) have one entry a pair, in the order they were born; pairs that never
    occurred `kept_from` times are not among them.
    """

    first_id: TokenId
    first_rank: Rank
    kept_from: int
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    born: npt.NDArray[np.int64]
    history: History

    @property
    def made(self) -> int:
        """How many merges were made."""
        return len(self.history.merges)


@dataclass(frozen=True, slots=True, eq=False)
class FastHistory:
    """The stages of a training, each up to the first rank of the next; what it wrote down beyond that is of another training."""

    stages: tuple[StageHistory, ...]

    def before(self, rank: Rank) -> tuple[StageHistory, ...]:
        """The stages that begin before a rank."""
        return tuple(stage for stage in self.stages if stage.first_rank < rank)


def history_of(training: Training) -> FastHistory | None:
    """The history that a training brought, if it has all its merges and all pairs that its recipe ranks."""
    history = training.history
    if not isinstance(history, FastHistory) or not history.stages:
        return None
    last = history.stages[-1]
    followed = all(stage.kept_from <= training.recipe.min_count for stage in history.stages)
    return history if followed and last.first_rank + last.made >= training.learned else None
