"""What a test left running behind it: windows, timers, threads, processes, jobs of the thread pool.

conftest fails every Qt test that leaves any.
"""

import gc
import os
import threading
from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QThread, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from explorer.gui.app import empty_own_clipboard

Kind = TypeVar("Kind", bound=QObject)
POOL_WAIT_MS = 2000  # as long as the program itself waits when it closes


def leftovers(threads_before: set[threading.Thread]) -> list[str]:
    """One line for each thing still alive that a finished test should have ended; garbage and what was copied are let go first."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return []
    empty_own_clipboard()
    _let_deletions_happen(app)
    _let_killed_processes_go(threads_before)
    found = [f"window {widget!r}" for widget in app.topLevelWidgets() if widget.parent() is None]
    found += [f"timer {timer!r} of {timer.parent()!r}" for timer in _alive(QTimer) if timer.isActive()]
    found += [f"Qt thread {thread!r}" for thread in _alive(QThread) if thread.isRunning() and thread is not app.thread()]
    found += [f"thread {thread.name}" for thread in threading.enumerate() if thread not in threads_before and _is_ours(thread)]
    if not QThreadPool.globalInstance().waitForDone(POOL_WAIT_MS):
        found.append("jobs in Qt's thread pool")
    if _has_children():
        found.append("a process")
    return found


def _has_children() -> bool:
    """Whether there is a process that this one started and that runs or was not waited for; none is seen where nobody can ask so."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _let_killed_processes_go(threads_before: set[threading.Thread]) -> None:
    """Waits for the threads that see processes go which were killed: nobody else does, and on a busy machine it takes a while."""
    for thread in threading.enumerate():
        if thread not in threads_before and thread.name == "cutter":
            thread.join(POOL_WAIT_MS / 1000)


def _let_deletions_happen(app: QApplication) -> None:
    """Run what deleteLater asked for, before and after a collection: a collected owner asks for more."""
    for _ in range(2):
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        app.processEvents()
        gc.collect()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _alive(kind: type[Kind]) -> Iterator[Kind]:
    for thing in gc.get_objects():
        if isinstance(thing, kind) and isValid(thing):
            yield thing


def _is_ours(thread: threading.Thread) -> bool:
    """Not a stand-in that Python makes for a thread of Qt's pool that ran Python code: those idle on, and the pool is asked by itself."""
    return not thread.name.startswith("Dummy-")
