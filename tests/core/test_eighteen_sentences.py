"""Every figure of the second document on its eighteen sentences."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, encode
from explorer.core.recipe import Recipe, TieRule
from explorer.core.training import Stopped, Training, train
from explorer.places import exemplar
from tests.core.trained import PUBLISHED, spelled

FIGURES: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "eighteen_sentences.json").read_text())  # Any: JSON
RUNNING = FIGURES["running_sentence"]
FALLBACK = Recipe.of("fallback")
BYTE_WORDS = Recipe.of("byte-words").asking(merges=85)


@cache
def trained(recipe: Recipe) -> Training:
    return train(Corpus.of_text(exemplar("eighteen.txt").read_bytes()), recipe)


def encoded(recipe: Recipe, text: str, merges: int | None = None) -> EncodedText:
    return encode(trained(recipe).table, text.encode(), merges)


def texts(found: EncodedText) -> list[str | None]:
    return [found.table.text(token) for token in found.ids.tolist()]


def test_what_the_corpus_holds() -> None:
    training = trained(PUBLISHED)
    data = training.corpus.data
    assert data.count(b"\n") == FIGURES["sentences"]
    assert training.pretokens.occurrences == FIGURES["word_occurrences"]
    assert len(training.pretokens.spellings) == FIGURES["distinct_words"]
    assert len(set(data.decode()) - {"\n"}) == FIGURES["distinct_characters_with_space"]
    assert training.alphabet.first_merged_id - 1 == FIGURES["symbols"]
    assert training.alphabet.floor == FIGURES["smallest_table"]


def test_every_merge_to_the_end() -> None:
    training = trained(PUBLISHED)
    assert [list(row) for row in spelled(training)] == FIGURES["all_merges"]
    first = [
        {"left": left, "right": right, "count": count, "tied": merge.tied, "saved": merge.saved, "length": merge.length}
        for (left, right, count), merge in zip(spelled(training), training.merges, strict=True)
    ]
    assert first[: len(FIGURES["first_merges"])] == FIGURES["first_merges"]
    assert (training.learned, training.stopped) == (FIGURES["merges_until_no_pair_occurs_twice"], Stopped.NO_PAIR)
    figures = FIGURES["pieces_at_zero"], FIGURES["pieces_after"], FIGURES["rows"]
    assert (training.length_at_zero, training.length(85), training.rows) == figures


def test_the_running_sentence_with_fallback() -> None:
    found = encoded(FALLBACK, RUNNING["text"])
    assert texts(found) == RUNNING["byte_fallback"]
    assert len(found) == RUNNING["byte_fallback_pieces"]
    assert len(encoded(FALLBACK, RUNNING["text"], 0)) == RUNNING["at_zero_merges_fallback"]
    assert found.exact


def test_the_running_sentence_with_the_stand_in() -> None:
    found = encoded(PUBLISHED, RUNNING["text"])
    assert len(found) == RUNNING["stand_in_pieces"]
    assert len(encoded(PUBLISHED, RUNNING["text"], 0)) == RUNNING["at_zero_merges_stand_in"]
    assert found.decoded.decode() == RUNNING["stand_in_decodes_to"]
    assert found.stand_ins == 1
    assert (found.losses.spaces, found.losses.first_space) == (1, RUNNING["text"].index(" didn't"))


@pytest.mark.parametrize("asked", FIGURES["table_rows_with_fallback"])
def test_the_fallback_rows_lie_outside_the_size_asked(asked: str) -> None:
    assert trained(FALLBACK.asking(rows=int(asked.split()[1]))).table.size == FIGURES["table_rows_with_fallback"][asked]


@pytest.mark.parametrize("asked", [138, 150, 200, 300, 1000])
def test_asking_for_more_gives_what_there_is(asked: int) -> None:
    training = trained(PUBLISHED.asking(rows=asked))
    assert (training.rows, training.stopped) == (FIGURES["asked_above_137_gives"], Stopped.NO_PAIR)


def test_a_word_with_an_accent() -> None:
    cafe = FIGURES["cafe"]
    stand_in, fallback = encoded(PUBLISHED, cafe["text"]), encoded(FALLBACK, cafe["text"])
    assert (texts(stand_in), texts(fallback)) == (cafe["stand_in_pieces"], cafe["fallback_pieces"])
    assert (len(stand_in), len(fallback)) == (cafe["stand_in"], cafe["byte_fallback"])
    assert len(encoded(BYTE_WORDS, cafe["text"])) == cafe["byte_alphabet"]


def test_a_sentence_with_an_accent() -> None:
    accented = FIGURES["accented"]
    assert len(encoded(FALLBACK, accented["text"])) == accented["characters"]
    assert len(encoded(BYTE_WORDS, accented["text"])) == accented["byte_alphabet"]


def test_a_sentence_in_another_script() -> None:
    greek = FIGURES["greek"]
    stand_in, fallback = encoded(PUBLISHED, greek["text"]), encoded(FALLBACK, greek["text"])
    assert (len(stand_in), stand_in.stand_ins, len(fallback)) == (greek["stand_in"], greek["stand_in_count"], greek["byte_fallback"])
    bytes_alone = [text for text in texts(fallback) if text and text.startswith("<0x")]
    assert len(bytes_alone) == greek["byte_rows"]
    assert len(encoded(BYTE_WORDS, greek["text"])) == greek["byte_alphabet"]
    assert fallback.exact


def test_bytes_and_words_with_their_space() -> None:
    training, figures = trained(BYTE_WORDS), FIGURES["byte_alphabet"]
    assert (training.table.size, training.length(85)) == (figures["rows"], figures["corpus"])
    used = set(training.corpus.data) - {10}
    assert 256 - len(used) == figures["byte_values_unused"]
    assert len(encoded(BYTE_WORDS, RUNNING["text"])) == figures["running_sentence"]
    whole = encode(training.table, training.corpus.data)
    assert (len(whole), int((whole.ids == 10).sum())) == (figures["corpus"] + 18, 18)


def test_whole_sentences_after_the_words() -> None:
    training = trained(replace(PUBLISHED, lift=137))
    assert [list(row) for row in spelled(training)[85:]] == FIGURES["two_stages"]["merges"]
    assert training.lift_rank == 85
    assert trained(replace(PUBLISHED, lift=137, rows=145)).learned == 93


@pytest.mark.parametrize(("rows", "corpus", "sentence"), FIGURES["curve_rows_corpus_sentence"])
def test_the_curve(rows: int, corpus: int, sentence: int) -> None:
    training = trained(FALLBACK.asking(rows=rows))
    assert (training.rows, training.length(training.learned)) == (rows, corpus)
    assert len(encode(training.table, RUNNING["text"].encode())) == sentence


@pytest.mark.parametrize("word", FIGURES["word_alone"])
def test_words_alone(word: str) -> None:
    assert texts(encoded(FALLBACK, word)) == FIGURES["word_alone"][word]


def test_the_word_list_and_the_three_readings() -> None:
    training, words = trained(PUBLISHED), RUNNING["text"].split()
    there = set(training.corpus.data.decode().split())
    found = FIGURES["word_list"]
    assert len(there) == found["vocabulary"]
    assert len(words) == found["running_sentence_words"] == FIGURES["three_readings_of_the_sentence"]["words"]
    assert {word for word in words if word in there} == set(found["found"])
    assert sum(word not in there for word in words) == found["unknown"]
    assert sum(map(len, words)) == FIGURES["three_readings_of_the_sentence"]["characters"]
    assert len(encoded(FALLBACK, RUNNING["text"])) == FIGURES["three_readings_of_the_sentence"]["pieces"]


def test_ties_to_the_first_met_make_another_table() -> None:
    other = replace(FALLBACK, tie=TieRule.FIRST_MET)
    assert trained(other).learned == FIGURES["first_met_differs"]["merges"]
    assert trained(other).table.pieces != trained(FALLBACK).table.pieces
    assert len(encoded(other, RUNNING["text"])) == FIGURES["first_met_differs"]["running_sentence"]
    assert len(encoded(other, "expect")) == FIGURES["first_met_differs"]["expect"]
