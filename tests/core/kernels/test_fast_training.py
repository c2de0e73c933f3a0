"""Trainings by compiled loops, equal to the readable engine's in every merge, figure, error and word of an error."""

from collections.abc import Generator
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core import kernels
from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.progress import Progress, Step, drain
from explorer.core.recipe import PRESETS, Choice, PreTokenRule, Recipe, TieRule
from explorer.core.table import MergeTable
from explorer.core.timeline import timeline_of
from explorer.core.training import Engine, Merge, MergeStep, Training, replay_table_steps, train
from explorer.core.vocabulary import byte_piece
from explorer.errors import Cancelled, ChoiceError, SizeFloorError, TooLargeError
from tests.core.strategies import corpora, either_engine
from tests.core.trained import CHAPTER, PUBLISHED, counts

if kernels.why_not() is not None:
    pytest.skip(str(kernels.why_not()), allow_module_level=True)

from explorer.core import fast_stage, layout, square_count, stage_arrays
from explorer.core.fast_learning import Learning
from explorer.core.fast_training import fast_replay_steps, fast_training_steps, gather
from explorer.core.kernels import pair_loops as by_pair
from explorer.core.kernels import training_state
from explorer.core.stage_history import history_of

TEXT = b"she sells sea shells by the sea shore\nthe shells she sells are sea shells for sure\n" * 3


def fast(corpus: Corpus, recipe: Recipe, prefix: Training | None = None) -> Training:
    return drain(fast_training_steps(corpus, recipe, prefix))


def assert_same(one: Training, other: Training) -> None:
    assert one.merges == other.merges
    assert (one.lift_rank, one.stopped, one.alphabet) == (other.lift_rank, other.stopped, other.alphabet)
    assert (one.pretokens.length, one.length_at_zero) == (other.pretokens.length, other.length_at_zero)
    assert one.pretokens == other.pretokens
    assert one.recipe == other.recipe


@settings(deadline=None, max_examples=5000)
@given(corpora, either_engine)
def test_every_merge_is_the_readable_ones(corpus: Corpus, recipe: Recipe) -> None:
    assert_same(train(corpus, recipe), fast(corpus, recipe))


@settings(deadline=None, max_examples=1000)
@given(st.text("ab", max_size=200) | st.text("abc\n", max_size=120), st.sampled_from(TieRule), st.integers(1, 4))
def test_runs_of_few_letters_to_the_end(text: str, tie: TieRule, least: int) -> None:
    corpus, recipe = Corpus.of_text(text.encode()), replace(CHAPTER, tie=tie, min_count=least)
    assert_same(train(corpus, recipe), fast(corpus, recipe))


@settings(deadline=None, max_examples=500)
@given(st.dictionaries(st.text("aab", min_size=1, max_size=9).map(str.encode), st.integers(1, 2**57), max_size=8), st.sampled_from(TieRule))
def test_great_weights_are_counted_exactly(counted: dict[bytes, int], tie: TieRule) -> None:
    corpus, recipe = Corpus.of_counts(counted), replace(PUBLISHED, tie=tie)
    assert_same(train(corpus, recipe), fast(corpus, recipe))


@pytest.mark.parametrize("weight", [5_000_000_000, 2**62])
def test_one_word_of_a_great_weight(weight: int) -> None:
    training = fast(Corpus.of_counts({b"ab": weight}), replace(CHAPTER, pretokens=PreTokenRule.GPT2))
    assert [(merge.count, merge.saved, merge.length) for merge in training.merges] == [(weight, weight, weight)]


def test_nothing_but_spaces_of_a_great_weight() -> None:
    corpus = Corpus.of_counts({b"  ": 2**62})
    assert_same(train(corpus, PUBLISHED), fast(corpus, PUBLISHED))


def test_counts_past_64_bits_are_refused_before_counting() -> None:
    with pytest.raises(TooLargeError, match=f"occur {thousands(2**63)} times"):
        fast(Corpus.of_counts({b"abc": 2**62}), replace(CHAPTER, pretokens=PreTokenRule.GPT2))


@settings(deadline=None, max_examples=500)
@given(corpora, either_engine, st.data())
def test_a_prefix_of_either_engine_is_gone_on_from(corpus: Corpus, recipe: Recipe, data: st.DataObject) -> None:
    readable, compiled = train(corpus, recipe), fast(corpus, recipe)
    k = data.draw(st.integers(0, readable.learned))
    assert_same(readable, fast(corpus, recipe, readable.cut(k)))
    assert_same(readable, fast(corpus, recipe, compiled.cut(k)))
    assert_same(readable, train(corpus, recipe, prefix=compiled.cut(k)))


@settings(deadline=None, max_examples=500)
@given(corpora, either_engine, st.data())
def test_choices_are_made_or_refused_alike(corpus: Corpus, recipe: Recipe, data: st.DataObject) -> None:
    for _ in range(3):
        before = train(corpus, recipe)
        rank = (recipe.choices[-1].rank + 1 if recipe.choices else 0) + data.draw(st.integers(0, 12))
        if rank > before.learned:
            return
        candidates = timeline_of(replace(before, recipe=replace(recipe, min_count=1))).ranked(rank, 40)
        if not candidates:
            return
        pair = data.draw(st.sampled_from([row.pair for row in candidates]))
        choice = Choice(rank, before.table.piece(pair[0]), before.table.piece(pair[1]))
        recipe = replace(recipe, choices=(*recipe.choices, choice))
        wanted = told(lambda recipe=recipe: train(corpus, recipe))
        found = told(lambda recipe=recipe: fast(corpus, recipe))
        if isinstance(wanted, str) or isinstance(found, str):
            assert found == wanted
            return
        assert_same(wanted, found)
        assert_same(wanted, fast(corpus, recipe, wanted.cut(data.draw(st.integers(0, rank)))))


def test_a_choice_that_occurs_once_and_did_so_more_often_is_tied_with_all_that_occur_once() -> None:
    """`ab` occurs three times before `aa` is merged, then once: it is still counted where others that occur once are not."""
    corpus, recipe = Corpus.of_text(b"aa aabaabab\n"), replace(CHAPTER, pretokens=PreTokenRule.GPT2, min_count=2, rows=None, merges=3)
    choice = Choice(2, byte_piece(ord("a")), byte_piece(ord("b")))
    found = fast(corpus, replace(recipe, choices=(choice,)))
    assert found.merges[2] == Merge(ord("a"), ord("b"), count=1, tied=4, saved=1, length=6)
    assert_same(train(corpus, found.recipe), found)


def told(trained: "object") -> Training | str:
    assert callable(trained)
    try:
        found: Training = trained()
    except ChoiceError as error:
        return str(error)
    return found


@settings(deadline=None, max_examples=500)
@given(corpora, corpora, either_engine)
def test_a_table_is_replayed_on_any_corpus_alike(learned_on: Corpus, corpus: Corpus, recipe: Recipe) -> None:
    table = train(learned_on, recipe).table
    assert_same(drain(replay_table_steps(corpus, table)), drain(fast_replay_steps(corpus, table)))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("tie", TieRule)
def test_every_preset_on_a_page_of_text(preset: str, tie: TieRule) -> None:
    corpus, recipe = Corpus.of_text(TEXT), replace(Recipe.of(preset), tie=tie, rows=None, merges=None)
    assert_same(train(corpus, recipe), fast(corpus, recipe))


@pytest.mark.parametrize("tie", TieRule)
def test_thousands_of_symbols(tie: TieRule) -> None:
    characters = [chr(0x4E00 + 7 * at) for at in range(2000)]
    words = ["".join(characters[(5 * at + step * step) % 2000] for step in range(3)) for at in range(1500)]
    corpus = Corpus.of_text(" ".join(words + words[::3]).encode())
    recipe = replace(PUBLISHED, tie=tie, merges=60)
    assert_same(train(corpus, recipe), fast(corpus, recipe))


@pytest.mark.parametrize("tie", TieRule)
def test_slices_of_one_place_change_nothing(tie: TieRule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_stage, "PLACES_A_STEP", 1)
    monkeypatch.setattr(fast_stage, "SLOTS_A_STEP", 3)
    monkeypatch.setattr(square_count, "SLOTS_A_STEP", 3)
    corpus = Corpus.of_text(TEXT * 30 + b"a" * 5000)
    for recipe in (CHAPTER, Recipe.of("byte-words"), replace(Recipe.of("gpt2").asking(), lift=280)):
        assert_same(train(corpus, replace(recipe, tie=tie, merges=50)), fast(corpus, replace(recipe, tie=tie, merges=50)))


def test_the_table_of_pairs_is_filled_anew_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage_arrays, "PAIRS_A_STEP", 50)
    monkeypatch.setattr(stage_arrays, "ENTRIES_A_STEP", 100)
    pairs, table = stage_arrays.empty_pairs(330, by_place=False), np.zeros(1 << 10, np.int32)
    pairs.ids[:] = [at << 32 | (7 * at) for at in range(330)]
    pairs.counts[:] = [at % 3 for at in range(330)]
    steps, slices = stage_arrays.refilled(table, pairs, 330), 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            assert end.value == 220, "those that occur"
            break
        slices += 1
    assert slices == 11 + 7
    assert [int(by_pair.find_pair(table, pairs, at, 7 * at)) for at in range(330)] == [at if at % 3 else -1 for at in range(330)]


def test_a_long_pretoken_is_laid_into_slots_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.of_text(b"abcabdab\nab\nabcabdabcabdabcabdxyz\nc\nabcab")
    _, pretokens = drain(gather(corpus, CHAPTER, None, None))
    whole = drain(layout.layout_steps(pretokens.arrays, None, TieRule.LOWEST_IDS))
    monkeypatch.setattr(layout, "SYMBOLS_A_STEP", 3)
    steps = list(layout.layout_steps(pretokens.arrays, None, TieRule.LOWEST_IDS))
    parted = drain(layout.layout_steps(pretokens.arrays, None, TieRule.LOWEST_IDS))
    assert len(steps) >= 3 + 7 + 2, "a step a part"
    assert parted.ids.tolist() == whole.ids.tolist()
    assert fast(corpus, CHAPTER).merges == train(corpus, CHAPTER).merges


def test_many_rather_long_pretokens_are_laid_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.of_text(b"\n".join(b"abcdefg%02d" % at for at in range(40)))
    pretokens = drain(gather(corpus, CHAPTER, None, None))[1].arrays
    whole = drain(layout.layout_steps(pretokens, None, TieRule.LOWEST_IDS))
    laid: list[int] = []
    lay_pretokens = layout.lay_pretokens

    def watched(symbols: object, starts: object, lengths: np.ndarray, slots: object, first: int, last: int, *others: object) -> None:
        laid.append(int(lengths[first:last].sum()))
        lay_pretokens(symbols, starts, lengths, slots, first, last, *others)

    monkeypatch.setattr(layout, "lay_pretokens", watched)
    monkeypatch.setattr(layout, "SYMBOLS_A_STEP", 30)
    assert drain(layout.layout_steps(pretokens, None, TieRule.LOWEST_IDS)).ids.tolist() == whole.ids.tolist()
    assert sum(laid) == 40 * 9
    assert max(laid) < 30 + 9


def test_nothing_is_merged_while_room_is_being_made() -> None:
    """The table of pairs may be half full then."""
    corpus = Corpus.of_text(TEXT)
    alphabet, pretokens = drain(gather(corpus, CHAPTER, None, None))
    learning = Learning(corpus, CHAPTER, alphabet, pretokens)
    drain(learning.have_stage())
    stage = learning.stage
    stage._making = iter([None] * 3)  # noqa: SLF001 - as where the table is full
    assert [stage.learn(5) for _ in range(4)] == [training_state.PAUSED] * 4
    assert stage.made == 0
    while stage.learn(5) == training_state.PAUSED:
        pass
    assert stage.made == 5


def test_stopped_while_room_for_ties_is_being_made_the_ties_are_noted() -> None:
    corpus, recipe = Corpus.of_text(TEXT), replace(CHAPTER, tie=TieRule.FIRST_MET)
    alphabet, pretokens = drain(gather(corpus, recipe, None, None))
    learning = Learning(corpus, recipe, alphabet, pretokens)
    drain(learning.have_stage())
    assert learning.stage.learn(5) == training_state.PAUSED, "there is no room yet"
    assert learning.stage.learn(5) == training_state.PAUSED, "it is half made"
    history = history_of(learning.cut_short())
    expected = history_of(fast(corpus, recipe.asking(merges=0)))
    assert history is not None
    assert expected is not None
    (stage,), (other,) = history.stages, expected.stages
    assert len(stage.history.met_pair) > 0
    for column in ("met_pair", "met_key"):
        assert getattr(stage.history, column).tolist() == getattr(other.history, column).tolist()


@settings(deadline=None, max_examples=200)
@given(corpora, either_engine, st.sampled_from([1, 2, 7]), st.booleans())
def test_arrays_without_room_to_spare_are_enlarged_wherever_it_is_needed(corpus: Corpus, recipe: Recipe, places: int, square: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_stage, "PLACES_A_STEP", places)
        patch.setattr(fast_stage, "SLOTS_A_STEP", places + 1)
        patch.setattr(fast_stage, "SQUARE_UP_TO", 1024 if square else 0)
        patch.setattr(square_count, "SLOTS_A_STEP", places + 1)
        patch.setattr(fast_stage, "LOSSES_A_PAIR", 1.0)
        patch.setattr(fast_stage.FastStage, "_births_at_most", property(lambda stage: 2 * (stage.first_id + stage.made) + 4))
        assert_same(train(corpus, recipe), fast(corpus, recipe))


def test_stray_bytes_that_a_merge_makes_a_character_are_compared_as_one() -> None:
    corpus = Corpus.of_text(b"\xc3 \xa9 \xc3 \xa9 zz zz \xc3 \xa9x\n" * 2)
    recipe = replace(PUBLISHED, marker=False, lift=0)
    training = fast(corpus, recipe)
    assert_same(train(corpus, recipe), training)
    assert any(piece.spelled() == "é" for piece in training.table.pieces)


@pytest.mark.parametrize("corpus", [*map(Corpus.of_text, (b"", b"   \n  ", b"a")), Corpus.of_counts({}), Corpus.of_rows([])])
@pytest.mark.parametrize("preset", PRESETS)
def test_next_to_nothing(corpus: Corpus, preset: str) -> None:
    recipe = Recipe.of(preset).asking()
    assert_same(train(corpus, recipe), fast(corpus, recipe))
    assert fast(corpus, recipe).engine is Engine.COMPILED


def test_a_size_below_the_floor_is_refused() -> None:
    with pytest.raises(SizeFloorError):
        fast(counts(low=5), PUBLISHED.asking(rows=2))


def test_a_megabyte_of_one_letter() -> None:
    training = fast(Corpus.of_text(b"a" * 1_000_000), CHAPTER)
    assert [merge.length for merge in training.merges[:3]] == [500_000, 250_000, 125_000]
    assert training.merges[-1].count >= 2


def test_merges_are_told_as_they_are_learned() -> None:
    corpus, recipe = Corpus.of_text(TEXT * 200), Recipe.of("gpt2").asking(merges=100)
    told_of = [merge for step in fast_training_steps(corpus, recipe) if isinstance(step, MergeStep) for merge in step.merges]
    assert tuple(told_of) == train(corpus, recipe).merges


def test_training_stops_at_a_step_and_goes_on_from_what_was_told() -> None:
    corpus, recipe = Corpus.of_text(Random(1).randbytes(400_000)), CHAPTER
    steps: Generator[Step, None, Training] = fast_training_steps(corpus, recipe)
    told_of: list[Merge] = []
    while not told_of:
        step = next(steps)
        told_of.extend(step.merges if isinstance(step, MergeStep) else ())
    steps.close()
    whole = fast(corpus, recipe)
    assert 0 < len(told_of) < whole.learned
    assert tuple(told_of) == whole.merges[: len(told_of)]
    assert_same(whole, fast(corpus, recipe, whole.cut(len(told_of))))


def test_cancelling_is_heard() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        drain(fast_training_steps(Corpus.of_text(TEXT), CHAPTER), progress)


def test_more_than_there_is_memory_for_is_refused_before_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.memory.NEGLIGIBLE", 0)
    monkeypatch.setattr("explorer.core.memory.memory_free", lambda: 1000)
    with pytest.raises(TooLargeError, match=r"symbols of this corpus need about .* GB of memory; 0.0 GB can be had. Open a part of it, or"):
        fast(Corpus.of_text(TEXT), CHAPTER)


def test_an_alphabet_and_table_are_the_same_values() -> None:
    one, other = train(counts(low=5, lower=2), PUBLISHED), fast(counts(low=5, lower=2), PUBLISHED)
    assert isinstance(other.alphabet, Alphabet)
    assert isinstance(other.table, MergeTable)
    assert one.table == other.table
