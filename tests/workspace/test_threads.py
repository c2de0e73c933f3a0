"""The Workspace on several threads: the same run and the same tokens, and no thread left when it closes half-way."""

import threading

import pytest
from pytestqt.qtbot import QtBot

from explorer.core import distinct
from explorer.core.corpus import Corpus
from explorer.core.engines import encode, loaded
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.workers import Workers
from explorer.workspace import training_job, your_text
from explorer.workspace.workspace import Workspace

pytestmark = pytest.mark.usefixtures("compiled_engine")

GPT2 = Recipe.of("gpt2").asking(merges=30)
TEXT = b"she sells sea shells by the sea shore\nthe shells she sells are sea shells for sure\n" * 30


@pytest.fixture(autouse=True)
def lent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Three threads, whatever the machine has, for chunks of a kilobyte; the sizes of the chunks that were handed out."""
    assert loaded()  # before anything is waited for
    sizes: list[int] = []

    class Counted(Workers):
        def __call__(self, work, chunks, /):  # type: ignore[no-untyped-def]  # as Workers has it
            def noted():  # type: ignore[no-untyped-def]
                for start, end in chunks:
                    sizes.append(end - start)
                    yield start, end

            return super().__call__(work, noted())

    monkeypatch.setattr(distinct, "CHUNK", 1000)
    monkeypatch.setattr(training_job, "workers", lambda: Counted(3))
    monkeypatch.setattr(your_text, "workers", lambda: Counted(3))
    return sizes


def test_a_run_and_your_text_are_made_on_threads_and_are_what_they_are_without(qtbot: QtBot, lent: list[int]) -> None:
    workspace = Workspace()
    workspace.open_corpus(Corpus.of_text(TEXT), recipe=GPT2)
    qtbot.waitUntil(lambda: workspace.run is not None and not workspace.lanes.lanes, timeout=60_000)
    alone = train(Corpus.of_text(TEXT), GPT2)
    *counted, paired = lent  # bytes whose pre-tokens are counted, then the distinct ones whose pairs are
    assert len(counted) > 1 and sum(counted) == len(TEXT) and paired == alone.pretokens.distinct
    assert workspace.run is not None and workspace.run.training.merges == alone.merges
    text = TEXT * 60
    workspace.go_to_merge(30)
    workspace.set_text(text)
    qtbot.waitUntil(lambda: workspace.encoded is not None and workspace.encoded.data == text, timeout=60_000)
    assert sum(lent) == len(TEXT) + paired + len(text)
    assert workspace.encoded is not None and workspace.encoded.ids.tolist() == encode(alone.table, text).ids.tolist()
    workspace.close()


def test_closed_while_threads_count_it_leaves_none(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "SLICE", 20)  # some seconds of slices, if it were not closed
    workspace, before = Workspace(), threading.active_count()
    workspace.open_corpus(Corpus.of_text(b"ab\t" * 1_000_000), recipe=GPT2)
    qtbot.waitUntil(lambda: any(thread.name.startswith("chunks") for thread in threading.enumerate()), timeout=60_000)
    workspace.close()
    assert threading.active_count() == before
