"""How much memory can be had, by what the system says."""

from pathlib import Path

import pytest

from explorer.core import memory
from explorer.errors import TooLargeError

MEMINFO = "MemTotal:       24684004 kB\nMemFree:         1000000 kB\nMemAvailable:    2000000 kB\n"


@pytest.fixture(autouse=True)
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    (tmp_path / "meminfo").write_text(MEMINFO, encoding="ascii")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "meminfo")
    names = ("max", "current", "stat")
    monkeypatch.setattr(memory, "LIMITS", ((*(tmp_path / name for name in names), "inactive_file"),))
    return tmp_path


def contained(folder: Path, most: str) -> None:
    (folder / "max").write_text(most, encoding="ascii")
    (folder / "current").write_text("900000000\n", encoding="ascii")
    (folder / "stat").write_text("anon 600000000\ninactive_file 300000000\n", encoding="ascii")


def test_what_the_system_can_hand_out() -> None:
    assert memory.memory_free() == 2_048_000_000


def test_a_container_may_allow_less_and_copies_of_files_do_not_count(system: Path) -> None:
    contained(system, "1000000000\n")
    assert memory.memory_free() == 400_000_000
    contained(system, "100\n")
    assert memory.memory_free() == 0
    contained(system, "max\n")
    assert memory.memory_free() == 2_048_000_000


def test_where_nothing_is_said_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory_free", lambda: None)
    memory.refuse_beyond_memory(10**18, "These")


def test_what_is_refused_says_what_it_needs_and_what_there_is() -> None:
    memory.refuse_beyond_memory(2_048_000_000, "These")
    with pytest.raises(TooLargeError, match=r"These need about 16.0 GB of memory; 2.0 GB can be had. Do something else."):
        memory.refuse_beyond_memory(memory.entries_need(10**9), "These", "Do something else.")


def test_little_is_never_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that takes all memory for a moment does not keep three words from being counted."""
    monkeypatch.setattr(memory, "memory_free", lambda: 0)
    memory.refuse_beyond_memory(memory.NEGLIGIBLE, "The symbols")
    with pytest.raises(TooLargeError, match="The symbols need about"):
        memory.refuse_beyond_memory(memory.NEGLIGIBLE + 1, "The symbols")
