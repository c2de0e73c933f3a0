"""The rules of the algorithm written out once more, as slowly and plainly as can be, to hold the core against.

Nothing here shares a line with the core: texts are cut by loops over bytes, tokens are lists, nothing is deduplicated, and every
merge looks at the whole corpus again. Only the values are shared that both are asked with: Corpus, Recipe, MergeTable, Piece.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from explorer.core.corpus import Corpus
from explorer.core.recipe import AlphabetKind, Counting, Recipe, TieRule, Unknown
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Pair, PieceKind
from tests.core.naive_cutting import WORD_RULES, Cutter, Symbol


@dataclass
class Token:
    """A token where it stands: its id and its bytes [start, end) in the corpus."""

    id: int
    start: int
    end: int


@dataclass
class Run:
    """A run of text no merge crosses; `place` tells which text and line it lies in, `fixed` that no merge touches it at all."""

    tokens: list[Token]
    weight: int
    place: tuple[int, int]
    fixed: bool = False
    counted: bool = True


@dataclass
class Made:
    """One merge of the naive training."""

    left: int
    right: int
    count: int
    tied: int
    saved: int
    length: int


class Naive(Cutter):
    """A training by the rules; `choices` maps a rank to a pair of ids."""

    def __init__(self, corpus: Corpus, recipe: Recipe, choices: dict[int, Pair] | None = None) -> None:
        super().__init__(corpus, recipe)
        self.choices = choices or {}
        pieces = list(self.cut())
        there = {symbol for piece, *_ in pieces for symbol in self.symbols(*piece)}
        self.rows: list[tuple[Symbol, ...] | None] = list(self.alphabet(there))
        self.first_merged = len(self.rows)
        self.runs: list[Run] = []
        for (start, end, ends_word), place, weight, fixed, counted in pieces:
            self.runs.append(Run(list(self.spelled(start, end, ends_word)), weight, place, fixed, counted))
        self.lifted_at: int | None = None
        self.merges: list[Made] = []
        self.moments: list[Moment] = []
        self.train()

    def alphabet(self, there: set[Symbol]) -> Iterator[tuple[Symbol, ...] | None]:
        """The rows before the merges; the stand-in is None."""
        fallback = self.recipe.alphabet is AlphabetKind.CHARACTERS and self.recipe.unknown is Unknown.FALLBACK
        of_bytes = [Symbol(bytes([value]), stray=True) for value in range(256)]
        if self.recipe.alphabet is AlphabetKind.BYTES:
            yield from ((symbol,) for symbol in of_bytes)
            return
        if fallback:
            yield from ((symbol,) for symbol in of_bytes)
            yield (Symbol(b"", marked=True),)
            there = there - set(of_bytes)
        if self.recipe.unknown is not Unknown.KEEP:
            yield None
        for symbol in sorted(there, key=lambda s: (s.bytes.decode("utf-8", "surrogateescape"), s.marked)):
            yield (symbol,)

    def spelled(self, start: int, end: int, ends_word: bool) -> Iterator[Token]:
        at = start
        for symbol in self.symbols(start, end, ends_word):
            yield Token(self.rows.index((symbol,)), at, at + len(symbol.bytes))
            at += len(symbol.bytes)

    def train(self) -> None:
        recipe = self.recipe
        floor = self.first_merged - (257 if recipe.alphabet is AlphabetKind.CHARACTERS and recipe.unknown is Unknown.FALLBACK else 0)
        wanted = recipe.merges if recipe.rows is None else recipe.rows - floor
        while True:
            if recipe.lift is not None and self.lifted_at is None and (len(self.merges) >= recipe.lift - floor or self.nothing_left()):
                self.lift()
            self.moments.append(self.moment())
            now = self.moments[-1]
            rank = len(self.merges)
            if wanted is not None and rank >= wanted:
                return
            if rank in self.choices:
                pair, tied = self.choices[rank], len([p for p, c in now.counts.items() if c == max(now.counts.values())])
            elif now.tied:
                pair, tied = now.tied[0], len(now.tied)
            else:
                return
            self.merge(pair, now.counts[pair], tied)

    def nothing_left(self) -> bool:
        return max(self.counts().values(), default=0) < self.recipe.min_count

    def counts(self) -> dict[Pair, int]:
        found: dict[Pair, int] = {}
        for run in self.runs:
            taken = -1
            for at in range(len(run.tokens) - 1):
                pair = run.tokens[at].id, run.tokens[at + 1].id
                if self.recipe.counting is Counting.DISJOINT and pair[0] == pair[1]:
                    if taken == at and run.tokens[at - 1].id == pair[0]:
                        continue
                    taken = at + 1
                found[pair] = found.get(pair, 0) + run.weight
        return found

    def moment(self) -> "Moment":
        counts = self.counts()
        most = max(counts.values(), default=0)
        tied = [pair for pair, count in counts.items() if count == most] if most >= self.recipe.min_count else []
        runs = [[Token(t.id, t.start, t.end) for t in run.tokens] for run in self.runs]
        return Moment(counts, self.in_tie_order(tied), self.length(), runs, list(self.runs))

    def in_tie_order(self, tied: list[Pair]) -> list[Pair]:
        rule = self.recipe.tie
        if rule is TieRule.LOWEST_IDS:
            return sorted(tied)
        if rule is TieRule.LEXICOGRAPHIC:
            return sorted(tied, key=lambda pair: (self.compared(pair[0]), self.compared(pair[1]), pair))
        met: list[Pair] = []
        for run in self.runs if rule is TieRule.FIRST_MET else self.runs[::-1]:
            pairs = list(pairwise(token.id for token in run.tokens))
            for pair in pairs if rule is TieRule.FIRST_MET else pairs[::-1]:
                if pair in tied and pair not in met:
                    met.append(pair)
        return met

    def compared(self, row: int) -> bytes | str:
        symbols = self.rows[row]
        assert symbols
        if self.recipe.alphabet is AlphabetKind.BYTES:
            return b"".join(symbol.bytes for symbol in symbols)
        return "".join(symbol.text for symbol in symbols)

    def length(self) -> int:
        return sum(len(run.tokens) * run.weight for run in self.runs if run.counted)

    def merge(self, pair: Pair, count: int, tied: int) -> None:
        before, new = self.length(), len(self.rows)
        for run in self.runs:
            run.tokens = merged(run.tokens, pair, new)
        left, right = self.rows[pair[0]], self.rows[pair[1]]
        assert left and right
        self.rows.append(left + right)
        self.merges.append(Made(*pair, count, tied, before - self.length(), self.length()))

    def lift(self) -> None:
        """From here on a text (line, file, row; all rows of a weighted corpus in one) is one run."""
        self.lifted_at = len(self.merges)
        by_line = self.recipe.pretokens in WORD_RULES
        joined: dict[tuple[int, int], Run] = {}
        for run in self.runs:
            if not run.fixed:
                place = run.place if by_line and self.corpus.weights is None else (run.place[0], 0)
                joined.setdefault(place, Run([], run.weight, place)).tokens.extend(run.tokens)
        if self.corpus.weights is None:
            self.runs = [*joined.values(), *(run for run in self.runs if run.fixed)]
        else:
            laid_out = [token for run in joined.values() for token in run.tokens * run.weight]
            self.runs = [Run(laid_out, 1, (0, 0)), *(run for run in self.runs if run.fixed)]


@dataclass
class Moment:
    """What is known at one merge: counts of all pairs, the tied ones in tie order, the length, the runs and their tokens."""

    counts: dict[Pair, int]
    tied: list[Pair]
    length: int
    tokens: list[list[Token]]
    runs: list[Run]

    def ranked(self, least: int) -> list[tuple[Pair, int, int, bool]]:
        """Pair, count, saved, tied: by count, the tied ones in tie order, the others by ids."""
        others = sorted((p for p, c in self.counts.items() if c >= least and p not in self.tied), key=lambda p: (-self.counts[p], p))
        return [(pair, self.counts[pair], self.saved(pair), pair in self.tied) for pair in [*self.tied, *others]]

    def saved(self, pair: Pair) -> int:
        return sum((len(t) - len(merged(t, pair, -1))) * run.weight for t, run in zip(self.tokens, self.runs, strict=True))

    def pair_places(self, pair: Pair) -> list[tuple[int, int, int]]:
        """Start, middle and end in bytes of every place of a pair, in corpus order."""
        found = []
        for tokens in self.tokens:
            found += [(a.start, b.start, b.end) for a, b in pairwise(tokens) if (a.id, b.id) == pair]
        return sorted(found)

    def token_places(self, token: int) -> list[tuple[int, int]]:
        """Start and end in bytes of every place of a token, in corpus order."""
        return sorted((t.start, t.end) for tokens in self.tokens for t in tokens if t.id == token)

    def token_count(self, token: int) -> int:
        return sum(run.weight for tokens, run in zip(self.tokens, self.runs, strict=True) for t in tokens if t.id == token)


def merged(tokens: list[Token], pair: Pair, new: int) -> list[Token]:
    """The tokens with a pair replaced, left to right, without overlap."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        if at + 1 < len(tokens) and (tokens[at].id, tokens[at + 1].id) == pair:
            out.append(Token(new, tokens[at].start, tokens[at + 1].end))
            at += 2
        else:
            out.append(tokens[at])
            at += 1
    return out


def encode(table: MergeTable, data: bytes, merges: int) -> list[tuple[int | None, int, int]]:
    """Id (None for a kept character), start and end of every token: lowest rank first, leftmost first."""
    cutter = Cutter(Corpus.of_text(data), table.recipe)
    rows = {(piece.bytes, piece.marked, piece.kind): at for at, piece in reversed(list(enumerate(table.alphabet.rows)))}
    lift = len(table.merges) if table.lift_rank is None else table.lift_rank
    lines: dict[tuple[int, int], list[Token]] = {}
    fixed: list[Token] = []
    for (start, end, ends_word), place, _, _, counted in cutter.cut():
        tokens = list(_spelled(cutter.symbols(start, end, ends_word), rows, table.recipe, start))
        tokens = _reduced(tokens, table, 0, min(lift, merges))
        if table.lift_rank is None or not counted:
            fixed += tokens
        else:
            place = place if table.recipe.pretokens in WORD_RULES else (0, 0)
            lines.setdefault(place, []).extend(tokens)
    found = fixed + [token for line in lines.values() for token in _reduced(line, table, lift, merges)]
    return [(None if token.id < 0 else token.id, token.start, token.end) for token in sorted(found, key=lambda t: (t.start, t.end))]


def _spelled(symbols: list[Symbol], rows: dict[tuple[bytes, bool, PieceKind], int], recipe: Recipe, at: int) -> Iterator[Token]:
    for symbol in symbols:
        end = at + len(symbol.bytes)
        kind = PieceKind.BYTE if symbol.stray else PieceKind.SYMBOL
        if (symbol.bytes, symbol.marked, kind) in rows:
            yield Token(rows[symbol.bytes, symbol.marked, kind], at, end)
        elif recipe.unknown is Unknown.STAND_IN:
            yield Token(rows[b"", False, PieceKind.STAND_IN], at, end)
        elif recipe.unknown is Unknown.KEEP:
            yield Token(-1, at, end)
        else:
            if symbol.marked and (symbol.bytes, False, kind) in rows:
                yield Token(rows[symbol.bytes, False, kind], at, end)
            else:
                yield from (Token(value, at + n, at + n + 1) for n, value in enumerate(symbol.bytes))
            if symbol.marked:
                yield Token(256, end, end)
        at = end


def _reduced(tokens: list[Token], table: MergeTable, first: int, last: int) -> list[Token]:
    """The tokens with the pair of the lowest rank in [first, last) replaced at its leftmost place, until none is left."""
    ranks: dict[Pair, int] = {}
    for rank in range(first, last):
        ranks.setdefault(table.merges[rank], rank)
    tokens = list(tokens)
    while True:
        pairs = [(ranks[a.id, b.id], at) for at, (a, b) in enumerate(pairwise(tokens)) if (a.id, b.id) in ranks]
        if not pairs:
            return tokens
        rank, at = min(pairs)
        tokens[at : at + 2] = [Token(len(table.alphabet.rows) + rank, tokens[at].start, tokens[at + 1].end)]
