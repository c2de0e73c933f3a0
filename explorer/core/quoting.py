r"""Bytes and pieces as quoted strings in ASCII, and back: the fourth column of a table file.

Writing keeps printable ASCII and spells every other byte `\xNN`. Reading follows Go's `strconv.Unquote`, since chapter 81's tables are
written by it: "interpreted" strings, `raw` ones, and 'c' of a single character.

    quote(b"\xe2\x80\x94 a")      '"\\xe2\\x80\\x94 a"'
    unquote(b'"\\u2014 a"')       the same bytes
"""

import re
from itertools import pairwise

from explorer.core.vocabulary import MARKER_TEXT, Piece

SHOWN = 200  # characters of a quoted string that an error shows
_SIMPLE = {
    b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v", b"\\": b"\\", b"'": b"'", b'"': b'"',
}
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\'\"]))")


def quote(data: bytes) -> str:
    r"""The bytes between double quotes, in printable ASCII.

    >>> print(quote(b'a "b"\t\xff'))
    "a \"b\"\x09\xff"
    """
    return '"' + _quoted_inside(data) + '"'


def _quoted_inside(data: bytes) -> str:
    return "".join(_WRITTEN[value] for value in data)


def unquote(source: bytes) -> bytes:
    r"""The bytes that a quoted string stands for; ValueError, with the reason, where Go would refuse it.

    >>> unquote(b'"\\x41\\102\\u0043"')
    b'ABC'
    """
    mark = source[:1]
    if len(source) < 2 or mark not in (b'"', b"'", b"`") or source[-1:] != mark:
        raise ValueError("it is not a quoted string")
    inside = source[1:-1]
    if mark == b"`":
        if b"`" in inside:
            raise ValueError("a raw string holds no backquote")
        return inside.replace(b"\r", b"")
    return _unquote_inside(inside, mark)


def _unquote_inside(inside: bytes, mark: bytes = b'"') -> bytes:
    out: list[bytes] = []
    at = 0
    while at < len(inside):
        made, at = _next(inside, at, mark)
        out.append(made)
    if mark == b"'" and len(out) != 1:
        raise ValueError("single quotes hold one character")
    return b"".join(out)


def _next(inside: bytes, at: int, mark: bytes) -> tuple[bytes, int]:
    """The bytes of the character or escape at a place, and where the next one starts."""
    first = inside[at : at + 1]
    if first == mark:
        raise ValueError(f"an unescaped {mark.decode()} stands inside it")
    if first == b"\n":
        raise ValueError("a line end stands inside it")
    if first == b"\\":
        return _escape(inside, at, mark)
    if first < b"\x80":
        return first, at + 1
    return _character(inside, at)


def _character(inside: bytes, at: int) -> tuple[bytes, int]:
    """A character beyond ASCII as it stands; a byte that is not UTF-8 reads as U+FFFD, as in Go."""
    for width in (2, 3, 4):
        found = inside[at : at + width]
        try:
            found.decode()
        except UnicodeDecodeError:
            continue
        return found, at + width
    return "\ufffd".encode(), at + 1


def _escape(inside: bytes, at: int, mark: bytes) -> tuple[bytes, int]:
    found = _ESCAPE.match(inside, at)
    if not found:
        raise ValueError(f"{inside[at : at + 2].decode('ascii', 'backslashreplace')} begins no escape that Go knows")
    one_byte, short, long, octal, simple = found.groups()
    if simple:
        if simple in b"'\"" and simple != mark:
            raise ValueError(f"\\{simple.decode()} is no escape between {mark.decode()} and {mark.decode()}")
        return _SIMPLE[simple], found.end()
    if octal or one_byte:
        return bytes([int(octal, 8) if octal else int(one_byte, 16)]), found.end()
    point = int(short or long, 16)
    if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        raise ValueError(f"{found[0].decode()} is no character")
    return chr(point).encode(), found.end()


def written_piece(piece: Piece, marker: bool) -> str:
    r"""A piece as the fourth column has it: quoted, in a table with markers each of them as a bare `</w>`.

    >>> print(written_piece(Piece(b"est", marked=True), True), written_piece(Piece(b"</w>"), True))
    "est</w>" "\x3c/w>"
    """
    if not marker:
        return quote(piece.bytes)
    parts = (_quoted_inside(part).replace(MARKER_TEXT, r"\x3c/w>") for part in _between_markers(piece))
    return f'"{MARKER_TEXT.join(parts)}"'


def _between_markers(piece: Piece) -> tuple[bytes, ...]:
    """The bytes of a piece apart at its markers; the last part is empty where a marker ends it."""
    cuts = (0, *piece.breaks, len(piece.bytes))
    return tuple(piece.bytes[a:b] for a, b in pairwise(cuts)) + ((b"",) if piece.marked else ())


def says(source: bytes, piece: Piece, marker: bool) -> bool:
    """Whether a quoted string says that piece; ValueError where it is no quoted string."""
    said = unquote(source)
    if not marker or source[:1] == b"'":
        return said == piece.bytes and not (marker and (piece.marked or piece.breaks))
    parts = source[1:-1].split(MARKER_TEXT.encode())
    read = parts if source[:1] == b"`" else [_unquote_inside(part) for part in parts]
    return tuple(read) == _between_markers(piece)


def piece_fault(source: bytes, piece: Piece, marker: bool, what: str, truth: str) -> str | None:
    """What is wrong with a quoted piece that must say a certain one: a reason for the user, None if nothing is."""
    shown = source[:SHOWN].decode("utf-8", "backslashreplace")
    try:
        same = says(source, piece, marker)
    except ValueError as error:
        return f"{shown} is not a quoted string: {error}."
    return None if same else f"it says that {what} is {shown}, and {truth} {written_piece(piece, marker)[:SHOWN]}."


def _written(value: int) -> str:
    if value in b'"\\':
        return "\\" + chr(value)
    return chr(value) if 0x20 <= value < 0x7F else f"\\x{value:02x}"


_WRITTEN = tuple(map(_written, range(256)))
