"""Quoted strings: ours when written, Go's when read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.quoting import quote, says, unquote, written_piece
from explorer.core.vocabulary import Piece


@given(st.binary())
def test_what_is_quoted_reads_back_and_is_printable_ascii(data: bytes) -> None:
    quoted = quote(data)
    assert quoted.isascii()
    assert quoted.isprintable()
    assert unquote(quoted.encode()) == data


def test_bytes_that_are_not_printable_are_written_in_hex() -> None:
    assert quote(b'\x00\t\r\n "\\\x7f~' + "é".encode()) == r'"\x00\x09\x0d\x0a \"\\\x7f~\xc3\xa9"'


@pytest.mark.parametrize(
    ("source", "data"),
    [
        (rb'""', b""),
        (rb'"nd"', b"nd"),
        (rb'"\a\b\f\n\r\t\v\\\""', b'\a\b\f\n\r\t\v\\"'),
        (rb'"\x00\xff\xE2"', b"\x00\xff\xe2"),
        (rb'"\u00e9\u2014"', "é—".encode()),
        (rb'"\U0001F642"', "🙂".encode()),
        (rb'"\000\101\377"', b"\x00A\xff"),
        (rb'"\1012"', b"A2"),
        (rb'"\x412"', b"A2"),
        (rb'"\ufffd"', "\ufffd".encode()),
        ('"é—🙂\u2028"'.encode(), "é—🙂\u2028".encode()),
        (b'"a\tb\x00c\x7f"', b"a\tb\x00c\x7f"),
        (b"\"it's `so`\"", b"it's `so`"),
        (b'"\xff\xe2\x80"', "\ufffd\ufffd\ufffd".encode()),  # Go reads a byte that is not UTF-8 as U+FFFD
        (rb'`a\n"b`', rb'a\n"b'),
        (b"`\xff`", b"\xff"),
        (b"`a\rb`", b"ab"),
        (b"``", b""),
        (b"'a'", b"a"),
        (rb"'\''", b"'"),
        (b"'\"'", b'"'),
        ("'é'".encode(), "é".encode()),
        (rb"'\xff'", b"\xff"),
    ],
)
def test_what_go_reads(source: bytes, data: bytes) -> None:
    assert unquote(source) == data


@pytest.mark.parametrize(
    "source",
    [
        b"", b'"', b"nd", b'"nd', b'nd"', b"\"nd'", b'"nd" ', b' "nd"', b'"a"b"', b'"a\nb"', b"`a`b`", b"`",
        rb'"\"', rb'"\x4"', rb'"\xg0"', rb'"\u12"', rb'"\U1234567"', rb'"\ud800"', rb'"\uDFFF"', rb'"\U00110000"', rb'"\08"', rb'"\1"',
        rb'"\400"', rb'"\777"', rb'"\q"', rb'"\X41"', rb'"\'"', rb"'\"'", b"''", b"'ab'", b"'''", rb'"\ "', rb'"\</w>"',
    ],
)  # fmt: skip
def test_what_go_refuses(source: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unquote(source)


spelled = st.lists(st.sampled_from([b"<", b"/", b"w", b">", b"</w>", b"a", b"\\", b"\xff"]), min_size=1, max_size=6).map(b"".join)
pieces = st.builds(Piece, spelled, st.booleans())
merged = st.lists(pieces, min_size=1, max_size=3).map(lambda parts: parts[0] if len(parts) == 1 else parts[0].joined(parts[1]))


@given(merged, merged)
def test_in_a_table_with_markers_two_pieces_are_never_written_alike(one: Piece, other: Piece) -> None:
    same = (one.bytes, one.marked, one.breaks) == (other.bytes, other.marked, other.breaks)
    assert (written_piece(one, True) == written_piece(other, True)) is same
    assert says(written_piece(one, True).encode(), other, True) is same


@pytest.mark.parametrize(
    ("source", "piece", "same"),
    [
        (rb'"est</w>"', Piece(b"est", marked=True), True),
        (rb'"\u0065st</w>"', Piece(b"est", marked=True), True),
        (rb"`est</w>`", Piece(b"est", marked=True), True),
        (rb'"est\x3c/w>"', Piece(b"est", marked=True), False),
        (rb'"est\x3c/w>"', Piece(b"est</w>"), True),
        (rb'"est</w>"', Piece(b"est</w>"), False),
        (rb'"est"', Piece(b"est", marked=True), False),
        (rb'"a</w>b</w>"', Piece(b"ab", marked=True, breaks=(1,)), True),
        (rb'"ab</w>"', Piece(b"ab", marked=True, breaks=(1,)), False),
        (b"'a'", Piece(b"a"), True),
        (b"'a'", Piece(b"a", marked=True), False),
    ],
)
def test_a_marker_is_told_from_text_that_spells_it(source: bytes, piece: Piece, same: bool) -> None:
    assert says(source, piece, True) is same


def test_without_markers_their_spelling_is_text() -> None:
    assert written_piece(Piece(b"</w>"), False) == '"</w>"'
    assert says(b'"</w>"', Piece(b"</w>"), False)
