"""Settings survive a start, and nothing stored can stop one."""

import json
from pathlib import Path

import pytest

from explorer.workspace.settings import Preferences, Settings, load_settings, save_settings

OTHER = Settings(
    theme="dark", zoom=1.5, welcome=False, recent=("a.txt", "b\udce9.txt"), geometry="01ff", splitters=(("left", (3, 4)),),
    blanks=False, merges_a_second=16, logarithmic=True, reduce_motion=True, tinting="age",
)  # fmt: skip


def test_the_first_start_has_the_defaults(settings_folder: Path) -> None:
    assert load_settings() == (Settings(), ())


def test_what_is_saved_is_loaded(settings_folder: Path) -> None:
    assert save_settings(OTHER) is None
    assert load_settings() == (OTHER, ())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"), ("zoom", "large"), ("zoom", 99), ("zoom", True), ("welcome", 1), ("recent", "a.txt"), ("recent", [1]),
        ("geometry", 5), ("splitters", [["left", ["wide"]]]), ("splitters", 3), ("merges_a_second", 0), ("merges_a_second", 2.5),
        ("blanks", None), ("logarithmic", "yes"), ("reduce_motion", []), ("tinting", "pink"),
    ],
)  # fmt: skip
def test_a_bad_value_falls_back_and_is_told(settings_folder: Path, name: str, value: object) -> None:
    (settings_folder / "settings.json").write_text(json.dumps({"theme": "dark", name: value}), "utf-8")
    settings, told = load_settings()
    assert getattr(settings, name) == getattr(Settings(), name)
    assert len(told) == 1 and name in told[0]
    assert name == "theme" or settings.theme == "dark"


@pytest.mark.parametrize("text", ["", "{", "[1]", "\x00"])
def test_a_broken_file_starts_anew_and_is_told(settings_folder: Path, text: str) -> None:
    (settings_folder / "settings.json").write_text(text, "utf-8")
    settings, told = load_settings()
    assert settings == Settings() and len(told) == 1


def test_an_unknown_value_of_a_later_version_is_left_alone(settings_folder: Path) -> None:
    (settings_folder / "settings.json").write_text('{"zoom": 2.0, "from_the_future": 1}', "utf-8")
    assert load_settings() == (Settings(zoom=2.0), ())


def test_settings_that_cannot_be_written_are_told(settings_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (settings_folder / "a file").write_text("")
    monkeypatch.setenv("BPE_EXPLORER_SETTINGS_DIR", str(settings_folder / "a file" / "below"))
    trouble = save_settings(Settings())
    assert trouble is not None and "could not be saved" in trouble


def test_recent_files_are_newest_first_once_each_and_few() -> None:
    settings = Settings()
    for name in [*"abcdefghijklm", "c"]:
        settings = settings.with_recent(name)
    assert settings.recent == ("c", *"mlkjihgfe")


def test_preferences_tell_of_a_change_once(qapp: object) -> None:
    preferences = Preferences(Settings())
    heard: list[Settings] = []
    preferences.changed.connect(heard.append)
    preferences.set(zoom=2.0)
    preferences.set(zoom=2.0)
    assert heard == [Settings(zoom=2.0)]
    preferences.deleteLater()


def test_of_two_windows_neither_writes_over_what_the_other_changed(qapp: object, settings_folder: Path) -> None:
    save_settings(Settings(recent=("old.txt",)))
    began, _ = load_settings()
    first, second = Preferences(began, read=began), Preferences(began, read=began)
    first.set(theme="dark", recent=began.with_recent("first.txt").recent)
    second.set(zoom=1.5, recent=began.with_recent("second.txt").recent)
    assert first.save() is None and second.save() is None
    both = Settings(theme="dark", zoom=1.5, recent=("second.txt", "first.txt", "old.txt"))
    assert load_settings() == (both, ())
    save_settings(Settings(theme="contrast"))
    assert second.save() is None
    assert load_settings() == (Settings(theme="contrast"), ()), "what was written once is not written again"
    for preferences in (first, second):
        preferences.deleteLater()
