"""Bytes that stay on the disk: a large corpus read through a map, a few pages of it in memory at a time.

Less than `MAPPED_FROM` bytes are held as `bytes`; more are a `MappedBytes`, which can be sliced, searched and given to numpy
and `re` alike, so that nothing else needs to know which it is (`Data` is either). What has been read is let go of again
(`let_go`, `letting_go`), so that the memory used does not grow with the corpus. The map is of a file of our own without a
name, never of the file that was opened: of that, somebody may cut off what is shown, and reading it would end the program.
`ByteStore` makes such bytes.
"""

import mmap
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import suppress
from io import BytesIO
from typing import IO, SupportsIndex, TypeVar, overload

from explorer.core.disk import why
from explorer.core.figures import thousands
from explorer.core.progress import Step
from explorer.errors import TooLargeError

MAPPED_FROM = 1 << 25  # bytes: less is held in memory
PART = 1 << 20  # bytes searched in one go: less than 1 ms
DISK = "/var/tmp"
LET_GO_AFTER = 1 << 26  # bytes sliced
COUNTED_BETWEEN = 1 << 24  # bytes that a kernel reads before they are let go of

Result = TypeVar("Result")


class MappedBytes(mmap.mmap):
    """The bytes of a file, read where they are looked at. Slices are `bytes`; no single call works longer than some milliseconds."""

    _sliced = 0

    def let_go(self) -> None:
        """Gives back the memory of what was read; it is read again where it is looked at again."""
        self._sliced = 0
        if hasattr(mmap, "MADV_DONTNEED"):  # not on Windows, which does it by itself
            self.madvise(mmap.MADV_DONTNEED)

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: "slice[SupportsIndex | None]", /) -> bytes: ...
    def __getitem__(self, at: "SupportsIndex | slice[SupportsIndex | None]", /) -> int | bytes:
        """One byte as a number, or several as `bytes`."""
        found = super().__getitem__(at)
        if isinstance(found, bytes):
            self._sliced += len(found)
            if self._sliced > LET_GO_AFTER:
                self.let_go()
        return found

    def __contains__(self, sub: object) -> bool:
        """Whether some bytes are there."""
        return isinstance(sub, bytes) and self.find(sub) >= 0

    def __eq__(self, other: object) -> bool:
        """Whether the bytes are the same."""
        if not isinstance(other, bytes | MappedBytes):
            return NotImplemented
        return len(self) == len(other) and all(self[a:b] == other[a:b] for a, b in _parts(0, len(self)))

    __hash__ = object.__hash__  # by identity

    def find(self, sub: bytes, start: int = 0, end: int | None = None, /) -> int:  # type: ignore[override]  # bytes alone are looked for
        """The first place of some bytes in [start, end), -1 where there is none."""
        stop = len(self) if end is None else min(end, len(self))
        for a, b in _parts(max(0, start), stop):
            found = self[a : min(stop, b + len(sub) - 1)].find(sub)
            if found >= 0:
                return a + found
        return -1

    def rfind(self, sub: bytes, start: int = 0, end: int | None = None, /) -> int:  # type: ignore[override]  # bytes alone are looked for
        """The last place of some bytes in [start, end), -1 where there is none."""
        first, b = max(0, start), len(self) if end is None else min(end, len(self))
        stop = b
        while b > first:
            a = max(first, b - PART)
            found = self[a : min(stop, b + len(sub) - 1)].rfind(sub)
            if found >= 0:
                return a + found
            b = a
        return -1

    def count(self, sub: bytes, start: int = 0, end: int | None = None, /) -> int:
        """How often some bytes occur in [start, end) without overlap."""
        stop = len(self) if end is None else min(end, len(self))
        found, free = 0, start
        for a, b in _parts(start, stop):
            if len(sub) == 1:
                found += self[a:b].count(sub)
                continue
            part = self[a : min(stop, b + len(sub) - 1)]
            at = part.find(sub, max(0, free - a))
            while at >= 0:
                found, free = found + 1, a + at + len(sub)
                at = part.find(sub, free - a)
        return found

    def endswith(self, tail: bytes, /) -> bool:
        """Whether the last bytes are these."""
        return self[max(0, len(self) - len(tail)) :] == tail


Data = bytes | MappedBytes
"""The bytes of a corpus or of a file: in memory, or on the disk."""


class ByteStore:
    """Gathers bytes: in memory, and from `MAPPED_FROM` bytes on in a file without a name that goes with its last user.

    Of `expected` bytes TooLargeError says before the first is written that the disk has no room for them; so many go into the
    file at once.
    """

    def __init__(self, expected: int = 0) -> None:
        self._memory: BytesIO | None = BytesIO()
        self._file: IO[bytes] | None = None
        self._size, self._large = 0, expected >= MAPPED_FROM
        free = shutil.disk_usage(folder()).free if expected >= MAPPED_FROM else expected
        if free < expected:
            raise TooLargeError(f"The text needs {thousands(expected)} bytes in {folder()}; {thousands(free)} are free. Make room there.")

    def __len__(self) -> int:
        """How many bytes there are so far."""
        return self._size

    def write(self, part: bytes) -> None:
        """Adds some bytes; TooLargeError where the disk has no room for them."""
        self._size += len(part)
        if self._memory is not None:
            self._memory.write(part)
            if self._size < MAPPED_FROM and not self._large:
                return
        try:
            if self._file is None or self._memory is not None:
                assert self._memory is not None, "it is either in memory or in a file"
                self._file = tempfile.TemporaryFile(dir=folder())  # noqa: SIM115 - it lives as long as the bytes
                self._file.write(self._memory.getbuffer())
                self._memory = None
            else:
                self._file.write(part)
        except OSError as error:
            raise _no_room(error) from error

    def __del__(self) -> None:
        """Closes the file where the bytes were never asked for."""
        if self._file is not None:
            with suppress(OSError):  # on a full disk what is still to be written cannot be, and was told of
                self._file.close()

    def data(self) -> Data:
        """What was gathered; nothing may be written after."""
        if self._memory is not None:
            return self._memory.getvalue()  # without a copy
        assert self._file is not None, "it is either in memory or in a file"
        try:
            with self._file as file:
                file.flush()
                if self._size < MAPPED_FROM:  # more were expected
                    file.seek(0)
                    return file.read()
                return MappedBytes(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise _no_room(error) from error


def folder() -> str:
    """Where bytes are laid down: where the environment says (TMPDIR), else on a disk rather than in a /tmp that may be in memory."""
    named = any(os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    return DISK if not named and os.access(DISK, os.W_OK | os.X_OK) else tempfile.gettempdir()


def _no_room(error: OSError) -> TooLargeError:
    return TooLargeError(f"The text cannot be laid down in {folder()}: {why(error)}. Make room there.")


def letting_go(steps: Generator[Step, None, Result], data: Data, every: int = COUNTED_BETWEEN) -> Generator[Step, None, Result]:
    """The same steps of work that reads `data`; what it has read is let go of whenever `done` has gone on by so much."""
    if not isinstance(data, MappedBytes):
        return (yield from steps)
    before = 0
    try:
        while True:
            try:
                step = next(steps)
            except StopIteration as ended:
                result: Result = ended.value
                return result
            if abs(step.done - before) >= every:
                before = step.done
                data.let_go()
            yield step
    finally:
        steps.close()
        data.let_go()


def _parts(start: int, end: int) -> Iterator[tuple[int, int]]:
    for at in range(start, end, PART):
        yield at, min(end, at + PART)


__all__ = ["MAPPED_FROM", "ByteStore", "Data", "MappedBytes", "letting_go"]
