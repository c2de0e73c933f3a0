"""What the tint of a merged token says, which a person chooses for all views of text at once.

    wear(Tinting.AGE)       from now on, in whatever is painted next; True if that is another one
    worn()                  the one that is on
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from PySide6.QtGui import QColor

from explorer.core.runs import Run
from explorer.gui.text.cells import Ints
from explorer.gui.theme import Ink

KINDS = 4  # tints of each kind


class Tinting(Enum):
    """What a tint says about a merged token; the value is what a settings file says."""

    TURNS = "turns"  # four tints in turn, so that neighbours differ
    IDENTITY = "identity"  # a token looks the same wherever it stands
    AGE = "age"  # the later the merge, the stronger: a quarter of all merges a tint
    NONE = "none"  # ticks alone


@dataclass(slots=True)
class _Worn:
    tinting: Tinting = Tinting.TURNS


_worn = _Worn()


def wear(tinting: Tinting) -> bool:
    """Puts a tinting on; whether it was not on already, so that everything has to be painted anew."""
    other = tinting is not _worn.tinting
    _worn.tinting = tinting
    return other


def worn() -> Tinting:
    """The tinting that is on."""
    return _worn.tinting


def merged_ids(run: Run | None) -> range:
    """The ids of all merges of a run, from the oldest."""
    return range(run.training.table.alphabet.first_merged_id, run.training.table.size) if run else range(0)


def shades(ink: Ink, tinting: Tinting) -> tuple[QColor, QColor, QColor, QColor]:
    """The tints; for the age four steps from the page to the strongest tint, on which letters and edges keep their contrast."""
    if tinting is not Tinting.AGE:
        return ink.tints
    strong = ink.tints[1]
    return _mixed(ink.page, strong, 0.25), _mixed(ink.page, strong, 0.5), _mixed(ink.page, strong, 0.75), strong


def places(tinting: Tinting, ids: Ints, turns: Ints, merged: range) -> Ints:
    """Which of the four tints each token takes, by its id and its turn; `merged` are the ids of all merges of the table."""
    if tinting is Tinting.AGE and len(merged):
        return np.clip((ids - merged.start) * KINDS // len(merged), 0, KINDS - 1)
    if tinting is Tinting.IDENTITY:
        return _scattered(ids) % KINDS
    return turns % KINDS


def tint_of(ink: Ink, token_id: int, turn: int, merged: range) -> QColor | None:
    """The tint of one merged token as it is worn; None where no token is tinted."""
    tinting = worn()
    if tinting is Tinting.NONE:
        return None
    place = places(tinting, np.array([token_id], np.int64), np.array([turn], np.int64), merged)
    return shades(ink, tinting)[int(place[0])]


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    parts = zip((one.red(), one.green(), one.blue()), (other.red(), other.green(), other.blue()), strict=True)
    return QColor(*(round(a + (b - a) * share) for a, b in parts))


def _scattered(ids: Ints) -> Ints:
    """Token ids as numbers of which the last two bits look random: Fibonacci hashing, so that near ids differ."""
    return ((ids.astype(np.uint64) * np.uint64(11400714819323198485)) >> np.uint64(61)).astype(np.int64)
