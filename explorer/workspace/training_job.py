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
from explorer.core.training import Merge, MergeStep, Training, UnderWay
from explorer.workers import workers


@dataclass(frozen=True, slots=True)
class Opened:
    """A run and the timeline that answers for it."""

    run: Run
    timeline: Timeline


@dataclass
class Live:
    """What a training that is under way has so far; written by its thread, read by the window.

    `before` is the run that it goes on from, None where it begins with the corpus.
    """

    run_id: int
    name: str
    before: Opened | None = None
    base: Opened | None = None  # the run with no merges yet
    merges: list[Merge] = field(default_factory=list)
    under_way: UnderWay = field(default_factory=UnderWay)

    def partial(self) -> Opened | None:
        """What was learned before it was stopped, as a run that asked for no more; None where that is nothing to show."""
        training, start = self.under_way.stopped, self.before or self.base
        if training is None or start is None or (self.before and training.learned <= self.before.run.training.learned):
            return None
        return Opened(Run(self.run_id, None, None, training.recipe, training, self.name), start.timeline.on(training))


def without_more(opened: Opened) -> Opened:
    """A run that was shown while its training went on, as one that asked for no more than it has."""
    recipe = opened.run.recipe.asking(merges=opened.run.training.learned)
    training = replace(opened.run.training, recipe=recipe)
    return Opened(replace(opened.run, recipe=recipe, training=training), opened.timeline.on(training))


def train_run(corpus: Corpus, recipe: Recipe, live: Live, progress: Progress | None) -> Opened:
    """Trains and makes the timeline; `live` is kept up to date."""
    return drain(_train_run(corpus, recipe, live), progress)


def _train_run(corpus: Corpus, recipe: Recipe, live: Live) -> Generator[Step, None, Opened]:
    prefix = live.before.run.training if live.before else None
    steps = training_steps(corpus, recipe, prefix, workers(), live.under_way)
    try:
        training = yield from _watched(steps, live, corpus, recipe)
    finally:
        steps.close()  # now, so that what was learned is told before anybody asks
    live.under_way.stopped = training  # all of it, should the timeline not be waited for
    start = live.before or live.base
    timeline = yield from timeline_steps(training, start.timeline if start else None)
    yield from _ready(training, prefix)
    return Opened(Run(live.run_id, None, None, recipe, training, live.name), timeline)


def _ready(training: Training, like: Training | None = None) -> Generator[Step, None, None]:
    """Works out what the views will ask for at once, so that the window does not stop over it; `like` began with the same merges."""
    yield from training.corpus.find_lines_steps()
    yield from ready_steps(training, like)


def _watched(steps: Generator[Step, None, Training], live: Live, corpus: Corpus, recipe: Recipe) -> Generator[Step, None, Training]:
    live.merges.extend(live.before.run.training.merges if live.before else ())
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            training: Training = end.value
            return training
        if isinstance(step, MergeStep):
            live.merges.extend(step.merges)
        begun = live.under_way.begun
        if begun and not live.base:
            yield from corpus.find_lines_steps()
            yield from _ready(begun)
            live.base = Opened(Run(live.run_id, None, None, recipe, begun, live.name), (yield from timeline_steps(begun)))
        yield step


def fork_run(run: Run, rank: int, pair: tuple[int, int], run_id: int, timeline: Timeline, progress: Progress | None) -> Opened:
    """Forks a run; its timeline shares what does not depend on the merges."""
    forked = drain(fork_steps(run, rank, pair, run_id, UnderWay()), progress)
    drain(_ready(forked.training, run.training), progress)
    return Opened(forked, timeline.on(forked.training))


def replay_run(corpus: Corpus, table: MergeTable, run_id: int, name: str, progress: Progress | None) -> Opened:
    """Replays a table from a file on the corpus, so that its merges have the counts they have here."""
    training = drain(replay_table_steps(corpus, table, workers(), UnderWay()), progress)
    timeline = drain(timeline_steps(training), progress)
    drain(_ready(training), progress)
    return Opened(Run(run_id, None, None, table.recipe, training, name), timeline)
