"""The Workspace on the compiled engine: what is shown is what the readable one gives, from opening to forking to cancelling."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.timeline import timeline_of
from explorer.core.training import Engine, Stopped, train
from explorer.workspace.training_job import Live, Opened, train_run
from explorer.workspace.workspace import Workspace

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


def test_what_was_learned_before_a_cancel_has_its_timeline() -> None:
    corpus, recipe = Corpus.of_text(TEXT), Recipe.of("byte-words")
    live = Live(1, "byte-words")
    whole = train_run(corpus, recipe, live, None, None)
    live.merges = live.merges[:9]
    partial = live.partial()
    assert isinstance(partial, Opened)
    assert (partial.run.training.learned, partial.run.training.stopped) == (9, Stopped.SIZE)
    for k in range(10):
        assert partial.timeline.ranked(k, 30) == whole.timeline.ranked(k, 30)
