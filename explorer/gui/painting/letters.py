"""What is known of each code point before any text is laid out: its sort, its width, whether it stands alone.

A screenful is thousands of characters and nearly all are plain, so all answers are arrays, filled where a code
point is met for the first time. A letter is plain if no grapheme cluster can hold it together with another
plain one; the ranges below name the scripts for which that is sure. All else is cut by Qt's rules.
"""

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from explorer.gui import theme
from explorer.gui.painting.paint import part_width
from explorer.gui.painting.spelling import Part, Sort, part_of
from explorer.gui.theme import Role, px

Letters = npt.NDArray[np.uint32]

SORTS = tuple(Sort)
CODE = {sort: code for code, sort in enumerate(SORTS)}  # a sort as a small integer, for arrays
_UNKNOWN = 255
_TABLE = 0x10000

PLAIN = (
    (0x21, 0x2FF), (0x370, 0x482), (0x48A, 0x58F), (0x1E00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x20BF),
    (0x2100, 0x2BFF), (0x3001, 0x3029), (0x3030, 0x3096), (0x309B, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7A3), (0xFF01, 0xFF9D),
    (0xFFFD, 0xFFFD), (0x1F300, 0x1F3FA), (0x1F400, 0x1FAFF), (0x20000, 0x3FFFD),
)  # fmt: skip

_sorts = np.full(_TABLE, _UNKNOWN, dtype=np.uint8)


def plain(letters: Letters) -> npt.NDArray[np.bool_]:
    """Whether each letter is a cluster by itself unless a letter beside it is not plain."""
    flat = np.array(PLAIN, dtype=np.int64).ravel()
    flat[1::2] += 1
    inside: npt.NDArray[np.bool_] = np.searchsorted(flat, letters, side="right") % 2 == 1
    return inside


def sorts(letters: Letters) -> npt.NDArray[np.uint8]:
    """The code (of `SORTS`) of each letter by itself."""
    codes = _sorts[np.minimum(letters, _TABLE - 1)]
    high = letters >= _TABLE
    if high.any():
        codes[high] = _UNKNOWN
    if (unknown := codes == _UNKNOWN).any():
        for letter in np.unique(letters[unknown]).tolist():
            code = CODE[part_of(chr(letter)).sort]
            if letter < _TABLE:
                _sorts[letter] = code
            codes[letters == letter] = code
    return codes


def widths(letters: Letters, role: Role) -> npt.NDArray[np.float64]:
    """The width in pixels of each letter as a cell of its own, whatever its sort."""
    table = _width_table(role, theme.zoom())
    low = np.minimum(letters, _TABLE - 1)
    found = table[low].astype(np.float64)
    missing = np.isnan(found) | (letters >= _TABLE)
    if missing.any():
        for letter in np.unique(letters[missing]).tolist():
            width = cell_width(part_of(chr(letter)), role)
            if letter < _TABLE:
                table[letter] = width
            found[letters == letter] = width
    return found


@cache
def _width_table(role: Role, zoom: float) -> npt.NDArray[np.float64]:
    return np.full(_TABLE, np.nan)


def cell_width(part: Part, role: Role) -> float:
    """The width of a part in running text: there a tab has the room of four letters, so that its arrow is seen."""
    return _cell_width(part, role, theme.zoom())


@lru_cache(maxsize=16384)
def _cell_width(part: Part, role: Role, zoom: float) -> float:
    if part.sort is Sort.TAB:
        return 4 * theme.metrics(role).horizontalAdvance("0")
    return part_width(part, role)


def byte_width(role: Role) -> float:
    """The least width of a byte's segment in the bar of a cut character; closely set text has less room to give."""
    return px(4) if role is Role.TEXT else px(3)
