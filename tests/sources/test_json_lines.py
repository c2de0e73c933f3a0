"""JSON Lines: one column is the text."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.errors import CorpusFileError
from explorer.sources import columns_of, files, open_corpus


def opened(tmp_path: Path, data: bytes, column: str | None = None) -> Corpus:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(data)
    return open_corpus(path, column=column)


def refusal(tmp_path: Path, data: bytes, column: str | None = None) -> CorpusFileError:
    with pytest.raises(CorpusFileError) as caught:
        opened(tmp_path, data, column)
    return caught.value


def texts(corpus: Corpus) -> list[bytes]:
    return [corpus.data[start:end] for start, end, _ in corpus.texts()]


def test_a_row_is_a_text_ended_by_one_line_end(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b'{"id":1,"text":"one"}\n{"id":2,"text":"two\\nlines"}\n{"id":3,"text":""}')
    assert texts(corpus) == [b"one\n", b"two\nlines\n", b"\n"]
    assert (corpus.ended, corpus.weights, corpus.notes) == (True, None, ())


def test_case_014_lines_end_at_lf_alone(tmp_path: Path) -> None:
    corpus = opened(tmp_path, ('{"text": "one\u2028two\x85three"}\n' * 2).encode())
    assert texts(corpus) == ["one\u2028two\x85three\n".encode()] * 2
    assert len(corpus.rows) == 2
    alphabet = train(corpus, Recipe.of("published")).alphabet
    assert {"\u2028".encode(), "\x85".encode()} <= {piece.bytes for piece in alphabet.rows}


def test_a_file_with_cr_lf_line_ends_reads_the_same(tmp_path: Path) -> None:
    assert texts(opened(tmp_path, b'{"text":"a"}\r\n{"text":"b"}\r\n')) == [b"a\n", b"b\n"]


@pytest.mark.parametrize(
    ("row", "column", "text"),
    [
        ({"body": "b", "text": "t"}, None, b"t"),
        ({"id": 3, "body": "b", "title": "x"}, None, b"b"),
        ({"id": 3, "body": "b", "title": "x"}, "title", b"x"),
        ({"text": 3, "title": "x"}, None, b"x"),
        ({"": "empty name"}, None, b"empty name"),
    ],
)
def test_the_column_is_text_or_the_first_with_strings_or_the_one_asked_for(
    tmp_path: Path, row: dict[str, object], column: str | None, text: bytes
) -> None:
    assert texts(opened(tmp_path, json.dumps(row).encode(), column)) == [text + b"\n"]


def test_the_columns_offered_are_those_that_hold_text(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"id":1,"body":null}\n\n{"id":2,"body":"b","title":"t"}\n')
    assert columns_of(path) == ("body", "title")
    (tmp_path / "a.txt").write_bytes(b"text")
    assert columns_of(tmp_path / "a.txt") == ()


def test_the_columns_are_offered_from_the_start_of_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.sources.opening.CHOOSER_HEAD", 40)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"text":"one"}\n' * 10)
    assert columns_of(path) == ("text",)


def test_the_rows_show_every_key_of_the_first_hundred_rows(tmp_path: Path) -> None:
    lines = [{"text": str(number)} for number in range(100)]
    lines[99]["late"] = "seen"
    lines.append({"text": "100", "later": "not seen"})
    rows = opened(tmp_path, b"".join(json.dumps(line).encode() + b"\n" for line in lines)).rows
    assert tuple(rows.columns) == ("text", "late")
    assert (rows.cells(0), rows.cells(99), rows.cells(100)) == (("0", ""), ("99", "seen"), ("100", ""))


def test_a_cell_shows_what_is_no_string_as_json(tmp_path: Path) -> None:
    rows = opened(tmp_path, '{"text":"a","n":1.5,"l":[1,"é"],"o":{"a":null},"t":true,"big":123456789012345678901}'.encode()).rows
    assert rows.cells(0) == ("a", "1.5", '[1, "é"]', '{"a": null}', "true", "123456789012345678901")


def test_a_number_of_ten_thousand_digits_is_read(tmp_path: Path) -> None:
    assert opened(tmp_path, b'{"text":"a","n":' + b"9" * 10_000 + b"}").rows.cells(0)[0] == "a"


def test_blank_lines_hold_no_row_and_are_told(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b'{"text":"a"}\n\n  \r\n{"text":"b"}\n\n')
    assert texts(corpus) == [b"a\n", b"b\n"]
    assert [corpus.rows.cells(row) for row in range(len(corpus.rows))] == [("a",), ("b",)]
    assert corpus.notes == ("3 blank lines hold no row; the first is in line 2.",)


def test_a_byte_order_mark_is_left_out_and_told(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b'\xef\xbb\xbf{"text":"a"}\n')
    assert (texts(corpus), corpus.notes, corpus.rows.cells(0)) == ([b"a\n"], (files.BOM_NOTE,), ("a",))


def test_a_pair_of_surrogate_escapes_is_its_character(tmp_path: Path) -> None:
    corpus = opened(tmp_path, rb'{"text":"\ud83d\ude42 \uD83D\uDE42"}')
    assert (texts(corpus), corpus.notes) == (["🙂 🙂\n".encode()], ())


def test_a_lone_surrogate_escape_becomes_a_replacement_and_is_told_with_its_place(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b'{"text":"a"}\n' + rb'{"text":"\ud83d. \ude42\ud83d"}' + b"\n" + rb'{"text":"\ud83d\ud83d\ude42 \udcff"}')
    assert texts(corpus) == [b"a\n", "\ufffd. \ufffd\ufffd\n".encode(), "\ufffd🙂 \ufffd\n".encode()]
    assert corpus.notes == ("5 lone surrogate escapes are read as U+FFFD; the first is in line 2.",)
    assert corpus.rows.cells(2) == ("\ufffd🙂 \ufffd",)


def test_a_lone_surrogate_in_another_column_is_not_told(tmp_path: Path) -> None:
    assert opened(tmp_path, rb'{"text":"a","other":"\ud83d"}').notes == ()


def test_an_escaped_backslash_before_u_is_no_escape(tmp_path: Path) -> None:
    corpus = opened(tmp_path, rb'{"text":"\\ud83d \\\ud83d"}')
    assert texts(corpus) == ["\\ud83d \\\ufffd\n".encode()]


def test_bytes_that_are_not_utf8_are_kept_and_told(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b'{"text":"a"}\n{"text":"caf\xe9 \xff","x":"\xfe"}\n{"text":"\xed\xa0\x80"}\n')
    assert texts(corpus) == [b"a\n", b"caf\xe9 \xff\n", b"\xed\xa0\x80\n"]
    assert corpus.notes == ("5 bytes are not UTF-8 and are kept as such; the first is in line 2.",)
    assert corpus.rows.cells(1) == (r"caf\xe9 \xff", r"\xfe")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"text":"cut', r"not JSON \(Unterminated string"),
        (b'{"text":"a"} {"text":"b"}', r"not JSON \(Extra data"),
        (b"[1, 2]", "no row"),
        (b'"text"', "no row"),
        (b'{"text":null}', "holds null here, not a string.*columns of this file are 'text'"),
        (b'{"text":7}', "holds a number here"),
        (b'{"text":true}', "holds true or false here"),
        (b'{"text":["a"]}', "holds a list here"),
        (b'{"text":{}}', "holds an object here"),
        (b'{"tex":"a"}', "has no column 'text'"),
        (b'{"text":"a\x00b"}', "not JSON"),
        (b'{"text":' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_row_that_cannot_be_a_text_is_refused_by_line(tmp_path: Path, line: bytes, told: str) -> None:
    error = refusal(tmp_path, b'{"text":"a"}\n\n' + line + b"\n")
    assert (error.line, error.column) == (3, None)
    assert re.search(told, error.reason)


def test_a_column_that_is_nowhere_lists_those_there_are(tmp_path: Path) -> None:
    error = refusal(tmp_path, b'{"id":1,"body":"b"}\n', "text")
    assert str(error) == "rows.jsonl, line 1: this row has no column 'text'. The columns of this file are 'id', 'body'."


def test_no_column_with_text_is_refused(tmp_path: Path) -> None:
    assert "No column holds text. The columns of this file are 'id'." in str(refusal(tmp_path, b'{"id":1}\n'))


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf"])
def test_an_empty_file_opens_and_trains(tmp_path: Path, data: bytes) -> None:
    corpus = opened(tmp_path, data)
    assert (corpus.data, len(corpus), len(corpus.rows)) == (b"", 0, 0)
    for preset in ("chapter-81", "published", "gpt2"):
        assert train(corpus, Recipe.of(preset)).learned == 0


@given(st.lists(st.text(st.characters(exclude_categories=[]), max_size=8), max_size=6))
def test_any_strings_come_out_as_unicode_has_them(tmp_path_factory: pytest.TempPathFactory, strings: list[str]) -> None:
    path = tmp_path_factory.mktemp("any") / "any.jsonl"
    path.write_bytes(b"".join(json.dumps({"text": text}).encode() + b"\n" for text in strings))
    # UTF-16 knows of pairs and of lone surrogates what JSON's escapes mean.
    expected = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in strings]
    assert [text[:-1].decode() for text in texts(open_corpus(path))] == expected


@given(st.lists(st.text(max_size=8), max_size=6))
def test_any_text_comes_out_as_it_went_in_unescaped(tmp_path_factory: pytest.TempPathFactory, strings: list[str]) -> None:
    path = tmp_path_factory.mktemp("any") / "any.ndjson"
    path.write_bytes(b"".join(json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n" for text in strings))
    corpus = open_corpus(path)
    assert [text[:-1].decode() for text in texts(corpus)] == strings
    assert [corpus.rows.cells(row) for row in range(len(strings))] == [(text,) for text in strings]
