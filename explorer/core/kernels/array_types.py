"""What kernels are given, in words for the type checker; numba finds the types by itself."""

from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Places = npt.NDArray[np.signedinteger[Any]]  # in a text: int32 where it has less than two gigabytes
Source = Bytes | Int32s  # symbols, be they bytes or ids
Words = npt.NDArray[np.uint64]  # of 64 bits
Number = Any  # an integer or a truth value, of the width that numba infers
