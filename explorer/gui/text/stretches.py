"""Boxes of a row that touch, as one: letters that turn round lie in several stretches, all others in one."""

from collections.abc import Iterable

TOUCHING = 0.6  # pixels between two edges that are one
Sides = tuple[float, float]  # left and right in pixels


def joined(sides: Iterable[Sides]) -> list[Sides]:
    """The stretches that sides cover together, from left to right.

    >>> joined([(20.0, 30.0), (0.0, 10.0), (10.2, 15.0)])
    [(0.0, 15.0), (20.0, 30.0)]
    """
    found: list[Sides] = []
    for left, right in sorted(sides):
        if found and left <= found[-1][1] + TOUCHING:
            left, right = found[-1][0], max(right, found.pop()[1])
        found.append((left, right))
    return found


def gaps(sides: Iterable[Sides], left: float, right: float) -> list[Sides]:
    """What lies between left and right and is covered by none of the sides.

    >>> gaps([(0.0, 10.0), (20.0, 30.0)], 0.0, 40.0)
    [(10.0, 20.0), (30.0, 40.0)]
    """
    found: list[Sides] = []
    at = left
    for one, two in [*joined(sides), (right, right)]:
        if one - at > TOUCHING:
            found.append((at, one))
        at = max(at, two)
    return found
