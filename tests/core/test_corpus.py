"""A corpus: texts in one buffer, their weights, their ends, their digest."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus, NoRows
from explorer.core.progress import Stage, Step
from explorer.core.recipe import LineEnds, Recipe
from explorer.core.training import training_steps

rows = st.lists(st.sampled_from([b"", b"a", b"ab\r", b"\r\n", "é\u2028".encode(), b"\xff", b"\x00", b"a\nb"]), max_size=6)


@given(rows)
def test_rows_are_ended_by_one_added_line_end_each(texts: list[bytes]) -> None:
    corpus = Corpus.of_rows(texts)
    assert [corpus.data[a:b] for a, b, _ in corpus.texts()] == [text + b"\n" for text in texts]
    assert (len(corpus), corpus.ended, corpus.weights) == (len(texts), True, None)
    assert corpus.starts.dtype == np.int64
    assert corpus.sha256 == hashlib.sha256(corpus.data).hexdigest()


@given(rows.filter(any))
def test_a_byte_knows_its_text(texts: list[bytes]) -> None:
    corpus = Corpus.of_counts(dict.fromkeys(texts, 1))
    for at in range(len(corpus.data)):
        start, end = corpus.span(corpus.text_at(at))
        assert start <= at < end


def test_a_plain_text_is_one_text_as_it_is() -> None:
    corpus = Corpus.of_text(b"a\nb")
    assert list(corpus.texts()) == [(0, 3, 1)]
    assert (corpus.ended, corpus.weight(0), corpus.span(0)) == (False, 1, (0, 3))
    assert len(Corpus.of_text(b"")) == 1


def test_counts_are_weights_to_the_last_digit() -> None:
    corpus = Corpus.of_counts({b"on": 79402723, b"x": 2**62})
    assert list(corpus.texts()) == [(0, 2, 79402723), (2, 3, 2**62)]
    assert corpus.weight(1) == 2**62
    assert list(Corpus.of_counts({}).texts()) == []


@pytest.mark.parametrize(
    ("text", "read"),
    [(b"a\r\nb", b"a\nb"), (b"a\rb", b"a\nb"), (b"\r\r\n\r", b"\n\n\n"), (b"\n\r", b"\n\n"), (b"", b"")],
)
def test_every_kind_of_line_end_reads_as_lf(text: bytes, read: bytes) -> None:
    corpus = Corpus.of_text(text).with_line_feeds()
    assert corpus.data == read
    assert list(corpus.texts()) == [(0, len(read), 1)]


def test_a_corpus_without_cr_is_itself() -> None:
    corpus = Corpus.of_text(b"a\nb")
    assert corpus.with_line_feeds() is corpus


def test_a_large_corpus_becomes_lf_in_steps_that_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.corpus.PART", 10)
    monkeypatch.setattr("explorer.core.corpus.SEARCHED_A_STEP", 10)
    for corpus in (Corpus.of_text(b"without\n" * 12 + b"with\r\n" * 20), Corpus.of_rows([b"a\r\nb"] * 40), Corpus.of_text(b"none\n" * 20)):
        told, made = [], corpus.line_feed_steps()
        try:
            while True:
                told.append(next(made))
        except StopIteration as end:
            read = end.value
        steps = [step.done for step in told]
        assert read.data == corpus.data.replace(b"\r\n", b"\n")
        assert len(steps) > 5
        assert steps == sorted(steps)
        assert max(steps) <= told[0].total == 2 * len(corpus.data)
    training = training_steps(corpus, replace(Recipe.of("chapter-81"), line_ends=LineEnds.LF))
    assert next(training) == Step(Stage.READING, 0, 200)


def test_the_added_end_of_a_row_does_not_swallow_the_row_s_own_cr() -> None:
    corpus = Corpus.of_rows([b"a\r", b"b\r\nc"]).with_line_feeds()
    assert [corpus.data[a:b] for a, b, _ in corpus.texts()] == [b"a\n\n", b"b\nc\n"]


def test_a_corpus_equals_itself_alone_and_can_be_a_key() -> None:
    one, other = Corpus.of_rows([b"a", b"b"]), Corpus.of_rows([b"a", b"b"])
    assert one in [one]
    assert one not in [other]
    assert {one: 1}[one] == 1


def test_a_corpus_made_in_memory_has_no_rows_of_a_file() -> None:
    corpus = Corpus.of_text(b"a")
    assert (len(corpus.rows), tuple(corpus.rows.columns)) == (0, ())
    with pytest.raises(IndexError):
        NoRows().cells(0)
