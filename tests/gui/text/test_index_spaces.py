"""The three index spaces against a naive count, over the texts on which other tools slipped."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.gui.text.index_spaces import IndexSpaces

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
AWKWARD = ("a", "é", "e\u0301", "東", "\U0001f600", FAMILY, "\u05d1", "\u0628", "\0", "\ufeff", "\u2028", "\r", "\r\n", "\ufffd", "\uffff")

texts = st.lists(
    st.one_of(st.sampled_from(AWKWARD).map(str.encode), st.characters(exclude_categories=["Cs"]).map(str.encode), st.binary(max_size=4))
).map(b"".join)


def naive(data: bytes) -> list[tuple[int, int, int]]:
    """Byte, code point and unit at which each character starts, and those of the end."""
    found, at, units = [], 0, 0
    for n, letter in enumerate(data.decode("utf-8", "surrogateescape")):
        found.append((at, n, units))
        at += len(letter.encode("utf-8", "surrogateescape"))
        units += len(letter.encode("utf-16-le", "surrogatepass")) // 2
    return [*found, (at, len(found), units)]


@given(texts)
def test_every_offset_of_every_space_lands_where_a_naive_count_lands(data: bytes) -> None:
    spaces = IndexSpaces(data)
    starts = naive(data)
    assert (spaces.bytes_count, spaces.code_points_count, spaces.units_count) == starts[-1]
    for byte, point, unit in starts:
        assert (spaces.byte_of_code_point(point), spaces.unit_of_code_point(point)) == (byte, unit)
    holds = [max(s for s in starts if s[0] <= byte) for byte in range(len(data) + 1)]
    assert [spaces.code_point_of_byte(byte) for byte in range(len(data) + 1)] == [point for _, point, _ in holds]
    assert spaces.units_of_bytes(np.arange(len(data) + 1)).tolist() == [unit for _, _, unit in holds]
    holds = [max(s for s in starts if s[2] <= unit) for unit in range(spaces.units_count + 1)]
    assert [spaces.code_point_of_unit(unit) for unit in range(spaces.units_count + 1)] == [point for _, point, _ in holds]
    assert spaces.bytes_of_units(np.arange(spaces.units_count + 1)).tolist() == [byte for byte, _, _ in holds]


@given(texts)
def test_there_and_back_is_where_one_was(data: bytes) -> None:
    spaces = IndexSpaces(data)
    for point in range(spaces.code_points_count + 1):
        assert spaces.code_point_of_byte(spaces.byte_of_code_point(point)) == point
        assert spaces.code_point_of_unit(spaces.unit_of_code_point(point)) == point
        assert spaces.byte_of_unit(spaces.unit_of_byte(spaces.byte_of_code_point(point))) == spaces.byte_of_code_point(point)


@given(texts)
def test_the_text_for_qt_has_the_units_that_are_counted(data: bytes) -> None:
    spaces = IndexSpaces(data)
    assert len(spaces.qt_text.encode("utf-16-le")) == 2 * spaces.units_count
    assert spaces.text.encode("utf-8", "surrogateescape") == data


@given(texts, st.data())
def test_a_span_of_bytes_covers_the_characters_it_touches(data: bytes, draw: st.DataObject) -> None:
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    spaces = IndexSpaces(data)
    touched = [n for (a, n, _), (b, _, _) in zip(naive(data), naive(data)[1:], strict=False) if a < end and b > start]
    first, after = spaces.code_points_in(start, end)
    assert list(range(first, after)) == (touched if end > start else [])
    units = spaces.units_in(start, end)
    assert units == (spaces.unit_of_code_point(first), spaces.unit_of_code_point(after))
    low, high = spaces.bytes_in(*units)
    assert (low, high) == (spaces.byte_of_code_point(first), spaces.byte_of_code_point(after))


def test_case_004_the_colour_after_a_family_starts_at_unit_8() -> None:
    data = f"{FAMILY} ok".encode()
    spaces = IndexSpaces(data)
    assert (spaces.code_points_count, spaces.units_count, spaces.bytes_count) == (8, 11, 21)
    assert spaces.units_in(18, 21) == (8, 11)
    assert spaces.byte_of_unit(9) == 19  # a click on the "o"


def test_case_006_each_byte_of_an_arrow_lies_in_the_same_character() -> None:
    spaces = IndexSpaces("i ⭢ j".encode())
    assert [spaces.code_points_in(n, n + 1) for n in range(7)] == [(0, 1), (1, 2), (2, 3), (2, 3), (2, 3), (3, 4), (4, 5)]


def test_case_061_two_characters_of_three_bytes_each() -> None:
    spaces = IndexSpaces("ざこ".encode())
    assert spaces.code_points_of_bytes(np.arange(6)).tolist() == [0, 0, 0, 1, 1, 1]


def test_half_a_character_is_counted_byte_by_byte() -> None:
    spaces = IndexSpaces(b"a\xe2\x80b")
    assert (spaces.code_points_count, spaces.units_count) == (4, 4)
    assert spaces.qt_text == "a\ufffd\ufffdb"


def test_outside_is_an_error_and_never_counts_from_the_end() -> None:
    spaces = IndexSpaces(b"abc")
    for wrong in (-1, 4):
        for convert in (spaces.byte_of_code_point, spaces.unit_of_code_point, spaces.code_point_of_byte, spaces.code_point_of_unit):
            with pytest.raises(IndexError, match=f"offset {wrong} is outside 0..3"):
                convert(wrong)


def test_no_text_has_one_place() -> None:
    spaces = IndexSpaces(b"")
    assert (spaces.unit_of_byte(0), spaces.byte_of_unit(0), spaces.code_points_in(0, 0)) == (0, 0, (0, 0))
