"""Two memories: undo over what is open, and back and forward over what was looked at."""

from collections.abc import Callable
from dataclasses import dataclass

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.workspace.memory_held import MemoryHeld
from explorer.workspace.training_job import Opened
from explorer.workspace.values import Selection

BYTES_KEPT = 512_000_000
STATES_KEPT = 100
SAME_MOVE_S = 0.7  # moves closer together than this are one: a drag along the timeline is not a hundred places


@dataclass(frozen=True, slots=True)
class State:
    """What undo gives back; trainings are held by reference."""

    corpus: Corpus
    recipe: Recipe
    opened: tuple[Opened, ...]
    active: int
    text: bytes
    k: int  # taken up again where another corpus comes back; on the same one the window stays where it is


class UndoHistory:
    """States before and after the present one; the oldest go when all of them keep more than `BYTES_KEPT`.

    What is kept is corpora, trainings with their timelines, and texts, each once however many states share it.
    """

    def __init__(self) -> None:
        self._before: list[State] = []
        self._after: list[State] = []

    def push(self, state: State) -> None:
        """Remembers the state that an action is about to leave."""
        self._before.append(state)
        self._after.clear()
        del self._before[: len(self._before) - self._affordable()]

    def undo(self, present: State) -> State | None:
        """The state before, None where there is none."""
        if not self._before:
            return None
        self._after.append(present)
        return self._before.pop()

    def redo(self, present: State) -> State | None:
        """The state that was undone, None where there is none."""
        if not self._after:
            return None
        self._before.append(present)
        return self._after.pop()

    @property
    def can_undo(self) -> bool:
        """Whether there is a state before."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether something was undone."""
        return bool(self._after)

    def _affordable(self) -> int:
        """How many of the newest states may stay; the last one always does."""
        held, memory = 0, MemoryHeld()
        for count, state in enumerate(reversed(self._before[-STATES_KEPT:])):
            held += memory.more(state)
            if held > BYTES_KEPT and count:
                return count
        return min(len(self._before), STATES_KEPT)


@dataclass(frozen=True, slots=True)
class Visit:
    """Somewhere the user looked: a merge and a selection."""

    k: int
    selection: Selection


class Trail:
    """The places visited, with the present one among them, as a browser keeps them."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._visits: list[Visit] = []
        self._at = -1
        self._moved = float("-inf")

    def clear(self) -> None:
        """Forgets all places: another corpus is open."""
        self._visits.clear()
        self._at = -1

    def visit(self, visit: Visit) -> None:
        """Adds a place after the present one; a place left within `SAME_MOVE_S` is replaced."""
        now = self._clock()
        if self._at >= 0 and self._visits[self._at] == visit:
            return
        if now - self._moved < SAME_MOVE_S and self._at >= 0:
            self._at -= 1
        del self._visits[self._at + 1 :]
        self._visits.append(visit)
        self._at += 1
        self._moved = now

    def back(self) -> Visit | None:
        """The place before, None at the first."""
        return self._go(-1)

    def forward(self) -> Visit | None:
        """The place after, None at the last."""
        return self._go(1)

    def can_go(self, by: int) -> bool:
        """Whether there is a place that many further on."""
        return 0 <= self._at + by < len(self._visits)

    def _go(self, by: int) -> Visit | None:
        if not self.can_go(by):
            return None
        self._at += by
        self._moved = float("-inf")
        return self._visits[self._at]
