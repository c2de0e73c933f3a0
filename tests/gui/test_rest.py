"""The window at rest and over time: nothing is painted while nothing happens, and what was opened, trained and closed leaves nothing."""

import gc
from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.gui import app as starting
from explorer.gui import wear
from explorer.gui.main_window import MainWindow
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.workspace import Workspace

AT_REST_MS = 1500
PLAIN = Settings(theme="light", welcome=False)


def shown() -> MainWindow:
    wear.wear(PLAIN)
    window = MainWindow(Workspace(), Preferences(PLAIN))
    window.workspace.setParent(window)
    window.resize(1440, 900)
    window.show()
    starting.open_first(window, starting.Opening())
    starting.spin(100)
    return window


def ended(window: MainWindow) -> None:
    window.close()
    window.deleteLater()


def alive(app: QApplication) -> int:
    """How many objects of Qt Python still holds."""
    for _ in range(3):
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        app.processEvents()
        gc.collect()
    return sum(isinstance(thing, QObject) and isValid(thing) for thing in gc.get_objects())


class Paintings(QObject):
    """Counts what is painted, by the kind of widget."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.seen[type(watched).__name__] += 1
        return False


def test_nothing_is_painted_at_rest(qtbot: QtBot, qapp: QApplication) -> None:
    window = shown()
    window.curve.build()
    window.workspace.step(1)
    starting.spin(600)  # motions end, the plot is there
    counted = Paintings()
    qapp.installEventFilter(counted)
    starting.spin(AT_REST_MS)
    at_rest = dict(counted.seen)
    window.workspace.step(1)
    starting.spin(400)
    qapp.removeEventFilter(counted)
    ended(window)
    assert at_rest == {} and counted.seen, "a step is painted, so that the count counts"


def test_windows_that_were_closed_leave_nothing(qtbot: QtBot, qapp: QApplication) -> None:
    ended(shown())
    before = alive(qapp)
    for _ in range(4):
        ended(shown())
    assert alive(qapp) <= before and not [widget for widget in qapp.topLevelWidgets() if isinstance(widget, MainWindow)]


@pytest.mark.parametrize("rounds", [40])
def test_case_099_trainings_in_a_row_settle(qtbot: QtBot, qapp: QApplication, rounds: int) -> None:
    window, counts = shown(), list[tuple[int, int, int]]()
    scene = window.curve.build().canvas.scene()
    for n in range(rounds):
        corpus = Corpus.of_text(b"abab cdcd efef abcd %d " % n * 3)
        window.workspace.open_corpus(corpus, recipe=Recipe.of("chapter-81"), at_once=True)
        window.workspace.go_to_merge(3)
        starting.spin(5)
        if n in (rounds // 2, rounds - 1):
            counts.append((alive(qapp), len(qapp.allWidgets()), len(scene.items())))
    ended(window)
    assert counts[0] == counts[1]
