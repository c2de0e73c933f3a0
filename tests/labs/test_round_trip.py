"""Seven inputs there and back, over bytes, over characters, and through characters first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import PRESETS, Recipe
from explorer.core.training import train
from explorer.labs.round_trip import CUT_AT, DASHED, RANDOM_BYTES, UNHEARD, as_runes, first_difference, round_trip_steps, single_inputs

ROWS = Corpus.of_rows([b"year 1: 5 hobbs", b"year 2: 6 hobbs", "ein é — alt".encode()])
TEXT = Corpus.of_text(b"low lower\n\nnewest  widest\r\nend")
COUNTS = Corpus.of_counts({b"low": 5, b"lowest": 2, "é".encode(): 1})


@pytest.mark.parametrize("preset", [name for name, recipe in PRESETS.items() if recipe.alphabet.value == "bytes"])
@pytest.mark.parametrize("corpus", [ROWS, TEXT, COUNTS], ids=["rows", "text", "counts"])
def test_bytes_bring_everything_back(preset: str, corpus: Corpus) -> None:
    recipe = Recipe.of(preset).asking(merges=20)
    trips = drain(round_trip_steps(train(corpus, recipe).table, corpus))
    assert [trip.same for trip in trips] == [True] * 7
    assert [trip.first_difference for trip in trips] == [None] * 7


@pytest.mark.parametrize("preset", ["published", "fallback", "script"])
def test_a_corpus_of_words_comes_back_word_by_word(preset: str) -> None:
    trips = drain(round_trip_steps(train(COUNTS, Recipe.of(preset)).table, COUNTS))
    assert trips[0].same
    assert trips[0].data == "lowlowesté".encode()


def test_what_words_lose_is_seen() -> None:
    trips = drain(round_trip_steps(train(TEXT, Recipe.of("fallback")).table, TEXT))
    assert (trips[0].same, trips[0].first_difference) == (False, TEXT.data.index(b"\n"))


def test_an_encoding_lands_on_the_count_training_finished_with() -> None:
    training = train(ROWS, Recipe.of("chapter-81"))
    assert drain(round_trip_steps(training.table, ROWS))[0].tokens == training.length(training.learned)


def test_the_dash_is_cut_after_two_of_its_bytes() -> None:
    assert DASHED.index(b"\xe2\x80\x94") == 24
    assert DASHED[:CUT_AT].endswith(b"\xe2\x80")


def test_through_characters_two_of_seven_are_lost() -> None:
    table = train(ROWS, Recipe.of("chapter-81")).table
    trips = drain(round_trip_steps(table, ROWS, runes=True))
    assert [trip.same for trip in trips] == [True, True, True, True, True, False, False]
    assert (len(trips[5].data), len(trips[5].back), trips[5].first_difference) == (26, 30, 24)
    assert len(trips[6].data) == RANDOM_BYTES < len(trips[6].back)


def test_a_corpus_that_is_no_text_is_lost_through_characters() -> None:
    corpus = Corpus.of_rows([b"\xff", b"ab"])
    trip = drain(round_trip_steps(train(corpus, Recipe.of("chapter-81")).table, corpus, runes=True))[0]
    assert trip.back == b"\xef\xbf\xbd\nab\n"


def test_the_sentence_the_corpus_lacks_is_not_in_it() -> None:
    for corpus in (ROWS, Corpus.of_text(UNHEARD.encode() + b"\n" + UNHEARD.encode() + b" " + UNHEARD.encode())):
        inputs = {given_input.name: given_input.data for given_input in single_inputs(corpus)}
        assert inputs["a sentence the corpus lacks"] not in corpus.data


def test_the_random_bytes_are_the_same_everywhere() -> None:
    random = single_inputs(ROWS)[-1]
    assert "seed 81" in random.name
    assert (len(random.data), random.data[:4].hex()) == (RANDOM_BYTES, random.data.hex()[:8])
    assert random.data == single_inputs(TEXT)[-1].data


@given(st.binary(max_size=60))
def test_runes_keep_characters_and_replace_every_stray_byte(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    strays = sum("\udc80" <= character <= "\udcff" for character in text)
    made = as_runes(data)
    assert len(made) == len(data) + 2 * strays
    assert made.decode().count("\ufffd") - text.count("\ufffd") == strays
    assert strays or made == data


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_the_first_difference(one: bytes, other: bytes) -> None:
    at = first_difference(one, other)
    if at is None:
        assert one == other
    else:
        assert one[:at] == other[:at]
        assert one[at : at + 1] != other[at : at + 1]
