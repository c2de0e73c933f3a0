"""The rows of a file as a table shows them: the file's bytes and where each row starts; a row is read when it is shown.

Bytes that are not UTF-8 are shown as `\\xNN`, and a cell stops at `SHOWN_AT_MOST` characters with an ellipsis: cells are for
looking at, the corpus holds the text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.core.corpus import Offsets
from explorer.core.mapped import Data

SHOWN_AT_MOST = 4096  # characters of a cell
LONE = "\ud800"  # a lone surrogate that JSON escapes; no stray byte is escaped to it, so the two are told apart
_DIGITS_AT_MOST = 4000  # of a number in JSON; Python refuses to convert many more

# Every escape is taken whole, so that the u behind an escaped backslash is never seen as one.
_ESCAPES = re.compile(rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
    """The lines of a text file, numbered from 1. `starts` has one entry a line and the end of the last."""

    data: Data
    starts: Offsets
    columns: tuple[str, ...] = ("line", "text")

    def __len__(self) -> int:
        """How many lines there are; an unended last one counts."""
        return len(self.starts) - 1

    def cells(self, row: int) -> tuple[str, ...]:
        """The line's number and its text without the LF."""
        start, end = _span(self.starts[row : row + 2])
        longest = 4 * SHOWN_AT_MOST + 8  # more is not shown: of a line that is a whole file the rest is not read
        line = self.data[start:end].removesuffix(b"\n") if end - start <= longest else self.data[start : start + longest]
        return str(row + 1), shown(line)


@dataclass(frozen=True, slots=True, eq=False)
class CountRows:
    """The lines of a file of word counts: word, count, joints. `starts` has one entry a line and the end of the last."""

    data: Data
    starts: Offsets
    columns: tuple[str, ...] = ("word", "count", "joints")

    def __len__(self) -> int:
        """How many words there are, repeated ones counted each time."""
        return len(self.starts) - 1

    def cells(self, row: int) -> tuple[str, ...]:
        """The three columns as the file has them; joints are empty where none are given."""
        word, count, *joints = _line(self.data, self.starts, row).removesuffix(b"\r").split(b"\t")
        return shown(word), shown(count), shown(joints[0]) if joints else ""


@dataclass(frozen=True, slots=True, eq=False)
class JsonRows:
    """The rows of JSON Lines, blank lines left out. `spans` has start and end of each row in turn, `columns` the keys that are shown."""

    data: Data
    spans: Offsets
    columns: tuple[str, ...]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.spans) // 2

    def cells(self, row: int) -> tuple[str, ...]:
        """The values under the columns: a string as it is, anything else as JSON, empty where the row has no such key."""
        start, end = _span(self.spans[2 * row : 2 * row + 2])
        values = read_object(self.data[start:end])
        return tuple(_cell(values, column) for column in self.columns)


def read_object(line: bytes) -> Mapping[str, Any]:  # Any: JSON values
    """One row of JSON Lines. Bytes that are not UTF-8 become surrogate escapes, and a lone surrogate that JSON escapes becomes `LONE`.

    Raises json.JSONDecodeError for what is no JSON, TypeError for JSON that is no object, RecursionError for depth beyond reading.

    >>> read_object(b'{"text": "a"}')
    {'text': 'a'}
    """
    if b"\\u" in line:
        line = _ESCAPES.sub(lambda found: rb"\ud800" if found[1] else found[0], line)
    values = json.loads(line.decode("utf-8", "surrogateescape"), parse_int=_integer)
    if not isinstance(values, dict):
        raise TypeError("a row is an object in braces, with a name for each value")
    return values


def shown(cell: bytes) -> str:
    r"""Bytes as a cell shows them.

    >>> shown(b"caf\xe9")
    'caf\\xe9'
    """
    return _cut(cell[: 4 * SHOWN_AT_MOST + 4].decode("utf-8", "backslashreplace"))


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS_AT_MOST else digits


def _cell(values: Mapping[str, Any], column: str) -> str:
    if column not in values:
        return ""
    value = values[column]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shown(text[: SHOWN_AT_MOST + 1].replace(LONE, "\ufffd").encode("utf-8", "surrogateescape"))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_AT_MOST else text[:SHOWN_AT_MOST] + "…"


def _line(data: Data, starts: Offsets, row: int) -> bytes:
    start, end = _span(starts[row : row + 2])
    return data[start:end].removesuffix(b"\n")


def _span(pair: Sequence[int] | Offsets) -> tuple[int, int]:
    if len(pair) != 2:
        raise IndexError("there is no such row")
    return int(pair[0]), int(pair[1])
