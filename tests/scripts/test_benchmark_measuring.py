"""Who is measured when, and what becomes of a process that fails: with a `run` that notes what it was asked instead of processes."""

import json
import sys
from pathlib import Path

from benchmarking.fresh import Answer, Job
from benchmarking.measuring import Asked, Clock, Measurements, NotRun, Pythons, answer_of
from benchmarking.rows import Bar, Row

ROOT = Path(__file__).resolve().parents[2]
TRAIN, OTHER = Job("train", corpus="a"), Job("train", corpus="b")
UNHURRIED = Clock(60.0)


def row(*peers: str, figure: str = "work") -> Row:
    return Row("some work", "en1", TRAIN, figure, peers, Bar.FASTER, 1.0)


class Runs:
    """A `run` that answers at once, save for those named in `failing`."""

    def __init__(self, *failing: str) -> None:
        self.failing, self.asked = failing, list[tuple[str, str]]()

    def __call__(self, who: str, job: Job, seconds: float) -> Answer | NotRun:
        self.asked.append((who, job.corpus))
        return NotRun("stopped after 60 s") if who in self.failing else Answer(who, {"work": float(len(self.asked))})


def take(runs: Runs, *asked: Asked, clock: Clock = UNHURRIED, rounds: int = 5) -> Measurements:
    measurements = Measurements(runs, clock, lambda words: None)
    measurements.take(asked, rounds)
    return measurements


def test_ours_and_the_fastest_peer_take_turns_five_times_and_the_others_run_once() -> None:
    runs = Runs()
    taken = take(runs, Asked(row("swift", "slow"), TRAIN)).of(Asked(row("swift", "slow"), TRAIN))
    names = [who for who, _ in runs.asked]
    assert names == ["ours", "swift"] * 2 + ["slow"] + ["ours", "swift"] * 3
    assert [len(taken[who].runs) for who in ("ours", "swift", "slow")] == [5, 5, 1]


def test_a_round_goes_through_all_rows() -> None:
    runs = Runs()
    take(runs, Asked(row("swift"), TRAIN), Asked(row("swift"), OTHER), rounds=2)
    assert [corpus for _, corpus in runs.asked] == ["a", "a", "b", "b"] * 2


def test_rows_that_need_the_same_job_share_it() -> None:
    runs = Runs()
    take(runs, Asked(row("swift", "slow"), TRAIN), Asked(row("swift", figure="peak"), TRAIN))
    assert len(runs.asked) == 11


def test_where_there_is_nobody_to_take_turns_with_ours_runs_once() -> None:
    runs = Runs()
    take(runs, Asked(row(), TRAIN))
    assert runs.asked == [("ours", "a")]


def test_who_came_to_nothing_is_not_asked_again_and_the_others_go_on() -> None:
    runs, asked = Runs("ours"), Asked(row("swift"), TRAIN)
    taken = take(runs, asked).of(asked)
    assert runs.asked.count(("ours", "a")) == 1
    assert taken["ours"].not_run == NotRun("stopped after 60 s")
    assert len(taken["swift"].runs) == 5


def test_with_no_time_left_nothing_is_started() -> None:
    runs, asked = Runs(), Asked(row("swift"), TRAIN)
    taken = take(runs, asked, clock=Clock(60.0, end=0.0)).of(asked)
    assert runs.asked == []
    assert taken["ours"].not_run == NotRun("no time was left")


def test_a_row_that_cannot_be_done_says_why_on_every_side() -> None:
    runs, asked = Runs(), Asked(row("swift"), TRAIN, "no corpus en1: no network")
    taken = take(runs, asked).of(asked)
    assert runs.asked == []
    assert {side.not_run for side in taken.values()} == {NotRun("no corpus en1: no network")}


def test_the_answer_is_the_last_line() -> None:
    said = json.dumps({"engine": "e", "figures": {"work": 1.0}, "peak_bytes": 5, "digest": "d"})
    assert answer_of(0, f"a peer's own words\n{said}\n", "") == Answer("e", {"work": 1.0}, 5, "d")


def test_a_failure_is_told_by_its_last_line() -> None:
    assert answer_of(1, "", "Traceback ...\nValueError: no such thing\n") == NotRun("failed: ValueError: no such thing")
    assert answer_of(-9, "", "") == NotRun("failed: exit status -9")


def pythons(tmp_path: Path, missing: dict[str, str] | None = None) -> Pythons:
    return Pythons(Path(sys.executable), tmp_path / "no-such-python", missing or {}, ROOT, tmp_path)


def test_a_peer_that_is_not_installed_is_not_run(tmp_path: Path) -> None:
    assert pythons(tmp_path, {"swift": "no wheel"}).run("swift", TRAIN, 1.0) == NotRun("no wheel")


def test_an_interpreter_that_is_not_there_is_not_run(tmp_path: Path) -> None:
    found = pythons(tmp_path).run("swift", TRAIN, 1.0)
    assert isinstance(found, NotRun)
    assert "cannot be started" in found.why


def test_a_process_is_stopped_at_its_limit(tmp_path: Path) -> None:
    assert pythons(tmp_path).run("ours", Job("train", corpus=str(tmp_path)), 0.01) == NotRun("stopped after 0 s")


def test_ours_trains_in_a_process_of_its_own(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_bytes(b"the cat sat on the mat\n" * 20)
    found = pythons(tmp_path).run("ours", Job("train", corpus=str(corpus), rule="entries", vocabulary=259), 120.0)
    assert isinstance(found, Answer), found
    assert found.engine.startswith("readable (")  # a corpus this small is never worth loading kernels for
    assert set(found.figures) == {"work", "work wall"}
    assert found.digest == digest_of_three_merges(corpus.read_bytes())
    assert found.peak_bytes is None or found.peak_bytes > 1_000_000


def digest_of_three_merges(data: bytes) -> str:
    from benchmarking.fresh import digest_of

    from explorer.core.corpus import Corpus
    from explorer.core.recipe import Recipe
    from explorer.core.training import train

    training = train(Corpus.of_text(data), Recipe.of("chapter-81").asking(merges=3))
    return digest_of(piece.bytes for piece in training.table.pieces[256:])


def test_threads_are_named_to_every_kind_of_peer_and_settings_are_not_the_person_s(tmp_path: Path) -> None:
    environment = pythons(tmp_path).environment(Job("train", threads=2))
    assert {environment[name] for name in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS")} == {"2"}
    assert environment["BPE_EXPLORER_SETTINGS_DIR"] == str(tmp_path)
    assert environment["QT_QPA_PLATFORM"] == "offscreen"
