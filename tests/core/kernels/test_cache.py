"""Where machine code is kept: a folder named by all it depends on, found or made in any surroundings, and never half filled."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import explorer
from explorer.core import kernels

ROOT = Path(explorer.__file__).resolve().parent.parent
NEEDS_NUMBA = pytest.mark.skipif(kernels.why_not() is not None, reason=str(kernels.why_not()))
RUN_SOME = "from explorer.core.kernels.counting_loops import lay_pretokens; print(lay_pretokens.__class__.__name__)"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    for asked in (kernels.why_not, kernels.fingerprint, kernels.folder):
        asked.cache_clear()
    yield
    for asked in (kernels.why_not, kernels.fingerprint, kernels.folder):
        asked.cache_clear()


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command, there = [sys.executable, "-c", program], {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False, env=there)


def test_the_folder_is_in_the_users_cache_or_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path / "mine"))
    assert kernels.folder() == tmp_path / "mine" / "kernels" / kernels.fingerprint()
    kernels.folder.cache_clear()
    monkeypatch.delenv(kernels.OVERRIDE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert kernels.folder() == tmp_path / "xdg" / "bpe-explorer" / "kernels" / kernels.fingerprint()


def test_a_cache_that_cannot_be_written_gives_way_to_a_temporary_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "a file, no folder"
    blocked.write_bytes(b"")
    monkeypatch.setenv(kernels.OVERRIDE, str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    found = kernels.folder()
    assert found is not None
    assert found.is_relative_to(tmp_path / "temporary")
    kernels.folder.cache_clear()
    monkeypatch.setattr("tempfile.tempdir", str(blocked))
    assert kernels.folder() is None
    assert not kernels.is_warm()
    kernels.mark_warm()
    kernels.forget()


def test_any_change_of_any_file_of_the_package_is_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copy = tmp_path / "kernels"
    shutil.copytree(Path(kernels.__file__).parent, copy)
    monkeypatch.setattr(kernels, "__file__", str(copy / "__init__.py"))
    before = kernels.fingerprint()
    kernels.fingerprint.cache_clear()
    assert kernels.fingerprint() == before
    for file in copy.glob("*.py"):
        kernels.fingerprint.cache_clear()
        file.write_bytes(file.read_bytes() + b"\n# changed\n")
        assert kernels.fingerprint() != before
        before = kernels.fingerprint()


def test_another_copy_of_the_package_or_a_later_one_is_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For both numba compiles anew, so that the note that everything is compiled must not be found."""
    found = {kernels.fingerprint()}
    for name in ("one", "another"):
        shutil.copytree(Path(kernels.__file__).parent, tmp_path / name)
        with monkeypatch.context() as there:
            there.setattr(kernels, "__file__", str(tmp_path / name / "__init__.py"))
            for written in (1_000_000_000, 1_000_000_001):
                os.utime(tmp_path / name / "counting_loops.py", (written, written))
                kernels.fingerprint.cache_clear()
                found.add(kernels.fingerprint())
    assert len(found) == 5


def test_another_version_of_what_compiles_is_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernels.fingerprint()
    for name in kernels.NEEDED:
        kernels.fingerprint.cache_clear()
        real = kernels.version
        monkeypatch.setattr(kernels, "version", lambda asked, name=name, real=real: "0.0.1" if asked == name else real(asked))
        assert kernels.fingerprint() != before
        monkeypatch.setattr(kernels, "version", real)


def test_without_numba_nothing_is_warm_and_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "version", lambda name: None if name == "numba" else "1")
    assert kernels.why_not() == "numba is not installed"
    assert not kernels.is_warm()


@NEEDS_NUMBA
def test_a_folder_is_warm_once_everything_is_in_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path))
    assert not kernels.is_warm()
    kernels.mark_warm()
    assert kernels.is_warm()
    kernels.forget()
    assert not kernels.is_warm()


@NEEDS_NUMBA
def test_asking_whether_the_kernels_are_there_imports_no_numba() -> None:
    names = "explorer.core.kernels, explorer.core.engines, explorer.core.training, explorer.core.timeline"
    ran = run(f"import sys, {names}; explorer.core.kernels.is_warm(); print('numba' in sys.modules)")
    assert (ran.stdout.strip(), ran.stderr) == ("False", "")


@NEEDS_NUMBA
def test_loops_are_there_where_nothing_can_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_bytes(b"")
    program = f"import tempfile; tempfile.tempdir = {str(blocked)!r}\n{RUN_SOME}"
    ran = run(program, **{kernels.OVERRIDE: str(blocked)})
    assert ran.returncode == 0, ran.stderr
