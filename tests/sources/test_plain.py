"""Plain text files: to the byte, whatever the bytes are."""

import codecs
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.sources import files, open_corpus
from explorer.sources.plain import InvalidBytes, character_start
from explorer.sources.rows import TextRows


def opened(tmp_path: Path, data: bytes, name: str = "a.txt") -> Corpus:
    path = tmp_path / name
    path.write_bytes(data)
    return open_corpus(path)


def test_the_text_is_the_file(tmp_path: Path) -> None:
    data = b"one\r\ntwo\x00\xff\xe2\x80\xa8three\x85\n\n"
    corpus = opened(tmp_path, data)
    assert (corpus.name, corpus.data, len(corpus), corpus.weights, corpus.ended) == ("a", data, 1, None, False)
    assert corpus.file is not None
    assert (corpus.file.name, corpus.file.bytes) == ("a.txt", len(data))


def test_lines_end_at_lf_alone(tmp_path: Path) -> None:
    rows = opened(tmp_path, "a\rb\u2028c\x85d\x0be\n\nlast".encode()).rows
    assert tuple(rows.columns) == ("line", "text")
    assert [rows.cells(row) for row in range(len(rows))] == [("1", "a\rb\u2028c\x85d\x0be"), ("2", ""), ("3", "last")]
    with pytest.raises(IndexError):
        rows.cells(3)


@pytest.mark.parametrize(("data", "lines"), [(b"", 0), (b"\n", 1), (b"a", 1), (b"a\n", 1), (b"a\n\n", 2), (b"a\nb", 2)])
def test_how_many_lines_there_are(tmp_path: Path, data: bytes, lines: int) -> None:
    assert len(opened(tmp_path, data).rows) == lines


def test_case_023_a_byte_order_mark_at_the_start_is_left_out_and_told(tmp_path: Path) -> None:
    data = codecs.BOM_UTF8 + b"the cat\n"
    corpus = opened(tmp_path, data)
    assert corpus.data == b"the cat\n"
    assert corpus.notes == (files.BOM_NOTE,)
    assert corpus.file is not None
    assert corpus.file.bytes == len(data)
    assert corpus.rows.cells(0) == ("1", "the cat")


def test_case_023_only_one_is_left_out_and_none_inside(tmp_path: Path) -> None:
    assert opened(tmp_path, codecs.BOM_UTF8 * 2 + b"a" + codecs.BOM_UTF8).data == codecs.BOM_UTF8 + b"a" + codecs.BOM_UTF8


def test_invalid_bytes_are_kept_counted_and_placed_in_the_file(tmp_path: Path) -> None:
    corpus = opened(tmp_path, codecs.BOM_UTF8 + b"caf\xe9 \xe2\x80 \xff")
    assert corpus.data == b"caf\xe9 \xe2\x80 \xff"
    assert corpus.notes[1] == "4 bytes are not UTF-8 and are kept as they are; the first is at byte offset 6."
    assert corpus.rows.cells(0)[1] == r"caf\xe9 \xe2\x80 \xff"


def test_one_invalid_byte_is_told_as_one(tmp_path: Path) -> None:
    assert opened(tmp_path, b"a\xff").notes == ("1 byte is not UTF-8 and is kept as it is, at byte offset 1.",)


@given(st.binary(max_size=60), st.integers(4, 8))
def test_invalid_bytes_are_counted_the_same_however_the_file_is_sliced(data: bytes, width: int) -> None:
    counted = InvalidBytes()
    at = 0
    while at < len(data):
        end = character_start(data, at + width)
        counted.look(data[at:end], at)
        at = end
    text = data.decode("utf-8", "surrogateescape")
    stray = [len(text[:at].encode("utf-8", "surrogateescape")) for at, c in enumerate(text) if "\udc80" <= c <= "\udcff"]
    assert (counted.count, counted.first) == (len(stray), stray[0] if stray else -1)


def test_a_character_across_two_slices_is_no_invalid_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.sources.plain.SLICE", 7)
    monkeypatch.setattr("explorer.sources.files.SLICE", 5)
    text = "für das Lügenmärchen 🙂🙂🙂🙂 — \u2028\n" * 20
    corpus = opened(tmp_path, text.encode())
    assert (corpus.data, corpus.notes) == (text.encode(), ())
    assert [corpus.rows.cells(row)[1] for row in range(len(corpus.rows))] == text.split("\n")[:-1]


def test_case_037_nul_is_data(tmp_path: Path) -> None:
    data = b"ab\x00ab\x00ab\n" * 50
    corpus = opened(tmp_path, data)
    assert (corpus.data, corpus.notes) == (data, ())
    assert corpus.rows.cells(49) == ("50", "ab\x00ab\x00ab")
    first = train(corpus, Recipe.of("chapter-81")).merges[0]
    assert (first.left, first.right, first.count) == (ord("a"), ord("b"), 150)


def test_case_017_a_long_line_is_counted_whole(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b"ab " * 10 + b"\n" + b"cd " * 5000 + b"\n" + b"ef " * 10 + b"\n")
    first = train(corpus, Recipe.of("chapter-81").asking(merges=1)).merges[0]
    assert (bytes([first.left, first.right]), first.count) == (b"cd", 5000)
    assert corpus.notes == ()


def test_case_058_cr_is_data_until_the_recipe_says_otherwise(tmp_path: Path) -> None:
    data = b"le chat\r\nle chien\r\n" * 20
    corpus = opened(tmp_path, data)
    assert corpus.data == data
    keeping = train(corpus, Recipe.from_json({"alphabet": "characters", "marker": True, "pretokens": "words"}))
    reading = train(corpus, Recipe.from_json({"alphabet": "characters", "marker": True, "pretokens": "words", "line_ends": "lf"}))
    plain = train(opened(tmp_path, data.replace(b"\r", b""), "b.txt"), reading.recipe)
    assert any(b"\r" in piece.bytes for piece in keeping.alphabet.rows)
    assert reading.table == plain.table


def test_a_row_is_shown_up_to_its_bound(tmp_path: Path) -> None:
    shown = opened(tmp_path, "é".encode() * 5000 + b"\n").rows.cells(0)[1]
    assert shown == "é" * 4096 + "…"


@pytest.mark.parametrize("preset", ["chapter-81", "published", "fallback", "byte-words", "script", "gpt2"])
def test_an_empty_file_opens_and_trains(tmp_path: Path, preset: str) -> None:
    corpus = opened(tmp_path, b"")
    assert (corpus.data, corpus.starts.tolist(), len(corpus.rows)) == (b"", [0, 0], 0)
    assert train(corpus, Recipe.of(preset)).learned == 0


@given(st.binary(max_size=200))
def test_any_bytes_are_the_corpus_or_are_refused_in_words(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "any.txt"
    path.write_bytes(b"." + data)
    corpus = open_corpus(path)
    assert corpus.data == b"." + data
    assert np.array_equal(corpus.starts, [0, len(data) + 1])


class Watched(bytes):
    """Bytes that note how many are taken at once."""

    most = 0

    def __getitem__(self, at):  # type: ignore[no-untyped-def]  # as bytes have it
        found = super().__getitem__(at)
        self.most = max(self.most, len(found))
        return found


def test_of_a_line_that_is_a_whole_file_a_row_reads_the_beginning() -> None:
    data = Watched(b"a" * 1_000_000)
    number, text = TextRows(data, np.array([0, len(data)])).cells(0)
    assert number == "1" and text.startswith("aaa") and text.endswith("…")
    assert 0 < data.most < 100_000
