"""The merge table: the vocabulary derived from ordered merges, and the tree under every token.

A table is made of decisions (the recipe), the rows before the merges (the alphabet) and the merges as pairs of ids.
Everything else is derived. Encoding lies in `encoding.py`; a table knows only what its tokens stand for.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from explorer.core.alphabet import Alphabet
from explorer.core.recipe import AlphabetKind, Recipe
from explorer.core.vocabulary import Pair, Piece, Rank, TokenId, piece_text
from explorer.errors import TokenError


@dataclass(frozen=True, slots=True)
class TokenNode:
    """A token over its two parts, down to the symbols (Figure 81.1). `rank` is None for a row that was never merged."""

    token_id: TokenId
    piece: Piece
    rank: Rank | None
    parts: "tuple[TokenNode, TokenNode] | None"

    def walk(self) -> "Iterator[TokenNode]":
        """This node, then the nodes under it, left before right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.parts or ()))


@dataclass(frozen=True)
class MergeTable:
    """Ordered merges over an alphabet; `merges` has one pair of token ids a rank.

    `lift_rank` is the rank of the first merge that may cross pre-tokens, None where none may.
    """

    recipe: Recipe
    alphabet: Alphabet
    merges: tuple[Pair, ...]
    lift_rank: Rank | None = None

    @property
    def size(self) -> int:
        """How many tokens there are; ids run from 0 to size - 1."""
        return self.alphabet.first_merged_id + len(self.merges)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The piece of every token, in id order."""
        pieces = list(self.alphabet.rows)
        for left, right in self.merges:
            pieces.append(pieces[left].joined(pieces[right]))
        return tuple(pieces)

    @cached_property
    def symbol_counts(self) -> tuple[int, ...]:
        """How many symbols each token covers, in id order."""
        counts = [1] * self.alphabet.first_merged_id
        for left, right in self.merges:
            counts.append(counts[left] + counts[right])
        return tuple(counts)

    @cached_property
    def _ids(self) -> dict[Piece, TokenId]:
        return {piece: at for at, piece in reversed(list(enumerate(self.pieces)))}

    def piece(self, token_id: TokenId) -> Piece:
        """What a token stands for; TokenError for an id of another vocabulary."""
        if not 0 <= token_id < self.size:
            raise TokenError(f"There is no token {token_id} in a table of {self.size}.")
        return self.pieces[token_id]

    def text(self, token_id: TokenId) -> str | None:
        """The piece as a person reads it, None where its bytes are not UTF-8."""
        return piece_text(self.piece(token_id), self.alphabet.kind is AlphabetKind.BYTES)

    def find(self, piece: Piece) -> TokenId | None:
        """The id of a piece (of several the lowest), None where the table has no such row."""
        return self._ids.get(piece)

    def id_of_rank(self, rank: Rank) -> TokenId:
        """The id of the token that a merge makes."""
        return self.alphabet.first_merged_id + rank

    def rank_of_id(self, token_id: TokenId) -> Rank | None:
        """The rank of the merge that makes a token, None for a row of the alphabet; the inverse of `id_of_rank`."""
        rank = token_id - self.alphabet.first_merged_id
        return rank if rank >= 0 else None

    def parts(self, token_id: TokenId) -> Pair | None:
        """The pair a token was merged from, None for a row of the alphabet."""
        self.piece(token_id)
        rank = self.rank_of_id(token_id)
        return None if rank is None else self.merges[rank]

    def tree(self, token_id: TokenId) -> TokenNode:
        """The tree of merges under a token, symbols at the leaves. Trees share their equal parts."""
        made: dict[TokenId, TokenNode] = {}
        for at in sorted(self._needed(token_id)):
            parts = self.parts(at)
            made[at] = TokenNode(at, self.pieces[at], self.rank_of_id(at), (made[parts[0]], made[parts[1]]) if parts else None)
        return made[token_id]

    def _needed(self, token_id: TokenId) -> set[TokenId]:
        needed: set[TokenId] = set()
        waiting = [token_id]
        while waiting:
            at = waiting.pop()
            if at not in needed:
                needed.add(at)
                waiting.extend(self.parts(at) or ())
        return needed

    def decode(self, tokens: Iterable[TokenId | bytes]) -> bytes:
        """The bytes that tokens stand for: pieces concatenated, every marker a space, none at the very end.

        A kept character stands among the ids as its bytes. Exact for byte alphabets. TokenError names the place of an id
        of another vocabulary and the table's size.
        """
        given = list(tokens)
        out: list[bytes] = []
        for place, token in enumerate(given, start=1):
            if isinstance(token, bytes):
                out.append(token)
            elif 0 <= token < self.size:
                out.append(self._decoded[token])
            else:
                raise TokenError(f"Token {place} of {len(given)}: there is no token {token} in a table of {self.size}.")
        whole = b"".join(out)
        return whole[:-1] if self.alphabet.marker and out and not isinstance(given[-1], bytes) and self._ends_marked(given[-1]) else whole

    @cached_property
    def _decoded(self) -> tuple[bytes, ...]:
        return tuple(piece.decoded() for piece in self.pieces)

    def _ends_marked(self, token_id: TokenId) -> bool:
        return self.pieces[token_id].marked
