"""Verbs of the Workspace in any order, with what must hold after each."""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from explorer.core.corpus import Corpus
from explorer.core.encoding import encode
from explorer.core.recipe import PRESETS, Counting, Recipe, TieRule
from explorer.workspace.values import Level, MergesUsed, Notice
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

SIZES = st.one_of(st.none(), st.integers(0, 30))


class AnyOrder(RuleBasedStateMachine):
    """Opens, trains, steps, forks, selects, types, undoes; small corpora, real jobs."""

    @initialize()
    def begin(self) -> None:
        self.workspace = Workspace()
        self.told: list[Notice] = []
        self.workspace.noticed.connect(self.told.append)
        self.files = Path(tempfile.mkdtemp())
        for name, exemplar in (("taste.txt", "taste"), ("four.txt", "four-words")):
            self.workspace.open_exemplar(exemplar, at_once=True)
            self.workspace.save_table(self.files / name)
        (self.files / "mine.txt").write_bytes(b"mine is mine\n" * 4)

    @rule(name=st.sampled_from(["four-words", "taste", "joints", "script", "standing-in", "eighteen"]))
    def open_exemplar(self, name: str) -> None:
        self.workspace.open_exemplar(name)

    @rule(text=st.binary(max_size=40), preset=st.sampled_from(sorted(PRESETS)))
    def open_text(self, text: bytes, preset: str) -> None:
        self.workspace.open_corpus(Corpus.of_text(text), recipe=Recipe.of(preset).asking(merges=8))

    @rule(name=st.sampled_from(["four.txt", "taste.txt", "gone.txt"]))
    def open_table(self, name: str) -> None:
        self.workspace.open_table(self.files / name)

    @rule(name=st.sampled_from(["mine.txt", "gone.txt"]))
    def open_file(self, name: str) -> None:
        self.workspace.open_file(self.files / name)

    @rule(preset=st.sampled_from(sorted(PRESETS)), merges=SIZES, tie=st.sampled_from(TieRule), counting=st.sampled_from(Counting))
    def set_recipe(self, preset: str, merges: int | None, tie: TieRule, counting: Counting) -> None:
        self.workspace.set_recipe(replace(Recipe.of(preset).asking(merges=merges), tie=tie, counting=counting))

    @rule(k=st.integers(-2, 60))
    def go(self, k: int) -> None:
        self.workspace.go_to_merge(k)

    @rule(verb=st.sampled_from(["next_tie", "previous_tie", "undo", "redo", "back", "forward", "cancel"]))
    def do(self, verb: str) -> None:
        getattr(self.workspace, verb)()

    @rule(text=st.binary(max_size=30), used=st.sampled_from(MergesUsed))
    def type_text(self, text: bytes, used: MergesUsed) -> None:
        self.workspace.set_text(text)
        self.workspace.use_merges(used)

    @rule(at=st.integers(0, 5))
    def fork(self, at: int) -> None:
        moment = self.workspace.moment
        if moment and moment.ranked:
            self.workspace.fork(moment.k, moment.ranked[at % len(moment.ranked)].pair)

    @rule(at=st.integers(0, 5), drop=st.booleans())
    def take_a_run(self, at: int, drop: bool) -> None:
        run = self.workspace.runs[at % len(self.workspace.runs)]
        if drop:
            self.workspace.drop_run(run.id)
        else:
            self.workspace.activate(run.id)

    @rule()
    def wait(self) -> None:
        settle(self.workspace)
        assert self.workspace.recipe == self.workspace.run.recipe  # type: ignore[union-attr]

    @invariant()
    def what_is_shown_fits_together(self) -> None:
        workspace = getattr(self, "workspace", None)
        if workspace is None:
            return
        run, moment, encoded = workspace.run, workspace.moment, workspace.encoded
        assert run is not None and run in workspace.runs and workspace.corpus is not None
        assert run.training.corpus is workspace.corpus
        assert 0 <= workspace.k <= run.training.learned
        assert workspace.compared is None or (workspace.compared in workspace.runs and workspace.compared is not run)
        assert moment is not None and moment.k == workspace.k
        assert moment.ranked == workspace.timeline.ranked(workspace.k, len(moment.ranked) or 1)
        used = workspace.k if workspace.merges_used is MergesUsed.FIRST_K else run.training.learned
        assert encoded is not None and encoded.data == workspace.text
        assert encoded.ids.tolist() == encode(run.training.table, workspace.text, used).ids.tolist()

    def teardown(self) -> None:
        self.workspace.close()
        self.workspace.deleteLater()
        shutil.rmtree(self.files)
        warned = [notice.text for notice in self.told if notice.level is Level.WARNING]
        assert all(text.startswith("The table ") and "is not opened, as " in text for text in warned)


AnyOrder.TestCase.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.mark.usefixtures("qapp")
class TestAnyOrder(AnyOrder.TestCase):  # type: ignore[misc, name-defined]  # hypothesis makes the class at run time
    """Run by pytest under the Qt application of the other tests."""
