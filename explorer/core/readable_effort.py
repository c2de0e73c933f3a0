"""How long the readable engine takes, told before it starts: measured on this machine, now, on the beginning of the corpus.

It counts the whole corpus again at every merge. So what a merge takes on a part, times the corpus, times the merges, is
about what all take: the corpus gets shorter with every merge, and there are more kinds of pairs to count.
"""

import time
from dataclasses import dataclass, replace

import numpy as np

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import merges_wanted, train

PART = 20_000  # bytes that are tried: some hundredths of a second
MERGES_TRIED = 2
TRIES = 2  # of which the faster one counts


@dataclass(frozen=True, slots=True)
class ReadableEffort:
    """About what a training takes: seconds for each merge, and how many merges; None where there is no bound but the corpus."""

    seconds_a_merge: float
    merges: int | None

    @property
    def seconds(self) -> float | None:
        """Seconds for all merges."""
        return None if self.merges is None else self.merges * self.seconds_a_merge


def readable_effort(corpus: Corpus, recipe: Recipe, learned: int = 0) -> ReadableEffort:
    """About what the readable engine takes for a recipe of which some merges are learned."""
    part = _beginning(corpus)
    tried = replace(recipe, choices=(), lift=None, min_count=1)
    start = train(part, tried.asking(merges=0))
    fastest = float("inf")
    for _ in range(TRIES):
        before = time.perf_counter()
        train(part, tried.asking(merges=MERGES_TRIED), prefix=start)
        fastest = min(fastest, time.perf_counter() - before)
    floor = start.alphabet.floor
    wanted = merges_wanted(recipe.asking(rows=max(recipe.rows, floor)) if recipe.rows else recipe, start.alphabet)
    seconds = fastest / MERGES_TRIED * len(corpus.data) / max(1, len(part.data))
    return ReadableEffort(seconds, None if wanted is None else max(0, wanted - learned))


def _beginning(corpus: Corpus) -> Corpus:
    """The first texts, or the beginning of the first, as a corpus of its own."""
    size = min(PART, len(corpus.data))
    texts = int(np.searchsorted(corpus.starts[:-1], size))
    starts = np.append(corpus.starts[:texts], size)
    weights = None if corpus.weights is None else corpus.weights[:texts]
    return replace(corpus, data=corpus.data[:size], starts=starts, weights=weights)
