"""A file as bytes: read in slices, its digest taken on the way, what is plainly not UTF-8 text refused in words.

One leading UTF-8 byte order mark is taken out; everything else stays as it is on disk, NUL and invalid bytes included. A
large file is not held in memory but copied to another place on the disk (core/mapped.py): what happens to it later changes nothing.
"""

import hashlib
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

from explorer.core.corpus import FileFacts
from explorer.core.disk import file_size, why
from explorer.core.mapped import ByteStore, Data
from explorer.core.progress import Stage, Step
from explorer.errors import CorpusFileError

SLICE = 1 << 18  # bytes read, hashed or checked between two steps: about 1 ms
BOM = b"\xef\xbb\xbf"
BOM_NOTE = "A byte order mark (3 bytes) at the start of the file was left out."

# What a file begins with -> what to tell. Longer beginnings first where one begins another.
_NOT_TEXT = (
    (b"\xff\xfe\x00\x00", "This is UTF-32 text. Save it as UTF-8 and open it again."),
    (b"\x00\x00\xfe\xff", "This is UTF-32 text. Save it as UTF-8 and open it again."),
    (b"\xff\xfe", "This is UTF-16 text. Save it as UTF-8 and open it again."),
    (b"\xfe\xff", "This is UTF-16 text. Save it as UTF-8 and open it again."),
    (b"\x1f\x8b", "This is a gzip archive. Unpack it and open the file inside."),
    (b"BZh91AY&SY", "This is a bzip2 archive. Unpack it and open the file inside."),
    (b"\xfd7zXZ\x00", "This is an xz archive. Unpack it and open the file inside."),
    (b"\x28\xb5\x2f\xfd", "This is a zstd archive. Unpack it and open the file inside."),
    (b"7z\xbc\xaf\x27\x1c", "This is a 7z archive. Unpack it and open the file inside."),
    (b"PK\x03\x04", "This is a zip archive (or an office document, which is one). Unpack it, or save the document as plain text."),
    (b"\x89PNG\r\n\x1a\n", "This is a PNG picture, not text."),
    (b"\xff\xd8\xff", "This is a JPEG picture, not text."),
    (b"GIF89a", "This is a GIF picture, not text."),
    (b"%PDF-", "This is a PDF document. Save its text as plain text and open that."),
    (b"PAR1\x15", "This is a Parquet file. Save the column as JSON Lines or plain text and open that."),
    (b"SQLite format 3\x00", "This is an SQLite database. Save the column as JSON Lines or plain text and open that."),
    (b"version https://git-lfs.github.com/spec/", "This is a Git LFS pointer, not the file itself. Fetch the file with git lfs pull."),
)
_HTML = (b"<!doctype html", b"<html")
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file that was read: `data` without its byte order mark, `skipped` the bytes of that mark (0 or 3), `facts` of the file on disk."""

    path: Path
    data: Data
    skipped: int
    facts: FileFacts

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user is told about the reading itself."""
        return (BOM_NOTE,) if self.skipped else ()


def shown_name(path: Path) -> str:
    """The file's name as text that can be shown; bytes of it that are not UTF-8 read U+FFFD.

    >>> shown_name(Path("corpora/two.txt"))
    'two.txt'
    """
    return os.fsencode(path.name).decode("utf-8", "replace")


def read_steps(path: Path) -> Generator[Step, None, FileBytes]:
    """Reads a whole file. `done` goes to half the file's size: the other half is its reading as text.

    Raises CorpusFileError for what is missing, not a file, not readable, or plainly not UTF-8 text.
    """
    try:
        size = file_size(path)
        out, digest, done = ByteStore(size), hashlib.sha256(), 0
        with path.open("rb", buffering=0) as file:
            while part := file.read(SLICE):
                if not done:
                    part = _head(file.read, part)
                    _refuse_what_is_not_text(path, part)
                digest.update(part)
                out.write(part.removeprefix(BOM) if not done else part)
                done += len(part)
                yield Step(Stage.READING, done // 2, max(size, done))
    except (OSError, ValueError) as error:
        raise CorpusFileError(f"This file cannot be read: {why(error)}.", path) from error
    data = out.data()
    return FileBytes(path, data, done - len(data), FileFacts(shown_name(path), done, digest.hexdigest()))


def read_head(path: Path, limit: int) -> bytes:
    """At most `limit` bytes from the start of a file, without a byte order mark; raises as `read_steps` does."""
    try:
        file_size(path)
        with path.open("rb") as file:
            head = file.read(limit)
    except (OSError, ValueError) as error:
        raise CorpusFileError(f"This file cannot be read: {why(error)}.", path) from error
    _refuse_what_is_not_text(path, head)
    return head.removeprefix(BOM)


def _head(read: Callable[[int], bytes], part: bytes) -> bytes:
    """The first part, made long enough to know the file by (a read may give less than it was asked for)."""
    while len(part) < 64 and (more := read(SLICE)):
        part += more
    return part


def _refuse_what_is_not_text(path: Path, head: bytes) -> None:
    for beginning, told in _NOT_TEXT:
        if head.startswith(beginning):
            raise CorpusFileError(told, path)
    start = head[:256].removeprefix(BOM).lstrip().lower()
    if start.startswith(_HTML) and path.suffix.lower() not in _HTML_SUFFIXES:
        raise CorpusFileError("This is an HTML page, perhaps in place of the file it led to. As plain text, name it .html.", path)
