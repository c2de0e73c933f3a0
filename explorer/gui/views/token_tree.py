"""The token tree as one painted widget: walked with the arrows, zoomed with the wheel (and Ctrl, where the page scrolls), dragged.

One widget and not a scene of items: 255 nodes are drawn anew in a few milliseconds, five times faster than
items move.
"""

import html
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QTransform, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from explorer.core.recipe import AlphabetKind
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece
from explorer.gui.painted import Painted
from explorer.gui.painting import paint
from explorer.gui.scrolled import is_for_page
from explorer.gui.theme import Role, px
from explorer.gui.views.tree_layout import Root, Spot, TreeLayout, Way, lay_out, neighbour
from explorer.gui.views.tree_motion import TreeMotion
from explorer.gui.views.tree_picture import Marks, box_of, draw_tree, ruler, settled, whole
from explorer.gui.views.tree_words import spot_words, tree_words

NOTCH = 120  # eighths of a degree that one notch of a wheel turns
STEP = 1.2  # by how much a notch or a press of + enlarges
LEAST, MOST = 0.02, 4.0  # scales
LEGIBLE = 0.7  # a tree that would have to be drawn smaller is shown from its root down, and panned

WAYS = {Qt.Key.Key_Up: Way.UP, Qt.Key.Key_Down: Way.DOWN, Qt.Key.Key_Left: Way.LEFT, Qt.Key.Key_Right: Way.RIGHT}


class TokenTree(Painted):
    """A token over its two parts, down to the symbols and their bytes.

    A click or Enter selects a node, a double click or a second Enter makes it the root, Backspace goes back out.
    It knows no workspace: `selected`, `hovered` and `rooted` tell what a person did, `show_x` say what to show.
    """

    selected = Signal(int)  # token id: a node was clicked
    hovered = Signal(object)  # Piece | None: the mouse or the keys are on a node
    rooted = Signal(object)  # Root: a person made a node the root, or went back out

    def __init__(self) -> None:
        super().__init__("Token tree")
        self.setMouseTracking(True)
        self.setMinimumSize(160, 80)
        self.tree: TreeLayout | None = None
        self._table: MergeTable | None = None
        self._root: Root | None = None
        self._empty = ""
        self._marks = Marks()
        self._cursor: int | None = None
        self._outer: list[Root] = []  # roots that the present one was entered from
        self._view = QTransform()
        self._free = False  # a person zoomed or panned: keep the view while the tree fits
        self._least = LEGIBLE  # scale; smaller after a person asked for the whole tree
        self._keyed = False  # the cursor was moved by a key, so that it is shown
        self._motion = TreeMotion(self)
        self._motion.moved.connect(self.update)
        self._pressed: QPointF | None = None
        self._dragging = False

    def sizeHint(self) -> QSize:
        return QSize(round(px(520)), round(px(400)))

    # --- what is shown ------------------------------------------------------------------------------------------------

    @property
    def root(self) -> Root | None:
        """The token, or the pair, whose tree is shown."""
        return self._root

    @property
    def table(self) -> MergeTable | None:
        """The table that the tree is of."""
        return self._table

    @property
    def scale(self) -> float:
        """How large the tree is drawn; 1 is the size of other tokens in the window."""
        return self._view.m11()

    def show_root(self, table: MergeTable, root: Root) -> None:
        """The tree of another token or pair; nodes that are in both trees move to their new places."""
        if root == self._root and table is self._table:
            return
        self._outer.clear()
        self._show(table, root)

    def show_nothing(self, sentence: str) -> None:
        """No tree, and why."""
        self._motion.stop()
        self._table = self._root = self.tree = self._cursor = None
        self._outer.clear()
        self._empty = sentence
        self.setAccessibleDescription(sentence)
        self.update()

    def show_marks(self, marks: Marks) -> None:
        """What is new, selected and hovered; the cursor of the keys stays this widget's own."""
        if marks != self._marks:
            self._marks = marks
            self.update()

    def _show(self, table: MergeTable, root: Root) -> None:
        before = self._on_screen()
        self._table, self._root, self._cursor = table, root, None
        self.tree = lay_out(table, root, ruler(), (self.width(), self.height()), least_scale=self._least)
        if not (self._free and self._fits()):
            self._free = False
            self._settle()
        self.setAccessibleDescription(tree_words(self.tree, own_ids=self._own_ids()))
        back, _ = self._view.inverted()
        self._motion.begin(self.tree, {piece: [back.map(point) for point in points] for piece, points in before.items()})
        self.update()

    def _own_ids(self) -> bool:
        return self._table is not None and self._table.alphabet.kind is not AlphabetKind.BYTES

    def _on_screen(self) -> dict[Piece, list[QPointF]]:
        """Where each piece is seen now, in pixels of the widget, left before right; nothing where nobody sees it."""
        found: dict[Piece, list[QPointF]] = {}
        if self.tree and self.isVisible():
            for spot, (x, y) in zip(self.tree.spots, self._motion.places(self.tree), strict=True):
                found.setdefault(spot.piece, []).append(self._view.map(QPointF(x, y)))
        return found

    # --- zoom and pan -------------------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Shows the whole tree, however small; so it stays until a person zooms or pans."""
        self._free, self._least = False, LEAST
        self._lay_out_again()
        self._settle()
        self.update()

    def larger(self) -> None:
        """Enlarges around the cursor of the keys, or the middle."""
        self._zoom(STEP, self._middle())

    def smaller(self) -> None:
        """Makes it smaller around the cursor of the keys, or the middle."""
        self._zoom(1 / STEP, self._middle())

    def _middle(self) -> QPointF:
        if self.tree and self._cursor is not None:
            spot = self.tree.spots[self._cursor]
            return self._view.map(QPointF(spot.x, spot.y))
        return QRectF(self.rect()).center()

    def _zoom(self, by: float, at: QPointF) -> None:
        if self.tree is None:
            return
        scale = max(LEAST, min(self.scale * by, MOST))
        fixed = self._view.inverted()[0].map(at)
        self._view = QTransform(scale, 0, 0, scale, at.x() - scale * fixed.x(), at.y() - scale * fixed.y())
        self._free, self._least = True, LEGIBLE
        self.update()

    def _pan(self, by: QPointF) -> None:
        self._view *= QTransform.fromTranslate(by.x(), by.y())
        self._free, self._least = True, LEGIBLE
        self.update()

    def _fits(self) -> bool:
        return self.tree is not None and QRectF(self.rect()).contains(self._view.mapRect(whole(self.tree)))

    def _settle(self) -> None:
        if self.tree:
            self._view = settled(self.tree, self.size(), self._least)

    def _lay_out_again(self) -> None:
        if self._table and self._root is not None:
            self._motion.stop()
            self.tree = lay_out(self._table, self._root, ruler(), (self.width(), self.height()), least_scale=self._least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._free:
            self._lay_out_again()
            self._settle()

    def restyled(self) -> None:
        self._lay_out_again()
        if not self._free:
            self._settle()

    # --- the picture --------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        if self.tree is None:
            paint.centred(p, self._empty, QRectF(self.rect()), Role.BODY, self.ink.ink_2)
            return
        seen = self._view.inverted()[0].mapRect(clip)
        p.save()
        p.setTransform(self._view, True)
        cursor = self._cursor if self._keyed and self.hasFocus() else None
        marks = replace(self._marks, cursor=cursor, own_ids=self._own_ids())
        draw_tree(p, self.ink, self.tree, marks, self._motion.places(self.tree), seen=seen, scale=self.scale)
        p.restore()

    def picture(self) -> tuple[TreeLayout, Marks] | None:
        """What an export draws: the layout, and the marks without those of mouse and keys."""
        return (self.tree, replace(self._marks, hovered=None, own_ids=self._own_ids())) if self.tree else None

    # --- mouse --------------------------------------------------------------------------------------------------------

    def place_at(self, point: QPointF) -> int | None:
        """The node under a point of the widget."""
        if self.tree is None:
            return None
        at = self._view.inverted()[0].map(point)
        return next((place for place, spot in enumerate(self.tree.spots) if box_of(spot, (spot.x, spot.y)).contains(at)), None)

    def point_of(self, place: int) -> QPointF:
        """The middle of a node, in the widget."""
        assert self.tree
        return self._view.map(QPointF(self.tree.spots[place].x, self.tree.spots[place].y))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._dragging, self._keyed = event.position(), False, False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton and self.tree:
            way = event.position() - self._pressed
            if self._dragging or way.manhattanLength() >= QApplication.startDragDistance():
                self._dragging = True
                self._pressed = event.position()
                self._pan(way)
            return
        place = self.place_at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor)
        self.hovered.emit(self._spot(place).piece if place is not None else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._pressed is None:
            return
        self._pressed = None
        place = self.place_at(event.position())
        if not self._dragging and place is not None:
            self._cursor = place
            self._select(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position())
        if place == 0:
            self._go_out()
        elif place is not None:
            self._go_into(place)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if is_for_page(self, event):
            event.ignore()
            return
        self._zoom(STEP ** (event.angleDelta().y() / NOTCH), event.position())
        event.accept()

    def _spot(self, place: int) -> Spot:
        assert self.tree
        return self.tree.spots[place]

    def _select(self, place: int) -> None:
        token_id = self._spot(place).token_id
        if token_id is not None:
            self.selected.emit(token_id)

    def _go_into(self, place: int) -> None:
        """Makes a node the root."""
        token_id = self._spot(place).token_id
        if self._table and self._root is not None and token_id is not None and place:
            self._outer.append(self._root)
            self._show(self._table, token_id)
            self.rooted.emit(token_id)

    def _go_out(self) -> None:
        """Goes back to the tree that the present one was entered from."""
        if self._table and self._outer:
            root = self._outer.pop()
            self._show(self._table, root)
            self.rooted.emit(root)

    # --- keys ---------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier
        if self.tree is None or not plain or not self._on_key(key):
            super().keyPressEvent(event)

    def _on_key(self, key: Qt.Key) -> bool:
        """Does what a key says; whether it says anything here."""
        if key in WAYS:
            self._walk(WAYS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(self._cursor or 0)
        elif key is Qt.Key.Key_Backspace:
            self._go_out()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.larger()
        elif key is Qt.Key.Key_Minus:
            self.smaller()
        elif key is Qt.Key.Key_0:
            self.fit()
        else:
            return False
        return True

    def _walk(self, way: Way) -> None:
        assert self.tree
        self._cursor = 0 if self._cursor is None else neighbour(self.tree, self._cursor, way)
        self._keyed = True
        self._reveal(self._cursor)
        spot = self._spot(self._cursor)
        self.setAccessibleDescription(spot_words(spot, self.tree))
        self.hovered.emit(spot.piece)
        self.update()

    def _enter(self, place: int) -> None:
        if self._spot(place).piece == self._marks.selected and place:
            self._go_into(place)
        else:
            self._cursor = place
            self._select(place)

    def _reveal(self, place: int) -> None:
        """Pans as little as it takes to see a node."""
        spot = self._spot(place)
        box = self._view.mapRect(box_of(spot, (spot.x, spot.y))).adjusted(-px(8), -px(8), px(8), px(32))
        view = QRectF(self.rect())
        dx = max(0.0, view.left() - box.left()) or min(0.0, view.right() - box.right())
        dy = max(0.0, view.top() - box.top()) or min(0.0, view.bottom() - box.bottom())
        if dx or dy:
            self._pan(QPointF(dx, dy))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._keyed:
            self._keyed = False
            self.hovered.emit(None)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            place = self.place_at(QPointF(event.pos()))
            words = spot_words(self._spot(place), self.tree) if place is not None and self.tree else ""
            QToolTip.showText(event.globalPos(), f"<p>{html.escape(words)}</p>" if words else "", self)  # a piece may look like markup
            return True
        return super().event(event)
