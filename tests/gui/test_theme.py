"""Every promise that the theme makes: contrast, colour blindness, the grid, and that it changes under living widgets."""

import re
from dataclasses import asdict, fields
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QColor, QFontInfo, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.icons import draw_icon, icon
from explorer.gui.style_sheet import style_sheet
from explorer.gui.theme import COLOURS, MOVING, STILL, Measures, Role, Theme, Tone
from explorer.places import resource
from tests.gui.colour_maths import contrast, distance, lab, linear

themes = pytest.mark.parametrize("worn", Theme)


@pytest.fixture(autouse=True)
def light_again(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)


@themes
def test_text_reads_on_every_surface(worn: Theme) -> None:
    c = COLOURS[worn]
    for surface in (c.page, c.chrome, c.raised, c.hover, c.selected, c.well):
        assert contrast(c.ink, surface) >= 7
        assert contrast(c.ink_2, surface) >= 4.5
        assert contrast(c.ink_3, surface) >= 4.5
    assert contrast(c.on_accent, c.accent) >= 4.5


@themes
def test_meanings_read_as_text_on_page_and_chrome(worn: Theme) -> None:
    c = COLOURS[worn]
    for meaning in (c.accent, c.tie, c.new, c.greedy, c.best, c.error, c.ok):
        assert contrast(meaning, c.page) >= 4.5
        assert contrast(meaning, c.chrome) >= 4.5
    assert contrast(c.tie, c.tie_fill) >= 4.5  # the badge
    assert contrast(c.ink, c.error_fill) >= 7  # the hex of a stray byte


@themes
def test_case_101_tints_carry_text_and_marks_and_differ_from_their_neighbours(worn: Theme) -> None:
    c = COLOURS[worn]
    for tint in (*c.tints, c.new_fill, c.tie_fill):
        assert contrast(c.ink, tint) >= 7
        assert contrast(c.edge, tint) >= 3
        assert contrast(c.ink_3, tint) >= 3  # the dot of a space
        assert contrast(c.accent, tint) >= 3  # the ring and tick of the next pair
    assert contrast(c.new, c.new_fill) >= 3  # the line under the newest token
    for one, two in zip(c.tints, c.tints[1:] + c.tints[:1], strict=True):
        assert distance(one, two) >= 13  # worst of normal, protan, deutan, tritan
        assert abs(lab(linear(one))[0] - lab(linear(two))[0]) >= 6  # in grey


@themes
def test_edges_and_marks_are_seen_on_every_ground_they_lie_on(worn: Theme) -> None:
    c = COLOURS[worn]
    for ground in (c.page, c.hover, c.selected, c.raised):
        assert contrast(c.edge, ground) >= 3
    assert contrast(c.mark, c.page) >= 3
    assert contrast(c.mark, c.chrome) >= 3
    assert contrast(c.edge_2, c.page) >= 3
    assert contrast(c.edge_2, c.edge) >= 1.75  # segments of one bar, with a gap between them


@themes
def test_meanings_that_meet_in_one_picture_differ_for_everyone(worn: Theme) -> None:
    c = COLOURS[worn]
    for one, two in ((c.greedy, c.best), (c.accent, c.tie), (c.accent, c.new), (c.tie, c.best), (c.tie, c.greedy)):
        assert distance(one, two) >= 8, (one, two, distance(one, two))


def test_no_colour_is_missing_and_none_is_short() -> None:
    for worn in Theme:
        for value in asdict(COLOURS[worn]).values():
            for colour in value if isinstance(value, tuple) else (value,):
                assert re.fullmatch("#[0-9A-F]{6}", colour)


def test_every_tone_is_a_colour() -> None:
    for tone in Tone:
        assert tone.of(theme.current()).name().upper() == getattr(COLOURS[Theme.LIGHT], tone.value)


def test_measures_lie_on_the_grid() -> None:
    off_grid = {"r_token", "r_control", "r_popup", "tick", "tick_single"}
    plain = Measures()
    assert all(getattr(plain, field.name) % 4 == 0 for field in fields(plain) if field.name not in off_grid)


def test_icons_have_one_colour_and_one_stroke() -> None:
    icons = sorted(resource("icons").glob("*.svg"))
    assert len(icons) == 47
    for each in icons:
        text = each.read_text("utf-8")
        assert 'viewBox="0 0 16 16"' in text
        assert 'stroke="currentColor"' in text
        assert 'stroke-width="1.5"' in text
        assert "#" not in text


def test_the_fonts_come_with_the_program_and_carry_their_licence() -> None:
    assert "SIL OPEN FONT LICENSE" in resource("fonts/IBM-Plex-OFL.txt").read_text("utf-8")
    for role in Role:
        family = QFontInfo(theme.font(role)).family()
        assert family == ("IBM Plex Mono" if role.value[0] == "mono" else "IBM Plex Sans")


@pytest.mark.parametrize("role", [Role.TOKEN, Role.TEXT])
def test_letters_of_the_corpus_stand_in_columns(role: Role) -> None:
    printable = "".join(map(chr, range(0x21, 0x7F))) + "fi fl ffi -> != <= www"
    cell = theme.metrics(role).horizontalAdvance("0")
    assert theme.metrics(role).horizontalAdvance(printable) == pytest.approx(cell * len(printable), abs=0.01)


def test_a_theme_change_reaches_widgets_icons_and_fonts_that_are_there_already(qtbot: QtBot, qapp: QApplication) -> None:
    button, plain = QToolButton(), QWidget()
    button.setIcon(icon("fork"))
    qtbot.addWidget(button)
    qtbot.addWidget(plain)
    plain.show()
    button.show()
    seen = {}
    for worn in (Theme.LIGHT, Theme.DARK, Theme.CONTRAST, Theme.LIGHT):
        theme.apply(qapp, worn)
        assert theme.chosen() is worn
        assert plain.palette().window().color() == theme.current().chrome
        image = button.icon().pixmap(16, 16).toImage()
        seen[worn] = {QColor(image.pixelColor(x, y)).name() for x in range(16) for y in range(16) if image.pixelColor(x, y).alpha() == 255}
        assert theme.current().ink_2.name() in seen[worn]
    assert seen[Theme.LIGHT].isdisjoint(seen[Theme.DARK])


def test_an_icon_is_square_and_sharp_at_any_size(qapp: QApplication) -> None:
    image = QImage(40, 20, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("white"))
    p = QPainter(image)
    icon("close").paint(p, image.rect())
    p.end()
    dark = [x for x in range(40) for y in range(20) if image.pixelColor(x, y).lightness() < 128]
    assert min(dark) >= 10
    assert max(dark) < 30


def test_a_wrong_icon_name_fails_where_it_is_written() -> None:
    with pytest.raises(FileNotFoundError, match="no-such"):
        icon("no-such")


def test_an_icon_can_be_drawn_into_a_picture(qapp: QApplication) -> None:
    image = QImage(16, 16, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("white"))
    p = QPainter(image)
    draw_icon(p, "plus", QRectF(0, 0, 16, 16), QColor("#ff0000"))
    p.end()
    assert image.pixelColor(8, 8) == QColor("#ff0000")


def test_zoom_scales_fonts_measures_and_drawings(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT, zoom=1.5)
    assert theme.font(Role.TEXT).pixelSize() == 24
    assert theme.measures().row == 36
    assert theme.px(3) == 4.5
    assert qapp.font().pixelSize() == 20
    assert "font-size: 16px" in qapp.styleSheet()
    theme.apply(qapp, Theme.LIGHT)
    assert theme.measures() == Measures()


def test_less_motion_is_none_at_all(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT, motion=STILL)
    assert (theme.motion().select, theme.motion().merge, theme.motion().tree) == (0, 0, 0)
    theme.apply(qapp, Theme.LIGHT)
    assert theme.motion() is MOVING


def _rule(sheet: str, selector: str) -> dict[str, int]:
    """Pixels that a rule gives: border width, horizontal padding, least height."""
    body = re.search(rf"^{re.escape(selector)} \{{(.*?)\}}", sheet, re.MULTILINE | re.DOTALL)
    assert body, selector
    found = {"border": re.search(r"border: (\d+)px", body[1]), "padding": re.search(r"padding: 0 (\d+)px", body[1])}
    found["min-height"] = re.search(r"min-height: (\d+)px", body[1])
    return {name: int(match[1]) for name, match in found.items() if match}


@pytest.mark.parametrize("zoom", [1.0, 1.1, 1.25, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("focus", [2, 3])
def test_focus_moves_nothing(focus: int, zoom: float) -> None:
    words = {name: value for name, value in asdict(COLOURS[Theme.LIGHT]).items() if isinstance(value, str)}
    sheet = style_sheet(words, name="light", focus=focus, zoom=zoom)
    for selector in ("QToolButton", "QPushButton"):
        still, held = _rule(sheet, selector), _rule(sheet, f"{selector}:focus")
        assert still["border"] + still["padding"] == held["border"] + held["padding"]
        assert 2 * still["border"] + still["min-height"] == 2 * held["border"] + held["min-height"]
    assert "$" not in sheet
    assert "@" not in sheet


def test_every_arrow_the_style_sheet_names_is_there(qapp: QApplication) -> None:
    from PySide6.QtCore import QDir, QFile

    assert QDir.searchPaths("arrows")
    for worn in Theme:
        theme.apply(qapp, worn)
        names = re.findall(r"url\((arrows:[^)]+)\)", qapp.styleSheet())
        assert len(names) >= 6
        assert all(QFile.exists(name) and f":{worn.value}/" in name for name in names)


def test_putting_the_same_theme_on_again_changes_nothing(qtbot: QtBot, qapp: QApplication) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    before = (qapp.styleSheet(), qapp.palette(), qapp.font())
    theme.apply(qapp, Theme.LIGHT)
    assert (qapp.styleSheet(), qapp.palette(), qapp.font()) == before


def test_zooms_in_turn_never_shrink_a_measure() -> None:
    sizes = []
    for zoom in (0.5, 0.75, 1.0, 1.25, 1.5, 2.0):
        theme.apply(QApplication.instance(), Theme.LIGHT, zoom=zoom)  # type: ignore[arg-type]  # the fixture made it
        sizes.append(asdict(theme.measures()))
    assert all(one[name] <= two[name] and one[name] >= 1 for one, two in pairwise(sizes) for name in one)


@themes
def test_another_theme_tells_each_widget_once_that_the_look_changed(worn: Theme, qtbot: QtBot, qapp: QApplication) -> None:
    told: list[QEvent.Type] = []

    class Listening(QLabel):
        def changeEvent(self, event: QEvent) -> None:
            super().changeEvent(event)
            if theme.changed(event):
                told.append(event.type())

    label = Listening("a")
    qtbot.addWidget(label)
    label.show()
    told.clear()
    theme.apply(qapp, worn)
    assert told.count(QEvent.Type.StyleChange) == 1
    assert len(told) <= 3
