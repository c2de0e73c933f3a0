"""The rows before any merge: their order and ids, and how pre-tokens are spelled in them."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import alphabet as module
from explorer.core.alphabet import BOUNDARY, FIRST_KEPT, KEPT_FROM, Alphabet, parts_of, symbols_of
from explorer.core.recipe import AlphabetKind, Recipe, Unknown
from explorer.core.vocabulary import Piece, PieceKind, byte_piece
from explorer.errors import TooLargeError

PUBLISHED, FALLBACK, SCRIPT = (Recipe.of(name) for name in ("published", "fallback", "script"))
characters = st.lists(st.sampled_from(["a", "b", "é", "中", "\udcff", "😀", "\u0301", "<", "\x00"]), max_size=8).map("".join)


def alphabet_of(text: str, recipe: Recipe) -> Alphabet:
    return Alphabet.of_symbols(set(symbols_of(coded(text), recipe.marker)), recipe)


def coded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def test_bytes_are_0_to_255() -> None:
    alphabet = Alphabet.of_bytes()
    assert alphabet.rows == tuple(byte_piece(value) for value in range(256))
    assert (alphabet.first_merged_id, alphabet.floor, alphabet.underneath, alphabet.stand_in) == (256, 256, 0, None)


def test_characters_stand_by_text_and_unmarked_before_marked() -> None:
    stray = Piece(b"\xff", kind=PieceKind.BYTE)  # as text a surrogate, less than U+FFEE; its byte alone would be more
    symbols = [Piece(b"b"), Piece(b"a", marked=True), Piece("\uffee".encode()), Piece(b"a"), Piece("\U00010000".encode()), stray]
    alphabet = Alphabet.of_symbols(symbols, PUBLISHED)
    assert alphabet.rows[0] == Piece(b"", kind=PieceKind.STAND_IN)
    assert [row.spelled() for row in alphabet.rows[1:]] == ["a", "a</w>", "b", "\udcff", "\uffee", "\U00010000"]
    assert (alphabet.first_merged_id, alphabet.floor, alphabet.stand_in) == (7, 7, 0)


def test_the_fallback_rows_stand_underneath_and_outside_the_size() -> None:
    alphabet = alphabet_of("ab", FALLBACK)
    assert alphabet.rows[:256] == tuple(byte_piece(value) for value in range(256))
    assert alphabet.rows[256:258] == (Piece(b"", marked=True, kind=PieceKind.MARKER), Piece(b"", kind=PieceKind.STAND_IN))
    assert [row.spelled() for row in alphabet.rows[258:]] == ["a", "b</w>"]
    assert (alphabet.first_merged_id, alphabet.floor, alphabet.underneath, alphabet.stand_in) == (260, 3, 257, 257)


def test_a_recipe_that_keeps_has_no_stand_in() -> None:
    alphabet = alphabet_of("ab", SCRIPT)
    assert [row.spelled() for row in alphabet.rows] == ["a", "b"]
    assert (alphabet.stand_in, alphabet.floor) == (None, 2)


def test_an_invalid_byte_takes_a_row_of_kind_byte_or_the_byte_row_that_is_there() -> None:
    assert alphabet_of("\udcff\udcff", PUBLISHED).rows[1:] == (
        Piece(b"\xff", kind=PieceKind.BYTE), Piece(b"\xff", True, PieceKind.BYTE),
    )
    assert alphabet_of("\udcff\udcff", FALLBACK).rows[258:] == (Piece(b"\xff", True, PieceKind.BYTE),)


def test_a_character_that_spells_a_special_row_is_another_row() -> None:
    alphabet = alphabet_of("<", FALLBACK)
    assert alphabet.ids[Piece(b"<", marked=True)] == 258
    assert alphabet.ids[byte_piece(0x3C)] == 0x3C


@settings(max_examples=200)
@given(characters, characters, st.sampled_from(Unknown), st.booleans(), st.booleans())
def test_a_spelling_covers_every_byte_in_order(there: str, text: str, unknown: Unknown, marker: bool, ends_word: bool) -> None:
    recipe = replace(PUBLISHED, unknown=unknown, marker=marker)
    alphabet = alphabet_of(there, recipe)
    kept: dict[str, str] = {}
    spelled = alphabet.spell(coded(text), ends_word, kept)
    assert len(spelled.ids) == len(spelled.widths)
    assert sum(spelled.widths) == len(coded(text))
    start = 0
    for character, width in zip(spelled.ids, spelled.widths, strict=True):
        covered, start = coded(text)[start : start + width], start + width
        if ord(character) < alphabet.first_merged_id:
            row = alphabet.rows[ord(character)]
            assert row.bytes == covered or row.kind is PieceKind.STAND_IN
        else:
            assert unknown is Unknown.KEEP
            assert kept[covered.decode("utf-8", "surrogateescape")] == character
            assert KEPT_FROM <= ord(character) <= FIRST_KEPT < ord(BOUNDARY) - 1


@given(st.binary(max_size=30))
def test_bytes_spell_themselves(data: bytes) -> None:
    spelled = Alphabet.of_bytes().spell(data, True)
    assert [ord(c) for c in spelled.ids] == list(data)
    assert list(spelled.widths) == [1] * len(data)


def test_kept_characters_have_one_number_each() -> None:
    kept: dict[str, str] = {}
    alphabet = alphabet_of("a", SCRIPT)
    first = alphabet.spell(b"axyx", True, kept).ids
    assert first[1] == first[3] != first[2]
    assert alphabet.spell(b"yx", True, kept).ids == first[2] + first[1]


def test_more_different_characters_than_have_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_FROM", FIRST_KEPT - 1)
    alphabet = alphabet_of("a", SCRIPT)
    assert len(alphabet.spell(b"xy", True, {}).ids) == 2
    with pytest.raises(TooLargeError, match="More than 2 different characters"):
        alphabet.spell(b"xyz", True, {})


@given(characters, st.booleans())
def test_the_symbols_of_a_pre_token_are_its_characters(text: str, marked: bool) -> None:
    symbols = list(symbols_of(coded(text), marked))
    assert b"".join(symbol.bytes for symbol in symbols) == coded(text)
    assert [symbol.marked for symbol in symbols] == [marked and n == len(text) - 1 for n in range(len(text))]
    assert [symbol.kind for symbol in symbols] == [PieceKind.BYTE if c == "\udcff" else PieceKind.SYMBOL for c in text]


WHOLE, BROKEN = ["a", "é", "中", "😀"], [b"\x80", b"\xff", b"\xe4\xb8", b"\xf0\x9f"]
long_words = st.lists(st.sampled_from([*map(str.encode, WHOLE), *BROKEN]), max_size=40).map(b"".join)


@given(long_words | st.binary(max_size=60), st.integers(4, 9), st.booleans())
def test_a_long_pre_token_is_spelled_in_parts_as_it_is_whole(word: bytes, most: int, ends_word: bool) -> None:
    alphabet = Alphabet.of_symbols(symbols_of("aé中é".encode(), True), Recipe.of("published"))
    whole = alphabet.spell(word, ends_word)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PART", most)
        parts = list(parts_of(word))
        assert alphabet.spell(word, ends_word) == whole
    assert b"".join(part for part, _ in parts) == word
    assert all(len(part) <= most for part, _ in parts)
    assert [is_last for _, is_last in parts] == [False] * (len(parts) - 1) + [True]


def test_the_kind_follows_the_recipe() -> None:
    assert alphabet_of("a", PUBLISHED).kind is AlphabetKind.CHARACTERS
    assert Alphabet.of_bytes().kind is AlphabetKind.BYTES
