"""Which kind of corpus a file is."""

from pathlib import Path

import pytest

from explorer.core.mapped import MappedBytes
from explorer.errors import CorpusFileError
from explorer.sources import open_corpus
from explorer.sources.opening import FileKind, kind_of

ROW = b'{"text": "a"}\n'
COUNTS = b"low\t5\nlower\t2\n"


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.txt", ROW, FileKind.TEXT),
        ("a.txt", COUNTS, FileKind.TEXT),
        ("a.JSONL", b"", FileKind.JSON_LINES),
        ("a.ndjson", b"", FileKind.JSON_LINES),
        ("a.TSV", b"", FileKind.WORD_COUNTS),
        ("a", ROW, FileKind.JSON_LINES),
        ("a.json", b'{\n "text": "a"\n}\n', FileKind.TEXT),
        ("a.data", COUNTS, FileKind.WORD_COUNTS),
        ("a.data", COUNTS + b"a line of a log\n", FileKind.TEXT),
        ("a.data", b"low\t5", FileKind.WORD_COUNTS),
        ("a", b"", FileKind.TEXT),
        ("a", b"{not JSON", FileKind.TEXT),
        ("a", b"[1]\n", FileKind.TEXT),
    ],
)
def test_the_ending_tells_and_where_it_does_not_the_content(name: str, head: bytes, kind: FileKind) -> None:
    assert kind_of(Path(name), head) is kind


@pytest.mark.parametrize(("name", "data"), [("a.txt", b"text"), ("a.tsv", COUNTS)])
def test_a_column_of_a_file_that_has_none_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CorpusFileError, match="no columns to choose from"):
        open_corpus(tmp_path / name, column="text")


@pytest.mark.parametrize(
    ("name", "shown"), [("a.b.txt", "a.b"), ("v1.2", "v1.2"), ("README", "README"), (".txt", ".txt"), ("a.py", "a.py")]
)
def test_the_name_is_the_files_without_an_ending_that_tells(tmp_path: Path, name: str, shown: str) -> None:
    (tmp_path / name).write_bytes(b"a text")
    assert open_corpus(str(tmp_path / name)).name == shown


LARGE = {
    "plain.txt": "für Öl\n\nlong lines\r\nand one that does not end".encode() * 20,
    "marked.txt": b"\xef\xbb\xbf" + b"behind a mark\n" * 20,
    "stray.txt": b"caf\xe9\n" * 20,
    "rows.jsonl": b"".join(b'{"text": "row %d \\ud800", "n": 1}\n' % number for number in range(20)),
    "counts.tsv": b"".join(b"word%d\t%d\n" % (number, number + 1) for number in range(20)),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_not_held_in_memory_and_reads_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    path.write_bytes(LARGE[name])
    held = open_corpus(path)
    monkeypatch.setattr("explorer.core.mapped.MAPPED_FROM", 50)
    corpus = open_corpus(path)
    path.write_bytes(b"somebody wrote over it")
    assert isinstance(corpus.data, MappedBytes)
    assert not isinstance(held.data, MappedBytes)
    assert corpus.data[:] == held.data
    assert corpus.sha256 == held.sha256
    assert (corpus.starts.tolist(), corpus.weights is None) == (held.starts.tolist(), held.weights is None)
    assert (corpus.file, corpus.notes, corpus.ended, corpus.joints) == (held.file, held.notes, held.ended, held.joints)
    assert [corpus.rows.cells(row) for row in range(len(corpus.rows))] == [held.rows.cells(row) for row in range(len(held.rows))]
