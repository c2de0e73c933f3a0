"""Two machine instructions for reading eight bytes at a time: the load, and the count of zero bits that finds a byte in them."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


def _load_word(_typing: Any, array: Any, at: Any) -> Any:  # Any: numba's own types, which it does not declare
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        shown = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(shown.data, [arguments[1]]), ir.IntType(64).as_pointer())
        return builder.load(place, align=1)

    return types.uint64(array, types.intp), generate


def _trailing_zeros(_typing: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


load_word: Callable[[Any, Any], Any] = intrinsic(_load_word)  # type: ignore[assignment]  # as it is called, not as it is made
"""The 8 bytes of a uint8 array from a place on as one little-endian uint64; the caller sees to it that they are there."""

trailing_zeros: Callable[[Any], Any] = intrinsic(_trailing_zeros)  # type: ignore[assignment]  # as it is called, not as it is made
"""How many zero bits a uint64 has below its lowest one; 64 for 0."""

__all__ = ["load_word", "trailing_zeros"]
