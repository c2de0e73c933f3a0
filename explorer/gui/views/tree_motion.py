"""How the nodes of one tree come to their places in the next: all at once, along straight lines."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QVariantAnimation, Signal

from explorer.core.vocabulary import Piece
from explorer.gui import theme
from explorer.gui.views.tree_layout import TreeLayout

CALM_S = 0.25  # changes that follow one another faster are not shown as motion: that is scrubbing, or playing

Places = list[tuple[float, float]]


class TreeMotion(QObject):
    """The way of all nodes from where their pieces stood before; `moved` asks for a repaint."""

    moved = Signal()

    def __init__(self, parent: QObject, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._changed_at = float("-inf")
        self._start: Places = []
        self._share = 1.0  # of the way
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._animation.valueChanged.connect(self._on_moved)

    @property
    def moving(self) -> bool:
        """Whether nodes are still on their way."""
        return self._share < 1.0

    def begin(self, layout: TreeLayout, before: dict[Piece, list[QPointF]]) -> None:
        """Starts from where each piece stood `before` (in coordinates of the layout, left before right).

        A node that was not there comes out of the root. There is no motion in a hurry, nor where it is switched off.
        """
        now = self._clock()
        calm, self._changed_at = now - self._changed_at >= CALM_S, now
        self.stop()
        duration = theme.motion().tree
        if not (before and calm and duration):
            return
        self._start = []
        for spot in layout.spots:
            known = before.get(spot.piece)
            if known:
                point = known.pop(0)
                self._start.append((point.x(), point.y()))
            else:
                self._start.append(self._start[0] if self._start else (spot.x, spot.y))
        self._share = 0.0
        self._animation.setDuration(duration)
        self._animation.start()

    def stop(self) -> None:
        """Puts all nodes where they belong."""
        self._animation.stop()
        self._share = 1.0

    def places(self, layout: TreeLayout) -> Places:
        """Where the nodes are now."""
        share = self._share
        if share >= 1.0:
            return [(spot.x, spot.y) for spot in layout.spots]
        return [(x + (spot.x - x) * share, y + (spot.y - y) * share) for spot, (x, y) in zip(layout.spots, self._start, strict=True)]

    def _on_moved(self, share: float) -> None:
        self._share = share
        self.moved.emit()
