"""Always on: no screen, settings of its own for every test, and no window, timer or thread left behind by a test that used Qt.

The platform is named before Qt is first imported, so that a plain `pytest` needs no screen either. Qt's warnings fail a test by the
settings in pyproject.toml.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("QT_LOGGING_RULES", "qt.text.font.db=false")

import pytest
from hypothesis import settings

if "CI" not in os.environ:  # there Hypothesis takes its own profile, which has no deadline either
    settings.register_profile("no deadline", deadline=None)  # a loaded machine is no fault
    settings.load_profile("no deadline")

THREADS_BEFORE = pytest.StashKey[set[threading.Thread]]()
numbers = count()


@pytest.fixture(scope="session")
def settings_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the settings of all tests of this run."""
    return tmp_path_factory.mktemp("settings")


@pytest.fixture(autouse=True)
def settings_folder(settings_home: Path) -> Iterator[Path]:
    """A fresh folder for this test's settings, named to the program by BPE_EXPLORER_SETTINGS_DIR: no test reads a person's own."""
    folder = settings_home / str(next(numbers))
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BPE_EXPLORER_SETTINGS_DIR", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def readable_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The readable engine answers, unless a test is of the compiled one or asks for `compiled_engine`.

    Both give the same results, but not in the same time, and whether the kernels are compiled is a matter of the machine.
    """
    if "compiled_engine" not in request.fixturenames and not {"kernels", "test_engines.py"} & set(request.path.parts):
        monkeypatch.setattr("explorer.core.kernels.why_not", lambda: "this test wants the readable engine")


@pytest.fixture(scope="session")
def kernels_there() -> None:
    """The kernels are compiled, once and apart: a test that waits for an answer does not wait for them."""
    subprocess.run([sys.executable, "-m", "explorer.core.kernels"], check=False)  # where they cannot be kept a test compiles its own


@pytest.fixture
def compiled_engine(monkeypatch: pytest.MonkeyPatch, kernels_there: None) -> None:
    """The compiled engine answers for every corpus, however small."""
    from explorer.core import engines, kernels

    if reason := kernels.why_not():
        pytest.skip(reason)
    monkeypatch.setattr(kernels, "is_warm", lambda: True)
    monkeypatch.setattr(engines, "SMALL", 0)


def _uses_qt(item: pytest.Item) -> bool:
    return "qapp" in getattr(item, "fixturenames", ())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[THREADS_BEFORE] = set(threading.enumerate())
    return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    result = yield  # here pytest-qt closes what the test gave to qtbot, and the fixtures end
    if _uses_qt(item):
        from tests.leaks import leftovers  # only here: tests of the core run where Qt is not installed

        found = leftovers(item.stash[THREADS_BEFORE])
        if found:
            pytest.fail("left behind: " + "; ".join(found), pytrace=False)
    return result
