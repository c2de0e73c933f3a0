"""A file of joints: what it may say, and what is refused by line and column."""

from pathlib import Path

import pytest

from explorer.errors import CorpusFileError
from explorer.places import exemplar
from explorer.sources.exemplars import open_exemplar
from explorer.sources.joints import read_joints


def file_of(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "joints.tsv"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "joints"),
    [
        (b"undo\tun|do\n", {b"undo": (b"un", b"do")}),
        (b"undo\tun|do", {b"undo": (b"un", b"do")}),
        (b"\xef\xbb\xbfundo\tun|do\r\nredo\t10\tre|do\r\n", {b"undo": (b"un", b"do"), b"redo": (b"re", b"do")}),
        (b"undo\tun|do\nredo\t10\ntie\t3\t\ngo\tgo\n", {b"undo": (b"un", b"do")}),
        (b"un\rdo\tun\r|do\n", {b"un\rdo": (b"un\r", b"do")}),
        (b"2020\t20|20\n2021\t2021\n", {b"2020": (b"20", b"20")}),
        (b"undo\tun|do\nundo\t4\tun|do\n", {b"undo": (b"un", b"do")}),
    ],
)
def test_joints_are_read(data: bytes, joints: dict[bytes, tuple[bytes, ...]], tmp_path: Path) -> None:
    assert read_joints(file_of(tmp_path, data)).mapping == joints


def test_a_file_of_word_counts_gives_the_joints_it_offers() -> None:
    assert read_joints(exemplar("joints.tsv")).mapping == dict(open_exemplar("joints").joints)


@pytest.mark.parametrize(
    ("data", "line", "column", "told"),
    [
        (b"undo\tun|do\nundo\n", 2, None, "expected word TAB un|do"),
        (b"undo\tun|do\n\nredo\tre|do\n", 2, None, "expected word TAB un|do"),
        (b"undo\tun|do\tx\ty\n", 1, None, "expected word TAB un|do"),
        (b"undo\tun|od\n", 1, 2, "do not make the word"),
        (b"undo\tundo|\n", 1, 2, "do not make the word"),
        (b"undo\t4\tun|od\n", 1, 3, "do not make the word"),
        (b"undo\tten\tun|do\n", 1, 2, "not a whole number"),
        (b"undo\tun|do\nundo\tu|ndo\n", 2, 2, "other joints further up"),
        (b"undo\tun|do\nundo\t3\n", 2, 2, "other joints further up"),
        (b"undo\t4\n", None, None, "offers no joints"),
        (b"", 1, None, "expected word TAB un|do"),
    ],
)
def test_what_is_wrong_is_named(data: bytes, line: int | None, column: int | None, told: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusFileError, match=told.replace("|", r"\|")) as caught:
        read_joints(file_of(tmp_path, data))
    assert (caught.value.line, caught.value.column) == (line, column)
