"""The best sequence of merges on a small corpus, found by looking at all of them, beside what greedy merging reaches.

Merging the commonest pair is the best single step and not always the best first step. The search here goes through every sequence of
merges that the recipe could make (pairs of at least its least count, inside pre-tokens) and keeps a memo over states of the corpus,
since merges in another order often lead to the same state. `search.py` says why what it leaves out cannot be better.

The result is proven, or it is the best of as many states as were looked at; then a bound says below what no merges can bring the corpus.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from explorer.core.corpus import Corpus
from explorer.core.engines import training_steps
from explorer.core.progress import Step
from explorer.core.recipe import Choice, Recipe, TieRule
from explorer.core.training import Training
from explorer.core.vocabulary import Pair, Piece
from explorer.errors import RecipeError, TooLargeError
from explorer.labs.search import Move, Search, State, most_by_doubling

PiecePair = tuple[Piece, Piece]

NODES = 20_000  # states looked at before the search gives up, and as many again for the first moves
FIRST_MOVES = 40  # first pairs whose best is worked out, those that save most
MOST_MERGES = 100
TIED_DRAWN = 8  # tied pairs that a node of the tree shows


class BoundRule(Enum):
    """Why the corpus cannot become shorter than the bound.

    In no order of merges does a pair come to occur more often, without overlap, than the commonest pair did before: a new pair needs, at
    each place, an old pair at that place. So m merges save at most m times what the best first merge saves. And a merge at most doubles
    the symbols of the longest token: after m of them a pre-token of n symbols still takes n / 2^m tokens, rounded up.
    """

    GREATEST_COUNT = "greatest-count"
    DOUBLING = "doubling"


@dataclass(frozen=True, slots=True)
class Bound:
    """A corpus length that no sequence of the merges asked for comes below, and the rule that says so."""

    length: int
    rule: BoundRule


@dataclass(frozen=True, slots=True)
class FirstMove:
    """A first pair, and the best that can come after it.

    `pair` has ids of the alphabet; `tied` says that it shares the greatest count with another pair. `best` has the shortest length for
    1, 2 ... merges, this one counted; None where the search had stopped before.
    """

    pair: Pair
    count: int
    saved: int
    tied: bool
    best: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ChoiceNode:
    """A state of the corpus in the tree of choices.

    `pair` led here (None at the root), `count` is what it counted there, `length` the corpus length now. `tied` counts the pairs that share
    the greatest count here. `best_below` is the shortest length from here with the merges that are left, None where it was not searched.
    `children` are the tied pairs and whatever else lies on a path, `left_out` counts tied pairs that are not among them.
    """

    pair: PiecePair | None
    count: int
    length: int
    on_greedy: bool
    on_best: bool
    tied: int
    best_below: int | None
    children: "tuple[ChoiceNode, ...]"
    left_out: int


@dataclass(frozen=True, slots=True)
class Greedy:
    """What greedy merging does under one tie rule: its training, and the corpus length after 1, 2 ... merges."""

    tie: TieRule
    training: Training
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Optimum:
    """The answer. `best` has the shortest length found after at most 1, 2 ... `merges` merges; `best_pairs` make the last of them.

    `greedy` has one entry a tie rule, the recipe's own first. `nodes` counts the states looked at for `best`. `bound` is None when the
    best is proven. `by_first` holds the `FIRST_MOVES` first pairs that save most, of `first_pairs`.
    """

    merges: int
    start: int
    greedy: tuple[Greedy, ...]
    best: tuple[int, ...]
    best_pairs: tuple[PiecePair, ...]
    proven: bool
    nodes: int
    bound: Bound | None
    by_first: tuple[FirstMove, ...]
    first_pairs: int
    root: ChoiceNode


def recipe_along(recipe: Recipe, pairs: Sequence[PiecePair]) -> Recipe:
    """The recipe that makes just these merges: how a window is put at a node of the tree."""
    choices = tuple(Choice(rank, left, right) for rank, (left, right) in enumerate(pairs))
    return replace(recipe, choices=choices).asking(merges=len(pairs))


def optimum_steps(corpus: Corpus, recipe: Recipe, merges: int, nodes: int = NODES) -> Generator[Step, None, Optimum]:
    """Searches for the shortest corpus after at most `merges` merges, looking at no more than `nodes` states.

    The recipe's size and choices play no part. RecipeError for a recipe that lifts its boundary: the search stays inside pre-tokens.
    TooLargeError for more than `MOST_MERGES` merges.
    """
    if recipe.lift is not None:
        raise RecipeError("The best merges are searched inside pre-tokens: leave the lift out.")
    if merges > MOST_MERGES:
        raise TooLargeError(f"A search for the best {merges} merges has no end in sight; at most {MOST_MERGES} are searched.")
    greedy = yield from _greedy(corpus, replace(recipe.asking(merges=merges), choices=()))
    training = greedy[0].training
    search, start = Search(training, nodes), training.length_at_zero
    searched: list[_Way] = []
    for left in range(1, merges + 1):
        saved = yield from search.best(search.root, left)
        searched.append(_Way(start - saved, search.path(search.root, left)))
    proven, looked_at = not search.stopped, search.nodes
    best = _shortest_by_merges(start, searched, greedy)
    bound = _bound(search, start, merges)
    # Of ways equally short the recipe's own greedy one, so that greedy is not shown to lose where it does not.
    merged = [_Way(one.lengths[-1], _as_moves(search, one.training)) for one in greedy if merges]
    way = min((*merged[:1], *searched, *merged[1:]), key=lambda way: way.length, default=_Way(start, []))
    search.allow(nodes)
    by_first = yield from _first_moves(search, start, merges)
    search.allow(nodes)
    root = yield from _Tree(search, _as_moves(search, training), way.moves).node(search.root, None, start, merges, 0, True, True)
    proven = proven or best[-1:] == (bound.length,)
    return Optimum(
        merges, start, greedy, best, tuple(search.pieces(move.pair) for move in way.moves), proven, looked_at, None if proven else bound,
        by_first, len(search.moves(search.root)), root,
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """Some moves from the root and the corpus length they end at."""

    length: int
    moves: list[Move]


def _greedy(corpus: Corpus, recipe: Recipe) -> Generator[Step, None, tuple[Greedy, ...]]:
    """Greedy merging under each tie rule, the recipe's own first."""
    out: list[Greedy] = []
    for tie in sorted(TieRule, key=lambda rule: rule is not recipe.tie):
        training = yield from training_steps(corpus, replace(recipe, tie=tie))
        lengths = tuple(training.length(min(made, training.learned)) for made in range(1, (recipe.merges or 0) + 1))
        out.append(Greedy(tie, training, lengths))
    return tuple(out)


def _shortest_by_merges(start: int, searched: list[_Way], greedy: tuple[Greedy, ...]) -> tuple[int, ...]:
    """The shortest length found for at most 1, 2 ... merges; more merges are never worse."""
    best: list[int] = []
    for made, way in enumerate(searched):
        best.append(min(best[-1] if best else start, way.length, *(one.lengths[made] for one in greedy)))
    return tuple(best)


def _bound(search: Search, start: int, merges: int) -> Bound:
    moves = search.moves(search.root)
    by_count = start - merges * (moves[0].saved if moves else 0)
    by_doubling = start - most_by_doubling(search.root, merges)
    return Bound(by_count, BoundRule.GREATEST_COUNT) if by_count >= by_doubling else Bound(by_doubling, BoundRule.DOUBLING)


def _as_moves(search: Search, training: Training) -> list[Move]:
    """The merges of a training as moves of the search."""
    spelled = [chr(at) for at in range(training.alphabet.first_merged_id)]
    moves: list[Move] = []
    for merge in training.merges:
        spelled.append(spelled[merge.left] + spelled[merge.right])
        moves.append(Move(search.token(spelled[merge.left]) + search.token(spelled[merge.right]), merge.count, merge.saved))
    return moves


def _first_moves(search: Search, start: int, merges: int) -> Generator[Step, None, tuple[FirstMove, ...]]:
    moves = search.moves(search.root)
    most = max((move.count for move in moves), default=0)
    shared = sum(move.count == most for move in moves) > 1
    out: list[FirstMove] = []
    for move in moves[:FIRST_MOVES]:
        after, best = search.after(search.root, move.pair), list[int | None]()
        for left in range(merges):
            saved = yield from search.best(after, left)
            best.append(None if search.stopped else start - move.saved - saved)
        tied = shared and move.count == most
        out.append(FirstMove((ord(move.pair[0]), ord(move.pair[1])), move.count, move.saved, tied, tuple(best)))
    return tuple(out)


class _Tree:
    """Grows the tree of choices along the greedy and the best path."""

    def __init__(self, search: Search, greedy: list[Move], best: list[Move]) -> None:
        self.search, self.greedy, self.best = search, greedy, best

    def node(
        self, state: State, move: Move | None, length: int, left: int, level: int, on_greedy: bool, on_best: bool
    ) -> Generator[Step, None, ChoiceNode]:
        """The node of a state that `move` led to, with `left` merges to go."""
        search = self.search
        saved = yield from search.best(state, left)
        below = None if search.stopped else length - saved
        moves = search.moves(state)
        most = max((one.count for one in moves), default=0)
        tied = [one for one in moves if one.count == most]
        greedy, best = self._next(self.greedy, level, on_greedy), self._next(self.best, level, on_best)
        drawn = self._drawn(tied, moves, greedy, best) if left and (on_greedy or on_best) else []
        children: list[ChoiceNode] = []
        for one in drawn:
            after = search.after(state, one.pair)
            child = self.node(after, one, length - one.saved, left - 1, level + 1, one.pair == greedy, one.pair == best)
            children.append((yield from child))
        pair = search.pieces(move.pair) if move else None
        left_out = sum(one not in drawn for one in tied) if drawn else 0
        count = move.count if move else 0
        return ChoiceNode(pair, count, length, on_greedy, on_best, len(tied), below, tuple(children), left_out)

    def _next(self, path: list[Move], level: int, on: bool) -> str | None:
        return path[level].pair if on and level < len(path) else None

    def _drawn(self, tied: list[Move], moves: list[Move], greedy: str | None, best: str | None) -> list[Move]:
        """The first tied pairs and, wherever they stand, the pairs of the two paths."""
        shown = tied[:TIED_DRAWN]
        return shown + [one for one in moves if one.pair in (greedy, best) and one not in shown]
