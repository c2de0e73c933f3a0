"""Where the pre-tokens of a split pattern start within 64 bytes of plain text, found for all of them at once.

Every class of character becomes 64 bits, one a byte, and the rules become arithmetic on them: the processor meets no branch
that it could guess wrong at every word. A shift to the left asks about the character before. Only ASCII is understood, and
not all of it: what is not, and whatever lies so near to it or to the end of the block that what follows matters, is left to
splitting_loops.py, to which this is held equal.

A block begins where a pre-token starts. In cl100k the others start

    at a letter    after a number, a line end, and a sign that does not start itself; and after 's 't 'd 'm 're 've 'll
    at a number    where a run of them begins, and at every third of the run after that
    at a sign      where a run of them begins without a blank before it
    at a space     where a run of spaces begins, apart from the line ends that the signs before it take; after the last
                   line end of the run, and at its last space, which is part of the word that follows
"""

from typing import NamedTuple

import numpy as np

from explorer.core.kernels.array_types import Bytes, Number
from explorer.core.kernels.byte_runs import (
    BLANK,
    CAPITAL_A,
    CAPITAL_Z,
    CR,
    DELETE,
    FOLD,
    LF,
    NINE,
    QUOTE,
    SLASH,
    SMALL_A,
    SMALL_Z,
    TAB,
    ZERO,
    places_of,
)  # fmt: skip
from explorer.core.kernels.compiling import inlined
from explorer.core.kernels.instructions import bytes_between, load_word
from explorer.core.kernels.splitting_loops import GPT2, O200K

BLOCK = 64  # bytes that a block looks at
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
ALL, NO = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)
NO_ASCII = np.uint64(0x808080)  # in the first three bytes: then no block can tell where the next pre-token starts
LAST_BYTE = 255
S, T, M, D, R, V, E, L = 115, 116, 109, 100, 114, 118, 101, 108  # what follows the quote of a contraction


class Block(NamedTuple):
    """Where the characters of each class stand; `certain` has the places of which it can be said whether a pre-token starts there."""

    letters: Number
    numbers: Number
    blanks: Number
    line_ends: Number
    white: Number
    signs: Number
    certain: Number


class Found(NamedTuple):
    """Where pre-tokens start, and up to where that is certain."""

    starts: Number
    certain: Number


@inlined
def is_plain(data: Bytes, at: Number) -> Number:
    """Whether it is worth while to look at the block at `at`, of which 8 bytes must be there."""
    return load_word(data, at) & NO_ASCII == 0


@inlined
def before_first(bits: Number) -> Number:
    """All places before the first of those given; all there are if none is."""
    return (bits & (~bits + ONE)) - ONE


@inlined
def read_block(data: Bytes, at: Number) -> Block:
    """The classes of the characters in the block at `at`, all 64 bytes of which must be there.

    A place is certain as long as the characters up to the one after it are known.
    """
    letters = bytes_between(data, at, FOLD, SMALL_A, SMALL_Z)
    numbers = bytes_between(data, at, 0, ZERO, NINE)
    blanks = places_of(data, at, BLANK)
    line_ends = places_of(data, at, LF) | places_of(data, at, CR)
    white = blanks | line_ends | places_of(data, at, TAB)
    strange = (bytes_between(data, at, 0, 0, BLANK - 1) & ~white) | bytes_between(data, at, 0, DELETE, LAST_BYTE)
    return Block(letters, numbers, blanks, line_ends, white, ~(letters | numbers | white | strange), before_first(strange) >> ONE)


@inlined
def gpt2_starts(block: Block) -> Found:
    """The starts in gpt2, but for contractions: a blank may be part of any run, and all but the last of several spaces are one."""
    letters = block.letters & ~((block.letters | block.blanks) << ONE)
    numbers = block.numbers & ~((block.numbers | block.blanks) << ONE)
    signs = block.signs & ~((block.signs | block.blanks) << ONE)
    white = block.white & ~((block.white << ONE) & (block.white >> ONE))
    return Found(letters | numbers | signs | white, block.certain)


@inlined
def threes(numbers: Number) -> Number:
    """Where the numbers of at most three places start that runs of numbers are cut into."""
    starts = numbers & ~(numbers << ONE)
    third = numbers & (numbers << ONE) & (numbers << TWO)
    more = (starts << THREE) & third
    while more:
        starts |= more
        more = (more << THREE) & third
    return starts


@inlined
def white_starts(block: Block, taken: Number) -> Found:
    """The starts at spaces in cl100k and o200k, where the line ends `taken` belong to the signs before them.

    Spaces after a line end start a pre-token unless a line end follows them as well. Where it does, or what follows is
    not known, nothing is certain from there on.
    """
    white = block.white & ~taken
    inner = white & ~block.line_ends
    indents = inner & ((block.line_ends & white) << ONE)
    run = inner & ~(inner + indents)  # a sum carries through a run of bits and clears them
    certain = block.certain
    if (run & ~certain) | ((run << ONE) & block.line_ends):
        certain &= before_first(indents)
    return Found((white & ~(white << ONE)) | (inner & ~(block.white >> ONE)) | indents, certain)


@inlined
def cl100k_starts(block: Block) -> Found:
    """The starts in cl100k, but for contractions."""
    inside = block.signs & ((block.signs | block.blanks) << ONE)
    letters = block.letters & ((block.numbers | block.line_ends | inside) << ONE)
    taken = block.line_ends & ~(block.line_ends + ((block.signs << ONE) & block.line_ends))
    found = white_starts(block, taken)
    return Found(letters | threes(block.numbers) | (block.signs & ~inside) | found.starts, found.certain)


@inlined
def o200k_starts(data: Bytes, at: Number, block: Block) -> Found:
    """The starts in o200k, but for contractions: those of cl100k, and every capital after a small letter.

    Signs take slashes among the line ends after them; where one stands there nothing is certain. A place wants two known
    characters after it, as a contraction may be part of the word before.
    """
    found = cl100k_starts(block)
    capitals = bytes_between(data, at, 0, CAPITAL_A, CAPITAL_Z)
    starts = found.starts | (capitals & ((block.letters & ~capitals) << ONE))
    taken = block.line_ends & ~(block.line_ends + ((block.signs << ONE) & block.line_ends))
    slashes = (taken << ONE) & places_of(data, at, SLASH)
    return Found(starts, (found.certain >> ONE) & before_first(slashes))


@inlined
def ending(data: Bytes, at: Number, letter: Number, rule: Number) -> Number:
    """Where a letter of contractions stands: a small one in gpt2, else in any case."""
    return places_of(data, at, letter) if rule == GPT2 else bytes_between(data, at, FOLD, letter, letter)


@inlined
def with_contractions(data: Bytes, at: Number, block: Block, found: Found, quotes: Number, rule: Number) -> Found:
    """The starts where there are quotes: a contraction is a pre-token in gpt2 and cl100k, and belongs to the word before it in o200k.

    In o200k nothing is certain from a contraction on that follows another one.
    """
    after = (quotes & (block.letters << ONE if rule == O200K else found.starts)) << ONE
    one = after & (ending(data, at, S, rule) | ending(data, at, T, rule) | ending(data, at, M, rule) | ending(data, at, D, rule))
    last, ell = ending(data, at, E, rule), ending(data, at, L, rule)
    two = (((after & (ending(data, at, R, rule) | ending(data, at, V, rule))) << ONE) & last) | (((after & ell) << ONE) & ell)
    follow = (one | two) << ONE
    starts = (found.starts & ~(one | two | (two >> ONE))) | (follow & block.letters)
    if rule != O200K:
        return Found(starts, found.certain)
    begin = (one >> ONE) | (two >> TWO)
    return Found(starts & ~begin, found.certain & before_first(begin & follow))


@inlined
def block_starts(data: Bytes, at: Number, rule: Number) -> Number:
    """The places of the block at `at` where further pre-tokens start, as far as that is certain. 64 bytes must be there."""
    block = read_block(data, at)
    if rule == GPT2:
        found = gpt2_starts(block)
    elif rule == O200K:
        found = o200k_starts(data, at, block)
    else:
        found = cl100k_starts(block)
    quotes = places_of(data, at, QUOTE)
    if quotes:
        found = with_contractions(data, at, block, found, quotes, rule)
    return found.starts & found.certain & ~ONE
