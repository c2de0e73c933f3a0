"""The best sequence of merges: the figures of taste, what is said when it is not proven, the tree, and that it can really be trained."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.progress import Progress, Step, drain
from explorer.core.recipe import Recipe, TieRule
from explorer.core.training import train
from explorer.errors import Cancelled, RecipeError, TooLargeError
from explorer.labs.optimum import FIRST_MOVES, BoundRule, ChoiceNode, Optimum, optimum_steps, recipe_along

TASTE = Corpus.of_counts({b"report": 2, b"taste": 8, b"state": 10}, "taste")
PUBLISHED = Recipe.of("published")


def optimum(corpus: Corpus = TASTE, merges: int = 4, recipe: Recipe = PUBLISHED, nodes: int = 20_000) -> Optimum:
    return drain(optimum_steps(corpus, recipe, merges, nodes))


def walk(node: ChoiceNode) -> Iterator[ChoiceNode]:
    yield node
    for child in node.children:
        yield from walk(child)


def test_greedy_ends_at_54_where_46_can_be_had() -> None:
    found = optimum()
    assert (found.start, found.best, found.proven, found.bound) == (102, (84, 66, 56, 46), True, None)
    assert {one.tie: one.lengths[-1] for one in found.greedy}[TieRule.LEXICOGRAPHIC] == 54
    assert found.greedy[0].tie is PUBLISHED.tie
    assert len(found.greedy) == len(TieRule)


def test_the_best_can_be_trained() -> None:
    found = optimum()
    training = train(TASTE, recipe_along(PUBLISHED, found.best_pairs))
    assert [merge.length for merge in training.merges] == list(found.best)


def test_every_node_of_the_tree_can_be_trained() -> None:
    found = optimum()

    def check(node: ChoiceNode, above: tuple[object, ...]) -> None:
        pairs = above if node.pair is None else (*above, node.pair)
        training = train(TASTE, recipe_along(PUBLISHED, pairs))  # type: ignore[arg-type]
        assert training.length(training.learned) == node.length
        if node.pair is not None:
            assert training.merges[-1].count == node.count
        for child in node.children:
            check(child, pairs)

    check(found.root, ())


def test_the_two_paths_of_the_tree() -> None:
    found = optimum()
    greedy = [node.length for node in walk(found.root) if node.on_greedy]
    best = [node.length for node in walk(found.root) if node.on_best]
    assert greedy == [102, 84, 74, 64, 54]
    assert best == [102, *found.best]
    assert found.root.tied == 3
    assert [node.best_below for node in found.root.children] == [54, 46, 46]
    assert found.root.best_below == 46


def test_where_greedy_is_best_the_two_paths_are_one() -> None:
    words = Corpus.of_counts({b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3})
    found = optimum(words)
    assert found.best[-1] == found.greedy[0].lengths[-1] == 48
    assert [node.on_best for node in walk(found.root) if node.on_greedy] == [True] * 5
    assert not any(node.on_best and not node.on_greedy for node in walk(found.root))


def test_a_first_pair_alone_at_the_greatest_count_is_no_tie() -> None:
    assert [move.tied for move in optimum(Corpus.of_counts({b"ab": 3, b"cd": 2})).by_first] == [False, False]
    assert [move.tied for move in optimum(Corpus.of_counts({b"ab": 3, b"cd": 3})).by_first] == [True, True]


def test_a_search_that_gave_up_says_so_and_bounds_the_best() -> None:
    found = optimum(merges=6, nodes=5)
    assert (found.proven, found.nodes) == (False, 5)
    assert found.bound is not None
    assert found.bound.length <= optimum(merges=6).best[-1] <= found.best[-1] <= found.greedy[0].lengths[-1]
    assert all(move.best[-1] is None for move in found.by_first if not move.tied)


def test_the_best_that_meets_its_bound_is_proven_however_few_states_were_looked_at() -> None:
    found = optimum(Corpus.of_counts({b"ab": 3, b"cd": 3}), merges=2, nodes=1)
    assert (found.nodes, found.best, found.proven, found.bound) == (1, (9, 6), True, None)


@pytest.mark.parametrize(("merges", "length", "rule"), [(3, 102 - 3 * 18, BoundRule.GREATEST_COUNT), (8, 20, BoundRule.DOUBLING)])
def test_the_bound_names_its_rule(merges: int, length: int, rule: BoundRule) -> None:
    bound = optimum(merges=merges, nodes=1).bound
    assert bound is not None
    assert (bound.length, bound.rule) == (length, rule)


@settings(max_examples=25, deadline=None)
@given(
    counts=st.dictionaries(st.text("ab", min_size=1, max_size=6).map(str.encode), st.integers(1, 9), min_size=1, max_size=3),
    merges=st.integers(0, 4), nodes=st.integers(1, 40),
)
def test_what_is_found_lies_between_the_bound_and_greedy(counts: dict[bytes, int], merges: int, nodes: int) -> None:
    corpus = Corpus.of_counts(counts)
    few, all_of_them = optimum(corpus, merges, nodes=nodes), optimum(corpus, merges)
    assert all_of_them.proven
    if merges:
        greedy = min(one.lengths[-1] for one in few.greedy)
        assert all_of_them.best[-1] <= few.best[-1] <= greedy
        assert few.bound is None or few.bound.length <= all_of_them.best[-1]
        assert not few.proven or few.best[-1] == all_of_them.best[-1]
    training = train(corpus, recipe_along(PUBLISHED, few.best_pairs))
    assert training.length(training.learned) == (few.best[-1] if merges else few.start)


def test_first_moves_are_as_many_as_were_promised() -> None:
    text = Corpus.of_text(bytes(range(97, 123)) * 3 + bytes(range(122, 96, -1)) * 3)
    found = optimum(text, 2, Recipe.of("chapter-81"))
    assert (found.first_pairs, len(found.by_first)) == (52, FIRST_MOVES)
    assert [move.saved for move in found.by_first] == sorted((move.saved for move in found.by_first), reverse=True)


def test_ties_without_end_are_not_all_drawn() -> None:
    found = optimum(Corpus.of_text(bytes(range(97, 123)) * 2), 1, Recipe.of("chapter-81"))
    assert found.root.tied == 25
    assert len(found.root.children) + found.root.left_out == 25


def test_no_merges_at_all() -> None:
    found = optimum(merges=0)
    assert (found.best, found.best_pairs, found.root.children, found.root.length) == ((), (), (), 102)


def test_line_ends_count_in_the_length() -> None:
    found = optimum(Corpus.of_text(b"abab\nab\n"), 1, Recipe.of("chapter-81"))
    assert (found.start, found.best) == (8, (5,))


def test_what_is_refused() -> None:
    with pytest.raises(RecipeError, match="lift"):
        optimum(recipe=Recipe.from_json({**PUBLISHED.to_json(), "lift": 12}))
    with pytest.raises(TooLargeError, match="at most 100"):
        optimum(merges=101)


def test_a_long_search_can_be_stopped_and_tells_how_far_it_is() -> None:
    text = Corpus.of_text(b"\n".join(b"%d times %d" % (n, n * n) for n in range(300)))
    progress = Progress()
    seen: list[Step] = []

    def pause() -> None:
        seen.append(progress.step)
        if len(seen) > 30:
            progress.cancel()

    progress = Progress(pause)
    with pytest.raises(Cancelled):
        drain(optimum_steps(text, Recipe.of("chapter-81"), 6), progress)
    assert len(seen) == 31
