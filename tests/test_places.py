"""Where the program's own files lie."""

from pathlib import Path

import pytest

from explorer import places


def test_in_this_checkout_the_folders_stand_beside_the_package() -> None:
    root = Path(places.__file__).resolve().parent.parent
    assert places.resources_dir() == root / "resources"
    assert places.exemplars_dir() == root / "exemplars"


def test_in_a_wheel_the_folders_stand_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "explorer" / "exemplars").mkdir(parents=True)
    (tmp_path / "exemplars").mkdir()  # someone else's, in site-packages
    monkeypatch.setattr(places, "_PACKAGE", tmp_path / "explorer")
    assert places.exemplars_dir() == tmp_path / "explorer" / "exemplars"


def test_a_file_and_a_folder_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fork = tmp_path / "resources" / "icons" / "fork.svg"
    fork.parent.mkdir(parents=True)
    fork.touch()
    monkeypatch.setattr(places, "_PACKAGE", tmp_path / "explorer")
    assert places.resource("icons/fork.svg") == fork
    assert places.resource("icons") == fork.parent


def test_a_missing_file_is_named_with_the_folder() -> None:
    with pytest.raises(FileNotFoundError, match=r"no 'nothing\.txt' in .*exemplars"):
        places.exemplar("nothing.txt")


@pytest.mark.parametrize("name", ["../pyproject.toml", "a/../../b", "/etc/passwd"])
def test_a_name_does_not_climb_out(name: str) -> None:
    with pytest.raises(ValueError, match="not a name inside"):
        places.resource(name)
