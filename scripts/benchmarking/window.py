"""The event loop beside a training: the real window without a screen, and a clock that ticks in it."""

import time
from dataclasses import dataclass, replace

from PySide6.QtCore import QEventLoop, Qt, QTimer

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.gui import app, wear
from explorer.gui.main_window import MainWindow
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.workspace import Workspace

TICK_MS = 5
IDLE_S = 1.0
SETTLING_S = 1.0  # the window is drawn for the first time before anything is measured


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late each tick came, in seconds: with nothing to do, and while a corpus trained; by which engine, and whether to its end."""

    idle: list[float]
    training: list[float]
    engine: str
    ended: bool


def lateness(corpus: Corpus, recipe: Recipe, seconds: float) -> Lateness:
    """Trains a corpus in the window and watches the clock; after `seconds` the training is stopped."""
    application = app.Application(["benchmark"])
    settings = replace(Settings(), welcome=False)
    wear.wear(settings)
    workspace = Workspace()
    window = MainWindow(workspace, Preferences(settings))
    window.resize(1440, 900)
    window.show()
    _spin(SETTLING_S)
    assert recipe.merges is not None, "the end of a training is known by its merges"
    idle = _Watch(workspace, recipe.merges)
    idle.until_trained(IDLE_S)  # nothing is open yet: what the machine itself adds
    watch = _Watch(workspace, recipe.merges)
    workspace.open_corpus(corpus, recipe=recipe)
    watch.until_trained(seconds)
    engine = workspace.run.training.engine.value if workspace.run else "no merge learned yet"
    trained = watch.trained
    workspace.close()
    window.close()
    application.processEvents()
    return Lateness(idle.late, watch.late, engine, trained)


class _Watch:
    """A timer that notes how late each of its ticks is."""

    def __init__(self, workspace: Workspace, merges: int) -> None:
        self.workspace, self.merges, self.late = workspace, merges, list[float]()
        self.loop = QEventLoop()
        self.timer = QTimer()
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self._tick)
        self._due = self._until = 0.0

    @property
    def trained(self) -> bool:
        """Whether the run that was asked for is there, with all its merges."""
        return self.workspace.run is not None and self.workspace.learned >= self.merges

    def until_trained(self, seconds: float) -> None:
        """Spins the event loop until training has ended, or so many seconds have passed."""
        now = time.perf_counter()
        self._until, self._due = now + seconds, now + TICK_MS / 1000
        self.timer.start(TICK_MS)
        self.loop.exec()
        self.timer.stop()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, now - self._due))
        if self.trained or now > self._until:
            self.loop.quit()
        self._due = now + TICK_MS / 1000


def _spin(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
