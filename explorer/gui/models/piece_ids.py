"""The ids of a piece, more than one where two merges make the same; and the piece of a merge."""

from explorer.core.runs import Run
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece, Rank, TokenId


class PieceIds:
    """Looks up all ids of a piece in one table. No table: no ids."""

    def __init__(self, table: MergeTable | None) -> None:
        self.table = table

    def of(self, piece: Piece | None) -> tuple[TokenId, ...]:
        """The ids of a piece, lowest first; empty where the table has no such row."""
        return () if piece is None or self.table is None else self.table.find_all(piece)


def made_by(run: Run | None, rank: Rank | None) -> Piece | None:
    """The piece that the merge of a rank makes; None for no rank, and where no run is open or has it not."""
    if run is None or rank is None or not 0 <= rank < run.training.learned:
        return None
    table = run.training.table
    return table.pieces[table.id_of_rank(rank)]
