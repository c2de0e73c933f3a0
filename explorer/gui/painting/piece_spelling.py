"""How a piece of the vocabulary is written for a reader: its kind and its word ends told, and cut to a width.

`spelling` turns bytes into parts; this turns a `Piece` into them, which knows more than its bytes: whether
it ends a word, where inside it words end, and whether it is the stand-in.
"""

from functools import lru_cache
from itertools import pairwise

from explorer.core.vocabulary import Piece, PieceKind
from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.painting.spelling import MARKER, Part, Sort, Spelling, is_mark, spell
from explorer.gui.theme import Role

ELLIPSIS = Part("…", Sort.TEXT)
JOINER = "\u200d"
SPELLED = 4_000  # bytes of a piece that are spelled whole: no line has room for more
END = 500  # characters of a longer one that are spelled at each end; a piece may be a whole book
MOST_A_CHARACTER = 4  # bytes


@lru_cache(maxsize=65536)
def piece_spelling(piece: Piece) -> Spelling:
    """The parts of a piece in order, with a mark at every word end inside it; "UNK" by name for the stand-in.

    The middle of one of many thousand bytes is left out.
    """
    if piece.kind is PieceKind.STAND_IN:
        return (Part("UNK", Sort.CONTROL),)
    if len(piece.bytes) > SPELLED:
        return shortened(piece, END)
    cuts = (0, *piece.breaks, len(piece.bytes))
    parts: list[Part] = []
    for start, end in pairwise(cuts):
        parts += spell(piece.bytes[start:end])
        if end < len(piece.bytes):
            parts.append(Part(MARKER, Sort.MARKER))
    return (*parts, Part(MARKER, Sort.MARKER)) if piece.marked else tuple(parts)


def shortened(piece: Piece, end: int) -> Spelling:
    """The spelling of a long piece with so many characters at each end; what lies between is not looked at."""
    size, cut = len(piece.bytes), MOST_A_CHARACTER * (end + 1)
    head = piece.bytes[:cut].decode("utf-8", "surrogateescape")[:end].encode("utf-8", "surrogateescape")
    tail = piece.bytes[-cut:].decode("utf-8", "surrogateescape")[-end:].encode("utf-8", "surrogateescape")
    first = Piece(head, breaks=tuple(at for at in piece.breaks if at < len(head)))
    last = Piece(tail, piece.marked, piece.kind, tuple(at - size + len(tail) for at in piece.breaks if at > size - len(tail)))
    return (*piece_spelling(first), ELLIPSIS, *piece_spelling(last))


def piece_label(piece: Piece) -> str:
    """The piece as one line of text for a tooltip or a screen reader: a space is a dot. Lossy; never parse it."""
    return "".join(_in_label(part) for part in piece_spelling(piece)) or "nothing"


def _in_label(part: Part) -> str:
    blanks = {Sort.SPACE: "·", Sort.TAB: "⇥", Sort.NEWLINE: "↵"}
    return "\u25cc" + part.text if part.sort is Sort.MARK else blanks.get(part.sort, part.text)


def pair_label(left: Piece, right: Piece) -> str:
    """A pair as one line of text: `s· + stand`."""
    return f"{piece_label(left)} + {piece_label(right)}"


def fitted(spelling: Spelling, role: Role, width: float) -> Spelling:
    """The spelling, its middle replaced by "…" where it is wider than `width` pixels."""
    return _fitted(spelling, role, round(width), theme.zoom())


@lru_cache(maxsize=4096)
def _fitted(spelling: Spelling, role: Role, width: int, zoom: float) -> Spelling:
    if paint.piece_width(spelling, role) <= width:
        return spelling
    letters = [each for part in spelling for each in _letters(part)]
    widths = [paint.part_width(letter, role) for letter in letters]
    room = width - paint.part_width(ELLIPSIS, role)
    first, last = 0, len(letters)
    while first < last:
        head = first <= len(letters) - last  # the head takes the odd letter
        room -= widths[first] if head else widths[last - 1]
        if room < 0:
            break
        first, last = (first + 1, last) if head else (first, last - 1)
    return (*_joined(letters[:first]), ELLIPSIS, *_joined(letters[last:]))


def _letters(part: Part) -> list[Part]:
    """A run of text as its letters, each with the marks on it; anything else whole."""
    if part.sort is not Sort.TEXT:
        return [part]
    letters: list[str] = []
    for letter in part.text:
        if letters and (is_mark(letter) or letter == JOINER or letters[-1].endswith(JOINER)):
            letters[-1] += letter
        else:
            letters.append(letter)
    return [Part(letter, Sort.TEXT) for letter in letters]


def _joined(letters: list[Part]) -> Spelling:
    parts: list[Part] = []
    for letter in letters:
        if parts and parts[-1].sort is letter.sort is Sort.TEXT:
            letter = Part(parts.pop().text + letter.text, Sort.TEXT)
        parts.append(letter)
    return tuple(parts)
