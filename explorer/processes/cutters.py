"""Looking for the matches of a split pattern in processes that can be stopped: what pieces and workspace lend to core.

A pattern of one's own may be one that never ends, and a match cannot be broken off in the process that looks for it. Each process has a
thread here that gives it passages and takes what it finds; whoever wants the findings waits a hundredth of a second at a
time, so that a wish to stop is heard, and the processes are killed as soon as he leaves.
"""

import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import IO

import numpy as np

from explorer.core.disk import why
from explorer.core.marking import Found, Passage
from explorer.core.pattern_matches import out_of_memory
from explorer.errors import ExplorerError, PatternTimeoutError, ProcessLostError
from explorer.processes import cutting
from explorer.workers import cores

BREATH_S = 0.01  # how long is waited for news before it is told that there are none
LOOK_S = 0.1  # how often is looked whether every process gets on
GONE_S = 0.02  # how long is waited for processes that were killed to be gone
START_S = 30.0  # how long a process may take to start, beyond what its pattern may take
SENT_AT_ONCE = 1 << 20  # bytes
MOST = 4  # processes: each holds its passage twice, as bytes and as text
HOME = Path(__file__).resolve().parents[2]
RUN = f"import sys; sys.path[:] = sys.argv[1:]; from {cutting.__name__} import main; main()"

News = Found | ExplorerError | None  # None: a process has nothing more to do


@dataclass(frozen=True, slots=True)
class Cutters:
    """Looks for matches in so many processes; a `core.marking.LookForMatches`."""

    count: int

    def __call__(self, pattern: str, passages: Iterable[Passage], /) -> Generator[Found | None, None, None]:
        """See `LookForMatches`. Raises ProcessLostError where a process does not start or is ended by somebody else."""
        passages = iter(passages)
        first = list(islice(passages, self.count))
        crew = _Crew(pattern, chain(first, passages))
        try:
            for _ in first:
                crew.hire()
            yield from crew.found()
        finally:
            crew.dismiss()


def cutters() -> Cutters:
    """As many as there are cores, as far as they help."""
    return Cutters(min(cores(), MOST))


def command() -> list[str]:
    """What starts a process that cuts. It needs nothing of the site, and finds modules where this program does.

    A program that was frozen into one file is its own interpreter, and is told what it is started for.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, cutting.ASKED_FOR]
    return [sys.executable, "-S", "-c", RUN, str(HOME), *(str(Path(place).absolute()) for place in sys.path)]


class _Crew:
    """The processes of one search."""

    def __init__(self, pattern: str, passages: Iterator[Passage]) -> None:
        self.pattern = pattern
        self.news: SimpleQueue[News] = SimpleQueue()
        self._passages, self._one_at_a_time = passages, threading.Lock()
        self._cutters: list[_Cutter] = []

    def hire(self) -> None:
        """Starts a process."""
        self._cutters.append(_Cutter(self))

    def dismiss(self) -> None:
        """Kills all processes. Their threads see the end of them: one that held a large text takes a while to go, and nobody waits."""
        for cutter in self._cutters:
            cutter.process.kill()
        until = monotonic() + GONE_S
        for cutter in self._cutters:
            cutter.join(max(0.0, until - monotonic()))

    def next_passage(self) -> Passage | None:
        """A passage that nobody has begun; None where there is none left."""
        with self._one_at_a_time:
            return next(self._passages, None)

    def found(self) -> Generator[Found | None, None, None]:
        """What the processes find, as it comes; None while there is nothing new."""
        busy, look_at = len(self._cutters), monotonic()
        while busy:
            try:
                one = self.news.get(timeout=BREATH_S)
            except Empty:
                yield None
            else:
                if isinstance(one, ExplorerError):
                    raise one
                busy -= one is None
                yield one
            if monotonic() > look_at:
                for cutter in self._cutters:
                    cutter.refuse_to_wait()
                look_at = monotonic() + LOOK_S


class _Cutter:
    """A process, the thread that talks with it, and what it is at."""

    def __init__(self, crew: _Crew) -> None:
        self._crew = crew
        self._passage: Passage | None = None
        self._through, self._heard = 0, monotonic() + START_S
        try:
            self.process = subprocess.Popen(
                command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )  # fmt: skip
        except OSError as error:
            raise ProcessLostError(f"No process could be started to match the split pattern: {why(error)}. Close other programs.") from None
        self._thread = threading.Thread(target=self._live, daemon=True, name="cutter")
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Waits for so long until a process that was killed is gone."""
        self._thread.join(seconds)

    def _live(self) -> None:
        """Talks with the process, and is there when it ends."""
        try:
            self._attend()
        finally:
            self.process.wait()
            for pipe in (self._to, self._from):
                with suppress(OSError):  # what was to be written when the process went
                    pipe.close()

    def refuse_to_wait(self) -> None:
        """Raises PatternTimeoutError where there were no news for longer than the limit."""
        passage = self._passage
        if passage is not None and monotonic() - self._heard > passage.limit_s:
            raise PatternTimeoutError(self._crew.pattern, passage.at + self._through, passage.limit_s)

    @property
    def _to(self) -> IO[bytes]:
        assert self.process.stdin
        return self.process.stdin

    @property
    def _from(self) -> IO[bytes]:
        assert self.process.stdout
        return self.process.stdout

    def _attend(self) -> None:
        """Gives the process passages until there are no more."""
        try:
            pattern = self._crew.pattern.encode("utf-8", "surrogatepass")
            self._to.write(cutting.LENGTH.pack(len(pattern)) + pattern)
            while (passage := self._crew.next_passage()) is not None:
                self._through, self._passage = 0, passage
                self._send(passage)
                self._hear(passage)
            self._passage = None
            self._crew.news.put(None)
        except (OSError, EOFError):
            self._crew.news.put(_lost(self.process.wait()))
        except ExplorerError as error:
            self._crew.news.put(error)
        except MemoryError:
            place = self._passage.at + self._through if self._passage else 0
            self._crew.news.put(out_of_memory(self._crew.pattern, place))

    def _send(self, passage: Passage) -> None:
        self._to.write(cutting.PASSAGE.pack(len(passage.starts), passage.size, passage.stop, passage.limit_s))
        self._to.write(passage.starts.tobytes() + passage.ends.tobytes())
        for start in range(0, passage.size, SENT_AT_ONCE):
            self._to.write(passage.part(start, min(start + SENT_AT_ONCE, passage.size)))
        self._to.flush()

    def _hear(self, passage: Passage) -> None:
        """Hands on what is found in a passage, until it is done."""
        while True:
            kind, self._through, count = cutting.ANSWER.unpack(self._read(cutting.ANSWER.size))
            self._heard = monotonic()
            if kind == cutting.DONE:
                return
            if kind == cutting.STUCK:
                raise PatternTimeoutError(self._crew.pattern, passage.at + self._through, passage.limit_s)
            if kind == cutting.TOO_LARGE:
                raise out_of_memory(self._crew.pattern, passage.at + self._through)
            starts = np.frombuffer(self._read(8 * count), np.int64)
            self._crew.news.put(Found(passage, starts, self._through))

    def _read(self, size: int) -> bytes:
        data = self._from.read(size)
        if len(data) < size:
            raise EOFError
        return data


def _lost(code: int) -> ProcessLostError:
    """Says that a process ended that should not have."""
    how = f"by signal {-code}" if code < 0 else f"with code {code}"
    return ProcessLostError(
        f"The process that matched the split pattern was ended {how}, perhaps for want of memory. Nothing was changed; try it again, "
        "or cut the corpus into more rows."
    )


__all__ = ["Cutters", "command", "cutters"]
