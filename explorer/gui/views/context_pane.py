"""The pane "In context": every place of the pair that comes next, or of what is selected."""

import time
from collections.abc import Generator
from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.frame import Pane, Tool
from explorer.gui.models.piece_ids import PieceIds
from explorer.gui.models.places import Gathered, Sought, gather, sought_next, sought_selected
from explorer.gui.text.slices import Slices
from explorer.gui.views.context_lines import ContextLines, ContextStrip
from explorer.gui.views.lateness import Lateness
from explorer.workspace.workspace import Workspace

SHOWN_EVERY_S = 0.15


class Wanted(Enum):
    """Whose places are shown."""

    NEXT_PAIR = "next pair"
    SELECTED = "selected"


class ContextPane(Pane):
    """The user sees a line for each place and a strip of where they lie; a click, the buttons or keys bring a place into view.

    Shows the pair that comes next; what a person selects takes its place until the merge changes, or while the pin in
    the header is down. The token that stepping selects by itself is no such selection. Hears run, merge, moment and
    selection; calls `show_place`. Places are gathered between two pictures and begun anew at each change.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._ids = PieceIds(None)
        self._gathered: Gathered | None = None
        self._subject = Wanted.NEXT_PAIR
        self.lines, self.strip = ContextLines(), ContextStrip()
        self.pin = Tool("pin", "Keep to what is selected while the merge changes", checkable=True)
        self.previous = Tool("chevron-up", "Previous place", "Alt+Up")
        self.next = Tool("chevron-down", "Next place", "Alt+Down")
        super().__init__("In context", _above(self.strip, self.lines), self.pin, self.previous, self.next)
        self._slices: Slices[None] = Slices(self)
        self._connect()
        self._seek()
        Lateness(workspace, self)

    @property
    def gathered(self) -> Gathered | None:
        """The places shown, or being gathered."""
        return self._gathered

    @property
    def busy(self) -> bool:
        """Whether places are still being gathered."""
        return self._slices.busy

    @property
    def reason(self) -> str:
        """The sentence that is shown where there is no place."""
        return self.gathered.reason if self.gathered else self._reason()

    def _connect(self) -> None:
        workspace = self._workspace
        workspace.run_changed.connect(self._seek)
        workspace.merge_changed.connect(self._on_merge)
        workspace.moment_changed.connect(self._seek)
        workspace.selection_changed.connect(self._on_selection)
        self.pin.toggled.connect(self._on_pin)
        self.lines.place_wanted.connect(self.show_place)
        self.strip.place_wanted.connect(self.show_place)
        for by, button, keys in ((-1, self.previous, "Alt+Up"), (1, self.next, "Alt+Down")):
            button.clicked.connect(lambda _=False, by=by: self.step_place(by))
            QShortcut(QKeySequence(keys), self, lambda by=by: self.step_place(by), context=Qt.ShortcutContext.WindowShortcut)

    # going from place to place

    def show_place(self, index: int) -> None:
        """Makes a place the current one and brings it into view in the corpus."""
        if self._gathered and 0 <= index < len(self._gathered.places):
            self.lines.go_to(index)
            self.strip.show_places(self._gathered, self.lines.current)
            self._workspace.show_place(self._gathered.places[index].start)

    def step_place(self, by: int) -> None:
        """Goes to the next place or the one before, round at the ends."""
        if self._gathered and (count := len(self._gathered.places)):
            here = self.lines.current
            self.show_place((here + by) % count if here is not None else 0 if by > 0 else count - 1)

    # what is looked for

    def _on_merge(self) -> None:
        if not self.pin.isChecked():
            self._subject = Wanted.SELECTED if self._at_its_merge() else Wanted.NEXT_PAIR
        self._seek()

    def _on_selection(self) -> None:
        if not self.pin.isChecked():
            self._subject = Wanted.SELECTED if self._chosen_by_hand() else Wanted.NEXT_PAIR
        self._seek()

    def _on_pin(self, down: bool) -> None:
        self._subject = Wanted.SELECTED if down else Wanted.NEXT_PAIR
        self._seek()

    def _at_its_merge(self) -> bool:
        """Whether the move went to where the selected token has just been made; a step tells right after that it selected it."""
        run, new = self._workspace.run, self._workspace.new_token
        made = run.training.table.pieces[new] if run and new is not None else None
        return made is not None and self._chosen_by_hand() and self._workspace.selection.token == made

    def _chosen_by_hand(self) -> bool:
        selection = self._workspace.selection
        return selection.pair is not None or (selection.token is not None and not selection.by_step)

    def _sought(self) -> Sought | None:
        run = self._workspace.run
        table = run.training.table if run else None
        if self._ids.table is not table:
            self._ids = PieceIds(table)
        selected = sought_selected(self._workspace, self._ids) if self._subject is Wanted.SELECTED else None
        return selected or sought_next(self._workspace)

    def _seek(self) -> None:
        """Begins anew if something else is to be looked for; the old lines stay until the first new ones are there."""
        sought, timeline = self._sought(), self._workspace.timeline
        before = self._gathered
        if sought is None or timeline is None:
            self._slices.stop()
            self._gathered = None
            self._show()
        elif before is None or before.sought != sought or before.timeline is not timeline:
            self._gathered = Gathered(timeline, sought)
            self._slices.start(self._steps(self._gathered))
            self.set_facts(self._gathered.facts())

    def _steps(self, gathered: Gathered) -> Generator[None, None, None]:
        """Gathers, and shows what was found: the first places at once, the others now and then, since they lie below what is in view."""
        due = 0.0
        for _ in gather(gathered):
            if gathered.places and time.monotonic() >= due:
                self._show()
                due = time.monotonic() + SHOWN_EVERY_S
            elif not gathered.places:
                self.set_facts(gathered.facts())
            yield
        self._show()

    def _show(self) -> None:
        gathered = self._gathered
        self.set_facts(gathered.facts() if gathered else "")
        self.lines.show_places(gathered, self.reason)
        self.strip.show_places(gathered, self.lines.current)
        nowhere = self.reason if gathered and gathered.across else "There is no place to go to."
        for button in (self.previous, self.next):
            button.allow("" if gathered and gathered.places else nowhere)

    def _reason(self) -> str:
        """Why there is nothing to look for."""
        run = self._workspace.run
        if run is None:
            return "Nothing is trained yet."
        if self._workspace.moment is None:
            return "…"
        least = run.training.recipe.min_count
        return {1: "No pair is left.", 2: "No pair occurs twice."}.get(least, f"No pair occurs {least} times.")


def _above(upper: QWidget, lower: QWidget) -> QWidget:
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(upper)
    column.addWidget(lower, 1)
    return body
