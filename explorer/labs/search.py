"""The search behind `optimum`: the most that a number of merges can save from one state of a corpus.

A state is the pre-tokens as they are spelled now, with their counts; those of one token are dropped, as no merge touches them. A token
is named by the symbols it spells: after one sequence of merges two tokens that spell the same were made in the same way, because
nothing beyond the borders of a token has a say in how it was made. So a state says everything about what can follow, and the memo may
answer for it.

Left out is only what cannot be better. Every pair of a later state stands where a pair stood before, so none of them ever occurs more
often, without overlap, than the commonest pair does now. Hence from a state whose best pair saves s, m merges save at most m x s, and a
pair that saves p now leads to p + (m - 1) x s at most: with the pairs in order of what they save, the first that cannot beat the best
ends the loop. And no m merges leave a pre-token of n tokens with fewer than n / 2^m of them. The values in the memo are therefore exact.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from itertools import pairwise

from explorer.core.progress import Stage, Step
from explorer.core.recipe import Counting
from explorer.core.training import Training
from explorer.core.vocabulary import Piece

State = tuple[tuple[str, int], ...]  # spelling, one character a token, and weighted count; sorted
SYMBOLS_A_STEP = 5_000  # counted between two steps: about 1 ms


@dataclass(frozen=True, slots=True)
class Move:
    """A pair that can be merged: two characters, its count by the recipe, and what merging it saves."""

    pair: str
    count: int
    saved: int


@dataclass(frozen=True, slots=True)
class Found:
    """The most that was found to be saved from a state, the pair to begin with (None: nothing can be), and whether it is proven."""

    saved: int
    move: Move | None
    exact: bool


class Search:
    """A search over the corpus of a training, before its merges; it looks at `allowed` states and then stops."""

    def __init__(self, training: Training, allowed: int) -> None:
        self.nodes, self.allowed, self.stopped = 0, allowed, False
        self._rows = training.alphabet.rows
        self._least, self._counting = training.recipe.min_count, training.recipe.counting
        self._spelled: dict[str, str] = {}  # token to the symbols it spells; a symbol spells itself
        self._tokens: dict[str, str] = {}  # and back
        self._found: dict[tuple[State, int], Found] = {}
        self._since = 0
        self.root = _state(zip(training.pretokens.spellings, training.pretokens.counts, strict=True))

    def allow(self, nodes: int) -> None:
        """Lets the search look at so many states more."""
        self.allowed, self.stopped = self.nodes + nodes, False

    def best(self, state: State, left: int) -> Generator[Step, None, int]:
        """The most that `left` merges save from a state; once `stopped`, the most that was found by then."""
        if not left or not state:
            return 0
        known = self._found.get((state, left))
        if known and known.exact:
            return known.saved
        if self.stopped or self.nodes >= self.allowed:
            self.stopped = True
            return 0
        self.nodes += 1
        found = yield from self._look(state, left)
        self._found[state, left] = found
        return found.saved

    def _look(self, state: State, left: int) -> Generator[Step, None, Found]:
        moves = yield from self._moves(state)
        ceiling = most_saved(state, left, moves[0].saved if moves else 0)
        best, chosen = 0, None
        for move in moves:
            if move.saved + (left - 1) * moves[0].saved <= best or best == ceiling or self.stopped:
                break
            total = move.saved + (yield from self.best(self.after(state, move.pair), left - 1))
            if total > best:
                best, chosen = total, move
        return Found(best, chosen, not self.stopped)

    def _moves(self, state: State) -> Generator[Step, None, list[Move]]:
        self._since += sum(len(spelling) for spelling, _ in state)
        if self._since >= SYMBOLS_A_STEP:
            self._since = 0
            yield Step(Stage.SEARCHING, self.nodes, self.allowed)
        return self.moves(state)

    def moves(self, state: State) -> list[Move]:
        """The pairs that the recipe could merge, those that save most first, then by what they spell."""
        counts: dict[str, int] = {}
        for spelling, weight in state:
            for left, right in pairwise(spelling):
                counts[left + right] = counts.get(left + right, 0) + weight
        moves: list[Move] = []
        for pair, count in counts.items():
            saved = count if pair[0] != pair[1] else sum(spelling.count(pair) * weight for spelling, weight in state)
            counted = saved if self._counting is Counting.DISJOINT else count
            if counted >= self._least:
                moves.append(Move(pair, counted, saved))
        return sorted(moves, key=lambda move: (-move.saved, self.spelled(move.pair[0]), self.spelled(move.pair[1])))

    def after(self, state: State, pair: str) -> State:
        """The state once a pair is merged."""
        new = self.token(self.spelled(pair[0]) + self.spelled(pair[1]))
        return _state((spelling.replace(pair, new), weight) for spelling, weight in state)

    def path(self, state: State, left: int) -> list[Move]:
        """The moves that save the most that was found from a state."""
        moves: list[Move] = []
        while (found := self._found.get((state, left))) and found.move:
            moves.append(found.move)
            state, left = self.after(state, found.move.pair), left - 1
        return moves

    def token(self, symbols: str) -> str:
        """The token that spells some symbols, made if there is none yet."""
        if len(symbols) == 1:
            return symbols
        known = self._tokens.get(symbols)
        if known is None:
            known = chr(len(self._rows) + len(self._tokens))
            self._tokens[symbols], self._spelled[known] = known, symbols
        return known

    def spelled(self, token: str) -> str:
        """The symbols that a token spells."""
        return self._spelled.get(token, token)

    def pieces(self, pair: str) -> tuple[Piece, Piece]:
        """What the two halves of a pair stand for."""
        return self._piece(pair[0]), self._piece(pair[1])

    def _piece(self, token: str) -> Piece:
        symbols = self.spelled(token)
        piece = self._rows[ord(symbols[0])]
        for symbol in symbols[1:]:
            piece = piece.joined(self._rows[ord(symbol)])
        return piece


def most_saved(state: State, left: int, most: int) -> int:
    """A bound on what `left` merges save from a state whose best pair saves `most`."""
    return min(left * most, most_by_doubling(state, left))


def most_by_doubling(state: State, left: int) -> int:
    """A bound from the fact that a merge at most doubles the longest token."""
    # -n >> left is n / 2^left rounded up, negated.
    return sum(weight * (len(spelling) + (-len(spelling) >> left)) for spelling, weight in state)


def _state(words: Iterable[tuple[str, int]]) -> State:
    counts: dict[str, int] = {}
    for spelling, weight in words:
        if len(spelling) > 1:
            counts[spelling] = counts.get(spelling, 0) + weight
    return tuple(sorted(counts.items()))
