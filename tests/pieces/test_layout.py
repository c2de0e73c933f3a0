"""How text is laid out: columns that line up, pieces in quotes, what does not print as an escape."""

import pytest

from explorer.core.alphabet import Alphabet
from explorer.core.vocabulary import Piece, PieceKind, byte_piece
from explorer.pieces.layout import (
    block,
    cut,
    escaped,
    figure,
    figures,
    first_and_last,
    named,
    plural,
    quote_bytes,
    quoted,
    table,
    times,
)

BYTES = Alphabet.of_bytes()


def test_figures_end_in_one_column() -> None:
    shown = figures([("bytes", 7), ("the longest label there is in all of this table", 1234), ("ratio", 2 / 3), ("none", None)])
    assert len({len(line) for line in shown}) == 1
    assert [line.split()[-1] for line in shown] == ["7", "1234", "0.67", "-"]


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert table(("n", "word", "digits"), [(1, "a", "7"), (20, "long", "123"), ("...", "...", "...")]) == [
        "  n  word  digits",
        "  1  a          7",
        " 20  long     123",
        "...  ...      ...",
    ]


def test_a_table_without_rows_is_its_heads() -> None:
    assert table(("a", "b"), []) == ["a  b"]


def test_truth_is_a_word() -> None:
    assert [figure(True), figure(False)] == ["yes", "no"]
    assert table(("same",), [(True,), (False,)]) == ["same", "yes", "no"]


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        (byte_piece(0x20), '" "'),
        (byte_piece(0xE2), r'"\xe2"'),
        (byte_piece(0x0A), r'"\n"'),
        (byte_piece(0x22), r'"\""'),
        (byte_piece(0x07), r'"\x07"'),
        (Piece("é\u200b".encode()), '"é\\u200b"'),
        (Piece(b"st", marked=True, kind=PieceKind.MERGE), '"st</w>"'),
    ],
)
def test_a_piece_in_quotes(piece: Piece, shown: str) -> None:
    assert quoted(piece, BYTES) == shown


def test_a_piece_among_others_is_quoted_where_its_edges_would_not_show() -> None:
    assert [named(Piece(text), BYTES) for text in (b"and", b" and", b"a b", b"")] == ["and", '" and"', "a b", '""']


def test_bytes_that_are_no_text_are_shown_one_by_one() -> None:
    assert quote_bytes(b"ab\xe2\x80") == r'"ab\xe2\x80"'
    assert escaped("\U0001f600\U000e0001") == "\U0001f600\\U000e0001"


def test_a_very_long_piece_is_cut_in_text_alone() -> None:
    long = Piece(b"a" * 121, kind=PieceKind.MERGE)
    assert quoted(long, Alphabet.of_bytes()) == f'"{"a" * 120}..."'
    assert quoted(Piece(b"a" * 120, kind=PieceKind.MERGE), Alphabet.of_bytes()) == f'"{"a" * 120}"'
    assert quoted(Piece(b"\xff" * 121, kind=PieceKind.MERGE), Alphabet.of_bytes()) == '"' + r"\xff" * 120 + '..."'


def test_small_words() -> None:
    assert [plural(1, "merge"), plural(2, "merge"), plural(0, "merge")] == ["1 merge", "2 merges", "0 merges"]
    assert [times(1), times(2), times(3)] == ["once", "twice", "3 times"]
    assert [cut("a" * 10, 10), cut("a" * 11, 10)] == ["a" * 10, "a" * 7 + "..."]


def test_the_ends_of_a_long_list() -> None:
    rows = [(n,) for n in range(5)]
    assert first_and_last(rows, 3) == rows
    assert first_and_last(rows, 2) == [(0,), (1,), ["..."], (3,), (4,)]
    assert block("title", ["a", ""]) == ["", "  title", "    a", ""]


def test_top_zero_of_a_long_list_is_dots() -> None:
    assert first_and_last([(1,), (2,)], 0) == [["..."]]
