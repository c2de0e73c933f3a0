"""How pieces are written: word ends, the stand-in, stray bytes, and cut to a width."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication

from explorer.core.vocabulary import Piece, PieceKind
from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.painting.piece_spelling import fitted, pair_label, piece_label, piece_spelling
from explorer.gui.painting.spelling import Sort, Spelling, spell
from explorer.gui.theme import Role, Theme
from explorer.gui.views.tree_picture import node_spelling


def merged(data: bytes, marked: bool = False, breaks: tuple[int, ...] = ()) -> Piece:
    return Piece(data, marked, PieceKind.MERGE, breaks)


@pytest.mark.parametrize(
    ("piece", "label"),
    [
        (merged(b"low"), "low"), (merged(b"est", marked=True), "est◂"), (merged(b"ofthe", True, (2,)), "of◂the◂"),
        (merged(b" a\tb\n"), "·a⇥b↵"), (merged(b"\xe2\x80"), "E280"), (Piece(b"", kind=PieceKind.STAND_IN), "UNK"),
        (Piece(b"", True, PieceKind.MARKER), "◂"), (Piece(b"</w>"), "</w>"), (merged("\u0301e".encode()), "\u25cc\u0301e"),
    ],
)  # fmt: skip
def test_labels(piece: Piece, label: str) -> None:
    assert piece_label(piece) == label


def test_a_pair_is_two_labels() -> None:
    assert pair_label(merged(b"s "), merged(b"stand")) == "s· + stand"


def test_a_break_splits_the_spelling() -> None:
    sorts = [part.sort for part in piece_spelling(merged(b"ofthe", True, (2,)))]
    assert sorts == [Sort.TEXT, Sort.MARKER, Sort.TEXT, Sort.MARKER]


def test_what_fits_is_left_as_it_is(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    spelling = spell(b"everything settles")
    assert fitted(spelling, Role.TOKEN, 1000) is spelling


@pytest.mark.parametrize("width", [30, 60, 61, 100, 133])
def test_what_is_too_wide_keeps_head_and_tail(qapp: QApplication, width: float) -> None:
    theme.apply(qapp, Theme.LIGHT)
    spelling = spell("everything sëttles there in the end and the \xff ground".encode("latin-1"))
    cut = fitted(spelling, Role.TOKEN, width)
    assert paint.piece_width(cut, Role.TOKEN) <= width
    texts = [part.text for part in cut]
    assert "…" in texts and cut[0].text[0] == "e" and (width < 60 or cut[-1].text[-1] == "d")


def test_a_mark_is_never_cut_from_its_letter(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    spelling = spell(("e\u0301" * 40).encode())
    for width in range(20, 120, 7):
        for part in fitted(spelling, Role.TOKEN, width):
            if part.text != "…":
                assert not part.text.startswith("\u0301") and part.text.endswith("\u0301")


class Book(bytes):
    """Bytes that are not to be decoded whole."""

    def decode(self, *_: object) -> str:
        raise AssertionError("decoded whole")


@pytest.mark.parametrize("spelling_of", [piece_spelling, node_spelling])
def test_of_a_piece_as_long_as_a_book_only_the_ends_are_spelled(spelling_of: Callable[[Piece], Spelling]) -> None:
    letters = "".join(chr(0x4E00 + at % 5_000) for at in range(20_000))
    book = Piece(Book(letters.encode()), True, PieceKind.MERGE, (6, 30_000, 59_994))
    head, mark, middle, dots, tail, inner, end, last = spelling_of(book)
    assert (mark.sort, inner.sort, last.sort) == (Sort.MARKER, Sort.MARKER, Sort.MARKER) and dots.text == "…"
    assert head.text == letters[:2] and letters.startswith(head.text + middle.text)
    assert end.text == letters[-2:] and letters.endswith(tail.text + end.text)
    assert len(head.text + middle.text) == len(tail.text + end.text) in (60, 500)
