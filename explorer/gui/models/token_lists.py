"""The tokens of a text written down for other programs: what "Copy tokens as" puts on the clipboard.

A piece is written as a person reads it where its bytes are text and fit on a line, otherwise as hex bytes; the table
holds both. Written in steps, since a text of megabytes has millions of tokens.
"""

import json
from collections.abc import Generator
from enum import Enum

from explorer.core.encoding import EncodedText, token_ids
from explorer.core.progress import Stage, Step
from explorer.core.vocabulary import piece_text
from explorer.gui.spelling import Sort, spell

WRITTEN_A_STEP = 5_000  # tokens: about 4 ms


class TokenFormat(Enum):
    """A way to write tokens down; the value is what the menu says."""

    IDS = "Ids"
    JSON = "Ids as JSON"
    PIECES = "Pieces, one a line"
    TABLE = "Table (n, id, bytes, piece, start, end)"


def token_list_steps(encoded: EncodedText, wanted: TokenFormat) -> Generator[Step, None, str]:
    """All tokens in a format. A character kept without id is "-" among ids, null in JSON."""
    ids = token_ids(encoded)
    yield Step(Stage.ENCODING, 0, len(ids))
    if wanted is TokenFormat.JSON:
        return json.dumps(ids)
    if wanted is TokenFormat.IDS:
        return " ".join("-" if token is None else str(token) for token in ids)
    lines = ["n\tid\tbytes\tpiece\tstart\tend"] if wanted is TokenFormat.TABLE else []
    for start in range(0, len(ids), WRITTEN_A_STEP):
        for n in range(start, min(start + WRITTEN_A_STEP, len(ids))):
            lines.append(_row(encoded, n, ids[n]) if wanted is TokenFormat.TABLE else written(encoded, n))
        yield Step(Stage.ENCODING, min(start + WRITTEN_A_STEP, len(ids)), len(ids))
    return "\n".join(lines) + "\n"


def _row(encoded: EncodedText, n: int, token_id: int | None) -> str:
    shown_id = "-" if token_id is None else token_id
    fields = (n, shown_id, encoded.piece(n).bytes.hex(" "), written(encoded, n), encoded.starts[n], encoded.ends[n])
    return "\t".join(map(str, fields))


def written(encoded: EncodedText, n: int) -> str:
    """The n-th piece on one line: its text, or its bytes as `<E2 80>` where they are not text or not seen."""
    piece = encoded.piece(n)
    text = piece_text(piece, bytes_are_text=True)
    if text is None or any(part.sort not in (Sort.TEXT, Sort.SPACE, Sort.MARK) for part in spell(piece.bytes)):
        return f"<{piece.bytes.hex(' ').upper()}>"
    return text
