"""Measurements: a fresh process each, ours and the fastest peer in turns, the others once, all within a time limit."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarking.fresh import Answer, Job
from benchmarking.rows import Row

OURS = "ours"
SCRIPTS = Path(__file__).resolve().parents[1]
LEAST_S = 1.0  # no process is started for less
START = "import sys; sys.path[:0] = [{root!r}]; sys.path.append({scripts!r}); from benchmarking.{side} import main; sys.exit(main())"


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why there is no figure, as a clause; `longer_than` is how many seconds it was given, where that is the reason."""

    why: str
    longer_than: float | None = None


@dataclass(slots=True)
class Taken:
    """What one side took, run by run; `not_run` where a run came to nothing, after which there is no other."""

    runs: list[Answer] = field(default_factory=list)
    not_run: NotRun | None = None

    @property
    def is_over(self) -> bool:
        """Whether trying again is of no use."""
        return self.not_run is not None

    def values(self, figure: str) -> list[float]:
        """The runs' figure: memory in bytes for "peak", what the answers name otherwise."""
        if figure == "peak":
            return [float(run.peak_bytes) for run in self.runs if run.peak_bytes is not None]
        return [run.figures[figure] for run in self.runs if figure in run.figures]


Run = Callable[[str, Job, float], Answer | NotRun]
"""Does a job by ours or a peer, by name, within so many seconds."""


@dataclass(slots=True)
class Clock:
    """The time there is: `limit` for one process, and until `end` (on the monotonic clock) for all; None for as long as it takes."""

    limit: float
    end: float | None = None

    def left(self) -> float:
        """Seconds that one process may take now."""
        return self.limit if self.end is None else min(self.limit, self.end - time.monotonic())

    def share(self, rows_left: int) -> "Clock":
        """The time for the next row of so many: twice its even share, as most take less."""
        if self.end is None:
            return self
        now = time.monotonic()
        return Clock(self.limit, min(self.end, now + 2 * max(0.0, self.end - now) / max(1, rows_left)))


class Measurements:
    """All measurements of one run of the script; rows that need the same job share them."""

    def __init__(self, run: Run, rounds: int) -> None:
        self._run, self._rounds = run, rounds
        self._taken: dict[tuple[str, Job], Taken] = {}

    def take(self, row: Row, job: Job, clock: Clock) -> dict[str, Taken]:
        """What ours and each of the row's peers took, the first of them in turns with ours, as far as time goes."""
        turns, once = (OURS, *row.peers[:1]), row.peers[1:]
        rounds = self._rounds if row.peers else 1  # nothing to take turns with
        for number in range(rounds):
            for who in turns:
                self._once(who, job, number, clock)
        for who in once:
            self._once(who, job, 0, clock)
        return {who: self._taken[who, job] for who in (OURS, *row.peers)}

    def _once(self, who: str, job: Job, number: int, clock: Clock) -> None:
        """One more run, unless there were as many already or it makes no sense."""
        taken = self._taken.setdefault((who, job), Taken())
        if taken.is_over or len(taken.runs) > number:
            return
        seconds = clock.left()
        if seconds < LEAST_S:
            if not taken.runs:
                taken.not_run = NotRun("no time was left")
            return
        found = self._run(who, job, seconds)
        if isinstance(found, Answer):
            taken.runs.append(found)
        elif not taken.runs:  # a later run that fails takes nothing from those before
            taken.not_run = found


@dataclass(frozen=True, slots=True)
class Pythons:
    """Who runs what: the program's Python, the peers', and for each peer that is not there the reason."""

    ours: Path
    peers: Path
    missing: Mapping[str, str]
    root: Path
    scratch: Path

    def run(self, who: str, job: Job, seconds: float) -> Answer | NotRun:
        """Does a job in a fresh process."""
        if who in self.missing:
            return NotRun(self.missing[who])
        python, side = (self.ours, "ours") if who == OURS else (self.peers, "theirs")
        start = START.format(root=str(self.root) if who == OURS else str(SCRIPTS), scripts=str(SCRIPTS), side=side)
        command = [str(python), "-P", "-c", start, json.dumps(asdict(job)), who]
        try:
            done = subprocess.run(
                command, cwd=self.scratch, env=self.environment(job), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                encoding="utf-8", errors="replace", timeout=seconds, check=False,
            )
        except subprocess.TimeoutExpired:
            return NotRun(f"longer than {seconds:.0f} s", seconds)
        except OSError as error:
            return NotRun(f"{python} cannot be started: {error.strerror}")
        return answer_of(done.returncode, done.stdout, done.stderr)

    def environment(self, job: Job) -> dict[str, str]:
        """The environment: as many threads as the job has, no screen, and settings that are not the person's own."""
        named = dict.fromkeys(("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), str(job.threads)) if job.threads else {}
        quiet = {"QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "qt.text.font.db=false"}
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP")}
        return {**kept, **named, **quiet, "TOKENIZERS_PARALLELISM": "false", "BPE_EXPLORER_SETTINGS_DIR": str(self.scratch)}


def answer_of(status: int, output: str, errors: str) -> Answer | NotRun:
    """What a process said in its last line, or that it failed, in the words of its last line on stderr."""
    lines = output.strip().splitlines()
    if status == 0 and lines:
        return Answer(**json.loads(lines[-1]))
    said = errors.strip().splitlines() or [f"exit status {status}"]
    return NotRun(f"failed: {said[-1][:200]}")
