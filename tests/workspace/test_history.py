"""Undo gives states back in order; the trail behaves as a browser's."""

import pytest

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.workspace import history
from explorer.workspace.history import State, Trail, UndoHistory, Visit
from explorer.workspace.memory_held import MemoryHeld
from explorer.workspace.training_job import Live, train_run
from explorer.workspace.values import Selection


def state(number: int, data: bytes = b"") -> State:
    return State(Corpus.of_text(data), Recipe(), (), number, b"", 0)


def test_undo_and_redo_are_each_others_inverse() -> None:
    undo = UndoHistory()
    assert undo.undo(state(0)) is None and undo.redo(state(0)) is None
    first, second, third = state(1), state(2), state(3)
    undo.push(first)
    undo.push(second)
    assert undo.undo(third) is second and undo.undo(second) is first and not undo.can_undo
    assert undo.redo(first) is second and undo.redo(second) is third and not undo.can_redo


def test_a_new_action_forgets_what_was_undone() -> None:
    undo = UndoHistory()
    undo.push(state(1))
    undo.undo(state(2))
    undo.push(state(3))
    assert not undo.can_redo


def test_the_oldest_states_go_when_they_are_too_many_or_too_large() -> None:
    undo = UndoHistory()
    for number in range(history.STATES_KEPT + 50):
        undo.push(state(number))
    assert left(undo) == list(range(149, 49, -1))
    for number in range(6):
        undo.push(state(number, bytes(history.BYTES_KEPT // 4)))
    assert left(undo) == [5, 4, 3]


def test_trainings_count_as_memory_and_what_states_share_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.of_text(b"standing in standing in\n" * 50)
    recipe = Recipe.of("chapter-81").asking(merges=5)
    runs = [train_run(corpus, recipe, Live(number, "run"), None) for number in range(4)]
    memory = MemoryHeld()
    kept = [memory.more(run) for run in reversed(runs)]
    assert all(held > 2 * len(corpus.data) for held in kept), "a training is no small thing beside its corpus"
    monkeypatch.setattr(history, "BYTES_KEPT", sum(kept[:2]) + kept[2] // 2)
    apart, shared = UndoHistory(), UndoHistory()
    for number in range(4):
        apart.push(State(corpus, recipe, (runs[number],), number, b"", 0))
        shared.push(State(corpus, recipe, (runs[0],), number, b"", 0))
    assert left(apart) == [3, 2] and left(shared) == [3, 2, 1, 0]


def left(undo: UndoHistory) -> list[int]:
    kept = []
    while (before := undo.undo(state(-1))) is not None:
        kept.append(before.active)
    return kept


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def visit(k: int) -> Visit:
    return Visit(k, Selection())


def test_back_and_forward() -> None:
    clock = Clock()
    trail = Trail(clock)
    assert trail.back() is None and trail.forward() is None
    for k in (1, 2, 3):
        clock.now += 10
        trail.visit(visit(k))
    assert trail.back() == visit(2) and trail.back() == visit(1) and trail.back() is None
    assert trail.forward() == visit(2)
    clock.now += 10
    trail.visit(visit(9))
    assert trail.forward() is None and trail.back() == visit(2)


def test_a_drag_is_one_place() -> None:
    clock = Clock()
    trail = Trail(clock)
    trail.visit(visit(1))
    clock.now += 10
    for k in range(20, 60):
        clock.now += 0.05
        trail.visit(visit(k))
    assert trail.back() == visit(1)


def test_the_same_place_twice_is_one() -> None:
    clock = Clock()
    trail = Trail(clock)
    for _ in range(3):
        clock.now += 10
        trail.visit(visit(4))
    assert trail.back() is None


def test_what_was_gone_back_to_is_not_replaced_by_a_quick_move() -> None:
    clock = Clock()
    trail = Trail(clock)
    for k in (1, 2):
        clock.now += 10
        trail.visit(visit(k))
    trail.back()
    trail.visit(visit(5))
    assert trail.back() == visit(1)
