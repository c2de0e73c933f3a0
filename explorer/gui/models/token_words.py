"""What is said of one token: its id, the merge or row it is, the bytes it covers. For hover cards and screen readers."""

from dataclasses import dataclass

from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.mapped import Data
from explorer.core.recipe import AlphabetKind
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece, PieceKind, TokenId
from explorer.gui.painting.spelling import shown

HEX_A_LINE = 12  # bytes
HEX_LINES = 3


@dataclass(frozen=True, slots=True)
class CardText:
    """The lines of a hover card: what it is, where it comes from and stands, its bytes; `notes` follow in small."""

    title: str
    place: str
    hex: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def spoken(self) -> str:
        """All lines as one, for a screen reader."""
        return "; ".join((self.title, self.place, " ".join(self.hex), *self.notes))


def piece_card(table: MergeTable, token_id: TokenId, place: str = "") -> CardText:
    """The card of a row of a table; `place` says where it was met ("bytes 170–176")."""
    piece = table.piece(token_id)
    where = ", ".join(part for part in (_origin(table, token_id, piece), place) if part)
    return CardText(f"token {token_id}", where, hex_lines(piece.bytes), ("ends a word",) if piece.marked else ())


def token_card(encoded: EncodedText, n: int, place: tuple[int, int] | None = None) -> CardText:
    """The card of the n-th token of a text; `place` are its bytes where the text was edited since."""
    start, end = place or (int(encoded.starts[n]), int(encoded.ends[n]))
    token_id = int(encoded.ids[n])
    if token_id == KEPT_ID:
        return CardText("no token", f"kept as it is, {bytes_place(start, end)}", hex_lines(encoded.covered(n)))
    card = piece_card(encoded.table, token_id, bytes_place(start, end))
    if encoded.piece(n).kind is PieceKind.STAND_IN:
        lost = encoded.covered(n)
        return CardText(card.title, card.place, hex_lines(lost), (f"stands in for {shown(lost)}, which is lost",))
    parts = cut_characters(encoded, n)
    return CardText(card.title, card.place, card.hex, (*card.notes, *(f"holds part of {shown(part)} ({_hex(part)})" for part in parts)))


def bytes_place(start: int, end: int) -> str:
    """"byte 12", "bytes 170–176" (both counted in), "behind byte 4" for no bytes; 0-based."""
    if end == start:
        return f"behind byte {start - 1}" if start else "before byte 0"
    return f"byte {start}" if end - start == 1 else f"bytes {start}–{end - 1}"


def cut_characters(encoded: EncodedText, n: int) -> tuple[bytes, ...]:
    """The characters of which the n-th token of a text holds a part only: at most one at each end."""
    data = encoded.data
    found = []
    for edge in (int(encoded.starts[n]), int(encoded.ends[n])):
        character = character_across(data, edge)
        if character is not None and character not in found:
            found.append(character)
    return tuple(data[start:end] for start, end in found)


def character_across(data: Data, offset: int) -> tuple[int, int] | None:
    """The bytes of the valid character that has this offset strictly inside it, None where no character has."""
    for start in range(max(0, offset - 3), offset):
        for end in range(offset + 1, min(len(data), start + 4) + 1):
            try:
                text = data[start:end].decode()
            except UnicodeDecodeError:
                continue
            if len(text) == 1:
                return start, end
    return None


def hex_lines(data: bytes) -> tuple[str, ...]:
    """Bytes as lines of hex; long ones are cut, and their number told."""
    long = len(data) > HEX_LINES * HEX_A_LINE
    starts = range(0, len(data), HEX_A_LINE)[: HEX_LINES - 1 if long else HEX_LINES]
    lines = [_hex(data[at : at + HEX_A_LINE]) for at in starts]
    return (*lines, f"… {len(data)} bytes") if long else tuple(lines)


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()


def _origin(table: MergeTable, token_id: TokenId, piece: Piece) -> str:
    rank = table.rank_of_id(token_id)
    if rank is not None:
        return f"merge {rank}"
    if piece.kind is PieceKind.SYMBOL and table.alphabet.kind is AlphabetKind.CHARACTERS:
        return "character"
    return {PieceKind.MARKER: "end of word", PieceKind.STAND_IN: "stand-in"}.get(piece.kind, "byte value")
