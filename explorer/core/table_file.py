r"""A merge table as a file that a person can read: comment lines, then one merge a line.

    # bpe-explorer table 1
    # corpus "four-words", 20 bytes, sha256 (64 hex digits)
    # recipe {"alphabet": "characters", ...}
    # lift-rank 10                       only in two stages: the first merge of the second, or none
    # row 0 stand-in                     the rows of a learned alphabet, in id order:
    # row 1 symbol 64 "d"                kind, bytes in hex, the piece quoted
    # row 9 symbol 74 marked "t</w>"
    # merges 10, vocabulary 22
    12<TAB>2<TAB>7<TAB>"es"              token, left, right, the piece quoted

The fourth column follows from the first three, so it is checked and nothing is taken from it. In a table with end-of-word markers `</w>`
there, unescaped, is the marker; text that says `</w>` is written `\x3c/w>`, so the two are never taken for each other. Lines end at LF
alone, and the line that counts the merges is the last above them, so that a file that was cut off is seen to be.

A file without the version line is chapter 81's: a byte alphabet, the recipe chapter-81, `# corpus N bytes, sha256 D` and
`# merges N, vocabulary V` (either may be missing, D may be cut to 16 digits). Other lines that begin with # are comments in both.
"""

from collections.abc import Generator, Iterator
from pathlib import Path

from explorer.core.disk import file_size, why, write_beside
from explorer.core.progress import Step, drain
from explorer.core.quoting import quote, written_piece
from explorer.core.recipe import AlphabetKind, Joints, recipe_line
from explorer.core.table import MergeTable
from explorer.core.table_reading import VERSION_LINE, TableFile, parse_table, parse_table_steps
from explorer.core.training import Training
from explorer.core.vocabulary import Piece, PieceKind
from explorer.errors import TableFileError

__all__ = ["TableFile", "parse_table", "read_table", "read_table_steps", "table_bytes", "write_table"]


def write_table(path: Path | str, table: Training | TableFile | MergeTable) -> None:
    """Saves a table; the file that was there is replaced whole, or on any failure left as it was (TableFileError says why)."""
    data = table_bytes(table)
    try:
        write_beside(Path(path), data)
    except (OSError, ValueError) as error:
        reason = f"The table was not saved: {why(error)}. Whatever was there before is unchanged."
        raise TableFileError(reason, Path(path)) from error


def read_table(path: Path | str, joints: Joints | None = None) -> TableFile:
    """The table of a file, all of it or none.

    `joints` are those of a recipe that names them by digest alone. Raises TableFileError, with line and column (from 1) where there is one,
    for everything that is not a whole table in agreement with itself.
    """
    return drain(read_table_steps(path, joints))


def read_table_steps(path: Path | str, joints: Joints | None = None) -> Generator[Step, None, TableFile]:
    """`read_table` step by step, in bytes."""
    path = Path(path)
    try:
        file_size(path)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise TableFileError(f"This table cannot be read: {why(error)}.", path) from error
    return (yield from parse_table_steps(data, path, joints))


def table_bytes(table: Training | TableFile | MergeTable) -> bytes:
    """What `write_table` writes, in ASCII: the same table gives the same bytes on any machine. A bare MergeTable names no corpus."""
    if isinstance(table, Training):
        table = TableFile.of(table)
    elif isinstance(table, MergeTable):
        table = TableFile(table)
    lines = [*_header(table), *_merges(table.table)]
    return "".join(line + "\n" for line in lines).encode("ascii")


def _header(file: TableFile) -> Iterator[str]:
    table = file.table
    yield f"{VERSION_LINE.decode()}1"
    if file.corpus_bytes is not None and file.corpus_sha256 is not None:
        name = "" if file.corpus_name is None else quote(file.corpus_name.encode("utf-8", "replace")) + ", "
        yield f"# corpus {name}{file.corpus_bytes} bytes, sha256 {file.corpus_sha256}"
    yield f"# recipe {recipe_line(table.recipe)}"
    if table.recipe.lift is not None:
        yield f"# lift-rank {'none' if table.lift_rank is None else table.lift_rank}"
    if table.alphabet.kind is AlphabetKind.CHARACTERS:
        for at, piece in enumerate(table.alphabet.rows):
            yield f"# row {at} {_row(piece, table.alphabet.marker)}"
    yield f"# merges {len(table.merges)}, vocabulary {table.size}"


def _row(piece: Piece, marker: bool) -> str:
    if piece.kind in (PieceKind.STAND_IN, PieceKind.MARKER):
        return str(piece.kind.value)
    marked = " marked" if piece.marked else ""
    return f"{piece.kind.value} {piece.bytes.hex()}{marked} {written_piece(piece, marker)}"


def _merges(table: MergeTable) -> Iterator[str]:
    for rank, (left, right) in enumerate(table.merges):
        token_id = table.id_of_rank(rank)
        yield f"{token_id}\t{left}\t{right}\t{written_piece(table.pieces[token_id], table.alphabet.marker)}"
