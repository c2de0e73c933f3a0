"""The tree of runs on one corpus: which there are, which is active, which is compared with it. No Qt."""

from explorer.core.memory import memory_free
from explorer.core.recipe import Recipe
from explorer.core.runs import Run
from explorer.core.timeline import Timeline
from explorer.core.training import Stopped
from explorer.workspace.training_job import Opened

KEPT_SHARE = 8  # a part of the free memory that may be taken by what lets runs go on: of ten megabytes of entries it is ten megabytes
FREE_SUPPOSED = 2_000_000_000  # bytes, where the system does not say


class OpenRuns:
    """Runs by id, oldest first; the active one is always among them, the compared one never the active one."""

    def __init__(self) -> None:
        self._opened: dict[int, Opened] = {}
        self._active: int | None = None
        self._compared: int | None = None

    @property
    def all(self) -> tuple[Opened, ...]:
        """Every run with its timeline, oldest first."""
        return tuple(self._opened.values())

    @property
    def run(self) -> Run | None:
        """The active run."""
        return self._opened[self._active].run if self._active is not None else None

    @property
    def timeline(self) -> Timeline | None:
        """The timeline of the active run."""
        return self._opened[self._active].timeline if self._active is not None else None

    @property
    def compared(self) -> Run | None:
        """The run compared with the active one."""
        return self._opened[self._compared].run if self._compared is not None else None

    def find(self, run_id: int) -> Opened | None:
        """A run by its id."""
        return self._opened.get(run_id)

    def to_go_on_from(self, recipe: Recipe) -> Opened | None:
        """The active run where a recipe can go on from it or be cut from it; None where it must be trained anew.

        They may differ in size alone, and the merges must have been learned here: those of a table may come of another corpus.
        """
        run = root = self.run
        while root and root.parent is not None:
            root = self._opened[root.parent].run
        if run is None or root is None or root.training.stopped is Stopped.GIVEN or run.recipe.without_size() != recipe.without_size():
            return None
        return self._opened[run.id]

    def add(self, opened: Opened) -> None:
        """Adds a fork; the active run stays."""
        self._opened[opened.run.id] = opened
        self._bound_kept()

    def activate(self, run_id: int) -> None:
        """Makes a run that is there the active one."""
        assert run_id in self._opened
        self._active = run_id
        if self._compared == run_id:
            self._compared = None
        self._bound_kept()

    def replace(self, opened: tuple[Opened, ...], active: int) -> None:
        """Other runs instead of all these; a comparison that lost its run ends. Nobody goes on from a run that is not open."""
        stay = {one.run.id for one in opened}
        for one in self.all:
            if one.run.id not in stay:
                one.run.training.kept.clear()
        self._opened = {one.run.id: one for one in opened}
        if self._compared not in self._opened:
            self._compared = None
        self.activate(active)

    def compare(self, run_id: int | None) -> bool:
        """Compares a run with the active one, or none; whether that changed anything."""
        wanted = run_id if run_id in self._opened and run_id != self._active else None
        changed, self._compared = wanted != self._compared, wanted
        return changed

    def below(self, run_id: int) -> set[int]:
        """A run and all forks under it."""
        found = {run_id} & set(self._opened)
        for opened in self._opened.values():
            if opened.run.parent in found:
                found.add(opened.run.id)
        return found

    def without(self, run_id: int) -> tuple[Opened, ...] | None:
        """The runs that would stay if one were dropped with the forks under it; None where that cannot be."""
        gone = self.below(run_id)
        if not gone or self._active in gone:
            return None
        return tuple(opened for opened in self.all if opened.run.id not in gone)

    def _bound_kept(self) -> None:
        """Forgets what lets runs go on without replaying, of the older ones first, where it passes its share of what memory is free."""
        room = (memory_free() or FREE_SUPPOSED) // KEPT_SHARE
        by_age = [opened.run for opened in reversed(self.all)]
        for run in sorted(by_age, key=lambda run: (run.id != self._active, run.id != self._compared)):
            room -= sum(slots.size for slots in run.training.kept)
            if room < 0:
                run.training.kept.clear()
