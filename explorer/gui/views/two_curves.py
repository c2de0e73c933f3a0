"""The corpus length of two runs against the size of their vocabularies, in one small picture."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF

from explorer.core.training import Training
from explorer.gui import theme
from explorer.gui.painted import Painted
from explorer.gui.painting import paint
from explorer.gui.painting.paint import soft, thousands
from explorer.gui.theme import Role, px

LEFT, RIGHT, TOP, FOOT = 56.0, 20.0, 12.0, 28.0  # pixels at 100 % zoom around the curves; at the left at least
LABEL_GAP = 15.0  # labels of the upright axis are not closer than this
STEPS = tuple(digit * 10**power for power in range(8) for digit in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class Track:
    """The corpus length of one run after 0, 1, 2 ... merges, and the rows its vocabulary has before any."""

    lengths: tuple[int, ...]
    base: int


def track_of(training: Training) -> Track:
    """The curve of a training."""
    return Track((training.length_at_zero, *(merge.length for merge in training.merges)), training.alphabet.floor)


class TwoCurves(Painted):
    """A wide and pale under thin, B dashed, a dot where they part. Pointing at it tells both lengths; a click emits `merge_wanted`."""

    merge_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("Length against vocabulary size")
        self.setMouseTracking(True)
        self._one: Track | None = None
        self._other: Track | None = None
        self._fork: int | None = None
        self._pointed: int | None = None

    def show_tracks(self, one: Track | None, other: Track | None, fork: int | None) -> None:
        """Two other curves, and the merge at which they part (None: they never do)."""
        self._one, self._other, self._fork, self._pointed = one, other, fork, None
        self.setAccessibleDescription(self._said())
        self.update()

    def _said(self) -> str:
        if self._one is None or self._other is None:
            return ""
        return f"A ends at {self._one.lengths[-1]}, B at {self._other.lengths[-1]}"

    # --- painting ---------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        one, other = self._one, self._other
        if one is None or other is None or self._plot().height() < px(24):
            return
        self._draw_axes(p, one, other)
        ink = self.ink
        self._draw_track(p, one, QPen(soft(ink.accent, 0.28), px(7)))
        self._draw_track(p, one, QPen(ink.accent, px(2)))
        dashed = QPen(ink.tie, px(2.5))
        dashed.setDashPattern([3, 2.5])
        dashed.setCapStyle(Qt.PenCapStyle.FlatCap)
        self._draw_track(p, other, dashed)
        told = self._pointed if self._pointed is not None else self._fork
        if told is not None:
            self._draw_told(p, one, other, told)

    def _draw_axes(self, p: QPainter, one: Track, other: Track) -> None:
        ink, plot = self.ink, self._plot()
        fork = [one.lengths[self._fork]] if self._fork is not None and self._fork < len(one.lengths) else []
        used: list[float] = []
        for length in (one.lengths[0], min(one.lengths[-1], other.lengths[-1]), max(one.lengths[-1], other.lengths[-1]), *fork, 0):
            y = self._y(length)
            if all(abs(y - there) >= px(LABEL_GAP) for there in used):
                used.append(y)
                p.fillRect(QRectF(plot.left(), y - 0.5, plot.width(), 1), ink.line)
                paint.words_to(p, thousands(length), plot.left() - px(8), y, Role.TINY, ink.ink_3)
        most = self._most()
        widest = theme.metrics(Role.TINY).horizontalAdvance(thousands(one.base + most)) + px(24)
        stride = next((step for step in STEPS if step * plot.width() / max(1, most) >= widest), STEPS[-1])
        first = -one.base % stride  # labels are round vocabulary sizes
        for made in range(first, most + 1, stride):
            box = QRectF(self._x(made), plot.bottom() + px(6), 0, px(14))
            paint.centred(p, thousands(one.base + made), box, Role.TINY, ink.ink_3)

    def _draw_track(self, p: QPainter, track: Track, pen: QPen) -> None:
        """At most two points a pixel: a curve of lengths has no needles that could fall between them."""
        count = len(track.lengths)
        start, foot = self._point_of(0, 0)
        across, up = self._point_of(1, 1)
        stride = max(1, count // max(1, round(2 * self._plot().width())))
        places = [*range(0, count - 1, stride), count - 1]
        points = [QPointF(start + made * (across - start), foot + track.lengths[made] * (up - foot)) for made in places]
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPolyline(QPolygonF(points))

    def _point_of(self, made: int, length: int) -> tuple[float, float]:
        return self._x(made), self._y(length)

    def _draw_told(self, p: QPainter, one: Track, other: Track, made: int) -> None:
        """The line, the dots and the words at one merge."""
        ink, plot, x = self.ink, self._plot(), self._x(made)
        p.fillRect(QRectF(x - px(0.5), plot.top(), px(1), plot.height()), ink.accent)
        lengths = [track.lengths[made] if made < len(track.lengths) else None for track in (one, other)]
        for length, colour in reversed(list(zip(lengths, (ink.accent, ink.tie), strict=True))):
            if length is not None:
                p.setPen(QPen(ink.page, px(2)))
                p.setBrush(colour)
                p.drawEllipse(QPointF(x, self._y(length)), px(5), px(5))
        text = _told(one, made, lengths, fork=self._pointed is None)
        wide = theme.metrics(Role.FIGURE_SMALL).horizontalAdvance(text)
        left = x + px(10) if x + px(10) + wide <= self.width() - px(4) else x - px(10) - wide
        above = min(made, self._made_at(left) or 0)  # the curves fall: over its left end the words are over all of them
        y = min(self._y(track.lengths[min(above, len(track.lengths) - 1)]) for track in (one, other)) - px(12)
        p.fillRect(QRectF(left - px(3), y - px(8), wide + px(6), px(16)), soft(ink.page, 0.85))
        paint.words(p, text, left, max(y, plot.top() + px(4)), Role.FIGURE_SMALL, ink.ink)

    # --- places -----------------------------------------------------------------------------------------------------

    def _plot(self) -> QRectF:
        longest = thousands(self._one.lengths[0]) if self._one else ""
        left = max(px(LEFT), theme.metrics(Role.TINY).horizontalAdvance(longest) + px(20))
        return QRectF(self.rect()).adjusted(left, px(TOP), -px(RIGHT), -px(FOOT))

    def _most(self) -> int:
        return max(len(track.lengths) for track in (self._one, self._other) if track) - 1

    def _x(self, made: int) -> float:
        plot = self._plot()
        return plot.left() + plot.width() * made / max(1, self._most())

    def _y(self, length: int) -> float:
        plot, most = self._plot(), self._one.lengths[0] if self._one else 1
        return plot.bottom() - plot.height() * length / max(1, most) / 1.04

    # --- mouse and keys ---------------------------------------------------------------------------------------------

    def _made_at(self, x: float) -> int | None:
        plot = self._plot()
        if self._one is None or not plot.left() - px(8) <= x <= plot.right() + px(8):
            return None
        return max(0, min(round((x - plot.left()) / max(1.0, plot.width()) * self._most()), self._most()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._made_at(event.position().x()))

    def leaveEvent(self, event: object) -> None:
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        made = self._made_at(event.position().x())
        if event.button() is Qt.MouseButton.LeftButton and made is not None:
            self.merge_wanted.emit(made)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if self._one is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif key in steps:
            here = self._pointed if self._pointed is not None else self._fork or 0
            self._point(max(0, min(here + steps[key], self._most())))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed is not None:
            self.merge_wanted.emit(self._pointed)
        else:
            event.ignore()

    def _point(self, made: int | None) -> None:
        if made != self._pointed:
            self._pointed = made
            self.update()


def _told(one: Track, made: int, lengths: Sequence[int | None], *, fork: bool) -> str:
    rows = f"{'fork: ' if fork else ''}{thousands(one.base + made)} rows"
    if lengths[0] == lengths[1] and lengths[0] is not None:
        return f"{rows}, {thousands(lengths[0])} tokens"
    told = (f"{letter} {thousands(length)}" for letter, length in zip("AB", lengths, strict=True) if length is not None)
    return f"{rows}, {', '.join(told)}"
