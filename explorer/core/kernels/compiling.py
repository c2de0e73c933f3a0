"""How a loop is compiled: the decorators `kernel` and `inlined`, and two instructions that Python has no word for.

Every kernel releases the interpreter, counts no references (`_nrt=False`: a kernel makes no arrays, it is given them)
and divides as the processor does. What a kernel calls is `inlined`: arrays handed to a function of its own would cost an
atomic count each time (a third of the speed: measured). `_nrt` is numba's own option without a promise; numba is
therefore pinned to its minor version.

Kernels look at no flag while they run. Each does a bounded stretch of work and returns, a few milliseconds at most, so
that the generator that called it can tell how far it is, and be closed.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba.core import cgutils, config, types
from numba.extending import intrinsic

from explorer.core.kernels import folder

Loop = TypeVar("Loop", bound=Callable[..., Any])  # Any: each loop has its own arguments
NJIT: Any = numba.njit  # Any: `_nrt` is not among the options it declares
CONFIG: Any = config  # Any: its settings are made at run time

AHEAD = 16  # how many places ahead of its use a slot is fetched


def kernel(loop: Loop) -> Loop:
    """The loop compiled at its first call, or loaded from the cache folder."""
    place, before = folder(), CONFIG.CACHE_DIR
    CONFIG.CACHE_DIR = "" if place is None else str(place)
    try:
        compiled: Loop = NJIT(loop, nogil=True, cache=place is not None, boundscheck=False, error_model="numpy", _nrt=False)
    finally:
        CONFIG.CACHE_DIR = before
    return compiled


def inlined(loop: Loop) -> Loop:
    """The loop compiled into every kernel that calls it."""
    compiled: Loop = NJIT(loop, nogil=True, boundscheck=False, error_model="numpy", forceinline=True, _nrt=False)
    return compiled


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:  # Any: numba's own types, which it does not declare
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        base = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        declared = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        instruction = cgutils.get_or_insert_function(builder.module, declared, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]  # llvmlite has no types
        address = builder.bitcast(builder.gep(base.data, [arguments[1]]), byte)
        builder.call(instruction, [address, word(1), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), codegen


prefetch: Callable[[Any, Any], None] = intrinsic(_prefetch)  # type: ignore[assignment]  # as it is called, not as it is made
"""A hint that element number `index` of a contiguous array is read and written soon; of two dimensions, counted through both."""
