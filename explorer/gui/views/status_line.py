"""The status line: where you are, what your text costs, what is running and how long it will take."""

from PySide6.QtWidgets import QSizePolicy

from explorer.core.engines import answering
from explorer.core.figures import duration
from explorer.core.training import Engine
from explorer.gui import theme
from explorer.gui.frame import Elided, Kind, Label, Push
from explorer.gui.models.text_facts import TextFacts
from explorer.gui.narrow_bar import NarrowBar
from explorer.gui.painting.paint import thousands
from explorer.gui.theme import Role, Tone
from explorer.workspace.values import QUIET_LANES, Lane, Task
from explorer.workspace.workspace import Workspace


class StatusLine(NarrowBar):
    """Merge and tie, figures of your text, round trip; at the right the engine, or the work under way with Cancel."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("status")
        self.setAccessibleName("Status")
        self._workspace = workspace
        self._merge = Label()
        self._tie = Label("", Role.LABEL, Tone.TIE)
        self._text = _cut(Elided("", Role.LABEL, Tone.INK_2))
        self._trip = _cut(Elided("", Role.LABEL, Tone.OK))
        self._work = _cut(Elided())
        self._cancel = Push("Cancel", kind=Kind.QUIET)
        self._cancel.clicked.connect(workspace.cancel)
        for label in (self._merge, self._tie, self._text, self._trip):
            self.row.addWidget(label)
        self.row.addStretch(1)
        self.row.addWidget(self._work)
        self.row.addWidget(self._cancel)
        for signal in (workspace.run_changed, workspace.merge_changed, workspace.moment_changed):
            signal.connect(self._show_merge)
        workspace.task_changed.connect(self._show_task)
        workspace.run_changed.connect(self._show_engine)
        self._show_merge()
        self.show_facts(None)
        self._show_task(workspace.task)

    def _arrange(self) -> None:
        """Which engine answered gives way first, to the figures of your text, and is in the tooltip of the merge then."""
        words = (self._merge, self._tie, self._text, self._trip, self._work)
        sizes = theme.measures()
        needed = sum(label.sizeHint().width() + sizes.s for label in words if label.text()) + 2 * sizes.m
        fits = needed <= self.width()
        self._work.setVisible(fits or self._is_busy())
        self._merge.setToolTip("" if fits else self._engine())

    def _is_busy(self) -> bool:
        task = self._workspace.task
        return task is not None and task.lane not in QUIET_LANES

    def _show_merge(self) -> None:
        workspace, moment = self._workspace, self._workspace.moment
        self._merge.setText(f"merge {thousands(workspace.k)} of {thousands(workspace.learned)}" if workspace.run else "nothing is open")
        tied = len(moment.tied) if moment else 0
        self._tie.setVisible(tied > 1)
        self._tie.setText(f"·  tie of {tied}" if tied > 1 else "")
        self._arrange()

    def show_facts(self, facts: TextFacts | None) -> None:
        """Shows the facts of your text; None while they are worked out, and where it cannot be cut."""
        some = bool(self._workspace.text) and self._workspace.run is not None
        none = "…" if self._workspace.is_text_cut or self._workspace.lanes.busy(Lane.ENCODE) else "not cut"
        self._text.setText(f"·  {facts.counts}  ·  {facts.ratios}" if facts and some else f"·  your text: {none}" if some else "")
        self._trip.setText("")
        if facts and some:
            self._trip.setText(f"·  {facts.round_trip}")
            self._trip.set_tone(Tone.OK if facts.exact else Tone.ERROR)
        self._arrange()

    def _show_task(self, task: Task | None) -> None:
        busy = self._is_busy()
        self._cancel.setVisible(busy)
        self._work.setText(task_words(task) if task and busy else self._engine())
        self._arrange()

    def _show_engine(self) -> None:
        self._show_task(self._workspace.task)

    def _engine(self) -> str:
        run = self._workspace.run
        if run is None:
            return ""
        told = answering(run.training.corpus, run.recipe)
        why = f", as {told.why}" if run.training.engine is told.engine is Engine.READABLE else ""
        return f"{run.training.engine.value} engine{why}"


def _cut(label: Elided) -> Elided:
    """As wide as its words where there is room, and cut where there is none."""
    label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    label.setMinimumWidth(1)
    return label


def task_words(task: Task) -> str:
    """What is running, how far it is and how long it will take, as words."""
    step = task.step
    far = f" {thousands(step.done)} of {thousands(step.total)}" if step.total else f" {thousands(step.done)}" if step.done else ""
    left = f", {duration(task.seconds_left)} left" if task.seconds_left is not None and task.seconds_left >= 1 else ""
    return f"{task.what}: {step.stage.value}{far}{left}"
