"""Encoding and decoding: exact where it can be, equal to a naive loop, and every loss told."""

import random
import time
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, corpus_encoding_steps, encode, encoding_steps, token_ids
from explorer.core.progress import Progress, Stage, drain
from explorer.core.recipe import AlphabetKind, Joints, PreTokenRule, Recipe, Unknown
from explorer.core.table import MergeTable
from explorer.core.training import train, training_steps
from explorer.core.vocabulary import Piece, PieceKind
from explorer.errors import Cancelled
from tests.core.naive import encode as naive_encode
from tests.core.strategies import any_bytes, corpora, few_letters, lossless, recipes, texts
from tests.core.trained import CHAPTER, PUBLISHED, counts

FALLBACK = Recipe.of("fallback")
SCRIPT = Recipe.of("script").asking()


def pieces(encoded: EncodedText) -> list[str]:
    return [encoded.piece(n).spelled() for n in range(len(encoded))]


def kinds(encoded: EncodedText) -> list[PieceKind]:
    return [encoded.piece(n).kind for n in range(len(encoded))]


def table_of(text: str, recipe: Recipe) -> MergeTable:
    return train(Corpus.of_text(text.encode()), recipe).table


# the document's tests


@settings(deadline=None, max_examples=300)
@given(any_bytes, any_bytes, lossless)
@example(b"aaaa", b"\xe2\x80", Recipe.of("gpt2"))
def test_encode_then_decode_is_the_input_under_every_byte_recipe(trained_on: bytes, text: bytes, recipe: Recipe) -> None:
    encoded = encode(train(Corpus.of_text(trained_on * 2), recipe).table, text)
    assert encoded.decoded == text
    assert encoded.exact
    assert not encoded.losses
    assert b"".join(encoded.covered(n) for n in range(len(encoded))) == text
    assert encoded.table.decode(encoded.ids.tolist()) == text


@settings(deadline=None, max_examples=200)
@given(few_letters | texts, recipes())
def test_encoding_the_corpus_lands_on_the_trained_count(text: bytes, recipe: Recipe) -> None:
    corpus = Corpus.of_text(text)
    training = train(corpus, recipe)
    outside = text.count(b"\n") if recipe.pretokens is PreTokenRule.BYTE_WORDS else 0
    for k in range(training.learned + 1):
        assert len(encode(training.table, text, k)) - outside == training.length(k)
    assert len(drain(corpus_encoding_steps(training.table, corpus))) - outside == training.length(training.learned)


@settings(deadline=None, max_examples=60)
@given(st.lists(few_letters, max_size=5), recipes())
def test_encoding_rows_lands_on_the_trained_count_too(rows: list[bytes], recipe: Recipe) -> None:
    corpus = Corpus.of_rows(rows)
    training = train(corpus, recipe)
    outside = corpus.data.count(b"\n") if recipe.pretokens is PreTokenRule.BYTE_WORDS else 0
    assert len(drain(corpus_encoding_steps(training.table, corpus))) - outside == training.length(training.learned)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from([b"ab", b"abab", b"ba", b"b"]), st.integers(1, 4)), st.none() | st.integers(0, 8))
def test_counted_words_written_out_land_on_the_trained_count(counted: dict[bytes, int], lift: int | None) -> None:
    training = train(Corpus.of_counts(counted), replace(PUBLISHED, lift=lift))
    line = b" ".join(b" ".join([word] * count) for word, count in counted.items())
    assert len(encode(training.table, line)) == training.length(training.learned)


# against the naive loop


@settings(deadline=None, max_examples=300)
@given(corpora, recipes(), texts | few_letters, st.integers(0, 12))
def test_rank_order_is_lowest_rank_first_and_leftmost_first(corpus: Corpus, recipe: Recipe, text: bytes, k: int) -> None:
    table = train(corpus, recipe).table
    encoded = encode(table, text, k)
    found = list(zip(token_ids(encoded), encoded.starts.tolist(), encoded.ends.tolist(), strict=True))
    assert found == naive_encode(table, text, min(k, len(table.merges)))
    assert encoded.merges == min(k, len(table.merges))


@settings(deadline=None, max_examples=200)
@given(corpora, recipes(), texts | few_letters)
def test_what_does_not_come_back_is_counted(corpus: Corpus, recipe: Recipe, text: bytes) -> None:
    encoded = encode(train(corpus, recipe).table, text)
    losses = encoded.losses
    if recipe.pretokens is PreTokenRule.WORDS:
        covered = {at for n in range(len(encoded)) for at in range(encoded.starts[n], encoded.ends[n])}
        between = [at for at in range(len(text)) if at not in covered]
        assert {text[at] for at in between} <= {0x20, 0x0A}
        assert losses.line_ends == text.count(b"\n")
        assert losses.first_line_end == text.find(b"\n")
        if not recipe.marker:
            assert (losses.spaces, losses.first_space) == (text.count(b" "), text.find(b" "))
    if encoded.exact and not encoded.stand_ins:
        assert not losses or recipe.pretokens is not PreTokenRule.WORDS
    if not losses and not encoded.stand_ins:
        assert encoded.exact


def test_merges_apply_by_rank_and_not_from_left_to_right() -> None:
    bytes_only = train(Corpus.of_text(b""), CHAPTER).table
    table = replace(bytes_only, merges=((ord("n"), ord("g")), (ord("i"), 256), (ord("i"), ord("n"))))
    assert pieces(encode(table, b"ing")) == ["ing"]


@pytest.mark.parametrize("length", range(1, 41))
def test_a_run_is_replaced_left_to_right_without_overlap(length: int) -> None:
    table = replace(train(Corpus.of_text(b""), CHAPTER).table, merges=((120, 120),))
    encoded = encode(table, b"x" * length)
    assert encoded.ids.tolist() == [256] * (length // 2) + [120] * (length % 2)
    assert encoded.exact


# characters


def test_an_unknown_character_is_what_the_recipe_says() -> None:
    text = "cat cat hat"
    stand_in = encode(table_of(text, PUBLISHED), "bat 😀".encode())
    assert kinds(stand_in) == [PieceKind.STAND_IN, PieceKind.MERGE, PieceKind.STAND_IN]
    assert (stand_in.stand_ins, stand_in.decoded) == (2, b"[UNK]at [UNK]")
    fallback = encode(table_of(text, FALLBACK), "bat 😀".encode())
    fallen = [fallback.table.text(token) for token in fallback.ids.tolist()]
    assert fallen == ["<0x62>", "at</w>", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "</w>"]
    assert fallback.exact
    kept = encode(table_of(text, SCRIPT), "bat 😀".encode())
    assert token_ids(kept) == (None, kept.table.find(Piece(b"at", kind=PieceKind.MERGE)), None)
    assert [kept.piece(n) for n in (0, 2)] == [Piece(b"b", kind=PieceKind.KEPT), Piece("😀".encode(), kind=PieceKind.KEPT)]
    assert kept.decoded == "bat😀".encode()  # no marker: the space is lost, and told
    assert (kept.losses.spaces, kept.losses.first_space) == (1, 3)


def test_spans_cover_all_characters_whatever_is_unknown() -> None:
    text = "bat 😀".encode()
    for recipe in (PUBLISHED, FALLBACK, SCRIPT):
        encoded = encode(table_of("cat cat hat", recipe), text)
        assert b"".join(encoded.covered(n) for n in range(len(encoded))) == text.replace(b" ", b"")


def test_a_space_after_a_stand_in_is_lost_and_counted() -> None:
    encoded = encode(table_of("ab ab", PUBLISHED), b"az b")
    assert encoded.decoded == b"a[UNK]b"
    assert (encoded.losses.spaces, encoded.losses.first_space) == (1, 2)


def test_a_kept_character_keeps_the_space_after_it_where_words_are_marked() -> None:
    table = table_of("ab ab", replace(PUBLISHED, unknown=Unknown.KEEP))
    encoded = encode(table, b"az ab zz z")
    assert encoded.decoded == b"az ab zz z"
    assert encoded.exact
    assert [encoded.piece(n).marked for n in range(len(encoded))] == [False, True, True, False, True, True]


def test_a_marked_character_falls_back_to_its_plain_row_and_the_bare_marker() -> None:
    table = table_of("ba ba", FALLBACK)  # b never ends a word
    encoded = encode(table, b"ab b")
    assert [table.text(token) for token in encoded.ids.tolist()] == ["<0x61>", "b", "</w>", "b", "</w>"]
    assert [(int(a), int(b)) for a, b in zip(encoded.starts, encoded.ends, strict=True)] == [(0, 1), (1, 2), (2, 2), (3, 4), (4, 4)]
    assert encoded.exact


def test_text_that_spells_marker_stand_in_or_byte_row_stays_text() -> None:
    table = table_of("a b", FALLBACK)
    for text in (b"</w>", b"[UNK]", b"<0x0A>", b"a</w> b"):
        encoded = encode(table, text)
        assert encoded.decoded == text
        assert encoded.stand_ins == 0


@pytest.mark.parametrize("text", [b"\xff", b"a\xff", b"\xffa b\xfe", b"\xe2\x80", b"\xed\xa0\x80"])
@pytest.mark.parametrize("trained_on", [b"", b"ab ab", b"\xff\xfe \xff a\xff"])
def test_invalid_bytes_come_back_from_characters_with_fallback(trained_on: bytes, text: bytes) -> None:
    for marker in (True, False):
        table = train(Corpus.of_text(trained_on), replace(FALLBACK, marker=marker)).table
        encoded = encode(table, text)
        assert encoded.decoded == (text if marker else text.replace(b" ", b""))


def test_an_invalid_byte_of_the_corpus_has_a_row_of_kind_byte() -> None:
    table = train(Corpus.of_text(b"a\xff \xffa"), PUBLISHED).table
    assert [(p.bytes, p.marked) for p in table.alphabet.rows if p.kind is PieceKind.BYTE] == [(b"\xff", False), (b"\xff", True)]
    assert encode(table, b"\xffa \xff").decoded == b"\xffa \xff"
    assert encode(table, b"\xfe").stand_ins == 1


# losses


@pytest.mark.parametrize(
    ("text", "spaces", "line_ends"),
    [
        (b"ab ab", (0, -1), (0, -1)),
        (b"ab  ab", (1, 3), (0, -1)),
        (b" ab ab ", (2, 0), (0, -1)),
        (b"ab ab\nab", (0, -1), (1, 5)),
        (b"ab \n  ab", (3, 2), (1, 3)),
        (b"\n\n", (0, -1), (2, 0)),
        (b"   ", (3, 0), (0, -1)),
        (b"ab   ab   ab\n", (4, 3), (1, 12)),
    ],
)
def test_spaces_and_line_ends_lost_by_words_are_counted_with_their_first_place(
    text: bytes, spaces: tuple[int, int], line_ends: tuple[int, int]
) -> None:
    losses = encode(table_of("ab ab", PUBLISHED), text).losses
    assert (losses.spaces, losses.first_space, losses.line_ends, losses.first_line_end) == (*spaces, *line_ends)
    assert bool(losses) == bool(spaces[0] or line_ends[0])


def test_no_trailing_space_comes_back() -> None:
    table = table_of("ab cd", PUBLISHED)
    assert encode(table, b"ab cd").decoded == b"ab cd"
    assert encode(table, b"ab\ncd").decoded == b"ab cd"
    assert encode(table, b"").decoded == b""


def test_a_tab_and_a_return_stay_characters_of_a_word() -> None:
    table = table_of("a\tb\r\nc a\tb\r\n", PUBLISHED)
    assert encode(table, b"a\tb\r").exact
    assert {row.bytes for row in table.alphabet.rows} >= {b"\t", b"\r"}


# two stages


def test_ranks_before_the_lift_stay_inside_words_and_the_rest_cross_them() -> None:
    recipe = Recipe(AlphabetKind.CHARACTERS, False, Unknown.KEEP, PreTokenRule.WORDS, tie=PUBLISHED.tie, lift=3)
    table = table_of("ab ab a b a b", recipe)
    assert table.merges[0] == table.merges[1]
    assert (encode(table, b"ab").ids.tolist(), encode(table, b"a b").ids.tolist()) == ([2], [3])


def test_a_merge_across_words_decodes_with_its_spaces() -> None:
    table = table_of("of the of the of the", replace(PUBLISHED, lift=0))
    encoded = encode(table, b"of the of")
    assert encoded.exact
    assert pieces(encoded)[0] == "of</w>the</w>"
    assert encoded.covered(0) == b"of the"
    assert encode(table, b"of\nthe").groups.tolist() == sorted(encode(table, b"of\nthe").groups.tolist())
    assert pieces(encode(table, b"of\nthe"))[0] != "of</w>the</w>"  # a line end is no boundary that is lifted


def test_joints_cut_the_text_as_they_cut_the_corpus() -> None:
    recipe = replace(PUBLISHED, joints=Joints.of({b"undo": (b"un", b"do"), b"redo": (b"re", b"do")}))
    table = train(counts(undo=4, redo=4), recipe).table
    assert pieces(encode(table, b"undo redo")) == ["un", "do</w>", "re", "do</w>"]
    assert encode(table, b"undo redo").exact


# spans, groups, the trace


@settings(deadline=None, max_examples=100)
@given(few_letters | texts, recipes())
def test_a_byte_finds_the_token_that_covers_it(text: bytes, recipe: Recipe) -> None:
    encoded = encode(train(Corpus.of_text(text), recipe).table, text)
    for at in range(len(text)):
        covering = [n for n in range(len(encoded)) if encoded.starts[n] <= at < encoded.ends[n]]
        assert encoded.token_at(at) == (covering[0] if covering else None)
        assert len(covering) <= 1
    assert encoded.token_at(len(text)) is None


def test_the_trace_names_the_merges_that_applied_in_order() -> None:
    table = table_of("abab cd abab cd xyxy xyxy", CHAPTER)
    fired: list[int] = []
    encoded = drain(encoding_steps(table, b"cd abab", fired=fired))
    assert fired == sorted(set(fired))
    used = {rank for token in encoded.ids.tolist() for node in table.tree(token).walk() if (rank := node.rank) is not None}
    assert set(fired) == used
    assert 0 < len(fired) < len(table.merges)


def test_tokens_of_one_group_are_those_that_could_still_be_merged() -> None:
    table = table_of("ab ab cd", replace(PUBLISHED, lift=1000))
    inside = encode(table, b"ab cd\nab", 0).groups.tolist()
    assert [inside.count(group) for group in sorted(set(inside))] == [2, 2, 2]
    across = encode(table, b"ab cd\nab", table.lift_rank).groups.tolist()
    assert len(set(across)) == 2


def test_a_line_end_of_byte_words_is_in_a_group_of_its_own() -> None:
    table = table_of("ab ab\nab ab", replace(Recipe.of("byte-words"), lift=0))
    groups = encode(table, b"ab ab\ncd\n", 0).groups.tolist()
    assert [groups.count(group) for group in sorted(set(groups))] == [5, 1, 2, 1]


# long and odd texts


@pytest.mark.parametrize(
    "text",
    [b"a" + b"\n" * 20_000 + b"b", b"a" + b"\r\n" * 10_000 + b"b", b"a" + b" \n" * 10_000 + b"b", b"^" * 100_000, b"\x00" * 9_999],
    ids=["line ends", "CR LF", "space LF", "carets", "NUL"],
)
@pytest.mark.parametrize("preset", ["chapter-81", "byte-words", "gpt2", "cl100k", "o200k"])
def test_long_runs_of_one_thing_encode_and_come_back(preset: str, text: bytes) -> None:
    table = train(Corpus.of_text(b"a\n\n\n\nb\r\n\r\n\r\n ^^^^ \n \n \n"), Recipe.of(preset)).table
    assert encode(table, text).decoded == text


def seconds(table: MergeTable, text: bytes) -> float:
    """The least of three timings, in seconds of this process alone."""
    times = []
    for _ in range(3):
        before = time.process_time()
        encode(table, text)
        times.append(time.process_time() - before)
    return min(times)


def test_ten_times_the_text_takes_about_ten_times_as_long() -> None:
    letters = random.Random(8)
    table = train(Corpus.of_text(b"a" * 64 + b"\nabcabcabc"), CHAPTER).table
    assert len(encode(table, b"a" * 2_000)) == len(naive_encode(table, b"a" * 2_000, len(table.merges)))
    for text in (b"a" * 200_000, bytes(letters.choices(range(97, 123), k=200_000))):
        assert seconds(table, text) / seconds(table, text[:20_000]) < 40  # quadratic would be 100


@pytest.mark.parametrize("between", [b" " * n for n in range(0, 41, 8)] + [b"\t\t", "\u00a0".encode(), "\u3000".encode()])
@pytest.mark.parametrize("preset", ["chapter-81", "byte-words", "gpt2", "cl100k", "o200k"])
def test_every_run_of_white_space_comes_back(preset: str, between: bytes) -> None:
    table = table_of("a    b a b\ta", Recipe.of(preset))
    assert encode(table, b"a" + between + b"b").decoded == b"a" + between + b"b"


@pytest.mark.parametrize("character", ["é", "歭", "😀", "\u2028", "\ufeff"])
def test_half_a_character_comes_back_as_its_bytes(character: str) -> None:
    table = table_of("歭é 歭é", CHAPTER)
    whole = character.encode()
    for length in range(len(whole) + 1):
        encoded = encode(table, whole[:length])
        assert encoded.decoded == whole[:length]
        assert {table.text(token) for token in encoded.ids.tolist() if 128 <= token < 256} <= {None}


# steps


def test_steps_rise_within_their_stage_and_stop_when_asked() -> None:
    table = table_of("ab ab cd cd " * 3, Recipe.of("byte-words"))
    text = b"ab cd " * 100_000
    told = list(encoding_steps(table, text))
    for stage in (Stage.CUTTING, Stage.ENCODING):
        done = [step.done for step in told if step.stage is stage]
        assert len(done) > 1
        assert done == sorted(done)
    assert all(step.done <= step.total for step in told)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        encode(table, text, progress=progress)


def test_a_long_word_is_spelled_in_many_steps() -> None:
    """One step of all of it could not be stopped for as long as it takes."""
    table = train(Corpus.of_text("é\u4e2d éa".encode()), PUBLISHED).table
    word = "é\u4e2da".encode() * 20_000
    steps = sum(1 for _ in encoding_steps(table, word))
    assert steps >= len(word) // 1_000
    training = training_steps(Corpus.of_text(word), PUBLISHED.asking(merges=0))
    assert sum(1 for _ in training) >= 2 * len(word) // 1_000  # learns its symbols, then spells
