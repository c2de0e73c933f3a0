"""Play: steps from merge to merge by the clock, and stops as soon as a person touches anything else."""

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.workspace.workspace import Workspace

SPEEDS = (1, 4, 16, 64)  # merges a second
TICK_MS = 15  # between two looks at the clock, at least


class Player(QObject):
    """Makes merges at a steady pace while playing; at the end it pauses.

    Views that are slower than the pace are not run over: a tick makes all merges that are due, in one step.
    Any change of merge, selection, run, recipe, corpus or text that does not come from here stops it.
    """

    playing_changed = Signal(bool)
    speed_changed = Signal(int)

    def __init__(self, workspace: Workspace, parent: QObject | None = None, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(parent)
        self._workspace, self._clock = workspace, clock
        self._speed = SPEEDS[1]
        self._since = 0.0  # the time up to which all merges that were due are made
        self._stepping = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.tick)
        for signal in (
            workspace.merge_changed, workspace.selection_changed, workspace.run_changed,
            workspace.recipe_changed, workspace.corpus_changed, workspace.text_changed,
        ):  # fmt: skip
            signal.connect(self._on_touched)

    @property
    def playing(self) -> bool:
        """Whether it plays."""
        return self._timer.isActive()

    @property
    def speed(self) -> int:
        """Merges a second."""
        return self._speed

    def set_speed(self, speed: int) -> None:
        """Another pace, also while playing."""
        if speed != self._speed:
            self._speed = speed
            self._since = self._clock()
            self._timer.setInterval(self._interval())
            self.speed_changed.emit(speed)

    def play(self) -> None:
        """Plays from the present merge; from the beginning if it stands at the end."""
        if self.playing or not self._workspace.learned:
            return
        if self._workspace.k >= self._workspace.learned:
            self._step(-self._workspace.learned)
        self._since = self._clock()
        self._timer.start(self._interval())
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stops where it is."""
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        """Plays if it pauses, pauses if it plays."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def tick(self) -> None:
        """Makes the merges that are due by now."""
        due = int((self._clock() - self._since) * self._speed + 0.05)  # a timer may be early by a little
        if due > 0:
            self._since += due / self._speed
            self._step(due)
        if self._workspace.k >= self._workspace.learned:
            self.pause()

    def _step(self, by: int) -> None:
        self._stepping = True
        try:
            self._workspace.step(by)
        finally:
            self._stepping = False

    def _interval(self) -> int:
        return max(TICK_MS, 1000 // self._speed)

    def _on_touched(self) -> None:
        if not self._stepping:
            self.pause()
