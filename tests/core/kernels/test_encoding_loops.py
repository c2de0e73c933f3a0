"""The compiled encoder: equal to the readable one in ids, spans, groups and losses, for every recipe and any number of merges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, corpus_encoding_steps, encoding_steps
from explorer.core.fast_encoding import fast_corpus_encoding_steps, fast_encoding_steps, ids_steps
from explorer.core.kernels import why_not
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.table import MergeTable
from explorer.core.training import train
from tests.core.strategies import any_bytes, corpora, few_letters, recipes, texts

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"nothing is compiled here: {why_not()}")


def assert_alike(one: EncodedText, other: EncodedText) -> None:
    for name in ("ids", "starts", "ends", "groups"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (name, ours.tolist(), ours.dtype) == (name, theirs.tolist(), theirs.dtype)
    assert (one.merges, one.data, one.losses) == (other.merges, other.data, other.losses)


def assert_equal(table: MergeTable, text: bytes, merges: int | None = None) -> None:
    fired: list[int] = []
    readable: list[int] = []
    ours = drain(fast_encoding_steps(table, text, merges, fired))
    assert_alike(ours, drain(encoding_steps(table, text, merges, readable)))
    assert fired == readable
    assert drain(ids_steps(table, text, merges)).tolist() == ours.ids.tolist()


@settings(deadline=None, max_examples=600)
@given(corpora, recipes(), any_bytes | few_letters | texts, st.integers(0, 12))
def test_a_text_is_encoded_as_the_readable_engine_does(corpus: Corpus, recipe: Recipe, text: bytes, k: int) -> None:
    table = train(corpus, recipe).table
    assert_equal(table, text)
    assert_equal(table, text, k)


@settings(deadline=None, max_examples=300)
@given(corpora, corpora, recipes())
def test_a_corpus_is_encoded_as_the_readable_engine_does(trained_on: Corpus, corpus: Corpus, recipe: Recipe) -> None:
    table = train(trained_on, recipe).table
    assert_alike(drain(fast_corpus_encoding_steps(table, corpus)), drain(corpus_encoding_steps(table, corpus)))
