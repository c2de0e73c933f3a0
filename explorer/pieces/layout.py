"""Text laid out for reading: headed blocks, figures in a column, tables, pieces in quotes. Returns lines, prints nothing."""

from collections.abc import Iterable, Sequence

from explorer.core.alphabet import Alphabet
from explorer.core.pretokens import Losses
from explorer.core.recipe import AlphabetKind
from explorer.core.vocabulary import MARKER_TEXT, Piece, piece_text

INDENT = "  "
FIGURE_WIDTH = 44  # of a label and its figure together
CUT_AT = 60  # characters of a text that is cut to fit
PIECE_AT_MOST = 120  # characters of a piece: a run of one letter doubles with every merge, and each row is as wide as the widest

Cell = str | int | float | None


def block(title: str, lines: Iterable[str]) -> list[str]:
    """A title in lower case, and lines under it, moved in; an empty line before."""
    return ["", INDENT + title, *(INDENT * 2 + line if line else "" for line in lines)]


def figures(rows: Iterable[tuple[str, Cell]]) -> list[str]:
    """Labels with their figures, the figures in one column, right-aligned."""
    shown = [(label, figure(value)) for label, value in rows]
    width = max((len(label) + 2 + len(value) for label, value in shown), default=0)
    width = max(width, FIGURE_WIDTH)
    return [label + value.rjust(width - len(label)) for label, value in shown]


def figure(value: Cell) -> str:
    """A value as it stands in a column: two decimals of a ratio, a dash for none."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else "yes" if value is True else "no" if value is False else str(value)


def table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> list[str]:
    """Columns under their heads; numbers stand to the right, words to the left. Digits count as numbers."""
    cells = [list(row) for row in rows]
    left = [_is_text(cells, at) for at in range(len(columns))]
    shown = [[figure(cell) for cell in row] for row in cells]
    widths = [max([len(head), *(len(row[at]) for row in shown)]) for at, head in enumerate(columns)]
    return [_line(row, widths, left) for row in (list(columns), *shown)]


def _is_text(cells: list[list[Cell]], at: int) -> bool:
    filled = [row[at] for row in cells if row[at] not in (None, "", "...")]
    return not filled or any(isinstance(cell, bool) or (isinstance(cell, str) and not cell.isdigit()) for cell in filled)


def _line(row: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    parts = [cell.ljust(width) if words else cell.rjust(width) for cell, width, words in zip(row, widths, left, strict=True)]
    return "  ".join(parts).rstrip()


def quoted(piece: Piece, alphabet: Alphabet) -> str:
    """A piece in quotes, what does not print as an escape, the marker as `</w>`; a very long one is cut, with three dots."""
    text = piece_text(piece, alphabet.kind is AlphabetKind.BYTES)
    if text is None:
        text = piece.bytes.decode("utf-8", "surrogateescape") + (MARKER_TEXT if piece.marked else "")
    return quote(text) if len(text) <= PIECE_AT_MOST else f'"{escaped(text[:PIECE_AT_MOST])}..."'


def named(piece: Piece, alphabet: Alphabet) -> str:
    """A piece among others: without quotes, save where it is empty or has a space at an edge."""
    inside = quoted(piece, alphabet)[1:-1]
    return inside if inside and inside == inside.strip() else f'"{inside}"'


def named_line(pieces: Iterable[Piece], alphabet: Alphabet) -> str:
    """Pieces one after the other."""
    return "  ".join(named(piece, alphabet) for piece in pieces)


def quote(text: str) -> str:
    """A text in quotes, what does not print as an escape."""
    return f'"{escaped(text)}"'


def quote_bytes(data: bytes) -> str:
    """Bytes in quotes; those that are not UTF-8 as `\\xNN`."""
    return quote(data.decode("utf-8", "surrogateescape"))


def escaped(text: str) -> str:
    r"""A text in which every character prints.

    >>> print(escaped('a"\n\x07é\udcff'))
    a\"\n\x07é\xff
    """
    return "".join(_printable(character) for character in text)


def printable(text: str) -> str:
    r"""A text that stands without quotes: every character prints, and quotes and backslashes are as they are.

    >>> print(printable('a"\n\\xff'))
    a"\n\xff
    """
    return "".join(character if character in '"\\' else _printable(character) for character in text)


_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _printable(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable():
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cut(text: str, width: int = CUT_AT) -> str:
    """A text that fits, with three dots where it went on."""
    return text if len(text) <= width else text[: width - 3].rstrip() + "..."


def first_and_last(rows: Sequence[Sequence[Cell]], top: int) -> list[Sequence[Cell]]:
    """The first and the last `top` rows, a row of dots between them where some are left out."""
    if len(rows) <= 2 * top:
        return list(rows)
    return [*rows[:top], ["..." for _ in rows[0]], *rows[len(rows) - top :]]


def loss_lines(lost: Losses) -> list[str]:
    """What cutting into words does not keep, a kind a line; none where nothing is lost."""
    kinds = (("spaces", lost.spaces, lost.first_space), ("line ends", lost.line_ends, lost.first_line_end))
    return [f"lost: {what}, {count}, the first at byte {first}" for what, count, first in kinds if count]


def plural(count: int, word: str, several: str | None = None) -> str:
    """A count with its word: `1 merge`, `2 merges`."""
    return f"{count} {word if count == 1 else several or word + 's'}"


def times(count: int) -> str:
    """How often, in words: `once`, `twice`, `5 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
