"""A file written whole or not at all."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.core.disk import why, write_beside


def test_a_new_file_is_written(tmp_path: Path) -> None:
    write_beside(tmp_path / "new.txt", b"a\r\nb\n\x00")
    assert (tmp_path / "new.txt").read_bytes() == b"a\r\nb\n\x00"
    assert [path.name for path in tmp_path.iterdir()] == ["new.txt"]


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_beside(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640 or os.name == "nt"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_stays_one_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_beside(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"


@pytest.mark.parametrize("where", ["write", "fsync", "replace"])
@pytest.mark.parametrize("there", [True, False])
def test_case_031_on_any_failure_the_old_file_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, there: bool
) -> None:
    path = tmp_path / "table.txt"
    if there:
        path.write_bytes(b"old")
    write = os.write

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def half(descriptor: int, data: memoryview) -> int:
        if len(data) < 1000:
            full()
        return write(descriptor, data[:600])

    target = Path if where == "replace" else os
    with monkeypatch.context() as patch:
        patch.setattr(target, where, half if where == "write" else full)
        with pytest.raises(OSError, match="No space left"):
            write_beside(path, b"n" * 1000)
    assert [file.name for file in tmp_path.iterdir()] == (["table.txt"] if there else [])
    assert not there or path.read_bytes() == b"old"


@pytest.mark.skipif(os.name == "nt", reason="no limit of that kind there")
def test_case_031_a_write_that_the_system_cuts_short_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_bytes(b"old")
    script = (
        "import resource, sys; from pathlib import Path; from explorer.core.disk import write_beside\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: write_beside(Path(sys.argv[1]), b'n' * 10000)\n"
        "except OSError as error: print(error.strerror)\n"
    )
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-B", "-c", script, str(tmp_path / "table.txt")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=root, timeout=60, check=True)
    assert "large" in ran.stdout
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("table.txt", b"old")]


def test_an_interrupt_leaves_nothing_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write_beside(tmp_path / "a.txt", b"new")
    assert not list(tmp_path.iterdir())


def test_a_folder_a_missing_folder_and_no_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_beside(tmp_path, b"")
    (tmp_path / "file").write_bytes(b"")
    for missing in ("none", "file"):
        with pytest.raises(NotADirectoryError) as refused:
            write_beside(tmp_path / missing / "a.txt", b"")
        assert why(refused.value) == "there is no such folder"
    with pytest.raises(ValueError, match="null"):
        write_beside(tmp_path / "a\0b", b"")


@pytest.mark.skipif(os.name == "nt", reason="no devices as files there")
def test_a_device_is_not_replaced_by_a_file() -> None:
    with pytest.raises(OSError, match="no ordinary file"):
        write_beside(Path(os.devnull), b"")


def test_a_file_that_its_owner_locked_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # a test may run as root, who may write anything
    with pytest.raises(PermissionError):
        write_beside(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FileNotFoundError(2, "x"), "there is no such file"),
        (PermissionError(13, "x"), "permission is denied"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError("bare"), "bare"),
        (ValueError("embedded null byte"), "this is not the name of a file (embedded null byte)"),
    ],
)
def test_why_a_file_could_not_be_read_or_written(error: OSError | ValueError, told: str) -> None:
    assert why(error) == told
