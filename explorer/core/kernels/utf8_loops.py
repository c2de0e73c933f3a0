"""The character at a place in a text of bytes that need not be UTF-8."""

import numpy as np

from explorer.core.kernels.array_types import Bytes, Number
from explorer.core.kernels.compiling import inlined
from explorer.core.kernels.unicode_classes import STRAY


@inlined
def symbol_at(data: Bytes, at: Number, end: Number) -> Number:
    """The symbol at `at`, times 8, plus its length in bytes: its code point, or STRAY plus the value of a stray byte.

    What is no UTF-8 is what Python says: no long forms, no surrogates, nothing above U+10FFFF, and each byte of it a stray.
    """
    first = np.int64(data[at])
    if first < 0x80:
        return (first << 3) | 1
    if first >= 0xC2 and at + 1 < end:
        second = np.int64(data[at + 1])
        if second & 0xC0 == 0x80:
            if first < 0xE0:
                return ((((first & 0x1F) << 6) | (second & 0x3F)) << 3) | 2
            if at + 2 < end and np.int64(data[at + 2]) & 0xC0 == 0x80:
                point = ((first & 0x0F) << 12) | ((second & 0x3F) << 6) | (np.int64(data[at + 2]) & 0x3F)
                if first < 0xF0:
                    if point >= 0x800 and (point < 0xD800 or point > 0xDFFF):
                        return (point << 3) | 3
                elif first < 0xF5 and at + 3 < end and np.int64(data[at + 3]) & 0xC0 == 0x80:
                    point = ((first & 0x07) << 18) | ((point & 0xFFF) << 6) | (np.int64(data[at + 3]) & 0x3F)
                    if 0x10000 <= point < 0x110000:
                        return (point << 3) | 4
    return ((STRAY + first) << 3) | 1
