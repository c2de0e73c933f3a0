"""How long work tells how far it is, and hears that it should stop.

Work that a user may watch is a generator of `Step`s; `drain` runs it to its end and writes each step into a
`Progress`. A progress is an int64 array and a flag, so that a window can poll it and a compiled kernel could write
it; nothing here knows threads.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

import numpy as np

from explorer.errors import Cancelled


class Stage(Enum):
    """What is being done: the words a person reads in the status line."""

    READING = "reading"
    CUTTING = "cutting into pre-tokens"
    REPLAYING = "replaying merges"
    MERGING = "merging"
    ENCODING = "encoding"
    SEARCHING = "searching"
    COMPILING = "compiling the engine, once"


@dataclass(frozen=True, slots=True)
class Step:
    """One slice of work, at most about 2 ms: `done` of `total` in the stage's own unit; total 0 where unknown."""

    stage: Stage
    done: int
    total: int


_STAGES = tuple(Stage)

Result = TypeVar("Result")


class Progress:
    """Stage, done and total of one piece of work, and the wish to stop it.

    `pause` is called after every step; a window's worker passes a short sleep so that the interface gets its turn.
    """

    def __init__(self, pause: Callable[[], None] | None = None) -> None:
        self.numbers = np.zeros(3, np.int64)
        self.flag = np.zeros(1, np.int8)
        self._pause = pause

    @property
    def step(self) -> Step:
        """The last step written."""
        stage, done, total = self.numbers.tolist()
        return Step(_STAGES[stage], done, total)

    def write(self, step: Step) -> None:
        """Stores a step, gives way to the window, and raises Cancelled if that was asked."""
        self.numbers[:] = (_STAGES.index(step.stage), step.done, step.total)
        if self._pause:
            self._pause()
        if self.flag[0]:
            raise Cancelled

    def cancel(self) -> None:
        """Asks the work to stop at its next step."""
        self.flag[0] = 1


def drain(steps: Generator[Step, None, Result], progress: Progress | None = None) -> Result:
    """Runs the steps to their end and returns the result; raises Cancelled at the step after `progress.cancel()`."""
    try:
        while True:
            step = next(steps)
            if progress:
                progress.write(step)
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        steps.close()


def begin(steps: Generator[Step, None, Result], most: int) -> tuple[Result] | None:
    """Runs the first steps, at most so many: the result in a tuple where that was all, else None, and the rest can be run elsewhere."""
    try:
        for _ in range(most):
            next(steps)
    except StopIteration as end:
        return (end.value,)
    return None
