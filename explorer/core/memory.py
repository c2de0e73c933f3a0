"""How much memory there is, and the refusal of work that would need more, before it starts."""

import contextlib
import os
from pathlib import Path

from explorer.errors import TooLargeError

LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # of a container, on Linux


def memory_there() -> int | None:
    """The memory of this machine, or of the container, in bytes; None where the system does not say."""
    found: list[int] = []
    with contextlib.suppress(AttributeError, ValueError, OSError):  # Windows has no sysconf
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in LIMITS:
        with contextlib.suppress(ValueError, OSError):  # "max", or no such file
            found.append(int(Path(limit).read_text(encoding="ascii")))
    return min((size for size in found if size > 0), default=None)


def refuse_beyond_memory(needed: int, what: str) -> None:
    """TooLargeError where work on `what` needs more bytes than there are."""
    there = memory_there()
    if there is not None and needed > there:
        raise TooLargeError(
            f"{what} need about {needed / 1e9:.1f} GB of memory; this machine has {there / 1e9:.1f} GB. Open a part of the corpus."
        )
