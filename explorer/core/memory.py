"""How much memory is free, and the refusal of work that would need more, before it starts."""

import contextlib
import ctypes
import os
import sys
from pathlib import Path

from explorer.errors import TooLargeError

BYTES_A_SLOT = 16  # of a symbol in training: its slot, its place in the pool, room for births, the history of its pairs: measured
NEGLIGIBLE = 1 << 24  # bytes: whether there is so little is not asked, as on a machine where it is not no program goes on for long
MEMORY = Path("/proc/meminfo")  # on Linux
LIMITS = (  # of a container, on Linux, each with what is used of it and with what of that is only a copy of files
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current"), Path("/sys/fs/cgroup/memory.stat"), "inactive_file"),
    (
        Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
        Path("/sys/fs/cgroup/memory/memory.stat"), "total_inactive_file",
    ),
)  # fmt: skip


class _WindowsMemory(ctypes.Structure):
    """What Windows tells of its memory (MEMORYSTATUSEX)."""

    _fields_ = (
        ("size", ctypes.c_uint32), ("load", ctypes.c_uint32), ("total", ctypes.c_uint64), ("free", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 5),
    )


def memory_free() -> int | None:
    """The memory that can still be had on this machine or in this container, in bytes; None where the system does not say."""
    found = [free for free in (_free_here(), *(_free_within(*limit) for limit in LIMITS)) if free is not None]
    return min(found, default=None)


def entries_need(size: int) -> int:
    """The memory in bytes that a training by entries takes at most, on a corpus of `size` bytes: where no two lines are alike."""
    return size * BYTES_A_SLOT


def refuse_beyond_memory(needed: int, what: str, instead: str = "Open a part of the corpus.") -> None:
    """TooLargeError where work on `what` needs more bytes than are free; `instead` is what one can do."""
    free = memory_free() if needed > NEGLIGIBLE else None
    if free is not None and needed > free:
        raise TooLargeError(f"{what} need about {gigabytes(needed)} of memory; {gigabytes(free)} can be had. {instead}")


def gigabytes(size: int) -> str:
    """A size as a person reads it.

    >>> gigabytes(16_300_000_000)
    '16.3 GB'
    """
    return f"{size / 1e9:.1f} GB"


def _free_here() -> int | None:
    """By the system: what is free, and what holds copies of files that can be dropped."""
    if sys.platform == "win32":
        told = _WindowsMemory(size=ctypes.sizeof(_WindowsMemory))
        return int(told.free) if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(told)) else None
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in MEMORY.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(ValueError, OSError):  # macOS does not say what is free without another program: all there is
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _free_within(limit: Path, used: Path, details: Path, cached: str) -> int | None:
    """By the container; None where there is none, or none that is limited."""
    with contextlib.suppress(OSError, ValueError):  # "max", or no such file
        free = int(limit.read_text(encoding="ascii")) - int(used.read_text(encoding="ascii"))
        for line in details.read_text(encoding="ascii").splitlines():
            if line.startswith(f"{cached} "):
                free += int(line.split()[1])
        return max(0, free)
    return None
