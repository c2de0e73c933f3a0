"""Which kind of corpus a file is."""

from pathlib import Path

import pytest

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
