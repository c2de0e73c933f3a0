"""Starting the program: one application, one Workspace, one window; and a picture of the window without a screen."""

import gc
import logging
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

import colorama  # noqa: F401 - WORKAROUND below
from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtGui import QFileOpenEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from explorer.core.recipe import Recipe
from explorer.core.training import Training
from explorer.errors import ExplorerError
from explorer.gui import wear
from explorer.gui.icons import icon
from explorer.gui.main_window import MainWindow
from explorer.gui.theme import Tone
from explorer.sources.exemplars import exemplar_named
from explorer.workspace.background import compile_kernels_beside
from explorer.workspace.settings import Preferences, load_settings
from explorer.workspace.values import Lane, Level, Notice
from explorer.workspace.workspace import Workspace

log = logging.getLogger(__name__)

# WORKAROUND: pyqtgraph (in the thread of the window) and numba (in that of a job) both import colorama, whose parts import
# each other: at the same moment, Python lets one of them see a half-made package, and the curve was not built (KeyError:
# 'colorama'). So it is imported here, before there is a second thread. Drop when neither imports it.

FIRST_TEXT = exemplar_named("chronicle").sample
SWITCH_S = 0.0001
DESKTOPS = frozenset({"xcb", "wayland", "wayland-egl", "windows", "cocoa"})
COMPILE_AFTER_MS = 1_500  # the window is up and drawn by then
SETTLED_MS = 20_000  # the longest a picture waits for work


@dataclass(frozen=True, slots=True)
class Opening:
    """What to show at the start; None and the empty tuple leave it to the first start."""

    files: tuple[Path, ...] = ()
    recipe: str | None = None
    k: int | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to take instead of staying open: file, size in logical pixels, theme, page ("panes", "ties" or "greed")."""

    out: Path
    size: tuple[int, int]
    theme: str
    page: str
    welcome: bool


class Application(QApplication):
    """The application under its name."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.setApplicationName("BPE Explorer")
        self.setOrganizationName("")


class FileOpening(QObject):
    """Opens the files that macOS asks for: they come as events of the application, not as arguments."""

    def __init__(self, open_path: Callable[[Path], None]) -> None:
        super().__init__()
        self._open_path = open_path

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent) or not event.file():
            return False
        self._open_path(Path(event.file()))
        return True


def run(opening: Opening) -> int:
    """Opens the window and stays until it is closed; the exit code."""
    share_interpreter()
    app = Application(sys.argv[:1])
    app.setWindowIcon(icon("tree", Tone.ACCENT))
    started = start(opening)
    opening_files = FileOpening(started.window.open_path)
    app.installEventFilter(opening_files)
    QTimer.singleShot(COMPILE_AFTER_MS, started.window, compile_kernels_beside)
    code = app.exec()
    started.watch.stop()
    empty_own_clipboard()
    return code


@dataclass(frozen=True, slots=True)
class Started:
    """The window, which is shown, and who hears the errors that nobody expected."""

    window: MainWindow
    watch: "ErrorWatch"


def start(opening: Opening) -> Started:
    """Shows the window with the settings that were kept, and opens what was asked for."""
    settings, told = load_settings()
    wear.wear(settings)
    workspace = Workspace()
    window = build_window(workspace, Preferences(settings, read=settings))
    watch = ErrorWatch(workspace)
    open_first(window, opening)
    for words in told:
        workspace.notify(Notice(Level.WARNING, words))
    window.show()
    return Started(window, watch)


def build_window(workspace: Workspace, preferences: Preferences) -> MainWindow:
    """The window, not yet shown, in the size that was kept or the first one.

    What the program is made of stays. So the garbage collector need not walk it again and again, which took 60 ms each time.
    """
    window = MainWindow(workspace, preferences)
    if not preferences.settings.geometry:
        window.resize(1440, 900)
    gc.freeze()
    return window


def share_interpreter() -> None:
    """Lets the window have the interpreter back from a job's thread fifty times sooner than Python would.

    Each painting asks for it again and again; with Python's 5 ms a step
    through 3 MB beside a count froze for 0.3 s, with this for less than half of that.
    """
    sys.setswitchinterval(SWITCH_S)


def empty_own_clipboard() -> None:
    """Empties the clipboard where no desktop keeps it (offscreen, vnc, a bare framebuffer): nobody could paste from it any more.

    Qt frees what such a clipboard holds when the process ends, after Python is gone, and a copied text was made by Python: the
    program crashed at its very end.
    """
    if QGuiApplication.platformName() not in DESKTOPS:
        QGuiApplication.clipboard().clear()


def take(shot: Shot, opening: Opening) -> int:
    """Takes a picture of the real window and saves it; 0, or 1 with a line on stderr if that failed."""
    app = Application(sys.argv[:1])
    settings = replace(load_settings()[0], theme=shot.theme, welcome=shot.welcome, zoom=1.0, splitters=(), geometry="")
    wear.wear(settings)
    workspace = Workspace()
    window = MainWindow(workspace, Preferences(settings))
    troubles: list[str] = []
    workspace.noticed.connect(lambda notice: troubles.append(notice.text) if notice.level is Level.ERROR else None)
    window.resize(*shot.size)
    window.show()
    open_first(window, opening)
    settle(workspace)
    if shot.page != "panes":
        window.show_page({"ties": window.ties, "greed": window.greed}[shot.page])
        settle(workspace)
    spin(400)
    window.turns.finish()
    saved = window.grab().save(str(shot.out))
    workspace.close()
    window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for words in troubles:
        sys.stderr.write(f"{words}\n")
    if not saved:
        sys.stderr.write(f"The picture could not be saved as {shot.out}.\n")
    return 0 if saved and not troubles else 1


def open_first(window: MainWindow, opening: Opening) -> None:
    """Opens what was asked for, or the chronicle at a tie worth seeing."""
    workspace = window.workspace
    text = opening.text if opening.text is not None else FIRST_TEXT
    workspace.set_text(text.encode("utf-8", "surrogateescape"))
    if opening.files:
        wanted = (lambda: _after_opening(workspace, opening)) if opening.recipe or opening.k is not None else None
        if wanted:
            _once(workspace, wanted)
        window.open_path(opening.files[0])
        return
    workspace.open_exemplar("chronicle", at_once=True)
    if opening.recipe or opening.k is not None:
        _after_opening(workspace, opening)
    elif workspace.run:
        workspace.go_to_merge(tie_worth_seeing(workspace.run.training))
        show_next_pair(workspace)


def tie_worth_seeing(training: Training) -> int:
    """The rank of the tie with the most rivals among the first sixth of the merges, the last such; 0 where there is none."""
    early = training.merges[: max(1, training.learned // 6)]
    best = max(range(len(early)), key=lambda rank: (early[rank].tied, rank), default=0)
    return best if early and early[best].tied > 1 else 0


def show_next_pair(workspace: Workspace) -> None:
    """Brings the first place of the next pair into view."""
    if workspace.timeline and workspace.next_pair:
        for places in workspace.timeline.occurrences(workspace.next_pair, workspace.k):
            if places:
                workspace.show_place(places[0].start)
                return


def settle(workspace: Workspace) -> None:
    """Turns the event loop until no work is under way."""
    spin(50)
    waited = 0
    while workspace.lanes.lanes and waited < SETTLED_MS:
        spin(20)
        waited += 20


def spin(milliseconds: int) -> None:
    """Turns the event loop for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def _once(workspace: Workspace, then: Callable[[], None]) -> None:
    """Does something after the next corpus is there."""

    def heard() -> None:
        workspace.corpus_changed.disconnect(heard)
        QTimer.singleShot(0, workspace, then)

    workspace.corpus_changed.connect(heard)


def _after_opening(workspace: Workspace, opening: Opening) -> None:
    if opening.recipe:
        try:
            workspace.set_recipe(Recipe.of(opening.recipe))
        except ExplorerError as error:
            workspace.notify(Notice(Level.ERROR, str(error)))
    if opening.k is None:
        return
    if workspace.lanes.busy(Lane.TRAIN):
        k = opening.k

        def arrived() -> None:
            if workspace.lanes.busy(Lane.TRAIN):  # shown early: its merges are still to come
                return
            workspace.run_changed.disconnect(arrived)
            workspace.go_to_merge(k)

        workspace.run_changed.connect(arrived)
    else:
        workspace.go_to_merge(opening.k)


class ErrorWatch(QObject):
    """Hears errors nobody expected, logs them, and tells each kind once; the program lives on."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._told: set[str] = set()
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._on_error
        threading.excepthook = lambda args: log.error("in a thread", exc_info=args.exc_value)

    def stop(self) -> None:
        """Gives the hooks back."""
        sys.excepthook, threading.excepthook = self._before

    def _on_error(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        log.error("unexpected", exc_info=(kind, error, trace))
        words = f"{kind.__name__}: {error}"
        if words not in self._told:
            self._told.add(words)
            self._workspace.notify(Notice(Level.ERROR, "Something in the program failed; what is open is still there.", words))


def prepare_offscreen(scale: str) -> None:
    """Sets what Qt reads before the application exists: no screen, and the pixels per point."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_LOGGING_RULES", "qt.text.font.db=false")
    os.environ["QT_SCALE_FACTOR"] = scale
