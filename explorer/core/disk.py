"""Files on disk: what may be read, why one could not be, and one written whole or not at all."""

import errno
import os
import secrets
import shutil
import stat
from contextlib import suppress
from pathlib import Path


def file_size(path: Path) -> int:
    """The size in bytes of a file that can be read to an end; OSError for a folder, a pipe or a device, ValueError for no path."""
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no ordinary file")
    return found.st_size


def why(error: OSError | ValueError) -> str:
    """Why a file could not be read or written, as the second half of a sentence.

    >>> why(FileNotFoundError(2, "No such file or directory"))
    'there is no such file'
    """
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "permission is denied"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"this is not the name of a file ({error})"


def write_beside(path: Path, data: bytes) -> None:
    """Writes a file so that at every moment either the old one or the new one is there, whole.

    The bytes go to a new file in the same folder, are forced to the disk, and take the old file's place and permissions. A link is
    followed: the file it leads to is the one replaced. On any failure the old file is as it was, nothing is left beside it, and the OSError
    (ValueError for what is no path) is the caller's to tell.
    """
    target = Path(os.path.realpath(path))
    _refuse_what_would_be_lost(target)
    beside = target.with_name(f".{secrets.token_hex(8)}.part")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException:  # whatever it was, an interrupt too: nothing half-written stays
        with suppress(OSError):
            beside.unlink()
        raise
    _settle(target.parent)


def _refuse_what_would_be_lost(target: Path) -> None:
    """A folder, a device or a file that its owner locked is not replaced, although a rename could do it; and a folder is not made."""
    if not target.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "there is no such folder")
    try:
        file_size(target)
    except FileNotFoundError:
        return
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "this file may not be changed")


def _settle(folder: Path) -> None:
    """Forces the rename to the disk where the system can open a folder; the file is whole either way."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
