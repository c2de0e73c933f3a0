"""What is told before a training that only the readable engine can do, and that takes it long."""

from explorer.core.corpus import Corpus
from explorer.core.engines import why_readable
from explorer.core.figures import duration, thousands
from explorer.core.marking import Here, lending
from explorer.core.readable_effort import ReadableEffort, readable_effort
from explorer.core.recipe import Recipe
from explorer.errors import ExplorerError
from explorer.workspace.values import Level, Notice

WORTH_TELLING_S = 5.0
MERGES_SUPPOSED = 200  # where all there are were asked for, the shortest training that is worth a word
PATTERN_S = 0.03  # a split pattern of one's own that takes longer on the beginning has no time told
QUICK = 10_000_000  # bytes x merges that are learned in less


def time_notice(corpus: Corpus, recipe: Recipe, learned: int = 0, *, kept: bool = True) -> Notice | None:
    """What is told of the time a training may take, `learned` merges of which are there; None where that is not long.

    `kept` says that one which is stopped leaves what it has learned, and not the result there was before.
    """
    why = why_readable(corpus, recipe)
    merges = recipe.rows or recipe.merges or MERGES_SUPPOSED
    if why is None or len(corpus.data) * merges < QUICK:
        return None
    try:
        with lending(Here(PATTERN_S)):
            effort = readable_effort(corpus, recipe, learned)
    except ExplorerError:  # which the training itself will tell
        return None
    seconds = effort.seconds_a_merge * MERGES_SUPPOSED if effort.seconds is None else effort.seconds
    if seconds < WORTH_TELLING_S:
        return None
    stopped = "It can be stopped, and keeps what it has learned." if kept else "It can be stopped; then what is shown now stays."
    return Notice(Level.INFO, f"The readable engine answers, as {why}. {_how_long(effort)} {stopped}")


def _how_long(effort: ReadableEffort) -> str:
    if effort.seconds is None:
        each = effort.seconds_a_merge
        return f"It takes {duration(each) if each >= 1 else f'about {each * 1000:.0f} ms'} a merge at first, until no pair is left."
    count = "One merge takes" if effort.merges == 1 else f"{thousands(effort.merges or 0)} merges take"
    return f"{count} {duration(effort.seconds)}."
