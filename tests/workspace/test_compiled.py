"""The Workspace on the compiled engine: what is shown is what the readable one gives, from opening to forking to cancelling."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.progress import Progress
from explorer.core.recipe import Recipe
from explorer.core.timeline import timeline_of
from explorer.core.training import Engine, Stopped, train
from explorer.errors import Cancelled
from explorer.workspace import open_runs
from explorer.workspace.training_job import Live, Opened, train_run
from explorer.workspace.workspace import Workspace

fast_stage = pytest.importorskip("explorer.core.fast_stage", exc_type=ImportError)
pytestmark = pytest.mark.usefixtures("compiled_engine")

TEXT = b"she sells sea shells by the sea shore\nthe shells she sells are sea shells for sure\n" * 3


@pytest.mark.parametrize("recipe", [Recipe.of("chapter-81"), Recipe.of("published"), replace(Recipe.of("byte-words"), lift=280)])
def test_a_run_is_what_the_readable_engine_makes(recipe: Recipe, qtbot: QtBot) -> None:
    workspace = Workspace()
    workspace.open_corpus(Corpus.of_text(TEXT), recipe=recipe)
    qtbot.waitUntil(lambda: workspace.run is not None and not workspace.lanes.lanes, timeout=60_000)
    assert workspace.run is not None and workspace.timeline is not None
    training, readable = workspace.run.training, train(Corpus.of_text(TEXT), recipe)
    assert training.engine is Engine.COMPILED
    assert training.merges == readable.merges
    timeline = timeline_of(readable)
    for k in (0, 3, training.learned):
        workspace.go_to_merge(k)
        qtbot.waitUntil(lambda: workspace.moment is not None and not workspace.lanes.lanes)
        assert workspace.moment is not None and workspace.moment.ranked == timeline.ranked(k, 1000)
    workspace.close()


RECIPES = [Recipe.of("byte-words"), replace(Recipe.of("byte-words"), lift=262), replace(Recipe.of("published"), lift=30)]


def cancelled(corpus: Corpus, recipe: Recipe, live: Live, merges: int) -> Opened:
    """What stays of a training that is cancelled once so many merges are learned."""
    progress = Progress(pause=lambda: progress.cancel() if len(live.merges) >= merges else None)
    with pytest.raises(Cancelled):
        train_run(corpus, recipe, live, progress)
    partial = live.partial()
    assert partial is not None
    return partial


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_was_learned_before_a_cancel_is_kept_and_gone_on_from(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_stage, "PLACES_A_STEP", 1)
    corpus, whole = Corpus.of_text(TEXT), train(Corpus.of_text(TEXT), recipe)
    partial = cancelled(corpus, recipe, Live(1, "first"), 9)
    training = partial.run.training
    assert training.merges == whole.merges[: training.learned] and 9 <= training.learned < whole.learned
    assert (training.stopped, partial.run.recipe) == (Stopped.SIZE, recipe.asking(merges=training.learned))
    further = cancelled(corpus, recipe, Live(2, "second", partial), training.learned + 5)
    assert training.learned + 5 <= further.run.training.learned < whole.learned
    for one in (partial, further, train_run(corpus, recipe, Live(3, "third", further), None)):
        readable = timeline_of(whole.cut(one.run.training.learned))
        for k in range(one.run.training.learned + 1):
            assert one.timeline.ranked(k, 30) == readable.ranked(k, 30)
    assert one.run.training.merges == whole.merges


def test_a_run_that_went_no_further_before_it_was_cancelled_is_not_shown_again() -> None:
    corpus, recipe = Corpus.of_text(TEXT), Recipe.of("gpt2")
    whole = train_run(corpus, recipe.asking(merges=20), Live(1, "run"), None)
    progress, live = Progress(), Live(2, "run", whole)
    progress.cancel()
    with pytest.raises(Cancelled):
        train_run(corpus, recipe, live, progress)
    assert live.partial() is None


def test_a_run_asked_for_more_and_a_fork_keep_what_lets_them_go_on_within_bounds(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace()
    corpus, recipe = Corpus.of_text(TEXT), Recipe.of("chapter-81").asking(merges=20)
    workspace.open_corpus(corpus, recipe=recipe, at_once=True)
    first = workspace.run
    assert first is not None and first.training.kept
    workspace.set_recipe(recipe.asking(merges=36))
    qtbot.waitUntil(lambda: workspace.learned == 36 and not workspace.lanes.lanes)
    second = workspace.run
    assert second is not None and second.training.kept and not first.training.kept, "of a run that is no longer open nothing is kept"
    rival = timeline_of(train(corpus, recipe)).ranked(10, 2)[1].pair
    workspace.fork(10, rival)
    qtbot.waitUntil(lambda: workspace.compared is not None and not workspace.lanes.lanes)
    fork = workspace.compared
    assert fork is not None and fork.training.kept and second.training.kept
    assert fork.training.merges == train(corpus, fork.recipe).merges
    monkeypatch.setattr(open_runs, "memory_free", lambda: 8 * sum(slots.size for slots in fork.training.kept))
    workspace.activate(fork.id)
    assert fork.training.kept and not second.training.kept, "the active run comes first"
    workspace.set_recipe(fork.recipe.asking(merges=38))
    qtbot.waitUntil(lambda: workspace.learned == 38 and not workspace.lanes.lanes)
    assert workspace.run is not None and workspace.run.training.merges == train(corpus, workspace.run.recipe).merges
    workspace.close()
