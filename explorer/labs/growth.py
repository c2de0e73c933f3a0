"""What each size of table buys: the corpus in tokens, and a held-out line, at a row of sizes.

One training to the largest size is cut to all the others; nothing is learned twice.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum

from explorer.core.corpus import Corpus
from explorer.core.engines import encoding_steps, training_steps
from explorer.core.progress import Step
from explorer.core.recipe import Recipe
from explorer.core.training import Stopped, Training, merges_wanted

DOUBLING = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512)  # merges asked for, to see what twice as many buy
SIZES = 15  # of a curve, where none are named


class AskedIn(Enum):
    """What a size counts."""

    MERGES = "merges"
    ROWS = "rows"  # stand-in, alphabet and merges, without the fallback rows


@dataclass(frozen=True, slots=True)
class GrowthRow:
    """One size: what was asked, what the corpus gave, and what it costs in tokens then.

    `learned` counts merges; `rows` is stand-in, alphabet and merges, `table_rows` the fallback rows too. `saved` is the drop
    in corpus length since the size before (None for the first), `line_tokens` what the held-out line takes (None without one).
    """

    asked: int
    learned: int
    rows: int
    table_rows: int
    tokens: int
    bytes_per_token: float | None
    saved: int | None
    saved_per_merge: float | None
    line_tokens: int | None


@dataclass(frozen=True, slots=True)
class Growth:
    """The rows, by size; `most` is how many merges there are when asking for more gives no more, None if that was not reached."""

    asked_in: AskedIn
    rows: tuple[GrowthRow, ...]
    most: int | None
    training: Training


def growth_steps(
    corpus: Corpus, recipe: Recipe, sizes: Sequence[int], asked_in: AskedIn, line: bytes | None = None
) -> Generator[Step, None, Growth]:
    """Trains to the largest size and measures at every one. Raises SizeFloorError for rows under the alphabet."""
    largest = max(sizes, default=0)
    asking = recipe.asking(merges=largest) if asked_in is AskedIn.MERGES else recipe.asking(rows=largest)
    training = yield from training_steps(corpus, asking)
    return (yield from measure_steps(training, sizes, asked_in, line))


def measure_steps(
    training: Training, sizes: Sequence[int], asked_in: AskedIn, line: bytes | None = None
) -> Generator[Step, None, Growth]:
    """Measures a training at sizes up to its own, in rising order and each once."""
    rows: list[GrowthRow] = []
    weighted = _weighted_bytes(training.corpus)
    for asked in sorted(set(sizes)):
        merges = asked if asked_in is AskedIn.MERGES else merges_wanted(training.recipe.asking(rows=asked), training.alphabet)
        learned = min(merges or 0, training.learned)
        line_tokens = None
        if line is not None:
            line_tokens = len((yield from encoding_steps(training.table, line, learned)))
        rows.append(_row(training, asked, learned, line_tokens, rows[-1] if rows else None, weighted))
    most = training.learned if training.stopped is Stopped.NO_PAIR else None
    return Growth(asked_in, tuple(rows), most, training)


def spread_sizes(training: Training, count: int = SIZES) -> tuple[int, ...]:
    """That many sizes in rows, evenly spread from the alphabet alone to all that was learned; fewer where there are fewer merges."""
    floor, learned = training.alphabet.floor, training.learned
    return tuple(sorted({floor + learned * at // (count - 1) for at in range(count)}))


def _row(training: Training, asked: int, learned: int, line_tokens: int | None, before: GrowthRow | None, weighted: int) -> GrowthRow:
    tokens = training.length(learned)
    saved = before.tokens - tokens if before else None
    more = learned - before.learned if before else 0
    rows = training.alphabet.floor + learned
    return GrowthRow(
        asked=asked,
        learned=learned,
        rows=rows,
        table_rows=rows + training.alphabet.underneath,
        tokens=tokens,
        bytes_per_token=weighted / tokens if tokens else None,
        saved=saved,
        saved_per_merge=saved / more if saved is not None and more else None,
        line_tokens=line_tokens,
    )


def _weighted_bytes(corpus: Corpus) -> int:
    return sum((end - start) * weight for start, end, weight in corpus.texts())
