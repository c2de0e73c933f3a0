"""Training as the Workspace runs it: a run with its timeline, and what is known on the way there."""

from collections.abc import Generator
from dataclasses import dataclass, field, replace

from explorer.core.corpus import Corpus
from explorer.core.engines import ready_steps, replay_table_steps, timeline_steps, training_steps
from explorer.core.progress import Progress, Step, drain
from explorer.core.recipe import Recipe
from explorer.core.runs import Run, fork_steps
from explorer.core.table import MergeTable
from explorer.core.timeline import Timeline
from explorer.core.training import Merge, MergeStep, Stopped, Training
from explorer.workers import workers


@dataclass(frozen=True, slots=True)
class Opened:
    """A run and the timeline that answers for it."""

    run: Run
    timeline: Timeline


@dataclass
class Live:
    """What a training that is under way has so far; written by its thread, read by the window."""

    run_id: int
    name: str
    base: Opened | None = None  # the run with no merges yet
    merges: list[Merge] = field(default_factory=list)

    def partial(self) -> Opened | None:
        """What was learned, as a run that asked for no more; None before the corpus was cut."""
        if self.base is None:
            return None
        training, learned = self.base.run.training, tuple(self.merges)
        if training.recipe.lift is not None:  # the moment of the lift is known at the end alone
            learned = ()
        recipe = training.recipe.asking(merges=len(learned))
        partial = replace(training, recipe=recipe, merges=learned, stopped=Stopped.SIZE)
        return Opened(replace(self.base.run, recipe=recipe, training=partial), self.base.timeline.on(partial))


def train_run(corpus: Corpus, recipe: Recipe, live: Live, prefix: Training | None, progress: Progress | None) -> Opened:
    """Trains and makes the timeline; `live` is kept up to date."""
    return drain(_train_run(corpus, recipe, live, prefix), progress)


def _train_run(corpus: Corpus, recipe: Recipe, live: Live, prefix: Training | None) -> Generator[Step, None, Opened]:
    if prefix is None:
        start = yield from training_steps(corpus, replace(recipe.asking(merges=0), choices=()), map_chunks=workers())
        prefix = replace(start, recipe=recipe)
        yield from corpus.find_lines_steps()
        yield from _ready(prefix)
        live.base = Opened(Run(live.run_id, None, None, recipe, prefix, live.name), (yield from timeline_steps(prefix)))
    training = yield from _watched(training_steps(corpus, recipe, prefix), live, prefix)
    timeline = yield from timeline_steps(training, live.base.timeline if live.base else None)
    yield from _ready(training)
    return Opened(Run(live.run_id, None, None, recipe, training, live.name), timeline)


def _ready(training: Training) -> Generator[Step, None, None]:
    """Works out what the views will ask for at once, so that the window does not stop over it."""
    yield from training.corpus.find_lines_steps()
    yield from ready_steps(training)


def _watched(steps: Generator[Step, None, Training], live: Live, prefix: Training) -> Generator[Step, None, Training]:
    live.merges.extend(prefix.merges)
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            training: Training = end.value
            return training
        if isinstance(step, MergeStep):
            live.merges.extend(step.merges)
        yield step


def fork_run(run: Run, rank: int, pair: tuple[int, int], run_id: int, timeline: Timeline, progress: Progress | None) -> Opened:
    """Forks a run; its timeline shares what does not depend on the merges."""
    forked = drain(fork_steps(run, rank, pair, run_id), progress)
    drain(_ready(forked.training), progress)
    return Opened(forked, timeline.on(forked.training))


def replay_run(corpus: Corpus, table: MergeTable, run_id: int, name: str, progress: Progress | None) -> Opened:
    """Replays a table from a file on the corpus, so that its merges have the counts they have here."""
    training = drain(replay_table_steps(corpus, table, workers()), progress)
    timeline = drain(timeline_steps(training), progress)
    drain(_ready(training), progress)
    return Opened(Run(run_id, None, None, table.recipe, training, name), timeline)
