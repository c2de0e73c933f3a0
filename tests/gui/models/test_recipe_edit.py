"""Changing one decision of a recipe: what goes with it, what is refused, and that every change gives a sound recipe."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import PRESETS, AlphabetKind, Choice, Counting, Joints, LineEnds, PreTokenRule, Recipe, TieRule, Unknown
from explorer.core.training import train
from explorer.core.vocabulary import byte_piece
from explorer.errors import RecipeError, SizeFloorError
from explorer.gui.models.recipe_edit import changed, of_preset, refuse_small

JOINTS = Joints.of({b"undo": (b"un", b"do")})
CHOICE = Choice(0, byte_piece(1), byte_piece(2))


def test_characters_take_words_and_the_marker_with_them() -> None:
    change = changed(Recipe.of("chapter-81"), alphabet=AlphabetKind.CHARACTERS)
    assert (change.recipe.pretokens, change.recipe.marker) == (PreTokenRule.WORDS, True)
    assert change.also == "Changed with it: end-of-word marker on, pre-tokens words."


def test_bytes_drop_the_marker() -> None:
    change = changed(Recipe.of("published"), alphabet=AlphabetKind.BYTES)
    assert not change.recipe.marker and change.recipe.pretokens is PreTokenRule.WORDS
    assert change.also == "Changed with it: end-of-word marker off."


def test_pre_tokens_other_than_words_make_characters_bytes() -> None:
    change = changed(Recipe.of("published"), pretokens=PreTokenRule.ENTRIES)
    assert change.recipe.alphabet is AlphabetKind.BYTES and change.recipe.pretokens is PreTokenRule.ENTRIES
    assert "alphabet bytes" in change.also


def test_entries_drop_the_lift_and_other_rules_their_joints_and_pattern() -> None:
    lifted = replace(Recipe.of("byte-words"), lift=300)
    assert changed(lifted, pretokens=PreTokenRule.ENTRIES).recipe.lift is None
    assert changed(lifted, pretokens=PreTokenRule.GPT2).recipe.lift == 300
    jointed = replace(Recipe.of("published"), joints=JOINTS)
    assert changed(jointed, pretokens=PreTokenRule.BYTE_WORDS).recipe.joints is None
    own = Recipe(pretokens=PreTokenRule.PATTERN, pattern=".")
    assert changed(own, pretokens=PreTokenRule.GPT2).recipe.pattern is None


def test_joints_take_words_with_them() -> None:
    change = changed(Recipe.of("chapter-81"), joints=JOINTS)
    assert change.recipe.pretokens is PreTokenRule.WORDS and change.recipe.joints == JOINTS


def test_choices_stay_while_pieces_mean_the_same() -> None:
    chosen = replace(Recipe.of("published"), choices=(CHOICE,))
    for wish in ({"tie": TieRule.LOWEST_IDS}, {"counting": Counting.DISJOINT}, {"min_count": 1}, {"rows": None, "merges": 4}):
        assert changed(chosen, **wish).recipe.choices == (CHOICE,)
    change = changed(chosen, marker=False)
    assert change.recipe.choices == () and change.also == "Changed with it: choices none."


def test_the_same_value_changes_nothing() -> None:
    for recipe in PRESETS.values():
        change = changed(recipe, tie=recipe.tie)
        assert change.recipe == recipe and change.also == ""


def test_a_wish_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(RecipeError, match="never lifted"):
        changed(Recipe.of("chapter-81"), lift=300)
    with pytest.raises(RecipeError, match="needs an alphabet of characters"):
        changed(Recipe.of("chapter-81"), marker=True)


def test_a_preset_keeps_joints_where_it_can() -> None:
    jointed = replace(Recipe.of("published"), joints=JOINTS)
    assert of_preset(jointed, "fallback").joints == JOINTS and of_preset(jointed, "gpt2").joints is None
    assert of_preset(Recipe(), "script") == Recipe.of("script")


def test_rows_under_the_alphabet_are_refused_before_training() -> None:
    training = train(Corpus.of_text(b"low lower"), Recipe.of("published"))
    floor = training.alphabet.floor
    refuse_small(training.recipe.asking(rows=floor), training)
    refuse_small(Recipe(rows=3), training)  # another alphabet: nobody knows its floor yet
    refuse_small(training.recipe.asking(rows=1), None)
    with pytest.raises(SizeFloorError, match=f"alone takes {floor}"):
        refuse_small(training.recipe.asking(rows=floor - 1), training)


WISHES = st.one_of(
    st.builds(lambda value: {"alphabet": value}, st.sampled_from(AlphabetKind)),
    st.builds(lambda value: {"pretokens": value}, st.sampled_from([rule for rule in PreTokenRule if rule is not PreTokenRule.PATTERN])),
    st.just({"pretokens": PreTokenRule.PATTERN, "pattern": r"\w+"}),
    st.builds(lambda value: {"tie": value}, st.sampled_from(TieRule)),
    st.builds(lambda value: {"unknown": value}, st.sampled_from(Unknown)),
    st.builds(lambda value: {"line_ends": value}, st.sampled_from(LineEnds)),
    st.builds(lambda value: {"lift": value}, st.one_of(st.none(), st.integers(0, 999))),
    st.builds(lambda value: {"marker": value}, st.booleans()),
    st.sampled_from([{"joints": JOINTS}, {"joints": None}, {"rows": 300, "merges": None}, {"rows": None, "merges": None}]),
)


@given(st.sampled_from(sorted(PRESETS)), st.lists(WISHES, max_size=12))
def test_any_row_of_changes_is_a_sound_recipe_or_a_refusal(name: str, wishes: list[dict[str, object]]) -> None:
    recipe = Recipe.of(name)
    for wish in wishes:
        try:
            change = changed(recipe, **wish)
        except RecipeError:
            of_characters = wish.get("marker") or wish.get("unknown") not in (None, Unknown.STAND_IN)
            assert wish.get("lift") is not None or of_characters  # all else has one way out
            continue
        recipe = change.recipe
        assert all(getattr(recipe, field) == value for field, value in wish.items())
