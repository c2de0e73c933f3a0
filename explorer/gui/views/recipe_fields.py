"""The fields of a recipe as widgets: one for each decision, each shown from a recipe and telling what a person wants."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from explorer.core.corpus import Corpus
from explorer.core.recipe import PRESETS, AlphabetKind, Choice, Counting, Joints, LineEnds, PreTokenRule, Recipe, TieRule, Unknown
from explorer.core.splitting import PATTERNS, unicode_version
from explorer.core.training import Training
from explorer.gui import theme
from explorer.gui.painting.paint import thousands
from explorer.gui.views.choice_box import ChoiceBox
from explorer.gui.views.choices_list import ChoicesList
from explorer.gui.views.number_box import NumberBox
from explorer.gui.views.pattern_field import PatternField
from explorer.gui.views.size_field import SizeField

OWN = "own"
UNKNOWN_WORDS = {Unknown.STAND_IN: "stand-in", Unknown.FALLBACK: "257 fallback rows", Unknown.KEEP: "kept, without an id"}
LINE_END_WORDS = {LineEnds.KEEP: "CR is data", LineEnds.LF: "CR read as LF"}
TIE_MEANINGS = {
    TieRule.LOWEST_IDS: "the pair of the lowest ids, the left one first. The order of the text does not matter.",
    TieRule.LEXICOGRAPHIC: "the pair that comes first in the order of its letters. The order of the text does not matter.",
    TieRule.FIRST_MET: "the pair met first in the corpus: the same texts in another order may give another table.",
    TieRule.LAST_MET: "the pair met last in the corpus: the same texts in another order may give another table.",
}
COUNTING_MEANINGS = {
    Counting.OVERLAPPING: "every place where the two stand side by side: aaa holds the pair a a twice.",
    Counting.DISJOINT: "only what a merge would replace, from the left: aaa holds the pair a a once.",
}
PRETOKEN_MEANINGS = {
    PreTokenRule.ENTRIES: "a line each. No token crosses the end of a line, which is a token of its own.",
    PreTokenRule.WORDS: "what stands between spaces and line ends.",
    PreTokenRule.BYTE_WORDS: "a word with the space before it.",
    PreTokenRule.GPT2: "what GPT-2's pattern matches",
    PreTokenRule.CL100K: "what the pattern of cl100k (GPT-4) matches",
    PreTokenRule.O200K: "what the pattern of o200k (GPT-4o) matches",
    PreTokenRule.PATTERN: "what a pattern of your own matches",
}
NEEDS_CHARACTERS = "Needs an alphabet of characters."


@dataclass(frozen=True, slots=True)
class Field:
    """One decision: its name for a person and its widget."""

    name: str
    widget: QWidget


class NumberOption(QWidget):
    """A check box and a number that counts only while it is checked; `settled` tells the number, or None."""

    settled = Signal(object)

    def __init__(self, words: str, name: str) -> None:
        super().__init__()
        self.check = QCheckBox(words)
        self.number = NumberBox(name, 0, 5)
        self.suggested = 0  # what a first check takes
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.measures().s)
        row.addWidget(self.check)
        row.addWidget(self.number)
        row.addStretch(1)
        self.check.clicked.connect(lambda on: self.settled.emit(self.suggested if on else None))
        self.number.settled.connect(lambda number: self.settled.emit(number))

    def show_number(self, number: int | None) -> None:
        """Shows a number, or that there is none; nobody is told."""
        self.check.setChecked(number is not None)
        self.number.setVisible(number is not None)
        if number is not None:
            self.number.show_number(number)


class RecipeFields(QObject):
    """All fields. `wished` tells the fields of a Recipe that should change, `preset_wished` the name of a preset."""

    wished = Signal(object)  # Mapping[str, object]
    preset_wished = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._recipe = Recipe()
        self._corpus: Corpus | None = None
        self._build_bar_fields()
        self._build_sheet_fields()
        self._connect()

    def _build_bar_fields(self) -> None:
        self.preset: ChoiceBox[str] = ChoiceBox("Recipe", [(name, name) for name in (*PRESETS, OWN)])
        self.preset.set_offered(OWN, False)
        self.alphabet = _enum_box("Alphabet", {kind: kind.value for kind in AlphabetKind})
        rules = {rule: rule.value for rule in PreTokenRule} | {PreTokenRule.PATTERN: "own pattern"}
        self.pretokens = _enum_box("Pre-tokens", rules)
        by_unicode = {rule: f"{PRETOKEN_MEANINGS[rule]}, by Unicode {unicode_version()}." for rule in (*PATTERNS, PreTokenRule.PATTERN)}
        self.pretokens.explain(PRETOKEN_MEANINGS | by_unicode)
        self.tie = _enum_box("Ties", {rule: f"ties: {rule.value.replace('-', ' ')}" for rule in TieRule})
        self.tie.explain(TIE_MEANINGS)
        self.counting = _enum_box("Counting", {counting: f"count: {counting.value}" for counting in Counting})
        self.counting.explain(COUNTING_MEANINGS)
        self.size = SizeField()
        self.min_count = NumberBox("Least count of a pair", 1, 3, "min count ")

    def _build_sheet_fields(self) -> None:
        self.pattern = PatternField()
        self.unknown = _enum_box("Unknown characters", UNKNOWN_WORDS)
        self.marker = QCheckBox("end-of-word marker")
        self.line_ends = _enum_box("Line ends", LINE_END_WORDS)
        self.lift = NumberOption("lifted at rows", "Rows at which merges begin to cross pre-tokens")
        self.joints = QCheckBox()
        self.choices = ChoicesList()

    def _connect(self) -> None:
        self.preset.chosen.connect(lambda name: self.preset_wished.emit(name))
        for name, box in (
            ("alphabet", self.alphabet), ("tie", self.tie), ("counting", self.counting), ("unknown", self.unknown),
            ("line_ends", self.line_ends),
        ):  # fmt: skip
            box.chosen.connect(self._wisher(name))
        self.pretokens.chosen.connect(self._on_pretokens)
        self.size.asked.connect(lambda rows, merges: self.wished.emit({"rows": rows, "merges": merges}))
        self.min_count.settled.connect(self._wisher("min_count"))
        self.pattern.settled.connect(self._wisher("pattern"))
        self.marker.clicked.connect(self._wisher("marker"))
        self.lift.settled.connect(self._wisher("lift"))
        self.joints.clicked.connect(self._on_joints)
        self.choices.removed.connect(self._on_removed)

    def _wisher(self, name: str) -> Callable[[Any], None]:  # Any: the value of that field of a Recipe
        return lambda value: self.wished.emit({name: value})

    def bar(self) -> tuple[Field, ...]:
        """The fields of the bar, from the left."""
        return (
            Field("Recipe", self.preset), Field("Alphabet", self.alphabet), Field("Pre-tokens", self.pretokens), Field("Ties", self.tie),
            Field("Counting", self.counting), Field("Size", self.size), Field("Least count", self.min_count),
        )  # fmt: skip

    def sheet(self) -> tuple[Field, ...]:
        """The fields of the sheet, from above; the pattern only where there is one."""
        pattern = (Field("Pattern", self.pattern),) if self._recipe.pretokens is PreTokenRule.PATTERN else ()
        return (
            *pattern, Field("Unknown", self.unknown), Field("Words", self.marker), Field("Line ends", self.line_ends),
            Field("Boundary", self.lift), Field("Joints", self.joints), Field("Choices", self.choices),
        )  # fmt: skip

    # --- what is shown ------------------------------------------------------------------------------------------------

    def show_recipe(self, recipe: Recipe, training: Training | None, corpus: Corpus | None) -> None:
        """Shows a recipe; the training tells what sizes come to, the corpus whether it offers joints."""
        self._recipe, self._corpus = recipe, corpus
        self.preset.show_value(recipe.preset or OWN)
        self.alphabet.show_value(recipe.alphabet)
        self.pretokens.show_value(recipe.pretokens)
        self.tie.show_value(recipe.tie)
        self.counting.show_value(recipe.counting)
        self.size.show_size(recipe, training)
        self.min_count.show_number(recipe.min_count)
        self.pattern.show_pattern(recipe.pattern or "")
        self.unknown.show_value(recipe.unknown)
        self.line_ends.show_value(recipe.line_ends)
        self.marker.setChecked(recipe.marker)
        self.lift.suggested = training.rows if training else 0
        self.lift.show_number(recipe.lift)
        self.choices.show_choices(recipe.choices)
        self._show_joints(recipe.joints)
        self._show_enabled(recipe)

    def _show_joints(self, joints: Joints | None) -> None:
        offered = len(self._corpus.joints) if self._corpus else 0
        words = len(joints.words) if joints else offered
        self.joints.setText(f"{thousands(words)} words cut at their joints" if words else "words cut at their joints")
        self.joints.setChecked(joints is not None)
        self.joints.setEnabled(bool(words))
        self.joints.setToolTip("" if words else "This corpus has no joints.")

    def _show_enabled(self, recipe: Recipe) -> None:
        characters = recipe.alphabet is AlphabetKind.CHARACTERS
        for widget in (self.unknown, self.marker):
            widget.setEnabled(characters)
        self.marker.setToolTip("" if characters else NEEDS_CHARACTERS)
        self.unknown.setToolTip("What a character that the corpus never held is encoded as" if characters else NEEDS_CHARACTERS)
        lifts = recipe.pretokens is not PreTokenRule.ENTRIES
        self.lift.setEnabled(lifts)
        self.lift.setToolTip("" if lifts else "The boundary between entries is never lifted: choose other pre-tokens.")

    # --- what a person wants ------------------------------------------------------------------------------------------

    def _on_pretokens(self, rule: PreTokenRule) -> None:
        wish: dict[str, object] = {"pretokens": rule}
        if rule is PreTokenRule.PATTERN:  # a pattern to begin with: the one in use, or a known one
            wish["pattern"] = self._recipe.pattern or PATTERNS.get(self._recipe.pretokens) or PATTERNS[PreTokenRule.GPT2]
        self.wished.emit(wish)

    def _on_joints(self, on: bool) -> None:
        self.wished.emit({"joints": Joints.of(self._corpus.joints) if on and self._corpus else None})

    def _on_removed(self, choice: Choice) -> None:
        self.wished.emit({"choices": tuple(made for made in self._recipe.choices if made != choice)})


def _enum_box(name: str, words: Mapping[Any, str]) -> ChoiceBox[Any]:  # Any: the enum of that field of a Recipe
    return ChoiceBox(name, list(words.items()))


