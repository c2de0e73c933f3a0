"""Which system libraries Qt lacks, and what a person is told."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
import system_libraries
from system_libraries import LibrariesMissing, apt_line, last_complaint, libraries_not_found, packages_of, provide, words_for

LDD = """\
\tlinux-vdso.so.1 (0x00007ffd3a5f2000)
\tlibQt6XcbQpa.so.6 => /venv/PySide6/Qt/lib/libQt6XcbQpa.so.6 (0x00007f1c1f200000)
\tlibxcb-icccm.so.4 => not found
\tlibxcb-keysyms.so.1 => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f1c1e800000)
\tlibxcb-icccm.so.4 => not found
"""


def test_the_loader_s_answer_is_read() -> None:
    assert libraries_not_found(LDD) == {"libxcb-icccm.so.4", "libxcb-keysyms.so.1"}
    assert libraries_not_found("\tstatically linked\n") == set()


def test_every_library_of_the_table_is_a_soname_and_every_package_a_package() -> None:
    for library, package in system_libraries.PACKAGE_OF_LIBRARY.items():
        assert re.fullmatch(r"lib[\w+-]+(\.\d+)?\.so\.\d+", library)
        assert re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", package)


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libGL.so.1", "libgl1"),
        ("libEGL.so.1", "libegl1"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libdbus-1.so.3", "libdbus-1-3"),
    ],
)
def test_a_library_s_package(library: str, package: str) -> None:
    assert packages_of([library]) == ([package], [])


def test_the_words_give_the_one_line_to_type() -> None:
    words = words_for({"libxcb-keysyms.so.1", "libxcb-icccm.so.4"}, has_apt=True)
    assert words.splitlines() == [
        "Qt cannot open a window: this machine lacks libxcb-icccm.so.4, libxcb-keysyms.so.1.",
        "Type this line, then start again:",
        "  sudo apt-get install -y --no-install-recommends libxcb-icccm4 libxcb-keysyms1",
    ]


def test_the_words_without_apt_name_the_libraries_and_no_command_of_another_system() -> None:
    words = words_for({"libxcb-icccm.so.4"}, has_apt=False)
    assert "libxcb-icccm.so.4" in words
    assert "apt" not in words


def test_a_library_that_no_package_is_known_for_is_told() -> None:
    words = words_for({"libnew.so.9"}, has_apt=True)
    assert "For libnew.so.9 we know no package" in words
    assert "sudo" not in words


def test_what_apt_complained_of_is_told() -> None:
    output = "Reading package lists...\nE: Could not get lock /var/lib/dpkg/lock-frontend\nE: Unable to acquire it\n"
    assert last_complaint(output) == "Could not get lock /var/lib/dpkg/lock-frontend"
    assert last_complaint("one\ntwo\n") == "two"
    assert last_complaint("") == "it said nothing"
    assert "apt-get could not install them: no lock" in words_for({"libGL.so.1"}, has_apt=True, apt_said="no lock")


class Machine:
    """A Linux whose loader lacks `missing`, and an apt-get with one of `statuses` a call; an install that works mends the loader."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, missing: set[str], statuses: Sequence[int], root: bool = True) -> None:
        self.missing, self.statuses, self.asked_of_apt = missing, list(statuses), list[str]()
        monkeypatch.setattr("sys.platform", "linux")
        monkeypatch.setattr("shutil.which", lambda command: f"/usr/bin/{command}")
        monkeypatch.setattr("os.geteuid", lambda: 0 if root else 1000, raising=False)
        monkeypatch.setattr("subprocess.run", self.run)

    def run(self, command: Sequence[str | Path], **_: object) -> subprocess.CompletedProcess[str]:
        if command[0] == "ldd":
            return subprocess.CompletedProcess(command, 0, "".join(f"\t{library} => not found\n" for library in self.missing))
        self.asked_of_apt.append(str(command[1]))
        status = self.statuses.pop(0)
        if command[1] == "install" and status == 0:
            self.missing = set()
        return subprocess.CompletedProcess(command, status, "" if status == 0 else "E: Temporary failure resolving 'deb.example'\n")


@pytest.fixture
def pyside(tmp_path: Path) -> Path:
    """A folder with the files of PySide6 that are asked about."""
    files = [f"{module}.abi3.so" for module in system_libraries.QT_MODULES]
    for file in [*files, system_libraries.ICON_PLUGIN, "Qt/plugins/platforms/libqoffscreen.so", "Qt/plugins/platforms/libqxcb.so"]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    return tmp_path


def test_nothing_missing_asks_nothing_of_apt(pyside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, missing=set(), statuses=[])
    provide(pyside, ("offscreen", "xcb"))
    assert machine.asked_of_apt == []


def test_root_gets_them_installed(pyside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, missing={"libGL.so.1"}, statuses=[0])
    provide(pyside, ("offscreen",))
    assert machine.asked_of_apt == ["install"]


def test_a_fresh_container_fetches_the_lists_first(pyside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, missing={"libGL.so.1"}, statuses=[100, 0, 0])
    provide(pyside, ("offscreen",))
    assert machine.asked_of_apt == ["install", "update", "install"]


def test_apt_failing_is_told_with_its_reason(pyside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Machine(monkeypatch, missing={"libGL.so.1"}, statuses=[100, 100, 100])
    with pytest.raises(LibrariesMissing, match=r"(?s)lacks libGL\.so\.1.*Temporary failure resolving.*sudo apt-get install .* libgl1"):
        provide(pyside, ("offscreen",))


def test_anyone_else_gets_the_line_and_nothing_is_run(pyside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, missing={"libGL.so.1"}, statuses=[], root=False)
    with pytest.raises(LibrariesMissing, match=re.escape(f"sudo {apt_line(['libgl1'])}")):
        provide(pyside, ("offscreen",))
    assert machine.asked_of_apt == []


def test_a_pyside_without_a_platform_plugin_is_told(pyside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Machine(monkeypatch, missing=set(), statuses=[])
    with pytest.raises(LibrariesMissing, match=r"without Qt/plugins/platforms/libqcocoa\.so"):
        provide(pyside, ("cocoa",))
