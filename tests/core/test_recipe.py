"""The recipe: presets as the product states them, contradictions refused, JSON both ways."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.recipe import (
    PRESETS,
    AlphabetKind,
    Choice,
    Counting,
    Joints,
    LineEnds,
    PreTokenRule,
    Recipe,
    TieRule,
    Unknown,
    recipe_line,
)
from explorer.core.vocabulary import Piece, PieceKind
from explorer.errors import RecipeError
from tests.core.strategies import recipes

B, C = AlphabetKind.BYTES, AlphabetKind.CHARACTERS
P, T = PreTokenRule, TieRule
JOINTS = Joints.of({b"undo": (b"un", b"do"), b"a\xff": (b"a", b"\xff")})
CHOICE = Choice(3, Piece(b"a"), Piece(b"b\xff", True, PieceKind.MERGE, (1,)))

plain = st.builds(Piece, st.binary(max_size=3), st.booleans(), st.sampled_from(PieceKind))
pieces = plain | st.builds(Piece.joined, plain, plain)
choices = st.lists(st.builds(Choice, st.integers(0, 99), pieces, pieces), max_size=3, unique_by=lambda choice: choice.rank).map(
    lambda made: tuple(sorted(made, key=lambda choice: choice.rank))
)


@pytest.mark.parametrize(
    ("name", "alphabet", "marker", "unknown", "pretokens", "tie", "least", "rows", "merges"),
    [
        ("chapter-81", B, False, Unknown.STAND_IN, P.ENTRIES, T.LOWEST_IDS, 2, None, 256),
        ("published", C, True, Unknown.STAND_IN, P.WORDS, T.LEXICOGRAPHIC, 2, None, None),
        ("fallback", C, True, Unknown.FALLBACK, P.WORDS, T.LEXICOGRAPHIC, 2, None, None),
        ("byte-words", B, False, Unknown.STAND_IN, P.BYTE_WORDS, T.LEXICOGRAPHIC, 2, None, None),
        ("script", C, False, Unknown.KEEP, P.WORDS, T.LEXICOGRAPHIC, 1, None, 5),
        ("gpt2", B, False, Unknown.STAND_IN, P.GPT2, T.LOWEST_IDS, 2, 32768, None),
        ("cl100k", B, False, Unknown.STAND_IN, P.CL100K, T.LOWEST_IDS, 2, 32768, None),
        ("o200k", B, False, Unknown.STAND_IN, P.O200K, T.LOWEST_IDS, 2, 32768, None),
    ],
)
def test_the_presets_are_as_stated(
    name: str, alphabet: AlphabetKind, marker: bool, unknown: Unknown, pretokens: PreTokenRule, tie: TieRule,
    least: int, rows: int | None, merges: int | None,
) -> None:
    preset = Recipe.of(name)
    assert preset == Recipe(alphabet, marker, unknown, pretokens, rows=rows, merges=merges, tie=tie, min_count=least)
    assert (preset.counting, preset.line_ends, preset.lift, preset.choices, preset.joints) == (
        Counting.OVERLAPPING, LineEnds.KEEP, None, (), None,
    )
    assert preset.preset == name
    assert preset.fallback == (name == "fallback")


def test_there_are_eight_presets_and_another_name_is_refused_with_theirs() -> None:
    assert len(PRESETS) == 8
    with pytest.raises(RecipeError, match=r"no recipe 'gpt3'.*chapter-81, published.*o200k"):
        Recipe.of("gpt3")


def test_a_preset_is_known_whatever_its_size_choices_and_joints() -> None:
    recipe = replace(Recipe.of("published"), rows=30, choices=(CHOICE,), joints=JOINTS)
    assert recipe.preset == "published"
    assert replace(recipe, tie=TieRule.LAST_MET).preset is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rows": 1, "merges": 1}, "not in both"),
        ({"rows": -1}, "rows is -1"),
        ({"merges": -1}, "merges is -1"),
        ({"min_count": 0}, "min count is 0"),
        ({"lift": -1, "pretokens": P.BYTE_WORDS}, "lift is -1"),
        ({"lift": 300}, "never lifted"),
        ({"pattern": "a"}, "no other"),
        ({"pretokens": P.PATTERN}, "pattern"),
        ({"marker": True}, "marker needs"),
        ({"alphabet": C}, "trained on words"),
        ({"alphabet": C, "pretokens": P.GPT2}, "trained on words"),
        ({"unknown": Unknown.FALLBACK}, "as fallback need an alphabet of characters"),
        ({"unknown": Unknown.KEEP}, "as keep need an alphabet of characters"),
        ({"joints": JOINTS}, "Joints cut words"),
        ({"choices": (CHOICE, CHOICE)}, "one a rank"),
        ({"choices": (CHOICE, Choice(1, CHOICE.left, CHOICE.right))}, "rank order"),
        ({"choices": (Choice(-1, CHOICE.left, CHOICE.right),)}, "count from 0"),
    ],
)
def test_decisions_that_do_not_go_together_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(RecipeError, match=words):
        replace(Recipe(), **changes)


def test_asking_changes_the_size_alone() -> None:
    recipe = Recipe.of("chapter-81")
    assert recipe.asking(rows=300) == replace(recipe, merges=None, rows=300)
    assert recipe.asking() == recipe.without_size() == replace(recipe, merges=None)
    assert recipe.asking(merges=7).without_size() == recipe.asking(rows=400).without_size()


def test_the_choice_at_a_rank() -> None:
    recipe = replace(Recipe(), choices=(CHOICE,))
    assert recipe.choice_at(3) is CHOICE
    assert recipe.choice_at(2) is None


@given(recipes(), choices, st.sampled_from(LineEnds))
def test_a_recipe_comes_back_from_its_json(recipe: Recipe, made: tuple[Choice, ...], ends: LineEnds) -> None:
    recipe = replace(recipe, choices=made, line_ends=ends)
    line = recipe_line(recipe)
    assert line.isascii()
    assert "\n" not in line
    assert Recipe.from_json(json.loads(line)) == recipe
    assert set(recipe.to_json()) == {field.name for field in fields(Recipe)}


def test_fields_left_out_take_their_defaults() -> None:
    assert Recipe.from_json({}) == Recipe()
    assert Recipe.from_json({"merges": 5}) == Recipe(merges=5)


A_PIECE = {"bytes": "61", "marked": False, "kind": "symbol"}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"colour": 1}, "no field 'colour'"),
        ({"alphabet": "runes"}, "alphabet cannot be 'runes'.*bytes, characters"),
        ({"tie": None}, "tie cannot be None"),
        ({"merges": "5"}, "merges cannot be '5'"),
        ({"merges": True}, "merges cannot be True"),
        ({"merges": 1.5}, "merges cannot be 1.5"),
        ({"min_count": None}, "min_count cannot be None"),
        ({"marker": 1}, "marker cannot be 1"),
        ({"pattern": 5}, "pattern cannot be 5"),
        ({"choices": 5}, "choices cannot be read"),
        ({"choices": [{"rank": 1}]}, "choices cannot be read"),
        ({"choices": [{"rank": 0, "left": "a", "right": "b"}]}, "choices cannot be read"),
        ({"choices": [{"rank": 0, "left": {"bytes": "zz"}, "right": {}}]}, "choices cannot be read"),
        ({"choices": [{"rank": 0.9, "left": A_PIECE, "right": A_PIECE}]}, "rank 0.9 is not a whole number"),
        ({"choices": [{"rank": True, "left": A_PIECE, "right": A_PIECE}]}, "rank True is not a whole number"),
        ({"choices": [{"rank": 0, "left": A_PIECE, "right": A_PIECE, "why": 1}]}, "a choice has no field 'why'"),
        ({"choices": [{"rank": 0, "left": {**A_PIECE, "marked": "false"}, "right": A_PIECE}]}, "marked is 'false'"),
        ({"choices": [{"rank": 0, "left": {**A_PIECE, "mark": True}, "right": A_PIECE}]}, "a piece has no field 'mark'"),
        ({"choices": [{"rank": 0, "left": {"bytes": "61", "marked": False}, "right": A_PIECE}]}, "a piece lacks 'kind'"),
        ({"choices": [{"rank": 0, "left": {**A_PIECE, "kind": "letter"}, "right": A_PIECE}]}, "'letter'"),
        ({"choices": [{"rank": 0, "left": {**A_PIECE, "bytes": 61}, "right": A_PIECE}]}, "choices cannot be read"),
        ({"choices": [{"rank": 0, "left": {**A_PIECE, "breaks": [2]}, "right": A_PIECE}]}, "not places inside a piece of 1 bytes"),
        ({"choices": [{"rank": 0, "left": {**A_PIECE, "breaks": [1, 0]}, "right": A_PIECE}]}, "in order"),
        ({"pretokens": "words", "joints": 5}, "joints cannot be read"),
        ({"pretokens": "words", "joints": {}}, "joints cannot be read"),
        ({"pretokens": "words", "joints": {"words": {"undo": ["un", "da"]}}}, "do not make the word"),
        ({"pretokens": "words", "joints": {"words": {"undo": [1]}}}, "joints cannot be read"),
        ({"pretokens": "words", "joints": {"sha256": "ab" * 32}}, "give the joints file"),
    ],
)
def test_json_that_is_no_recipe_is_refused_in_words(values: dict[str, Any], words: str) -> None:
    with pytest.raises(RecipeError, match=words):
        Recipe.from_json(values)


def test_joints_are_sorted_and_make_their_words() -> None:
    assert [word for word, _ in JOINTS.words] == [b"a\xff", b"undo"]
    assert JOINTS.mapping == {b"undo": (b"un", b"do"), b"a\xff": (b"a", b"\xff")}
    for parts in ((b"un", b"da"), (b"", b"undo"), ()):
        with pytest.raises(RecipeError, match="do not make the word"):
            Joints.of({b"undo": parts})


def test_many_joints_go_by_digest_and_are_asked_for_again() -> None:
    many = Joints.of({b"w%d" % n: (b"w", b"%d" % n) for n in range(Joints.IN_FULL + 1)})
    recipe = replace(Recipe.of("published"), joints=many)
    values = json.loads(recipe_line(recipe))
    assert values["joints"] == {"sha256": many.sha256, "count": 1001}
    assert Recipe.from_json(values, many) == recipe
    for others in (None, JOINTS):
        with pytest.raises(RecipeError, match=many.sha256[:16]):
            Recipe.from_json(values, others)


def test_a_recipe_can_be_a_key() -> None:
    assert {Recipe.of("published"): 1}[replace(Recipe.of("published"))] == 1
