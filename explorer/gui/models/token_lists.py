"""The tokens of a text written down for other programs: what "Copy tokens as" puts on the clipboard.

A piece is written as a person reads it where its bytes are text and fit on a line, otherwise as hex bytes; the table
holds both. Written in steps, since a text of megabytes has millions of tokens.
"""

from collections.abc import Callable, Generator
from enum import Enum
from functools import partial

from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.progress import Stage, Step
from explorer.core.vocabulary import Piece, piece_text
from explorer.gui.painting.spelling import Sort, spell

WRITTEN_A_STEP = 2_000  # tokens: about 2 ms of the table
NUMBERS_A_STEP = 20_000  # ids: about 2 ms


class TokenFormat(Enum):
    """A way to write tokens down; the value is what the menu says."""

    IDS = "Ids"
    JSON = "Ids as JSON"
    PIECES = "Pieces, one a line"
    TABLE = "Table (n, id, bytes, piece, start, end)"


def token_list_steps(encoded: EncodedText, wanted: TokenFormat) -> Generator[Step, None, str]:
    """All tokens in a format. A character kept without id is "-" among ids, null in JSON."""
    writer = _Writer(encoded)
    size = NUMBERS_A_STEP if wanted in (TokenFormat.IDS, TokenFormat.JSON) else WRITTEN_A_STEP
    writers: dict[TokenFormat, Callable[[int, int], list[str]]] = {
        TokenFormat.IDS: partial(writer.ids, kept="-"),
        TokenFormat.JSON: partial(writer.ids, kept="null"),
        TokenFormat.PIECES: writer.pieces,
        TokenFormat.TABLE: writer.rows,
    }
    write = writers[wanted]
    parts: list[str] = []
    for start in range(0, len(encoded), size):
        end = min(start + size, len(encoded))
        parts += write(start, end)
        yield Step(Stage.ENCODING, end, len(encoded))
    if wanted is TokenFormat.IDS:
        return " ".join(parts)
    if wanted is TokenFormat.JSON:
        return f"[{', '.join(parts)}]"
    heads = ["n\tid\tbytes\tpiece\tstart\tend"] if wanted is TokenFormat.TABLE else []
    return "\n".join([*heads, *parts, ""])


class _Writer:
    """Writes stretches of the tokens of one text; what a token of the table looks like is worked out once."""

    def __init__(self, encoded: EncodedText) -> None:
        self.encoded = encoded
        self._known: dict[int, tuple[str, str]] = {}

    def ids(self, start: int, end: int, kept: str) -> list[str]:
        return [kept if token == KEPT_ID else str(token) for token in self.encoded.ids[start:end].tolist()]

    def pieces(self, start: int, end: int) -> list[str]:
        return [self._words(n, token)[1] for n, token in enumerate(self.encoded.ids[start:end].tolist(), start)]

    def rows(self, start: int, end: int) -> list[str]:
        ids, starts, ends = (column[start:end].tolist() for column in (self.encoded.ids, self.encoded.starts, self.encoded.ends))
        rows = []
        for n, (token, one, two) in enumerate(zip(ids, starts, ends, strict=True), start):
            octets, piece = self._words(n, token)
            rows.append(f"{n}\t{'-' if token == KEPT_ID else token}\t{octets}\t{piece}\t{one}\t{two}")
        return rows

    def _words(self, n: int, token: int) -> tuple[str, str]:
        if token == KEPT_ID:
            return _written(self.encoded.piece(n))
        if token not in self._known:
            self._known[token] = _written(self.encoded.piece(n))
        return self._known[token]


def _written(piece: Piece) -> tuple[str, str]:
    """The bytes of a piece as hex, and the piece on one line: its text, or `<E2 80>` where that is not text or not seen."""
    text = piece_text(piece, bytes_are_text=True)
    if text is None or any(part.sort not in (Sort.TEXT, Sort.SPACE, Sort.MARK) for part in spell(piece.bytes)):
        text = f"<{piece.bytes.hex(' ').upper()}>"
    return piece.bytes.hex(" "), text
