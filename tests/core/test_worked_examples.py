"""Every figure of the worked examples: four words, two ties, two stages, joints, the script, runs of bytes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer.core.corpus import Corpus
from explorer.core.encoding import encode
from explorer.core.progress import drain
from explorer.core.recipe import Counting, Joints, Recipe, TieRule
from explorer.core.runs import Run, fork_steps
from explorer.core.timeline import timeline_of
from explorer.core.training import Training, train
from tests.core.trained import CHAPTER, PUBLISHED, counts

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "worked_examples.json").read_text())  # Any: JSON
FOUR, GREEDY, JOINTS, THIRD, STANDING = (VECTORS[name] for name in ("four_words", "greedy", "joints", "third_document", "standing_in"))
LONG = 1000


def steps(training: Training) -> list[dict[str, Any]]:
    """The merges as the vectors write them, the pairs tied at each among them."""
    timeline, pieces = timeline_of(training), training.table.pieces
    return [
        {
            "left": pieces[m.left].spelled(), "right": pieces[m.right].spelled(),
            "count": m.count, "tied": m.tied, "saved": m.saved, "length": m.length,
            "candidates": sorted([pieces[a].spelled(), pieces[b].spelled()] for a, b in timeline.tied(k)),
        }
        for k, m in enumerate(training.merges)
    ]


def expected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "candidates": sorted(row["candidates"])} for row in rows]


def cut(training: Training, word: str) -> list[str]:
    encoded = encode(training.table, word.encode())
    return [encoded.piece(n).spelled() for n in range(len(encoded))]


def four(**changes: Any) -> Training:
    return train(counts(**FOUR["corpus"]), replace(PUBLISHED.asking(merges=10), **changes))


def forked(training: Training, rank: int, left: str, right: str) -> Training:
    """The training with another pair, told by its text, at one rank."""
    pieces = training.table.pieces
    pair = next(
        row.pair for row in timeline_of(training).ranked(rank, LONG) if [pieces[at].spelled() for at in row.pair] == [left, right]
    )
    run = Run(1, None, None, training.recipe, training, "")
    return drain(fork_steps(run, rank, pair, 2)).training


# the four words


def test_four_words_come_out_under_the_published_rule() -> None:
    training = four()
    assert steps(training) == expected(FOUR["steps"])
    assert (training.alphabet.first_merged_id - 1, training.length_at_zero, training.rows) == (
        FOUR["alphabet"], FOUR["pieces_at_zero"], FOUR["rows_after_ten"],
    )


def test_four_words_come_out_with_ties_to_the_first_met() -> None:
    assert steps(four(tie=TieRule.FIRST_MET)) == expected(FOUR["steps_first_met"])


@pytest.mark.parametrize("word", FOUR["encodes"])
def test_the_four_words_and_others_are_cut_as_told(word: str) -> None:
    assert cut(four(), word) == FOUR["encodes"][word]


@pytest.mark.parametrize("pair", FOUR["branches_at_first_tie"])
def test_either_side_of_the_first_tie_ends_at_22_by_first_met(pair: str) -> None:
    branch = FOUR["branches_at_first_tie"][pair]
    training = forked(four(tie=TieRule.FIRST_MET), 0, *pair.split("+"))
    assert [[row["left"], row["right"]] for row in steps(training)] == branch["merges"]
    assert (training.length(10), cut(training, "lowest")) == (branch["length"], branch["lowest"])


@pytest.mark.parametrize("pair", FOUR["branches_at_fourth_merge"])
def test_of_three_pairs_at_six_one_cuts_lowest_in_two(pair: str) -> None:
    branch = FOUR["branches_at_fourth_merge"][pair]
    training = forked(four(tie=TieRule.FIRST_MET), 3, *pair.split("+"))
    assert (training.length(10), cut(training, "lowest")) == (branch["length"], branch["lowest"])


@pytest.mark.parametrize("name", FOUR["branches_lexicographic"])
def test_the_branches_by_text_come_out_too(name: str) -> None:
    branch = FOUR["branches_lexicographic"][name]
    where, pair = name.rsplit(" ", 1)
    training = forked(four(), {"first tie": 0, "fourth merge": 3}[where], *pair.split("+"))
    assert [[row["left"], row["right"]] for row in steps(training)] == branch["merges"]
    assert (training.length(10), cut(training, "lowest")) == (branch["length"], branch["lowest"])


def test_either_first_merge_has_one_row_apart() -> None:
    one, other = (set(forked(four(), 0, *pair).table.pieces) for pair in (("e", "s"), ("s", "t</w>")))
    assert [piece.spelled() for piece in one - other] == ["es"]
    assert [piece.spelled() for piece in other - one] == ["st</w>"]


def test_three_merges_follow_when_the_boundary_is_lifted_at_22_rows() -> None:
    training = train(counts(**FOUR["corpus"]), replace(PUBLISHED, lift=22, rows=25))
    assert steps(training)[10:] == expected(VECTORS["two_stage"]["steps"])
    assert (training.lift_rank, training.length(10)) == (10, 22)


# the greedy choice


def test_taste_state_report_come_out_by_text() -> None:
    training = train(counts(**GREEDY["corpus"]), PUBLISHED)
    assert steps(training) == expected(GREEDY["steps_lexicographic"])
    assert training.length_at_zero == GREEDY["pieces_at_zero"]
    first = timeline_of(training).ranked(0, 3)
    assert [row.count for row in first] == [GREEDY["tied_count"]] * 3
    assert sorted([training.table.text(a), training.table.text(b)] for a, b in (row.pair for row in first)) == sorted(GREEDY["tied_first"])


@pytest.mark.parametrize("pair", GREEDY["best_starting_with"])
def test_no_training_goes_below_the_best_length_after_each_first_move(pair: str) -> None:
    """Every second merge after the first one is tried: the shortest is the best that is told, and the best of all is 66."""
    training = train(counts(**GREEDY["corpus"]), PUBLISHED.asking(merges=1))
    first = forked(training, 0, *pair.split("+"))
    best = GREEDY["best_starting_with"][pair]
    assert first.length(1) == best["1"] == GREEDY["best_length_by_merges"]["1"]
    pieces = first.table.pieces
    seconds = [forked(first, 1, pieces[row.pair[0]].spelled(), pieces[row.pair[1]].spelled()) for row in timeline_of(first).ranked(1, LONG)]
    assert min(second.length(2) for second in seconds) == best["2"]
    assert best["2"] >= GREEDY["best_length_by_merges"]["2"]


# joints


def test_words_run_free_or_stop_at_joints() -> None:
    corpus = counts(**JOINTS["corpus"])
    free = train(corpus, PUBLISHED)
    assert steps(free) == expected(JOINTS["free"]["steps"])
    assert (free.alphabet.first_merged_id - 1, free.learned, free.rows, free.length(free.learned)) == tuple(
        JOINTS["free"][name] for name in ("alphabet", "merges", "rows", "pieces")
    )
    parts = {word.encode(): tuple(map(str.encode, cuts)) for word, cuts in JOINTS["joints"].items()}
    joined = train(corpus, replace(PUBLISHED, joints=Joints.of(parts)))
    assert (joined.learned, joined.rows, joined.length(joined.learned)) == tuple(
        JOINTS["constrained"][name] for name in ("merges", "rows", "pieces")
    )
    assert joined.table.merges == free.table.merges[:5]
    assert JOINTS["constrained"]["same_first_five_merges"]


# the script of the third document, "standing in"


def test_the_script_s_five_merges_come_out() -> None:
    training = train(counts(**THIRD["corpus"]), Recipe.of("script"))
    assert steps(training) == expected(THIRD["steps"])


@pytest.mark.parametrize("word", THIRD["encodes"])
def test_the_script_cuts_words_seen_and_unseen(word: str) -> None:
    assert cut(train(counts(**THIRD["corpus"]), Recipe.of("script")), word) == THIRD["encodes"][word]


def test_standing_in_has_ten_pairs_and_one_of_them_twice() -> None:
    training = train(Corpus.of_text(STANDING["text"].encode()), CHAPTER)
    zero = timeline_of(replace(training, recipe=replace(CHAPTER, min_count=1)))
    found = {(chr(row.pair[0]), chr(row.pair[1])): row.count for row in zero.ranked(0, LONG)}
    assert found == {(a, b): count for a, b, count in STANDING["pairs"]}
    assert sum(found.values()) == STANDING["adjacent"]
    assert [chr(at) for at in training.merges[0].pair] == STANDING["first_merge"]
    assert training.length(1) == STANDING["tokens_after_one_merge"]
    assert training.learned == 1


# bytes


def byte_steps(training: Training, apart: int) -> list[dict[str, int]]:
    return [
        {"left": m.left, "right": m.right, "id": 256 + k, "count": m.count, "tied": m.tied, "saved": m.saved, "length": m.length - apart}
        for k, m in enumerate(training.merges)
    ]


@pytest.mark.parametrize("case", VECTORS["bytes_lines"], ids=lambda case: case["name"])
def test_runs_of_bytes_in_lines_come_out(case: dict[str, Any]) -> None:
    lines = [bytes.fromhex(line) for line in case["lines_hex"]]
    training = train(Corpus.of_text(b"\n".join(lines)), CHAPTER)
    assert byte_steps(training, len(lines) - 1) == case["steps"]


@pytest.mark.parametrize("counting", Counting)
@pytest.mark.parametrize("case", VECTORS["disjoint"]["cases"], ids=lambda case: case["name"])
def test_both_ways_of_counting_come_out(case: dict[str, Any], counting: Counting) -> None:
    corpus = Corpus.of_counts({bytes.fromhex(pretoken): count for pretoken, count in case["pretokens"]})
    training = train(corpus, replace(CHAPTER, counting=counting))
    assert byte_steps(training, 0) == case[counting.value]
