"""Pre-tokens in arrays answer as those in Python values do, and make no string that nobody asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core import kernels
from explorer.core.pretokens import PreTokens

if kernels.why_not() is not None:
    pytest.skip(str(kernels.why_not()), allow_module_level=True)

from explorer.core.fast_pretokens import PreTokenArrays
from explorer.core.lazy_pretokens import LazyPreTokens

counted = st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), st.integers(1, 4)), max_size=12, unique_by=lambda one: one[0])


@given(counted, st.integers(0, 14))
def test_the_commonest_are_the_same_and_of_equal_counts_the_first_met(words: list[tuple[str, int]], most: int) -> None:
    spellings, counts = tuple(word for word, _ in words), tuple(count for _, count in words)
    places = tuple(range(len(words)))
    known = PreTokens(spellings, counts, places, places)
    lazily = LazyPreTokens(PreTokenArrays.of(known))
    assert known.commonest(most) == sorted(words, key=lambda word: -word[1])[:most]
    assert lazily.commonest(most) == known.commonest(most)
    assert "_values" not in vars(lazily), "no string was made for the others"
