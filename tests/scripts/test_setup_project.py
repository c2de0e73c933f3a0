"""The set-up: when it does nothing, when it makes the venv anew, and the words for everything that may go wrong."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import setup_project
from setup_project import SetupError, fingerprint, or_clear_words, set_up, words_for_os_error, words_for_pip, words_for_venv
from system_libraries import LibrariesMissing

OFFLINE = """\
WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by \
'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: \
[Errno -3] Temporary failure in name resolution')': /simple/setuptools/
ERROR: Could not find a version that satisfies the requirement setuptools>=77 (from versions: none)
ERROR: No matching distribution found for setuptools>=77
"""
NOT_MADE_FOR_THIS = """\
ERROR: Could not find a version that satisfies the requirement PySide6-Essentials<6.11,>=6.8.3 (from bpe-explorer) (from versions: none)
ERROR: No matching distribution found for PySide6-Essentials<6.11,>=6.8.3
"""
FULL = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"
NO_ENSUREPIP = """\
The virtual environment was not created successfully because ensurepip is not
available.  On Debian/Ubuntu systems, you need to install the python3-venv
package using the following command.
"""
PLENTY = 10**12


def test_pip_without_network() -> None:
    words = words_for_pip(OFFLINE)
    assert "no network" in words
    assert "start again" in words


def test_pip_on_a_full_disk() -> None:
    assert words_for_pip(FULL).startswith("The disk is full")


def test_pip_without_a_wheel_for_this_machine_is_not_taken_for_no_network() -> None:
    words = words_for_pip(NOT_MADE_FOR_THIS)
    assert words.startswith("There is no PySide6-Essentials<6.11,>=6.8.3 for Python {}.{}".format(*sys.version_info[:2]))


def test_pip_failing_in_another_way_shows_its_last_lines() -> None:
    words = words_for_pip("\n".join(f"line {n}" for n in range(20)))
    assert "line 19" in words
    assert "line 3" not in words


def test_venv_module_incomplete() -> None:
    words = words_for_venv(NO_ENSUREPIP, free_bytes=PLENTY)
    assert "sudo apt-get install -y python{}.{}-venv".format(*sys.version_info[:2]) in words
    assert "incomplete" in words_for_venv("/usr/bin/python3: No module named venv\n", free_bytes=PLENTY)


def test_venv_on_a_full_disk_that_hides_the_reason() -> None:
    hidden = "Error: Command '['.venv/bin/python3', '-m', 'ensurepip']' returned non-zero exit status 1.\n"
    assert words_for_venv(hidden, free_bytes=0).startswith("The disk is full")
    assert "ensurepip" in words_for_venv(hidden, free_bytes=PLENTY)


def test_failures_of_the_file_system() -> None:
    assert words_for_os_error(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))).startswith("The disk is full")
    refused = words_for_os_error(PermissionError(errno.EACCES, "Permission denied", "some/.venv"))
    assert refused.startswith("Not allowed to write some/.venv")


def test_a_checkout_that_is_not_the_person_s_own() -> None:
    assert words_for_venv("Error: [Errno 13] Permission denied: '/opt/x/.venv'\n", free_bytes=PLENTY).startswith("Not allowed to write")
    assert words_for_pip("ERROR: Could not install packages: [Errno 30] Read-only file system\n").startswith("Not allowed to write")


@pytest.mark.parametrize("error", [SetupError("what to do"), LibrariesMissing("what to do")])
def test_a_failure_ends_in_words_and_not_in_a_traceback(error: Exception) -> None:
    def main() -> int:
        raise error

    assert or_clear_words(main) == "what to do"


def test_a_fault_of_ours_keeps_its_traceback() -> None:
    def main() -> int:
        raise KeyError("ours")

    with pytest.raises(KeyError):
        or_clear_words(main)


def test_stopped_by_the_keyboard() -> None:
    def main() -> int:
        raise KeyboardInterrupt

    assert "Stopped" in str(or_clear_words(main))


def test_this_python_runs_and_a_broken_one_does_not(tmp_path: Path) -> None:
    assert setup_project.python_runs(Path(sys.executable))
    assert not setup_project.python_runs(tmp_path / "none")
    broken = tmp_path / "python"
    broken.write_text("#!/no/such/interpreter\n", encoding="ascii")
    broken.chmod(0o755)
    assert not setup_project.python_runs(broken)


@pytest.mark.skipif(os.name != "posix", reason="the fake interpreter is a shell script")
def test_a_python_of_another_version_does_not_count_as_running(tmp_path: Path) -> None:
    other = tmp_path / "python"
    other.write_text("#!/bin/sh\necho 3.99\n", encoding="ascii")
    other.chmod(0o755)
    assert not setup_project.python_runs(other)


class Checkout:
    """A checkout in a temporary folder whose steps note that they were called and do the least: the venv is a folder with a `python`."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.steps, self.pip_error = root, list[str](), ""
        self.venv_runs = False
        for name in setup_project.DECLARATIONS:
            (root / name).write_text("first\n", encoding="ascii")
        monkeypatch.setattr(setup_project, "ROOT", root)
        monkeypatch.setattr(setup_project, "VENV", root / ".venv")
        monkeypatch.setattr(setup_project, "python_runs", lambda python: self.venv_runs)
        monkeypatch.setattr(setup_project, "pip_runs", lambda python: self.venv_runs)
        monkeypatch.setattr(setup_project, "make_venv", self.make_venv)
        monkeypatch.setattr(setup_project, "install_project", self.install)
        monkeypatch.setattr(setup_project, "pyside_folder", lambda: root)
        monkeypatch.setattr(setup_project, "provide", lambda folder, platforms: self.steps.append("libraries"))

    def make_venv(self) -> None:
        self.steps.append("venv")
        (self.root / ".venv").mkdir(exist_ok=True)
        for stamp in (self.root / ".venv").iterdir():
            stamp.unlink()
        self.venv_runs = True

    def install(self, extra: str) -> None:
        self.steps.append("install")
        if self.pip_error:
            raise SetupError(self.pip_error)

    def steps_of(self, extra: str = "") -> list[str]:
        """What one more start does."""
        self.steps.clear()
        set_up(extra=extra, platforms=("offscreen",))
        return list(self.steps)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    return Checkout(tmp_path, monkeypatch)


def test_the_first_start_does_all_and_the_second_nothing(checkout: Checkout) -> None:
    assert checkout.steps_of() == ["venv", "install", "libraries"]
    assert checkout.steps_of() == []


def test_the_test_extra_is_set_up_on_its_own_in_the_same_venv(checkout: Checkout) -> None:
    checkout.steps_of()
    assert checkout.steps_of("test") == ["install", "libraries"]
    assert checkout.steps_of() == []


@pytest.mark.parametrize("name", setup_project.DECLARATIONS)
def test_a_changed_declaration_installs_again(checkout: Checkout, name: str) -> None:
    checkout.steps_of()
    (checkout.root / name).write_text("second\n", encoding="ascii")
    assert checkout.steps_of() == ["install", "libraries"]


def test_a_broken_venv_is_made_anew_although_stamped(checkout: Checkout) -> None:
    checkout.steps_of()
    checkout.venv_runs = False
    assert checkout.steps_of() == ["venv", "install", "libraries"]


def test_a_failed_install_leaves_no_stamp(checkout: Checkout) -> None:
    checkout.pip_error = "no network"
    with pytest.raises(SetupError, match="no network"):
        checkout.steps_of()
    checkout.pip_error = ""
    assert checkout.steps_of() == ["install", "libraries"]


def test_a_moved_checkout_is_set_up_again(checkout: Checkout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = fingerprint("", ())
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in setup_project.DECLARATIONS:
        (moved / name).write_bytes((checkout.root / name).read_bytes())
    monkeypatch.setattr(setup_project, "ROOT", moved)
    assert fingerprint("", ()) != before


@pytest.fixture
def fake_venv_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `python -m venv` that makes a folder with a file `new`; the path of `.venv`."""
    venv = tmp_path / ".venv"

    def run(command: list[str], _: object) -> tuple[int, str]:
        assert command[1:] == ["-m", "venv", str(venv)]
        venv.mkdir()
        (venv / "new").touch()
        return 0, ""

    monkeypatch.setattr(setup_project, "ROOT", tmp_path)
    monkeypatch.setattr(setup_project, "VENV", venv)
    monkeypatch.setattr(setup_project, "_run_showing", run)
    return venv


def test_what_stands_in_the_place_of_the_venv_is_replaced(fake_venv_module: Path) -> None:
    (fake_venv_module / "lib").mkdir(parents=True)
    setup_project.make_venv()
    assert [path.name for path in fake_venv_module.iterdir()] == ["new"]


def test_a_link_in_its_place_is_replaced_and_what_it_points_to_kept(fake_venv_module: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    fake_venv_module.symlink_to(elsewhere)
    setup_project.make_venv()
    assert elsewhere.is_dir()
    assert not fake_venv_module.is_symlink()


def test_a_failed_venv_leaves_nothing_half_made(fake_venv_module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(command: list[str], _: object) -> tuple[int, str]:
        fake_venv_module.mkdir()
        return 1, NO_ENSUREPIP

    monkeypatch.setattr(setup_project, "_run_showing", fail)
    with pytest.raises(SetupError, match="incomplete"):
        setup_project.make_venv()
    assert not fake_venv_module.exists()


def test_the_venv_s_own_python_does_not_saw_off_its_branch(fake_venv_module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_venv_module.mkdir()
    monkeypatch.setattr("sys.prefix", str(fake_venv_module))
    with pytest.raises(SetupError, match="cannot mend"):
        setup_project.make_venv()
    assert fake_venv_module.is_dir()


@pytest.mark.parametrize(
    ("arguments", "failing", "status", "ran"),
    [
        ([], "", 0, ["ruff", "mypy", "pytest"]),
        ([], "ruff", 1, ["ruff", "mypy", "pytest"]),
        ([], "pytest", 1, ["ruff", "mypy", "pytest"]),
        (["tests/core", "-x"], "", 0, ["pytest"]),
    ],
)
def test_every_check_runs_and_one_failure_is_enough(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], failing: str, status: int, ran: list[str]
) -> None:
    commands = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command[2:])
        return subprocess.CompletedProcess(command, int(command[2] == failing))

    monkeypatch.setattr("subprocess.run", run)
    assert setup_project.run_checks(arguments) == status
    assert [command[0] for command in commands] == ran
    seed = setup_project.seed_of_files()
    assert commands[-1] == ["pytest", *(arguments or [f"--randomly-seed={seed}", f"--hypothesis-seed={seed}"])]


def test_the_seed_follows_from_names_and_contents_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def seed(place: str, files: dict[str, str]) -> int:
        for name, text in files.items():
            path = tmp_path / place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(setup_project, "ROOT", tmp_path / place)
        return setup_project.seed_of_files()

    files = {"explorer/core.py": "a", "explorer/core/merging.py": "b", "tests/test_a.py": "c"}
    first = seed("one", files)
    assert first == seed("another", dict(reversed(files.items())) | {"README.md": "not read"})
    assert 0 <= first < 2**32
    assert len({first, seed("changed", files | {"tests/test_a.py": "d"}), seed("more", files | {"tests/test_b.py": "c"})}) == 3
