"""The picture around the letters of an editor: grounds and ticks under them, marks and rings over them.

Drawn in the same way as `token_text` draws a text that is only read. Two things differ, since Qt places the letters:
a cut character gets no more room than it has, and a character without a picture is named under the line.
"""

from collections.abc import Iterator

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.gui import theme, tinting
from explorer.gui.painting import paint
from explorer.gui.painting.letters import CODE
from explorer.gui.painting.loss_mark import draw_losses
from explorer.gui.painting.spelling import Sort
from explorer.gui.text.editor_rows import EditorRow
from explorer.gui.text.text_picture import Emphasis
from explorer.gui.theme import Ink, Role, px

_BLANKS = {CODE[sort]: sort for sort in (Sort.SPACE, Sort.TAB)}
_NAMED = CODE[Sort.CONTROL]
_MARKER = CODE[Sort.MARKER]


def draw_ground(p: QPainter, ink: Ink, row: EditorRow, emphasis: Emphasis) -> None:
    """Tints of merged tokens and ticks at the edges of all, to lie under the letters."""
    spans, turns = row.text.spans, row.text.turns
    for token in row.tokens():
        if not spans.single[token]:
            new = emphasis.new is not None and spans.ids[token] == emphasis.new
            for box in row.whole(token):
                tint = tinting.tint_of(ink, int(spans.ids[token]), int(turns[token]), emphasis.merged)
                if tint is None:
                    continue
                paint.tint(p, box.adjusted(px(0.5), 0, -px(0.5), 0), ink.new_fill if new else tint)
                if new:
                    p.fillRect(QRectF(box.left() + px(1), box.bottom() - px(2), box.width() - px(2), px(2)), ink.new)
    _ticks(p, ink, row)


def _ticks(p: QPainter, ink: Ink, row: EditorRow) -> None:
    """Short marks where one token meets the next; taller beside a merged one, none at the start of a row."""
    text, sizes = row.text, theme.measures()
    spans, (first, _) = text.spans, text.holders
    foot = row.top + row.shape.top + row.shape.tint
    for token in row.tokens():
        cell = int(first[token])
        if not row.first < cell < row.after or text.cells.starts[cell] != spans.starts[token]:
            continue
        merged = not spans.single[token] or (token > 0 and not spans.single[token - 1])
        paint.tick(p, row.leading(cell), foot, ink.edge, sizes.tick if merged else sizes.tick_single)


def draw_marks(p: QPainter, ink: Ink, row: EditorRow, merged: range, *, blanks: bool, line_end: bool) -> None:
    """Bars under cut characters, names of hidden ones and ends of words; with `blanks` dots and arrows, and the hook of a line end."""
    cells, free = row.text.cells, row.left  # names stand side by side from `free` on
    for cell in range(row.first, row.after):
        sort = int(cells.sorts[cell])
        if sort in _BLANKS and blanks and not (cell > 0 and cells.sorts[cell - 1] == _MARKER):
            paint.blank(p, _BLANKS[sort], row.box(cell), ink.ink_3)
        elif sort == _NAMED:
            free = _name(p, ink, row, cell, free)
        elif sort == _MARKER:
            _word_end(p, ink, row, cell)
        if cells.cut[cell] and sort != _NAMED:  # a name has the place of the bar
            _bar(p, ink, row, cell, merged)
    if blanks and line_end:
        right = max((right for _, right in row.sides), default=row.left + row.line.x())
        width = 2 * theme.metrics(Role.TEXT).horizontalAdvance("0")
        paint.blank(p, Sort.NEWLINE, QRectF(right, row.top + row.shape.top, width, row.shape.tint), ink.ink_3)


def _bar(p: QPainter, ink: Ink, row: EditorRow, cell: int, merged: range) -> None:
    """One segment a byte in the tint of the token that holds it; two greys in turn for single symbols."""
    text = row.text
    start, end = int(text.cells.starts[cell]), int(text.cells.ends[cell])
    box = row.box(cell)
    step = (box.width() - px(2)) / (end - start)
    for at in range(start, end):
        token = text.spans.at_byte(at)
        tint = None
        if token is not None and not text.spans.single[token]:
            turn = int(text.turns[token])
            tint = tinting.tint_of(ink, int(text.spans.ids[token]), turn, merged) or ink.tints[turn % tinting.KINDS]
        fill = tint or (ink.edge, ink.edge_2)[(at - start) % 2]
        bar = QRectF(box.left() + px(1) + (at - start) * step, row.top + row.shape.bar_top, max(1.0, step - px(1)), row.shape.bar)
        p.fillRect(bar, fill)
        if tint:  # a tint alone may be pale on the page
            p.fillRect(QRectF(bar.left(), bar.bottom() - px(1), bar.width(), px(1)), ink.edge)


def _name(p: QPainter, ink: Ink, row: EditorRow, cell: int, free: float) -> float:
    """The name of a character without a picture, under its place in the line and not left of `free`; returns its right end."""
    name = row.text.cells.part(cell).text
    role = Role.TINY
    width = theme.metrics(role).horizontalAdvance(name) + px(8)
    left = max(row.box(cell).center().x() - width / 2, free)
    top = row.top + row.shape.top + row.shape.tint - px(3)
    paint.named(p, ink, name, QRectF(left, top, width, row.top + row.shape.line - top), role)
    return left + width


def _word_end(p: QPainter, ink: Ink, row: EditorRow, cell: int) -> None:
    left = row.sides[cell - row.first][0]
    paint.word_end(p, QRectF(left, row.top + row.shape.top, px(8), row.shape.tint), ink.ink_3)


def draw_lost(p: QPainter, ink: Ink, row: EditorRow, stand_in: int | None) -> None:
    """A zigzag under every character that a stand-in took the place of."""
    if stand_in is not None:
        draw_losses(p, ink, _boxes_of(row, stand_in))


def draw_rings(p: QPainter, ink: Ink, row: EditorRow, emphasis: Emphasis) -> None:
    """Rings: the pair that comes next, then what is selected, then what is under the pointer."""
    if emphasis.pair is not None:
        _pair_rings(p, ink, row, emphasis.pair)
    for token_id, colour, width, out in (
        (emphasis.selected_id, ink.accent, 2.0, emphasis.spread), (emphasis.hovered_id, ink.ink_2, 1.5, 0.0),
    ):  # fmt: skip
        if token_id is not None:
            for box in _boxes_of(row, token_id):
                paint.ring(p, box.adjusted(-out, -px(1) - out, out, px(1) + out), colour, width)


def _boxes_of(row: EditorRow, token_id: int) -> Iterator[QRectF]:
    for token in row.tokens():
        if row.text.spans.ids[token] == token_id:
            yield from row.covered(token)


def _pair_rings(p: QPainter, ink: Ink, row: EditorRow, pair: tuple[int, int]) -> None:
    """A ring around both halves with a tick between them; around what is in this row where a row end tears them."""
    for left in row.text.pairs(pair).tolist():
        one, two = row.covered(left), row.covered(left + 1)
        if not one and not two:
            continue
        touching = bool(one and two) and abs(one[-1].right() - two[0].left()) < 0.5
        rings = [one[-1].united(two[0]), *one[:-1], *two[1:]] if touching else [*one, *two]
        for box in rings:
            paint.ring(p, box.adjusted(0, -0.5, 0, 0.5), ink.accent, 1.75)
        if touching:
            paint.tick(p, two[0].left(), two[0].bottom(), ink.accent, two[0].height())
