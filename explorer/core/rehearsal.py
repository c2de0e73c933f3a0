"""Every kernel called once, on next to nothing: which compiles what is not compiled, and loads what is.

Imports numba.
"""

from collections.abc import Iterator
from dataclasses import replace

from explorer.core import encoding_rehearsal
from explorer.core.corpus import Corpus
from explorer.core.fast_timeline import fast_timeline_steps
from explorer.core.fast_training import fast_replay_steps, fast_training_steps
from explorer.core.progress import drain
from explorer.core.recipe import Recipe, TieRule
from explorer.core.training import UnderWay

LETTERS = b"abab abab ba\nab\n" * 2


def rehearse() -> None:
    """Runs a training of every kind, and encodes; what they learn is nobody's business."""
    encoding_rehearsal.rehearse()
    for corpus, recipe in _cases():
        training = drain(fast_training_steps(corpus, recipe, under_way=UnderWay()))
        drain(fast_training_steps(corpus, replace(recipe, merges=None), training.cut(1)))
        timeline = drain(fast_timeline_steps(training))
        for k in (0, training.learned):
            timeline.ranked(k, 10)
            timeline.spell(0, len(corpus.data), k)
        drain(fast_replay_steps(corpus, training.table))


def _cases() -> Iterator[tuple[Corpus, Recipe]]:
    """Trainings that need all kernels between them: symbols as bytes and as numbers, counted by square and by hash."""
    text = Corpus.of_text(LETTERS)
    for tie in TieRule:
        yield text, replace(Recipe.of("chapter-81"), tie=tie)
    yield text, replace(Recipe.of("byte-words"), lift=257)
    yield Corpus.of_text("".join(map(chr, range(0x4E00, 0x5300))).encode()), Recipe.of("script")  # more symbols than a square takes
