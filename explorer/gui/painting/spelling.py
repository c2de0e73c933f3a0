"""How bytes are written for a reader: text as text, and a name for everything that would not be seen.

A piece of the vocabulary is bytes, often not a whole character and often nothing visible. It is cut into
parts, each of one sort, and painters draw each sort in its own way; `shown` joins them for a plain label.

    shown(b"the ")                 "the "
    shown(b"\\xe2\\x80")             "E280"
    shown(b"est", marked=True)     "est" and U+25C2
    shown("\\u0307e".encode())      a dotted circle under the mark, then "e"

Nothing here decides colours, and nothing knows Qt.
"""

import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

MARKER = "\u25c2"  # stands for the end of a word; painters draw it, for the bundled fonts lack it
DOTTED_CIRCLE = "\u25cc"  # carries a combining mark that has no letter before it

_C0_NAMES = "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
_C0 = _C0_NAMES.split(" ")
_NAMED = {
    "\x7f": "DEL", "\x85": "NEL", "\xa0": "NBSP", "\xad": "SHY", "\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ",
    "\u200e": "LRM", "\u200f": "RLM", "\u2060": "WJ", "\ufeff": "BOM",
}  # fmt: skip
_JOINERS = "\u200c\u200d"
_VISIBLE_FORMAT = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")


class Sort(Enum):
    """What a part is, which decides how it is drawn."""

    TEXT = "text"
    MARK = "mark"  # combining marks without a letter before them; the text is those marks alone
    SPACE = "space"
    TAB = "tab"
    NEWLINE = "newline"
    CONTROL = "control"  # a character without a picture; the text is its name
    STRAY = "stray"  # one byte that is not UTF-8; the text is its hex
    MARKER = "marker"  # the end of a word, no character of the text


@dataclass(frozen=True, slots=True)
class Part:
    """A run of one sort as it is written."""

    text: str
    sort: Sort


Spelling = tuple[Part, ...]
_BLANKS = {" ": Sort.SPACE, "\t": Sort.TAB, "\n": Sort.NEWLINE}


def shown(piece_bytes: bytes, marked: bool = False) -> str:
    """A piece as one line of text for a label. Lossy where a name stands for a character: never parse it."""
    return "".join(_in_label(part) for part in spell(piece_bytes, marked))


def _in_label(part: Part) -> str:
    if part.sort is Sort.MARK:
        return DOTTED_CIRCLE + part.text
    return {Sort.TAB: "TAB", Sort.NEWLINE: "LF"}.get(part.sort, part.text)


@lru_cache(maxsize=65536)
def spell(piece_bytes: bytes, marked: bool = False) -> Spelling:
    """The parts of a piece in order; empty for no bytes and no marker."""
    parts = tuple(part for part, _ in spell_letters(piece_bytes.decode("utf-8", "surrogateescape")))
    return (*parts, Part(MARKER, Sort.MARKER)) if marked else parts


@lru_cache(maxsize=65536)
def spell_letters(letters: str) -> tuple[tuple[Part, int], ...]:
    """The parts of a decoded text, each with how many code points it stands for."""
    parts: list[tuple[Part, int]] = []
    for at, letter in enumerate(letters):
        joined = joins(letters[at - 1] if at else "", letter, letters[at + 1 : at + 2])
        part = Part(letter, Sort.TEXT) if joined else part_of(letter)
        if part.sort is Sort.TEXT and parts and _goes_on(parts[-1][0].sort, letter):
            last, count = parts.pop()
            parts.append((Part(last.text + letter, last.sort), count + 1))
        else:
            parts.append((alone(letter) if is_mark(letter) else part, 1))
    return tuple(parts)


def _goes_on(before: Sort, letter: str) -> bool:
    return before is Sort.TEXT or (before is Sort.MARK and is_mark(letter))


def part_of(letter: str) -> Part:
    """The part that one code point is by itself; stray bytes come as the surrogates of `surrogateescape`."""
    if " " < letter < "\x7f":
        return Part(letter, Sort.TEXT)
    if letter in _BLANKS:
        return Part(letter, _BLANKS[letter])
    if "\udc80" <= letter <= "\udcff":
        return Part(f"{ord(letter) & 255:02X}", Sort.STRAY)
    name = control_name(letter)
    return Part(name, Sort.CONTROL) if name else Part(letter, Sort.TEXT)


def control_name(letter: str) -> str:
    """The name of a code point that has no picture of its own ("NUL", "BOM", "U+2028"); empty where it has one."""
    if letter < " ":
        return _C0[ord(letter)]
    if letter in _NAMED:
        return _NAMED[letter]
    kind = unicodedata.category(letter)
    hidden = kind in ("Cc", "Co", "Cs", "Zl", "Zp", "Zs") or (kind == "Cf" and letter not in _VISIBLE_FORMAT)
    return f"U+{ord(letter):04X}" if hidden or ord(letter) & 0xFFFE == 0xFFFE else ""


def is_mark(letter: str) -> bool:
    """Whether the code point is drawn onto the one before it (combining marks, variation selectors)."""
    return letter > "\u02ff" and unicodedata.category(letter) in ("Mn", "Mc", "Me")


def alone(mark: str) -> Part:
    """A mark that has no letter before it: drawn on a dotted circle, or by name where it is invisible even so."""
    code = ord(mark)
    if 0xFE00 <= code <= 0xFE0F:
        return Part(f"VS{code - 0xFE00 + 1}", Sort.CONTROL)
    if 0xE0100 <= code <= 0xE01EF:
        return Part(f"VS{code - 0xE0100 + 17}", Sort.CONTROL)
    return Part(mark, Sort.MARK)


def joins(before: str, letter: str, after: str) -> bool:
    """Whether a joiner has work to do here: between two pictures, or after a virama. Elsewhere it is shown by name."""
    if letter not in _JOINERS or not before or not after:
        return False
    if unicodedata.combining(before) == 9:
        return unicodedata.category(after) == "Lo"
    picture = unicodedata.category(before) in ("So", "Sk") or before in "\ufe0f\u20e3" or "\U000e0020" <= before <= "\U000e007f"
    return letter == "\u200d" and picture and unicodedata.category(after) == "So"
