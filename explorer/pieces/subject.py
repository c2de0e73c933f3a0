"""Which corpus and which recipe a command line means."""

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.core.corpus import Corpus
from explorer.core.engines import train
from explorer.core.pretokens import corpus_read
from explorer.core.recipe import PRESETS, AlphabetKind, Counting, Joints, LineEnds, PreTokenRule, Recipe, TieRule, Unknown
from explorer.core.training import Training
from explorer.errors import RecipeError
from explorer.pieces.arguments import ALL, OWN_JOINTS, PATTERN_PREFIX, BadUseError
from explorer.sources.exemplars import EXEMPLARS, exemplar_named, open_exemplar
from explorer.sources.joints import read_joints
from explorer.sources.opening import open_corpus
from explorer.workers import workers

_ENUMS: dict[str, type[AlphabetKind | Unknown | LineEnds | TieRule | Counting]] = {
    "alphabet": AlphabetKind, "unknown": Unknown, "line_ends": LineEnds, "tie": TieRule, "counting": Counting,
}


@dataclass(frozen=True, slots=True)
class Subject:
    """A corpus with the recipe to read it by; `sized` says that the command line asked for a size."""

    corpus: Corpus
    recipe: Recipe
    sized: bool

    @property
    def read(self) -> Corpus:
        """The text that training reads."""
        return corpus_read(self.corpus, self.recipe)

    def trained(self) -> Training:
        """The training of the recipe on the corpus."""
        return train(self.corpus, self.recipe, map_chunks=workers())

    def by(self, recipe: Recipe) -> "Subject":
        """The same corpus by another recipe."""
        return replace(self, recipe=recipe)


def subject_of(options: argparse.Namespace) -> Subject:
    """Opens the corpus and puts the recipe together. A name that is no exemplar is a file."""
    corpus, recipe = _opened(options.corpus, options.column)
    return Subject(corpus, _recipe(options, recipe, corpus), options.rows is not None or options.merges is not None)


def _opened(name: str, column: str | None) -> tuple[Corpus, Recipe]:
    if name in {known.name for known in EXEMPLARS}:
        if column is not None:
            raise BadUseError(f"the exemplar {name} has its column already: leave --column {column} out")
        return open_exemplar(name), exemplar_named(name).recipe
    path = Path(name)
    if not path.suffix and not path.exists() and path.name == name:
        raise BadUseError(f"there is no exemplar and no file {name!r}; the exemplars are {', '.join(known.name for known in EXEMPLARS)}")
    return open_corpus(path, column=column), PRESETS["chapter-81"]


def _recipe(options: argparse.Namespace, recipe: Recipe, corpus: Corpus) -> Recipe:
    if options.recipe is not None:
        recipe = Recipe.of(options.recipe)
    changes: dict[str, Any] = {}  # Any: each field has its own type
    for name, kinds in _ENUMS.items():
        if (value := getattr(options, name)) is not None:
            changes[name] = kinds(value)
    for name in ("marker", "min_count", "lift"):
        if (value := getattr(options, name)) is not None:
            changes[name] = value
    if options.rows is not None or options.merges is not None:
        changes |= {"rows": options.rows, "merges": None if options.merges == ALL else options.merges}
    if options.pretokens is not None:
        changes |= _pretokens(options.pretokens)
    if options.choices is not None:
        changes["choices"] = _choices(options.choices)
    if options.joints is not None:
        changes["joints"] = _own_joints(corpus) if options.joints is OWN_JOINTS else read_joints(options.joints)
    return replace(recipe, **changes)


def _pretokens(text: str) -> dict[str, Any]:
    if text.startswith(PATTERN_PREFIX):
        return {"pretokens": PreTokenRule.PATTERN, "pattern": text.removeprefix(PATTERN_PREFIX)}
    names = [rule.value for rule in PreTokenRule if rule is not PreTokenRule.PATTERN]
    if text not in names:
        raise BadUseError(f"argument --pretokens: invalid choice: {text!r} (choose from {', '.join(names)}, {PATTERN_PREFIX}REGEX)")
    return {"pretokens": PreTokenRule(text), "pattern": None}


def _choices(path: Path) -> Any:
    try:
        values = json.loads(path.read_bytes())
    except OSError as error:
        raise BadUseError(f"argument --choices: {path.name}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BadUseError(f"argument --choices: {path.name} is no JSON: {error}") from None
    if not isinstance(values, list):
        raise BadUseError(f"argument --choices: {path.name} holds no list")
    return Recipe.from_json({"choices": values}).choices


def _own_joints(corpus: Corpus) -> Joints:
    if not corpus.joints:
        raise RecipeError(f"{corpus.name} offers no joints. Name a file of them: one word a line, TAB, and its parts as un|do.")
    return Joints.of(corpus.joints)
