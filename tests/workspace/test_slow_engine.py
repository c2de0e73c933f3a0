"""What is told, before it starts, of a training that takes the readable engine long."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from explorer.core import kernels
from explorer.core.corpus import Corpus
from explorer.core.readable_effort import PART, ReadableEffort, readable_effort
from explorer.core.recipe import Counting, PreTokenRule, Recipe
from explorer.workspace import slow_engine
from explorer.workspace.slow_engine import time_notice
from explorer.workspace.values import Notice
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

DISJOINT = replace(Recipe.of("chapter-81"), counting=Counting.DISJOINT)
LONG = Corpus.of_text(b"she sells sea shells by the sea shore\n" * 20_000)
COUNTED = "The readable engine answers, as only this engine counts disjoint occurrences. "


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which every merge takes two seconds; the kernels are there."""
    monkeypatch.setattr(slow_engine, "readable_effort", lambda *asked: replace(readable_effort(*asked), seconds_a_merge=2.0))
    monkeypatch.setattr(slow_engine, "QUICK", 0)
    monkeypatch.setattr(kernels, "why_not", lambda: None)
    monkeypatch.setattr(kernels, "is_warm", lambda: True)


def told(corpus: Corpus, recipe: Recipe, learned: int = 0) -> str:
    notice = time_notice(corpus, recipe, learned)
    return notice.text if notice else ""


@pytest.mark.usefixtures("slow")
def test_the_time_of_disjoint_counting_is_told_with_the_reason() -> None:
    assert told(LONG, DISJOINT).startswith(COUNTED + "256 merges take about 9 min. It can be stopped")
    assert "56 merges take about 2 min" in told(LONG, DISJOINT, 200)
    assert told(LONG, DISJOINT, 255) == "", "a merge or two are soon there"
    assert "It takes about 2 s a merge at first, until no pair is left." in told(LONG, DISJOINT.asking())
    assert told(LONG, Recipe.of("chapter-81")) == "", "the compiled engine is soon done"
    assert told(LONG, DISJOINT.asking(rows=5)) == "", "too small a size is told by the training itself"


@pytest.mark.usefixtures("slow")
def test_every_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    words = Corpus("w", b"abab" * 5_000, np.arange(0, 20_001, 4), np.arange(5_000))
    recipe = Recipe.of("published").asking(merges=90)
    assert "as only this engine counts words that occur no times. 90 merges take" in told(words, recipe)
    monkeypatch.setattr(kernels, "is_warm", lambda: False)
    small = Corpus.of_text(LONG.data[:20_000])
    assert "as the kernels are not compiled yet. 256 merges take" in told(small, Recipe.of("chapter-81"))
    assert told(LONG, Recipe.of("chapter-81")) == "", "it waits until they are compiled"
    monkeypatch.setattr(kernels, "why_not", lambda: "numba is not installed")
    assert "as numba is not installed. 256 merges take" in told(LONG, Recipe.of("chapter-81"))


@pytest.mark.parametrize("recipe", [DISJOINT, replace(DISJOINT, pretokens=PreTokenRule.BYTE_WORDS, lift=300), Recipe.of("published")])
@pytest.mark.parametrize("corpus", [LONG, Corpus.of_counts({b"shells": 4, b"s": 2}), Corpus.of_rows([b"a b a b"] * 9), Corpus.of_text(b"")])
def test_the_effort_is_measured_on_any_corpus(corpus: Corpus, recipe: Recipe) -> None:
    effort = readable_effort(corpus, recipe)
    assert effort.seconds_a_merge > 0 or not corpus.data
    assert effort.merges == recipe.merges


def test_an_effort_is_that_of_the_whole_corpus_and_of_the_merges_that_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1000))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))  # both merges that are tried take a second together
    assert readable_effort(LONG, DISJOINT, 56) == ReadableEffort(len(LONG.data) / PART / 2, 200)
    assert readable_effort(LONG, DISJOINT.asking(rows=300)).seconds == len(LONG.data) / PART / 2 * 44


@pytest.fixture
def workspace(qapp: object) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.mark.usefixtures("slow")
def test_the_window_hears_it_before_the_training_starts(workspace: Workspace) -> None:
    heard: list[Notice] = []
    workspace.noticed.connect(heard.append)
    workspace.open_corpus(Corpus.of_text(LONG.data[:3_000]), recipe=DISJOINT.asking(merges=3))
    assert [notice.text for notice in heard] == [told(Corpus.of_text(LONG.data[:3_000]), DISJOINT.asking(merges=3))]
    assert heard[0].text.startswith(COUNTED + "3 merges take about 6 s.")
    settle(workspace)
