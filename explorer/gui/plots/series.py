"""The numbers behind the curve: a run's corpus length at every merge, thinned out to the pixels, and round marks for the axes.

Nothing here draws. Thinning is ours because pyqtgraph's draws stairs on a logarithmic axis, and because its lines cost
a hundred times as much as they need where a hundred points share a pixel.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import ceil, floor, log10

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.training import MergeColumns, Training
from explorer.gui.painting.paint import thousands

Floats = npt.NDArray[np.float64]
WHOLE = 1e-6  # how far from a whole number a mark may be that is one
LEAST = 0.5  # on a logarithmic axis 0 lies where a half does: below 1, and still on the page


class Measure(Enum):
    """What the curve shows; the value is its name for the reader."""

    TOKENS = "tokens"
    BYTES_PER_TOKEN = "bytes per token"


class Scale(Enum):
    """How both axes run; the value is its name for the reader."""

    LINEAR = "linear"
    LOG = "log"

    def of(self, values: npt.ArrayLike) -> Floats:
        """Values as positions on an axis of this scale."""
        given = np.asarray(values, np.float64)
        return given if self is Scale.LINEAR else np.log10(np.maximum(given, LEAST))

    def back(self, position: float) -> float:
        """The value at a position."""
        return position if self is Scale.LINEAR else 10.0**position


@dataclass(frozen=True, slots=True)
class Lengths:
    """A run as arrays: `rows` and `lengths` have one entry for each k from 0 on, `saved` one a merge.

    Rows are those that a size counts (without fallback rows); `size` is the weighted size of the corpus in bytes.
    """

    rows: Floats
    lengths: Floats
    saved: Floats
    size: int

    @classmethod
    def of(cls, training: Training) -> "Lengths":
        """The whole of a training."""
        return cls.of_columns(training.columns, training.alphabet.floor, training.length_at_zero, weighted_size(training.corpus))

    @classmethod
    def of_columns(cls, columns: MergeColumns, floor: int, length_at_zero: int, size: int) -> "Lengths":
        """What is learned so far, over an alphabet of `floor` rows."""
        lengths = np.append(float(length_at_zero), columns.lengths)
        return cls(np.arange(floor, floor + len(lengths), dtype=np.float64), lengths, columns.saved, size)

    @property
    def learned(self) -> int:
        """How many merges there are."""
        return len(self.saved)

    def values(self, measure: Measure) -> Floats:
        """What the curve shows, one entry for each k; bytes per token are 0 where there is no token."""
        if measure is Measure.TOKENS:
            return self.lengths
        return np.divide(self.size, self.lengths, out=np.zeros_like(self.lengths), where=self.lengths > 0)

    def nearest(self, rows: float) -> int:
        """The k whose number of rows is nearest."""
        return int(max(0, min(round(rows - float(self.rows[0])), self.learned)))

    def note(self, k: int) -> tuple[str, str, str]:
        """Three short lines about merge k: rows, tokens, bytes each."""
        length = int(self.lengths[k])
        each = f"{self.size / length:.2f} bytes each" if length else "no bytes"
        return f"{thousands(int(self.rows[k]))} rows", f"{thousands(length)} tokens", each


def weighted_size(corpus: Corpus) -> int:
    """The bytes of a corpus, each text as often as it counts."""
    sizes = np.diff(corpus.starts)
    return int(sizes.sum() if corpus.weights is None else sizes @ corpus.weights)


def csv_lines(training: Training) -> Iterator[str]:
    """The curve as a table: a head, then a line for each k. What a merge did stands beside the k it led to, so k = 0 has none."""
    size, rows = weighted_size(training.corpus), training.alphabet.floor
    yield "k,rows,length,bytes_per_token,saved,count,tied"
    for k in range(training.learned + 1):
        length = training.length(k)
        each = f"{size / length:.6f}" if length else ""
        merge = training.merges[k - 1] if k else None
        figures = f"{merge.saved},{merge.count},{merge.tied}" if merge else ",,"
        yield f"{k},{rows + k},{length},{each},{figures}"


# --- thinning ---------------------------------------------------------------------------------------------------------


def thinned(x: Floats, y: Floats, low: float, high: float, pixels: int) -> tuple[Floats, Floats]:
    """The points of a curve from `low` to `high`, at most two a pixel, its ends cut to exactly there.

    x rises; the curve is meant to have no needles, which a curve of lengths has not. Empty where the curve lies elsewhere.
    """
    if not len(x) or x[-1] < low or x[0] > high:
        return np.empty(0), np.empty(0)
    first, last = int(np.searchsorted(x, low, "left")), int(np.searchsorted(x, high, "right"))
    at = np.arange(first, last)
    if len(at) > 2 * pixels:
        at = np.unique(np.clip(np.searchsorted(x, np.linspace(low, high, 2 * pixels)), first, last - 1))
    xs, ys = x[at], y[at]
    if first and (not len(xs) or xs[0] > low):
        xs, ys = np.append(low, xs), np.append(np.interp(low, x, y), ys)
    if last < len(x) and (not len(xs) or xs[-1] < high):
        xs, ys = np.append(xs, high), np.append(ys, np.interp(high, x, y))
    return xs, ys


def thinned_bars(edges: Floats, heights: Floats, low: float, high: float, pixels: int) -> tuple[Floats, Floats]:
    """Bars between rising edges (one more than heights) from `low` to `high`; where several share a pixel, their greatest height."""
    if not len(heights) or edges[-1] <= low or edges[0] >= high:
        return np.array([low]), np.empty(0)
    first, last = max(0, int(np.searchsorted(edges, low, "right")) - 1), min(len(heights), int(np.searchsorted(edges, high, "left")))
    starts = np.arange(first, last)
    if len(starts) > pixels:
        starts = np.unique(np.clip(np.searchsorted(edges, np.linspace(low, high, pixels)), first, last - 1))
        starts[0] = first
    tops = np.maximum.reduceat(heights[first:last], starts - first)
    return np.clip(np.append(edges[starts], edges[last]), low, high), tops


def cut_bars(edges: Floats, heights: Floats, at: float) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Bars before and after a place; one that it goes through is in both."""
    before = int(np.searchsorted(edges, at, "left"))
    after = max(0, int(np.searchsorted(edges, at, "right")) - 1)
    left = (np.append(edges[:before], at), heights[:before]) if before else (edges[:1], heights[:0])
    right = (np.append(at, edges[after + 1 :]), heights[after:]) if after < len(heights) else (edges[-1:], heights[:0])
    return left, right


# --- marks on the axes ------------------------------------------------------------------------------------------------


def axis_marks(low: float, high: float, most: int, scale: Scale, *, whole: bool = False) -> list[tuple[float, str]]:
    """At most about `most` round values between two positions, each with its position and how it is written.

    `whole` leaves out those between whole numbers: of rows and of tokens there are no parts.

    >>> [text for _, text in axis_marks(0, 1, 4, Scale.LINEAR)]
    ['0', '0.5', '1']
    >>> [text for _, text in axis_marks(0, 1, 4, Scale.LINEAR, whole=True)]
    ['0', '1']
    """
    if not high > low:
        return []
    values = _round_values(low, high, most) if scale is Scale.LINEAR else _round_powers(scale.back(low), scale.back(high), most)
    return [(float(scale.of(value)), short(value)) for value in values if not whole or abs(value - round(value)) < WHOLE]


def _round_values(low: float, high: float, most: int) -> list[float]:
    step = _step((high - low) / max(1, most))
    return [round(count * step, 10) for count in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next(round(size * power, 12) for size in (1, 2, 5, 10) if size * power >= least * (1 - 1e-9))


def _round_powers(low: float, high: float, most: int) -> list[float]:
    """1, 2, 5 times powers of ten; fewer of them where that is too many, round steps where it is too few."""
    powers = range(floor(log10(max(low, LEAST))), ceil(log10(high)) + 1)
    choices = [[size * 10.0**power for power in powers for size in sizes] for sizes in ((1, 2, 5), (1, 3), (1,))]
    inside = [[value for value in choice if low <= value <= high] for choice in choices]
    found = next((choice for choice in inside if len(choice) <= most), inside[-1][:: max(1, ceil(len(inside[-1]) / most))])
    return found if len(found) > 1 else _round_values(low, high, most)


def short(value: float) -> str:
    """A value on an axis: whole thousands as "2k", whole millions as "3M", others in full.

    >>> [short(value) for value in (0, 2.5, 300, 1500, 20000, 7123, 3000000)]
    ['0', '2.5', '300', '1.5k', '20k', '7\\u2009123', '3M']
    """
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if value >= unit and (value * 10 / unit).is_integer():
            return f"{value / unit:g}{letter}"
    return thousands(int(value)) if float(value).is_integer() else f"{value:g}"


def scale_marks(merges: int, most: float) -> list[int]:
    """Round numbers of merges from 0 for a scale with at most about `most` marks; the end is always one of them.

    >>> scale_marks(256, 10)
    [0, 32, 64, 96, 128, 160, 192, 224, 256]
    >>> scale_marks(300, 7)
    [0, 50, 100, 150, 200, 250, 300]
    """
    if merges & (merges - 1) == 0 and merges >= 8:  # a power of two is cut in halves
        step = merges
        while step > 1 and 2 * merges / step <= most:
            step //= 2
    else:
        least = merges / max(1.0, most)
        step = next(size * 10**power for power in range(18) for size in (1, 2, 5) if size * 10**power >= least)
    marks = list(range(0, merges, step))
    if len(marks) > 1 and merges - marks[-1] < step / 2:
        marks.pop()
    return [*marks, merges]
