"""Where runs of certain bytes end: lines, words, byte-words, blanks, signs; 64 bytes at a time.

A run of a hundred megabytes takes some ten milliseconds, so that a pre-token of any length is cut in one call.
"""

import numpy as np

from explorer.core.kernels.array_types import Bytes, Number
from explorer.core.kernels.compiling import inlined
from explorer.core.kernels.instructions import LANES, bytes_between, trailing_zeros

LF, CR, TAB, BLANK, QUOTE, SLASH = 10, 13, 9, 32, 39, 47
BYTE_BLANKS = np.int64(1 << BLANK | 1 << TAB | 1 << CR | 1 << LF)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
CAPITAL_A, CAPITAL_Z, SMALL_A, SMALL_Z, ZERO, NINE, DELETE = 65, 90, 97, 122, 48, 57, 127
FOLD = 0x20  # the bit between a capital and its small letter


@inlined
def places_of(data: Bytes, at: Number, byte: Number) -> Number:
    """Where a byte stands among the 64 at `at`, as bits."""
    return bytes_between(data, at, 0, byte, byte)


@inlined
def line_end(data: Bytes, at: Number, end: Number) -> Number:
    """Where the line at `at` ends: at its LF or the end of the text."""
    while at + LANES <= end:
        found = places_of(data, at, LF)
        if found:
            return at + trailing_zeros(found)
        at += LANES
    while at < end and data[at] != LF:
        at += 1
    return at


@inlined
def word_end(data: Bytes, at: Number, end: Number) -> Number:
    """Where the word at `at` ends, or the run of spaces and LFs at `at`: at the first byte of the other kind."""
    blank = data[at] == BLANK or data[at] == LF
    while at + LANES <= end:
        blanks = places_of(data, at, BLANK) | places_of(data, at, LF)
        others = ~blanks if blank else blanks
        if others:
            return at + trailing_zeros(others)
        at += LANES
    while at < end and (data[at] == BLANK or data[at] == LF) == blank:
        at += 1
    return at


@inlined
def is_byte_blank(byte: Number) -> Number:
    """Whether byte-words stand apart at a byte."""
    return byte <= BLANK and (BYTE_BLANKS >> byte) & 1


@inlined
def byte_word_end(data: Bytes, at: Number, end: Number) -> Number:
    """Where the byte-word at `at` ends: a word with the space before it, or one byte that is blank."""
    start = at
    if data[at] == BLANK:
        at += 1
    while at + LANES <= end:
        blanks = places_of(data, at, BLANK) | places_of(data, at, TAB) | places_of(data, at, CR) | places_of(data, at, LF)
        if blanks:
            return max(at + trailing_zeros(blanks), start + 1)
        at += LANES
    while at < end and not is_byte_blank(data[at]):
        at += 1
    return max(at, start + 1)


@inlined
def past_blanks(data: Bytes, at: Number, end: Number) -> Number:
    """How far blanks can be skipped at `at`, 64 at a time, so that something is left."""
    while at + LANES < end and places_of(data, at, BLANK) == ALL:
        at += LANES
    return at


@inlined
def past_letters(data: Bytes, at: Number, end: Number, first: Number, last: Number) -> Number:
    """How far ASCII letters from a first to a last one can be skipped at `at`, 64 at a time."""
    while at + LANES <= end and bytes_between(data, at, 0, first, last) == ALL:
        at += LANES
    return at


@inlined
def past_signs(data: Bytes, at: Number, end: Number) -> Number:
    """How far ASCII signs, which are no letter, number or space, can be skipped at `at`, 64 at a time."""
    while at + LANES <= end:
        others = bytes_between(data, at, FOLD, SMALL_A, SMALL_Z) | bytes_between(data, at, 0, ZERO, NINE)
        if others | bytes_between(data, at, 0, 0, BLANK) | bytes_between(data, at, 0, DELETE, 255):
            break
        at += LANES
    return at
