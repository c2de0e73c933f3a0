"""Machine instructions that Python has no word for: eight or 64 bytes read at a time, and the count of zero bits that finds one of them."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

LANES = 64  # bytes that are looked at in one go


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


def _bytes_between(_typing: Any, array: Any, at: Any, fold: Any, low: Any, high: Any) -> Any:
    lanes = ir.VectorType(ir.IntType(8), LANES)

    def all_lanes(builder: Any, number: Any) -> Any:
        nothing, byte = ir.Constant(lanes, ir.Undefined), builder.trunc(number, ir.IntType(8))
        first = builder.insert_element(nothing, byte, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        shown = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(shown.data, [arguments[1]]), lanes.as_pointer())
        read = builder.or_(builder.load(place, align=1), all_lanes(builder, arguments[2]))
        above = builder.sub(read, all_lanes(builder, arguments[3]))
        most = all_lanes(builder, builder.sub(arguments[4], arguments[3]))
        return builder.bitcast(builder.icmp_unsigned("<=", above, most), ir.IntType(LANES))

    return types.uint64(array, types.intp, types.intp, types.intp, types.intp), generate


def _same_lanes(_typing: Any, array: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        shown = context.make_array(signature.args[0])(context, builder, arguments[0])
        lanes = ir.VectorType(ir.IntType(8), LANES)
        read = [builder.load(builder.bitcast(builder.gep(shown.data, [place]), lanes.as_pointer()), align=1) for place in arguments[1:]]
        differ = builder.bitcast(builder.icmp_unsigned("!=", *read), ir.IntType(LANES))
        return builder.icmp_unsigned("==", differ, ir.Constant(ir.IntType(LANES), 0))

    return types.boolean(array, types.intp, types.intp), generate


def _copy_pair(_typing: Any, ids: Any, to: Any, words: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        both = ir.VectorType(ir.IntType(64), 2).as_pointer()
        written, read = (context.make_array(signature.args[n])(context, builder, arguments[n]).data for n in (0, 2))
        pair = builder.load(builder.bitcast(builder.gep(read, [arguments[3]]), both), align=8)
        builder.store(pair, builder.bitcast(builder.gep(written, [arguments[1]]), both), align=4)
        return context.get_dummy_value()

    return types.void(ids, types.intp, words, types.intp), generate


def _bits_of(_typing: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        unused = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), unused)

    return types.int64(types.uint64), generate


load_word: Callable[[Any, Any], Any] = intrinsic(_load_word)  # type: ignore[assignment]  # as it is called, not as it is made
"""The 8 bytes of a uint8 array from a place on as one little-endian uint64; the caller sees to it that they are there."""

trailing_zeros: Callable[[Any], Any] = intrinsic(_trailing_zeros)  # type: ignore[assignment]  # as it is called, not as it is made
"""How many zero bits a uint64 has below its lowest one; 64 for 0."""

bytes_between: Callable[[Any, Any, Any, Any, Any], Any] = intrinsic(_bytes_between)  # type: ignore[assignment]  # as it is called
"""Which of 64 bytes of a uint8 array from a place on are `low` to `high` once the bits of `fold` are set; the first is the lowest bit."""

same_lanes: Callable[[Any, Any, Any], Any] = intrinsic(_same_lanes)  # type: ignore[assignment]  # as it is called, not as it is made
"""Whether the 64 bytes of an array from a place on are those from another place on, whatever its items are."""

copy_pair: Callable[[Any, Any, Any, Any], None] = intrinsic(_copy_pair)  # type: ignore[assignment]  # as it is called, not as it is made
"""Copies two words of a uint64 array from a place on over four numbers of an int32 array from a place on."""

bits_of: Callable[[Any], Any] = intrinsic(_bits_of)  # type: ignore[assignment]  # as it is called, not as it is made
"""How many bits it takes to write a uint64: its highest bit counted from 1, 0 for 0."""

__all__ = ["bits_of", "bytes_between", "copy_pair", "load_word", "same_lanes", "trailing_zeros"]
