"""Where the program's own files lie: the folders `resources/` and `exemplars/`, in a checkout and in an installed wheel alike.

In a checkout both stand at the top level, where people find them; a wheel carries them inside the package, since nothing else of it is ours
after an install. This module alone knows that. Names are relative, with forward slashes, and never climb out of their folder.
"""

from pathlib import Path, PurePosixPath

_PACKAGE = Path(__file__).resolve().parent


def resources_dir() -> Path:
    """The folder of icons, fonts and whatever else the window is drawn with."""
    return _folder("resources")


def exemplars_dir() -> Path:
    """The folder of small corpora that come with the program."""
    return _folder("exemplars")


def resource(name: str) -> Path:
    """The file or folder `name` under resources/, as "icons/fork.svg"; FileNotFoundError names the place looked in."""
    return _inside(resources_dir(), name)


def exemplar(name: str) -> Path:
    """The file or folder `name` under exemplars/, as "eighteen.txt"; FileNotFoundError names the place looked in."""
    return _inside(exemplars_dir(), name)


def _folder(name: str) -> Path:
    """The folder inside the package when it is there; otherwise beside it (not the other way round: site-packages is not ours)."""
    carried = _PACKAGE / name
    return carried if carried.is_dir() else _PACKAGE.parent / name


def _inside(folder: Path, name: str) -> Path:
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts:
        raise ValueError(f"{name!r} is not a name inside {folder.name}/")
    found = folder / relative
    if not found.exists():
        raise FileNotFoundError(f"there is no {name!r} in {folder}")
    return found
