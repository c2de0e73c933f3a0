"""Lines and blocks of a corpus: nothing is lost, no character is cut, numbers are those of rows or lines."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.core import line_places
from explorer.core.corpus import Corpus
from explorer.core.line_places import LONGEST
from explorer.gui.views import corpus_lines
from explorer.gui.views.corpus_lines import CorpusLines, Heights

texts = st.lists(st.sampled_from(["a", " ", "\n", "é", "東", "👨\u200d👩", "\r", "\x00", "word word "]), max_size=40).map("".join)


def parts(lines: CorpusLines) -> list[bytes]:
    return [lines.corpus.data[a:b] for a, b in zip(lines.starts.tolist(), lines.starts.tolist()[1:], strict=False)]


@given(texts)
@example("")
@example("\n\n")
@example("no end")
def test_a_text_is_cut_after_each_line_feed_and_nowhere_else(text: str) -> None:
    data = text.encode()
    lines = CorpusLines.of(Corpus.of_text(data))
    assert parts(lines) == data.splitlines(keepends=True) if b"\r" not in data else b"".join(parts(lines)) == data
    assert all(part.count(b"\n") == part.endswith(b"\n") for part in parts(lines))
    assert lines.numbers.tolist() == list(range(1, len(lines) + 1))


@given(texts, st.lists(texts.map(str.encode), max_size=5), st.integers(1, 9))
def test_lines_found_in_slices_are_those_found_at_once(text: str, rows: list[bytes], slice_bytes: int) -> None:
    for make in (lambda: Corpus.of_text(text.encode()), lambda: Corpus.of_rows(rows)):
        whole, bit_by_bit = make().line_places, make()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(line_places, "A_STEP", slice_bytes)
            steps = sum(1 for _ in bit_by_bit.find_lines_steps())
        assert steps >= len(bit_by_bit.data) // slice_bytes
        assert next(iter(bit_by_bit.find_lines_steps()), None) is None, "found once"
        assert bit_by_bit.line_places.line_feeds == bit_by_bit.data.count(b"\n")
        for name in ("starts", "numbers", "letters", "blocks"):
            assert getattr(bit_by_bit.line_places, name).tolist() == getattr(whole, name).tolist()


@given(texts)
def test_letters_are_counted_a_line(text: str) -> None:
    lines = CorpusLines.of(Corpus.of_text(text.encode()))
    assert lines.letters.tolist() == [len(part.decode()) for part in parts(lines)]


@given(st.lists(texts.map(str.encode), max_size=12))
def test_rows_are_numbered_by_row_whatever_line_feeds_they_hold(rows: list[bytes]) -> None:
    lines = CorpusLines.of(Corpus.of_rows(rows))
    assert b"".join(parts(lines)) == b"".join(row + b"\n" for row in rows)
    numbered = [number for number in lines.numbers.tolist() if number]
    assert numbered == list(range(1, len(rows) + 1))
    for row in range(len(rows)):
        start = int(lines.corpus.starts[row])
        assert lines.offset_of(row + 1) == start
        assert lines.number_at(start) == lines.number_at(start + len(rows[row])) == row + 1
    assert lines.offset_of(len(rows) + 1) is None


@given(st.integers(0, 5), st.sampled_from(["x", "é", "東", "word ", "👍"]))
def test_long_lines_are_cut_between_characters_and_after_spaces_where_there_are(extra: int, letter: str) -> None:
    data = b"z" * extra + letter.encode() * (3 * LONGEST // len(letter.encode())) + b"\nshort\n"
    lines = CorpusLines.of(Corpus.of_text(data))
    assert b"".join(parts(lines)) == data
    for part in parts(lines):
        assert len(part) <= LONGEST
        part.decode()  # raises inside a character
    assert [n for n in lines.numbers.tolist() if n] == [1, 2], "the parts of a line have one number"
    if letter == "word ":
        assert all(part.endswith((b" ", b"\n")) for part in parts(lines))


def test_stray_bytes_are_cut_anywhere() -> None:
    data = b"\x80" * 20_000
    lines = CorpusLines.of(Corpus.of_text(data))
    assert b"".join(parts(lines)) == data and max(map(len, parts(lines))) <= LONGEST


@given(st.lists(texts, max_size=300))
def test_blocks_hold_every_line_once(pieces: list[str]) -> None:
    lines = CorpusLines.of(Corpus.of_text("\n".join(pieces).encode() * 3))
    spans = [lines.block_span(block) for block in range(lines.blocks_count)]
    assert b"".join(lines.corpus.data[a:b] for a, b in spans) == lines.corpus.data
    for block, (start, end) in enumerate(spans):
        assert start < end
        assert lines.block_at(start) == lines.block_at(end - 1) == block
        assert (lines.line_starts(block) + start).tolist() == [at for at in lines.starts.tolist() if start <= at < end]
        assert set(lines.numbers_in(block)) <= {at for at in lines.starts.tolist() if start <= at < end}


def test_a_corpus_of_ten_megabytes_is_made_of_blocks_of_about_a_kilobyte() -> None:
    lines = CorpusLines.of(Corpus.of_text(b"the quick brown fox jumps over the lazy dog, again\n" * 200_000))
    assert len(lines) == 200_000
    sizes = np.diff(lines.starts[lines.blocks])
    assert 500 < sizes.mean() < 2_000 and sizes.max() < 2 * LONGEST


def test_rows_are_guessed_by_letters_not_bytes() -> None:
    latin = CorpusLines.of(Corpus.of_text(b"x" * 3000 + b"\n"))
    cyrillic = CorpusLines.of(Corpus.of_text("я".encode() * 3000 + b"\n"))
    assert abs(latin.rows_guessed(50).sum() - cyrillic.rows_guessed(50).sum()) <= 2
    assert CorpusLines.of(Corpus.of_text(b"")).rows_guessed(50).sum() == 0
    assert CorpusLines.of(Corpus.of_text(b"\n\n\n")).rows_guessed(50).sum() == 3


def test_rows_of_very_many_lines_are_guessed_a_block_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.of_text(b"".join(b"word " * (n % 40) + b"\n" for n in range(3000)))
    one_by_one = CorpusLines.of(corpus).rows_guessed(60)
    monkeypatch.setattr(corpus_lines, "ONE_BY_ONE", 100)
    guessed = CorpusLines.of(corpus).rows_guessed(60)
    assert len(guessed) == len(one_by_one)
    assert guessed.sum() == pytest.approx(one_by_one.sum(), rel=0.1)
    assert (guessed >= np.diff(CorpusLines.of(corpus).blocks)).all()


def test_heights_become_exact_one_by_one() -> None:
    heights = Heights(np.array([24.0, 48.0, 24.0]))
    assert (heights.total, heights.top(2)) == (96, 72)
    assert not heights.settle(1, 48)
    assert heights.settle(1, 72)
    assert (heights.total, heights.top(2)) == (120, 96)
    assert [heights.block_at(y) for y in (-5, 0, 23, 24, 95, 96, 1000)] == [0, 0, 0, 1, 1, 2, 2]


def test_long_lines_are_cut_some_parts_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.of_text(b"a" * (20 * LONGEST))
    before = sum(1 for _ in line_places.line_places_steps(corpus))
    monkeypatch.setattr(line_places, "PARTS_A_STEP", 4)
    assert sum(1 for _ in line_places.line_places_steps(corpus)) == before + 4
