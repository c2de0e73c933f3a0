"""What values keep is estimated within a tenth of what they were made of, and once where it is shared."""

from functools import lru_cache

import numpy as np
import pytest

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.workspace.memory_held import MemoryHeld
from explorer.workspace.training_job import Live, Opened, train_run


def opened(corpus: Corpus, number: int, merges: int) -> Opened:
    return train_run(corpus, Recipe.of("chapter-81").asking(merges=merges), Live(number, "run"), None)


def test_arrays_bytes_and_many_small_parts() -> None:
    array = np.zeros(1_000_000, np.int64)
    assert MemoryHeld().more(array) == pytest.approx(8_000_000, rel=0.01)
    assert MemoryHeld().more((array[5:], array[:7], b"x" * 500_000)) == pytest.approx(8_500_000, rel=0.01), "a view keeps the whole"
    alike = [(1000 + n, 2000 + n) for n in range(100_000)]
    each = 56 + 2 * 28 + 8  # a tuple of two, its numbers, its place in the list
    assert MemoryHeld().more(alike) == pytest.approx(each * len(alike), rel=0.1)


def test_what_a_cache_of_answers_keeps_is_counted() -> None:
    @lru_cache(maxsize=2)
    def answer(number: int) -> bytes:
        return bytes(number)

    answer(3_000_000)
    assert MemoryHeld().more(answer) > 3_000_000


def test_what_is_shared_is_counted_once() -> None:
    data, memory = bytes(10_000_000), MemoryHeld()
    assert memory.more([data]) > 10_000_000
    assert memory.more([data]) < 1_000


def test_a_training_weighs_more_than_its_corpus_and_a_fork_less_than_a_training() -> None:
    corpus = Corpus.of_text(b"the hollow has a hobb and the hobb has a hollow\n" * 40 + bytes(range(256)) * 8)
    memory, first, second = MemoryHeld(), opened(corpus, 1, 30), opened(corpus, 2, 40)
    first.timeline.ranked(20, 10)
    alone = memory.more(first)
    assert alone > len(corpus.data) + 30 * 64
    assert 0 < memory.more(second) < alone, "the corpus is there already"
