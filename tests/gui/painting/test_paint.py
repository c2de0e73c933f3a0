"""How pieces are spelled and drawn: text as text, everything that would not be seen by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.painting.spelling import MARKER, Part, Sort, shown, spell
from explorer.gui.theme import Role, Theme

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@pytest.fixture(autouse=True)
def light_again(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)


@pytest.mark.parametrize(
    ("piece", "label"),
    [
        (b"the ", "the "),
        (b"", ""),
        (b"\xe2\x80", "E280"),
        (b"a\xffb", "aFFb"),
        (b"\x00", "NUL"),
        (b"\r\n", "CRLF"),
        (b"\t", "TAB"),
        (b"\x7f", "DEL"),
        ("\ufeffa".encode(), "BOMa"),
        ("\u2028".encode(), "U+2028"),
        ("\u3000".encode(), "U+3000"),
        ("\u00a0".encode(), "NBSP"),
        ("\u00ad".encode(), "SHY"),
        ("\u200d".encode(), "ZWJ"),
        ("a\u200d".encode(), "aZWJ"),
        ("a\u200cb".encode(), "aZWNJb"),
        ("\u202e".encode(), "U+202E"),
        ("\ue000".encode(), "U+E000"),
        ("\uffff".encode(), "U+FFFF"),
        ("\ufffd".encode(), "\ufffd"),
        ("\u0307e".encode(), "\u25cc\u0307e"),
        ("e\u0307".encode(), "e\u0307"),
        (" \u0301".encode(), " \u25cc\u0301"),
        ("\ufe0f".encode(), "VS16"),
        ("\u2764\ufe0f".encode(), "\u2764\ufe0f"),
        (FAMILY.encode(), FAMILY),
        (FAMILY.encode()[4:], FAMILY[1:].replace("\u200d", "ZWJ", 1)),
        ("\u0915\u094d\u200d\u0937".encode(), "\u0915\u094d\u200d\u0937"),
        ("東京".encode(), "東京"),
        ("\u0600".encode(), "\u0600"),
    ],
)
def test_a_piece_is_shown_so_that_it_can_be_read(piece: bytes, label: str) -> None:
    assert shown(piece) == label


def test_the_end_of_a_word_is_a_part_of_its_own() -> None:
    assert shown(b"est", marked=True) == "est\u25c2"
    assert spell(b"est", True) == (Part("est", Sort.TEXT), Part(MARKER, Sort.MARKER))
    assert spell("est\u25c2".encode()) == (Part("est\u25c2", Sort.TEXT),)  # a corpus that spells the sign itself


def test_names_and_text_that_says_the_same_are_told_apart_when_drawn() -> None:
    assert spell(b"\x00") == (Part("NUL", Sort.CONTROL),) != spell(b"NUL")
    assert spell(b"\xff") == (Part("FF", Sort.STRAY),) != spell(b"FF")


@given(st.lists(st.one_of(st.binary(max_size=6), st.text(max_size=4).map(lambda t: t.encode("utf-8", "surrogatepass")))).map(b"".join))
def test_any_bytes_have_a_spelling_that_hides_nothing(data: bytes) -> None:
    parts = spell(data)
    assert bool(parts) == bool(data)
    assert all(part.text for part in parts)
    assert sum(part.sort is Sort.SPACE for part in parts) == data.count(b" ")
    stray = sum("\udc80" <= c <= "\udcff" for c in data.decode("utf-8", "surrogateescape"))
    assert sum(part.sort is Sort.STRAY for part in parts) == stray
    written = "".join(part.text for part in parts if part.sort in (Sort.TEXT, Sort.MARK))
    assert not any(c < " " or c in "\u2028\u2029\ufeff" or "\ud800" <= c <= "\udfff" for c in written)


def picture() -> tuple[QImage, QPainter]:
    image = QImage(200, 40, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.current().page)
    p = QPainter(image)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    return image, p


def colours(image: QImage, box: QRectF | None = None) -> set[str]:
    area = (box or QRectF(image.rect())).toRect()
    return {QColor(image.pixelColor(x, y)).name() for x in range(area.left(), area.right()) for y in range(area.top(), area.bottom())}


@pytest.mark.parametrize("piece", [b"the ", b"\t", b"\n", b"\x00", b"\xff", "\u0307".encode(), "東".encode(), b""])
def test_a_piece_takes_the_width_it_says(piece: bytes) -> None:
    image, p = picture()
    spelling = spell(piece, marked=True)
    after = paint.draw_piece(p, theme.current(), spelling, 10, QRectF(10, 5, 150, 30), Role.TOKEN)
    p.end()
    assert after == pytest.approx(10 + paint.piece_width(spelling, Role.TOKEN))
    assert colours(image, QRectF(0, 0, 9, 40)) == {theme.current().page.name()}
    assert colours(image, QRectF(after + 1, 0, 199 - after, 40)) == {theme.current().page.name()}
    assert len(colours(image)) > 1


def test_every_sort_draws_something_of_its_own() -> None:
    seen = set()
    for part in (Part("a", Sort.TEXT), *spell(b" \t\n\x01\xff"), *spell("\u0301".encode()), Part(MARKER, Sort.MARKER)):
        image, p = picture()
        paint.draw_part(p, theme.current(), part, QRectF(40, 5, 60, 30), Role.TEXT, theme.current().ink)
        p.end()
        seen.add(bytes(image.constBits()))
    assert len(seen) == 8


def test_a_stray_byte_is_hatched_in_the_colour_of_errors() -> None:
    image, p = picture()
    paint.draw_piece(p, theme.current(), spell(b"\xff"), 10, QRectF(10, 5, 60, 30), Role.TOKEN)
    p.end()
    assert {theme.current().error_fill.name()} <= colours(image)


def test_chips_and_pairs_are_as_wide_as_they_say_and_carry_their_tints() -> None:
    ink = theme.current()
    image, p = picture()
    box = paint.chip(p, ink, spell(b"the "), 4, 4, 22, Role.TOKEN, ink.tints[1])
    pair = paint.pair_chip(p, ink, (spell(b"a"), "b"), 80, 4, 22, Role.TOKEN)
    p.end()
    assert box.width() == paint.chip_width(spell(b"the "), Role.TOKEN)
    assert pair.width() == pytest.approx(paint.pair_width((spell(b"a"), "b"), Role.TOKEN))
    assert ink.tints[1].name() in colours(image, box)
    assert {ink.tints[0].name(), ink.tints[1].name()} <= colours(image, pair)


def test_words_end_where_they_say_they_do() -> None:
    ink = theme.current()
    image, p = picture()
    left = paint.words_to(p, paint.thousands(7123), 100, 20, Role.FIGURE, ink.ink)
    p.end()
    assert paint.thousands(7123) == "7\u2009123"
    assert left == pytest.approx(100 - theme.metrics(Role.FIGURE).horizontalAdvance("7\u2009123"))
    assert colours(image, QRectF(102, 0, 90, 40)) == {ink.page.name()}


def test_a_badge_has_room_for_its_word() -> None:
    ink = theme.current()
    image, p = picture()
    box = paint.badge(p, "tie of 7", 10, 20, ink.tie, ink.tie_fill)
    p.end()
    assert box.width() > theme.metrics(Role.CAPTION).horizontalAdvance("tie of 7")
    assert ink.tie_fill.name() in colours(image, box)


def test_long_words_are_cut_to_their_room() -> None:
    assert paint.elided("a long word", Role.LABEL, 40).endswith("…")
    assert paint.elided("ab", Role.LABEL, 40) == "ab"


def test_everything_grows_with_the_zoom(qapp: QApplication) -> None:
    small = paint.chip_width(spell(b"a\x00 \xff\t"), Role.TOKEN)
    theme.apply(qapp, Theme.LIGHT, zoom=2.0)
    assert paint.chip_width(spell(b"a\x00 \xff\t"), Role.TOKEN) == pytest.approx(2 * small, rel=0.02)
