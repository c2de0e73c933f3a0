"""Bad use ends in exit code 2 and one clear line on stderr, with nothing on stdout."""

import json
from pathlib import Path

import pytest

from tests.pieces.running import run, values

WRONG = {
    "no mode": ((), "MODE"),
    "a mode that does not exist": (("frobnicate",), "invalid choice: 'frobnicate'"),
    "an option that does not exist": (("pairs", "--bogus"), "--bogus"),
    "an exemplar that does not exist": (("pairs", "--corpus", "nosuch"), "the exemplars are chronicle, eighteen, four-words"),
    "a file that is not there": (("pairs", "--corpus", "nosuch.txt"), "nosuch.txt"),
    "a size under the floor": (("merges", "--rows", "255"), "256"),
    "a size under the floor of an alphabet": (("curve", "--corpus", "eighteen", "--sizes", "51,60"), "52"),
    "rows and merges": (("merges", "--rows", "300", "--merges", "4"), "not allowed with"),
    "a size that is no number": (("merges", "--merges", "many"), "'many' is not a whole number"),
    "a negative size": (("merges", "--merges=-4"), "'-4' is not a whole number"),
    "an entry that is not there": (("encode", "--entry", "92"), "it has 91"),
    "entry zero": (("encode", "--entry", "0"), "count from 1"),
    "an entry and a line": (("encode", "--entry", "1", "--line", "a"), "not allowed with"),
    "a tie rule that does not exist": (("pairs", "--tie", "coin"), "'coin'"),
    "a preset that does not exist": (("pairs", "--recipe", "mine"), "'mine'"),
    "pre-tokens that do not exist": (("merges", "--pretokens", "syllables"), "'syllables'"),
    "a pattern that is none": (("merges", "--pretokens", "pattern:("), "column 2"),
    "decisions that contradict each other": (("merges", "--alphabet", "characters"), "pre-tokens"),
    "a marker on bytes": (("merges", "--marker"), "marker"),
    "unknown characters of bytes": (("merges", "--unknown", "fallback"), "To bytes nothing is unknown"),
    "a lift of entries": (("stages", "--corpus", "standing-in"), "never lifted"),
    "joints that are not offered": (("merges", "--joints"), "offers no joints"),
    "choices that are not there": (("merges", "--choices", "nosuch.json"), "nosuch.json"),
    "joints that are not there": (("merges", "--joints", "nosuch.tsv"), "nosuch.tsv"),
    "a folder of joints": (("merges", "--corpus", "joints", "--joints", "."), "it is a folder"),
    "a tie that is none": (("ties", "--corpus", "four-words", "--rank", "1"), "The ties are at 0, 3"),
    "a column of an exemplar": (("pairs", "--column", "kind"), "--column"),
    "annals of something else": (("annals", "--corpus", "taste"), "--corpus"),
    "a best sequence across pre-tokens": (("optimum", "--corpus", "taste", "--lift", "12"), "lift"),
    "an alphabet of three": (("alphabets", "--alphabet", "bytes"), "leave it out"),
    "a search without an end": (("optimum", "--corpus", "taste", "--merges", "101"), "at most 100"),
    "a table that cannot be written": (("merges", "--corpus", "taste", "--table", "/no/such/folder/t.tsv"), "not saved"),
}


@pytest.mark.parametrize("what", WRONG)
def test_bad_use_is_told_in_one_line(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    argv, says = WRONG[what]
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("pieces: ")
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1
    assert says in ran.err


@pytest.mark.parametrize(
    ("written", "says"),
    [("{", "is no JSON"), ("[" * 100_000, "is no JSON"), ("{}", "holds no list"), ('[{"rank": 0}]', "choices cannot be read")],
    ids=["cut off", "too deep", "no list", "no pair"],
)
def test_choices_that_cannot_be_read(written: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "choices.json"
    path.write_text(written, "utf-8")
    ran = run("merges", "--corpus", "taste", "--choices", str(path))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert says in ran.err


def test_a_choice_is_made(tmp_path: Path) -> None:
    path = tmp_path / "choices.json"
    piece = {"marked": False, "kind": "symbol"}
    choice = {"rank": 0, "left": {"bytes": b"t".hex(), **piece}, "right": {"bytes": b"a".hex(), **piece}}
    path.write_text(json.dumps([choice]), "utf-8")
    answer = values("merges", "--corpus", "taste", "--merges", "4", "--choices", str(path))
    assert [answer["merges"][0]["text"], answer["merges"][-1]["length"]] == ["ta", 46]
    assert answer["recipe"]["choices"] == [choice]


def test_choices_have_no_place_in_a_search(tmp_path: Path) -> None:
    path = tmp_path / "choices.json"
    piece = {"marked": False, "kind": "symbol"}
    path.write_text(json.dumps([{"rank": 0, "left": {"bytes": b"t".hex(), **piece}, "right": {"bytes": b"a".hex(), **piece}}]), "utf-8")
    ran = run("optimum", "--corpus", "taste", "--choices", str(path))
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_choice_that_is_not_there_names_its_rank(tmp_path: Path) -> None:
    path = tmp_path / "choices.json"
    piece = {"bytes": b"q".hex(), "marked": False, "kind": "symbol"}
    path.write_text(json.dumps([{"rank": 1, "left": piece, "right": piece}]), "utf-8")
    ran = run("merges", "--corpus", "taste", "--choices", str(path))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "rank 1" in ran.err


def test_joints_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "joints.tsv"
    path.write_text("taste\tta|ste\nstate\t10\tsta|te\n", "utf-8")
    spelled = {word["word"]: word["pieces"] for word in values("walk", "--corpus", "taste", "--joints", str(path))["words"]}
    assert spelled["taste"] == ["ta", "ste</w>"]
    assert spelled["state"] == ["sta", "te</w>"]


@pytest.mark.parametrize(("line", "says"), [("taste", "line 1"), ("taste\tta|st", "do not make the word")])
def test_joints_that_cannot_be_read(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "joints.tsv"
    path.write_text(line + "\n", "utf-8")
    ran = run("walk", "--corpus", "taste", "--joints", str(path))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert says in ran.err


def test_an_empty_file_is_a_corpus_too(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(b"")
    for mode in ("corpus", "pairs", "merges", "vocabulary", "round", "price", "grow", "curve", "walk", "ties", "optimum"):
        ran = run(mode, "--corpus", str(path))
        assert (ran.code, ran.err) == (0, ""), (mode, ran.err)
    assert values("price", "--corpus", str(path))["characters_per_token"] is None
    assert values("encode", "--corpus", str(path), "--line", "")["tokens"] == []


def test_a_file_opens_with_chapter_81_and_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "stray.txt"
    path.write_bytes(b"\xfe\xfd\x00ab\xfe\xfd\x00ab\n")
    answer = values("merges", "--corpus", str(path))
    assert answer["recipe"]["pretokens"] == "entries"
    assert None in [merge["text"] for merge in answer["merges"]]
    assert all(bytes.fromhex(merge["bytes"]) for merge in answer["merges"])
    assert r"\xfe\xfd\x00" in run("merges", "--corpus", str(path)).out


def test_rows_are_shown_as_they_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.txt"
    path.write_bytes(b'say "a\\b"\xff\n')
    assert r'say "a\b"\xff' in run("corpus", "--corpus", str(path)).out


def test_line_ends_are_read_as_the_recipe_says(tmp_path: Path) -> None:
    path = tmp_path / "crlf.txt"
    path.write_bytes(b"ab\r\nab\r\n")
    assert values("corpus", "--corpus", str(path))["corpus"]["bytes"] == 8
    lf = values("corpus", "--corpus", str(path), "--line-ends", "lf")["corpus"]
    assert (lf["file_bytes"], lf["bytes"]) == (8, 6)
