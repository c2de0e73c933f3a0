"""Training against the naive oracle, merge by merge; sizes, going on, choices and corpora at the edge."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import AlphabetKind, Choice, Counting, LineEnds, PreTokenRule, Recipe, TieRule, Unknown
from explorer.core.training import Stopped, merges_wanted, train
from explorer.core.vocabulary import Piece, PieceKind
from explorer.errors import ChoiceError, SizeFloorError
from tests.core.naive import Naive
from tests.core.naive_cutting import Symbol
from tests.core.strategies import corpora, few_letters, recipes, texts, words
from tests.core.trained import CHAPTER, PUBLISHED, counts, figures, naive_figures, same, spelled


def made_of(symbols: tuple[Symbol, ...]) -> tuple[bytes, bool, tuple[int, ...]]:
    """Bytes, whether the last symbol is marked, and where the others that are marked end."""
    ends = [(sum(len(s.bytes) for s in symbols[: n + 1]), symbol.marked) for n, symbol in enumerate(symbols)]
    return b"".join(s.bytes for s in symbols), any(s.marked for s in symbols[-1:]), tuple(end for end, marked in ends[:-1] if marked)


@settings(deadline=None, max_examples=300)
@given(corpora, recipes())
@example(Corpus.of_text(b"aaaa aaa"), replace(CHAPTER, min_count=1))
@example(Corpus.of_rows([b"\n "]), replace(Recipe.of("cl100k"), rows=None, min_count=1))
def test_every_figure_of_every_merge_is_the_oracle_s(corpus: Corpus, recipe: Recipe) -> None:
    naive, training = Naive(corpus, recipe), train(corpus, recipe)
    assert figures(training) == naive_figures(naive)
    assert training.lift_rank == naive.lifted_at
    assert [training.length(k) for k in range(training.learned + 1)] == [moment.length for moment in naive.moments]
    assert training.alphabet.first_merged_id == naive.first_merged
    for row, symbols in zip(training.table.pieces, naive.rows, strict=True):
        assert (row.bytes, row.marked, row.breaks) == made_of(symbols or ())


@settings(deadline=None, max_examples=60)
@given(few_letters | texts, st.sampled_from(TieRule))
def test_line_ends_read_as_lf_make_one_table_of_both_kinds_of_file(text: bytes, tie: TieRule) -> None:
    recipe = replace(CHAPTER, line_ends=LineEnds.LF, tie=tie)
    corpus = Corpus.of_text(text.replace(b"\n", b"\r\n"))
    assert figures(train(corpus, recipe)) == naive_figures(Naive(corpus, recipe))
    unix = Corpus.of_text(text.replace(b"\r", b"\n"))
    assert figures(train(corpus, recipe)) == figures(train(unix, replace(recipe, line_ends=LineEnds.KEEP)))


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(words, st.integers(1, 5), max_size=6), st.sampled_from(Counting), st.sampled_from(TieRule))
def test_counted_words_train_like_the_words_written_out(counted: dict[bytes, int], counting: Counting, tie: TieRule) -> None:
    recipe = replace(PUBLISHED, counting=counting, tie=tie, min_count=1)
    lines = b"".join((word + b"\n") * count for word, count in counted.items())
    assert figures(train(Corpus.of_counts(counted), recipe)) == figures(train(Corpus.of_text(lines), recipe))


def test_the_same_corpus_trains_the_same_table() -> None:
    text = b"she sells sea shells\nby the sea shore\n" * 3
    one, other = (train(Corpus.of_text(text), CHAPTER) for _ in range(2))
    assert one.learned > 10
    assert same(one, other)
    assert one.table == other.table


@settings(deadline=None, max_examples=60)
@given(texts | few_letters, st.sampled_from(["chapter-81", "byte-words", "published", "fallback", "script"]))
def test_no_merge_crosses_the_end_of_an_entry(text: bytes, preset: str) -> None:
    training = train(Corpus.of_text(text), replace(Recipe.of(preset).asking(), min_count=1))
    assert not [piece for piece in training.table.pieces[training.alphabet.first_merged_id :] if b"\n" in piece.bytes]


def test_twenty_processes_with_other_hash_seeds_train_the_same_table() -> None:
    script = (
        "from dataclasses import replace\n"
        "from explorer.core.corpus import Corpus\n"
        "from explorer.core.recipe import Recipe, TieRule\n"
        "from explorer.core.training import train\n"
        "counted = {b'ab': 2, b'cd': 2, b'ef': 3, b'abcd': 1}\n"
        "for tie in TieRule:\n"
        "    for preset in ('published', 'fallback', 'script', 'gpt2'):\n"
        "        training = train(Corpus.of_counts(counted), replace(Recipe.of(preset).asking(), tie=tie, min_count=1))\n"
        "        print(training.table.pieces, training.merges)\n"
    )
    root = Path(__file__).parents[2]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root,
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(root)},
        )
        for seed in range(20)
    ]
    outputs = {process.communicate(timeout=120)[0] for process in running}
    assert [process.returncode for process in running] == [0] * 20
    assert len(outputs) == 1
    assert outputs.pop().count(b"Merge(") > 40


# sizes


def test_rows_asked_bound_stand_in_alphabet_and_merges() -> None:
    corpus = counts(low=5, lower=2, newest=6, widest=3)
    assert train(corpus, PUBLISHED.asking(rows=22)).learned == 10
    fallback = train(corpus, Recipe.of("fallback").asking(rows=22))
    assert (fallback.learned, fallback.rows, fallback.table.size) == (10, 22, 22 + 257)
    script = train(corpus, Recipe.of("script").asking(rows=21))
    assert (script.alphabet.floor, script.rows) == (10, 21)  # without marker ten letters, and no stand-in
    assert train(Corpus.of_text(b"abab\nabab"), CHAPTER.asking(rows=257)).learned == 1


@pytest.mark.parametrize(("asked", "learned"), [(20, None), (40, None), (41, 0), (42, 1)])
def test_fewer_rows_than_the_alphabet_takes_is_an_error_that_names_the_floor(asked: int, learned: int | None) -> None:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"
    corpus = Corpus.of_text(f"{letters} {letters[:-1]}".encode())  # the last letters, N</w> and M</w>, are further symbols
    floor = train(corpus, PUBLISHED.asking(merges=0)).alphabet.floor
    assert floor == 1 + 40 + 1
    recipe = PUBLISHED.asking(rows=asked + 1)
    if learned is None:
        with pytest.raises(SizeFloorError, match=r"Ask for 42 rows or more") as caught:
            train(corpus, recipe)
        assert (caught.value.asked, caught.value.floor) == (asked + 1, 42)
    else:
        assert train(corpus, recipe).rows == asked + 1
        assert train(corpus, recipe).learned == learned


def test_the_byte_values_are_the_floor_of_a_byte_recipe() -> None:
    with pytest.raises(SizeFloorError) as caught:
        train(Corpus.of_text(b"abc"), CHAPTER.asking(rows=255))
    assert caught.value.floor == 256


def test_more_than_there_is_stops_early_and_says_why() -> None:
    training = train(Corpus.of_text(b"red red blue"), PUBLISHED.asking(rows=4000))
    assert (training.learned, training.stopped) == (2, Stopped.NO_PAIR)
    assert spelled(training) == [("e", "d</w>", 2), ("r", "ed</w>", 2)]
    assert train(Corpus.of_text(b"red red blue"), PUBLISHED.asking(merges=2)).stopped is Stopped.SIZE


def test_wanted_merges_follow_from_rows_and_alphabet() -> None:
    alphabet = train(counts(ab=1), PUBLISHED).alphabet
    assert merges_wanted(PUBLISHED, alphabet) is None
    assert merges_wanted(PUBLISHED.asking(merges=7), alphabet) == 7
    assert merges_wanted(PUBLISHED.asking(rows=7), alphabet) == 7 - 3


# going on, cutting


@settings(deadline=None, max_examples=150)
@given(corpora, recipes(), st.integers(0, 8), st.integers(0, 8))
def test_going_on_and_cutting_are_training_at_once(corpus: Corpus, recipe: Recipe, first: int, more: int) -> None:
    part, whole = (train(corpus, recipe.asking(merges=size)) for size in (first, first + more))
    assert same(train(corpus, recipe.asking(merges=first + more), prefix=part), whole)
    assert same(whole.cut(first), part)
    assert same(train(corpus, recipe.asking(merges=first), prefix=whole), part)
    assert whole.cut(first).recipe.merges == first or whole.learned <= first
    assert same(train(corpus, recipe.asking(), prefix=part), train(corpus, recipe.asking()))


def test_a_prefix_by_other_decisions_is_a_broken_promise() -> None:
    corpus = counts(ab=3)
    with pytest.raises(AssertionError, match="prefix"):
        train(corpus, replace(PUBLISHED, min_count=1), prefix=train(corpus, PUBLISHED))


# choices


@settings(deadline=None, max_examples=120)
@given(corpora, recipes(), st.data())
def test_a_choice_is_forced_and_the_rule_decides_the_rest(corpus: Corpus, recipe: Recipe, data: st.DataObject) -> None:
    naive = Naive(corpus, recipe)
    rank = data.draw(st.integers(0, len(naive.merges)))
    there = naive.moments[rank].counts
    if not there:
        return
    pair = data.draw(st.sampled_from(sorted(there)))
    table = train(corpus, recipe).table
    choice = Choice(rank, table.piece(pair[0]), table.piece(pair[1]))
    lowest = min(p for p in there if (table.piece(p[0]), table.piece(p[1])) == (choice.left, choice.right))
    asked = recipe if recipe.merges is None else recipe.asking(merges=max(recipe.merges, rank + 1))
    chosen = train(corpus, replace(asked, choices=(choice,)))
    assert figures(chosen) == naive_figures(Naive(corpus, asked, {rank: lowest}))


def test_a_choice_off_the_maximum_still_tells_how_many_were_tied_there() -> None:
    choice = Choice(0, Piece(b"x"), Piece(b"y", marked=True))
    chosen = train(counts(ab=9, cd=9, xy=2), replace(PUBLISHED.asking(merges=2), choices=(choice,)))
    assert spelled(chosen)[0] == ("x", "y</w>", 2)
    assert chosen.merges[0].tied == 2


def test_of_several_pairs_that_read_alike_a_choice_takes_the_lowest_that_is_there() -> None:
    # in the second stage a + b is made again: two tokens read "ab", and each stands before a c
    recipe = Recipe(AlphabetKind.CHARACTERS, False, Unknown.KEEP, PreTokenRule.WORDS, tie=TieRule.LEXICOGRAPHIC, lift=4, min_count=1)
    corpus = Corpus.of_text(b"ab c ab c a b c a b c a b c")
    twice = train(corpus, recipe.asking(merges=2))
    assert twice.table.merges[0] == twice.table.merges[1]
    choice = Choice(2, Piece(b"ab", kind=PieceKind.MERGE), Piece(b"c"))
    chosen = train(corpus, replace(recipe.asking(merges=3), choices=(choice,)))
    assert (chosen.table.merges[2], chosen.merges[2].count) == ((3, 2), 2)  # the other, (4, 2), occurs three times


def test_cutting_where_the_boundary_lifts_is_asking_for_as_much() -> None:
    corpus = Corpus.of_text(b"ab ab ab ab\ncd cd")
    for lift in (5, 6, 7, 1000):
        recipe = replace(PUBLISHED, lift=lift)
        whole = train(corpus, recipe)
        for size in range(whole.learned):
            assert same(whole.cut(size), train(corpus, recipe.asking(merges=size)))


@pytest.mark.parametrize("rank", [0, 1, 5])
def test_a_chosen_pair_that_is_not_there_is_an_error_that_names_its_rank(rank: int) -> None:
    corpus = counts(ab=3, cd=3)
    rows = train(corpus, PUBLISHED).alphabet.rows
    missing = Choice(rank, rows[1], rows[1])
    with pytest.raises(ChoiceError, match=f"rank {rank}") as caught:
        train(corpus, replace(PUBLISHED, choices=(missing,)))
    assert caught.value.rank == rank


def test_a_choice_beyond_the_size_asked_for_waits() -> None:
    corpus = counts(ab=3, cd=3)
    rows = train(corpus, PUBLISHED).alphabet.rows
    waiting = replace(PUBLISHED.asking(merges=1), choices=(Choice(1, rows[1], rows[1]),))
    assert train(corpus, waiting).learned == 1
