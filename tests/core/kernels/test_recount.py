"""Every pair of a megabyte counted again at chosen merges, from the spelling that encoding gives, and held to what training wrote down."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from explorer.core import kernels
from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Recipe, TieRule

if kernels.why_not() is not None:
    pytest.skip(str(kernels.why_not()), allow_module_level=True)

from explorer.core.fast_timeline import fast_timeline_steps
from explorer.core.fast_training import fast_training_steps
from explorer.core.training import UnderWay

ALL = 10_000_000
IDS = 1 << 20  # above every id


def a_megabyte() -> bytes:
    """Lines of words, the short ones often, in several scripts, with runs of spaces and of one letter."""
    random = Random(5)
    letters = "etaoinshrdlucmfwypvbgkjqxz" + "éüßдлжю的一是" + "  '-0123"
    words = ["".join(random.choices(letters, weights=range(len(letters), 0, -1), k=random.randint(1, 9))) for _ in range(6000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    lines: list[bytes] = []
    size = 0
    while size < 1_000_000:
        lines.append(" ".join(random.choices(words, weights, k=random.randint(0, 14))).encode() + b"e" * random.randint(0, 3))
        size += len(lines[-1]) + 1
    return b"\n".join(lines)


def recounted(ids: np.ndarray, groups: np.ndarray) -> dict[tuple[int, int], int]:
    """The pairs within groups with how often each stands there."""
    inside = groups[:-1] == groups[1:]
    keys, counts = np.unique(ids[:-1][inside].astype(np.int64) * IDS + ids[1:][inside], return_counts=True)
    return dict(zip(zip((keys // IDS).tolist(), (keys % IDS).tolist(), strict=True), counts.tolist(), strict=True))


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe.of("chapter-81").asking(merges=3000),
        replace(Recipe.of("gpt2"), tie=TieRule.FIRST_MET).asking(merges=2000),
        replace(Recipe.of("byte-words"), lift=1256).asking(merges=1500),
    ],
)  # fmt: skip
def test_all_pairs_of_a_megabyte_at_chosen_merges(recipe: Recipe) -> None:
    corpus = Corpus.of_text(a_megabyte())
    begun = drain(fast_training_steps(corpus, recipe.asking(merges=700), under_way=UnderWay()))
    training = drain(fast_training_steps(corpus, recipe, begun, under_way=UnderWay()))  # so that it has a stage that was gone on with
    timeline = drain(fast_timeline_steps(training))
    for k in (0, 1, 700, 1000, training.learned):
        encoded = timeline.spell(0, len(corpus.data), k)[1]
        counts = recounted(encoded.ids, encoded.groups)
        often = {pair: count for pair, count in counts.items() if count >= recipe.min_count}
        assert {row.pair: row.count for row in timeline.ranked(k, ALL)} == often
        assert timeline.distinct(k) == len(counts)
        if k < training.learned:
            merge, most = training.merges[k], max(counts.values())
            assert (merge.count, merge.tied) == (most, sum(count == most for count in counts.values()))
            assert counts[merge.pair] == most
