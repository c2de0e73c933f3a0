"""The numbers behind the curve: taken from a training, thinned out to the pixels, marked on the axes, written as CSV."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import Training, train
from explorer.gui.plots.series import (
    LEAST,
    Lengths,
    Measure,
    Scale,
    axis_marks,
    csv_lines,
    cut_bars,
    short,
    thinned,
    thinned_bars,
    weighted_size,
)
from explorer.sources.exemplars import exemplar_named, open_exemplar


@pytest.fixture(scope="module")
def words() -> Training:
    return train(open_exemplar("four-words"), exemplar_named("four-words").recipe)


def test_the_curve_of_four_words_falls_from_79_to_22_over_ten_merges(words: Training) -> None:
    lengths = Lengths.of(words)
    assert lengths.learned == 10
    assert lengths.lengths[0] == 79
    assert lengths.lengths[-1] == 22
    assert lengths.rows.tolist() == list(range(words.alphabet.floor, words.alphabet.floor + 11))
    assert (-np.diff(lengths.lengths)).tolist() == lengths.saved.tolist()


def test_a_size_counts_each_text_as_often_as_it_occurs(words: Training) -> None:
    by_hand = sum((end - start) * weight for start, end, weight in words.corpus.texts())
    assert weighted_size(words.corpus) == by_hand
    assert weighted_size(Corpus.of_text(b"abc")) == 3


def test_bytes_per_token_of_nothing_is_nothing() -> None:
    lengths = Lengths.of(train(Corpus.of_text(b""), Recipe.of("chapter-81")))
    assert lengths.learned == 0
    assert lengths.values(Measure.BYTES_PER_TOKEN).tolist() == [0.0]
    assert lengths.note(0)[2] == "no bytes"


def test_the_table_tells_beside_each_k_what_the_merge_before_it_did(words: Training) -> None:
    head, zero, one, *_, last = csv_lines(words)
    assert head == "k,rows,length,bytes_per_token,saved,count,tied"
    floor, first = words.alphabet.floor, words.merges[0]
    size = weighted_size(words.corpus)
    assert zero == f"0,{floor},79,{size / 79:.6f},,,"
    assert one == f"1,{floor + 1},{first.length},{size / first.length:.6f},{first.saved},{first.count},{first.tied}"
    assert last.startswith(f"10,{floor + 10},22,")


@given(st.integers(0, 400), st.integers(1, 60), st.floats(0, 1), st.floats(0, 1))
def test_a_thinned_curve_keeps_its_ends_and_lies_on_the_curve(count: int, pixels: int, one: float, two: float) -> None:
    x = np.arange(5, 6 + count, dtype=np.float64)
    y = 1000 / x
    low, high = sorted((5 + one * count, 5 + two * count))
    xs, ys = thinned(x, y, low, high, pixels)
    assert len(xs) <= 2 * pixels + 3
    assert (np.diff(xs) >= 0).all()
    assert np.allclose(np.interp(xs, x, y), ys)
    assert xs[0] == pytest.approx(low)
    assert xs[-1] == pytest.approx(high)


def test_a_curve_out_of_sight_has_no_points() -> None:
    x = np.array([1.0, 2.0])
    assert len(thinned(x, x, 3.0, 4.0, 10)[0]) == 0
    assert len(thinned(np.empty(0), np.empty(0), 3.0, 4.0, 10)[0]) == 0


def test_a_single_point_is_one_point() -> None:
    xs, ys = thinned(np.array([256.0]), np.array([7.0]), 256.0, 257.0, 10)
    assert (xs.tolist(), ys.tolist()) == ([256.0], [7.0])


@given(st.lists(st.integers(0, 50), min_size=1, max_size=300), st.integers(1, 40))
def test_thinned_bars_keep_the_greatest_of_each_pixel_and_the_whole_width(heights: list[int], pixels: int) -> None:
    edges = np.arange(len(heights) + 1, dtype=np.float64)
    cut, tops = thinned_bars(edges, np.array(heights, np.float64), 0.0, float(len(heights)), pixels)
    assert len(cut) == len(tops) + 1
    assert (cut[0], cut[-1]) == (0.0, len(heights))
    assert len(tops) <= max(pixels, 1) + 1 or len(tops) == len(heights)
    for left, right, top in zip(cut, cut[1:], tops, strict=False):
        assert top == max(heights[int(left) : int(right)])


def test_bars_are_cut_at_the_cursor() -> None:
    edges, heights = np.array([0.0, 2.0, 4.0]), np.array([5.0, 3.0])
    (left, tops), (right, later) = cut_bars(edges, heights, 1.0)
    assert (left.tolist(), tops.tolist(), right.tolist(), later.tolist()) == ([0, 1], [5], [1, 2, 4], [5, 3])
    (left, tops), (right, later) = cut_bars(edges, heights, 0.0)
    assert (tops.tolist(), right.tolist(), later.tolist()) == ([], [0, 2, 4], [5, 3])
    (left, tops), (right, later) = cut_bars(edges, heights, 4.0)
    assert (left.tolist(), tops.tolist(), later.tolist()) == ([0, 2, 4], [5, 3], [])


def test_marks_are_round_inside_and_no_more_than_asked() -> None:
    assert [text for _, text in axis_marks(256, 512, 6, Scale.LINEAR)] == ["300", "350", "400", "450", "500"]
    assert [text for _, text in axis_marks(0, 7550, 3, Scale.LINEAR)] == ["0", "5k"]
    low, high = float(Scale.LOG.of(256)), float(Scale.LOG.of(100_256))
    marks = axis_marks(low, high, 8, Scale.LOG)
    assert [text for _, text in marks] == ["500", "1k", "2k", "5k", "10k", "20k", "50k", "100k"]
    assert all(low <= at <= high for at, _ in marks)
    assert axis_marks(3.0, 3.0, 5, Scale.LINEAR) == []


@given(st.floats(0, 1e7), st.floats(1e-3, 1e7), st.integers(1, 20), st.sampled_from(Scale))
def test_marks_lie_inside_whatever_the_range(low: float, span: float, most: int, scale: Scale) -> None:
    start, end = float(scale.of(low)), float(scale.of(low + span))
    marks = axis_marks(start, end, most, scale)
    slack = 1e-6 * max(1.0, abs(end))
    assert all(start - slack <= at <= end + slack for at, _ in marks)
    assert len(marks) <= 2 * most + 2


def test_a_logarithmic_scale_has_a_place_for_nothing() -> None:
    assert float(Scale.LOG.of(0.0)) == pytest.approx(np.log10(LEAST))
    assert Scale.LOG.back(float(Scale.LOG.of(1234.0))) == pytest.approx(1234.0)


def test_figures_that_floats_cannot_tell_apart_are_not_on_an_axis_but_in_the_table() -> None:
    assert short(9_000_000) == "9M"
    corpus = Corpus.of_counts({b"ab": 9007199254740993, b"cd": 9007199254740992})
    training = train(corpus, Recipe.of("byte-words").asking(merges=1))
    assert list(csv_lines(training))[2].endswith(",9007199254740993,9007199254740993,1")
