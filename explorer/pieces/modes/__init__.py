"""The modes of the `pieces` command, in the order its help lists them."""

from explorer.pieces.modes import (
    alphabets,
    annals,
    corpus,
    encode,
    growth,
    joints,
    merges,
    optimum,
    pairs,
    price,
    round_trip,
    script,
    stages,
    ties,
    walk,
)
from explorer.pieces.modes.mode import Answer, Mode

MODES: tuple[Mode, ...] = (
    annals.MODE,
    corpus.MODE,
    pairs.MODE,
    merges.MERGES,
    merges.VOCABULARY,
    encode.MODE,
    round_trip.MODE,
    price.MODE,
    growth.GROW,
    growth.CURVE,
    walk.MODE,
    ties.MODE,
    optimum.MODE,
    stages.MODE,
    joints.MODE,
    alphabets.MODE,
    script.MODE,
)

__all__ = ["MODES", "Answer", "Mode"]
