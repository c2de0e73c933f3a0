"""The leak check itself: it names each kind of thing left behind, and nothing when all is ended."""

import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QRunnable, QThread, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from tests.leaks import leftovers

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def threads() -> set[threading.Thread]:
    return set(threading.enumerate())


def test_nothing_left(threads: set[threading.Thread]) -> None:
    assert leftovers(threads) == []


def test_window_left(threads: set[threading.Thread]) -> None:
    window = QWidget()
    assert ["window" in line for line in leftovers(threads)] == [True]
    window.deleteLater()
    del window
    assert leftovers(threads) == []


def test_running_timer_left(threads: set[threading.Thread]) -> None:
    timer = QTimer()
    timer.start(10_000)
    assert ["timer" in line for line in leftovers(threads)] == [True]
    timer.stop()
    assert leftovers(threads) == []


def test_qt_thread_left(threads: set[threading.Thread]) -> None:
    thread = QThread()
    thread.start()
    assert any(line.startswith("Qt thread") for line in leftovers(threads))
    thread.quit()
    assert thread.wait(2000)
    assert leftovers(threads) == []


def test_python_thread_left(threads: set[threading.Thread]) -> None:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait, name="left on purpose")
    thread.start()
    assert leftovers(threads) == ["thread left on purpose"]
    ended.set()
    thread.join()
    assert leftovers(threads) == []


def test_the_thread_of_a_process_that_was_killed_is_waited_for(threads: set[threading.Thread]) -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    thread = threading.Thread(target=process.wait, name="cutter")
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.leaks.POOL_WAIT_MS", 20)
        assert "thread cutter" in leftovers(threads), "it was not killed"
    process.kill()
    assert leftovers(threads) == []
    process.communicate()


def test_process_left(threads: set[threading.Thread]) -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert leftovers(threads) == ["a process"]
    process.communicate()
    assert leftovers(threads) == []


def test_busy_pool_left(threads: set[threading.Thread], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.leaks.POOL_WAIT_MS", 20)
    ended = threading.Event()

    class Waiting(QRunnable):
        def run(self) -> None:
            ended.wait()

    QThreadPool.globalInstance().start(Waiting())
    assert leftovers(threads) == ["jobs in Qt's thread pool"]
    ended.set()
    assert QThreadPool.globalInstance().waitForDone(2000)
    assert leftovers(threads) == []


def test_list_of_a_closed_combo_box_is_no_leak(threads: set[threading.Thread]) -> None:
    box = QComboBox()
    box.addItems(["one", "two"])
    box.show()
    box.showPopup()
    QApplication.processEvents()
    box.close()
    box.deleteLater()
    del box
    assert leftovers(threads) == []
