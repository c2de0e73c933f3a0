"""Which kind of corpus a file is, and the corpus.

The ending tells: `.jsonl` and `.ndjson` are JSON Lines, `.tsv` word counts, `.txt` and other endings of text are text. Where there is
no ending that tells, the content does.
"""

from collections.abc import Generator
from enum import Enum
from pathlib import Path

from explorer.core.corpus import Corpus
from explorer.core.progress import Stage, Step, drain
from explorer.errors import CorpusFileError
from explorer.sources.files import BOM, FileBytes, read_head, read_steps, shown_name
from explorer.sources.json_lines import read_json_lines, text_columns
from explorer.sources.plain import read_text
from explorer.sources.rows import read_object
from explorer.sources.word_counts import looks_like_word_counts, read_word_counts

HEAD = 1 << 16  # bytes that tell the kind of a file whose ending does not
CHOOSER_HEAD = 1 << 22  # bytes read to offer columns


class FileKind(Enum):
    """What a corpus file is."""

    TEXT = "text"
    JSON_LINES = "JSON Lines"
    WORD_COUNTS = "word counts"


_OF_SUFFIX = {
    ".txt": FileKind.TEXT, ".text": FileKind.TEXT, ".md": FileKind.TEXT, ".csv": FileKind.TEXT, ".log": FileKind.TEXT,
    ".jsonl": FileKind.JSON_LINES, ".ndjson": FileKind.JSON_LINES, ".tsv": FileKind.WORD_COUNTS,
}


def open_corpus(path: Path | str, *, column: str | None = None) -> Corpus:
    """The corpus of a file. `column` is the text of JSON Lines: by default `text`, else the first that holds a string.

    Raises CorpusFileError for a file that is missing, cannot be read, or is not what its ending says.
    """
    return drain(open_corpus_steps(path, column=column))


def open_corpus_steps(path: Path | str, *, column: str | None = None) -> Generator[Step, None, Corpus]:
    """`open_corpus` step by step, in bytes: a byte is done when it has been read from disk and read as text."""
    file = yield from read_steps(Path(path))
    corpus = yield from corpus_of_steps(file, column)
    yield Step(Stage.READING, file.facts.bytes, file.facts.bytes)
    return corpus


def corpus_of_steps(file: FileBytes, column: str | None = None) -> Generator[Step, None, Corpus]:
    """The corpus of a file that was read."""
    ends_known = file.path.suffix.lower() in _OF_SUFFIX
    name = shown_name(file.path.with_suffix("")) if ends_known else file.facts.name
    kind = kind_of(file.path, file.data[:HEAD])
    if kind is FileKind.JSON_LINES:
        return (yield from read_json_lines(file, name, column))
    if column is not None:
        raise CorpusFileError(f"A file of {kind.value} has no columns to choose from. Leave the column {column!r} out.", file.path)
    return (yield from (read_word_counts if kind is FileKind.WORD_COUNTS else read_text)(file, name))


def columns_of(path: Path | str) -> tuple[str, ...]:
    """The columns that can be the text (they hold a string in one of the first rows), in file order; none for other kinds of file."""
    path = Path(path)
    head = read_head(path, CHOOSER_HEAD)
    if kind_of(path, head[:HEAD]) is not FileKind.JSON_LINES:
        return ()
    whole = head if len(head) < CHOOSER_HEAD - len(BOM) else head[: head.rfind(b"\n") + 1]
    return text_columns(path, whole)


def kind_of(path: Path, head: bytes) -> FileKind:
    """The kind of a file by its ending, and where that does not tell by its beginning (without a byte order mark).

    >>> kind_of(Path("counts.tsv"), b"")
    <FileKind.WORD_COUNTS: 'word counts'>
    """
    kind = _OF_SUFFIX.get(path.suffix.lower())
    if kind is None:
        kind = _kind_of_content(head)
    return kind


def _kind_of_content(head: bytes) -> FileKind:
    if head.startswith(b"{"):
        try:
            read_object(head.partition(b"\n")[0])
        except (ValueError, TypeError, RecursionError):
            return FileKind.TEXT
        return FileKind.JSON_LINES
    return FileKind.WORD_COUNTS if looks_like_word_counts(head) else FileKind.TEXT
