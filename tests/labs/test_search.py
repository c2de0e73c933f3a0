"""The search leaves out only what cannot be better: it is held against looking at everything."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.progress import Progress, drain
from explorer.core.recipe import Counting, Recipe
from explorer.core.training import train
from explorer.errors import Cancelled
from explorer.labs.search import Search, most_by_doubling, most_saved

COUNTS = st.dictionaries(st.text("abc", min_size=1, max_size=7).map(str.encode), st.integers(1, 9), min_size=1, max_size=4)
WORDS = Recipe.of("published")


def search_of(counts: dict[bytes, int], recipe: Recipe = WORDS, allowed: int = 1_000_000) -> Search:
    return Search(train(Corpus.of_counts(counts), recipe.asking(merges=0)), allowed)


def saved_at_most(search: Search, state: tuple[tuple[str, int], ...], left: int) -> int:
    """By definition: every pair, then every pair, and so on; nothing left out, nothing remembered."""
    if not left:
        return 0
    return max((move.saved + saved_at_most(search, search.after(state, move.pair), left - 1) for move in search.moves(state)), default=0)


@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, left=st.integers(0, 3), disjoint=st.booleans(), least=st.integers(1, 3))
def test_the_search_finds_what_looking_at_everything_finds(counts: dict[bytes, int], left: int, disjoint: bool, least: int) -> None:
    recipe = replace(WORDS, min_count=least, counting=Counting.DISJOINT if disjoint else Counting.OVERLAPPING)
    search = search_of(counts, recipe)
    assert drain(search.best(search.root, left)) == saved_at_most(search, search.root, left)
    assert not search.stopped
    assert sum(move.saved for move in search.path(search.root, left)) == drain(search.best(search.root, left))


@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, chosen=st.lists(st.integers(0, 20), max_size=6))
def test_no_pair_comes_to_save_more_than_the_best_did_and_the_bounds_hold(counts: dict[bytes, int], chosen: list[int]) -> None:
    search = search_of(counts, replace(WORDS, min_count=1))
    state, saved = search.root, 0
    first = search.moves(state)
    for made, choice in enumerate(chosen, start=1):
        moves = search.moves(state)
        if not moves:
            break
        move = moves[choice % len(moves)]
        state, saved = search.after(state, move.pair), saved + move.saved
        after = search.moves(state)
        assert not after or after[0].saved <= moves[0].saved
        assert saved <= most_saved(search.root, made, first[0].saved)
        assert saved <= most_by_doubling(search.root, made)


@settings(max_examples=40, deadline=None)
@given(counts=COUNTS)
def test_moves_save_what_a_training_says(counts: dict[bytes, int]) -> None:
    """Every merge of a training is a move of the search, with the same count and saving."""
    training = train(Corpus.of_counts(counts), WORDS)
    search = search_of(counts)
    spelled = [chr(at) for at in range(training.alphabet.first_merged_id)]
    state = search.root
    for merge in training.merges:
        left, right = spelled[merge.left], spelled[merge.right]
        move = next(one for one in search.moves(state) if one.pair == search.token(left) + search.token(right))
        assert (move.count, move.saved) == (merge.count, merge.saved)
        state = search.after(state, move.pair)
        spelled.append(left + right)
    assert not search.moves(state)


def test_states_that_spell_the_same_are_one() -> None:
    search = search_of({b"abcd": 2, b"cd": 2, b"a": 5})
    by_cd, by_ab, _ = (move.pair for move in search.moves(search.root))  # by what they save, then by the alphabet: cd, ab, bc
    one = search.after(search.after(search.root, by_ab), by_cd)
    other = search.after(search.after(search.root, by_cd), by_ab)
    assert one == other
    assert [len(spelling) for spelling, _ in search.root] != [len(spelling) for spelling, _ in one] == [2]


def test_a_search_that_stops_gives_what_it_found() -> None:
    counts = {b"taste": 8, b"state": 10, b"report": 2}
    whole = search_of(counts)
    best = drain(whole.best(whole.root, 6))
    for allowed in range(1, 40, 7):
        search = search_of(counts, allowed=allowed)
        found = drain(search.best(search.root, 6))
        assert (search.stopped, search.nodes) == (True, allowed)
        assert found <= best
        path = search.path(search.root, 6)
        assert sum(move.saved for move in path) == found
    more = search_of(counts, allowed=3)
    drain(more.best(more.root, 6))
    more.allow(1_000_000)
    assert drain(more.best(more.root, 6)) == best


def test_a_search_can_be_cancelled() -> None:
    text = b"\n".join(b"%d times %d" % (n, n * n) for n in range(400))
    search = Search(train(Corpus.of_text(text), Recipe.of("chapter-81").asking(merges=0)), 1_000_000)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        drain(search.best(search.root, 4), progress)


def test_pieces_are_those_of_a_table() -> None:
    counts = {b"newest": 6, b"widest": 3}
    training = train(Corpus.of_counts(counts), WORDS.asking(merges=2))
    search, pieces = search_of(counts), training.table.pieces
    state = search.root
    for merge in training.merges:
        wanted = pieces[merge.left], pieces[merge.right]
        (move,) = [one for one in search.moves(state) if search.pieces(one.pair) == wanted]
        state = search.after(state, move.pair)
