"""Which engine answers and why, that it never changes a result, and what becomes of kernels that are cold, killed, stale or broken."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import explorer
from explorer.core import engines, kernels, timeline, training
from explorer.core.corpus import Corpus
from explorer.core.progress import Stage, drain
from explorer.core.recipe import Counting, Recipe
from explorer.core.training import Engine, train

ROOT = Path(explorer.__file__).resolve().parent.parent
TEXT = b"she sells sea shells by the sea shore\nthe shells she sells are sea shells for sure\n" * 150
CORPUS = Corpus.of_text(TEXT)
RECIPE = Recipe.of("gpt2").asking(merges=20)
REMEMBERING = (kernels.why_not, kernels.fingerprint, kernels.folder, engines.loaded)  # as they are when no test has put another in
NEEDS_NUMBA = pytest.mark.skipif(kernels.why_not() is not None, reason=str(kernels.why_not()))


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    def forget() -> None:
        for asked in REMEMBERING:
            asked.cache_clear()
        engines._UNLOADED.clear()  # noqa: SLF001

    forget()
    yield
    forget()


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where everything is compiled: the kernels are loaded for real, from wherever this machine keeps them."""
    monkeypatch.setattr(kernels, "is_warm", lambda: True)


@NEEDS_NUMBA
def test_the_compiled_engine_answers_with_the_same_results(warm: None) -> None:
    found = engines.train(CORPUS, RECIPE)
    assert found.engine is Engine.COMPILED
    readable = train(CORPUS, RECIPE)
    assert readable.engine is Engine.READABLE
    assert (found.merges, found.table, found.pretokens) == (readable.merges, readable.table, readable.pretokens)
    one, other = timeline.timeline_of(readable), engines.timeline_of(found)
    assert type(one) is not type(other)
    assert [other.ranked(k, 20) for k in (0, 11, 20)] == [one.ranked(k, 20) for k in (0, 11, 20)]
    replayed = drain(engines.replay_table_steps(CORPUS, found.table))
    assert replayed.merges == drain(training.replay_table_steps(CORPUS, found.table)).merges


@NEEDS_NUMBA
def test_a_training_of_the_other_engine_is_gone_on_from(warm: None) -> None:
    readable = train(CORPUS, RECIPE)
    assert engines.train(CORPUS, RECIPE, prefix=readable.cut(10)).merges == readable.merges
    assert engines.timeline_of(readable).ranked(15, 5) == timeline.timeline_of(readable).ranked(15, 5)


@pytest.mark.parametrize(
    ("corpus", "recipe", "why"),
    [
        (Corpus.of_text(b"small"), RECIPE, "the corpus is small"),
        (CORPUS, replace(RECIPE, counting=Counting.DISJOINT), "only this engine counts disjoint occurrences"),
        (Corpus("w", TEXT, np.array([0, len(TEXT)]), np.array([0])), RECIPE, "only this engine counts words that occur no times"),
    ],
)
def test_the_readable_engine_answers_where_the_other_does_not(
    monkeypatch: pytest.MonkeyPatch, corpus: Corpus, recipe: Recipe, why: str
) -> None:
    monkeypatch.setattr(kernels, "is_warm", lambda: True)
    monkeypatch.setattr(kernels, "why_not", lambda: None)
    assert engines.answering(corpus, recipe) == engines.Answering(Engine.READABLE, why)
    assert engines.train(corpus, recipe.asking(merges=2)).engine is Engine.READABLE


def test_without_numba_the_readable_engine_answers_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "version", lambda name: None)
    assert engines.answering(CORPUS, RECIPE) == engines.Answering(Engine.READABLE, "numba is not installed")
    assert engines.train(CORPUS, RECIPE.asking(merges=3)).engine is Engine.READABLE


def test_until_the_kernels_are_compiled_the_readable_engine_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path))
    monkeypatch.setattr(kernels, "why_not", lambda: None)
    assert engines.answering(CORPUS, RECIPE) == engines.Answering(Engine.READABLE, "the kernels are not compiled yet")


def test_a_large_corpus_waits_for_the_process_that_compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path))
    monkeypatch.setattr(kernels, "why_not", lambda: None)
    monkeypatch.setattr(engines, "WORTH_COMPILING", 1000)
    monkeypatch.setattr(engines, "loaded", lambda: False)
    with kernels.filling():
        steps = engines.training_steps(CORPUS, RECIPE.asking(merges=1))
        assert [next(steps).stage for _ in range(3)] == [Stage.COMPILING] * 3
        kernels.mark_warm()
    assert all(step.stage is not Stage.COMPILING for step in steps)


def test_a_process_that_was_killed_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path))
    assert not kernels.being_compiled()
    with kernels.filling():
        assert kernels.being_compiled()
        place = kernels.folder()
        assert place is not None
        os.utime(place / kernels.UNDER_WAY, (0, 0))
        assert not kernels.being_compiled()
    assert not (place / kernels.UNDER_WAY).exists()


def test_the_command_that_compiles_is_given_while_somebody_should_run_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path))
    monkeypatch.setattr(kernels, "why_not", lambda: None)
    assert engines.kernels_to_compile() == (sys.executable, "-m", "explorer.core.kernels")
    with kernels.filling():
        assert engines.kernels_to_compile() is None
    kernels.mark_warm()
    assert engines.kernels_to_compile() is None
    kernels.forget()
    monkeypatch.setattr(kernels, "why_not", lambda: "numba is not installed")
    assert engines.kernels_to_compile() is None


@NEEDS_NUMBA
def test_a_broken_cache_is_told_and_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.OVERRIDE, str(tmp_path))

    def broken() -> None:
        raise EOFError("Ran out of input")

    monkeypatch.setattr("explorer.core.rehearsal.rehearse", broken)
    kernels.mark_warm()
    assert engines.train(CORPUS, RECIPE.asking(merges=3)).engine is Engine.READABLE
    assert engines.answering(CORPUS, RECIPE).why == "the compiled kernels cannot be loaded (EOFError: Ran out of input)"
    assert not kernels.is_warm()


@NEEDS_NUMBA
def test_compiling_fills_the_folder_for_the_next_process(tmp_path: Path) -> None:
    environment = {**os.environ, kernels.OVERRIDE: str(tmp_path)}
    program = "from explorer.core import engines, kernels; print(kernels.is_warm(), engines.loaded())"
    for command in (["-m", "explorer.core.kernels"], ["-m", "explorer.core.kernels"], ["-c", program]):
        ran = subprocess.run(
            [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=280, check=False, env=environment
        )
        assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split() == ["True", "True"]
    assert not list(tmp_path.rglob(kernels.UNDER_WAY))
