"""The worked examples come out of the modes: four words, the two ties, the losing greedy choice, joints, stages, the script."""

from typing import Any

import pytest

from tests.pieces.running import lines, run, values, vectors

EXPECTED = vectors("worked_examples")
FIGURES = ("count", "tied", "saved", "length")


def steps(answer: dict[str, Any]) -> list[list[Any]]:
    return [[merge["left_text"], merge["right_text"], *(merge[name] for name in FIGURES)] for merge in answer["merges"]]


def expected_steps(steps_of: list[dict[str, Any]]) -> list[list[Any]]:
    return [[step["left"], step["right"], *(step[name] for name in FIGURES)] for step in steps_of]


def test_four_words_in_ten_merges() -> None:
    answer, expected = values("walk", "--corpus", "four-words"), EXPECTED["four_words"]
    assert steps(answer) == expected_steps(expected["steps"])
    assert (answer["length_at_zero"], answer["rows"]) == (expected["pieces_at_zero"], expected["rows_after_ten"])
    assert answer["rows"] - answer["learned"] - 1 == expected["alphabet"]
    spelled = {word["word"]: word["pieces"] for word in answer["words"]}
    assert spelled == {word: expected["encodes"][word] for word in expected["corpus"]}
    assert {word["word"]: word["count"] for word in answer["words"]} == expected["corpus"]


def test_four_words_with_ties_to_the_pair_first_met() -> None:
    answer = values("walk", "--corpus", "four-words", "--tie", "first-met")
    assert steps(answer) == expected_steps(EXPECTED["four_words"]["steps_first_met"])


@pytest.mark.parametrize("word", EXPECTED["four_words"]["encodes"])
def test_words_by_the_four_words(word: str) -> None:
    tokens = values("encode", "--corpus", "four-words", "--line", word)["tokens"]
    assert [token["text"] for token in tokens] == EXPECTED["four_words"]["encodes"][word]


def branches(rank: int, *options: str) -> dict[str, Any]:
    answer = values("ties", "--corpus", "four-words", "--rank", str(rank), "--words", "lowest", *options)
    (tie,) = answer["ties"]
    assert [pair["left_text"] for pair in tie["pairs"]] == [branch["left_text"] for branch in tie["branches"]]
    return {f"{branch['left_text']}+{branch['right_text']}": branch for branch in tie["branches"]}


def ends(told: dict[str, Any]) -> dict[str, Any]:
    return {pair: {"length": branch["length"], "lowest": branch["cuts"][0]["pieces"]} for pair, branch in told.items()}


def without_merges(expected: dict[str, Any]) -> dict[str, Any]:
    return {pair: {"length": branch["length"], "lowest": branch["lowest"]} for pair, branch in expected.items()}


def test_either_first_merge_ends_at_22_with_one_row_apart() -> None:
    told = branches(0, "--tie", "first-met")
    assert ends(told) == without_merges(EXPECTED["four_words"]["branches_at_first_tie"])
    assert [branch["rows_only_here"] for branch in told.values()] == [["es"], ["st</w>"]]


def test_one_of_the_three_pairs_at_6_cuts_lowest_in_two() -> None:
    assert ends(branches(3, "--tie", "first-met")) == EXPECTED["four_words"]["branches_at_fourth_merge"]


@pytest.mark.parametrize(("rank", "title"), [(0, "first tie "), (3, "fourth merge ")])
def test_branches_under_the_lexicographic_rule(rank: int, title: str) -> None:
    expected = EXPECTED["four_words"]["branches_lexicographic"]
    wanted = {name.removeprefix(title): branch for name, branch in expected.items() if name.startswith(title)}
    assert ends(branches(rank)) == without_merges(wanted)


def test_every_tie_of_the_four_words_is_followed() -> None:
    answer = values("ties", "--corpus", "four-words")
    tied = [rank for rank, step in enumerate(EXPECTED["four_words"]["steps"]) if step["tied"] > 1]
    assert [tie["rank"] for tie in answer["ties"]] == tied
    for tie in answer["ties"]:
        candidates = EXPECTED["four_words"]["steps"][tie["rank"]]["candidates"]
        assert [[branch["left_text"], branch["right_text"]] for branch in tie["branches"]] == candidates
        assert [branch["taken"] for branch in tie["branches"]].count(True) == 1


def test_two_stages() -> None:
    answer = values("stages", "--corpus", "four-words", "--lift", "22", "--rows", "25")
    assert steps({"merges": answer["stage_two"]["merges"]}) == expected_steps(EXPECTED["two_stage"]["steps"])
    assert answer["stage_two"]["spanning"] == 2


def test_the_greedy_choice_loses() -> None:
    answer, expected = values("optimum", "--corpus", "taste"), EXPECTED["greedy"]
    assert answer["start"] == expected["pieces_at_zero"]
    assert (answer["proven"], answer["bound"]) == (True, None)
    assert answer["best_lengths"] == list(expected["best_length_by_merges"].values())
    assert (answer["merges"], answer["best"], answer["greedy"]["lexicographic"]) == (4, 46, 54)
    assert answer["greedy_lengths"]["lexicographic"] == [step["length"] for step in expected["steps_lexicographic"][:4]]
    by_first = {f"{move['left_text']}+{move['right_text']}": move for move in answer["by_first"]}
    for pair, best in expected["best_starting_with"].items():
        assert by_first[pair]["best_lengths"] == list(best.values()), pair
        assert by_first[pair]["best"] == best["4"]
    tied = [[move["left_text"], move["right_text"]] for move in answer["by_first"] if move["tied"]]
    assert tied == expected["tied_first"]
    assert {move["count"] for move in answer["by_first"] if move["tied"]} == {expected["tied_count"]}


def test_greedy_on_taste_to_the_end() -> None:
    assert steps(values("merges", "--corpus", "taste")) == expected_steps(EXPECTED["greedy"]["steps_lexicographic"])


def test_joints() -> None:
    answer, expected = values("joints"), EXPECTED["joints"]
    free, joined = answer["free"], answer["joined"]
    wanted = expected["free"]
    told = [free["symbols"], free["learned"], free["rows"], free["length"]]
    assert told == [wanted[name] for name in ("alphabet", "merges", "rows", "pieces")]
    assert steps(free) == expected_steps(expected["free"]["steps"])
    wanted = expected["constrained"]
    assert [joined["learned"], joined["rows"], joined["length"]] == [wanted[name] for name in ("merges", "rows", "pieces")]
    assert (answer["shared_merges"] == 5) is expected["constrained"]["same_first_five_merges"]
    assert {word["word"]: "|".join(word["pieces"]).replace("</w>", "") for word in joined["words"]} == {
        word: "|".join(parts) for word, parts in expected["joints"].items()
    }
    asked = values("joints", "--rows", "30")
    assert (asked["free"]["rows"], asked["joined"]["rows"]) == (19, 15)


def test_joints_are_used_only_when_asked_for() -> None:
    assert values("merges", "--corpus", "joints")["learned"] == 9
    assert values("merges", "--corpus", "joints", "--joints")["learned"] == 5


def test_the_script() -> None:
    answer, expected = values("script"), EXPECTED["third_document"]
    assert (answer["verdict"], answer["wrong"]) == ("PASS", 0)
    assert steps(answer) == expected_steps(expected["steps"])
    assert {word["word"]: word["pieces"] for word in answer["words"]} == expected["encodes"]
    assert answer["newest"] == expected["encodes"]["newest"]
    assert run("script").out.startswith("PASS")


def test_a_script_that_fails() -> None:
    ran = run("script", "--merges", "3")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("FAIL: 1 check of ")


def test_standing_in() -> None:
    expected = EXPECTED["standing_in"]
    answer = values("pairs", "--corpus", "standing-in", "--min-count", "1", "--top", "20")
    told = {(bytes([pair["left"]]).decode(), bytes([pair["right"]]).decode(), pair["count"]) for pair in answer["pairs"]}
    assert told == {tuple(pair) for pair in expected["pairs"]}
    assert answer["adjacent"] == expected["adjacent"]
    (merge,) = values("merges", "--corpus", "standing-in", "--merges", "1")["merges"]
    assert [merge["left_text"], merge["right_text"]] == expected["first_merge"]
    assert merge["length"] == expected["tokens_after_one_merge"]


@pytest.mark.parametrize("made", range(10))
def test_pairs_after_some_merges(made: int) -> None:
    """The ranking after k merges begins with the pairs tied there, and counts every adjacent position."""
    answer, expected = values("pairs", "--corpus", "four-words", "--merges", str(made)), EXPECTED["four_words"]
    step = expected["steps"][made]
    tied, candidates = [pair for pair in answer["pairs"] if pair["tied"]], step["candidates"]
    assert [[pair["left_text"], pair["right_text"]] for pair in answer["pairs"][: len(candidates)]] == candidates
    assert len(tied) == (len(candidates) if len(candidates) > 1 else 0)
    assert answer["pairs"][0]["count"] == step["count"]
    length = expected["steps"][made - 1]["length"] if made else expected["pieces_at_zero"]
    assert (answer["merges"], answer["adjacent"]) == (made, length - sum(expected["corpus"].values()))


def test_a_tie_is_told_when_only_one_of_its_pairs_is_shown() -> None:
    (shown,) = values("pairs", "--corpus", "four-words", "--top", "1")["pairs"]
    assert (shown["text"], shown["tied"]) == ("es", True)
    assert any(line.endswith("tied") for line in lines("pairs", "--corpus", "four-words", "--top", "1"))
    assert not any(pair["tied"] for pair in values("pairs", "--corpus", "standing-in")["pairs"])


def test_three_alphabets_count_as_they_are_told() -> None:
    answer = values("alphabets", "--tie", "first-met", "--rows", "60")
    assert {fit["recipe"]["tie"] for fit in answer["alphabets"]} == {"first-met"}
    assert [fit["learned"] for fit in answer["alphabets"]] == [8, 8, 8]
