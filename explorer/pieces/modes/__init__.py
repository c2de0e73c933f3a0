"""The modes of the `pieces` command, in the order its help lists them."""

from explorer.pieces.modes import corpus, encode, growth, merges, pairs, price, round_trip
from explorer.pieces.modes.mode import Answer, Mode

MODES: tuple[Mode, ...] = (
    corpus.MODE,
    pairs.MODE,
    merges.MERGES,
    merges.VOCABULARY,
    encode.MODE,
    round_trip.MODE,
    price.MODE,
    growth.GROW,
    growth.CURVE,
)

__all__ = ["MODES", "Answer", "Mode"]
