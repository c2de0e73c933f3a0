"""The recipe bar on a real Workspace: every field retrains, refusals are shown, nothing is cut off."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import AlphabetKind, Choice, Counting, LineEnds, PreTokenRule, Recipe, TieRule, Unknown
from explorer.core.splitting import unicode_version
from explorer.errors import SizeFloorError
from explorer.gui import theme
from explorer.gui.frame import Label, Push, Tool
from explorer.gui.theme import Theme, Tone
from explorer.gui.views.choice_box import ChoiceBox
from explorer.gui.views.number_box import NumberBox
from explorer.gui.views.pattern_field import PatternField, fault_of
from explorer.gui.views.recipe_bar import RecipeBar
from explorer.gui.views.size_field import Unit
from explorer.workspace.workspace import Workspace

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    return made


@pytest.fixture
def bar(workspace: Workspace, host: QWidget) -> RecipeBar:
    workspace.open_exemplar("four-words", at_once=True)
    made = RecipeBar(workspace)
    layout = host.layout()
    assert layout is not None
    layout.addWidget(made)
    host.resize(1440, 48)
    host.show()
    return made


def trained(workspace: Workspace, qtbot: QtBot) -> Recipe:
    """The recipe of the run once all work is done."""
    qtbot.waitUntil(lambda: not workspace.lanes.lanes)
    assert workspace.run
    return workspace.run.recipe


def take(box: ChoiceBox[object], words: str) -> None:
    """What a person does with a box: opens it and takes a line."""
    place = box.findText(words)
    assert place >= 0, words
    box.setCurrentIndex(place)
    box.activated.emit(place)


def test_it_shows_the_recipe_that_is_open(bar: RecipeBar) -> None:
    fields = bar.fields
    shown = [box.currentText() for box in (fields.preset, fields.alphabet, fields.pretokens, fields.tie, fields.counting)]
    assert shown == ["published", "characters", "words", "ties: lexicographic", "count: overlapping"]
    assert (fields.size.number.value(), fields.size.unit.value()) == (10, Unit.MERGES)
    assert fields.min_count.value() == 2 and fields.marker.isChecked() and bar.facts.text() == "10 learned"


@pytest.mark.parametrize(
    ("field", "words", "name", "value"),
    [
        ("tie", "ties: first met", "tie", TieRule.FIRST_MET), ("counting", "count: disjoint", "counting", Counting.DISJOINT),
        ("alphabet", "bytes", "alphabet", AlphabetKind.BYTES), ("pretokens", "byte-words", "pretokens", PreTokenRule.BYTE_WORDS),
        ("unknown", "257 fallback rows", "unknown", Unknown.FALLBACK), ("line_ends", "CR read as LF", "line_ends", LineEnds.LF),
    ],
)  # fmt: skip
def test_a_choice_retrains(bar: RecipeBar, workspace: Workspace, qtbot: QtBot, field: str, words: str, name: str, value: object) -> None:
    before = workspace.run
    take(getattr(bar.fields, field), words)
    recipe = trained(workspace, qtbot)
    assert getattr(recipe, name) is value and workspace.run is not before
    assert getattr(bar.fields, field).currentText() == words


def test_a_preset_brings_its_own_size(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    take(bar.fields.preset, "script")
    assert trained(workspace, qtbot) == Recipe.of("script") and bar.fields.preset.currentText() == "script"


def test_own_is_shown_and_cannot_be_taken(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    take(bar.fields.tie, "ties: last met")
    trained(workspace, qtbot)
    assert bar.fields.preset.currentText() == "own"
    place = bar.fields.preset.model().index(bar.fields.preset.findText("own"), 0)
    assert not place.flags() & Qt.ItemFlag.ItemIsEnabled


def test_a_number_retrains_when_it_has_come_to_rest(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    asked: list[Recipe] = []
    workspace.recipe_changed.connect(asked.append)
    number = bar.fields.size.number
    for _ in range(3):
        number.stepBy(1)
    assert asked == []
    qtbot.waitUntil(lambda: workspace.learned == 13)
    assert [recipe.merges for recipe in asked] == [13]


def test_enter_does_not_wait(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    number = bar.fields.size.number
    number.selectAll()
    qtbot.keyClicks(number, "7")
    qtbot.keyClick(number, Qt.Key.Key_Return)
    assert workspace.recipe.merges == 7
    trained(workspace, qtbot)


def test_typing_goes_on_while_what_was_typed_before_is_trained(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    number = bar.fields.size.number
    number.setValue(3)
    qtbot.waitUntil(lambda: workspace.recipe.merges == 3)
    number.setValue(11)
    qtbot.waitUntil(lambda: workspace.learned == 3)  # the run of the 3 arrives under the typing hand
    assert number.value() == 11
    qtbot.waitUntil(lambda: workspace.learned == 11)


def test_another_unit_keeps_the_table(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    assert workspace.run
    floor = workspace.run.training.alphabet.floor
    take(bar.fields.size.unit, "rows")
    recipe = trained(workspace, qtbot)
    assert (recipe.rows, recipe.merges, workspace.learned) == (floor + 10, None, 10)
    assert bar.facts.text() == f"10 learned, {floor + 10} rows"
    take(bar.fields.size.unit, "to the end")
    assert trained(workspace, qtbot).rows is None and workspace.learned > 10 and bar.fields.size.number.isHidden()
    learned = workspace.learned
    take(bar.fields.size.unit, "merges")
    assert trained(workspace, qtbot).merges == learned and not bar.fields.size.number.isHidden()


def test_what_was_not_reached_is_told(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    bar.fields.size.number.setValue(300)
    qtbot.waitUntil(lambda: workspace.recipe.merges == 300)
    trained(workspace, qtbot)
    assert bar.facts.text() == f"{workspace.learned} learned of 300 asked: no pair is left that occurs twice"
    assert bar.facts.toolTip() == bar.facts.text()


def test_a_decision_that_takes_others_with_it_says_so(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    take(bar.fields.pretokens, "entries")
    recipe = trained(workspace, qtbot)
    assert (recipe.alphabet, recipe.marker) == (AlphabetKind.BYTES, False)
    assert "Changed with it: alphabet bytes, end-of-word marker off." in bar.facts.text()
    assert not bar.fields.marker.isEnabled() and bar.fields.marker.toolTip() == "Needs an alphabet of characters."


def test_a_refusal_is_shown_in_its_own_words_and_nothing_changes(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    assert workspace.run
    before, floor = workspace.run, workspace.run.training.alphabet.floor
    bar.change({"rows": floor - 1, "merges": None})
    refusal = str(SizeFloorError(floor - 1, floor))
    assert bar.facts.text() == refusal and refusal.startswith(f"{floor - 1} rows cannot be had")
    assert bar.facts.property("tone") == Tone.ERROR.value and bar.sheet.error.text() == bar.facts.text()
    assert workspace.recipe == before.recipe and workspace.run is before and not workspace.lanes.lanes
    assert (bar.fields.size.number.value(), bar.fields.size.unit.value()) == (10, Unit.MERGES)
    take(bar.fields.tie, "ties: lowest ids")
    trained(workspace, qtbot)
    assert bar.facts.property("tone") == Tone.INK_3.value and bar.facts.text().startswith("10 learned")


def test_a_training_that_fails_leaves_the_old_recipe(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    before = workspace.recipe
    workspace.set_recipe(Recipe.of("fallback").asking(rows=1))
    assert bar.fields.preset.currentText() == "fallback"
    assert trained(workspace, qtbot) == before
    assert bar.fields.preset.currentText() == "published" and bar.facts.text() == "10 learned"


def test_while_it_trains_the_facts_are_of_the_recipe_before(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    take(bar.fields.tie, "ties: lowest ids")
    assert bar.facts.text() == "10 learned, for the recipe before"
    trained(workspace, qtbot)
    assert bar.facts.text() == "10 learned"


def test_a_pattern_of_ones_own_is_opened_edited_and_refused_by_place(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    take(bar.fields.pretokens, "own pattern")
    assert bar.sheet.isVisible() and bar.fields.pattern.isVisible()
    first = trained(workspace, qtbot)
    assert first.pretokens is PreTokenRule.PATTERN and first.pattern == bar.fields.pattern.edit.text()
    edit = bar.fields.pattern.edit
    edit.setText("(lo[w")
    assert bar.fields.pattern.fault.text() == "Column 6: unterminated character set." and edit.place == 5
    assert edit.property("invalid") is True
    qtbot.wait(350)
    assert workspace.recipe.pattern == first.pattern
    edit.setText("lo|.")
    assert not bar.fields.pattern.fault.text() and edit.place is None
    qtbot.waitUntil(lambda: workspace.recipe.pattern == "lo|.")
    trained(workspace, qtbot)
    bar.sheet.hide()


def test_the_lift_is_offered_where_there_are_words(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    lift = bar.fields.lift
    assert workspace.run and lift.isEnabled() and lift.number.isHidden()
    rows = workspace.run.training.rows
    lift.check.click()
    assert trained(workspace, qtbot).lift == rows and lift.number.value() == rows and not lift.number.isHidden()
    lift.check.click()
    assert trained(workspace, qtbot).lift is None
    take(bar.fields.preset, "chapter-81")
    trained(workspace, qtbot)
    assert not lift.isEnabled() and "never lifted" in lift.toolTip()


def test_joints_are_offered_by_the_corpus(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    assert not bar.fields.joints.isEnabled()
    workspace.open_exemplar("joints", at_once=True)
    assert bar.fields.joints.isEnabled() and bar.fields.joints.text() == "4 words cut at their joints"
    assert workspace.run
    length = workspace.run.training.length(workspace.learned)
    bar.fields.joints.click()
    assert trained(workspace, qtbot).joints is not None and bar.fields.joints.isChecked()
    assert (length, workspace.run.training.length(workspace.learned)) == (40, 80)
    bar.fields.joints.click()
    assert trained(workspace, qtbot).joints is None


def test_choices_are_listed_and_taken_back(bar: RecipeBar, workspace: Workspace, qtbot: QtBot) -> None:
    assert workspace.run and workspace.corpus and workspace.moment
    table = workspace.run.training.table
    left, right = workspace.moment.tied[1]
    choice = Choice(0, table.piece(left), table.piece(right))
    workspace.open_corpus(workspace.corpus, recipe=replace(workspace.recipe, choices=(choice,)), at_once=True)
    removes = [tool for tool in bar.fields.choices.findChildren(Tool) if not tool.isHidden()]
    assert [tool.toolTip() for tool in removes] == ["Remove the choice at rank 0"]
    removes[0].click()
    assert trained(workspace, qtbot).choices == ()
    shown = [label.text() for label in bar.fields.choices.findChildren(Label) if label.isVisibleTo(bar.fields.choices)]
    assert shown == ["none"]


def test_the_wheel_over_a_box_changes_nothing(bar: RecipeBar, workspace: Workspace) -> None:
    before = workspace.recipe
    for box in (bar.fields.tie, bar.fields.alphabet, bar.fields.size.number, bar.fields.min_count):
        box.clearFocus()
        there = QPointF(10, 10)
        event = QWheelEvent(
            there, box.mapToGlobal(there), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(box, event)
    assert workspace.recipe == before and bar.fields.tie.currentText() == "ties: lexicographic" and bar.fields.size.number.value() == 10


@pytest.mark.parametrize("width", [1440, 1280, 1100, 900, 640])
@pytest.mark.parametrize("zoom", [1.0, 1.25])
def test_nothing_in_the_bar_is_cut_off(bar: RecipeBar, host: QWidget, qapp: QApplication, width: int, zoom: float) -> None:
    bar.add_button(Push("Compare with…", "compare"))
    theme.apply(qapp, Theme.LIGHT, zoom=zoom)
    host.resize(width, 60)
    qapp.processEvents()
    assert host.width() == width
    widgets = [bar.title, *(field.widget for field in bar.fields.bar() if field.name in bar.names_in_bar), bar.more]
    edge = 0
    for widget in widgets:
        assert widget.parentWidget() is bar and widget.x() >= edge, widget
        assert widget.width() >= widget.minimumSizeHint().width(), widget
        edge = widget.x() + widget.width()
    assert edge <= bar.facts.x()
    theme.apply(qapp, Theme.LIGHT)


def test_nothing_lies_under_the_fields_of_the_sheet(bar: RecipeBar, host: QWidget, workspace: Workspace) -> None:
    workspace.open_exemplar("standing-in", at_once=True)
    bar.more.click()
    seen = [child for child in bar.sheet.fields.children() if isinstance(child, QWidget) and child.isVisible()]
    assert len(seen) > 8 and not bar.fields.pattern.isVisible()
    boxes = [child.geometry() for child in seen]
    assert not any(one.intersects(other) for at, one in enumerate(boxes) for other in boxes[:at])
    bar.sheet.hide()


def test_a_sheet_that_is_higher_than_the_screen_scrolls(bar: RecipeBar, host: QWidget, workspace: Workspace, qapp: QApplication) -> None:
    host.resize(700, 48)
    bar.more.click()
    area = bar.sheet.findChild(QScrollArea)
    assert area is not None and bar.sheet.height() >= bar.sheet.fields.sizeHint().height()
    assert area.verticalScrollBar().maximum() == area.horizontalScrollBar().maximum() == 0
    bar.sheet.hide()
    theme.apply(qapp, Theme.LIGHT, zoom=2.0)
    bar.more.click()
    qapp.processEvents()
    screen = bar.screen().availableGeometry()
    assert bar.sheet.height() <= screen.height() < bar.sheet.fields.height()
    assert area.verticalScrollBar().maximum() > 0 and area.horizontalScrollBar().maximum() == 0
    bar.sheet.hide()
    theme.apply(qapp, Theme.LIGHT)


def test_what_does_not_fit_is_in_the_sheet_and_comes_back(bar: RecipeBar, host: QWidget, qapp: QApplication) -> None:
    host.resize(1440, 48)
    qapp.processEvents()
    wide = bar.names_in_bar
    assert wide == ["Recipe", "Alphabet", "Pre-tokens", "Ties", "Counting", "Size", "Least count"]
    host.resize(700, 48)
    qapp.processEvents()
    assert bar.names_in_bar == ["Alphabet", "Size"] or bar.names_in_bar == ["Alphabet", "Pre-tokens", "Size"]
    assert bar.fields.tie.window() is bar.sheet and bar.fields.tie.currentText() == "ties: lexicographic"
    host.resize(1440, 48)
    qapp.processEvents()
    assert bar.names_in_bar == wide and bar.fields.tie.parentWidget() is bar and bar.fields.tie.isVisible()


def test_a_field_in_the_sheet_works_as_in_the_bar(bar: RecipeBar, host: QWidget, workspace: Workspace, qtbot: QtBot) -> None:
    host.resize(700, 48)
    qtbot.mouseClick(bar.more, LEFT)
    assert bar.sheet.isVisible() and bar.fields.tie.isVisible()
    take(bar.fields.tie, "ties: first met")
    assert trained(workspace, qtbot).tie is TieRule.FIRST_MET
    bar.sheet.hide()


def test_it_is_off_where_nothing_is_open(workspace: Workspace, qtbot: QtBot) -> None:
    made = RecipeBar(workspace)
    qtbot.addWidget(made)
    assert not any(field.widget.isEnabled() for field in made.fields.bar()) and made.facts.text() in ("", "chapter-81")
    workspace.open_corpus(Corpus.of_text(b"aaa"), recipe=Recipe.of("chapter-81"), at_once=True)
    assert all(field.widget.isEnabled() for field in made.fields.bar())


def test_another_theme_repaints_it(bar: RecipeBar, host: QWidget, qapp: QApplication) -> None:
    light = host.grab().toImage()
    theme.apply(qapp, Theme.DARK)
    dark = host.grab().toImage()
    assert dark != light and dark.pixelColor(2, 2) == theme.ink_of(Theme.DARK).chrome
    theme.apply(qapp, Theme.LIGHT)


@pytest.mark.parametrize(
    ("pattern", "place"), [("a+b", None), ("", None), ("(", 1), ("a)b", 1), (r"\p{Nope}", 8), ("[z-a]", 4), ("*", 0), ("é(", 2)]
)
def test_a_fault_names_its_place(pattern: str, place: int | None) -> None:
    words, found = fault_of(pattern)
    assert (found is None) == (place is None) == (words == "")
    if place is not None:
        assert found is not None and 0 <= found <= len(pattern) and words.startswith(f"Column {found + 1}: ")


def test_a_pattern_shown_is_not_told(qapp: QApplication, qtbot: QtBot) -> None:
    theme.apply(qapp, Theme.LIGHT)
    field = PatternField()
    qtbot.addWidget(field)
    told: list[str] = []
    field.settled.connect(told.append)
    field.show_pattern("a|b")
    qtbot.wait(300)
    assert told == [] and field.edit.text() == "a|b"
    field.edit.setText("a|c")
    qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    assert told == ["a|c"]


@pytest.mark.parametrize("number", [5, 32768, 1_000_000])
def test_a_number_is_never_wider_than_its_box(qtbot: QtBot, number: int) -> None:
    box = NumberBox("Size asked for", 0, 5)
    qtbot.addWidget(box)
    box.show_number(number)
    box.resize(box.sizeHint())
    box.show()
    line = box.lineEdit()
    assert line.fontMetrics().horizontalAdvance(box.text()) + 4 <= line.contentsRect().width()


def test_a_split_pattern_says_by_which_unicode_it_cuts(bar: RecipeBar) -> None:
    box = bar.fields.pretokens
    said = [box.itemData(at, Qt.ItemDataRole.ToolTipRole) for at in range(box.count())]
    assert [f"Unicode {unicode_version()}" in meaning for meaning in said] == [False] * 3 + [True] * 4


def test_a_tie_rule_says_whether_the_order_of_the_texts_matters(bar: RecipeBar) -> None:
    box = bar.fields.tie
    said = {box.itemText(at): box.itemData(at, Qt.ItemDataRole.ToolTipRole) for at in range(box.count())}
    assert {words: "may give another table" in meaning for words, meaning in said.items()} == {
        "ties: lowest ids": False, "ties: lexicographic": False, "ties: first met": True, "ties: last met": True,
    }  # fmt: skip
    box.show_value(TieRule.LAST_MET)
    assert box.toolTip() == f"Ties: {said['ties: last met']}"


def test_a_size_for_the_corpus_that_is_opened_is_not_refused_by_the_alphabet_of_the_one_before(
    bar: RecipeBar, workspace: Workspace, qtbot: QtBot
) -> None:
    assert workspace.run is not None and workspace.run.training.alphabet.floor > 8
    workspace.open_corpus(Corpus.of_text(b"a a a a"), recipe=workspace.recipe)
    bar.change({"rows": 8, "merges": None})
    assert trained(workspace, qtbot).rows == 8 and workspace.corpus is not None and workspace.corpus.data == b"a a a a"
