"""A text cut into cells: what a reader calls a character, a blank, a named control, a stray byte.

A cell knows the bytes it covers and its width. Cells are arrays, since a text has many and most are alike; the
few that are not (clusters of several code points) are kept beside them by index.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QTextBoundaryFinder

from explorer.gui.painting import letters, right_to_left
from explorer.gui.painting.letters import CODE, SORTS
from explorer.gui.painting.spelling import MARKER, Part, Sort, part_of, spell_letters
from explorer.gui.text.index_spaces import IndexSpaces
from explorer.gui.text.spans import Spans
from explorer.gui.theme import Role

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a text in byte order, markers included (they cover no byte).

    `starts` and `ends` are bytes, `at` the first code point, `widths` pixels and `own` those that the picture in its
    middle takes, `sorts` codes of `letters.SORTS`.
    `cut` says that a token edge lies inside the cell, `runs` that it can be drawn in one string with its
    neighbours. `odd` holds the parts of the cells that are not one code point.
    """

    text: str
    starts: Ints
    ends: Ints
    at: Ints
    widths: npt.NDArray[np.float64]
    own: npt.NDArray[np.float64]
    sorts: npt.NDArray[np.uint8]
    cut: Flags
    runs: Flags
    odd: dict[int, Part]

    def __len__(self) -> int:
        """How many cells there are."""
        return len(self.starts)

    def part(self, n: int) -> Part:
        """What the n-th cell shows."""
        return self.odd.get(n) or part_of(self.text[self.at[n]])

    def sort(self, n: int) -> Sort:
        """What the n-th cell is."""
        return SORTS[int(self.sorts[n])]


def cells_of(data: bytes, spans: Spans, role: Role) -> Cells:
    """The cells of a text whose tokens are `spans`; linear in the text."""
    spaces = IndexSpaces(data)
    at, odd = _clusters(spaces)
    starts = spaces.byte_starts[at]
    ends = np.append(starts[1:], len(data))
    sorts, widths = letters.sorts(spaces.letters)[at], letters.widths(spaces.letters, role)[at]
    runs = letters.plain(spaces.letters)[at] | (sorts == CODE[Sort.SPACE])
    runs &= (sorts == CODE[Sort.TEXT]) | (sorts == CODE[Sort.SPACE])
    odd |= {n: Part(text, Sort.TEXT) for n, text in right_to_left.joined(spaces, at).items()}
    for n, part in odd.items():
        sorts[n], widths[n], runs[n] = CODE[part.sort], letters.cell_width(part, role), False
    cut = _cut(starts, ends, spans)
    room = np.where(cut, np.maximum(widths, (ends - starts) * letters.byte_width(role) + 2), widths)  # for the bar under it
    runs &= room == widths
    return _with_markers(Cells(spaces.text, starts, ends, at, room, widths, sorts, cut, runs, odd), spans, role)


def recut(cells: Cells, spans: Spans) -> Cells:
    """The same cells, as wide as they were, over other tokens of the text: a text stays where it is while its tokens change."""
    return replace(cells, cut=_cut(cells.starts, cells.ends, spans))


def _clusters(spaces: IndexSpaces) -> tuple[Ints, dict[int, Part]]:
    """The first code point of every cell, and the parts of the cells that Qt's rules had to cut, by cell."""
    fresh = np.ones(spaces.code_points_count, dtype=np.bool_)
    parts: dict[int, Part] = {}
    for first, after in _stretches(spaces):
        at = first
        for cluster in _graphemes(spaces.text[first:after]):
            for part, count in spell_letters(cluster):
                fresh[at + 1 : at + count] = False
                if count > 1 or part.sort is not Sort.TEXT:
                    parts[at] = part
                at += count
    at_all = np.flatnonzero(fresh)
    keys = np.array(sorted(parts), dtype=np.int64)
    return at_all, {n: parts[at] for n, at in zip(np.searchsorted(at_all, keys).tolist(), keys.tolist(), strict=True)}


def _stretches(spaces: IndexSpaces) -> Iterator[tuple[int, int]]:
    """Spans of code points that need Qt's rules: letters that are not plain, each with a plain one before and after."""
    plain, is_text = letters.plain(spaces.letters), letters.sorts(spaces.letters) == CODE[Sort.TEXT]
    joiner = (spaces.letters == 0x200C) | (spaces.letters == 0x200D) | ((spaces.letters >= 0xE0000) & (spaces.letters <= 0xE007F))
    odd = (is_text & ~plain) | joiner
    near = odd.copy()
    near[:-1] |= odd[1:] & is_text[:-1]
    near[1:] |= odd[:-1] & is_text[1:]
    bounds = np.flatnonzero(np.diff(near, prepend=False, append=False))
    yield from zip(bounds[::2].tolist(), bounds[1::2].tolist(), strict=True)


def _graphemes(text: str) -> Iterator[str]:
    """Grapheme clusters; Qt counts UTF-16 units, so the cuts are made there."""
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
    units = text.encode("utf-16-le")
    same = len(units) == 2 * len(text)  # no surrogates: a unit is a letter
    before = 0
    while (after := finder.toNextBoundary()) != -1:
        if 0xD8 <= units[2 * after - 1] <= 0xDB:  # Qt 6.10 cuts a surrogate pair in two before some spacing marks (U+1F600 U+0E33)
            continue
        yield text[before:after] if same else units[2 * before : 2 * after].decode("utf-16-le")
        before = after


def _cut(starts: Ints, ends: Ints, spans: Spans) -> Flags:
    """Which cells have a token edge strictly inside."""
    cut = np.zeros(len(starts), dtype=np.bool_)
    if len(starts) and len(spans):
        edges = spans.edges()
        edges = edges[edges < ends[-1]]
        holder = np.searchsorted(starts, edges, side="right") - 1
        cut[holder[starts[holder] < edges]] = True
    return cut


def _with_markers(cells: Cells, spans: Spans, role: Role) -> Cells:
    """The same with a cell of no bytes at each end of a word that a token carries."""
    offsets = spans.markers()
    if not len(offsets):
        return cells
    before = np.searchsorted(cells.starts, offsets)  # a marker inside a cell would stand after it
    offsets = np.where(before > 0, np.maximum(offsets, cells.ends[np.maximum(before - 1, 0)]), offsets) if len(cells) else offsets
    marker = Part(MARKER, Sort.MARKER)
    moved = np.arange(len(cells)) + np.searchsorted(before, np.arange(len(cells)), side="right")
    places = before + np.arange(len(before))
    odd = {int(moved[n]): part for n, part in cells.odd.items()} | {int(n): marker for n in places}
    return Cells(
        cells.text,
        np.insert(cells.starts, before, offsets),
        np.insert(cells.ends, before, offsets),
        np.insert(cells.at, before, cells.at[np.minimum(before, len(cells) - 1)] if len(cells) else 0),
        np.insert(cells.widths, before, letters.cell_width(marker, role)),
        np.insert(cells.own, before, letters.cell_width(marker, role)),
        np.insert(cells.sorts, before, CODE[Sort.MARKER]),
        np.insert(cells.cut, before, False),
        np.insert(cells.runs, before, False),
        odd,
    )
