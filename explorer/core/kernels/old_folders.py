"""Takes away the machine code that no program uses any more: the cache folders of other versions, each a few megabytes.

A folder is in use for as long as programs note that they use it, which each does at every training; only one that nobody
used for `KEPT_DAYS` goes. It is renamed first, so that a program that starts at that very moment finds all of it or
nothing, in which case it compiles anew. What another user owns, and what has another kind of name, stays.
"""

import contextlib
import os
import re
import shutil
import time
from pathlib import Path

from explorer.core import kernels

KEPT_DAYS = 30
DAY_S = 86_400.0
DOOMED = ".old-"  # how a folder's name begins once nobody is to find it

_NAME = re.compile(r"[0-9a-f]{20}")  # as `kernels.fingerprint` gives it


def note_use() -> None:
    """Notes that the cache folder of this program is in use now."""
    place = kernels.folder()
    if place is not None:
        with contextlib.suppress(OSError):  # not filled yet, or no longer to be written
            os.utime(place / kernels.COMPLETE)


def prune() -> tuple[str, ...]:
    """Takes away the folders beside ours that nobody used for `KEPT_DAYS`, and what an earlier try left; returns their names."""
    ours = kernels.folder()
    if ours is None:
        return ()
    gone: list[str] = []
    with contextlib.suppress(OSError):
        for place in sorted(ours.parent.iterdir()):
            if place.name != ours.name and _is_old(place) and _take_away(place):
                gone.append(place.name)
    return tuple(gone)


def _is_old(place: Path) -> bool:
    """Whether a folder is one of ours that nobody used for long, or one that was to go."""
    if place.is_symlink() or not place.is_dir():
        return False
    if place.name.startswith(DOOMED):
        return True
    return _NAME.fullmatch(place.name) is not None and time.time() - _last_used(place) > KEPT_DAYS * DAY_S


def _last_used(place: Path) -> float:
    """When somebody last filled or used a folder, in seconds since 1970."""
    times = [place.stat().st_mtime]
    for name in (kernels.COMPLETE, kernels.UNDER_WAY):
        with contextlib.suppress(OSError):
            times.append((place / name).stat().st_mtime)
    return max(times)


def _take_away(place: Path) -> bool:
    doomed = place if place.name.startswith(DOOMED) else place.with_name(DOOMED + place.name)
    try:
        if doomed is not place:
            place.rename(doomed)
    except OSError:  # another program was faster, or it is open on Windows
        return False
    shutil.rmtree(doomed, ignore_errors=True)
    return not doomed.exists()
