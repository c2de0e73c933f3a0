"""Word counts: exact, with joints, and strict about what a line is."""

import re
from pathlib import Path

import pytest

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.errors import CorpusFileError
from explorer.sources import open_corpus


def opened(tmp_path: Path, data: bytes) -> Corpus:
    path = tmp_path / "words.tsv"
    path.write_bytes(data)
    return open_corpus(path)


def words(corpus: Corpus) -> list[tuple[bytes, int]]:
    return [(corpus.data[start:end], weight) for start, end, weight in corpus.texts()]


def test_words_weights_and_rows(tmp_path: Path) -> None:
    corpus = opened(tmp_path, "low\t5\nüber\t2\tüb|er\nlow\t1".encode())
    assert words(corpus) == [(b"low", 5), ("über".encode(), 2), (b"low", 1)]
    assert (corpus.ended, dict(corpus.joints)) == (False, {"über".encode(): ("üb".encode(), b"er")})
    assert tuple(corpus.rows.columns) == ("word", "count", "joints")
    assert [corpus.rows.cells(row) for row in range(len(corpus.rows))] == [("low", "5", ""), ("über", "2", "üb|er"), ("low", "1", "")]


def test_case_002_counts_above_2_to_the_31_are_exact(tmp_path: Path) -> None:
    training = train(opened(tmp_path, b"ab\t3000000000\ncd\t2000000000\n"), Recipe.of("chapter-81"))
    assert [(merge.left, merge.right, merge.count) for merge in training.merges] == [(97, 98, 3_000_000_000), (99, 100, 2_000_000_000)]


def test_case_002_counts_that_floats_cannot_tell_apart(tmp_path: Path) -> None:
    training = train(opened(tmp_path, b"ab\t9007199254740992\ncd\t9007199254740993\n"), Recipe.of("chapter-81"))
    assert [(merge.left, merge.count, merge.tied) for merge in training.merges] == [(99, 2**53 + 1, 1), (97, 2**53, 1)]


def test_the_greatest_count_there_can_be(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b"ab\t9223372036854775807\n")
    assert words(corpus) == [(b"ab", 2**63 - 1)]
    assert train(corpus, Recipe.of("chapter-81")).merges[0].count == 2**63 - 1


def test_case_010_a_common_word_becomes_one_token(tmp_path: Path) -> None:
    training = train(opened(tmp_path, b"the\t5000000000\ncat\t10\n"), Recipe.of("published").asking(merges=4))
    assert any(piece.spelled() == "the</w>" for piece in training.table.pieces)


def test_case_047_the_counts_reach_the_pairs(tmp_path: Path) -> None:
    first = train(opened(tmp_path, b"on\t79402723\nzebra\t2\nxq\t1\n"), Recipe.of("chapter-81")).merges[0]
    assert (bytes([first.left, first.right]), first.count) == (b"on", 79_402_723)


def test_case_047_counts_equal_a_text_with_each_word_repeated(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_bytes(b"on " * 5 + b"zebra " * 2 + b"xq")
    counted, repeated = opened(tmp_path, b"on\t5\nzebra\t2\nxq\t1\n"), open_corpus(tmp_path / "text.txt")
    assert train(counted, Recipe.of("published")).merges == train(repeated, Recipe.of("published")).merges


def test_the_line_ends_of_windows_belong_to_no_word_and_are_told(tmp_path: Path) -> None:
    corpus = opened(tmp_path, b"undo\t5\tun|do\r\nlow\t2\r\n")
    assert words(corpus) == [(b"undo", 5), (b"low", 2)]
    assert dict(corpus.joints) == {b"undo": (b"un", b"do")}
    assert corpus.notes == ("2 lines end in CR LF; the CR belongs to no word and was left out.",)
    assert corpus.rows.cells(0) == ("undo", "5", "un|do")


def test_only_lf_and_tab_and_space_mean_anything(tmp_path: Path) -> None:
    corpus = opened(tmp_path, "a\u2028b\t1\nc\rd\t2\ne\x85\u00a0\t3\nf\x00\t4\n".encode() + b"\xff\t5\n")
    assert words(corpus) == [("a\u2028b".encode(), 1), (b"c\rd", 2), ("e\x85\u00a0".encode(), 3), (b"f\x00", 4), (b"\xff", 5)]


@pytest.mark.parametrize(
    ("line", "column", "told"),
    [
        (b"low\t0", 2, "0 is no occurrence"),
        (b"low\t000", 2, "0 is no occurrence"),
        (b"low\t-3", 2, "'-3' is not a whole number"),
        (b"low\t+3", 2, "not a whole number"),
        (b"low\t2.5", 2, "not a whole number"),
        (b"low\t1e3", 2, "not a whole number"),
        (b"low\t1_000", 2, "not a whole number"),
        (b"low\t 3", 2, "not a whole number"),
        ("low\t٣".encode(), 2, "not a whole number"),
        (b"low\t", 2, "not a whole number"),
        (b"low\t9223372036854775808", 2, "at most 9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009807"),
        (b"low\t" + b"9" * 5000, 2, "at most"),
        (b"\t3", 1, "blank"),
        (b"\r\t3", 1, "blank"),
        (b"  \t3", 1, "blank"),
        (b"two words\t3", 1, "space"),
        (b" low\t3", 1, "space"),
        (b"low", None, "1 column"),
        (b"low\t3\tl|ow\tmore", None, "4 columns"),
        (b"", None, "empty"),
        (b"\r", None, "1 column"),
        (b"undo\t3\tun|d", 3, "joints do not make the word"),
        (b"undo\t3\tun||do", 3, "joints do not make the word"),
        (b"undo\t3\tun|do|", 3, "joints do not make the word"),
        (b"again\t3\tag|ain", 3, "other joints"),
    ],
)
def test_a_malformed_line_is_refused_by_line_and_column(tmp_path: Path, line: bytes, column: int | None, told: str) -> None:
    with pytest.raises(CorpusFileError) as caught:
        opened(tmp_path, b"again\t1\ta|gain\n" + line + b"\nlast\t1\n")
    assert (caught.value.line, caught.value.column) == (2, column)
    assert re.search(told, caught.value.reason)


@pytest.mark.parametrize("data", [b"name\tvalue\nlow\thigh\n", b"just text\nof lines\n", b"\n", b"a\tb\tc\td\n"])
def test_a_file_without_counts_is_told_what_is_expected(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CorpusFileError, match=r"not a file of word counts. Expected on each line: word TAB count") as caught:
        opened(tmp_path, data)
    assert caught.value.line is None


def test_a_header_line_is_refused_by_its_place(tmp_path: Path) -> None:
    with pytest.raises(CorpusFileError, match=r"words\.tsv, line 1, column 2: 'count' is not a whole number"):
        opened(tmp_path, b"word\tcount\nlow\t5\n")


def test_one_part_is_no_joint(tmp_path: Path) -> None:
    assert dict(opened(tmp_path, b"undo\t3\tundo\nlow\t1\t\n").joints) == {}


@pytest.mark.parametrize("preset", ["chapter-81", "published", "fallback", "byte-words", "script", "gpt2"])
def test_an_empty_file_opens_and_trains(tmp_path: Path, preset: str) -> None:
    corpus = opened(tmp_path, b"")
    assert (words(corpus), len(corpus.rows)) == ([], 0)
    assert corpus.weights is not None
    assert train(corpus, Recipe.of(preset)).learned == 0
