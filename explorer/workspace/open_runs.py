"""The tree of runs on one corpus: which there are, which is active, which is compared with it. No Qt."""

from explorer.core.recipe import Recipe
from explorer.core.runs import Run
from explorer.core.timeline import Timeline
from explorer.core.training import Stopped, Training
from explorer.workspace.training_job import Opened


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

    def prefix_for(self, recipe: Recipe) -> Training | None:
        """The active training where a recipe can go on from it or be cut from it; None where it must be trained anew.

        They may differ in size alone, and the merges must have been learned here: those of a table may come of another corpus.
        """
        run = root = self.run
        while root and root.parent is not None:
            root = self._opened[root.parent].run
        if run is None or root is None or root.training.stopped is Stopped.GIVEN or run.recipe.without_size() != recipe.without_size():
            return None
        return run.training

    def add(self, opened: Opened) -> None:
        """Adds a fork; the active run stays."""
        self._opened[opened.run.id] = opened

    def activate(self, run_id: int) -> None:
        """Makes a run that is there the active one."""
        assert run_id in self._opened
        self._active = run_id
        if self._compared == run_id:
            self._compared = None

    def replace(self, opened: tuple[Opened, ...], active: int) -> None:
        """Other runs instead of all these; a comparison that lost its run ends."""
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
