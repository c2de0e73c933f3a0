"""Changing one decision of a recipe: what must change with it changes too, and is said.

A recipe refuses contradictions. Where the last wish leaves only one way out, that way is taken (characters are
trained on words; an alphabet of bytes has no marker); where it does not, the refusal stands and nothing changes.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

from explorer.core.recipe import AlphabetKind, PreTokenRule, Recipe, Unknown
from explorer.core.training import Training
from explorer.errors import SizeFloorError

NAMES = {
    "alphabet": "alphabet", "marker": "end-of-word marker", "unknown": "unknown", "pretokens": "pre-tokens", "pattern": "pattern",
    "line_ends": "line ends", "lift": "lift", "joints": "joints", "choices": "choices",
}  # fmt: skip
KEEPS_CHOICES = {"rows", "merges", "tie", "counting", "min_count", "choices", "unknown"}


@dataclass(frozen=True, slots=True)
class Change:
    """A recipe with one decision changed, and what changed with it in words (empty: nothing)."""

    recipe: Recipe
    also: str


def changed(recipe: Recipe, **wish: Any) -> Change:  # Any: the values of the fields of a Recipe
    """The recipe with the wish fulfilled; raises RecipeError where that leaves a contradiction with no one way out.

    Choices name pieces, which another alphabet or other pre-tokens may not have: they go.
    """
    whole = _settled(recipe, wish)
    if recipe.choices and any(getattr(recipe, name) != value for name, value in whole.items() if name not in KEEPS_CHOICES):
        whole["choices"] = ()
    made = replace(recipe, **whole)
    return Change(made, _also(recipe, made, wish))


def _settled(recipe: Recipe, wish: dict[str, Any]) -> dict[str, Any]:
    whole = dict(wish)
    pretokens: PreTokenRule | None = wish.get("pretokens")
    alphabet: AlphabetKind | None = wish.get("alphabet")
    if alphabet is AlphabetKind.CHARACTERS:
        whole |= {"pretokens": PreTokenRule.WORDS, "marker": recipe.marker or recipe.alphabet is AlphabetKind.BYTES}
    elif alphabet is AlphabetKind.BYTES:
        whole |= {"marker": False, "unknown": Unknown.STAND_IN}
    elif pretokens not in (None, PreTokenRule.WORDS) and recipe.alphabet is AlphabetKind.CHARACTERS:
        whole |= {"alphabet": AlphabetKind.BYTES, "marker": False, "unknown": Unknown.STAND_IN}
    elif wish.get("joints"):
        whole["pretokens"] = PreTokenRule.WORDS
    rule = whole.get("pretokens", recipe.pretokens)
    if rule is not PreTokenRule.PATTERN:
        whole["pattern"] = None
    if rule is not PreTokenRule.WORDS and "joints" not in wish:
        whole["joints"] = None
    if rule is PreTokenRule.ENTRIES and "lift" not in wish:
        whole["lift"] = None
    return whole


def _also(before: Recipe, after: Recipe, wish: dict[str, Any]) -> str:
    other = [field.name for field in fields(Recipe) if field.name not in wish and getattr(before, field.name) != getattr(after, field.name)]
    named = [f"{NAMES[name]} {_value_words(getattr(after, name))}" for name in other if name in NAMES and name != "pattern"]
    return f"Changed with it: {', '.join(named)}." if named else ""


def _value_words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None or value == () else str(getattr(value, "value", value))


def of_preset(recipe: Recipe, name: str) -> Recipe:
    """A preset with its own size; joints stay where it is trained on words."""
    preset = Recipe.of(name)
    return replace(preset, joints=recipe.joints) if preset.pretokens is PreTokenRule.WORDS else preset


def refuse_small(recipe: Recipe, training: Training | None) -> None:
    """Raises SizeFloorError at once for rows fewer than the alphabet takes, if a training with that alphabet is at hand."""
    if training is None or recipe.rows is None or not _same_alphabet(recipe, training.recipe):
        return
    if recipe.rows < training.alphabet.floor:
        raise SizeFloorError(recipe.rows, training.alphabet.floor)


def _same_alphabet(one: Recipe, other: Recipe) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in ("alphabet", "marker", "unknown", "pretokens", "line_ends", "joints"))
