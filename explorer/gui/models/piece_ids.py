"""The ids of a piece: more than one where two merges make the same."""

from functools import cached_property

from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece, TokenId


class PieceIds:
    """Looks up all ids of a piece in one table; the walk over the table is made at the first question. No table: no ids."""

    def __init__(self, table: MergeTable | None) -> None:
        self.table = table

    def of(self, piece: Piece | None) -> tuple[TokenId, ...]:
        """The ids of a piece, lowest first; empty where the table has no such row."""
        return () if piece is None else self._ids.get(piece, ())

    @cached_property
    def _ids(self) -> dict[Piece, tuple[TokenId, ...]]:
        ids: dict[Piece, tuple[TokenId, ...]] = {}
        for token_id, piece in enumerate(self.table.pieces if self.table else ()):
            ids[piece] = (*ids.get(piece, ()), token_id)
        return ids
