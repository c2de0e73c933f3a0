"""Arrays of a stage of training as they begin: empty ones with room, and the table of pairs filled anew in slices."""

from collections.abc import Generator, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from explorer.core.growing import grow
from explorer.core.kernels import pair_loops as by_pair

PAIRS_A_STEP = 100_000  # entered into the table of pairs: about 3 ms
ENTRIES_A_STEP = 1 << 20  # of that table, emptied: about 1 ms

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


def refilled(table: Int32s, pairs: by_pair.Pairs, born: int) -> Generator[None, None, int]:
    """Empties a table of pairs and fills it with those that still occur, in slices; returns how many they are."""
    entered = 0
    for first, last in slices(table.size, ENTRIES_A_STEP):
        table[first:last] = by_pair.NONE
        yield
    for first, last in slices(born, PAIRS_A_STEP):
        entered += int(by_pair.enter_alive(table, pairs, first, last))
        yield
    return entered


def tokens_of(texts: Sequence[bytes], count: int, room: int) -> by_pair.Tokens:
    """The tokens there are, `count` of them, with their texts if those are asked for, and room for more."""
    tokens = by_pair.Tokens(narrow(room), wide(room), narrow(room), np.frombuffer(b"".join(texts), np.uint8).copy())
    tokens.width[:count] = 1
    if texts:
        tokens.text_size[:count] = [*map(len, texts)]
        tokens.text_start[:count] = np.cumsum(tokens.text_size[:count], dtype=np.int64) - tokens.text_size[:count]
        grow(tokens.text, tokens.text.size + (1 << 16))
    return tokens


def empty_pairs(size: int, *, by_place: bool) -> by_pair.Pairs:
    """Room for pairs, and for their keys where places are what decides between equal counts."""
    ids, start, counts, born = (np.empty(size, np.int64) for _ in range(4))
    places, after = (np.empty(size, np.int32) for _ in range(2))
    return by_pair.Pairs(ids, start, places, counts, born, np.empty(size if by_place else 0, np.int64), after)


def narrow(size: int) -> Int32s:
    """Zeros of 32 bits."""
    return np.zeros(size, np.int32)


def wide(size: int) -> Int64s:
    """Zeros of 64 bits."""
    return np.zeros(size, np.int64)


def slices(size: int, a_step: int) -> Iterator[tuple[int, int]]:
    """Stretches of so many places, each done in one step."""
    for first in range(0, size, a_step):
        yield first, min(size, first + a_step)
