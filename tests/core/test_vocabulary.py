"""Pieces: what they join to, read as, sort by and decode to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.vocabulary import Piece, PieceKind, byte_piece, piece_text

symbols = st.builds(Piece, st.sampled_from([b"a", b"b", "é".encode(), b"\xff"]), st.booleans())


@given(symbols, symbols, symbols)
def test_joining_is_the_same_whichever_side_comes_first(a: Piece, b: Piece, c: Piece) -> None:
    assert a.joined(b).joined(c) == a.joined(b.joined(c))
    assert a.joined(b).joined(c).spelled() == a.spelled() + b.spelled() + c.spelled()
    assert a.joined(b).joined(c).decoded() == a.decoded() + b.decoded() + c.decoded()


def test_markers_inside_a_piece_are_kept_where_they_were() -> None:
    piece = Piece(b"of", marked=True).joined(Piece(b"the", marked=True))
    assert piece == Piece(b"ofthe", True, PieceKind.MERGE, (2,))
    assert (piece.spelled(), piece.decoded()) == ("of</w>the</w>", b"of the ")


def test_a_marker_is_no_spelling() -> None:
    assert Piece(b"a", marked=True) != Piece(b"a</w>")
    assert Piece(b"a", marked=True).spelled() == Piece(b"a</w>").spelled()
    assert Piece(b"", kind=PieceKind.STAND_IN) != Piece(b"[UNK]")


@pytest.mark.parametrize(
    ("piece", "in_bytes", "text"),
    [
        (Piece(b"a"), False, "a"),
        (Piece(b"a", marked=True), False, "a</w>"),
        (byte_piece(0x41), False, "<0x41>"),
        (byte_piece(0x41), True, "A"),
        (byte_piece(0xC3), True, None),
        (Piece(b"\xff", True, PieceKind.BYTE), False, "<0xFF></w>"),
        (Piece(b"", kind=PieceKind.STAND_IN), False, "[UNK]"),
        (Piece(b"", marked=True, kind=PieceKind.MARKER), False, "</w>"),
        (Piece(b"\xc3\xa9", kind=PieceKind.MERGE), True, "é"),
        (Piece(b"\xa9\xc3", kind=PieceKind.MERGE), True, None),
    ],
)
def test_a_piece_reads_as_text_or_not_at_all(piece: Piece, in_bytes: bool, text: str | None) -> None:
    assert piece_text(piece, in_bytes) == text


def test_the_stand_in_decodes_to_its_name() -> None:
    assert Piece(b"", kind=PieceKind.STAND_IN).decoded() == b"[UNK]"
    assert Piece(b"", marked=True, kind=PieceKind.MARKER).decoded() == b" "
