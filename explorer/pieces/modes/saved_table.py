"""A table written to a file, read back, and compared with the one that was written: what `pieces merges --table` tells."""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from explorer.core.engines import corpus_encoding_steps
from explorer.core.progress import drain
from explorer.core.table_file import read_table, write_table
from explorer.core.training import Training
from explorer.pieces.layout import block, escaped, figures
from explorer.pieces.values import Values
from explorer.workers import workers


@dataclass(frozen=True, slots=True)
class SavedTable:
    """The file that was written, and what comparing the table read back with the one written found."""

    file: str
    bytes: int
    sha256: str
    vocabulary: int
    same_table: bool
    same_tokens: bool


def save_and_compare(training: Training, path: Path) -> SavedTable:
    """Writes, reads back, compares the two tables row by row and the corpus in the tokens of both."""
    write_table(path, training)
    data = path.read_bytes()
    written, read = training.table, read_table(path, training.recipe.joints).table
    ours, theirs = (drain(corpus_encoding_steps(one, training.corpus, map_chunks=workers())).ids for one in (written, read))
    return SavedTable(
        path.name, len(data), hashlib.sha256(data).hexdigest(), read.size,
        (read.merges, read.pieces, read.recipe, read.lift_rank) == (written.merges, written.pieces, written.recipe, written.lift_rank),
        np.array_equal(ours, theirs),
    )


def saved_values(saved: SavedTable) -> Values:
    """The same as JSON values."""
    return asdict(saved)


def saved_lines(saved: SavedTable) -> list[str]:
    """The same as lines."""
    return block(f"written to {escaped(saved.file)}", figures([
        ("bytes", saved.bytes), ("sha256", saved.sha256[:16]), ("rows read back", saved.vocabulary),
        ("the same table", saved.same_table), ("the same corpus in the same tokens", saved.same_tokens),
    ]))
