"""How the ring of a selection closes in on what a person has just selected."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from explorer.gui import theme
from explorer.gui.theme import px
from explorer.gui.views.tree_motion import CALM_S
from explorer.workspace.values import Selection
from explorer.workspace.workspace import Workspace

FARTHEST = 5.0  # pixels at 100 % zoom: so far outside its place a ring begins


class SelectMotion(QObject):
    """Says how far outside their place the rings of the selection are; `moved` asks for a repaint.

    There is no motion for the token that a step selects by itself, nor in a hurry, nor where motion is off. Hears
    selection_changed.
    """

    moved = Signal()

    def __init__(self, workspace: Workspace, parent: QObject, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._changed_at = float("-inf")
        self._share = 1.0  # of the way
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_moved)
        workspace.selection_changed.connect(self._on_selection)

    @property
    def spread(self) -> float:
        """Pixels between the rings and their place."""
        return px(FARTHEST) * (1.0 - self._share)

    def _on_selection(self, selection: Selection) -> None:
        now, duration = self._clock(), theme.motion().select
        calm, self._changed_at = now - self._changed_at >= CALM_S, now
        self._animation.stop()
        by_hand = not selection.by_step and (selection.token is not None or selection.pair is not None)
        self._share = 0.0 if calm and duration and by_hand else 1.0
        if self._share < 1.0:
            self._animation.setDuration(duration)
            self._animation.start()

    def _on_moved(self, share: float) -> None:
        self._share = share
        self.moved.emit()
