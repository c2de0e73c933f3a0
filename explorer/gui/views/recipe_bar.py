"""The recipe bar: every decision that makes the table what it is, in one line, the rest in a sheet under it."""

from collections.abc import Mapping

from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.runs import Run
from explorer.errors import RecipeError
from explorer.gui import theme
from explorer.gui.frame import Elided, Label, Push
from explorer.gui.models.recipe_edit import changed, of_preset, refuse_small
from explorer.gui.models.training_words import learned_line
from explorer.gui.narrow_bar import NarrowBar
from explorer.gui.theme import Role, Tone, px
from explorer.gui.views.lateness import lateness
from explorer.gui.views.recipe_fields import Field, RecipeFields
from explorer.gui.views.recipe_more import RecipeMore
from explorer.workspace.workspace import Workspace

FACTS_ROOM = 108.0  # pixels that the facts keep before another field finds room
REFUSAL_SHARE = 0.45  # of the bar that a refusal may take: fields give way to it
LAST_TO_LEAVE = ("Size", "Alphabet", "Pre-tokens", "Ties", "Recipe", "Counting", "Least count")  # from the one that stays longest


class RecipeBar(NarrowBar):
    """Preset, alphabet, pre-tokens, ties, counting, size, least count; what does not fit is in "More", with the rest.

    A change retrains. What cannot be is said at the right, and the recipe stays as it was. Hears recipe_changed,
    run_changed, corpus_changed; calls set_recipe.
    """

    least = 400.0

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("recipe")
        self.setAccessibleName("Recipe")
        self._workspace = workspace
        self.fields = RecipeFields(self)
        self.title = Label("Recipe", Role.STRONG)
        self.more = Push("More", "settings")
        self.sheet = RecipeMore(self)
        self.fields.pattern.setParent(self.sheet)  # in no layout until a recipe has a pattern, and yet somebody's
        self.fields.pattern.hide()  # or it opens with the sheet, under the other fields
        self.facts = Elided()
        self._added: list[QWidget] = []
        self._in_bar: list[Field] = []
        self._also = self._refused = ""
        self._lay_out()
        self.more.clicked.connect(lambda: self.sheet.open_under(self.more))
        self.fields.wished.connect(self.change)
        self.fields.preset_wished.connect(self.take_preset)
        workspace.recipe_changed.connect(self._on_recipe)
        workspace.run_changed.connect(self._on_run)
        workspace.corpus_changed.connect(self._on_corpus)
        self._show()

    def _lay_out(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.row.addWidget(self.title)
        for field in self.fields.bar():
            self.row.addWidget(field.widget)
            self._in_bar.append(field)
        self.row.addWidget(self.more)
        self.row.addSpacing(theme.measures().xs)
        self.row.addWidget(self.facts, 1)

    def add_button(self, button: QWidget) -> None:
        """Puts a button of the window at the right end."""
        self._added.append(button)
        self.row.addWidget(button)
        self._arrange()

    # --- what fits ----------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        """Puts the fields that fit into the bar, in their order, and the others into the sheet."""
        fitting = self._fitting()
        if [field.name for field in self._in_bar] != [field.name for field in fitting]:
            for field in self._in_bar:
                self.row.removeWidget(field.widget)
            for place, field in enumerate(fitting, start=1):  # after the title
                self.row.insertWidget(place, field.widget)
                field.widget.show()
            self._in_bar = fitting
        rest = [field for field in self.fields.bar() if field not in fitting]
        self.sheet.set_rows([(field.name, field.widget) for field in (*rest, *self.fields.sheet())])
        self._tell()

    def _fitting(self) -> list[Field]:
        sizes = theme.measures()
        fixed = [self.title, self.more, *self._added]
        refusal = theme.metrics(Role.LABEL).horizontalAdvance(self._refused) + sizes.s
        facts = max(px(FACTS_ROOM), min(refusal, REFUSAL_SHARE * self.width()))
        room = self.width() - 2 * sizes.m - facts - sizes.xs
        room -= sum(widget.sizeHint().width() + sizes.s for widget in fixed)
        by_name = {field.name: field for field in self.fields.bar()}
        taken: set[str] = set()
        for name in LAST_TO_LEAVE:
            room -= by_name[name].widget.sizeHint().width() + sizes.s
            if room < 0:
                break
            taken.add(name)
        return [field for field in self.fields.bar() if field.name in taken]

    @property
    def names_in_bar(self) -> list[str]:
        """The names of the fields that are in the bar now."""
        return [field.name for field in self._in_bar]

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _on_recipe(self, recipe: Recipe) -> None:
        self._refused = ""
        self._show()

    def _on_run(self, run: Run | None) -> None:
        self._show()

    def _on_corpus(self, _: object) -> None:
        self._also = self._refused = ""
        self._show()

    def _show(self) -> None:
        workspace = self._workspace
        training = workspace.run.training if workspace.run else None
        self.fields.show_recipe(workspace.recipe, training, workspace.corpus)
        for field in (*self.fields.bar(), Field("", self.more)):
            field.widget.setEnabled(workspace.corpus is not None)
        self._arrange()

    def _tell(self) -> None:
        """What was refused; or the recipe's name, what was learned, and what changed with the last change."""
        self.facts.set_tone(Tone.ERROR if self._refused else Tone.INK_3)
        self.facts.setText(self._refused or self._facts())
        self.sheet.show_error(self._refused)

    def _facts(self) -> str:
        name = "" if "Recipe" in self.names_in_bar else self._workspace.recipe.preset or "own recipe"
        return " · ".join(words for words in (name, learned_of(self._workspace), self._also) if words)

    # --- what a person wants ------------------------------------------------------------------------------------------

    def change(self, wish: Mapping[str, object]) -> None:
        """Asks for a recipe with some fields changed; a refusal is shown and changes nothing."""
        try:
            change = changed(self._workspace.recipe, **wish)
            self._ask(change.recipe, change.also)
        except RecipeError as error:
            self._refuse(error)

    def take_preset(self, name: str) -> None:
        """Asks for one of the recipes that have a name; a refusal is shown and changes nothing."""
        try:
            self._ask(of_preset(self._workspace.recipe, name), "")
        except RecipeError as error:
            self._refuse(error)

    def _ask(self, recipe: Recipe, also: str) -> None:
        run, coming = self._workspace.run, self._workspace.corpus_in_training
        of_this = coming is None or coming is self._workspace.corpus  # the recipe is for the corpus that is being opened
        refuse_small(recipe, run.training if run and of_this else None)
        self._also, self._refused = also, ""
        opens_pattern = recipe.pretokens is PreTokenRule.PATTERN is not self._workspace.recipe.pretokens
        self._workspace.set_recipe(recipe)
        self._show()
        if opens_pattern:
            self.sheet.open_under(self.more)
            self.fields.pattern.edit.setFocus()

    def _refuse(self, error: RecipeError) -> None:
        self._also, self._refused = "", str(error)
        self._show()


def learned_of(workspace: Workspace) -> str:
    """What the active run learned, and what it is of while another recipe or corpus is being trained."""
    if workspace.run is None:
        return ""
    words = learned_line(workspace.run.training)
    late = lateness(workspace)
    return f"{words}, {late}" if late else words
