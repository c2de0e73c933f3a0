"""What the program remembers from one start to the next: one frozen value in one JSON file.

A stored value that cannot be used falls back to its default and is told; a file that cannot be read or written never
stops the program.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QStandardPaths, Signal

FOLDER_VARIABLE = "BPE_EXPLORER_SETTINGS_DIR"
RECENT_KEPT = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """All that is remembered. `theme` is light, dark, contrast or auto; sizes are hex of what Qt saved.

    `tinting` is turns, identity, age or none.
    """

    theme: str = "auto"
    zoom: float = 1.0
    welcome: bool = True
    recent: tuple[str, ...] = ()
    geometry: str = ""
    splitters: tuple[tuple[str, tuple[int, ...]], ...] = ()
    blanks: bool = True
    merges_a_second: int = 4
    logarithmic: bool = False
    reduce_motion: bool = False
    tinting: str = "turns"

    def with_recent(self, path: str) -> "Settings":
        """With a file at the top of the recent ones."""
        others = tuple(known for known in self.recent if known != path)
        return replace(self, recent=(path, *others)[:RECENT_KEPT])


def settings_folder() -> Path:
    """The folder of the settings file: named by the environment, or where the system wants it."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation))


def load_settings() -> tuple[Settings, tuple[str, ...]]:
    """The stored settings, and a sentence for each value that could not be used."""
    path = settings_folder() / "settings.json"
    try:
        stored = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings(), ()
    except (OSError, ValueError) as error:
        return Settings(), (f"The settings could not be read and start anew: {error}.",)
    if not isinstance(stored, dict):
        return Settings(), ("The settings could not be read and start anew: they are not a JSON object.",)
    return _checked(stored)


def save_settings(settings: Settings) -> str | None:
    """Writes the settings beside the old file, then renames; what went wrong, None if nothing did."""
    folder = settings_folder()
    beside = folder / "settings.json.new"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(asdict(settings), indent=1), "utf-8")
        beside.replace(folder / "settings.json")
    except OSError as error:
        return f"The settings could not be saved: {error.strerror}."
    return None


class Preferences(QObject):
    """The settings as they are now; whoever changes one calls `set`, whoever depends on one hears `changed`.

    `read` is what the file said at the start. What still is as it was read is left as the file says by now, since another
    window may have written it meanwhile; without `read` everything is written.
    """

    changed = Signal(object)  # Settings

    def __init__(self, settings: Settings, parent: QObject | None = None, *, read: Settings | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self._read = read

    def set(self, **changes: Any) -> None:  # Any: values of different fields
        """Changes some settings; nothing is emitted where nothing changed."""
        settings = replace(self.settings, **changes)
        if settings != self.settings:
            self.settings = settings
            self.changed.emit(settings)

    def save(self) -> str | None:
        """Writes them; what went wrong, None if nothing did."""
        if self._read is None:
            return save_settings(self.settings)
        stored, _ = load_settings()
        kept = with_changes(stored, self._read, self.settings)
        failed = save_settings(kept)
        if failed is None:
            self._read = self.settings
        return failed


def with_changes(stored: Settings, before: Settings, after: Settings) -> Settings:
    """What is stored by now, with what one window changed from `before` to `after`; its recent files go on top of the others.

    >>> kept = with_changes(Settings(theme="dark", recent=("a", "b")), Settings(recent=("a",)), Settings(zoom=2.0, recent=("c", "a")))
    >>> kept.theme, kept.zoom, kept.recent
    ('dark', 2.0, ('c', 'a', 'b'))
    """
    names = [field.name for field in fields(Settings)]
    changed = {name: getattr(after, name) for name in names if getattr(after, name) != getattr(before, name)}
    if "recent" in changed:
        opened = _opened(before.recent, after.recent)
        changed["recent"] = (*opened, *(path for path in stored.recent if path not in opened))[:RECENT_KEPT]
    return replace(stored, **changed)


def _opened(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """The files that went on top of the recent ones: those above what still is in its old order."""
    count = 0
    while after[count:] != tuple(path for path in before if path in after[count:]):
        count += 1
    return after[:count]


def _checked(stored: dict[str, Any]) -> tuple[Settings, tuple[str, ...]]:  # Any: JSON values
    good: dict[str, Any] = {}
    told: list[str] = []
    for field in fields(Settings):
        if field.name not in stored:
            continue
        try:
            good[field.name] = _READ[field.name](stored[field.name])
        except (TypeError, ValueError):
            told.append(f"The setting {field.name} could not be used and is back at its default.")
    return Settings(**good), tuple(told)


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise TypeError(value)
    return value


def _theme(value: Any) -> str:
    if value not in ("auto", "light", "dark", "contrast"):
        raise ValueError(value)
    return str(value)


def _tinting(value: Any) -> str:
    if value not in ("turns", "identity", "age", "none"):
        raise ValueError(value)
    return str(value)


def _zoom(value: Any) -> float:
    if isinstance(value, bool) or not 0.5 <= float(value) <= 3.0:
        raise ValueError(value)
    return float(value)


def _speed(value: Any) -> int:
    if not 1 <= _of(int, value) <= 1000:
        raise ValueError(value)
    return int(value)


def _splitters(value: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((_of(str, name), tuple(_of(int, size) for size in sizes)) for name, sizes in value)


_READ: dict[str, Callable[[Any], Any]] = {
    "theme": _theme,
    "zoom": _zoom,
    "welcome": lambda value: _of(bool, value),
    "recent": lambda value: tuple(_of(str, path) for path in _of(list, value))[:RECENT_KEPT],
    "geometry": lambda value: _of(str, value),
    "splitters": _splitters,
    "blanks": lambda value: _of(bool, value),
    "merges_a_second": _speed,
    "logarithmic": lambda value: _of(bool, value),
    "reduce_motion": lambda value: _of(bool, value),
    "tinting": lambda value: _tinting(value),
}
