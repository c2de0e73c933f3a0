"""What a second stage learns once the boundary between pre-tokens is lifted, and what it costs and buys beside one stage alone."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from itertools import pairwise

from explorer.core.corpus import Corpus
from explorer.core.engines import training_steps
from explorer.core.progress import Step
from explorer.core.recipe import Recipe
from explorer.core.training import Training
from explorer.core.vocabulary import Piece, Rank
from explorer.labs.spellings import words_in


@dataclass(frozen=True, slots=True)
class Crossing:
    """A merge of the second stage: whether its piece spans a boundary of stage one, in how many parts, and whether each is a whole word."""

    rank: Rank
    piece: Piece
    spans: bool
    parts: int
    whole_words: bool


@dataclass(frozen=True, slots=True)
class TwoStages:
    """The training in two stages; `alone` is one stage asked for the same size. `lift` is in rows; stage one may have ended before it."""

    lift: int
    training: Training
    first_stage: Training
    crossings: tuple[Crossing, ...]
    alone: Training

    @property
    def spanning(self) -> int:
        """How many second-stage pieces span a boundary."""
        return sum(crossing.spans for crossing in self.crossings)

    @property
    def of_whole_words(self) -> int:
        """How many of those are made of whole words alone."""
        return sum(crossing.spans and crossing.whole_words for crossing in self.crossings)


def stage_steps(corpus: Corpus, recipe: Recipe) -> Generator[Step, None, TwoStages]:
    """Trains in two stages.

    The boundary is lifted where the recipe says; a recipe that says nothing has it lifted at its own size, and then goes on to the end.
    RecipeError for entries, whose boundary is never lifted.
    """
    lift = recipe.lift
    if lift is None:
        replace(recipe, lift=0)  # a recipe that cannot be lifted is refused before it is trained
        lift = (yield from training_steps(corpus, recipe)).rows
        recipe = recipe.asking()
    training = yield from training_steps(corpus, replace(recipe, lift=lift))
    alone = yield from training_steps(corpus, replace(recipe, lift=None))
    lift_rank = training.learned if training.lift_rank is None else training.lift_rank
    return TwoStages(lift, training, training.cut(lift_rank), _crossings(training, lift_rank), alone)


def _crossings(training: Training, lift_rank: Rank) -> tuple[Crossing, ...]:
    words = frozenset(words_in(training))
    return tuple(_crossing(training, rank, words) for rank in range(lift_rank, training.learned))


def _crossing(training: Training, rank: Rank, words: frozenset[bytes]) -> Crossing:
    """With a marker the piece says itself where words end in it; without one it spans a boundary if no word holds it."""
    piece = training.table.pieces[training.table.id_of_rank(rank)]
    if training.alphabet.marker:
        cuts = (0, *piece.breaks, len(piece.bytes))
        parts = [piece.bytes[start:end] for start, end in pairwise(cuts)]
        return Crossing(rank, piece, len(parts) > 1, len(parts), piece.marked and all(part in words for part in parts))
    spans = not any(piece.bytes in word for word in words)
    count = _fewest_words(piece.bytes, words) if spans else 1
    return Crossing(rank, piece, spans, count or 2, spans and count is not None)


def _fewest_words(text: bytes, words: frozenset[bytes]) -> int | None:
    """How few whole words make up a text, None where they cannot."""
    longest = max(map(len, words), default=0)
    fewest: list[int | None] = [0]
    for end in range(1, len(text) + 1):
        before = [made for start in range(max(0, end - longest), end) if (made := fewest[start]) is not None and text[start:end] in words]
        fewest.append(min(before) + 1 if before else None)
    return fewest[-1]
