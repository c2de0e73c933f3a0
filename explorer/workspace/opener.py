"""Reads corpus files and table files, one at a time.

A table that is asked for while a corpus is being read is for that corpus: it waits until the corpus is there. One that was
asked for before another corpus is given up, and that is told.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Joints
from explorer.core.table_file import read_table_steps
from explorer.sources.files import shown_name
from explorer.sources.opening import open_corpus_steps
from explorer.workspace.job import Job, JobState, Lanes
from explorer.workspace.values import Lane


class Opener(QObject):
    """Reads one file at a time in the lane READ; `then` uses a result or tells what failed."""

    corpus_read = Signal(object)  # Corpus
    table_read = Signal(object, str)  # TableFile, the name of its file
    table_lost = Signal(str, str)  # the name of a table that is not opened, and why

    def __init__(self, lanes: Lanes, then: Callable[[Job, Callable[[Any], None]], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._lanes, self._then = lanes, then
        self._table: Path | None = None  # being read, or waiting for the corpus that is
        self._waits = False

    def read_corpus(self, path: Path, column: str | None) -> None:
        """Reads a corpus file; whatever else is being read was asked for earlier."""
        self.give_up()
        name, steps = shown_name(path), open_corpus_steps
        self._lanes.run(
            Lane.READ, name, lambda progress: drain(steps(path, column=column), progress), lambda job: self._on_corpus(job, name)
        )

    def read_table(self, path: Path, corpus: Corpus | None) -> None:
        """Reads a table for a corpus, or for the one that is being read."""
        reads_corpus = self._lanes.busy(Lane.READ) and (self._table is None or self._waits)
        self._table, self._waits = path, reads_corpus
        if reads_corpus:
            return
        joints = Joints.of(corpus.joints) if corpus and corpus.joints else None  # a table with many joints names them by digest alone
        self._lanes.run(Lane.READ, shown_name(path), lambda progress: drain(read_table_steps(path, joints), progress), self._on_table)

    def drop(self) -> Path | None:
        """Drops what is being read, and says which table was among it; nobody else hears of it."""
        self._lanes.drop(Lane.READ)
        return self._take_table()

    def give_up(self) -> None:
        """Drops what is being read, as another corpus is asked for; a table among it is told."""
        if table := self.drop():
            self.table_lost.emit(shown_name(table), "another corpus was opened")

    def _on_corpus(self, job: Job, name: str) -> None:
        table = self._take_table()
        read = self._then(job, self.corpus_read.emit)
        if table and read:
            self.read_table(table, job.result if isinstance(job.result, Corpus) else None)
        elif table and job.state is JobState.FAILED:
            self.table_lost.emit(shown_name(table), f"{name} could not be read")

    def _on_table(self, job: Job) -> None:
        table = self._take_table()
        if table:
            self._then(job, lambda file: self.table_read.emit(file, shown_name(table)))

    def _take_table(self) -> Path | None:
        table, self._table, self._waits = self._table, None, False
        return table
