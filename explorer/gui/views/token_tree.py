"""The token tree as one painted widget: walked with the arrows, zoomed with the wheel, dragged.

One widget and not a scene of items: 255 nodes are drawn anew in a few milliseconds, five times faster than
items move.
"""

import html
import time
from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QEvent, QPointF, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QTransform, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from explorer.core.recipe import AlphabetKind
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece
from explorer.gui import paint, theme
from explorer.gui.painted import Painted
from explorer.gui.theme import Role, px
from explorer.gui.views.tree_layout import Root, Spot, TreeLayout, Way, lay_out, neighbour
from explorer.gui.views.tree_picture import Marks, box_of, draw_tree, ruler, whole
from explorer.gui.views.tree_words import spot_words, tree_words

NOTCH = 120  # eighths of a degree that one notch of a wheel turns
STEP = 1.2  # by how much a notch or a press of + enlarges
LEAST, MOST = 0.02, 4.0  # scales
LEGIBLE = 0.7  # a tree that would have to be drawn smaller is shown from its root down, and panned
CALM_S = 0.25  # changes that follow one another faster are not animated: that is scrubbing, or playing

WAYS = {Qt.Key.Key_Up: Way.UP, Qt.Key.Key_Down: Way.DOWN, Qt.Key.Key_Left: Way.LEFT, Qt.Key.Key_Right: Way.RIGHT}


class TokenTree(Painted):
    """A token over its two parts, down to the symbols and their bytes.

    A click or Enter selects a node, a double click or a second Enter makes it the root, Backspace goes back out.
    It knows no workspace: `selected`, `hovered` and `rooted` tell what a person did, `show_x` say what to show.
    """

    selected = Signal(object)  # Piece: a node was clicked
    hovered = Signal(object)  # Piece | None: the mouse or the keys are on a node
    rooted = Signal(object)  # Root: a person made a node the root, or went back out

    def __init__(self) -> None:
        super().__init__("Token tree")
        self.setMouseTracking(True)
        self.setMinimumSize(160, 80)
        self.layout_: TreeLayout | None = None
        self._table: MergeTable | None = None
        self._root: Root | None = None
        self._empty = ""
        self._marks = Marks()
        self._cursor: int | None = None
        self._outer: list[Root] = []  # roots that the present one was entered from
        self._view = QTransform()
        self._free = False  # a person zoomed or panned: keep the view while the tree fits
        self._from: list[tuple[float, float]] = []
        self._share = 1.0  # of the way from `_from`
        self._pressed: QPointF | None = None
        self._dragging = False
        self._changed_at = 0.0
        self._motion = QVariantAnimation(self)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._motion.valueChanged.connect(self._on_moved)

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
        self._table = self._root = self.layout_ = self._cursor = None
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
        self.layout_ = lay_out(table, root, ruler(), (self.width(), self.height()), least_scale=LEGIBLE)
        if not (self._free and self._fits()):
            self._free = False
            self._settle()
        self.setAccessibleDescription(tree_words(self.layout_, own_ids=self._own_ids()))
        self._move_from(before)
        self.update()

    def _own_ids(self) -> bool:
        return self._table is not None and self._table.alphabet.kind is not AlphabetKind.BYTES

    # --- motion -------------------------------------------------------------------------------------------------------

    def _move_from(self, before: dict[Piece, list[QPointF]]) -> None:
        """Starts the way of all nodes from where their pieces stood; a node that is new comes out of the root."""
        now = time.monotonic()
        calm, self._changed_at = now - self._changed_at >= CALM_S, now
        self._motion.stop()
        self._share = 1.0
        duration = theme.motion().tree
        if not (before and calm and duration and self.isVisible() and self.layout_):
            return
        back, _ = self._view.inverted()
        spots = self.layout_.spots
        origin: tuple[float, float] | None = None
        self._from = []
        for spot in spots:
            known = before.get(spot.piece)
            if known:
                point = back.map(known.pop(0))
                self._from.append((point.x(), point.y()))
            else:
                self._from.append(origin or (spot.x, spot.y))
            origin = origin or self._from[0]
        self._share = 0.0
        self._motion.setDuration(duration)
        self._motion.start()

    def _on_moved(self, share: float) -> None:
        self._share = share
        self.update()

    def _places(self) -> list[tuple[float, float]]:
        assert self.layout_
        spots, share = self.layout_.spots, self._share
        if share >= 1.0 or len(self._from) != len(spots):
            return [(spot.x, spot.y) for spot in spots]
        return [(x + (spot.x - x) * share, y + (spot.y - y) * share) for spot, (x, y) in zip(spots, self._from, strict=True)]

    def _on_screen(self) -> dict[Piece, list[QPointF]]:
        """Where each piece stands now, in pixels of the widget, left before right."""
        found: dict[Piece, list[QPointF]] = {}
        if self.layout_:
            for spot, (x, y) in zip(self.layout_.spots, self._places(), strict=True):
                found.setdefault(spot.piece, []).append(self._view.map(QPointF(x, y)))
        return found

    # --- zoom and pan -------------------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Shows the whole tree, however small, and keeps doing so."""
        self._free = False
        self._lay_out_again(LEAST)
        self._settle(LEAST)
        self.update()

    def larger(self) -> None:
        """Enlarges around the cursor of the keys, or the middle."""
        self._zoom(STEP, self._middle())

    def smaller(self) -> None:
        """Makes it smaller around the cursor of the keys, or the middle."""
        self._zoom(1 / STEP, self._middle())

    def _middle(self) -> QPointF:
        if self.layout_ and self._cursor is not None:
            spot = self.layout_.spots[self._cursor]
            return self._view.map(QPointF(spot.x, spot.y))
        return QRectF(self.rect()).center()

    def _zoom(self, by: float, at: QPointF) -> None:
        if self.layout_ is None:
            return
        scale = max(LEAST, min(self.scale * by, MOST))
        fixed = self._view.inverted()[0].map(at)
        self._view = QTransform(scale, 0, 0, scale, at.x() - scale * fixed.x(), at.y() - scale * fixed.y())
        self._free = True
        self.update()

    def _pan(self, by: QPointF) -> None:
        self._view *= QTransform.fromTranslate(by.x(), by.y())
        self._free = True
        self.update()

    def _fits(self) -> bool:
        return self.layout_ is not None and QRectF(self.rect()).contains(self._view.mapRect(whole(self.layout_)))

    def _settle(self, least: float = LEGIBLE) -> None:
        """The whole tree in the middle; one that would be smaller than `least` with its root in the middle of the top."""
        if self.layout_ is None:
            return
        box = whole(self.layout_)
        scale = min(1.0, max(least, min(self.width() / box.width(), self.height() / box.height())))
        root = self.layout_.spots[0]
        across, down = box.center().x(), box.center().y()
        if scale * box.width() > self.width() + 1:
            across = min(max(root.x, self.width() / scale / 2), box.width() - self.width() / scale / 2)
        if scale * box.height() > self.height() + 1:
            down = box.top() + self.height() / scale / 2
        self._view = QTransform(scale, 0, 0, scale, self.width() / 2 - scale * across, self.height() / 2 - scale * down)

    def _lay_out_again(self, least: float = LEGIBLE) -> None:
        if self._table and self._root is not None:
            self._motion.stop()
            self._share = 1.0
            self.layout_ = lay_out(self._table, self._root, ruler(), (self.width(), self.height()), least_scale=least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._free:
            self._lay_out_again()
            self._settle()

    def restyled(self) -> None:
        self._lay_out_again()
        self._settle()

    # --- the picture --------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        if self.layout_ is None:
            paint.centred(p, self._empty, QRectF(self.rect()), Role.BODY, self.ink.ink_2)
            return
        seen = self._view.inverted()[0].mapRect(clip)
        p.save()
        p.setTransform(self._view, True)
        cursor = self._cursor if self.hasFocus() else None
        draw_tree(p, self.ink, self.layout_, self._marks_with(cursor), self._places(), seen=seen, scale=self.scale)
        p.restore()

    def _marks_with(self, cursor: int | None) -> Marks:
        return replace(self._marks, cursor=cursor, own_ids=self._own_ids())

    def picture(self) -> tuple[TreeLayout, Marks] | None:
        """What an export draws: the layout, and the marks without those of mouse and keys."""
        return (self.layout_, replace(self._marks, hovered=None, own_ids=self._own_ids())) if self.layout_ else None

    # --- mouse --------------------------------------------------------------------------------------------------------

    def place_at(self, point: QPointF) -> int | None:
        """The node under a point of the widget."""
        if self.layout_ is None:
            return None
        at = self._view.inverted()[0].map(point)
        return next((place for place, spot in enumerate(self.layout_.spots) if box_of(spot, (spot.x, spot.y)).contains(at)), None)

    def point_of(self, place: int) -> QPointF:
        """The middle of a node, in the widget."""
        assert self.layout_
        return self._view.map(QPointF(self.layout_.spots[place].x, self.layout_.spots[place].y))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton and self.layout_:
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
        self._zoom(STEP ** (event.angleDelta().y() / NOTCH), event.position())
        event.accept()

    def _spot(self, place: int) -> Spot:
        assert self.layout_
        return self.layout_.spots[place]

    def _select(self, place: int) -> None:
        if self._spot(place).token_id is not None:
            self.selected.emit(self._spot(place).piece)
        self.update()

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
        if self.layout_ is None or not plain or not self._on_key(key):
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
        assert self.layout_
        self._cursor = 0 if self._cursor is None else neighbour(self.layout_, self._cursor, way)
        self._reveal(self._cursor)
        spot = self._spot(self._cursor)
        self.setAccessibleDescription(spot_words(spot, self.layout_))
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
        self.hovered.emit(None)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            place = self.place_at(QPointF(event.pos()))
            if place is None or self.layout_ is None:
                QToolTip.hideText()
            else:
                words = html.escape(spot_words(self._spot(place), self.layout_))  # a piece may look like markup
                box = self._view.mapRect(box_of(self._spot(place), (self._spot(place).x, self._spot(place).y)))
                QToolTip.showText(event.globalPos(), f"<p>{words}</p>", self, box.toAlignedRect())
            return True
        return super().event(event)
