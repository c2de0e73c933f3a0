"""The one Workspace: the verbs that change what is open.

Views read its properties and redraw on its signals (`shown`); only its verbs change it, those here and those that move
within what is open (`moving`). Work that may be long runs in lanes; the old result stays until the new one is there. Small
work is done at once (`pair_counter`, `your_text`), so that stepping through a small corpus never lags.
"""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.recipe import Recipe
from explorer.core.table_file import TableFile, write_table
from explorer.core.vocabulary import Pair
from explorer.sources.exemplars import EXEMPLARS, exemplar_named, exemplar_of, open_exemplar
from explorer.sources.files import shown_name
from explorer.workspace.history import State
from explorer.workspace.job import Job
from explorer.workspace.large_corpus import first_recipe, memory_notice
from explorer.workspace.moving import Moving
from explorer.workspace.opener import Opener
from explorer.workspace.slow_engine import time_notice
from explorer.workspace.trainer import run_name
from explorer.workspace.training_job import Live, Opened, fork_run, train_run, without_more
from explorer.workspace.values import Lane, Level, Notice, Selection


class Workspace(Moving):
    """Corpus, recipe, runs, merge k, selection and your text; see the module."""

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent, clock)
        self._next_run = 0
        self._sample = EXEMPLARS[0].sample.encode()  # of an exemplar, put there last; the window begins with the first one's
        self._early: int | None = None  # the run that is shown without merges while its training goes on
        self._trainer.trained.connect(self._show_new)
        self._trainer.shown_early.connect(self._show_early)
        self._trainer.stopped.connect(self._show_stopped)
        self._trainer.given_up.connect(self._on_given_up)
        self._trainer.refused.connect(self._train_instead)
        self._opener = Opener(self.lanes, self._then, self)
        self._opener.corpus_read.connect(self._open_read)
        self._opener.table_read.connect(self._open_table)
        self._opener.table_lost.connect(self._tell_lost)

    # --- opening and training ---------------------------------------------------------------------------------------

    def open_file(self, path: Path, *, column: str | None = None) -> None:
        """Opens a corpus file and trains chapter-81 on it; gpt2 where that would take most of the memory."""
        self._opener.read_corpus(path, column)

    def _open_read(self, corpus: Corpus) -> None:
        recipe, notice = first_recipe(corpus)
        self.open_corpus(corpus, recipe=recipe)
        if notice:
            self.notify(notice)

    def open_exemplar(self, name: str, *, at_once: bool = False) -> None:
        """Opens an exemplar with the recipe it carries."""
        self._try(lambda: self.open_corpus(open_exemplar(name), recipe=exemplar_named(name).recipe, at_once=at_once))

    def open_corpus(self, corpus: Corpus, *, recipe: Recipe, at_once: bool = False) -> None:
        """Trains a recipe on a corpus and shows both when it is done; `at_once` does not return before.

        A file that is still being read was asked for earlier and is given up, and so is a table that is being replayed.
        """
        self._opener.give_up()
        if self._trainer.table:
            self._tell_lost(self._trainer.table, "another corpus was opened")
        for note in corpus.notes:
            self.notify(Notice(Level.INFO, note))
        self._train(corpus, recipe, None, at_once)

    def set_recipe(self, recipe: Recipe) -> None:
        """Trains another recipe on the corpus that is opened last; one that differs in size alone goes on from what is there."""
        corpus = self._trainer.corpus or self._corpus
        if recipe == self._recipe or corpus is None:
            return
        self._train(corpus, recipe, self._runs.to_go_on_from(recipe) if corpus is self._corpus else None, at_once=False)

    def cancel(self) -> None:
        """Stops what is under way; the old result stays."""
        for lane in self.lanes.lanes:
            self.lanes.cancel(lane)

    def fork(self, rank: int, pair: Pair) -> None:
        """Asks "what if this one": a run that merges another pair at a rank, compared with the active one when done."""
        run, timeline = self.run, self.timeline
        if run is None or timeline is None:
            return
        run_id = self._new_id()
        self.lanes.run(
            Lane.FORK, f"what if at merge {rank}", lambda progress: fork_run(run, rank, pair, run_id, timeline, progress),
            lambda job: self._then(job, self._compare_opened),
        )

    def compare(self, run_id: int | None) -> None:
        """Compares a run with the active one, or none."""
        if self._runs.compare(run_id):
            self.compared_changed.emit(self.compared)

    def activate(self, run_id: int) -> None:
        """Makes another run the active one; the selection stays, by piece."""
        if self.run and run_id != self.run.id and self._runs.find(run_id):
            self._remember()
            self._show(self._runs.all, run_id)

    def drop_run(self, run_id: int) -> None:
        """Drops a run with the forks under it; not one that is, or holds, the active run."""
        stay = self._runs.without(run_id)
        if stay is not None and self.run:
            self._remember()
            before = self.compared
            self._runs.replace(stay, self.run.id)
            self.runs_changed.emit(self.runs)
            if before is not self.compared:
                self.compared_changed.emit(self.compared)

    # --- tables, undo, the end --------------------------------------------------------------------------------------

    def save_table(self, path: Path) -> None:
        """Writes the merge table of the active run."""
        if self.run:
            training = self.run.training
            if self._try(lambda: write_table(path, training)):
                self.notify(Notice(Level.INFO, f"Saved {thousands(training.learned)} merges as {shown_name(path)}."))

    def open_table(self, path: Path) -> None:
        """Reads a merge table and replays it on the corpus that is opened last, in place of its runs; undo gives those back."""
        self._opener.read_table(path, self._trainer.corpus or self._corpus)

    def undo(self) -> None:
        """Goes back to what was open before the last opening, recipe, fork or run."""
        if state := self._present():
            self._restore(self.undo_history.undo(state))

    def redo(self) -> None:
        """Takes undo back."""
        if state := self._present():
            self._restore(self.undo_history.redo(state))

    def close(self) -> None:
        """Cancels all work; nothing is emitted afterwards."""
        self.lanes.close()

    # --- how ----------------------------------------------------------------------------------------------------------

    def _train(self, corpus: Corpus, recipe: Recipe, before: Opened | None, at_once: bool) -> None:
        learned = before.run.training.learned if before else 0
        is_new = corpus is not self._corpus or self._is_early()
        slow = None if at_once else time_notice(corpus, recipe, learned, kept=is_new or before is not None)
        for notice in (None if before else memory_notice(corpus, recipe), slow):
            if notice:
                self.notify(notice)
        run_id = self._new_id()
        if at_once:
            self._trainer.forget()
            self._set_recipe(recipe)
            live = Live(run_id, run_name(recipe), before)
            done = self._try(lambda: self._show_new(corpus, train_run(corpus, recipe, live, None)))
            if not done and self.run:
                self._set_recipe(self.run.recipe)
        else:
            self._trainer.train(corpus, recipe, run_id, before, is_new)
            self._set_recipe(recipe)  # who hears of it may ask what is being trained

    def _show_early(self, corpus: Corpus, opened: Opened) -> None:
        self._show_new(corpus, opened)
        self._early = opened.run.id

    def _show_stopped(self, corpus: Corpus, opened: Opened) -> None:
        self._show_new(corpus, opened)
        self.notify(Notice(Level.INFO, f"Stopped after {thousands(opened.run.training.learned)} merges."))

    def _on_given_up(self, job: Job) -> None:
        """The old result stays, and with it the recipe it was made by. One that was shown early has no merges then, and waits for none."""
        if self._is_early() and self._corpus:
            self._show_new(self._corpus, without_more(self._runs.all[0]))
        elif self.run:
            self._set_recipe(self.run.recipe)
        self._then(job, lambda _: None)

    def _show_new(self, corpus: Corpus, opened: Opened) -> None:
        """Shows a root run: of another corpus, or of another recipe on this one. Forks under way are of the runs that go."""
        self.lanes.drop(Lane.FORK)
        if not self._is_early():
            self._remember()
        self._early = None
        is_new = corpus is not self._corpus
        self._show((opened,), opened.run.id, corpus)
        if is_new:
            self._offer_sample(corpus)

    def _offer_sample(self, corpus: Corpus) -> None:
        """Puts an exemplar's own text in the place of another one's; what a person wrote stays, were it the words of a third."""
        known = exemplar_of(corpus)
        if known and self.text == self._sample:
            self._sample = known.sample.encode()
            self.set_text(self._sample)

    def _show(self, opened: tuple[Opened, ...], active: int, corpus: Corpus | None = None, k: int = 0) -> None:
        """Makes these the runs and one of them the active one; a selection stays, by piece, and so does the merge or the last one.

        Another corpus begins at merge k, with nothing selected.
        """
        before, is_new = self.compared, corpus is not None and corpus is not self._corpus
        self._runs.replace(opened, active)
        self._counter.forget()
        run = self.run
        assert run is not None
        self._k = min(k if is_new else self._k, run.training.learned)
        if is_new:
            self._corpus = corpus
            self._selection = Selection()
            self.trail.clear()
            self.corpus_changed.emit(corpus)
            self.selection_changed.emit(self._selection)
        if self._trainer.corpus is None:  # or another recipe was asked for
            self._set_recipe(run.recipe)
        self.runs_changed.emit(self.runs)
        self.run_changed.emit(run)
        if before is not self.compared:
            self.compared_changed.emit(self.compared)
        self.merge_changed.emit(self._k)
        self._count()
        self._encode()

    def _compare_opened(self, opened: Opened) -> None:
        if opened.run.parent is None or not self._runs.find(opened.run.parent):  # dropped meanwhile
            return
        self._remember()
        self._runs.add(opened)
        self.runs_changed.emit(self.runs)
        self.compare(opened.run.id)

    def _open_table(self, file: TableFile, name: str) -> None:
        corpus = self._trainer.corpus or self._corpus
        if corpus is None:
            self.notify(Notice(Level.WARNING, "Open a corpus first: the counts of a table are shown on one."))
            return
        for note in (*file.notes, *filter(None, (file.difference(corpus),))):
            self.notify(Notice(Level.INFO, note))
        is_new = corpus is not self._corpus or self._is_early()
        self._trainer.replay(corpus, file.table, name, self._new_id(), self._recipe if is_new else None)
        self._set_recipe(file.table.recipe)

    def _train_instead(self, job: Job, corpus: Corpus, recipe: Recipe) -> None:
        """Tells why a table could not be replayed on a corpus that is not shown yet, which is trained as if there were no table."""
        self._then(job, lambda _: None)
        self._train(corpus, recipe, None, at_once=False)

    def _tell_lost(self, table: str, why: str) -> None:
        self.notify(Notice(Level.WARNING, f"The table {table} is not opened, as {why}."))

    def _set_recipe(self, recipe: Recipe) -> None:
        if recipe != self._recipe:
            self._recipe = recipe
            self.recipe_changed.emit(recipe)

    def _new_id(self) -> int:
        self._next_run += 1
        return self._next_run

    def _is_early(self) -> bool:
        """Whether the active run is only shown while its training goes on."""
        return self.run is not None and self.run.id == self._early

    def _present(self) -> State | None:
        if self._corpus is None or self.run is None:
            return None
        return State(self._corpus, self._recipe, self._runs.all, self.run.id, self.text, self._k)

    def _remember(self) -> None:
        if state := self._present():
            self.undo_history.push(state)

    def _restore(self, state: State | None) -> None:
        if state is None:
            return
        self._trainer.forget()
        self._opener.drop()
        self.lanes.drop(Lane.FORK)
        comes_back = state.corpus is not self._corpus
        self._show(state.opened, state.active, state.corpus, state.k)
        if self._is_early():  # its training was given up when it was left
            self._trainer.train(state.corpus, self._recipe, self._new_id(), None, is_new=True)
        if comes_back and (made := self._piece(self.new_token)):
            self._look_at(Selection(token=made, by_step=True))
        self.set_text(state.text)
        known = exemplar_of(state.corpus)
        if known and state.text == known.sample.encode():
            self._sample = state.text
