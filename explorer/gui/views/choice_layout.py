"""Where the nodes of a tree of choices stand: a column a merge, a row for each node that nothing follows. Knows no painter."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from explorer.labs.optimum import ChoiceNode, PiecePair

BOX_WIDTH, BOX_HEIGHT = 48.0, 26.0  # pixels at 100 % zoom, as all sizes here
ROW_LEAST, ROW_MOST = 54.0, 64.0
BEND = 52.0  # room for the branches between two columns, at least
HEAD, INSET, FOOT = 30.0, 16.0, 24.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A node in its place: the middle of its box, its parent's number among the spots, and the pairs that lead to it."""

    node: ChoiceNode
    level: int
    x: float
    y: float
    parent: int | None
    path: tuple[PiecePair, ...]


@dataclass(frozen=True, slots=True)
class ChoiceLayout:
    """All spots, parents before children and each column from above; the x of every column; the size of the whole."""

    spots: tuple[Spot, ...]
    columns: tuple[float, ...]
    width: float
    height: float


def lay_out(
    root: ChoiceNode, merges: int, room: tuple[float, float], pair_width: Callable[[PiecePair], float], unit: float
) -> ChoiceLayout:
    """Places a tree; it fills the room where it can and is larger where it must. `unit` is the zoom."""
    widest = [0.0] * (merges + 1)
    for node, level in _walk(root, 0):
        if node.pair:
            widest[level] = max(widest[level], pair_width(node.pair))
    leaves = sum(not node.children for node, _ in _walk(root, 0))
    natural = [unit * (BEND + BOX_WIDTH) + wide for wide in widest[1:]]
    needed = unit * (2 * INSET + BOX_WIDTH) + sum(natural)
    spare = max(0.0, room[0] - needed) / max(1, merges)
    columns = [unit * (INSET + BOX_WIDTH / 2)]
    for wide in natural:
        columns.append(columns[-1] + wide + spare)
    row = min(unit * ROW_MOST, max(unit * ROW_LEAST, (room[1] - unit * (HEAD + FOOT)) / max(1, leaves)))
    height = max(room[1], unit * (HEAD + FOOT) + leaves * row)
    top = unit * HEAD + (height - unit * (HEAD + FOOT) - leaves * row) / 2
    spots: list[Spot] = []
    _place(root, 0, None, (), spots, columns, iter(range(leaves)), lambda at: top + (at + 0.5) * row)
    return ChoiceLayout(tuple(spots), tuple(columns), max(room[0], needed), height)


def _walk(node: ChoiceNode, level: int) -> Iterator[tuple[ChoiceNode, int]]:
    yield node, level
    for child in node.children:
        yield from _walk(child, level + 1)


def _place(
    node: ChoiceNode, level: int, parent: int | None, path: tuple[PiecePair, ...], spots: list[Spot], columns: list[float],
    leaves: Iterator[int], y_of: Callable[[float], float],
) -> float:  # fmt: skip
    """Adds a node and what is under it; returns its y: the middle between its first child and its last."""
    here = len(spots)
    spots.append(Spot(node, level, columns[level], 0.0, parent, path))
    ys = [
        _place(child, level + 1, here, (*path, child.pair), spots, columns, leaves, y_of) for child in node.children if child.pair
    ]
    y = (ys[0] + ys[-1]) / 2 if ys else y_of(next(leaves))
    spots[here] = Spot(node, level, columns[level], y, parent, path)
    return y
