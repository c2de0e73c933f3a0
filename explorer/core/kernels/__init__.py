"""Compiled loops: whether they can answer, where they are kept, and how they get there.

The loops are plain Python functions over arrays that numba compiles (compiling.py). That takes many seconds once and a
fraction of a second ever after, as the machine code is kept in a cache folder. This module imports no numba, so that
asking costs nothing; only the modules of loops do.

A cache that does not belong to the code gives WRONG results, as numba looks at the file of the function it was asked
for and not at those of the functions it calls. So the folder is named by everything that the machine code depends on:
every file of this package, the versions of Python, numba, llvmlite and numpy, and the processor. And by where the files
lie and when they were written, as numba compiles anew for another place or time: a folder that another copy of the program
has filled is not full for this one.
"""

import contextlib
import hashlib
import os
import platform
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

OVERRIDE = "BPE_EXPLORER_CACHE_DIR"  # names another folder to keep the machine code in
COMPLETE = "complete"  # the file in the cache folder that says that everything was compiled into it
UNDER_WAY = "under-way"  # the file in it that says that some process is at it
GIVEN_UP_S = 180  # a process that has not finished by then was killed
NEEDED = ("numba", "llvmlite", "numpy")


@cache
def why_not() -> str | None:
    """Why nothing can be compiled here, as a clause ("numba is not installed"); None where it can."""
    for name in NEEDED:
        if version(name) is None:
            return f"{name} is not installed"
    return None


def version(distribution: str) -> str | None:
    """The version of an installed distribution without importing it, None where it is not there."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


@cache
def fingerprint() -> str:
    """What the machine code depends on, as 20 hex digits."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(f"{file}\0{file.stat().st_mtime_ns}\0".encode("utf-8", "surrogateescape") + file.read_bytes() + b"\0")
    facts = [sys.version, sys.implementation.cache_tag, platform.machine(), _processor(), *(f"{name} {version(name)}" for name in NEEDED)]
    digest.update("\n".join(map(str, facts)).encode())
    return digest.hexdigest()[:20]


@cache
def folder() -> Path | None:
    """The folder that holds the machine code, made if need be: the user's, else a temporary one, None where neither can be written."""
    for base in (_users_cache(), Path(tempfile.gettempdir()) / f"bpe-explorer-{_user()}"):
        place = base / "kernels" / fingerprint()
        if _writable(place):
            return place
    return None


def is_warm() -> bool:
    """Whether everything has been compiled into the cache folder, so that loading it takes a fraction of a second."""
    place = folder()
    return why_not() is None and place is not None and (place / COMPLETE).is_file()


def being_compiled() -> bool:
    """Whether some process is filling the cache folder, so that it is worth waiting for it."""
    place = folder()
    with contextlib.suppress(OSError):
        return place is not None and time.time() - (place / UNDER_WAY).stat().st_mtime < GIVEN_UP_S
    return False


@contextlib.contextmanager
def filling() -> Iterator[None]:
    """Notes in the cache folder that this process is filling it, for as long as it does."""
    place = folder()
    if place is None:
        yield
        return
    try:
        with contextlib.suppress(OSError):
            (place / UNDER_WAY).write_bytes(b"")
        yield
    finally:
        with contextlib.suppress(OSError):
            (place / UNDER_WAY).unlink(missing_ok=True)


def mark_warm() -> None:
    """Notes that everything is in the cache folder. Last of all, so that a compilation that was killed never counts."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):  # then the next start compiles again, which is slow and not wrong
            (place / COMPLETE).write_bytes(b"")


def forget() -> None:
    """Takes the note back, so that what cannot be loaded from the folder is compiled anew."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            (place / COMPLETE).unlink(missing_ok=True)
            for file in place.rglob("*.nb[ic]"):
                file.unlink(missing_ok=True)


def _users_cache() -> Path:
    """The folder for caches of this user's programs, by the custom of the system."""
    if chosen := os.environ.get(OVERRIDE):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "bpe-explorer"
    except RuntimeError:  # a user without a home
        return Path(tempfile.gettempdir()) / f"bpe-explorer-{_user()}"


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _writable(place: Path) -> bool:
    """Whether a file can be made in a folder, which is made for this user alone if it is not there, and is this user's own.

    Machine code is loaded from it: a folder that somebody else put into the common temporary one is not taken.
    """
    trial = place / f".{secrets.token_hex(8)}"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and place.stat().st_uid != os.getuid():
            return False
        trial.write_bytes(b"")
        trial.unlink()
    except OSError:
        return False
    return True


def _processor() -> str:
    """The processor's name: machine code for one need not run on another that shares the home folder."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line
    return platform.processor()
