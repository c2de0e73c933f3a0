"""The chronicle: built from the founding rows and the table of years, and checked when it is read.

It is a reconstruction: the years that were published stand as they were, the years between them are invented within those bounds.

    founding.txt   one row of prose a line
    years.csv      year,standing,born,gone; years from 1 without a gap
    chronicle      JSON Lines: the founding rows at tick 0, year N at tick 3600 N - 450, entries numbered from 1

The build is exact to the byte: compact JSON, non-ASCII characters as they are, one LF a row.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from explorer.core.disk import why
from explorer.errors import CorpusFileError
from explorer.places import exemplars_dir

TICKS_A_YEAR = 3600
TICKS_BEFORE_THE_COUNT = 450
HEADER = b"year,standing,born,gone"
KEYS = ("entry", "tick", "kind", "text")

_ROW_OF_YEARS = re.compile(rb"(0|[1-9][0-9]{0,8}),(0|[1-9][0-9]{0,8}),(0|[1-9][0-9]{0,8}),(0|[1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Year:
    """One row of the table of years: how many stand at its count, how many were born and are gone since the founding."""

    year: int
    standing: int
    born: int
    gone: int

    @property
    def text(self) -> str:
        """What the chronicle says of it."""
        return f"year {self.year}: {self.standing} hobbs standing in The Hollow, {self.born} born and {self.gone} gone"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the chronicle, `number` from 1."""

    number: int
    tick: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The chronicle built anew beside the one that is shipped."""

    years: tuple[Year, ...]
    entries: tuple[Entry, ...]
    built: bytes
    shipped: bytes

    @property
    def same(self) -> bool:
        """Whether the two are the same bytes."""
        return self.built == self.shipped


def rebuild() -> Rebuilt:
    """Builds the chronicle from the two files that are shipped with it; raises CorpusFileError as their readers do.

    A chronicle that is not there compares as empty.
    """
    founding, years = exemplars_dir() / "chronicle" / "founding.txt", exemplars_dir() / "chronicle" / "years.csv"
    read = read_years(_bytes_of(years), years)
    entries = entries_of(read_founding(_bytes_of(founding), founding), read)
    shipped = exemplars_dir() / "chronicle.jsonl"
    return Rebuilt(read, entries, chronicle_bytes(entries), _bytes_of(shipped) if shipped.exists() else b"")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorpusFileError(f"This file cannot be read: {why(error)}.", path) from error


def read_founding(data: bytes, path: Path | None = None) -> tuple[str, ...]:
    """The founding rows, one a line; CorpusFileError for a line that is blank, unended or not UTF-8 text."""
    rows = []
    for number, line in enumerate(_ended_lines(data, path), start=1):
        try:
            row = line.decode()
        except UnicodeDecodeError:
            raise CorpusFileError("this line is not UTF-8.", path, number) from None
        if not row.strip() or not row.isprintable():
            raise CorpusFileError("a founding row is a line of prose, without control characters.", path, number)
        rows.append(row)
    return tuple(rows)


def read_years(data: bytes, path: Path | None = None) -> tuple[Year, ...]:
    """The table of years.

    Raises CorpusFileError, naming the line, for a wrong header, a row that is not four plain numbers, a year out of order, a sum that
    falls, or a row whose founders (standing + gone - born) are not those of the first.
    """
    header, *lines = _ended_lines(data, path) or (b"",)
    if header != HEADER:
        raise CorpusFileError(f"the first line must be {HEADER.decode()}.", path, 1)
    years: list[Year] = []
    for number, line in enumerate(lines, start=2):
        found = _ROW_OF_YEARS.fullmatch(line)
        if not found:
            raise CorpusFileError("a row is four whole numbers with commas between them and nothing else.", path, number)
        year = Year(*map(int, found.groups()))
        if fault := _fault(year, years):
            raise CorpusFileError(fault, path, number)
        years.append(year)
    return tuple(years)


def _fault(year: Year, before: list[Year]) -> str | None:
    """What is wrong with a year after those before it."""
    if year.year != len(before) + 1:
        return f"year {year.year} stands where year {len(before) + 1} comes next."
    if not before:
        return None
    if year.born < before[-1].born or year.gone < before[-1].gone:
        return "those born and those gone are sums over all years and never fall."
    founders, first = _founders(year), _founders(before[0])
    return None if founders == first else f"standing + gone - born makes {founders} founders here, and {first} in year 1."


def _founders(year: Year) -> int:
    return year.standing + year.gone - year.born


def entries_of(founding: tuple[str, ...], years: tuple[Year, ...]) -> tuple[Entry, ...]:
    """The chronicle's entries: founding rows of kind genesis, then a count a year."""
    rows = [(0, "genesis", text) for text in founding]
    rows += [(TICKS_A_YEAR * year.year - TICKS_BEFORE_THE_COUNT, "count", year.text) for year in years]
    return tuple(Entry(number, *row) for number, row in enumerate(rows, start=1))


def chronicle_bytes(entries: tuple[Entry, ...]) -> bytes:
    """The entries as JSON Lines.

    >>> chronicle_bytes((Entry(1, 0, "genesis", "It began."),))
    b'{"entry":1,"tick":0,"kind":"genesis","text":"It began."}\\n'
    """
    return b"".join(_row(entry).encode() + b"\n" for entry in entries)


def _row(entry: Entry) -> str:
    values = (entry.number, entry.tick, entry.kind, entry.text)
    return json.dumps(dict(zip(KEYS, values, strict=True)), ensure_ascii=False, separators=(",", ":"))


def read_chronicle(data: bytes, path: Path | None = None) -> tuple[Entry, ...]:
    """The entries of a chronicle, all of them or none.

    A dump that was cut off is refused rather than read as a short history: CorpusFileError names the line that has no line end, is no JSON
    object of the four columns, or breaks the numbering from 1 or the order of ticks.
    """
    entries: list[Entry] = []
    for number, line in enumerate(_ended_lines(data, path), start=1):
        entry = _entry(line, path, number)
        if entry.number != number:
            raise CorpusFileError(f"entry {entry.number} stands where entry {number} comes next.", path, number)
        if entries and entry.tick < entries[-1].tick:
            raise CorpusFileError(f"tick {entry.tick} comes before tick {entries[-1].tick} of the entry above.", path, number)
        entries.append(entry)
    return tuple(entries)


def _entry(line: bytes, path: Path | None, number: int) -> Entry:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise CorpusFileError("this row is not whole JSON: the dump was cut off or damaged here.", path, number) from None
    if not isinstance(row, dict) or tuple(row) != KEYS:
        raise CorpusFileError(f"a row of the chronicle has the columns {', '.join(KEYS)}, in that order.", path, number)
    entry, tick, kind, text = row.values()
    if type(entry) is not int or type(tick) is not int or not isinstance(kind, str) or not isinstance(text, str):
        raise CorpusFileError("entry and tick are whole numbers, kind and text are strings.", path, number)
    return Entry(entry, tick, kind, text)


def _ended_lines(data: bytes, path: Path | None) -> list[bytes]:
    """The lines of a file in which every line is ended; CorpusFileError for none, or for a last one without its LF."""
    lines = data.split(b"\n")
    if lines[-1]:
        raise CorpusFileError("the last line has no line end: the file was cut off here.", path, len(lines))
    if len(lines) == 1:
        raise CorpusFileError("the file is empty.", path)
    return lines[:-1]
