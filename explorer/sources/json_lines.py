"""JSON Lines: one object a line, one of its columns the text. A row is a text, ended by one LF that is added.

Lines end at LF alone, so a raw U+2028 or U+0085 inside a string is part of it. An escaped surrogate pair is its character;
a lone one, which no text can hold, becomes U+FFFD and is told. Bytes that are not UTF-8 are kept.
"""

import json
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from explorer.core.corpus import Corpus, Offsets
from explorer.core.figures import thousands
from explorer.core.lines import numbered_lines
from explorer.core.mapped import ByteStore, Data
from explorer.core.progress import Stage, Step
from explorer.errors import CorpusFileError
from explorer.sources.files import FileBytes
from explorer.sources.rows import LONE, JsonRows, read_object

BYTES_A_STEP = 1 << 15  # of JSON read between two steps: about 2 ms
ROWS_SEEN = 100  # rows whose keys become the columns
DEFAULT_COLUMN = "text"

_BLANK = b" \t\r"


def read_json_lines(file: FileBytes, name: str, column: str | None) -> Generator[Step, None, Corpus]:
    """The corpus of one column; None takes `text`, else the first column that holds a string.

    Raises CorpusFileError, naming the line, for a line that is no JSON object and for a row without a string in the column.
    """
    columns = _columns(file.path, file.data)
    chosen = _chosen(file.path, columns, column)
    tally = _Tally()
    stepped = 0
    for number, start, end in numbered_lines(file.data):
        line = file.data[start:end]
        if not line.strip(_BLANK):
            tally.blank(number)
            continue
        tally.add(number, start, end, _text_of(file.path, number, line, chosen, columns))
        if end - stepped >= BYTES_A_STEP:
            stepped = end
            yield Step(Stage.READING, (file.facts.bytes + file.skipped + end) // 2, file.facts.bytes)
    rows = JsonRows(file.data, _int64(tally.spans), tuple(columns))
    notes = (*file.notes, *tally.notes)
    return Corpus(name, tally.out.data(), _int64(tally.starts), ended=True, rows=rows, file=file.facts, notes=notes)


def text_columns(path: Path, data: bytes) -> tuple[str, ...]:
    """The columns that hold a string in one of the first rows, in the order they are met."""
    return tuple(column for column, holds_text in _columns(path, data).items() if holds_text)


class _Tally:
    """Texts and what there is to tell, while the lines are read."""

    def __init__(self) -> None:
        self.out = ByteStore()
        self.starts = array("q", [0])
        self.spans = array("q")
        self.lone = self.lone_line = self.blanks = self.blank_line = self.stray = self.stray_line = 0

    def blank(self, number: int) -> None:
        self.blank_line = self.blank_line or number
        self.blanks += 1

    def add(self, number: int, start: int, end: int, text: str) -> None:
        if not text.isascii():
            text = self._mended(number, text)
        self.out.write(text.encode("utf-8", "surrogateescape") + b"\n")
        self.starts.append(len(self.out))
        self.spans.extend((start, end))

    def _mended(self, number: int, text: str) -> str:
        """The text with U+FFFD for each lone surrogate escape; counts those and the bytes that are not UTF-8."""
        if lone := text.count(LONE):
            self.lone += lone
            self.lone_line = self.lone_line or number
            text = text.replace(LONE, "\ufffd")
        if stray := len(text) - len(text.encode("utf-8", "ignore").decode()):
            self.stray += stray
            self.stray_line = self.stray_line or number
        return text

    @property
    def notes(self) -> Iterator[str]:
        if self.lone:
            yield _told(self.lone, self.lone_line, "lone surrogate escape is read as U+FFFD", "lone surrogate escapes are read as U+FFFD")
        if self.stray:
            yield _told(self.stray, self.stray_line, "byte is not UTF-8 and is kept as it is", "bytes are not UTF-8 and are kept as such")
        if self.blanks:
            yield _told(self.blanks, self.blank_line, "blank line holds no row", "blank lines hold no row")


def _text_of(path: Path, number: int, line: bytes, column: str, columns: Iterable[str]) -> str:
    row = _row(path, number, line)
    text = row.get(column)
    if isinstance(text, str):
        return text
    reason = f"the column {column!r} holds {_kind(text)} here, not a string." if column in row else f"this row has no column {column!r}."
    raise CorpusFileError(f"{reason} {_named(columns)}", path, number)


def _chosen(path: Path, columns: Mapping[str, bool], column: str | None) -> str:
    """The column that is the text."""
    if column is not None:
        return column
    if columns.get(DEFAULT_COLUMN) or not columns:
        return DEFAULT_COLUMN
    texts = [name for name, holds_text in columns.items() if holds_text]
    if not texts:
        raise CorpusFileError(f"No column holds text. {_named(columns)}", path)
    return texts[0]


def _named(columns: Iterable[str]) -> str:
    return f"The columns of this file are {', '.join(map(repr, islice(columns, 20)))}."


def _columns(path: Path, data: Data) -> dict[str, bool]:
    """The keys of the first rows in the order they are met, each with whether one of these rows holds a string under it."""
    found: dict[str, bool] = {}
    filled = ((number, data[a:b]) for number, a, b in numbered_lines(data) if data[a:b].strip(_BLANK))
    for number, line in islice(filled, ROWS_SEEN):
        for key, value in _row(path, number, line).items():
            found[key] = found.get(key, False) or isinstance(value, str)
    return found


def _row(path: Path, number: int, line: bytes) -> Mapping[str, Any]:  # Any: JSON values
    """The object of a line; CorpusFileError naming the line for anything else."""
    try:
        return read_object(line)
    except json.JSONDecodeError as error:
        raise CorpusFileError(f"this is not JSON ({error.msg}, character {error.pos + 1}).", path, number) from None
    except TypeError as error:
        raise CorpusFileError(f"this is JSON but no row: {error}.", path, number) from None
    except RecursionError:
        raise CorpusFileError("this JSON is nested too deeply to be read.", path, number) from None


def _kind(value: object) -> str:
    kinds: dict[type, str] = {type(None): "null", bool: "true or false", dict: "an object", list: "a list"}
    return kinds.get(type(value), "a number")


def _told(count: int, line: int, one: str, many: str) -> str:
    return f"1 {one}, in line {thousands(line)}." if count == 1 else f"{thousands(count)} {many}; the first is in line {thousands(line)}."


def _int64(numbers: "array[int]") -> Offsets:
    return np.frombuffer(numbers, np.int64) if numbers else np.zeros(0, np.int64)
