"""The timeline: every merge as a bar, ties under them, one cursor at merge k.

The bars are painted once into two strips of pixels, "made" and "not made yet", and a step only moves the
place where one ends and the other begins; so scrubbing costs two copies of pixels however many merges there
are. Where merges outnumber pixels, a pixel shows the largest of its merges.
"""

from math import ceil

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from explorer.core.runs import Run, same_merges
from explorer.core.training import Merge, MergeColumns
from explorer.gui import theme
from explorer.gui.models.growing import Growing
from explorer.gui.models.piece_ids import made_by
from explorer.gui.models.training_words import merge_line
from explorer.gui.painted import Painted
from explorer.gui.painting import paint
from explorer.gui.plots.series import scale_marks
from explorer.gui.theme import Role, px
from explorer.workspace.workspace import Workspace

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
PAGE = 10  # merges that PgUp and PgDn move
NOTCH = 120  # eighths of a degree that one notch of a wheel turns
GAP_FROM = 2.0  # pixels a merge needs before its bar leaves a gap to the next


class MergeTimeline(Painted):
    """A bar a merge (height: logarithm of saved), a mark under each tie, the cursor at merge k, and where run B took another way.

    A click or a drag moves to a merge, the wheel steps, and with focus so do the arrows, Home, End, PgUp and
    PgDn; with Shift the arrows go from tie to tie. Hears run_changed, compared_changed, merge_changed and
    merges_learned; calls go_to_merge, step, next_tie, previous_tie, and hover with the token of the merge under the pointer.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("Merges made")
        self._workspace = workspace
        self._merges: tuple[Merge, ...] = ()
        self._learning: tuple[Merge, ...] = ()  # of the training under way
        self._growing = Growing()
        self._all = heights_and_ties(MergeColumns.of(()))
        self._strips: tuple[QPixmap, QPixmap] | None = None
        self.fork: int | None = None  # the first rank at which the run that is compared differs
        self._turned = 0  # of the wheel, less than a notch
        self.setMinimumWidth(160)
        self.setMouseTracking(True)
        workspace.run_changed.connect(self._show)
        workspace.compared_changed.connect(self._on_compared)
        workspace.merge_changed.connect(self._on_merge)
        workspace.merges_learned.connect(self._on_learned)
        workspace.task_changed.connect(self._on_task)
        self._show(workspace.run)

    def sizeHint(self) -> QSize:
        return QSize(round(px(400)), round(px(64)))

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _show(self, run: Run | None) -> None:
        self._merges = run.training.merges if run else ()
        self._all = heights_and_ties(run.training.columns if run else MergeColumns.of(()))
        self._learning = ()
        self._growing.forget()
        self._strips = None
        self._on_compared(self._workspace.compared)

    def _on_compared(self, other: Run | None) -> None:
        run = self._workspace.run
        shared = same_merges(run.training, other.training) if run and other else None
        self.fork = shared if run and other and shared != max(run.training.learned, other.training.learned) else None
        self._tell()
        self.update()

    def _on_merge(self, k: int) -> None:
        self._tell()
        self.update()

    def _tell(self) -> None:
        fork = "" if self.fork is None else f"; B takes another way at merge {self.fork}"
        self.setAccessibleDescription(f"{self._workspace.k} of {len(self._merges)} merges made{fork}")

    def _on_learned(self, merges: tuple[Merge, ...]) -> None:
        if self._growing.follow(merges):
            self._learning = merges
            self._strips = None
            self.update()

    def _on_task(self, task: object) -> None:
        if task is None and self._growing.forget():  # stopped, or failed: what was half learned is nobody's
            self._learning = ()
            self._strips = None
            self.update()

    @property
    def bars(self) -> int:
        """How many merges the width stands for, those that are just being learned included."""
        return max(len(self._merges), len(self._growing))

    # --- where things lie ---------------------------------------------------------------------------------------------

    def x_of(self, k: int) -> float:
        """Where the cursor of merge k stands, in pixels."""
        return self._left() + k * self._step()

    def merge_at(self, x: float) -> int:
        """The merge k whose cursor is nearest."""
        return max(0, min(round((x - self._left()) / self._step()), len(self._merges))) if self.bars else 0

    def _rank_at(self, x: float) -> int | None:
        rank = int((x - self._left()) // self._step()) if self.bars else -1
        return rank if 0 <= rank < len(self._merges) else None

    def _left(self) -> float:
        return px(8)

    def _room(self) -> int:
        return max(1, round(self.width() - 2 * self._left()))

    def _step(self) -> float:
        return self._room() / max(1, self.bars)

    # --- the picture --------------------------------------------------------------------------------------------------

    def ground(self) -> QColor:
        return self.ink.chrome

    def restyled(self) -> None:
        self._strips = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._strips = None
        super().resizeEvent(event)

    def draw(self, p: QPainter, clip: QRectF) -> None:
        self._scale(p)
        if self.bars:
            self._bars(p)
        if self.fork is not None:
            self._fork_mark(p, self.fork)
        if self._workspace.run:
            self._cursor(p)

    def _bars(self, p: QPainter) -> None:
        if self._strips is None:
            self._strips = self._paint_strips()
        made, coming = self._strips
        left, ratio = round(self._left()), self.devicePixelRatioF()
        cut = max(0, min(round(self.x_of(self._workspace.k)) - left, self._room()))
        top, height = round(px(16)), self.height() - round(px(16))
        for strip, start, end in ((made, 0, cut), (coming, cut, self._room())):
            source = QRectF(start * ratio, 0, (end - start) * ratio, height * ratio)
            p.drawPixmap(QRectF(left + start, top, end - start, height), strip, source)

    def _paint_strips(self) -> tuple[QPixmap, QPixmap]:
        """All bars and tie marks, once in the colours of merges made and once not made yet; their top is 16 px under the widget's."""
        heights, ties = columns(*self._all, self.bars, self._room())
        bars, marks, growing = self._boxes(heights), self._marks(ties), self._growing_boxes()
        ink = self.ink
        return (
            self._painted_strip(bars, marks, growing, paint.soft(ink.accent, 0.55), paint.soft(ink.tie, 0.6)),
            self._painted_strip(bars, marks, growing, ink.mark, ink.tie),
        )

    def _painted_strip(self, bars: list[QRectF], marks: list[QRectF], growing: list[QRectF], colour: QColor, tie: QColor) -> QPixmap:
        ratio = self.devicePixelRatioF()
        strip = QPixmap(ceil(self._room() * ratio), ceil((self.height() - round(px(16))) * ratio))
        strip.setDevicePixelRatio(ratio)
        strip.fill(self.ink.chrome)
        p = QPainter(strip)
        p.setPen(Qt.PenStyle.NoPen)
        for boxes, fill in ((bars, colour), (marks, tie)):
            p.setBrush(fill)
            p.drawRects(boxes)
        if self._goes_on:
            p.setBrush(self.ink.mark)
            p.drawRects(growing)
        else:
            p.setPen(QPen(self.ink.ink, px(1)))
            p.drawPolyline([QPointF(box.center().x(), box.top()) for box in growing])
        p.end()
        return strip

    def _foot(self) -> float:
        """Where bars stand, in a strip."""
        return self.height() - px(32)

    def _widths(self, count: int) -> tuple[float, float]:
        """The room of one bar and how much of it the bar fills."""
        room = self._room() / max(1, count)
        return room, max(1.0, room - 1) if room >= GAP_FROM else room

    def _boxes(self, heights: Floats, start: float = 0.0) -> list[QRectF]:
        """The bars of a strip that begin at `start` pixels or right of it."""
        width, bar = self._widths(len(heights))
        foot, least = self._foot(), px(2)
        tall = foot - px(2)
        sizes = ((at * width, max(least, tall * height)) for at, height in enumerate(heights.tolist()) if height)
        return [QRectF(x, foot - size, bar, size) for x, size in sizes if x >= start]

    def _marks(self, ties: Flags) -> list[QRectF]:
        """The marks of ties; where bars touch, one for all that stand side by side."""
        width, bar = self._widths(len(ties))
        y, height = self._foot() + px(3), px(3)
        if bar < width:
            return [QRectF(at * width, y, bar, height) for at in np.flatnonzero(ties).tolist()]
        edges = np.flatnonzero(np.diff(ties, prepend=False, append=False)).tolist()
        return [QRectF(first * width, y, (last - first) * width, height) for first, last in zip(edges[::2], edges[1::2], strict=True)]

    @property
    def _goes_on(self) -> bool:
        """Whether what is being learned begins with the merges that are there."""
        return self._learning[: len(self._merges)] == self._merges

    def _growing_boxes(self) -> list[QRectF]:
        """What is being learned: bars behind those that are there, or all of them, for a line over the recipe before."""
        if not len(self._growing):
            return []
        heights, _ = columns(*heights_and_ties(self._growing.columns), self.bars, self._room())
        return self._boxes(heights, len(self._merges) * self._step() - 0.5 if self._goes_on else 0.0)

    def _fork_mark(self, p: QPainter, rank: int) -> None:
        """A dashed line where B leaves A, with its letter under the ties."""
        x, ink = round(self.x_of(rank)) + 0.5, self.ink
        p.setPen(QPen(ink.tie, px(1.5), Qt.PenStyle.DashLine, Qt.PenCapStyle.FlatCap))
        p.drawLine(QPointF(x, px(16)), QPointF(x, self.height()))
        paint.words(p, "B", x + px(4), self.height() - px(5), Role.TINY, ink.tie)

    def _cursor(self, p: QPainter) -> None:
        ink, k = self.ink, self._workspace.k
        x = round(self.x_of(k) - 0.5) + 0.5
        p.setPen(QPen(ink.accent, px(2)))
        p.drawLine(QPointF(x, px(14)), QPointF(x, self.height() - px(8)))
        flag = self._flag(x, paint.thousands(k))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink.accent)
        p.drawRoundedRect(flag, px(4), px(4))
        paint.centred(p, paint.thousands(k), flag, Role.FIGURE_STRONG, ink.on_accent)

    def _flag(self, x: float, text: str) -> QRectF:
        width = max(px(28), theme.metrics(Role.FIGURE_STRONG).horizontalAdvance(text) + px(10))
        return QRectF(max(0.0, min(x - width / 2, self.width() - width)), 0, width, px(16))

    def _scale(self, p: QPainter) -> None:
        merges = self.bars
        if not merges:
            return
        flag = self._flag(self.x_of(self._workspace.k), paint.thousands(self._workspace.k)).adjusted(-px(6), 0, px(6), 0)
        advance = theme.metrics(Role.TINY).horizontalAdvance
        last = self.x_of(merges) - advance(paint.thousands(merges))
        for mark in scale_marks(merges, self._room() / px(64)):
            x, text = self.x_of(mark), paint.thousands(mark)
            width = advance(text)
            left = x - width if mark == merges else x
            if self._workspace.run and flag.left() < left + width and left < flag.right():
                continue
            if mark != merges and left + width > last - px(8):
                continue
            paint.words(p, text, left, px(8), Role.TINY, self.ink.ink_3)
            p.fillRect(QRectF(x - (px(1) if mark == merges else 0), px(14), px(1), px(3)), self.ink.line_2)

    # --- mouse and keys -----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._workspace.go_to_merge(self.merge_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._workspace.go_to_merge(self.merge_at(event.position().x()))
        else:
            rank = self._rank_at(event.position().x())
            self._workspace.hover(made_by(self._workspace.run, rank))

    def leaveEvent(self, event: QEvent) -> None:
        self._workspace.hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        self._turned -= turned.y() or turned.x()
        notches = int(self._turned / NOTCH)
        self._turned -= notches * NOTCH
        self._workspace.step(notches)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -PAGE, Qt.Key.Key_PageDown: PAGE}.get(key)
        if shift and key is Qt.Key.Key_Left:
            self._workspace.previous_tie()
        elif shift and key is Qt.Key.Key_Right:
            self._workspace.next_tie()
        elif by is not None:
            self._workspace.step(by)
        elif key is Qt.Key.Key_Home:
            self._workspace.go_to_merge(0)
        elif key is Qt.Key.Key_End:
            self._workspace.go_to_merge(len(self._merges))
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def _tip(self, at: QPoint, there: QPoint) -> None:
        rank = self._rank_at(at.x())
        run = self._workspace.run
        if run is None or rank is None:
            QToolTip.hideText()
            return
        x = round(self._left() + rank * self._step())
        QToolTip.showText(there, merge_line(run.training, rank), self, QRect(x, 0, max(1, ceil(self._step())), self.height()))


def heights_and_ties(merges: MergeColumns) -> tuple[Floats, Flags]:
    """The logarithm of saved and whether it was a tie, one entry a merge."""
    return np.log1p(merges.saved), merges.tied > 1


def columns(heights: Floats, ties: Flags, bars: int, pixels: int) -> tuple[Floats, Flags]:
    """Heights (0..1 of the largest) and ties for `bars` merges that share `pixels`: one entry a merge, or one a pixel.

    Merges that are not there have height 0. Where there are more merges than pixels, each entry stands for all
    merges of its pixel, with the largest of their heights.
    """
    missing = bars - len(heights)
    heights, ties = np.pad(heights, (0, missing)), np.pad(ties, (0, missing))
    if bars > pixels:
        first = np.arange(pixels) * bars // pixels
        heights, ties = np.maximum.reduceat(heights, first), np.logical_or.reduceat(ties, first)
    most = heights.max(initial=0.0)
    return (heights / most if most else heights), ties
