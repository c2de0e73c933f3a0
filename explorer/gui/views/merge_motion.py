"""How the two boxes of a merge close up when it is made."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from explorer.core.vocabulary import Piece
from explorer.gui import theme
from explorer.gui.views.tree_motion import CALM_S

Pieces = tuple[Piece, Piece, Piece]  # left, right, what they make


class MergeMotion(QObject):
    """The merge that was just made, on its way; `moved` asks for a repaint. There is none in a hurry, nor where motion is off."""

    moved = Signal()

    def __init__(self, parent: QObject, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._changed_at = float("-inf")
        self.pieces: Pieces | None = None
        self.share = 1.0  # of the way
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_moved)

    def begin(self, made: Pieces | None) -> None:
        """Closes up the boxes of a merge; None ends what is moving, as any other change of merge does."""
        now = self._clock()
        calm, self._changed_at = now - self._changed_at >= CALM_S, now
        self._animation.stop()
        self.pieces = made if calm and theme.motion().merge else None
        if self.pieces:
            self.share = 0.0
            self._animation.setDuration(theme.motion().merge)
            self._animation.start()

    def _on_moved(self, share: float) -> None:
        self.share = share
        if share >= 1.0:
            self.pieces = None
        self.moved.emit()
