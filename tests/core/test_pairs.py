"""Counting pairs in spellings: in slices or at once, overlapping or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core import pairs
from explorer.core.alphabet import KEPT_FROM
from explorer.core.pairs import count_disjoint, count_pairs
from explorer.core.progress import Stage, Step, drain
from explorer.core.recipe import Counting
from explorer.core.vocabulary import Pair

STEP = Step(Stage.MERGING, 3, 9)
spellings = st.lists(st.text("\0\1\2", min_size=1, max_size=12), max_size=5)


def counted(texts: list[str], counting: Counting = Counting.OVERLAPPING, stand_in: int | None = None) -> dict[Pair, int]:
    return drain(count_pairs(texts, [2] * len(texts), counting, stand_in, STEP))


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_slices_count_what_the_whole_counts(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    texts = ["\0\0\0\1\0\1\1\2" * 3, "\1\2", "\2"]
    whole = counted(texts)
    monkeypatch.setattr(pairs, "COUNTED_A_STEP", size)
    assert counted(texts) == whole
    steps = list(count_pairs(texts, [2] * 3, Counting.OVERLAPPING, None, STEP))
    assert len(steps) > 24 / (size + 2)
    assert set(steps) == {STEP}


@given(spellings)
def test_every_adjacent_position_counts_or_what_a_merge_would_replace(texts: list[str]) -> None:
    overlapping, disjoint = counted(texts), counted(texts, Counting.DISJOINT)
    assert sum(overlapping.values()) == 2 * sum(len(text) - 1 for text in texts)
    for pair, count in overlapping.items():
        replaced = 2 * sum(text.count(chr(pair[0]) + chr(pair[1])) for text in texts)
        assert disjoint[pair] == replaced <= count
        assert pair[0] == pair[1] or replaced == count
        assert count_disjoint(texts, [2] * len(texts), pair) == replaced


def test_what_the_alphabet_lacks_is_in_no_pair() -> None:
    kept = chr(KEPT_FROM)
    assert counted([f"\1{kept}\1\1", kept * 3, "\0\1\0"]) == {(1, 1): 2, (0, 1): 2, (1, 0): 2}
    assert counted(["\0\1\0\1\1"], stand_in=0) == {(1, 1): 2}
