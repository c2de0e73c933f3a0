"""The tokens of a text under its edits: what holds, where it is now, and what is gone."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.encoding import encode
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.gui.models.text_spans import TextSpans, unchanged

TABLE = train(Corpus.of_text(b"abab abab\nba"), Recipe.of("chapter-81")).table
WORDS = train(Corpus.of_text(b"abab abab\nba"), Recipe.of("published")).table
texts = st.lists(st.sampled_from([b"ab", b"abab", b" ", b"\n", b"x", "é".encode(), b"\xff"])).map(b"".join)


@given(texts, texts)
def test_unchanged_ends_do_not_overlap_and_are_largest(old: bytes, new: bytes) -> None:
    before, behind = unchanged(old, new)
    assert before + behind <= min(len(old), len(new))
    assert old[:before] == new[:before] and old[len(old) - behind :] == new[len(new) - behind :]
    if before + behind < min(len(old), len(new)):
        assert old[before] != new[before] and old[-behind - 1] != new[-behind - 1]


@given(texts, texts, texts, texts)
def test_after_an_edit_a_token_lies_over_its_own_bytes_or_is_gone(head: bytes, out: bytes, put: bytes, tail: bytes) -> None:
    encoded = encode(TABLE, head + out + tail)
    spans = TextSpans(encoded).over(head + put + tail)
    found, indexes = spans.between(0, len(spans.data))
    for at, n in enumerate(indexes.tolist()):
        start, end = spans.place(n)
        assert (found[at].start, found[at].end) == (start, end)
        assert spans.data[start:end] == encoded.covered(n)
    if out == put:
        assert len(found) == len(encoded) and spans.fresh


@given(texts, st.integers(0, 30), st.integers(0, 30))
def test_a_part_has_the_tokens_that_touch_it(text: bytes, one: int, two: int) -> None:
    start, end = sorted((min(one, len(text)), min(two, len(text))))
    for table in (TABLE, WORDS):
        encoded = encode(table, text)
        found, indexes = TextSpans(encoded).between(start, end)
        filled = [n for n in range(len(encoded)) if encoded.ends[n] > encoded.starts[n]]
        touching = [n for n in filled if encoded.starts[n] < end and encoded.ends[n] > start]
        assert [n for n in indexes.tolist() if n in filled] == touching
        assert all(0 <= span.start <= span.end <= end - start for span in (found[at] for at in range(len(found))))


def test_parts_of_a_text_share_no_bare_marker() -> None:
    encoded = encode(train(Corpus.of_text(b"ab ab"), Recipe.of("fallback")).table, "ab é ab".encode())
    spans = TextSpans(encoded)
    bare = [n for n in range(len(encoded)) if encoded.starts[n] == encoded.ends[n]]
    assert len(bare) == 1
    cut = int(encoded.starts[bare[0]])
    assert bare[0] in spans.between(0, cut)[1] and bare[0] not in spans.between(cut, len(encoded.data))[1]


def test_the_token_of_a_byte_and_of_a_piece() -> None:
    encoded = encode(TABLE, b"xabab")
    spans = TextSpans(encoded)
    assert spans.at_byte(0) == 0 and encoded.covered(spans.at_byte(3) or 0) == b"abab"
    assert spans.token_of(encoded.piece(1)) == encoded.ids[1] and spans.token_of(None) is None
    edited = spans.over(b"xxabab")
    n = edited.at_byte(4)
    assert n is not None and edited.place(n) == (2, 6)
