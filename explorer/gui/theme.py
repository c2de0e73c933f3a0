"""The look in one place: every colour, font, measure and duration, and the function that puts a theme on.

Nothing else in the program names a colour, a font or a pixel size. A widget asks for a meaning ("tie",
"new", "line"), never for a hue; `tests/gui/test_theme.py` holds every promise made here about contrast
and colour blindness. Fusion is the base style: it alone obeys a palette and a style sheet alike on every
platform, and offscreen.

    apply(app, Theme.DARK, zoom=1.25)    palette, style sheet and fonts, at once and as often as wanted
    current().tie                        the QColor of the theme that is on
    font(Role.FIGURE)                    the QFont of every number, at the zoom that is on
    measures().header                    pixels, at the zoom that is on

`apply` makes Qt send `PaletteChange` and `StyleChange` to every widget; who keeps something that came
from here asks `changed(event)` in its `changeEvent` and takes it anew. Nothing is registered anywhere.
"""

from dataclasses import asdict, dataclass, fields
from enum import Enum
from functools import cache
from typing import Generic, TypeVar

from PySide6.QtCore import QDir, QEvent
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication

from explorer.gui.style_sheet import arrows_folder, style_sheet
from explorer.places import resource

Shade = TypeVar("Shade")


class Theme(Enum):
    """The themes a person can choose; the value is what a settings file says."""

    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class Colours(Generic[Shade]):
    """One theme, as "#RRGGBB" or as QColor. Text on any surface >= 4.5:1, on a tint >= 7:1; marks, edges and blanks >= 3:1."""

    # surfaces, from the page outwards: data lies on `page`, everything that is not data on `chrome`
    page: Shade
    chrome: Shade
    raised: Shade  # fields, menus, cards
    well: Shade  # tracks, disabled fields, chips that are the same on both sides
    hover: Shade
    selected: Shade
    # text
    ink: Shade
    ink_2: Shade
    ink_3: Shade
    ink_off: Shade  # disabled; exempt from contrast, never the only carrier
    # lines
    line: Shade  # between rows and panes
    line_2: Shade  # borders of controls
    edge: Shade  # ticks at token edges: >= 3:1 on the page and on every tint
    edge_2: Shade  # takes turns with `edge` in the bar of a cut character: >= 3:1 on the page, and lighter or darker than `edge`
    mark: Shade  # branches, bars and curve not reached yet: >= 3:1 on page and chrome
    # meanings
    accent: Shade  # where you are: cursor, focus, selection, the pair that comes next
    on_accent: Shade
    tie: Shade
    tie_fill: Shade
    new: Shade
    new_fill: Shade
    greedy: Shade
    best: Shade
    error: Shade
    error_fill: Shade
    ok: Shade
    # merged tokens in turn; neighbours differ in lightness
    tints: tuple[Shade, Shade, Shade, Shade]


Ink = Colours[QColor]

COLOURS: dict[Theme, Colours[str]] = {
    Theme.LIGHT: Colours(
        page="#FDFCFA", chrome="#F4F2ED", raised="#FFFFFF", well="#E9E6DF", hover="#EFECE6", selected="#E2E7F8",
        ink="#1D1B16", ink_2="#514D44", ink_3="#666156", ink_off="#A8A396",
        line="#E5E1D8", line_2="#CBC6BA", edge="#5F5A4F", edge_2="#8F8A7F", mark="#8F8A7F",
        accent="#3A4FC4", on_accent="#FFFFFF",
        tie="#8F5600", tie_fill="#FBE3B5", new="#0B6B45", new_fill="#A9E2C3",
        greedy="#A62B5F", best="#006A8A", error="#B3261E", error_fill="#FBE3DF", ok="#0B6B45",
        tints=("#FDECC0", "#9DC8E6", "#DAEED7", "#D3ABC8"),
    ),
    Theme.DARK: Colours(
        page="#1A1917", chrome="#242320", raised="#2D2B28", well="#131211", hover="#2B2926", selected="#2C3456",
        ink="#F0ECE3", ink_2="#C3BDB1", ink_3="#A9A296", ink_off="#6A655C",
        line="#34322E", line_2="#4A4742", edge="#A8A296", edge_2="#7A756B", mark="#7A756B",
        accent="#93A4FF", on_accent="#14151F",
        tie="#F0B25A", tie_fill="#4A3510", new="#6FD6A2", new_fill="#14563A",
        greedy="#F08BB4", best="#5CC3E8", error="#FF9389", error_fill="#4A1F1B", ok="#6FD6A2",
        tints=("#39321B", "#1A5278", "#213327", "#6D3E5B"),
    ),
    Theme.CONTRAST: Colours(
        page="#000000", chrome="#000000", raised="#0D0D0D", well="#1C1C1C", hover="#262626", selected="#10305C",
        ink="#FFFFFF", ink_2="#F2F2F2", ink_3="#D6D6D6", ink_off="#8C8C8C",
        line="#8C8C8C", line_2="#D6D6D6", edge="#FFFFFF", edge_2="#8C8C8C", mark="#D6D6D6",
        accent="#7FC4FF", on_accent="#000000",
        tie="#FFC94D", tie_fill="#4A3300", new="#6DF0B0", new_fill="#005233",
        greedy="#FF9AC4", best="#6FE0FF", error="#FF9C93", error_fill="#5C0F0A", ok="#6DF0B0",
        tints=("#3D3400", "#004E82", "#12351E", "#66305A"),
    ),
}  # fmt: skip


class Tone(Enum):
    """The colours a label or an icon may take, by meaning; the value is the field of `Colours`."""

    INK = "ink"
    INK_2 = "ink_2"
    INK_3 = "ink_3"
    ACCENT = "accent"
    ON_ACCENT = "on_accent"
    TIE = "tie"
    NEW = "new"
    GREEDY = "greedy"
    BEST = "best"
    ERROR = "error"
    OK = "ok"

    def of(self, ink: Ink) -> QColor:
        """This tone in a theme."""
        return QColor(getattr(ink, self.value))


@dataclass(frozen=True, slots=True)
class Measures:
    """Sizes in pixels, at 100 % zoom all multiples of the 4 px grid (radii, tick and icon aside)."""

    # space: inset of a pane `m`, between controls `s`, between groups `l`
    xs: int = 4
    s: int = 8
    m: int = 12
    l: int = 16  # noqa: E741 - the scale reads xs s m l xl, and it is never a bare name
    xl: int = 24
    xxl: int = 32
    # heights
    menu: int = 32
    recipe: int = 48
    transport: int = 72
    strip: int = 40
    header: int = 36
    control: int = 28
    row: int = 24
    line: int = 24  # of text in the corpus
    text_line: int = 40  # of your text, with room for bars
    status: int = 28
    tab: int = 32
    # corners
    r_token: int = 3
    r_control: int = 5
    r_popup: int = 8
    # small things
    tick: int = 5  # height of the mark at the edge of a merged token
    tick_single: int = 3  # and between single symbols
    icon: int = 16


class Role(Enum):
    """What a text is, which decides its face, size (px at 100 % zoom) and weight.

    Words in Sans; whatever comes from a corpus and every figure in Mono, so that figures line up and a
    token looks the same everywhere.
    """

    CAPTION = ("sans", 11, QFont.Weight.Normal)
    LABEL = ("sans", 12, QFont.Weight.Normal)
    BODY = ("sans", 13, QFont.Weight.Normal)
    STRONG = ("sans", 13, QFont.Weight.Medium)
    TITLE = ("sans", 13, QFont.Weight.DemiBold)
    TINY = ("mono", 10, QFont.Weight.Normal)
    FIGURE_SMALL = ("mono", 11, QFont.Weight.Normal)
    FIGURE = ("mono", 12, QFont.Weight.Normal)
    FIGURE_STRONG = ("mono", 12, QFont.Weight.Medium)
    TOKEN = ("mono", 13, QFont.Weight.Normal)
    TEXT = ("mono", 16, QFont.Weight.Normal)
    HEADLINE = ("mono", 20, QFont.Weight.Medium)


FAMILIES = {
    "sans": ["IBM Plex Sans", "DejaVu Sans", "WenQuanYi Micro Hei", "Noto Color Emoji"],
    "mono": ["IBM Plex Mono", "DejaVu Sans Mono", "WenQuanYi Micro Hei Mono", "Noto Color Emoji"],
}


@dataclass(frozen=True, slots=True)
class Motion:
    """Durations in milliseconds; only what moves between two merges moves."""

    select: int = 80
    merge: int = 160  # two boxes close up, ease out
    tree: int = 240  # in-out
    card: int = 300  # the pointer rests this long before the hover card


MOVING = Motion()
STILL = Motion(select=0, merge=0, tree=0)  # "reduce motion": the card's wait is no motion


@dataclass(slots=True)
class _Worn:
    """What `apply` put on last; the one thing here that changes."""

    theme: Theme = Theme.LIGHT
    zoom: float = 1.0
    motion: Motion = MOVING
    bare: bool = False  # the old sheet is off and the new one not yet on


_worn = _Worn()


def apply(app: QApplication, theme: Theme, *, zoom: float = 1.0, motion: Motion = MOVING) -> None:
    """Puts the theme on: style, fonts, palette, style sheet. Called again, it changes them under the widgets.

    The sheet that is on is taken off first. Put in its place, another one tells every widget nine times that its style
    changed, which takes 270 ms with 600 widgets; taken off and put on, they are told twice, which takes 70 ms.
    """
    _worn.theme, _worn.zoom, _worn.motion = theme, zoom, motion
    _worn.bare = True
    app.setStyleSheet("")
    _worn.bare = False
    load_fonts()
    colours = COLOURS[theme]
    tinted = {each.value: (COLOURS[each].ink_2, COLOURS[each].on_accent) for each in Theme}
    QDir.setSearchPaths("arrows", [str(arrows_folder(tuple((name, *pair) for name, pair in tinted.items())))])
    if app.style().name() != "fusion":
        app.setStyle("Fusion")
    app.setPalette(palette(theme))
    app.setFont(font(Role.BODY))
    words = {name: value for name, value in asdict(colours).items() if isinstance(value, str)}
    app.setStyleSheet(style_sheet(words, name=theme.value, focus=focus_width(), zoom=zoom))


def changed(event: QEvent) -> bool:
    """Whether a `changeEvent` says that `apply` changed the look: time to measure and repaint anew."""
    return not _worn.bare and event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange)


def chosen() -> Theme:
    """The theme that is on."""
    return _worn.theme


def zoom() -> float:
    """The zoom that is on; 1.0 is 100 %."""
    return _worn.zoom


def motion() -> Motion:
    """The durations that hold now."""
    return _worn.motion


def current() -> Ink:
    """The colours of the theme that is on, as QColor. Cheap: ask at each painting, keep nothing."""
    return ink_of(_worn.theme)


@cache
def ink_of(theme: Theme) -> Ink:
    """The colours of any theme as QColor, for a picture that is exported in another theme than the window's."""
    c = COLOURS[theme]
    plain = {name: QColor(value) for name, value in asdict(c).items() if isinstance(value, str)}
    one, two, three, four = (QColor(tint) for tint in c.tints)
    return Colours(**plain, tints=(one, two, three, four))


def measures() -> Measures:
    """The sizes at the zoom that is on, in whole pixels."""
    return _measures(_worn.zoom)


@cache
def _measures(zoom_factor: float) -> Measures:
    plain = Measures()
    return Measures(**{field.name: max(1, round(getattr(plain, field.name) * zoom_factor)) for field in fields(Measures)})


def px(length: float) -> float:
    """A length at 100 % zoom as it is now; for the insides of a drawing, where whole pixels do not matter."""
    return length * _worn.zoom


def focus_width() -> int:
    """Pixels of the focus ring: 2, in high contrast 3."""
    return 3 if _worn.theme is Theme.CONTRAST else 2


def font(role: Role) -> QFont:
    """The font of a role at the zoom that is on."""
    return QFont(_font(role, _worn.zoom))


def metrics(role: Role) -> QFontMetricsF:
    """The metrics of `font(role)`."""
    return _metrics(role, _worn.zoom)


@cache
def _font(role: Role, zoom_factor: float) -> QFont:
    family, size, weight = role.value
    made = QFont()
    made.setFamilies(FAMILIES[family])
    made.setPixelSize(max(1, round(size * zoom_factor)))
    made.setWeight(weight)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)  # outlines keep their rhythm at every zoom
    return made


@cache
def _metrics(role: Role, zoom_factor: float) -> QFontMetricsF:
    return QFontMetricsF(_font(role, zoom_factor))


def palette(theme: Theme) -> QPalette:
    """The theme as a QPalette, disabled group included, so that unstyled widgets agree with the rest."""
    c = COLOURS[theme]
    role = QPalette.ColorRole
    made = QPalette()
    for name, colour in {
        role.Window: c.chrome, role.WindowText: c.ink, role.Base: c.page, role.AlternateBase: c.chrome,
        role.Text: c.ink, role.PlaceholderText: c.ink_3, role.Button: c.raised, role.ButtonText: c.ink,
        role.BrightText: c.on_accent, role.ToolTipBase: c.raised, role.ToolTipText: c.ink,
        role.Highlight: c.accent, role.HighlightedText: c.on_accent, role.Accent: c.accent,
        role.Link: c.accent, role.LinkVisited: c.accent,
        role.Light: c.raised, role.Midlight: c.hover, role.Mid: c.line_2, role.Dark: c.line_2, role.Shadow: c.line,
    }.items():  # fmt: skip
        made.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, name, QColor(c.ink_off))
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(c.line_2))
    return made


@cache
def load_fonts() -> None:
    """Registers the bundled fonts with Qt, once for the process."""
    for file in sorted(resource("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))
