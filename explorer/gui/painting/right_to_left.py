"""Hebrew and Arabic in rows that run left to right: the order of cells on the screen, and letters that join.

Tokens are read left to right, but a word of Hebrew or Arabic that is drawn so cannot be read at all. So a stretch
of right-to-left cells is turned around, numbers in it kept, by the part of the Unicode bidirectional algorithm that
text without embeddings needs (the row itself always runs left to right). Each cell is drawn by itself; a zero width
joiner beside an Arabic letter makes the font give it the form it has in its word.
"""

import unicodedata
from enum import Enum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from explorer.gui.text.index_spaces import IndexSpaces

JOINER = "\u200d"
Ints = npt.NDArray[np.int64]
Letters = npt.NDArray[np.uint32]

_RANGES = ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF))
_ARABIC = ((0x620, 0x64A), (0x66E, 0x6D3), (0x6D5, 0x6D5), (0x6EE, 0x6EF), (0x6FA, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8BA))
_NEVER_JOINS = frozenset("\u0621\u0674\u06dd")
_JOINS_BEFORE_ONLY = frozenset(
    "\u0622\u0623\u0624\u0625\u0627\u0629\u062f\u0630\u0631\u0632\u0648\u0671\u0672\u0673\u0675\u0676\u0677\u06c0\u06c3\u06c4\u06c5\u06c6"
    "\u06c7\u06c8\u06c9\u06ca\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0759\u075a\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779"
    "\u08aa\u08ab\u08ac\u08ae\u08b1\u08b2\u08b9"
) | frozenset(map(chr, range(0x688, 0x69A)))


class Way(Enum):
    """Which way a cell runs."""

    LEFT_TO_RIGHT = 0
    RIGHT_TO_LEFT = 1
    NUMBER = 2  # runs left to right wherever it stands
    NEITHER = 3  # as its neighbours do
    WALL = 4  # ends any stretch


def maybe_right_to_left(letters: Letters) -> npt.NDArray[np.bool_]:
    """Whether each letter is of a script that runs right to left; a quick look, made before any other."""
    found = np.zeros(len(letters), dtype=np.bool_)
    for low, high in _RANGES:
        found |= (letters >= low) & (letters <= high)
    return found


@lru_cache(maxsize=65536)
def way(letter: str) -> Way:
    """Which way a cell that starts with this code point runs."""
    if letter in "\t\n" or "\udc80" <= letter <= "\udcff":
        return Way.WALL
    kind = unicodedata.bidirectional(letter)
    known = {"L": Way.LEFT_TO_RIGHT, "R": Way.RIGHT_TO_LEFT, "AL": Way.RIGHT_TO_LEFT, "EN": Way.NUMBER, "AN": Way.NUMBER}
    return known.get(kind, Way.NEITHER)


def row_order(ways: list[Way]) -> tuple[list[int], list[bool]]:
    """The cells of one row from left to right, by their place in it, and of each cell whether it runs right to left."""
    order, turned = list(range(len(ways))), [False] * len(ways)
    at = 0
    while at < len(ways):
        if ways[at] is not Way.RIGHT_TO_LEFT:
            at += 1
            continue
        end = _stretch_end(ways, at)
        placed: list[int] = []
        for first, after in reversed(_numbers_whole(ways, at, end)):
            placed += range(first, after)
            for n in range(first, after):
                turned[n] = ways[n] is not Way.NUMBER
        order[at:end] = placed
        at = end
    return order, turned


def _stretch_end(ways: list[Way], start: int) -> int:
    """After the last right-to-left cell or number that no cell running the other way divides from `start`."""
    end = start + 1
    for n in range(start + 1, len(ways)):
        if ways[n] in (Way.LEFT_TO_RIGHT, Way.WALL):
            break
        if ways[n] in (Way.RIGHT_TO_LEFT, Way.NUMBER):
            end = n + 1
    return end


def _numbers_whole(ways: list[Way], start: int, end: int) -> list[tuple[int, int]]:
    """The cells of a stretch one by one, digits that stand together as one."""
    units: list[tuple[int, int]] = []
    for n in range(start, end):
        if units and ways[n] is Way.NUMBER and ways[n - 1] is Way.NUMBER:
            units[-1] = (units[-1][0], n + 1)
        else:
            units.append((n, n + 1))
    return units


def joined(spaces: IndexSpaces, at: Ints) -> dict[int, str]:
    """Of each cell with an Arabic letter that joins a neighbour, the text that shows its form there; `at` are the cells' first letters."""
    arabic = np.zeros(spaces.code_points_count, dtype=np.bool_)
    for low, high in _ARABIC:
        arabic |= (spaces.letters >= low) & (spaces.letters <= high)
    found = np.flatnonzero(arabic[at])
    starts = [*at.tolist(), spaces.code_points_count]
    heads = {n: spaces.text[starts[n]] for n in found.tolist()}  # the letter of each Arabic cell
    forms: dict[int, str] = {}
    for n, letter in heads.items():
        before = n - 1 in heads and _joins_next(heads[n - 1]) and letter not in _NEVER_JOINS
        after = n + 1 in heads and _joins_next(letter) and heads[n + 1] not in _NEVER_JOINS
        if before or after:
            forms[n] = f"{JOINER if before else ''}{spaces.text[starts[n] : starts[n + 1]]}{JOINER if after else ''}"
    return forms


def _joins_next(letter: str) -> bool:
    return letter not in _NEVER_JOINS and letter not in _JOINS_BEFORE_ONLY
