"""The tree of choices from left to right, a column a merge: greedy dashed, best thick, the rest quiet."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPen, QResizeEvent, QWheelEvent

from explorer.gui import theme
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.pair_fit import fitted_pair
from explorer.gui.painting.piece_spelling import pair_label, piece_spelling
from explorer.gui.theme import Role, px
from explorer.gui.views.choice_layout import BOX_HEIGHT, BOX_WIDTH, HEAD, ChoiceLayout, Spot, lay_out
from explorer.labs.optimum import ChoiceNode, PiecePair

PAIR_MOST = 168.0  # pixels at 100 % zoom that a pair takes at most
STEP, LEAST, MOST = 1.2, 0.4, 2.5  # of the scale
LEGIBLE = 0.75  # a tree that would be smaller than this is scrolled instead, until a person says otherwise
NONE = -1


class ChoiceTree(PaintedScroll):
    """Each node has the pair that led there and the corpus length after it; ties are told under the nodes they lie ahead of.

    A click or the arrow keys choose a node (`chosen`, with its `Spot`), a double click or Enter opens it (`opened`). Plus, minus and 0 or
    Ctrl and the wheel scale the picture.
    """

    chosen = Signal(object)  # Spot
    opened = Signal(object)  # Spot

    def __init__(self) -> None:
        super().__init__("Tree of choices")
        self._root: ChoiceNode | None = None
        self._merges = 0
        self._layout: ChoiceLayout | None = None
        self._current = self._hovered = NONE
        self._scale = 1.0
        self._free = False  # whether a person chose the scale

    def show_tree(self, root: ChoiceNode | None, merges: int) -> None:
        """Another tree, with the first choice on the best path that greedy merging does not make chosen; None for none."""
        self._root, self._merges, self._free = root, merges, False
        self._current = self._hovered = NONE
        self._lay_out()
        spots = self.spots
        if spots:
            ahead = [at for at, spot in enumerate(spots) if spot.node.on_best and spot.level]
            parting = next((at for at in ahead if not spots[at].node.on_greedy), ahead[0] if ahead else 0)
            self._choose(parting)
        self.viewport().update()

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The nodes in their places."""
        return self._layout.spots if self._layout else ()

    @property
    def current(self) -> Spot | None:
        """The node that is chosen."""
        return self.spots[self._current] if self._current != NONE else None

    @property
    def scale(self) -> float:
        """How large the tree is drawn; 1 is the size of other tokens in the window."""
        return self._scale

    # --- places -----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        if not self._free:
            self._scale = max(LEGIBLE, self._fitting())
        view = self.viewport().size()
        room = (view.width() / self._scale, view.height() / self._scale)
        self._layout = lay_out(self._root, self._merges, room, _pair_width, theme.zoom()) if self._root else None
        width, height = (self._layout.width, self._layout.height) if self._layout else room
        self.set_extent(width * self._scale, height * self._scale)

    def box(self, at: int) -> QRectF:
        """The box of a node, before the scale."""
        spot, width, height = self.spots[at], px(BOX_WIDTH), px(BOX_HEIGHT)
        wide = max(width, theme.metrics(Role.FIGURE_STRONG).horizontalAdvance(thousands(spot.node.length)) + px(12))
        return QRectF(spot.x - wide / 2, spot.y - height / 2, wide, height)

    def _chip_box(self, at: int) -> QRectF:
        spot, box = self.spots[at], self.box(at)
        wide = _pair_width(spot.node.pair) if spot.node.pair else 0.0
        return QRectF(box.left() - px(10) - wide, spot.y - px(11), wide, px(22))

    def scale_to(self, scale: float) -> None:
        """Another scale; the middle of the view stays where it is."""
        scale = max(LEAST, min(scale, MOST))
        self._free = True
        if scale != self._scale:
            view, (x, y) = self.viewport().size(), self.offset()
            middle = ((x + view.width() / 2) / self._scale, (y + view.height() / 2) / self._scale)
            self._scale = scale
            self._lay_out()
            self.horizontalScrollBar().setValue(round(middle[0] * scale - view.width() / 2))
            self.verticalScrollBar().setValue(round(middle[1] * scale - view.height() / 2))

    def larger(self) -> None:
        """One step larger."""
        self.scale_to(self._scale * STEP)

    def smaller(self) -> None:
        """One step smaller."""
        self.scale_to(self._scale / STEP)

    def fit(self) -> None:
        """As large as the whole tree fits, at most as large as other tokens in the window."""
        self.scale_to(self._fitting())

    def _fitting(self) -> float:
        if self._root is None:
            return 1.0
        tight = lay_out(self._root, self._merges, (0.0, 0.0), _pair_width, theme.zoom())
        view = self.viewport().size()
        return min(1.0, view.width() / tight.width, view.height() / tight.height)

    def restyled(self) -> None:
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    # --- painting ---------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        if self._layout is None:
            return
        p.save()
        p.scale(self._scale, self._scale)
        order = sorted(range(len(self.spots)), key=lambda at: (self.spots[at].node.on_best, self.spots[at].node.on_greedy))
        for at in order:
            self._draw_branch(p, at)
        for at in range(len(self.spots)):
            self._draw_node(p, at)
        self._draw_head(p, self.offset()[1] / self._scale)
        p.restore()

    def _draw_head(self, p: QPainter, top: float) -> None:
        """How many merges each column has made; it stays where it is while the tree scrolls."""
        assert self._layout
        ink = self.ink
        p.fillRect(QRectF(0, top, self._layout.width, px(HEAD)), ink.page)
        for made, x in enumerate(self._layout.columns):
            text = "no merge" if not made else f"{made} merge{'s' if made > 1 else ''}"
            left = max(float(theme.measures().m), x - theme.metrics(Role.CAPTION).horizontalAdvance(text) / 2)
            paint.words(p, text, left, top + px(HEAD / 2), Role.CAPTION, ink.ink_3)
        p.fillRect(QRectF(0, top + px(HEAD) - 1, self._layout.width, 1), ink.line)

    def _draw_branch(self, p: QPainter, at: int) -> None:
        spot = self.spots[at]
        if spot.parent is None:
            return
        start, end = self.box(spot.parent), self._chip_box(at)
        path = QPainterPath(QPointF(start.right(), self.spots[spot.parent].y))
        middle = (start.right() + end.left()) / 2
        path.cubicTo(middle, self.spots[spot.parent].y, middle, spot.y, end.left() - px(2), spot.y)
        p.setBrush(Qt.BrushStyle.NoBrush)
        stub = QPainterPath(QPointF(end.right() + px(2), spot.y))
        stub.lineTo(self.box(at).left(), spot.y)
        for pen in self._pens(spot.node) or (QPen(self.ink.mark, px(1.25)),):
            p.setPen(pen)
            p.drawPath(path)
            p.drawPath(stub)

    def _pens(self, node: ChoiceNode) -> tuple[QPen, ...]:
        """How the branch to a node on a path is drawn; both paths on one branch show both."""
        pens: list[QPen] = []
        if node.on_best:
            pens.append(QPen(self.ink.best, px(6 if node.on_greedy else 3)))
        if node.on_best and node.on_greedy:
            pens.append(QPen(self.ink.page, px(3)))
        if node.on_greedy:
            dashed = QPen(self.ink.greedy, px(2))
            dashed.setDashPattern([4, 3])
            dashed.setCapStyle(Qt.PenCapStyle.FlatCap)
            pens.append(dashed)
        return tuple(pens)

    def _draw_node(self, p: QPainter, at: int) -> None:
        spot, box, ink = self.spots[at], self.box(at), self.ink
        node, colour = spot.node, self._colour(spot.node)
        if node.pair:
            chip = self._chip_box(at)
            fills = None if colour else (ink.well, ink.well)
            pair = fitted_pair(*node.pair, Role.TOKEN, chip.width())
            paint.pair_chip(p, ink, pair, chip.left(), chip.top(), chip.height(), Role.TOKEN, fills=fills)
        p.setPen(QPen(colour or (ink.edge if at == self._hovered else ink.line_2), px(1.75 if colour else 1.25)))
        p.setBrush(ink.hover if at == self._hovered else ink.raised)
        p.drawRoundedRect(box, px(5), px(5))
        paint.centred(p, thousands(node.length), box, Role.FIGURE_STRONG, colour or ink.ink)
        if at == self._current:
            paint.ring(p, box.adjusted(-px(4), -px(4), px(4), px(4)), ink.accent, 2)
        if node.tied > 1 and spot.level < self._merges:
            told = f"tie of {node.tied}" + (f", {node.left_out} not drawn" if node.left_out else "")
            paint.centred(p, told, QRectF(spot.x, box.bottom() + px(4), 0, px(14)), Role.CAPTION, ink.tie)
        if not node.children and not node.on_best and node.best_below is not None and spot.level < self._merges:
            text = f"best from here {thousands(node.best_below)}"
            paint.words(p, text, box.right() + px(8), spot.y, Role.CAPTION, ink.ink_3)

    def _colour(self, node: ChoiceNode) -> QColor | None:
        return self.ink.best if node.on_best else self.ink.greedy if node.on_greedy else None

    # --- mouse and keys ---------------------------------------------------------------------------------------------

    def spot_at(self, point: QPointF) -> int:
        """The number of the node under a point of the viewport, box or pair; -1 where there is none."""
        moved = point + QPointF(*self.offset())
        spot = QPointF(moved.x() / self._scale, moved.y() / self._scale)
        for at in range(len(self.spots)):
            if self.box(at).united(self._chip_box(at)).contains(spot):
                return at
        return NONE

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.spot_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and at != NONE:
            self._choose(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.spot_at(event.position()) == self._current and self.current:
            self.opened.emit(self.current)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.spot_at(event.position()))

    def leaveEvent(self, event: object) -> None:
        self._hover(NONE)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.scale_to(self._scale * STEP ** (event.angleDelta().y() / 120))
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        scales = {Qt.Key.Key_Plus: self.larger, Qt.Key.Key_Minus: self.smaller, Qt.Key.Key_0: self.fit}
        arrows = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier
        if held or self.current is None:
            event.ignore()
        elif key in scales:
            scales[key]()
        elif key in arrows:
            self._choose(self._beside(key))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.current)
        else:
            event.ignore()

    def _beside(self, key: Qt.Key) -> int:
        """The node that an arrow key goes to from the chosen one; the chosen one where there is none."""
        here = self.spots[self._current]
        if key is Qt.Key.Key_Left:
            return here.parent if here.parent is not None else self._current
        if key is Qt.Key.Key_Right:
            below = [at for at, spot in enumerate(self.spots) if spot.parent == self._current]
            paths = sorted(below, key=lambda at: (not self.spots[at].node.on_best, not self.spots[at].node.on_greedy))
            return paths[0] if paths else self._current
        column = [at for at, spot in enumerate(self.spots) if spot.level == here.level]
        place = column.index(self._current) + (1 if key is Qt.Key.Key_Down else -1)
        return column[max(0, min(place, len(column) - 1))]

    def _choose(self, at: int) -> None:
        if at == self._current:
            return
        self._current = at
        box = self.box(at).united(self._chip_box(at))
        scaled = QRectF(box.left() * self._scale, box.top() * self._scale, box.width() * self._scale, box.height() * self._scale)
        self.reveal(scaled.adjusted(0, -px(HEAD) * self._scale, 0, 0), px(8))
        self.setAccessibleDescription(said(self.spots[at]))
        self.viewport().update()
        self.chosen.emit(self.spots[at])

    def _hover(self, at: int) -> None:
        if at != self._hovered:
            self._hovered = at
            self.viewport().setToolTip(said(self.spots[at]) if at != NONE else "")
            self.viewport().update()


def said(spot: Spot) -> str:
    """A node in words: the merges that lead to it, what they leave, and what can be reached from there."""
    node = spot.node
    path = ", then ".join(pair_label(*pair) for pair in spot.path) or "no merge"
    below = f"; best from here {thousands(node.best_below)}" if node.best_below is not None else ""
    return f"{path}: {thousands(node.length)} tokens{below}"


def _pair_width(pair: PiecePair) -> float:
    return min(px(PAIR_MOST), paint.pair_width((piece_spelling(pair[0]), piece_spelling(pair[1])), Role.TOKEN))
