"""The merge table: the vocabulary derived from ordered merges, and the tree under every token.

A table is made of decisions (the recipe), the rows before the merges (the alphabet) and the merges as pairs of ids.
Everything else is derived. Encoding lies in `encoding.py`; a table knows only what its tokens stand for.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import Alphabet
from explorer.core.recipe import AlphabetKind, Recipe
from explorer.core.vocabulary import Pair, Piece, Rank, TokenId, piece_text
from explorer.errors import TokenError

PIECES_A_STEP = 1000  # about 2 ms


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
        for _ in self._piece_steps(pieces):
            pass
        return tuple(pieces)

    def _piece_steps(self, pieces: list[Piece]) -> Iterator[None]:
        """Adds the pieces of all merges to those there are: the alphabet's, and perhaps those of the first merges."""
        for first in range(len(pieces) - self.alphabet.first_merged_id, len(self.merges), PIECES_A_STEP):
            for left, right in self.merges[first : first + PIECES_A_STEP]:
                pieces.append(pieces[left].joined(pieces[right]))
            yield

    def ready_steps(self, like: "MergeTable | None" = None) -> Iterator[None]:
        """Works out in slices what takes a walk over the table, so that a window that asks for it does not wait.

        `like` is a table that perhaps begins with the same merges, as the one before a fork or before more merges does: what
        is known of those is shared.
        """
        same = self._same_ids(like) if like else 0
        if "pieces" not in self.__dict__:
            pieces = list(like.pieces[:same] if like and same else self.alphabet.rows)
            yield from self._piece_steps(pieces)
            self.__dict__["pieces"] = tuple(pieces)
        decoded: tuple[bytes, ...] | None = like.__dict__.get("_decoded") if like and same else None
        if decoded and "_decoded" not in self.__dict__:
            self.__dict__["_decoded"] = (*decoded[:same], *(piece.decoded() for piece in self.pieces[same:]))
        for walk in (lambda: self._ids, lambda: self._more_ids, lambda: self.marked, lambda: self.symbol_counts, lambda: self._decoded):
            walk()
            yield

    def _same_ids(self, like: "MergeTable") -> int:
        """The first so many ids are the same tokens in another table, of which it is known what they stand for; 0 for none."""
        if "pieces" not in like.__dict__ or like.alphabet != self.alphabet:
            return 0
        pairs = enumerate(zip(self.merges, like.merges, strict=False))
        same = next((rank for rank, (ours, theirs) in pairs if ours != theirs), min(len(self.merges), len(like.merges)))
        return self.alphabet.first_merged_id + same

    @cached_property
    def marked(self) -> npt.NDArray[np.bool_]:
        """Whether each token ends a word, in id order."""
        if not any(row.marked for row in self.alphabet.rows):
            return np.zeros(self.size, np.bool_)
        return np.fromiter((piece.marked for piece in self.pieces), np.bool_, self.size)

    @cached_property
    def symbol_counts(self) -> tuple[int, ...]:
        """How many symbols each token covers, in id order."""
        counts = [1] * self.alphabet.first_merged_id
        for left, right in self.merges:
            counts.append(counts[left] + counts[right])
        return tuple(counts)

    @cached_property
    def _ids(self) -> dict[Piece, TokenId]:
        ids: dict[Piece, TokenId] = {}
        for token_id, piece in enumerate(self.pieces):
            ids.setdefault(piece, token_id)
        return ids

    @cached_property
    def _more_ids(self) -> dict[Piece, tuple[TokenId, ...]]:
        """All ids of the pieces that have more than one; mostly there is none."""
        if len(self._ids) == self.size:
            return {}
        ids: dict[Piece, tuple[TokenId, ...]] = {}
        for token_id, piece in enumerate(self.pieces):
            if token_id != (lowest := self._ids[piece]):
                ids[piece] = (*ids.get(piece, (lowest,)), token_id)
        return ids

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

    def find_all(self, piece: Piece) -> tuple[TokenId, ...]:
        """All ids of a piece, lowest first: more than one where two merges make the same."""
        lowest = self._ids.get(piece)
        return () if lowest is None else self._more_ids.get(piece, (lowest,))

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
        given, size, decoded = list(tokens), self.size, self._decoded
        out: list[bytes] = []
        for place, token in enumerate(given, start=1):
            if isinstance(token, bytes):
                out.append(token)
            elif 0 <= token < size:
                out.append(decoded[token])
            else:
                raise TokenError(f"Token {place} of {len(given)}: there is no token {token} in a table of {self.size}.")
        whole = b"".join(out)
        return whole[:-1] if self.alphabet.marker and out and not isinstance(given[-1], bytes) and self._ends_marked(given[-1]) else whole

    @cached_property
    def _decoded(self) -> tuple[bytes, ...]:
        return tuple(piece.decoded() for piece in self.pieces)

    def _ends_marked(self, token_id: TokenId) -> bool:
        return self.pieces[token_id].marked
