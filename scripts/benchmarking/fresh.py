"""What happens inside a measuring process: the core it keeps to, the clocks, and the answer it prints.

A measurement is a process of its own that does one piece of work and prints one line of JSON. This module is shared by
our side (ours.py) and the peers' (theirs.py), which run under different Pythons, so it takes the standard library only.
"""

import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work: the `task` and what it needs, as the parent hands it on.

    `corpus` is the file that is read, `mapped` the same for gigabpe's entries (one letter a byte), `ranks` the cl100k vocabulary with its
    merges. `rule` is the recipe's pre-tokens and `vocabulary` how many tokens there are in the end, the 256 bytes included. `seconds` is
    how long a task may look on that has no end of its own, `doing` what is done in the window. Fields that a task has no use for stay
    empty.
    """

    task: str
    corpus: str = ""
    mapped: str = ""
    ranks: str = ""
    rule: str = ""
    vocabulary: int = 0
    threads: int = 1
    seconds: float = 0.0
    doing: str = ""

    @property
    def merges(self) -> int:
        """How many merges make that vocabulary."""
        return self.vocabulary - 256


@dataclass(slots=True)
class Answer:
    """What a measuring process found: named figures, the peak of its memory, and what it made.

    `figures` holds processor seconds ("work", "first", "warm") and the same on the clock under "work wall" and so on, or what the task
    says. `digest` tells two results apart; empty where a peer does another work than ours on purpose. `engine` says who answered.
    """

    engine: str = ""
    figures: dict[str, float] = field(default_factory=dict)
    peak_bytes: int | None = None
    digest: str = ""

    def time(self, figure: str, work: Callable[[], Result]) -> Result:
        """Does the work and notes what it took, by the processor (all threads) and by the clock."""
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        self.figures[figure] = time.process_time() - processor
        self.figures[f"{figure} wall"] = time.perf_counter() - wall
        return result

    def again(self, figure: str, times: int, work: Callable[[], object]) -> None:
        """Does the work several times and notes the median of what each took; with no times nothing."""
        taken: list[tuple[float, float]] = []
        for _ in range(times):
            self.time(figure, work)
            taken.append((self.figures[figure], self.figures[f"{figure} wall"]))
        if taken:
            self.figures[figure], self.figures[f"{figure} wall"] = (median(each) for each in zip(*taken, strict=True))


def peak_bytes() -> int | None:
    """The most memory this process has had, in bytes; None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource  # not on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def keep_to_cores(threads: int) -> None:
    """Keeps this process, and all threads it will start, to as many cores; the last ones, as the first serve interrupts."""
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cores[-threads:])


def digest_of(parts: Iterable[bytes]) -> str:
    """What tells two lists of byte strings apart, 16 hex digits."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()[:16]


HARD = ("one letter", "random letters", "CJK", "spaces")


def hard_text(letters: str, size: int = 1_000_000) -> str:
    """A megabyte in one piece that cl100k's pattern does not cut, one of `HARD`."""
    chance = random.Random(1)
    if letters == "one letter":
        return "a" * size
    if letters == "random letters":
        return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=size))
    if letters == "CJK":
        return "".join(map(chr, chance.choices(range(0x4E00, 0x9FA6), k=size // 3)))  # three bytes each
    assert letters == "spaces", letters
    return " " * size


def answer_one(work: Callable[[Job, Answer, str], None]) -> int:
    """The body of a measuring process: reads the job from the arguments, does it, prints the answer.

    The arguments are the job as JSON and who is to do it (the peer's name, or "ours").
    """
    fields: dict[str, Any] = json.loads(sys.argv[1])  # Any: JSON
    job, answer = Job(**fields), Answer()
    if job.threads:
        keep_to_cores(job.threads)
    work(job, answer, sys.argv[2])
    answer.peak_bytes = peak_bytes() if answer.peak_bytes is None else answer.peak_bytes
    found = {"engine": answer.engine, "figures": answer.figures, "peak_bytes": answer.peak_bytes, "digest": answer.digest}
    sys.stdout.write("\n" + json.dumps(found) + "\n")  # on a line of its own, whatever a peer printed before
    return 0
