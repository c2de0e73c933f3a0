"""Draws the tree of a token from its layout: branches, nodes, leaves with their bytes, characters over several bytes.

It draws on any painter, so that the window, a PNG and an SVG show the same picture. What depends on the moment (what is
selected, hovered, just made) comes as one frozen value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QStaticText, QTransform

from explorer.core.vocabulary import Piece
from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.painting.piece_spelling import fitted, piece_spelling, shortened
from explorer.gui.painting.spelling import Sort, Spelling, spell
from explorer.gui.theme import Ink, Role, px
from explorer.gui.views.tree_layout import BOX, LEAF, PAD, Character, Ruler, Spot, TreeLayout, leaf_bytes

SPELLED = 240  # bytes of a piece that are spelled whole; a node never has room for more
END = 60  # characters of a longer one that are spelled at each end
READABLE = 0.4  # below this scale letters are dust and are left out

Places = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in the picture: pieces by value, so that all nodes of one piece are marked alike; `cursor` is a place."""

    new: Piece | None = None
    selected: Piece | None = None
    hovered: Piece | None = None
    cursor: int | None = None
    own_ids: bool = False  # leaves are symbols with ids of their own, not bytes
    spread: float = 0.0  # pixels between the ring of what is selected and its place, while it closes in
    comes_next: bool = False  # a root that is not made yet is what the next merge makes


def ruler() -> Ruler:
    """Measures with the fonts of the picture, at the zoom that is on."""
    return Ruler(
        label=lambda piece: paint.piece_width(node_spelling(piece), Role.TOKEN),
        hex=theme.metrics(Role.FIGURE_SMALL).horizontalAdvance,
        figure=theme.metrics(Role.TINY).horizontalAdvance,
        unit=theme.zoom(),
    )


@lru_cache(maxsize=4096)
def node_spelling(piece: Piece) -> Spelling:
    """A piece as a node writes it; the middle of one of thousands of bytes is left out before it is spelled."""
    return piece_spelling(piece) if len(piece.bytes) <= SPELLED else shortened(piece, END)


def draw_tree(
    p: QPainter, ink: Ink, layout: TreeLayout, marks: Marks, places: Places, *, seen: QRectF | None = None, scale: float = 1.0
) -> None:
    """The whole picture with each node at its place; of what is not `seen` (None: all is) no node is drawn.

    `scale` says how much the painter makes it smaller or larger: below `READABLE` letters are left out.
    """
    pen = Pen(p, ink, layout, marks, places, scale >= READABLE)
    pen.branches(seen)
    held = {leaf for character in layout.characters for leaf in character.leaves}
    for character in layout.characters:
        pen.character(character)
    for at, spot in enumerate(layout.spots):
        if seen is None or seen.intersects(reach(spot, places[at])):
            pen.leaf(at, alone=at not in held) if spot.is_leaf else pen.node(at)


def box_of(spot: Spot, place: tuple[float, float]) -> QRectF:
    """The box of a node that stands at a place."""
    return QRectF(place[0] - spot.width / 2, place[1] - px(BOX / 2), spot.width, px(BOX))


def reach(spot: Spot, place: tuple[float, float]) -> QRectF:
    """All that a node draws: its box, its rings, its id beside it and its bytes under it."""
    return box_of(spot, place).adjusted(-px(40), -px(8), px(100), px(40))


@dataclass(frozen=True, slots=True)
class Pen:
    """A painter with everything the parts of a picture need."""

    p: QPainter
    ink: Ink
    layout: TreeLayout
    marks: Marks
    places: Places
    readable: bool

    def branches(self, seen: QRectF | None) -> None:
        """The lines from each node to its parts, dashed where the node is not made yet.

        A path a node: one of all of them takes Qt ten times as long to draw.
        """
        solid, dashed = self._line(self.ink.mark, 1.25), self._line(self.ink.mark, 1.25, Qt.PenStyle.DashLine)
        self.p.setBrush(Qt.BrushStyle.NoBrush)
        self.p.setPen(solid)
        for at, spot in enumerate(self.layout.spots):
            if not spot.parts:
                continue
            path = QPainterPath()
            for part in spot.parts:
                self._branch(path, at, part)
            if seen is None or seen.intersects(path.controlPointRect()):
                self.p.setPen(dashed if spot.token_id is None else solid)
                self.p.drawPath(path)

    def _branch(self, path: QPainterPath, above: int, below: int) -> None:
        """Down, across half-way to the next level, and down again round a corner."""
        (ax, ay), (bx, by) = self.places[above], self.places[below]
        nearest = min(self.places[part][1] for part in self.layout.spots[above].parts or (below,))
        turn, r = ay + max(px(16), min(px(36), (nearest - ay) / 2)), min(px(8), abs(bx - ax))
        side = 1 if bx > ax else -1
        path.moveTo(ax, ay)
        path.lineTo(ax, turn)
        path.lineTo(bx - side * r, turn)
        path.quadTo(bx, turn, bx, turn + r)
        path.lineTo(bx, by)

    def node(self, at: int) -> None:
        """A token made by a merge, its id at its shoulder."""
        spot, ink, p = self.layout.spots[at], self.ink, self.p
        box = box_of(spot, self.places[at])
        coming, new = spot.token_id is None, at == 0 and spot.piece == self.marks.new
        dashes = Qt.PenStyle.DashLine if coming else Qt.PenStyle.SolidLine
        p.setPen(self._line(self._border(at, new), 1.25 if at == 0 else 1, dashes))
        p.setBrush(ink.new_fill if new else ink.page if coming else ink.raised)
        p.drawRoundedRect(box, px(4), px(4))
        self._piece(spot, box)
        rings = self._rings(at, box)
        if self.readable and not coming:
            self._beside(spot, box, px(6) if rings else px(3))

    def _border(self, at: int, new: bool) -> QColor:
        ink = self.ink
        if at:
            return ink.line_2 if self.readable else ink.mark
        if self.marks.comes_next and self.layout.spots[0].token_id is None:
            return ink.accent
        return ink.new if new else ink.edge

    def _line(self, colour: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """A pen; in a picture too small to read one that stays a pixel wide, or nothing would be left of it."""
        made = QPen(colour, px(width) if self.readable else 1, style)
        made.setCosmetic(not self.readable)
        return made

    def _beside(self, spot: Spot, box: QRectF, gap: float) -> None:
        """The id at the right shoulder of a node; under it the merge's rank, where nothing else stands."""
        ink = self.ink
        end = paint.words(self.p, str(spot.token_id), box.right() + gap, box.top() + px(3), Role.TINY, ink.ink_3)
        rank = f"merge {spot.rank}"
        free = spot.right if spot.parent is not None else box.right() + px(100)
        if spot.rank is not None and box.right() + gap + theme.metrics(Role.TINY).horizontalAdvance(rank) < max(end, free):
            paint.words(self.p, rank, box.right() + gap, box.top() + px(15), Role.TINY, ink.ink_3)

    def leaf(self, at: int, *, alone: bool) -> None:
        """A symbol over its bytes in hex; one that shares a character with others has no box of its own."""
        spot, ink, p = self.layout.spots[at], self.ink, self.p
        x, y = self.places[at]
        box = box_of(spot, (x, y)) if alone else QRectF(x - px(LEAF / 2), y - px(BOX / 2), px(LEAF), px(BOX))
        if alone:
            new = at == 0 and spot.piece == self.marks.new
            p.setPen(self._line(ink.new if new else ink.line if self.readable else ink.mark, 1))
            p.setBrush(ink.new_fill if new else ink.chrome)
            p.drawRoundedRect(box, px(4), px(4))
            self._piece(spot, box)
        self._rings(at, box)
        if not self.readable:
            return
        under = leaf_bytes(spot.piece, spot.folded)
        paint.words(p, under, x - theme.metrics(Role.FIGURE_SMALL).horizontalAdvance(under) / 2, y + px(24), Role.FIGURE_SMALL, ink.ink_2)
        if self.marks.own_ids or spot.folded:
            name = str(spot.token_id)
            paint.words(p, name, x - theme.metrics(Role.TINY).horizontalAdvance(name) / 2, y + px(38), Role.TINY, ink.ink_3)

    def character(self, character: Character) -> None:
        """A character drawn once over its bytes: one box, and at its foot a bar with a segment a byte."""
        ink, p = self.ink, self.p
        xs = [self.places[at][0] for at in character.leaves]
        y = self.places[character.leaves[0]][1]
        box = QRectF(xs[0] - px(LEAF / 2), y - px(BOX / 2), xs[-1] - xs[0] + px(LEAF), px(BOX))
        p.setPen(self._line(ink.line if self.readable else ink.mark, 1))
        p.setBrush(ink.chrome)
        p.drawRoundedRect(box, px(4), px(4))
        if self.readable:
            spelling = spell(character.text.encode())
            left = box.center().x() - paint.piece_width(spelling, Role.TOKEN) / 2
            paint.draw_piece(p, ink, spelling, left, box.adjusted(0, 0, 0, -px(6)), Role.TOKEN)
        middles = [(one + two) / 2 for one, two in pairwise(xs)]
        edges = [box.left() + px(3), *middles, box.right() - px(3)]
        for turn, (left, right) in enumerate(pairwise(edges)):
            p.fillRect(QRectF(left, box.bottom() - px(7), right - left, px(5)), ink.line_2 if turn % 2 else ink.edge)

    def _piece(self, spot: Spot, box: QRectF) -> None:
        if not self.readable:
            return
        spelling, width, text = _fitted(spot.piece, spot.width - 2 * px(PAD) + 1, theme.zoom())
        x = box.center().x() - width / 2
        if text:
            self.p.setFont(theme.font(Role.TOKEN))
            self.p.setPen(self.ink.ink)
            metrics = theme.metrics(Role.TOKEN)
            self.p.drawStaticText(QPointF(x, box.center().y() + metrics.capHeight() / 2 - metrics.ascent()), text)
        else:
            paint.draw_piece(self.p, self.ink, spelling, x, box, Role.TOKEN)

    def _rings(self, at: int, box: QRectF) -> bool:
        """What is selected, under the mouse, or where the keys are; whether there is a ring outside the box."""
        spot, marks = self.layout.spots[at], self.marks
        selected, hovered = spot.piece == marks.selected, spot.piece == marks.hovered
        if hovered:
            paint.ring(self.p, box, self.ink.ink_2, 1.5)
        if at == marks.cursor:
            paint.ring(self.p, box, self.ink.accent, theme.focus_width())
        if selected:
            out = px(3) + marks.spread
            paint.ring(self.p, box.adjusted(-out, -out, out, out), self.ink.accent, 2)
        return selected


@lru_cache(maxsize=4096)
def _fitted(piece: Piece, room: float, zoom: float) -> tuple[Spelling, float, QStaticText | None]:
    """A piece cut to a width, how wide it is then, and laid out once for all frames if it is nothing but text."""
    spelling = fitted(node_spelling(piece), Role.TOKEN, room)
    width = paint.piece_width(spelling, Role.TOKEN)
    if len(spelling) != 1 or spelling[0].sort is not Sort.TEXT:
        return spelling, width, None
    text = QStaticText(spelling[0].text)
    text.setTextFormat(Qt.TextFormat.PlainText)
    text.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    text.prepare(QTransform(), theme.font(Role.TOKEN))
    return spelling, width, text


def whole(layout: TreeLayout) -> QRectF:
    """The rectangle that the picture takes, in coordinates of the layout."""
    return QRectF(0, layout.top, layout.width, layout.height)


def settled(layout: TreeLayout, size: QSize, least: float) -> QTransform:
    """The whole tree in the middle of a widget, not enlarged; one smaller than `least` with its root in the middle of the top."""
    box, root = whole(layout), layout.spots[0]
    scale = min(1.0, max(least, min(size.width() / box.width(), size.height() / box.height())))
    wide, tall = size.width() / scale, size.height() / scale
    across, down = box.center().x(), box.center().y()
    if box.width() > wide + 1:
        across = min(max(root.x, wide / 2), box.width() - wide / 2)
    if box.height() > tall + 1:
        down = box.top() + tall / 2
    return QTransform(scale, 0, 0, scale, size.width() / 2 - scale * across, size.height() / 2 - scale * down)
