"""What the benchmark makes of measurements: medians, ratios, bars met or not, the table and the JSON."""

import json

import pytest
from benchmarking.fresh import Answer, Job
from benchmarking.measuring import NotRun, Taken
from benchmarking.report import Result, shown, table
from benchmarking.rows import Bar, Row

FASTER = Row("train", "en1", Job("train"), "work", ("swift", "slow"), Bar.FASTER, 4.0)
WITHIN = Row("one piece", "", Job("hard"), "CJK", ("swift",), Bar.WITHIN, 1.5, 150.0)
MEMORY = Row("peak memory", "en1", Job("train"), "peak", ("swift",), Bar.WITHIN, 1.5)
ALONE = Row("timeline", "en1", Job("timeline"), "p99", (), Bar.AT_MOST, 16.0)


def taken(figure: str, *values: float, digest: str = "") -> Taken:
    return Taken([Answer("an engine", {figure: value}, 50_000_000, digest) for value in values])


def test_the_ratio_is_of_medians_and_against_the_peer_that_was_fastest() -> None:
    result = Result(FASTER, {"ours": taken("work", 1.0, 9.0, 2.0), "swift": taken("work", 8.0, 7.0, 30.0), "slow": taken("work", 6.0)})
    assert result.value("ours") == 2.0
    assert result.value("swift") == 8.0
    assert result.against == "slow"
    assert result.ratio == 3.0
    assert result.met is False


@pytest.mark.parametrize(("theirs", "met"), [(8.0, True), (7.9, False)])
def test_as_many_times_as_fast(theirs: float, met: bool) -> None:
    assert Result(FASTER, {"ours": taken("work", 2.0), "swift": taken("work", theirs), "slow": Taken()}).met is met


@pytest.mark.parametrize(("ours", "theirs", "met"), [(0.09, 0.06, True), (0.091, 0.06, False), (0.149, 0.2, True), (0.151, 0.2, False)])
def test_within_the_peer_s_and_never_over(ours: float, theirs: float, met: bool) -> None:
    assert Result(WITHIN, {"ours": taken("CJK", ours), "swift": taken("CJK", theirs)}).met is met


def test_memory_is_that_of_the_whole_process() -> None:
    result = Result(MEMORY, {"ours": taken("work", 1.0), "swift": taken("work", 1.0)})
    assert result.ratio == 1.0
    assert result.to_json()["unit"] == "bytes"
    assert shown(result, "ours") == "50 MB"


def test_memory_that_the_system_does_not_tell_is_not_zero() -> None:
    result = Result(MEMORY, {"ours": Taken([Answer("an engine", {"work": 1.0})]), "swift": taken("work", 1.0)})
    assert result.ratio is None
    assert result.met is None
    assert "no such figure on this system" in table([result])


@pytest.mark.parametrize(("seconds", "met"), [(0.016, True), (0.0161, False)])
def test_a_bar_that_no_peer_shares(seconds: float, met: bool) -> None:
    result = Result(ALONE, {"ours": taken("p99", seconds)})
    assert result.met is met
    assert result.ratio is None
    assert "none has it" in table([result])


def test_without_peers_ours_is_told_and_no_ratio_is_made_up() -> None:
    absent = Taken(not_run=NotRun("swift==1 is not installed (no network)"))
    result = Result(FASTER, {"ours": taken("work", 2.0), "swift": absent, "slow": absent})
    assert (result.ratio, result.met, result.same, result.against) == (None, None, None, None)
    lines = table([result]).splitlines()
    assert lines[2].split() == ["train", "2.000", "s", "not", "run", ">=", "4", "?"]
    assert "swift not run: swift==1 is not installed (no network)" in lines[-1]
    assert result.to_json()["peers"][0] == {"name": "swift", "not_run": "swift==1 is not installed (no network)"}


def test_without_ours_nothing_is_met_or_missed() -> None:
    result = Result(FASTER, {"ours": Taken(not_run=NotRun("stopped after 10 s")), "swift": taken("work", 2.0), "slow": Taken()})
    assert (result.ratio, result.met) == (None, None)
    assert "ours not run: stopped after 10 s" in table([result])


@pytest.mark.parametrize(
    ("theirs", "same", "words"), [("a", True, "all results the same"), ("b", False, "RESULTS DIFFER"), ("", None, "4.000 s")]
)
def test_results_are_compared_where_a_peer_promises_ours(theirs: str, same: bool | None, words: str) -> None:
    sides = {"ours": taken("work", 1.0, digest="a"), "swift": taken("work", 4.0, digest=theirs), "slow": Taken()}
    result = Result(FASTER, sides)
    assert result.same is same
    assert words in table([result])


def test_the_json_has_what_a_reader_needs_and_is_json() -> None:
    result = Result(FASTER, {"ours": taken("work", 1.0, 3.0), "swift": taken("work", 8.0), "slow": Taken(not_run=NotRun("no wheel"))})
    row = json.loads(json.dumps(result.to_json()))
    assert {"work", "ours", "peers", "ratio", "bar", "met"} <= set(row)
    assert (row["ratio"], row["bar"], row["met"]) == (4.0, 4.0, True)
    assert row["ours"]["values"] == [1.0, 3.0]
    assert [peer["name"] for peer in row["peers"]] == ["swift", "slow"]
    assert row["bar_means"] == "4 times as fast as the peer, at least"


def test_the_columns_of_the_table_stand_under_their_names() -> None:
    short = Result(FASTER, {"ours": taken("work", 1.0), "swift": taken("work", 4.0), "slow": Taken()})
    head, _, first, second, *_ = table([short, Result(ALONE, {"ours": taken("p99", 0.002)})]).splitlines()
    assert head.split() == ["work", "ours", "fastest", "peer", "ratio", "bar", "met"]
    for line in (first, second):
        assert line[head.index("met") :] == "yes"
    assert second[head.index("ours") :].startswith("2.0 ms")


def test_speed_is_told_where_a_corpus_is_encoded() -> None:
    row = Row("encode", "en1", Job("encode"), "first", ("swift",), Bar.FASTER, 1.0)
    assert shown(Result(row, {"ours": taken("first", 0.5), "swift": Taken()}, 10_000_000), "ours") == "0.500 s 20 MB/s"
