"""Reading a merge table, line by line, into a table that agrees with itself. The form is described in table_file.py.

Nothing is half-loaded: a `TableFile` is made after the last line was checked. Every refusal names its line and column, where it has one.
"""

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.lines import numbered_lines
from explorer.core.pretokens import corpus_read
from explorer.core.progress import Stage, Step, drain
from explorer.core.quoting import piece_fault
from explorer.core.recipe import Joints
from explorer.core.table import MergeTable
from explorer.core.table_header import NUMBER, Header
from explorer.core.training import Training
from explorer.core.vocabulary import Pair, Piece, PieceKind, TokenId
from explorer.errors import TableFileError

VERSION_LINE = b"# bpe-explorer table "
NEWEST = 1
BYTES_A_STEP = 1 << 14  # read between two steps: about 2 ms
CHAPTER_81_NOTE = "The file has no version line: it was read in the form of chapter 81 (bytes, entries, ties to the lowest ids)."

_OTHER_FILES = (
    (b"version https://git-lfs.github.com/spec/", "This is a Git LFS pointer, not the table itself. Fetch the file with git lfs pull."),
    (b"\x1f\x8b", "This is a gzip archive. Unpack it and open the table inside."),
    (b"PK\x03\x04", "This is a zip archive. Unpack it and open the table inside."),
    (b"\xff\xfe", "This is UTF-16 text. Save the table as UTF-8."),
    (b"\xfe\xff", "This is UTF-16 text. Save the table as UTF-8."),
    (b"\xef\xbb\xbf", "The file begins with a byte order mark. Save the table without one."),
    (b"{", "This is JSON, not a merge table with one merge a line."),
)


@dataclass(frozen=True, slots=True)
class TableFile:
    """A merge table and what its file says of the corpus it was counted from: the text that training read.

    `corpus_sha256` is in hex and may be cut (chapter 81 keeps 16 digits). `notes` are facts about the reading that the user is told.
    """

    table: MergeTable
    corpus_name: str | None = None
    corpus_bytes: int | None = None
    corpus_sha256: str | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, training: Training) -> "TableFile":
        """What is saved of a training."""
        corpus = training.corpus
        return cls(training.table, corpus.name, len(corpus.data), corpus.sha256)

    def difference(self, corpus: Corpus) -> str | None:
        """A sentence for the user if this corpus is not the one the table was counted from; None if it is, or if the file does not say."""
        if self.corpus_sha256 is None or self.corpus_bytes is None:
            return None
        read = corpus_read(corpus, self.table.recipe)
        if read.sha256.startswith(self.corpus_sha256):
            return None
        counted_from = "another corpus" if self.corpus_name in (None, corpus.name) else repr(self.corpus_name)
        return (
            f"The table was counted from {counted_from} ({thousands(self.corpus_bytes)} bytes, SHA-256 {self.corpus_sha256[:16]}), "
            f"not from {corpus.name!r} ({thousands(len(read.data))} bytes, {read.sha256[:16]})."
        )


def parse_table(data: bytes, path: Path | None = None, joints: Joints | None = None) -> TableFile:
    """The table of a file's bytes; `path` is named in errors. Raises TableFileError as `read_table` does."""
    return drain(parse_table_steps(data, path, joints))


def parse_table_steps(data: bytes, path: Path | None = None, joints: Joints | None = None) -> Generator[Step, None, TableFile]:
    """`parse_table` step by step, in bytes."""
    _refuse_other_files(data, path)
    reader = _Reader(path, _is_versioned(data, path), joints)
    stepped = 0
    for number, start, end in numbered_lines(data):
        reader.read(number, data[start:end])
        if end - stepped >= BYTES_A_STEP:
            stepped = end
            yield Step(Stage.READING, end, len(data))
    return reader.whole()


class _Reader:
    """A table while its lines are read: the header first, then, once the alphabet is known, the merges."""

    def __init__(self, path: Path | None, versioned: bool, joints: Joints | None) -> None:
        self.path = path
        self.header = Header(path, versioned, joints)
        self.alphabet: Alphabet | None = None
        self.pieces: list[Piece] = []
        self.merges: list[Pair] = []
        self.taken: dict[Pair, TokenId] = {}  # of this stage

    def fail(self, reason: str, line: int | None = None, column: int | None = None) -> NoReturn:
        raise TableFileError(reason, self.path, line, column)

    def read(self, number: int, line: bytes) -> None:
        """Takes one line, its LF removed."""
        if b"\r" in line:
            self.fail("a carriage return stands in this line. Lines of a table end in LF alone: save it with Unix line ends.", number)
        if not line:
            self.fail("this line is empty. A table has none: take it out.", number)
        if not line.startswith(b"#"):
            self.read_merge(number, line)
        elif not line.startswith(VERSION_LINE):
            self.header.take(number, line, self.alphabet is None)
        elif number > 1:
            self.fail("the version line must be the first.", number)

    def read_merge(self, number: int, line: bytes) -> None:
        """One merge: token, left, right, piece."""
        if self.alphabet is None:
            self.alphabet = self.header.alphabet(number)
            self.pieces = list(self.alphabet.rows)
        columns = line.split(b"\t")
        if len(columns) != 4:
            found = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            self.fail(f"{found} here; a merge has four, with tabs between them: token, left, right, piece.", number)
        token, left, right = (self.number(number, at, text) for at, text in enumerate(columns[:3], start=1))
        self.check_ids(number, token, (left, right))
        piece = self.pieces[left].joined(self.pieces[right])
        if fault := piece_fault(columns[3], piece, self.header.recipe.marker, f"token {token}", "its halves make"):
            self.fail(fault, number, 4)
        self.taken[left, right] = token
        self.merges.append((left, right))
        self.pieces.append(piece)

    def check_ids(self, number: int, token: TokenId, pair: Pair) -> None:
        """Refuses a row out of order, a half that does not exist yet or is in no pair, and a pair that this stage has merged."""
        coming = len(self.pieces)
        if token != coming:
            self.fail(f"this row mints token {token} where token {coming} comes next.", number, 1)
        for column, half in enumerate(pair, start=2):
            if half >= coming:
                reason = f"token {half} does not exist yet: a token can only be made of tokens that already exist, those below {coming}."
                self.fail(reason, number, column)
            if self.pieces[half].kind is PieceKind.STAND_IN:
                self.fail(f"token {half} stands for the characters that the alphabet lacks, and they are in no pair.", number, column)
        lift_rank = self.header.lift_rank
        if len(self.merges) == lift_rank:
            self.taken.clear()
        if self.pieces[pair[0]].marked and (lift_rank is None or len(self.merges) < lift_rank):
            self.fail(f"token {pair[0]} ends a word, and no merge crosses words before the boundary is lifted.", number, 2)
        if pair in self.taken:
            self.fail(f"the pair {pair[0]}, {pair[1]} is merged already, as token {self.taken[pair]}.", number, 2)

    def number(self, number: int, column: int, text: bytes) -> int:
        """A token id of a row."""
        if not NUMBER.fullmatch(text):
            shown = text[:40].decode("utf-8", "backslashreplace")
            self.fail(f"{shown!r} is not a token id: a whole number without sign, space or leading zero.", number, column)
        return int(text)

    def whole(self) -> TableFile:
        """The table, now that no line is left; refuses one whose parts disagree."""
        header = self.header
        if not (self.merges or header.counts or header.versioned):
            self.fail("This is no merge table: it holds no merge and no line that counts them.")
        alphabet = self.alphabet or header.alphabet(max(header.said.values(), default=1))
        header.check(alphabet, self.merges, self.pieces or list(alphabet.rows))
        recipe = header.recipe if header.versioned else header.recipe.asking(merges=len(self.merges))
        table = MergeTable(recipe, alphabet, tuple(self.merges), header.lift_rank)
        notes = () if header.versioned else (CHAPTER_81_NOTE,)
        return TableFile(table, header.name, header.bytes, header.sha256, notes)


def _refuse_other_files(data: bytes, path: Path | None) -> None:
    if not data:
        raise TableFileError("The file is empty.", path)
    for beginning, told in _OTHER_FILES:
        if data.startswith(beginning):
            raise TableFileError(told, path)
    if data[:256].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise TableFileError("This is an HTML page, perhaps saved in place of the table it led to. Download the table itself.", path)


def _is_versioned(data: bytes, path: Path | None) -> bool:
    """Whether the first line names a version of ours; TableFileError for one that is not known here."""
    if not data.startswith(VERSION_LINE):
        return False
    version = data[len(VERSION_LINE) :].partition(b"\n")[0]
    if not NUMBER.fullmatch(version) or version == b"0":
        raise TableFileError("the version of the table is no number.", path, 1)
    if int(version) > NEWEST:
        reason = f"this table is of version {int(version)}, and this program reads up to version {NEWEST}. Use a newer program."
        raise TableFileError(reason, path, 1)
    return True
