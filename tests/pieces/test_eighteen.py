"""Every figure of the eighteen sentences comes out of a mode."""

from pathlib import Path
from typing import Any

import pytest

from explorer.places import exemplar
from tests.pieces.running import lines, run, values, vectors

EXPECTED = vectors("eighteen_sentences")
SENTENCE = EXPECTED["running_sentence"]
TEXTS = {reading: EXPECTED[reading]["text"] for reading in ("running_sentence", "accented", "cafe", "greek")}


def encoded(text: str, *options: str) -> list[str]:
    return [token["text"] for token in values("encode", "--corpus", "eighteen", "--line", text, *options)["tokens"]]


def test_the_corpus() -> None:
    answer = values("corpus", "--corpus", "eighteen")
    assert (answer["rows"], answer["words"], answer["distinct_words"]) == (
        EXPECTED["sentences"], EXPECTED["word_occurrences"], EXPECTED["distinct_words"],
    )
    assert answer["distinct_bytes"] - 1 == EXPECTED["distinct_characters_with_space"]  # the line end is the one more


def test_what_cutting_into_words_loses_is_told_with_its_place(tmp_path: Path) -> None:
    answer = values("corpus", "--corpus", "eighteen")
    first = exemplar("eighteen.txt").read_bytes().index(b"\n")
    assert answer["losses"] == {"spaces": 0, "first_space": None, "line_ends": 18, "first_line_end": first}
    assert f"    lost: line ends, 18, the first at byte {first}" in lines("corpus", "--corpus", "eighteen")
    path = tmp_path / "spaces.txt"
    path.write_bytes(b" a  b")
    assert values("corpus", "--corpus", str(path), "--recipe", "published")["losses"]["spaces"] == 2
    assert values("corpus", "--corpus", str(path))["losses"]["spaces"] == 0
    assert not any("lost" in line for line in lines("corpus", "--corpus", str(path)))


def test_the_table() -> None:
    answer = values("walk", "--corpus", "eighteen")
    assert answer["length_at_zero"] == EXPECTED["pieces_at_zero"]
    assert answer["learned"] == EXPECTED["merges_until_no_pair_occurs_twice"]
    assert answer["rows"] == EXPECTED["rows"]
    assert answer["rows"] - answer["learned"] == EXPECTED["smallest_table"] == EXPECTED["symbols"] + 1
    assert answer["merges"][-1]["length"] == EXPECTED["pieces_after"]
    told = [[merge["left_text"], merge["right_text"], merge["count"]] for merge in answer["merges"]]
    assert told == EXPECTED["all_merges"]
    for merge, expected in zip(answer["merges"], EXPECTED["first_merges"], strict=False):
        figures = ("count", "tied", "saved", "length")
        assert [merge[name] for name in figures] == [expected[name] for name in figures]


def test_the_sentence_under_stand_in_and_fallback() -> None:
    assert encoded(SENTENCE["text"], "--recipe", "fallback") == SENTENCE["byte_fallback"]
    answer = values("encode", "--corpus", "eighteen", "--line", SENTENCE["text"])
    assert len(answer["tokens"]) == SENTENCE["stand_in_pieces"]
    assert (answer["decoded"], answer["same"], answer["losses"]["stand_ins"]) == (SENTENCE["stand_in_decodes_to"], False, 1)


@pytest.mark.parametrize(("recipe", "expected"), [("fallback", "at_zero_merges_fallback"), ("published", "at_zero_merges_stand_in")])
def test_the_sentence_without_merges(recipe: str, expected: str) -> None:
    assert len(encoded(SENTENCE["text"], "--recipe", recipe, "--merges", "0")) == SENTENCE[expected]


@pytest.mark.parametrize("asked", [54, 137])
def test_fallback_rows_lie_outside_what_is_asked(asked: int) -> None:
    answer = values("merges", "--corpus", "eighteen", "--recipe", "fallback", "--rows", str(asked))
    assert answer["table_rows"] == EXPECTED["table_rows_with_fallback"][f"asked {asked}"]


@pytest.mark.parametrize("asked", [150, 200, 300, 1000])
def test_the_size_asked_for_is_a_ceiling(asked: int) -> None:
    answer = values("merges", "--corpus", "eighteen", "--rows", str(asked))
    assert answer["rows"] == EXPECTED["asked_above_137_gives"]
    told = run("merges", "--corpus", "eighteen", "--rows", str(asked)).out
    assert f"137 of {asked} rows asked: no pair is left that occurs twice" in told


def reading(answer: dict[str, Any], text: str, name: str) -> dict[str, Any]:
    found = next(one for one in answer["texts"] if one["text"] == TEXTS[text])
    told: dict[str, Any] = next(one for one in found["readings"] if one["name"] == name)
    return told


def test_three_alphabets() -> None:
    answer = values("alphabets")
    stand_in, fallback, in_bytes = answer["alphabets"]
    assert (stand_in["learned"], fallback["learned"], in_bytes["learned"]) == (85, 85, 85)
    assert fallback["table_rows"] == EXPECTED["table_rows_with_fallback"]["asked 137"]
    assert in_bytes["table_rows"] == EXPECTED["byte_alphabet"]["rows"]
    assert (fallback["length"], in_bytes["length"]) == (EXPECTED["pieces_after"], EXPECTED["byte_alphabet"]["corpus"])
    assert answer["unused_bytes"] == EXPECTED["byte_alphabet"]["byte_values_unused"]
    for text, key in (("cafe", "byte_alphabet"), ("greek", "byte_alphabet"), ("accented", "byte_alphabet")):
        assert reading(answer, text, "bytes")["tokens"] == EXPECTED[text][key]
    assert reading(answer, "running_sentence", "bytes")["tokens"] == EXPECTED["byte_alphabet"]["running_sentence"]
    assert reading(answer, "running_sentence", "fallback")["pieces"] == SENTENCE["byte_fallback"]
    assert reading(answer, "running_sentence", "stand-in")["tokens"] == SENTENCE["stand_in_pieces"]
    assert reading(answer, "accented", "fallback")["tokens"] == EXPECTED["accented"]["characters"]
    for text in ("cafe", "greek"):
        assert reading(answer, text, "stand-in")["tokens"] == EXPECTED[text]["stand_in"]
        assert reading(answer, text, "fallback")["tokens"] == EXPECTED[text]["byte_fallback"]
    assert reading(answer, "cafe", "fallback")["pieces"] == EXPECTED["cafe"]["fallback_pieces"]
    assert reading(answer, "cafe", "stand-in")["pieces"] == EXPECTED["cafe"]["stand_in_pieces"]
    assert reading(answer, "greek", "fallback")["byte_rows"] == EXPECTED["greek"]["byte_rows"]
    assert reading(answer, "greek", "stand-in")["stand_ins"] == EXPECTED["greek"]["stand_in_count"]
    for text in TEXTS:
        assert reading(answer, text, "fallback")["same"]
        assert reading(answer, text, "bytes")["same"]


def test_two_stages() -> None:
    answer = values("stages")
    told = [[merge["left_text"], merge["right_text"], merge["count"]] for merge in answer["stage_two"]["merges"]]
    assert told == EXPECTED["two_stages"]["merges"]
    assert (answer["lift"], answer["stage_two"]["spanning"]) == (137, 8)
    assert [merge["text"] for merge in answer["stage_two"]["merges"] if not merge["whole_words"]] == ["an</w>the</w>"]
    assert [merge["parts"] for merge in answer["stage_two"]["merges"]] == [2, 2, 2, 2, 2, 3, 2, 2]


def test_the_curve() -> None:
    sizes = ",".join(str(row[0]) for row in EXPECTED["curve_rows_corpus_sentence"])
    answer = values("curve", "--corpus", "eighteen", "--recipe", "fallback", "--sizes", sizes, "--line", SENTENCE["text"])
    assert [[row["asked"], row["tokens"], row["line_tokens"]] for row in answer["rows"]] == EXPECTED["curve_rows_corpus_sentence"]
    assert all(row["rows"] == row["asked"] and row["table_rows"] == row["asked"] + 257 for row in answer["rows"])
    assert answer["asked_in"] == "rows"


def test_fifteen_sizes_when_none_are_named() -> None:
    answer = values("curve", "--corpus", "eighteen")
    assert len(answer["rows"]) == 15
    assert (answer["rows"][0]["tokens"], answer["rows"][-1]["tokens"]) == (EXPECTED["pieces_at_zero"], EXPECTED["pieces_after"])
    assert all(row["line_tokens"] is None for row in answer["rows"])


@pytest.mark.parametrize("word", EXPECTED["word_alone"])
def test_a_word_alone(word: str) -> None:
    assert encoded(word) == EXPECTED["word_alone"][word]


def test_the_word_list() -> None:
    answer, expected = values("price", "--corpus", "eighteen", "--split", "--line", SENTENCE["text"]), EXPECTED["word_list"]
    told = answer["word_list"]
    assert told["vocabulary"] == expected["vocabulary"]
    assert answer["words"] == expected["running_sentence_words"]
    assert sorted(told["found"]) == sorted(expected["found"])
    assert len(told["unknown"]) == expected["unknown"]


def test_three_readings_of_the_sentence() -> None:
    expected = EXPECTED["three_readings_of_the_sentence"]
    answer = values("price", "--corpus", "eighteen", "--recipe", "fallback", "--line", SENTENCE["text"])
    assert (answer["words"], answer["tokens"]) == (expected["words"], expected["pieces"])
    assert len(SENTENCE["text"].replace(" ", "")) == expected["characters"]


def test_ties_to_the_pair_first_met_give_other_cuts() -> None:
    expected, options = EXPECTED["first_met_differs"], ("--recipe", "fallback", "--tie", "first-met")
    assert values("merges", "--corpus", "eighteen", *options)["learned"] == expected["merges"]
    assert len(encoded(SENTENCE["text"], *options)) == expected["running_sentence"]
    assert len(encoded("expect", *options)) == expected["expect"]
