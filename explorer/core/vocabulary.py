"""What a token stands for: pieces and the words for ids, ranks and pairs.

A token id is not a rank: the merge of rank r has the id `first_merged_id + r`, and `MergeTable.id_of_rank` is the one
place that says so.
"""

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

Bytes = bytes  # the type, where a field has its name
TokenId = int
Rank = int
Pair = tuple[TokenId, TokenId]

MARKER_TEXT = "</w>"
STAND_IN_TEXT = "[UNK]"


class PieceKind(Enum):
    """Where a piece comes from. Marker, stand-in and byte rows are kinds, not spellings."""

    SYMBOL = "symbol"  # a character of the corpus
    BYTE = "byte"  # one of the 256 byte values, or an invalid byte of a character corpus
    MARKER = "marker"  # the bare end-of-word marker
    STAND_IN = "stand-in"
    MERGE = "merge"
    KEPT = "kept"  # a character without a row that the recipe keeps as it is; it has no id


@dataclass(frozen=True, slots=True)
class Piece:
    """What one token stands for; it names the token across runs, where ids differ.

    `bytes` are its own bytes without markers; `marked` says that it ends a word; `breaks` are the offsets in `bytes`
    of further word ends inside it, which only a merge across words has.
    """

    bytes: bytes
    marked: bool = False
    kind: PieceKind = PieceKind.SYMBOL
    breaks: tuple[int, ...] = ()

    def joined(self, other: "Piece") -> "Piece":
        """The piece of the merge of this one and another."""
        shift = len(self.bytes)
        breaks = self.breaks + ((shift,) if self.marked else ()) + tuple(shift + at for at in other.breaks)
        return Piece(self.bytes + other.bytes, other.marked, PieceKind.MERGE, breaks)

    def spelled(self) -> str:
        """The piece as text with every marker as `</w>`; stray bytes as surrogate escapes. What the lexicographic rule compares."""
        cuts = (0, *self.breaks, len(self.bytes))
        parts = [self.bytes[a:b].decode("utf-8", "surrogateescape") for a, b in pairwise(cuts)]
        return MARKER_TEXT.join(parts) + (MARKER_TEXT if self.marked else "")

    def decoded(self) -> Bytes:
        """The bytes this piece puts into a decoded text: every marker a space, the stand-in as `[UNK]`."""
        if self.kind is PieceKind.STAND_IN:
            return STAND_IN_TEXT.encode()
        cuts = (0, *self.breaks, len(self.bytes))
        return b" ".join(self.bytes[a:b] for a, b in pairwise(cuts)) + (b" " if self.marked else b"")


def byte_piece(value: int) -> Piece:
    """The piece of one byte value."""
    return Piece(bytes([value]), kind=PieceKind.BYTE)


def piece_text(piece: Piece, bytes_are_text: bool) -> str | None:
    """The piece as a person reads it, None where its bytes are not UTF-8.

    The marker reads `</w>`, the stand-in `[UNK]`, and a byte row `<0x41>`, save in a byte alphabet (`bytes_are_text`)
    where a byte is the text it is.
    """
    if piece.kind is PieceKind.STAND_IN:
        return STAND_IN_TEXT
    if piece.kind is PieceKind.BYTE and not bytes_are_text:
        return f"<0x{piece.bytes[0]:02X}>" + (MARKER_TEXT if piece.marked else "")
    try:
        piece.bytes.decode()
    except UnicodeDecodeError:
        return None
    return piece.spelled()
