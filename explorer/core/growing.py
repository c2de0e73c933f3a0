"""Arrays that grow in place while a window beside them stays alive.

numpy clears the entries that `resize` adds, and the interpreter is held meanwhile: 100 MB take 45 ms. So an array grows by
slices, between which another thread gets its turn. The system moves the pages of a large array and copies nothing; where
it does copy, eight slices at most bound what that costs.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

SLICE = 1 << 22  # bytes cleared at a time: about 2 ms
SLICES = 8


def grow(array: npt.NDArray[Any], size: int) -> None:  # Any: arrays of every kind of number
    """Makes an array `size` long, its new entries 0; nobody else may hold it. One that is as long stays as it is."""
    row = array.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))
    step = max(1, SLICE // row, -(-(size - len(array)) // SLICES))
    while len(array) < size:
        array.resize((min(size, len(array) + step), *array.shape[1:]), refcheck=False)
