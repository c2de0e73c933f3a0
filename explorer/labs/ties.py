"""Where several pairs shared the greatest count, and what each of them would have led to.

A branch is a fork of the training: the merges before the tie are replayed, the pair is chosen, and the rule decides the rest. The branch
of the pair that was merged anyway is the training itself.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from explorer.core.engines import timeline_steps
from explorer.core.progress import Stage, Step
from explorer.core.runs import Run, fork_steps
from explorer.core.timeline import Timeline
from explorer.core.training import Training
from explorer.core.vocabulary import Pair, Piece, Rank
from explorer.errors import ExplorerError
from explorer.labs.spellings import spelling_steps


@dataclass(frozen=True, slots=True)
class WordCut:
    """A word as one branch's table cuts it."""

    word: bytes
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """What one of the tied pairs leads to.

    `pair` has the ids of the training that was asked about; `taken` says that it is the pair that was merged there. `length` is the corpus
    length at the end, `rows_only_here` the merged pieces that no other branch of this tie has, in rank order.
    """

    pair: Pair
    taken: bool
    training: Training
    length: int
    rows_only_here: tuple[Piece, ...]
    cuts: tuple[WordCut, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """A rank at which several pairs shared the greatest count.

    `branches` has one entry a pair, in tie order, or none at all when the tie was not followed.
    """

    rank: Rank
    count: int
    pairs: tuple[Pair, ...]
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class TieSurvey:
    """The ties of a training by rank, and how many of them were followed."""

    training: Training
    ties: tuple[Tie, ...]

    @property
    def followed(self) -> int:
        """How many ties have branches."""
        return sum(1 for tie in self.ties if tie.branches)


def tie_steps(
    training: Training, ranks: Sequence[Rank] | None = None, words: Sequence[bytes] = (), most_branches: int | None = None
) -> Generator[Step, None, TieSurvey]:
    """Surveys the ties at some ranks (None: all of them), with the cuts of some words at every branch's end.

    Ties are followed in rank order while their branches are at most `most_branches` together; those after that are listed without branches.
    ExplorerError for a rank without a tie.
    """
    timeline = yield from timeline_steps(training)
    wanted = training.tied_ranks if ranks is None else tuple(ranks)
    listed = [(rank, _pairs_at(training, timeline, rank)) for rank in wanted]
    total = sum(len(pairs) for _, pairs in listed)
    left, done = total if most_branches is None else most_branches, 0
    ties: list[Tie] = []
    for rank, pairs in listed:
        left -= len(pairs)
        branches: tuple[Branch, ...] = ()
        if left >= 0:
            branches = yield from _branches(training, rank, pairs, words)
        done += len(pairs)
        ties.append(Tie(rank, max(timeline.pair_count(rank, pair) for pair in pairs), pairs, branches))
        yield Step(Stage.SEARCHING, done, total)
    return TieSurvey(training, tuple(ties))


def _pairs_at(training: Training, timeline: Timeline, rank: Rank) -> tuple[Pair, ...]:
    pairs = timeline.tied(rank) if rank < training.learned else ()
    if len(pairs) < 2:
        raise ExplorerError(f"There is no tie at rank {rank}. {_where_ties_are(training)}")
    return pairs


def _where_ties_are(training: Training) -> str:
    ranks = training.tied_ranks
    shown = ", ".join(map(str, ranks[:10])) + (", ..." if len(ranks) > 10 else "")
    return f"The ties are at {shown}." if ranks else "This training has no ties."


def _branches(training: Training, rank: Rank, pairs: Sequence[Pair], words: Sequence[bytes]) -> Generator[Step, None, tuple[Branch, ...]]:
    run = Run(0, None, None, training.recipe, training, "")
    ended: list[Training] = []
    for pair in pairs:
        if pair == training.merges[rank].pair:
            ended.append(training)
        else:
            ended.append((yield from fork_steps(run, rank, pair, 1)).training)
    holders = Counter(piece for one in ended for piece in set(merged_pieces(one)))
    branches: list[Branch] = []
    for pair, one in zip(pairs, ended, strict=True):
        cuts = yield from spelling_steps(one.table, words)
        alone = tuple(piece for piece in dict.fromkeys(merged_pieces(one)) if holders[piece] == 1)
        cut_words = tuple(WordCut(word, pieces) for word, pieces in zip(words, cuts, strict=True))
        branches.append(Branch(pair, one is training, one, one.length(one.learned), alone, cut_words))
    return tuple(branches)


def merged_pieces(training: Training) -> tuple[Piece, ...]:
    """The pieces that were merged, in rank order."""
    return training.table.pieces[training.alphabet.first_merged_id :]
