"""What is read at all: files in slices, and in words what is not."""

import hashlib
import os
from pathlib import Path

import pytest

from explorer.core.progress import Progress, Stage, Step, drain
from explorer.errors import Cancelled, CorpusFileError
from explorer.sources import columns_of, open_corpus, open_corpus_steps
from explorer.sources.files import SLICE


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("über".encode("utf-16"), r"UTF-16.*Save it as UTF-8"),
        (b"\xfe\xff" + "über".encode("utf-16-be"), r"UTF-16.*Save it as UTF-8"),
        ("über".encode("utf-32"), r"UTF-32.*Save it as UTF-8"),
        (b"\x1f\x8b\x08\x00rest", r"gzip.*Unpack"),
        (b"PK\x03\x04rest", r"zip archive"),
        (b"BZh91AY&SYrest", r"bzip2"),
        (b"\xfd7zXZ\x00", r"xz archive"),
        (b"\x28\xb5\x2f\xfd", r"zstd"),
        (b"\x89PNG\r\n\x1a\nrest", r"PNG picture"),
        (b"%PDF-1.7", r"PDF"),
        (b"SQLite format 3\x00", r"SQLite"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", r"Git LFS pointer.*git lfs pull"),
        (b"\xef\xbb\xbf\n <!DOCTYPE html><title>404</title>", r"HTML page"),
        (b"<HTML><body>", r"HTML page"),
    ],
)
@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".tsv", ""])
def test_what_is_plainly_no_text_is_refused_in_words(tmp_path: Path, head: bytes, told: str, suffix: str) -> None:
    path = tmp_path / f"corpus{suffix}"
    path.write_bytes(head)
    with pytest.raises(CorpusFileError, match=told) as caught:
        open_corpus(path)
    assert caught.value.path == path
    with pytest.raises(CorpusFileError, match=told):
        columns_of(path)


def test_an_html_page_that_says_so_is_text(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(b"<!doctype html><p>a")
    assert open_corpus(path).data == b"<!doctype html><p>a"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CorpusFileError, match=r"none\.txt: .*no such file"):
        open_corpus(tmp_path / "none.txt")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusFileError, match="folder"):
        open_corpus(tmp_path)


def test_no_name_of_a_file() -> None:
    with pytest.raises(CorpusFileError, match="not the name of a file"):
        open_corpus("a\0b.txt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_rather_than_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(CorpusFileError, match="no ordinary file"):
        open_corpus(tmp_path / "pipe.txt")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked.txt"
    path.write_bytes(b"a")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)  # a test may run as root, who may read anything
    with pytest.raises(CorpusFileError, match="permission is denied"):
        open_corpus(path)


@pytest.mark.skipif(os.name == "nt", reason="names are not bytes there")
def test_case_082_a_name_that_is_not_utf8_opens_and_is_shown_with_a_replacement(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_bytes(b"ok")
    corpus = open_corpus(path)
    assert (corpus.name, corpus.data) == ("caf\ufffd", b"ok")
    assert corpus.file is not None
    assert corpus.file.name == "caf\ufffd.txt"
    with pytest.raises(CorpusFileError) as caught:
        open_corpus(path, column="text")
    str(caught.value).encode()  # can be printed


def test_a_byte_is_done_when_it_was_read_and_parsed(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"line\n" * (SLICE // 2))
    steps: list[Step] = []
    gone = open_corpus_steps(path)
    while True:
        try:
            steps.append(next(gone))
        except StopIteration as end:
            corpus = end.value
            break
    size = path.stat().st_size
    assert all(step.stage is Stage.READING and step.total == size for step in steps)
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert len(steps) >= 2 * size // SLICE
    assert steps[-1].done == size
    assert corpus.file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("suffix", ["txt", "jsonl", "tsv"])
def test_reading_can_be_cancelled(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"long.{suffix}"
    path.write_bytes({"txt": b"line\n", "jsonl": b'{"text":"line"}\n', "tsv": b"line\t1\n"}[suffix] * 500_000)
    taken = 0

    def pause() -> None:
        nonlocal taken
        taken += 1
        if taken == 5:
            progress.cancel()

    progress = Progress(pause)
    with pytest.raises(Cancelled):
        drain(open_corpus_steps(path), progress)
    assert taken == 5
