"""The kernels are compiled beside the window where that is wanted, by a process that ends by itself."""

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.workspace import background


def test_nothing_is_started_where_nobody_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "kernels_to_compile", lambda: None)
    assert background.compile_kernels_beside() is False


def test_the_command_runs_beside_the_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done = tmp_path / "done"
    command = (sys.executable, "-c", f"open({str(done)!r}, 'w').write('yes')")
    monkeypatch.setattr(background, "kernels_to_compile", lambda: command)
    assert background.compile_kernels_beside() is True
    qtbot.waitUntil(lambda: done.exists() and done.read_text() == "yes", timeout=20_000)
