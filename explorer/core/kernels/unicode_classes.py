"""What every character is to the split patterns, as one table.

The table is made at run time by asking the installed `regex` library itself, a block of characters at a time, so that
the compiled splitter cannot differ from the patterns it stands for, whatever version is installed.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex

OTHER, MARK, UPPER, LOWER, LETTER, NUMBER, WHITE, SPACE, LINE_END = range(9)
"""Ordered so that a range answers each pattern's question: no space at all is below WHITE, a letter UPPER to LETTER."""

CHARACTERS = 0x110000
STRAY = CHARACTERS  # plus its value: a byte that is no UTF-8, as a symbol
SYMBOLS = STRAY + 0x100  # how many symbols can be told apart
BLOCK = 0x4000  # characters asked about in one call: a millisecond with the interpreter held; all of them take 30

_CLASSES = (
    (r"\p{M}+", MARK), (r"[\p{Lu}\p{Lt}]+", UPPER), (r"\p{Ll}+", LOWER), (r"[\p{Lm}\p{Lo}]+", LETTER), (r"\p{N}+", NUMBER), (r"\s+", WHITE),
)  # fmt: skip


@cache
def character_classes() -> npt.NDArray[np.uint8]:
    """The class of every symbol, one byte each; a stray byte is OTHER."""
    table = np.zeros(SYMBOLS, np.uint8)
    patterns = [(regex.compile(pattern), number) for pattern, number in _CLASSES]
    for start in range(0, CHARACTERS, BLOCK):
        block = np.arange(start, start + BLOCK, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
        for pattern, number in patterns:
            for found in pattern.finditer(block):
                table[start + found.start() : start + found.end()] = number
    table[ord(" ")] = SPACE
    table[[ord("\n"), ord("\r")]] = LINE_END
    table.flags.writeable = False
    return table


__all__ = [
    "LETTER", "LINE_END", "LOWER", "MARK", "NUMBER", "OTHER", "SPACE", "STRAY", "SYMBOLS", "UPPER", "WHITE", "character_classes",
]
