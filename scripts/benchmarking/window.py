"""The window while somebody works in it: the real one without a screen, and a clock that ticks in its event loop.

What a tick is late is what a key or the mouse would have waited. Keys and mouse are events that are sent to the view that
has them in the window.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from explorer.core.recipe import Recipe
from explorer.gui import app, wear
from explorer.sources.opening import open_corpus
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.workspace import Workspace

TICK_MS = 5
IDLE_S = 1.0
SETTLING_S = 1.0  # the window is drawn for the first time before anything is measured
REST_S = 0.3  # what comes of it is still being drawn
FIRST_STEP = 2000  # the merge from which a held key steps on, where there are so many
KEY_MS, KEYS = 33, 90  # how fast a held key repeats, and for how long it is held
DRAG_MS, DRAGS, DRAG_PIXELS = 16, 120, 8
PASTED = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late each tick came, in seconds: with nothing to do, and while something was done; `note` says what was watched."""

    idle: list[float]
    working: list[float]
    note: str


def lateness(doing: str, corpus: str, recipe: Recipe, seconds: float) -> Lateness:
    """Does something in the window and watches the clock; `doing` is a name in `SCENES`, and is given up after `seconds`."""
    room = Room(Path(corpus), recipe, seconds)
    try:
        before, idle = SCENES[doing]
        before(room)
        still = room.watch(lambda: None, lambda: False, IDLE_S)
        watched = idle(room)
        run = room.workspace.run
        engine = run.training.engine.value if run else "no merge learned yet"
        return Lateness(still, watched, f"{engine}, {'to the end' if room.ended else f'for {seconds:.0f} s of what takes longer'}")
    finally:
        room.close()


class Room:
    """The window, open and drawn, and what it is to be tried with."""

    def __init__(self, corpus: Path, recipe: Recipe, seconds: float) -> None:
        app.share_interpreter()
        self.application = app.Application(["benchmark"])
        self.corpus, self.recipe, self.seconds, self.ended = corpus, recipe, seconds, False
        settings = replace(Settings(), welcome=False)
        wear.wear(settings)
        self.workspace = Workspace()
        self.window = app.build_window(self.workspace, Preferences(settings))
        self.window.show()
        spin(SETTLING_S)

    def watch(self, act: Callable[[], object], ended: Callable[[], bool], seconds: float) -> list[float]:
        """How late the ticks were from an act on until it ended, or for so many seconds."""
        watch = _Watch()
        watch.start()
        act()
        until = time.perf_counter() + seconds
        while not (done := ended()) and time.perf_counter() < until:
            spin(TICK_MS / 1000)
        self.ended = done
        spin(REST_S if done else 0.0)
        watch.timer.stop()
        return watch.late

    def again(self, milliseconds: int, times: int, act: Callable[[int], object]) -> list[float]:
        """The same of an act that is repeated so fast."""
        left, timer = [times], QTimer()
        timer.setTimerType(Qt.TimerType.PreciseTimer)

        def once() -> None:
            if left[0]:
                left[0] -= 1
                act(times - left[0])

        timer.timeout.connect(once)
        found = self.watch(lambda: timer.start(milliseconds), lambda: not left[0], self.seconds)
        timer.stop()
        return found

    def trained(self) -> bool:
        """Whether the run that was asked for is there, with all its merges."""
        return self.workspace.run is not None and self.workspace.learned >= (self.recipe.merges or 0)

    def quiet(self) -> bool:
        """Whether something is open and no work is under way."""
        return self.workspace.run is not None and not self.workspace.lanes.lanes

    def close(self) -> None:
        """Ends all work and closes the window."""
        self.workspace.close()
        self.window.close()
        self.application.processEvents()


def train(room: Room) -> list[float]:
    """A corpus trains."""
    corpus = open_corpus(room.corpus)
    return room.watch(lambda: room.workspace.open_corpus(corpus, recipe=room.recipe), room.trained, room.seconds)


def open_file(room: Room) -> list[float]:
    """A file is read and trained as it is when somebody opens it."""
    return room.watch(lambda: room.window.open_path(room.corpus), room.quiet, room.seconds)


def hold_key(room: Room) -> list[float]:
    """The key that makes the next merge is held."""
    timeline = room.window.transport.timeline

    def press(_: int) -> None:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(timeline, QKeyEvent(kind, Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier))

    return room.again(KEY_MS, KEYS, press)


def drag(room: Room) -> list[float]:
    """The cursor of the timeline is dragged over it."""
    timeline, left, none = room.window.transport.timeline, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton

    def send(kind: QEvent.Type, x: float, button: Qt.MouseButton) -> None:
        point = QPointF(x, timeline.height() / 2)
        everywhere = timeline.mapToGlobal(point)
        QApplication.sendEvent(timeline, QMouseEvent(kind, point, everywhere, button, left, Qt.KeyboardModifier.NoModifier))

    send(QEvent.Type.MouseButtonPress, DRAG_PIXELS, left)
    return room.again(DRAG_MS, DRAGS, lambda n: send(QEvent.Type.MouseMove, n * DRAG_PIXELS % timeline.width(), none))


def paste(room: Room) -> list[float]:
    """A megabyte of the corpus is pasted as your text."""
    text = room.corpus.read_bytes()[:PASTED].decode("utf-8", "ignore")
    QGuiApplication.clipboard().setText(text)
    workspace = room.workspace
    try:
        return room.watch(room.window.paste, lambda: len(workspace.text) > PASTED // 2 and workspace.encoded is not None, room.seconds)
    finally:
        QGuiApplication.clipboard().clear()


def change_theme(room: Room) -> list[float]:
    """Light turns dark."""
    return room.watch(lambda: room.window.set_theme("dark"), lambda: True, room.seconds)


def zoom(room: Room) -> list[float]:
    """Everything becomes a tenth larger."""
    return room.watch(lambda: room.window.set_zoom(1.1), lambda: True, room.seconds)


def _nothing(room: Room) -> None:
    pass


def _have_corpus(room: Room) -> None:
    """Opens the corpus, trained, at a merge, with a text of one's own, and all drawn."""
    train(room)
    room.workspace.set_text(app.FIRST_TEXT.encode())
    room.workspace.go_to_merge(min(FIRST_STEP, room.workspace.learned // 2))
    spin(SETTLING_S)


SCENES: dict[str, tuple[Callable[[Room], None], Callable[[Room], list[float]]]] = {
    "train": (_nothing, train), "open": (_nothing, open_file), "key": (_have_corpus, hold_key), "drag": (_have_corpus, drag),
    "paste": (_have_corpus, paste), "theme": (_have_corpus, change_theme), "zoom": (_have_corpus, zoom),
}  # fmt: skip


class _Watch:
    """A timer that notes how late each of its ticks is."""

    def __init__(self) -> None:
        self.late = list[float]()
        self.timer = QTimer()
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self._tick)
        self._due = 0.0

    def start(self) -> None:
        """Begins."""
        self._due = time.perf_counter() + TICK_MS / 1000
        self.timer.start(TICK_MS)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, now - self._due))
        self._due = now + TICK_MS / 1000


class _FirstPicture(QObject):
    """Says so and ends the program when a window was drawn."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.UpdateRequest:
            QTimer.singleShot(0, self, self._end)  # after the painting that is asked for here
        return False

    def _end(self) -> None:
        sys.stdout.write("drawn\n")
        sys.stdout.flush()
        QApplication.quit()


def start_until_drawn() -> None:
    """Starts the program as `python -m explorer` does; says "drawn" when its first window was drawn, and ends."""
    app.share_interpreter()
    application = app.Application(["benchmark"])
    started = app.start(app.Opening())
    picture = _FirstPicture()
    started.window.installEventFilter(picture)
    application.exec()
    started.watch.stop()
    started.window.workspace.close()


def spin(seconds: float) -> None:
    """Turns the event loop for a while."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
