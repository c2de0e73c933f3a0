"""How much memory values keep, by an honest estimate: their arrays and bytes in full, their many small parts by a sample.

Undo keeps trainings by reference, and those are mostly arrays: the pre-tokens, what the engine wrote down for its timeline,
and the checkpoints of the timeline. Python does not say what an object keeps with all that hangs on it, and asking every one
of a million merges would take a second; parts of one long sequence are much alike, so some of them stand for all.
"""

import gc
import sys
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from weakref import ReferenceType

import numpy as np

SAMPLE = 12  # parts of what has many that are looked at: a window with a hundred states of undo waits for them less than 0.1 s
SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, ReferenceType)  # not the values' own


class MemoryHeld:
    """Adds up what values keep; what two of them share is counted once, with the first that is asked about."""

    def __init__(self) -> None:
        self._seen: dict[int, object] = {}  # held, so that no number is given to another object meanwhile

    def more(self, value: object) -> int:
        """Bytes that a value keeps beyond everything asked about before."""
        waiting: list[tuple[object, float]] = [(value, 1.0)]
        held = 0.0
        while waiting:
            one, share = waiting.pop()
            if id(one) in self._seen or isinstance(one, SHARED):
                continue
            self._seen[id(one)] = one
            held += share * sys.getsizeof(one, 0)  # of an array with its data, unless it looks into another's
            parts = _parts(one)
            sample = parts if len(parts) <= SAMPLE else parts[:: len(parts) // SAMPLE]
            waiting += ((part, share * len(parts) / len(sample)) for part in sample)
        return round(held)


def _parts(value: object) -> Sequence[object]:
    """What an object refers to and so keeps, be it in attributes, slots, items or a cache of answers."""
    if isinstance(value, np.ndarray):
        return () if value.base is None else (value.base,)
    return gc.get_referents(value)
