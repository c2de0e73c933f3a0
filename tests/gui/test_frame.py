"""The furniture around the views, with real widgets."""

import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QAction, QFocusEvent, QPainter
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.frame import Bar, Elided, Kind, Label, Pane, Push, Rule, Segments, Tool, split
from explorer.gui.painted import Painted, PaintedScroll
from explorer.gui.theme import Role, Theme, Tone


@pytest.fixture(autouse=True)
def light_again(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)


class Square(Painted):
    """A picture of one square."""

    def __init__(self) -> None:
        super().__init__("Square")
        self.drawn = 0
        self.measured = 0

    def draw(self, p: QPainter, clip: QRectF) -> None:
        self.drawn += 1
        p.fillRect(QRectF(20, 20, 10, 10), self.ink.tie)

    def restyled(self) -> None:
        self.measured += 1


class Tall(PaintedScroll):
    """A picture of lines, far taller than any window."""

    def __init__(self) -> None:
        super().__init__("Tall")
        self.clip = QRectF()
        self.set_extent(100, 10_000)

    def draw(self, p: QPainter, clip: QRectF) -> None:
        self.clip = clip
        p.fillRect(QRectF(0, 5_000, 100, 10), self.ink.tie)


def focused(widget: QWidget, reason: Qt.FocusReason) -> None:
    QApplication.sendEvent(widget, QFocusEvent(QEvent.Type.FocusIn, reason))


def colour_at(widget: QWidget, x: int, y: int) -> str:
    return widget.grab().toImage().pixelColor(x, y).name()


def test_a_label_follows_theme_and_zoom_and_shows_markup_as_it_is(qtbot: QtBot, qapp: QApplication) -> None:
    label = Label("<b>x</b>", Role.TITLE, Tone.INK)
    qtbot.addWidget(label)
    label.show()
    narrow = label.sizeHint().width()
    theme.apply(qapp, Theme.DARK, zoom=2.0)
    assert label.font().pixelSize() == 26
    assert label.sizeHint().width() > 1.8 * narrow
    label.set_tone(Tone.TIE)
    image = label.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert theme.current().tie.name() in colours


def test_facts_elide_and_are_whole_in_the_tooltip(qtbot: QtBot) -> None:
    facts = Elided("7 123 bytes, 91 entries, and more than fits")
    qtbot.addWidget(facts)
    facts.resize(80, 20)
    assert facts.shown_text().endswith("…")
    assert facts.toolTip() == facts.text()
    facts.setText("short")
    facts.resize(300, 20)
    assert facts.shown_text() == facts.toolTip() == "short"


def test_a_tool_says_what_it_does_and_its_key(qtbot: QtBot, qapp: QApplication) -> None:
    tool = Tool("search", "Find in the corpus", "Ctrl+F")
    qtbot.addWidget(tool)
    assert (tool.toolTip(), tool.accessibleName()) == ("Find in the corpus  Ctrl+F", "Find in the corpus")
    tool.show()
    theme.apply(qapp, Theme.LIGHT, zoom=1.5)
    assert (tool.width(), tool.height(), tool.iconSize().width()) == (42, 42, 24)


def test_a_tool_of_an_action_follows_it_and_triggers_it(qtbot: QtBot) -> None:
    action = QAction("&Step")
    action.setShortcut("Right")
    tool = Tool.of_action("forward", action)
    qtbot.addWidget(tool)
    tool.show()
    assert tool.accessibleName() == "Step"
    assert tool.toolTip().endswith("Right")
    with qtbot.waitSignal(action.triggered):
        qtbot.mouseClick(tool, Qt.MouseButton.LeftButton)
    action.setEnabled(False)
    assert not tool.isEnabled()


def test_a_push_button_has_its_name_without_the_space_before_it(qtbot: QtBot) -> None:
    push = Push("Step", "forward", Kind.PRIMARY)
    qtbot.addWidget(push)
    assert push.accessibleName() == "Step"
    assert push.text().endswith("Step")
    push.resize(push.sizeHint())
    assert colour_at(push, push.width() // 2, 3) == theme.current().accent.name()


def test_segments_tell_a_persons_choice_once_and_the_programs_never(qtbot: QtBot) -> None:
    segments = Segments(("text", "table", "both"), 0, "View")
    qtbot.addWidget(segments)
    segments.show()
    told: list[int] = []
    segments.chosen.connect(told.append)
    buttons = [segments.layout().itemAt(n).widget() for n in range(3)]
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert (told, segments.place) == ([1], 1)
    segments.set_place(2)
    assert (told, segments.place) == ([1], 2)
    buttons[2].setFocus()
    qtbot.keyClick(buttons[2], Qt.Key.Key_Left)
    qtbot.keyClick(QApplication.focusWidget() or buttons[1], Qt.Key.Key_Space)
    assert (told, segments.place) == ([1, 1], 1)
    assert buttons[0].accessibleName() == "View: text"


def test_segments_follow_the_zoom(qtbot: QtBot, qapp: QApplication) -> None:
    segments = Segments(("text", "table"), 0, "View")
    qtbot.addWidget(segments)
    segments.show()
    theme.apply(qapp, Theme.LIGHT, zoom=2.0)
    assert segments.height() == 48
    assert [segments.layout().itemAt(n).widget().font().pixelSize() for n in range(2)] == [24, 24]


def test_a_pane_has_a_title_that_stays_and_facts_that_can_change(qtbot: QtBot, qapp: QApplication) -> None:
    body = QWidget()
    pane = Pane("Corpus", body, Tool("search", "Find"), facts="chronicle")
    qtbot.addWidget(pane)
    pane.resize(300, 200)
    pane.show()
    pane.set_facts("chronicle, 7 123 bytes, 91 entries, trained in 0.3 s")
    assert pane.facts().startswith("chronicle, 7")
    assert pane.accessibleName() == "Corpus"
    title = next(label for label in pane.findChildren(Label) if label.text() == "Corpus")
    assert title.width() >= title.sizeHint().width()
    assert body.y() == 36
    theme.apply(qapp, Theme.LIGHT, zoom=2.0)
    QApplication.processEvents()
    assert body.y() == 72


def test_bars_and_rules_have_the_sizes_of_the_theme(qtbot: QtBot) -> None:
    page = QWidget()
    column = QVBoxLayout(page)
    bar, rule = Bar("recipe"), Rule()
    column.addWidget(bar)
    column.addWidget(rule)
    qtbot.addWidget(page)
    page.show()
    assert (bar.height(), rule.height()) == (48, 1)
    assert colour_at(rule, 3, 0) == theme.current().line.name()


def test_a_split_shares_its_room(qtbot: QtBot) -> None:
    parts = split(Qt.Orientation.Horizontal, (2, 1), QWidget(), QWidget())
    qtbot.addWidget(parts)
    parts.resize(301, 100)
    parts.show()
    assert parts.sizes() == [200, 100]


def test_a_picture_is_painted_anew_in_another_theme_without_being_rebuilt(qtbot: QtBot, qapp: QApplication) -> None:
    square = Square()
    qtbot.addWidget(square)
    square.resize(50, 50)
    square.show()
    for worn in (Theme.DARK, Theme.CONTRAST, Theme.LIGHT):
        drawn, measured = square.drawn, square.measured
        theme.apply(qapp, worn)
        assert square.measured > measured
        qtbot.waitUntil(lambda drawn=drawn: square.drawn > drawn)  # type: ignore[misc]
        assert colour_at(square, 25, 25) == theme.current().tie.name()
        assert colour_at(square, 5, 5) == theme.current().page.name()


@pytest.mark.parametrize("make", [Square, Tall])
def test_the_focus_ring_shows_only_when_a_key_brought_the_focus(qtbot: QtBot, make: type[QWidget]) -> None:
    widget = make()
    qtbot.addWidget(widget)
    widget.resize(60, 60)
    widget.show()
    page, accent = theme.current().page.name(), theme.current().accent.name()
    focused(widget, Qt.FocusReason.MouseFocusReason)
    assert colour_at(widget, 0, 30) == page
    focused(widget, Qt.FocusReason.TabFocusReason)
    assert colour_at(widget, 0, 30) == accent
    QApplication.sendEvent(widget, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason))
    assert colour_at(widget, 0, 30) == page
    assert widget.accessibleName() in ("Square", "Tall")


def test_a_scrolled_picture_draws_what_is_seen_and_can_show_any_part(qtbot: QtBot) -> None:
    tall = Tall()
    qtbot.addWidget(tall)
    tall.resize(80, 100)
    tall.show()
    tall.reveal(QRectF(0, 5_000, 20, 10), margin=4)
    assert tall.offset()[1] == 5_014 - tall.viewport().height()
    x, y = 5, 5_005 - tall.offset()[1]
    assert tall.viewport().grab().toImage().pixelColor(x, y).name() == theme.current().tie.name()
    assert tall.clip.height() <= 100
    tall.reveal(QRectF(0, 4_990, 20, 10))  # seen already
    assert tall.offset()[1] == 5_014 - tall.viewport().height()
    tall.reveal(QRectF(0, 4_000, 20, 10))
    assert tall.offset()[1] == 4_000
    assert tall.horizontalScrollBar().maximum() > 0


def test_a_theme_change_keeps_the_place_that_was_scrolled_to(qtbot: QtBot, qapp: QApplication) -> None:
    tall = Tall()
    qtbot.addWidget(tall)
    tall.resize(80, 100)
    tall.show()
    tall.verticalScrollBar().setValue(4_950)
    theme.apply(qapp, Theme.DARK)
    assert tall.offset()[1] == 4_950
    assert tall.viewport().grab().toImage().pixelColor(5, 55).name() == theme.current().tie.name()
