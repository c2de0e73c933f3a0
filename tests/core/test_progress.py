"""Progress: the last step written, the wish to stop, and generators closed whatever happens."""

from collections.abc import Generator

import pytest

from explorer.core.progress import Progress, Stage, Step, drain
from explorer.errors import Cancelled


class Work:
    """Counts to five, and notes that it was cleaned up."""

    def __init__(self) -> None:
        self.closed = False
        self.reached = 0

    def steps(self) -> Generator[Step, None, str]:
        try:
            for n in range(1, 6):
                self.reached = n
                yield Step(Stage.MERGING, n, 5)
            return "done"
        finally:
            self.closed = True


def test_draining_gives_the_result_and_the_last_step() -> None:
    work, progress = Work(), Progress()
    assert drain(work.steps(), progress) == "done"
    assert progress.step == Step(Stage.MERGING, 5, 5)
    assert drain(Work().steps()) == "done"


@pytest.mark.parametrize("stage", Stage)
def test_a_step_is_read_back_as_it_was_written(stage: Stage) -> None:
    progress = Progress()
    progress.write(Step(stage, 2**40, 2**41))
    assert progress.step == Step(stage, 2**40, 2**41)


def test_cancelling_stops_at_the_next_step_and_cleans_up() -> None:
    work = Work()
    progress = Progress(pause=lambda: progress.cancel() if work.reached == 3 else None)
    with pytest.raises(Cancelled):
        drain(work.steps(), progress)
    assert (work.reached, work.closed) == (3, True)


def test_the_pause_comes_after_every_step() -> None:
    turns: list[int] = []
    work = Work()
    drain(work.steps(), Progress(pause=lambda: turns.append(work.reached)))
    assert turns == [1, 2, 3, 4, 5]


def test_an_error_of_the_work_comes_through() -> None:
    def steps() -> Generator[Step, None, None]:
        yield Step(Stage.READING, 0, 0)
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        drain(steps(), Progress())
