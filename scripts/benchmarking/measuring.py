"""Measurements: a fresh process each, ours and the fastest peer in turns, the others once, all within a time limit."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarking.fresh import Answer, Job
from benchmarking.rows import Row

OURS = "ours"
SCRIPTS = Path(__file__).resolve().parents[1]
LEAST_S = 1.0  # no process is started for less
OTHERS_AFTER = 1  # the round after which the other peers have their turn: where time is short they are worth more than a third turn
START = "import sys; sys.path[:0] = [{root!r}]; sys.path.append({scripts!r}); from benchmarking.{side} import main; sys.exit(main())"


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why there is no figure, as a clause."""

    why: str


@dataclass(slots=True)
class Taken:
    """What one side took, run by run; `not_run` where a run came to nothing, after which there is no other."""

    runs: list[Answer] = field(default_factory=list)
    not_run: NotRun | None = None

    def values(self, figure: str) -> list[float]:
        """The runs' figure: memory in bytes for "peak", what the answers name otherwise."""
        if figure == "peak":
            return [float(run.peak_bytes) for run in self.runs if run.peak_bytes is not None]
        return [run.figures[figure] for run in self.runs if figure in run.figures]


Run = Callable[[str, Job, float], Answer | NotRun]
"""Does a job by ours or a peer, by name, within so many seconds."""


@dataclass(slots=True)
class Clock:
    """The time there is: `limit` for one process, and until `end` (on the monotonic clock) for all; None: as long as it takes."""

    limit: float
    end: float | None = None

    def left(self) -> float:
        """Seconds that one process may take now."""
        return self.limit if self.end is None else min(self.limit, self.end - time.monotonic())


@dataclass(frozen=True, slots=True)
class Asked:
    """A row whose job has its paths, or `why_not` it cannot be done."""

    row: Row
    job: Job
    why_not: str | None = None

    @property
    def turns(self) -> tuple[str, ...]:
        """Who takes turns: ours and the fastest peer."""
        return (OURS, *self.row.peers[:1])


class Measurements:
    """All measurements of one run of the script; rows that need the same job share them."""

    def __init__(self, run: Run, clock: Clock, tell: Callable[[str], None]) -> None:
        self._run, self._clock, self._tell = run, clock, tell
        self._taken: dict[tuple[str, Job], Taken] = {}

    def take(self, asked: Sequence[Asked], rounds: int) -> None:
        """Lets ours and the fastest peer of every row take turns, and the other peers once, as far as time goes.

        A round goes through all rows, so that where time is short every row has some turns and none has them all.
        """
        possible = [each for each in asked if each.why_not is None]
        for number in range(rounds):
            self._tell(f"Round {number + 1} of {rounds} ...")
            for each in possible:
                if number == 0 or each.row.peers:  # nobody to take turns with
                    self._together(each.turns, each.job, number)
            if number == OTHERS_AFTER:
                self._tell("The other peers, once each ...")
                for each in possible:
                    self._together(each.row.peers[1:], each.job, 0)

    def of(self, asked: Asked) -> dict[str, Taken]:
        """What ours and each peer of a row took."""
        named = (OURS, *asked.row.peers)
        if asked.why_not is not None:
            return {who: Taken(not_run=NotRun(asked.why_not)) for who in named}
        return {who: self._taken.get((who, asked.job), Taken(not_run=NotRun("no time was left"))) for who in named}

    def _together(self, names: Sequence[str], job: Job, number: int) -> None:
        for who in names:
            self._once(who, job, number)

    def _once(self, who: str, job: Job, number: int) -> None:
        """One more run, unless there were as many already, or it came to nothing before."""
        taken = self._taken.get((who, job), Taken())
        seconds = self._clock.left()
        if taken.not_run or len(taken.runs) > number or seconds < LEAST_S:
            return
        found = self._run(who, job, seconds)
        self._taken[who, job] = taken
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
            return NotRun(f"stopped after {seconds:.0f} s")
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
