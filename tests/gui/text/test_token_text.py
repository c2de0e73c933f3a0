"""Text with its tokens: where everything lies, what is under a point, and what is painted."""

import time
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from explorer.gui import theme
from explorer.gui.painting.spelling import Sort
from explorer.gui.text.cells import cells_of
from explorer.gui.text.spans import Span, Spans
from explorer.gui.text.token_text import NO_WRAP, Emphasis, TextLayout
from explorer.gui.theme import COLOURS, Role, Theme
from explorer.gui.tinting import Tinting
from tests.gui.colour_maths import contrast

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
AWKWARD = ("a", " ", "\t", "\n", "\r\n", "é", "e\u0301", "\u0301", "東", "\U0001f600", FAMILY, "\u05d1\u05e0", "\u0633\u0644", "\0",
           "\ufeff", "\u2028", "\u200d", "\ufffd", "\u0e33", "\U0001f1e9\U0001f1ea", "word ")  # fmt: skip

texts = st.lists(st.one_of(st.sampled_from(AWKWARD).map(str.encode), st.binary(max_size=3))).map(b"".join)


@pytest.fixture(autouse=True)
def light_again(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)


def cut(*lengths: int, marked: Sequence[int] = ()) -> Spans:
    """Tokens of so many bytes one after the other, with ids 0, 1, ...; those in `marked` end a word."""
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return Spans.of([Span(end - size, end, n, size <= 1, n in marked) for n, (end, size) in enumerate(zip(ends, lengths, strict=True))])


def painted(layout: TextLayout, emphasis: Emphasis = Emphasis(), tinting: Tinting = Tinting.TURNS, ratio: int = 1) -> QImage:  # noqa: B008
    """The picture of a layout on the page."""
    image = QImage(ratio * (round(layout.extent) + 8), ratio * (round(layout.height) + 8), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(theme.current().page)
    p = QPainter(image)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    layout.paint(p, None, emphasis, tinting)
    p.end()
    return image


def colours(image: QImage, box: QRectF) -> set[str]:
    area = box.toRect()
    return {
        QColor(image.pixelColor(x, y)).name() for x in range(area.left(), area.right() + 1) for y in range(area.top(), area.bottom() + 1)
    }


@st.composite
def tokenized(draw: st.DrawFn) -> tuple[bytes, Spans]:
    """Any bytes, cut anywhere, some bytes in no token, some tokens that end a word with a marker."""
    data = draw(texts)
    edges = sorted({0, len(data), *draw(st.lists(st.integers(0, len(data)), max_size=12))})
    kept = [(a, b) for a, b in pairwise(edges) if draw(st.integers(0, 9))]
    found = [Span(a, b, draw(st.integers(0, 3)), b - a == 1, data[b : b + 1] in (b"", b" ") and draw(st.booleans())) for a, b in kept]
    return data, Spans.of(found)


@given(tokenized(), st.sampled_from([20.0, 90.0, 300.0, NO_WRAP]), st.sampled_from([Role.TOKEN, Role.TEXT]))
@settings(max_examples=150, deadline=None)
def test_every_byte_lies_somewhere_and_is_found_there(given_text: tuple[bytes, Spans], width: float, role: Role) -> None:
    data, spans = given_text
    layout = TextLayout(data, spans, role, width)
    rows, cells = layout.rows, layout.rows.cells
    assert [int(cells.starts[n]) for n in range(len(cells))][:1] in ([], [0])
    assert all(cells.ends[n] == cells.starts[n + 1] for n in range(len(cells) - 1))
    assert len(data) == (int(cells.ends[-1]) if len(cells) else 0)
    for n in range(len(cells)):
        row, size = int(rows.row_of[n]), int(cells.ends[n] - cells.starts[n])
        for byte in range(size):
            along = (size - byte - 0.5 if rows.turned[n] else byte + 0.5) / size
            x = float(rows.left[n] + along * cells.widths[n])
            point = QPointF(x, (row + 0.5) * rows.shape.line)
            assert layout.byte_at(point) == cells.starts[n] + byte
            assert layout.span_at(point) == spans.at_byte(int(cells.starts[n]) + byte)
    for row in range(len(rows)):
        first, after = int(rows.firsts[row]), int(rows.firsts[row + 1])
        assert after > first
        assert after == first + 1 or float(rows.right[first:after].max()) <= width + 0.01
        by_left = sorted(range(first, after), key=lambda n: float(rows.left[n]))
        assert all(rows.right[one] == pytest.approx(rows.left[two]) for one, two in pairwise(by_left))
        assert all(cells.sort(n) is not Sort.NEWLINE for n in range(first, after - 1))


@given(tokenized(), st.sampled_from([50.0, 200.0, NO_WRAP]))
@settings(max_examples=100, deadline=None)
def test_the_boxes_of_a_token_are_where_its_bytes_are(given_text: tuple[bytes, Spans], width: float) -> None:
    data, spans = given_text
    layout = TextLayout(data, spans, Role.TEXT, width)
    for n in range(len(spans)):
        boxes = layout.boxes(n)
        assert boxes
        assert len({(box.top(), box.left()) for box in boxes}) == len(boxes)
        for box in boxes:
            assert layout.span_at(box.center()) == n
            assert layout.span_at(QPointF(box.left() + 0.01, box.center().y())) == n
            assert layout.span_at(QPointF(box.right() - 0.01, box.center().y())) == n


@given(tokenized())
@settings(max_examples=60, deadline=None)
def test_anything_can_be_painted(given_text: tuple[bytes, Spans]) -> None:
    layout = TextLayout(*given_text, Role.TEXT, 200)
    painted(layout, Emphasis(new=1, pair=(0, 0), hovered=0, hovered_id=2, selected_id=1), Tinting.IDENTITY)
    painted(layout, Emphasis(pair=(0, 1)), Tinting.NONE, ratio=2)


@given(texts)
@settings(max_examples=100, deadline=None)
def test_cells_are_grapheme_clusters_and_hide_nothing(data: bytes) -> None:
    cells = cells_of(data, Spans.none(), Role.TEXT)
    for n in range(len(cells)):
        covered = data[cells.starts[n] : cells.ends[n]].decode("utf-8", "surrogateescape")
        part = cells.part(n)
        assert part.sort is cells.sort(n)
        if part.sort is Sort.TEXT:
            assert part.text.strip("\u200d") == covered.strip("\u200d")
        if part.sort is Sort.STRAY:
            assert part.text == f"{ord(covered) & 255:02X}"
        assert cells.widths[n] > 0


def test_case_004_the_token_after_a_family_is_the_one_under_its_letters() -> None:
    data = f"{FAMILY} ok".encode()
    layout = TextLayout(data, cut(18, 3), Role.TEXT)
    box = layout.boxes(1)[0]
    cell = layout.rows.cells.widths
    assert layout.byte_at(QPointF(box.left() + float(cell[1]) + 1, box.center().y())) == 19
    assert layout.span_at(QPointF(box.left() + float(cell[1]) + 1, box.center().y())) == 1
    assert box.left() == layout.boxes(0)[0].right()


def test_case_006_each_byte_of_an_arrow_is_a_token_with_a_third_of_it() -> None:
    layout = TextLayout("i ⭢ j".encode(), cut(1, 1, 1, 1, 1, 1, 1), Role.TEXT)
    thirds = [layout.boxes(n)[0] for n in (2, 3, 4)]
    assert len({round(box.width(), 3) for box in thirds}) == 1
    assert all(one.right() == pytest.approx(two.left()) for one, two in pairwise(thirds))
    assert [layout.span_at(box.center()) for box in thirds] == [2, 3, 4]
    assert layout.boxes(6)[0].right() == pytest.approx(layout.extent)


def test_case_020_characters_in_pieces_are_drawn_whole_and_nothing_is_replaced() -> None:
    data = "東京 \U0001f600 \ufffd".encode()
    layout = TextLayout(data, cut(*[1] * len(data)), Role.TEXT)
    shown = [layout.rows.cells.part(n).text for n in range(len(layout.rows.cells))]
    assert shown == ["東", "京", " ", "\U0001f600", " ", "\ufffd"]
    assert layout.rows.cells.cut.tolist() == [True, True, False, True, False, True]


def test_case_061_three_tokens_share_a_character_and_the_next_three_another() -> None:
    layout = TextLayout("ざこ".encode(), cut(*[1] * 6), Role.TEXT)
    assert [layout.rows.cell_at(layout.boxes(n)[0].center()) for n in range(6)] == [0, 0, 0, 1, 1, 1]
    assert [layout.byte_at(layout.boxes(n)[0].center()) for n in range(6)] == list(range(6))


def test_case_084_every_border_of_two_letters_in_three_tokens_is_seen() -> None:
    layout = TextLayout("\u05d1\u05e0".encode(), cut(2, 1, 1), Role.TEXT)
    image = painted(layout)
    ink, rows = theme.current(), layout.rows
    first, second = (QRectF(float(rows.left[n]), 0, float(rows.cells.widths[n]), layout.height) for n in (0, 1))
    assert ink.tints[0].name() in colours(image, first.adjusted(1, 0, -1, 0))  # the whole letter has its tint
    assert second.right() == pytest.approx(first.left())  # Hebrew
    between = QRectF(second.right() - 1, rows.shape.top + rows.shape.tint - 2, 1, 1)
    assert ink.edge.name() in colours(image, between)  # a tick between the letters
    bar = QRectF(second.left(), rows.shape.bar_top, second.width(), rows.shape.bar)
    halves = [colours(image, half) for half in (QRectF(bar.left() + 1, bar.top(), 2, 3), QRectF(bar.center().x() + 1, bar.top(), 2, 3))]
    assert ink.edge_2.name() in halves[0]
    assert ink.edge.name() in halves[1]
    assert [layout.span_at(layout.boxes(n)[0].center()) for n in range(3)] == [0, 1, 2]


def lefts(text: str) -> str:
    """The characters of one row as they stand on the screen."""
    rows = TextLayout(text.encode(), Spans.none(), Role.TEXT).rows
    return "".join(rows.cells.part(n).text.strip("\u200d") for n in sorted(range(len(text)), key=lambda n: float(rows.left[n])))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("abc", "abc"),
        ("\u05d0\u05d1\u05d2", "\u05d2\u05d1\u05d0"),
        ("a \u05d0\u05d1 \u05d2 b", "a \u05d2 \u05d1\u05d0 b"),
        ("\u05d0\u05d1 12 \u05d2.", "\u05d2 12 \u05d1\u05d0."),
        ("\u05d0 12 b", "12 \u05d0 b"),
        ("\u0627\u0644x\u0628", "\u0644\u0627x\u0628"),
    ],
)
def test_right_to_left_words_stand_as_they_are_read(text: str, seen: str) -> None:
    assert lefts(text) == seen.replace(" ", " ")


def test_the_tokens_of_a_right_to_left_word_follow_each_other_to_the_left() -> None:
    layout = TextLayout("a\u05d0\u05d1\u05d2b".encode(), cut(1, 2, 3, 1, 1), Role.TEXT)
    letter, whole, half, after = (layout.boxes(n)[0] for n in (1, 2, 3, 4))
    assert letter.left() == pytest.approx(whole.right())
    assert whole.left() == pytest.approx(half.right())
    assert half.left() == pytest.approx(layout.boxes(0)[0].right())
    assert after.left() == pytest.approx(letter.right())
    assert [layout.span_at(box.center()) for box in (letter, whole, half, after)] == [1, 2, 3, 4]


def test_a_token_that_runs_both_ways_has_a_box_for_each() -> None:
    layout = TextLayout("ab\u05d0\u05d1".encode(), cut(1, 3, 2), Role.TEXT)
    assert [layout.span_at(box.center()) for box in layout.boxes(1)] == [1, 1]
    assert layout.boxes(1)[1].left() > layout.boxes(2)[0].left()


def test_arabic_letters_have_the_forms_of_their_word() -> None:
    cells = cells_of("\u0633\u0644\u0627\u0645 \u0645".encode(), Spans.none(), Role.TEXT)
    zwj = "\u200d"
    assert [cells.part(n).text for n in range(len(cells))] == [f"\u0633{zwj}", f"{zwj}\u0644{zwj}", f"{zwj}\u0627", "\u0645", " ", "\u0645"]


def test_numbers_among_right_to_left_words_are_drawn_in_their_place() -> None:
    layout = TextLayout("\u05d0 88 \u05d1".encode(), Spans.none(), Role.TEXT)
    image, rows = painted(layout), layout.rows
    inked = []
    for n in range(1, 5):
        box = QRectF(float(rows.left[n]) + 1, 6, float(rows.cells.widths[n]) - 3, 20)
        inked.append(any(QColor(colour).lightness() < 70 for colour in colours(image, box)))
    assert inked == [False, True, True, False]  # a space's dot is lighter


def test_case_086_a_family_is_one_picture_in_one_token_and_in_several() -> None:
    whole, torn = (TextLayout(FAMILY.encode(), spans, Role.TEXT) for spans in (cut(18), cut(4, 3, 4, 7)))
    for layout in (whole, torn):
        assert [layout.rows.cells.part(n).text for n in range(len(layout.rows.cells))] == [FAMILY]
    assert torn.data.decode() == FAMILY
    assert torn.extent >= 18 * 4  # room for its bar
    assert [torn.span_at(torn.boxes(n)[0].center()) for n in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("worn", Theme)
def test_case_101_letters_on_painted_tints_can_be_read(worn: Theme, qapp: QApplication) -> None:
    theme.apply(qapp, worn)
    layout = TextLayout(b"  " * 20, cut(*[2] * 20), Role.TEXT)
    image = painted(layout, tinting=Tinting.TURNS)
    for n in range(20):
        box = layout.boxes(n)[0]
        ground = image.pixelColor(round(box.center().x()), round(box.top() + 4)).name()
        assert ground.upper() == COLOURS[worn].tints[n % 4]
        assert contrast(COLOURS[worn].ink, ground) >= 7


def test_single_symbols_have_ticks_and_no_tint() -> None:
    layout = TextLayout(b"abcd", cut(1, 1, 2), Role.TOKEN)
    image, ink = painted(layout), theme.current()
    one, two, merged = (layout.boxes(n)[0] for n in range(3))
    assert colours(image, QRectF(one.left() + 2, one.top() + 1, 1, 1)) == {ink.page.name()}
    assert ink.tints[0].name() in colours(image, merged.adjusted(2, 2, -2, -2))
    foot = one.bottom()
    short, tall = round(one.right()) - 1, round(two.right()) - 1
    assert [image.pixelColor(short, round(foot) - n).name() == ink.edge.name() for n in range(1, 7)] == [True] * 3 + [False] * 3
    assert [image.pixelColor(tall, round(foot) - n).name() == ink.edge.name() for n in range(1, 7)] == [True] * 5 + [False]
    assert image.pixelColor(0, round(foot) - 1).name() != ink.edge.name()  # none at the start of a row


def test_the_newest_token_has_a_tint_and_a_line() -> None:
    layout = TextLayout(b"abcdef", cut(3, 3), Role.TEXT)
    image, ink = painted(layout, Emphasis(new=1)), theme.current()
    old, new = layout.boxes(0)[0], layout.boxes(1)[0]
    line = QRectF(new.left() + 4, new.bottom() - 2, new.width() - 8, 1)
    assert colours(image, line) == {ink.new.name()}
    assert ink.new_fill.name() in colours(image, new)
    assert ink.new.name() not in colours(image, old.adjusted(2, 0, -2, 0))


def test_the_next_pair_is_ringed_with_a_tick_inside_and_never_over_a_boundary() -> None:
    ids = [5, 6, 5, 6, 6]
    spans = Spans.of([Span(2 * n, 2 * n + 2, token, False) for n, token in enumerate(ids)])
    layout = TextLayout(b"aabbaabbbb", spans, Role.TEXT)
    image, accent = painted(layout, Emphasis(pair=(5, 6))), theme.current().accent.name()
    joints = [round(layout.boxes(n)[0].right()) - 1 for n in range(5)]
    middle = round(layout.boxes(0)[0].center().y() - 9)
    seen = [accent in {image.pixelColor(x + near, middle).name() for near in (0, 1)} for x in joints]
    assert seen == [True, True, True, True, False]  # inside the first, between the two, inside and at the end of the second
    assert [image.pixelColor(joints[0], middle + n).name() for n in range(12)] == [accent] * 12
    grouped = Spans(spans.starts, spans.ends, spans.ids, spans.single, spans.marked, groups=spans.ids * 0 + [0, 1, 1, 1, 1])
    assert grouped.pairs(5, 6).tolist() == [2]
    assert spans.pairs(6, 6).tolist() == [3]


def test_a_pair_of_the_same_token_is_ringed_where_it_would_be_merged() -> None:
    spans = Spans.of([Span(n, n + 1, 7, True) for n in range(5)] + [Span(5, 6, 8, True)] + [Span(n, n + 1, 7, True) for n in (6, 7, 8)])
    assert spans.pairs(7, 7).tolist() == [0, 2, 6]
    assert Spans.none().pairs(1, 1).tolist() == []


def test_hovered_and_selected_tokens_are_ringed_everywhere() -> None:
    spans = Spans.of([Span(3 * n, 3 * n + 3, n % 2, False) for n in range(4)])
    layout = TextLayout(b"aaabbbaaabbb", spans, Role.TEXT)
    plain, image = painted(layout), painted(layout, Emphasis(hovered=1, selected_id=0))
    edges = [QRectF(box.center().x(), box.top() - 2, 1, 3) for box in (layout.boxes(n)[0] for n in range(4))]
    assert [theme.current().accent.name() in colours(image, edge) for edge in edges] == [True, False, True, False]
    assert [colours(image, edge) != colours(plain, edge) for edge in edges] == [True, True, True, False]


def test_identity_gives_a_token_the_same_tint_everywhere_and_none_gives_none() -> None:
    spans = Spans.of([Span(2 * n, 2 * n + 2, token, False) for n, token in enumerate((300, 301, 300, 302, 300))])
    layout = TextLayout(b"  " * 5, spans, Role.TEXT)
    image = painted(layout, tinting=Tinting.IDENTITY)
    grounds = [image.pixelColor(round(box.center().x()), round(box.top() + 3)).name() for box in (layout.boxes(n)[0] for n in range(5))]
    assert grounds[0] == grounds[2] == grounds[4]
    assert len(set(grounds)) > 1
    plain = painted(layout, tinting=Tinting.NONE)
    assert plain.pixelColor(4, round(layout.boxes(0)[0].top() + 3)).name() == theme.current().page.name()


def test_the_end_of_a_word_is_drawn_after_it_and_belongs_to_its_token() -> None:
    layout = TextLayout(b"low er", cut(3, 1, 2, marked=(0, 2)), Role.TEXT)
    cells = layout.rows.cells
    assert [cells.sort(n) for n in range(len(cells))].count(Sort.MARKER) == 2
    box = layout.boxes(0)[0]
    assert layout.span_at(QPointF(box.right() - 1, box.center().y())) == 0
    assert layout.byte_at(QPointF(box.right() - 1, box.center().y())) == 2
    assert layout.boxes(1)[0].left() == pytest.approx(box.right())


def test_a_bare_marker_is_a_token_of_no_bytes() -> None:
    spans = Spans.of([Span(0, 2, 1, False), Span(2, 2, 256, True, True), Span(3, 4, 2, True)])
    layout = TextLayout(b"ab c", spans, Role.TEXT)
    box = layout.boxes(1)[0]
    assert layout.span_at(box.center()) == 1
    assert layout.boxes(0)[0].right() == pytest.approx(box.left())
    assert spans.at_byte(2) is None


def test_words_that_end_inside_a_token_are_marked_there() -> None:
    spans = cut(5, marked=(0,))
    inner = Spans(spans.starts, spans.ends, spans.ids, spans.single, spans.marked, word_ends=spans.ends - 3)
    cells = TextLayout(b"ab cd", inner, Role.TEXT).rows.cells
    assert [cells.sort(n) for n in range(len(cells))] == [Sort.TEXT] * 2 + [Sort.MARKER, Sort.SPACE] + [Sort.TEXT] * 2 + [Sort.MARKER]


def test_a_row_breaks_after_a_blank_where_it_can_and_between_letters_where_it_must() -> None:
    cell = theme.metrics(Role.TOKEN).horizontalAdvance("0")
    layout = TextLayout(b"one two threefour\n\nx", Spans.none(), Role.TOKEN, 8 * cell)
    spans = [layout.rows.bytes_of_row(n) for n in range(len(layout.rows))]
    assert [layout.data[a:b] for a, b in spans] == [b"one two ", b"threefou", b"r\n", b"\n", b"x"]


def test_a_token_that_goes_on_in_the_next_row_has_a_box_in_each() -> None:
    cell = theme.metrics(Role.TOKEN).horizontalAdvance("0")
    layout = TextLayout(b"abcdefgh", cut(1, 6, 1), Role.TOKEN, 4 * cell)
    boxes = layout.boxes(1)
    assert [round(box.width() / cell) for box in boxes] == [3, 3]
    assert boxes[1].left() == 0
    assert layout.rows.row_of_span(1) == 0


def test_no_text_has_no_rows_and_is_painted_all_the_same() -> None:
    layout = TextLayout(b"", Spans.none(), Role.TEXT, 100)
    assert (layout.height, layout.extent, layout.byte_at(QPointF(0, 0))) == (0, 0, None)
    painted(layout)


def test_beside_and_below_the_text_is_nothing() -> None:
    layout = TextLayout(b"ab", cut(2), Role.TEXT, 100)
    for point in (QPointF(-1, 5), QPointF(90, 5), QPointF(5, -1), QPointF(5, 50)):
        assert layout.byte_at(point) is None
        assert layout.span_at(point) is None


def test_only_what_is_in_sight_is_painted() -> None:
    layout = TextLayout(b"abcd efgh\n" * 40, cut(*[5, 5] * 40), Role.TOKEN)
    image = QImage(round(layout.extent), round(layout.height), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.current().page)
    p = QPainter(image)
    layout.paint(p, QRectF(0, 100, layout.extent, 48))
    p.end()
    page = {theme.current().page.name()}
    assert colours(image, QRectF(0, 0, layout.extent - 1, 90)) == page
    assert colours(image, QRectF(0, 170, layout.extent - 1, 90)) == page
    assert len(colours(image, QRectF(0, 100, layout.extent - 1, 40))) > 4


def test_a_theme_change_needs_no_new_layout(qapp: QApplication) -> None:
    layout = TextLayout(b"abc \xff\x00", cut(3, 1, 1, 1), Role.TEXT)
    light = painted(layout)
    theme.apply(qapp, Theme.DARK)
    dark = painted(layout)
    assert theme.current().tints[0].name() in colours(dark, layout.boxes(0)[0])
    assert light.pixelColor(2, 2) != dark.pixelColor(2, 2)


def test_a_scaled_picture_is_drawn_in_shapes() -> None:
    layout = TextLayout(b"abc d\xff", cut(3, 1, 1, 1), Role.TEXT)
    image = QImage(300, 120, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.current().page)
    p = QPainter(image)
    p.scale(2, 2)
    layout.paint(p, None, Emphasis(new=0))
    p.end()
    box = layout.boxes(0)[0]
    double = QRectF(box.left() * 2 + 8, box.bottom() * 2 - 4, box.width() * 2 - 16, 2)
    assert colours(image, double) == {theme.current().new.name()}


def test_a_screenful_is_quick_and_a_long_line_is_no_slower() -> None:
    """The bounds are far above what was measured (7 ms, and the same): they catch a scan of everything, not a slow machine."""
    line = b"the quick brown fox jumps over the lazy dog, again and again and again, until somebody looks up and says that it is enough"
    data = b"\n".join([line] * 60)
    lengths = [1, 2, 3, 4, 1, 5] * (len(data) // 16) + [len(data) % 16]
    layout = TextLayout(data, cut(*lengths), Role.TOKEN, 1200)
    assert _seconds(layout) < 0.1
    long = TextLayout(line * 800, cut(*[1, 2, 3, 4, 1, 5] * (len(line) * 50)), Role.TOKEN)
    assert _seconds(long) < 0.1


def _seconds(layout: TextLayout) -> float:
    image = QImage(1200, 1440, QImage.Format.Format_ARGB32_Premultiplied)
    times = []
    for _ in range(3):
        p = QPainter(image)
        start = time.perf_counter()
        layout.paint(p, QRectF(0, 0, 1200, 1440))
        times.append(time.perf_counter() - start)
        p.end()
    return min(times)
