"""What several views draw alike: a piece with its blanks marked, chips, ticks, rings, badges, words.

Every function takes the painter, the colours (`theme.current()`, or another theme's for an export) and
where to draw; it leaves the painter's pen, brush and font as they fall. Marks for blanks, the end of a
word and hidden characters are drawn, not typed: the bundled fonts have no glyphs for them, and a glyph
of another font would break the width of the line.

A piece is given as a `Spelling` (`spell(bytes, marked)`) or as a plain str, which is text and spaces.
"""

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from explorer.core.figures import thousands as thousands  # told here with the rest of what is written
from explorer.gui import theme
from explorer.gui.painting.spelling import Part, Sort, Spelling, spell
from explorer.gui.theme import Ink, Role, px

BLANKS = (Sort.SPACE, Sort.TAB, Sort.NEWLINE)


def soft(colour: QColor, alpha: float) -> QColor:
    """A colour thinned for large areas, alpha 0..1; never for text."""
    made = QColor(colour)
    made.setAlphaF(alpha)
    return made


def as_spelling(piece: str | Spelling) -> Spelling:
    """Plain text as parts; a spelling as it is."""
    return spell(piece.encode("utf-8", "surrogatepass")) if isinstance(piece, str) else piece


def piece_width(piece: str | Spelling, role: Role) -> float:
    """The width `draw_piece` takes, in pixels."""
    return _piece_width(as_spelling(piece), role, theme.zoom())


@lru_cache(maxsize=65536)
def _piece_width(piece: Spelling, role: Role, zoom: float) -> float:
    return sum(part_width(part, role) for part in piece)


def part_width(part: Part, role: Role) -> float:
    """The width of one part: a space is a letter wide, a tab and a line end two, a name has room for its box."""
    metrics = theme.metrics(role)
    if part.sort in (Sort.CONTROL, Sort.STRAY):
        return theme.metrics(small(role)).horizontalAdvance(part.text) + px(8)
    letters = {Sort.SPACE: 1.0, Sort.TAB: 2.0, Sort.NEWLINE: 2.0, Sort.MARK: 1.0, Sort.MARKER: 0.75}.get(part.sort)
    return metrics.horizontalAdvance("0") * letters if letters else metrics.horizontalAdvance(part.text)


def small(role: Role) -> Role:
    """The role in which names of hidden characters and hex stand beside text of `role`."""
    return {Role.HEADLINE: Role.FIGURE, Role.TEXT: Role.FIGURE_SMALL}.get(role, Role.TINY)


def draw_piece(p: QPainter, ink: Ink, piece: str | Spelling, x: float, box: QRectF, role: Role, colour: QColor | None = None) -> float:
    """The piece from x, its capitals centred on the height of `box`; returns the x after it."""
    for part in as_spelling(piece):
        width = part_width(part, role)
        draw_part(p, ink, part, QRectF(x, box.top(), width, box.height()), role, colour or ink.ink)
        x += width
    return x


def draw_part(p: QPainter, ink: Ink, part: Part, box: QRectF, role: Role, colour: QColor) -> None:
    """One part in the middle of its box."""
    if part.sort in BLANKS:
        blank(p, part.sort, box, ink.ink_3)
    elif part.sort is Sort.MARKER:
        word_end(p, box, ink.ink_3)
    elif part.sort is Sort.CONTROL:
        named(p, ink, part.text, box, small(role))
    elif part.sort is Sort.STRAY:
        stray(p, ink, part.text, box, small(role))
    elif part.sort is Sort.MARK:
        mark(p, part.text, box, role, colour)
    else:
        centred(p, part.text, box, role, colour)


def centred(p: QPainter, text: str, box: QRectF, role: Role, colour: QColor) -> None:
    """Text in the middle of a box, by the height of its capitals."""
    metrics = theme.metrics(role)
    p.setFont(theme.font(role))
    p.setPen(colour)
    left = box.center().x() - metrics.horizontalAdvance(text) / 2
    p.drawText(QPointF(left, box.center().y() + metrics.capHeight() / 2), text)


def sentence(p: QPainter, text: str, box: QRectF, colour: QColor) -> None:
    """A sentence that says why a view is empty: in the middle of it, in as many lines as its width asks for."""
    inset = theme.measures().m
    p.setFont(theme.font(Role.BODY))
    p.setPen(colour)
    p.drawText(box.adjusted(inset, 0, -inset, 0), int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), text)


def blank(p: QPainter, sort: Sort, box: QRectF, colour: QColor) -> None:
    """The mark of a space (dot), a tab (arrow to a bar) or a line end (hook) inside its box."""
    mid = box.center()
    if sort is Sort.SPACE:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(colour)
        p.drawEllipse(mid, px(1.25), px(1.25))
        return
    p.setPen(QPen(colour, px(1.2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    p.setBrush(Qt.BrushStyle.NoBrush)
    left, y, unit = box.left() + px(3), mid.y(), px(1)
    if sort is Sort.TAB:
        right = box.right() - px(4)
        p.drawLine(QPointF(left, y), QPointF(right - 2 * unit, y))
        _polyline(p, (right - 5 * unit, y - 3 * unit), (right - 2 * unit, y), (right - 5 * unit, y + 3 * unit))
        p.drawLine(QPointF(right + unit, y - 4 * unit), QPointF(right + unit, y + 4 * unit))
    else:
        _polyline(p, (left + 7 * unit, y - 4 * unit), (left + 7 * unit, y + 2 * unit), (left, y + 2 * unit))
        _polyline(p, (left + 3 * unit, y - unit), (left, y + 2 * unit), (left + 3 * unit, y + 5 * unit))


def _polyline(p: QPainter, *points: tuple[float, float]) -> None:
    p.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))


def word_end(p: QPainter, box: QRectF, colour: QColor) -> None:
    """The end-of-word marker: a small triangle that points back at its word."""
    mid, half = box.center(), px(3.5)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(colour)
    p.drawPolygon(QPolygonF([QPointF(mid.x() - half * 0.8, mid.y()), QPointF(mid.x() + half * 0.6, mid.y() - half),
                             QPointF(mid.x() + half * 0.6, mid.y() + half)]))  # fmt: skip


def named(p: QPainter, ink: Ink, name: str, box: QRectF, role: Role) -> None:
    """A character without a picture, by its name in a small frame ("NUL", "ZWJ", "U+2028")."""
    frame = _small_frame(box, role)
    p.setPen(QPen(ink.edge, 1))
    p.setBrush(ink.page)
    p.drawRoundedRect(frame, px(2), px(2))
    centred(p, name, box, role, ink.ink)


def stray(p: QPainter, ink: Ink, digits: str, box: QRectF, role: Role) -> None:
    """A byte that is not text, as hex on a hatched ground."""
    hatch(p, ink, _small_frame(box, role))
    centred(p, digits, box, role, ink.ink)


def _small_frame(box: QRectF, role: Role) -> QRectF:
    height = min(box.height() - px(2), theme.metrics(role).height() + px(2))
    return QRectF(box.left() + px(1.5), box.center().y() - height / 2, box.width() - px(3), height)


def mark(p: QPainter, marks: str, box: QRectF, role: Role, colour: QColor) -> None:
    """Combining marks without a letter, on a dotted circle: drawn, since the marks of one font miss the circle of another."""
    metrics = theme.metrics(role)
    height = metrics.xHeight()
    foot = box.center().y() + metrics.capHeight() / 2
    p.setPen(QPen(colour, px(1.1), Qt.PenStyle.DotLine))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawEllipse(QPointF(box.center().x(), foot - height / 2), height / 2, height / 2)
    outline = QPainterPath()  # its box is the ink's own, where that of the metrics leaves a bare mark out
    outline.addText(QPointF(0, foot), theme.font(role), "\u00a0" + marks)
    p.fillPath(outline.translated(box.center().x() - outline.boundingRect().center().x(), 0), colour)


def hatch(p: QPainter, ink: Ink, box: QRectF) -> None:
    """The ground of a byte that is not text."""
    tint(p, box, ink.error_fill)
    p.setBrush(QBrush(soft(ink.error, 0.3), Qt.BrushStyle.BDiagPattern))
    p.setPen(QPen(ink.error, 1))
    p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _round(), _round())


def tint(p: QPainter, box: QRectF, fill: QColor) -> None:
    """The ground of a token."""
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(fill)
    p.drawRoundedRect(box, _round(), _round())


def _round() -> float:
    return float(theme.measures().r_token)


def tick(p: QPainter, x: float, bottom: float, colour: QColor, height: float | None = None) -> None:
    """The mark of a token edge: short, at the foot of the line, so that letters stay readable."""
    tall = theme.measures().tick if height is None else height
    p.fillRect(QRectF(x - px(0.5), bottom - tall, px(1), tall), colour)


def ring(p: QPainter, box: QRectF, colour: QColor, width: float = 1.5) -> None:
    """A frame around something chosen; it lies outside the letters. `width` is at 100 % zoom."""
    p.setPen(QPen(colour, px(width)))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRoundedRect(box, _round() + 0.5, _round() + 0.5)


def chip(
    p: QPainter, ink: Ink, piece: str | Spelling, x: float, y: float, height: float, role: Role, fill: QColor, *, pad: float = 5.0
) -> QRectF:
    """One token on its tint; returns its box, `chip_width` wide."""
    box = QRectF(x, y, chip_width(piece, role, pad=pad), height)
    tint(p, box, fill)
    draw_piece(p, ink, piece, x + px(pad), box, role)
    return box


def chip_width(piece: str | Spelling, role: Role, *, pad: float = 5.0) -> float:
    """The width of a chip in pixels."""
    return piece_width(piece, role) + 2 * px(pad)


def pair_chip(
    p: QPainter, ink: Ink, pair: Sequence[str | Spelling], x: float, y: float, height: float, role: Role, *,
    fills: tuple[QColor, QColor] | None = None, pad: float = 4.0,
) -> QRectF:  # fmt: skip
    """Two tokens that touch, with the tick between them; returns the box of both, `pair_width` wide."""
    one, two = fills or ink.tints[:2]
    left = chip(p, ink, pair[0], x, y, height, role, one, pad=pad)
    right = chip(p, ink, pair[1], left.right() + px(1), y, height, role, two, pad=pad)
    tick(p, left.right() + px(0.5), y + height, ink.edge, height)
    return left.united(right)


def pair_width(pair: Sequence[str | Spelling], role: Role, *, pad: float = 4.0) -> float:
    """The width of a pair chip in pixels."""
    return chip_width(pair[0], role, pad=pad) + px(1) + chip_width(pair[1], role, pad=pad)


def badge(p: QPainter, text: str, x: float, mid: float, colour: QColor, fill: QColor, role: Role = Role.CAPTION) -> QRectF:
    """A word on a ground of its own meaning, as "tie of 7"; returns its box."""
    box = QRectF(x, mid - px(9), theme.metrics(role).horizontalAdvance(text) + px(12), px(18))
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(fill)
    p.drawRoundedRect(box, px(4), px(4))
    centred(p, text, box, role, colour)
    return box


def words(p: QPainter, text: str, x: float, mid: float, role: Role, colour: QColor) -> float:
    """One line of text from x, its capitals centred on `mid`; returns the x after it."""
    metrics = theme.metrics(role)
    p.setFont(theme.font(role))
    p.setPen(colour)
    p.drawText(QPointF(x, mid + metrics.capHeight() / 2), text)
    return x + metrics.horizontalAdvance(text)


def words_to(p: QPainter, text: str, right: float, mid: float, role: Role, colour: QColor) -> float:
    """One line of text that ends at `right`, as figures do; returns the x before it."""
    left = right - theme.metrics(role).horizontalAdvance(text)
    words(p, text, left, mid, role, colour)
    return left


def elided(text: str, role: Role, width: float) -> str:
    """The text, cut to a width in pixels with "…" where it is longer."""
    return theme.metrics(role).elidedText(text, Qt.TextElideMode.ElideRight, width)
