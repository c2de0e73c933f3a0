"""What is taken away of the machine code of other versions: what nobody used for long, and nothing else."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.core import kernels
from explorer.core.kernels import old_folders

OLD = time.time() - (old_folders.KEPT_DAYS + 1) * old_folders.DAY_S
ONE, OTHER = "0123456789abcdef0123", "fedcba98765432100000"


@pytest.fixture(autouse=True)
def ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    kernels.folder.cache_clear()
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path))
    found = kernels.folder()
    assert found is not None
    yield found
    monkeypatch.undo()
    kernels.folder.cache_clear()


def beside(ours: Path, name: str, *, old: bool, complete: bool = True) -> Path:
    place = ours.with_name(name)
    (place / "inside").mkdir(parents=True)
    (place / "inside" / "code.nbc").write_bytes(b"machine code")
    if complete:
        (place / kernels.COMPLETE).write_bytes(b"")
    if old:
        for each in (*place.iterdir(), place):
            os.utime(each, (OLD, OLD))
    return place


def test_a_folder_that_nobody_used_for_long_goes_and_one_that_somebody_did_stays(ours: Path) -> None:
    gone, stays = beside(ours, ONE, old=True), beside(ours, OTHER, old=False)
    assert old_folders.prune() == (ONE,)
    assert not gone.exists()
    assert (stays / "inside" / "code.nbc").is_file()
    assert list(ours.parent.glob(f"{old_folders.DOOMED}*")) == []


def test_a_folder_is_kept_while_a_program_notes_its_use_and_our_own_always(
    ours: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels.mark_warm()
    for each in (ours / kernels.COMPLETE, ours):
        os.utime(each, (OLD, OLD))
    old_folders.prune()
    assert ours.is_dir()
    old_folders.note_use()
    other = ours.with_name(ONE)
    other.mkdir()
    monkeypatch.setattr(kernels, "folder", lambda: other)  # another version, looking at ours
    os.utime(ours, (OLD, OLD))
    assert old_folders.prune() == ()
    os.utime(ours / kernels.COMPLETE, (OLD, OLD))
    assert old_folders.prune() == (ours.name,)


def test_one_that_is_being_filled_stays(ours: Path) -> None:
    place = beside(ours, ONE, old=True, complete=False)
    (place / kernels.UNDER_WAY).write_bytes(b"")
    os.utime(place, (OLD, OLD))
    assert old_folders.prune() == ()
    os.utime(place / kernels.UNDER_WAY, (OLD, OLD))
    os.utime(place, (OLD, OLD))
    assert old_folders.prune() == (ONE,)


def test_what_has_another_name_or_is_a_link_stays_and_what_was_half_gone_goes(ours: Path, tmp_path: Path) -> None:
    strange = beside(ours, "somebody's folder", old=True)
    half = beside(ours, old_folders.DOOMED + ONE, old=False)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_bytes(b"")
    os.utime(elsewhere, (OLD, OLD))
    try:
        ours.with_name(OTHER).symlink_to(elsewhere)
    except OSError:
        pytest.skip("no links here")
    assert old_folders.prune() == (half.name,)
    assert strange.is_dir()
    assert (elsewhere / "kept").is_file()
    assert not half.exists()


def test_without_a_folder_of_our_own_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "folder", lambda: None)
    old_folders.note_use()
    assert old_folders.prune() == ()
