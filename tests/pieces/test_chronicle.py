"""Every figure of the chronicle comes out of a mode."""

from pathlib import Path

import pytest

from tests.pieces.running import lines, values, vectors

EXPECTED = vectors("chronicle")


def test_the_file_and_the_text_are_told_apart() -> None:
    answer = values("corpus")
    corpus = answer["corpus"]
    assert (corpus["file_bytes"], corpus["file_sha256"]) == (EXPECTED["file"]["bytes"], EXPECTED["file"]["sha256"])
    text = EXPECTED["text"]
    assert (corpus["bytes"], corpus["sha256"]) == (text["bytes"], text["sha256"])
    for name in ("characters", "words", "distinct_words", "distinct_bytes", "rows"):
        assert answer[name] == text[name], name
    assert answer["kinds"] == {"genesis": 11, "count": 80}


def test_the_commonest_pairs() -> None:
    answer, expected = values("pairs"), EXPECTED["pairs"]
    assert (answer["adjacent"], answer["distinct"]) == (expected["adjacent"], expected["distinct"])
    assert [[pair["left"], pair["right"], pair["count"]] for pair in answer["pairs"]] == expected["top"]
    assert answer["one_in"] == pytest.approx(6941 / 192)


def test_all_merges() -> None:
    answer = values("merges", "--merges", "all")
    assert answer["learned"] == EXPECTED["learned"] == 354
    assert answer["stopped"] == "no-pair"
    kept = list(EXPECTED["merges"][0])
    assert [{name: merge[name] for name in kept} for merge in answer["merges"]] == EXPECTED["merges"]


def test_the_table_that_is_kept() -> None:
    answer, longest = values("merges"), EXPECTED["longest"]
    assert (answer["asked"], answer["asked_in"], answer["learned"], answer["rows"]) == (256, "merges", 256, 512)
    told = answer["longest"]
    assert (told["id"], told["length"], told["text"]) == (longest["id"], longest["bytes"], longest["piece"])


@pytest.mark.parametrize("merges", [32, 48, 64])
def test_the_longest_token_turns_from_english_to_the_valley(merges: int) -> None:
    assert values("merges", "--merges", str(merges))["longest"]["length"] == EXPECTED[f"longest_at_{merges}"]


def test_what_doubling_buys() -> None:
    answer = values("grow")
    assert [[row["asked"], row["learned"], row["table_rows"], row["tokens"]] for row in answer["rows"]] == EXPECTED["grow"]
    assert answer["kept"] == {"merges": 256, "rows": 512, "tokens": EXPECTED["corpus_tokens"]}
    assert (answer["asked_in"], answer["most"]) == ("merges", 354)
    saved = [row["saved"] for row in answer["rows"]]
    assert saved[0] is None
    assert saved[1:] == [before["tokens"] - row["tokens"] for before, row in zip(answer["rows"], answer["rows"][1:], strict=False)]
    assert any("asking for more than 354 gets 354" in line for line in lines("grow"))


def test_entry_51() -> None:
    answer, expected = values("encode"), EXPECTED["entry_51"]
    assert (answer["entry"], answer["text"]) == (51, expected["text"])
    assert [token["id"] for token in answer["tokens"]] == expected["tokens"]
    assert answer["decoded"] == expected["text"]
    assert answer["same"] is True


def test_the_trace_rebuilds_the_tokens() -> None:
    """The merges that fired, applied in order, are all it takes."""
    answer = values("encode", "--trace")
    text = [chr(byte) for byte in EXPECTED["entry_51"]["text"].encode()]
    for merge in answer["trace"]:
        spelled, before = "".join(text), len(text)
        text = list(spelled.replace(chr(merge["left"]) + chr(merge["right"]), chr(merge["id"])))
        assert len(text) < before, merge
    assert [ord(token) for token in text] == EXPECTED["entry_51"]["tokens"]
    assert [merge["rank"] for merge in answer["trace"]] == sorted({merge["rank"] for merge in answer["trace"]})


def test_the_priced_sentence() -> None:
    answer, expected = values("price"), EXPECTED["priced_sentence"]
    assert answer["line"] == expected["text"]
    assert answer["entries"] == expected["entry"]
    assert [answer[name] for name in ("characters", "words", "tokens")] == [expected[name] for name in ("characters", "words", "tokens")]
    assert answer["characters_per_token"] == pytest.approx(81 / 36)
    assert answer["tokens_per_word"] == pytest.approx(36 / 15)
    text = EXPECTED["text"]
    over = answer["over_corpus"]
    assert [over[name] for name in ("characters", "words", "tokens")] == [text["characters"], text["words"], EXPECTED["corpus_tokens"]]


def test_the_word_list() -> None:
    answer, expected, year = values("price", "--split"), EXPECTED["word_list"], EXPECTED["year_81"]
    told = answer["word_list"]
    assert {name: told[name] for name in expected} == expected
    assert (told["tokens"], told["unknown"], told["same"]) == (15, [], False)
    unseen = answer["unseen"]
    assert (unseen["line"], unseen["tokens"], unseen["words"], unseen["unknown"]) == (
        year["text"], year["tokens"], year["words"], year["unknown"],
    )
    assert unseen["word_list_tokens"] == year["words"] - len(year["unknown"])
    assert (unseen["entry"] is not None) is year["in_chronicle"]


def test_a_line_that_no_entry_holds() -> None:
    answer = values("price", "--line", "no entry says this")
    assert (answer["entry"], answer["entries"]) == (None, [])


def test_seven_inputs_come_back() -> None:
    answer = values("round")
    assert [trip["same"] for trip in answer["inputs"]] == [True] * 7
    assert answer["inputs"][0]["tokens"] == EXPECTED["corpus_tokens"]
    assert answer["inputs"][1]["tokens"] == EXPECTED["first_entry_tokens"]
    assert answer["inputs"][3] == {"name": "nothing at all", "bytes": 0, "tokens": 0, "back": 0, "same": True, "first_difference": None}


def test_five_of_seven_come_back_through_characters() -> None:
    answer = values("round", "--runes")
    assert answer["came_back"] == 5
    cut = answer["inputs"][5]
    assert (cut["bytes"], cut["back"], cut["same"], cut["first_difference"]) == (26, 30, False, 24)
    assert any("ef bf bd ef bf bd" in line for line in lines("round", "--runes"))


def test_the_chronicle_is_rebuilt_to_the_byte() -> None:
    answer = values("annals")
    assert (answer["same"], answer["built_bytes"], answer["built_sha256"]) == (True, EXPECTED["file"]["bytes"], EXPECTED["file"]["sha256"])
    assert [year["year"] for year in answer["years"]] == list(range(10, 81, 10))
    assert answer["years"][-1] == {"year": 80, "tick": 287550, "standing": 238, "born": 1965, "gone": 1756, "rows": 91}
    assert "the same bytes" in "\n".join(lines("annals"))


def test_a_table_that_was_written_reads_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "merges.tsv"
    table = values("merges", "--table", str(path))["table"]
    assert (table["file"], table["bytes"], table["vocabulary"]) == ("merges.tsv", path.stat().st_size, 512)
    assert (table["same_table"], table["same_tokens"]) == (True, True)
