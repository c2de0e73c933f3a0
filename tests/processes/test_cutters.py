"""Processes look for matches as a thread does, are gone when nobody wants them, and say what became of them where they fail."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import explorer
from explorer.core import pattern_matches
from explorer.core.corpus import Corpus
from explorer.core.marking import Here, Passage, lending, marks_steps, passages
from explorer.core.progress import Progress, Step, drain
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.errors import Cancelled, PatternTimeoutError, ProcessLostError, TooLargeError
from explorer.processes import cutters, cutting
from explorer.processes.cutters import Cutters, command
from tests.core.endless import ENDLESS, endless_text

HOME = Path(explorer.__file__).resolve().parents[1]
SOON_S = 1.0  # a hundredth of it on a machine that is not busy
PATIENCE_S = 20.0
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")


def own(pattern: str) -> Recipe:
    return Recipe(pretokens=PreTokenRule.PATTERN, pattern=pattern)


def long_text() -> Corpus:
    """Longer than what is matched in a thread, with characters of two and three bytes and stray ones."""
    return Corpus.of_text(("words of no sense, 12 é 好 ".encode() + b"\xff\n") * 3_000)


def many_rows() -> Corpus:
    return Corpus.of_rows([b"row %d of some, " % n * (n % 7) + "é好".encode() for n in range(4_000)])


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert wait_for(lambda: not set(threading.enumerate()) - before), "their threads end with the processes, soon after"
    assert running_cutters(os.getpid()) == []


def running_cutters(parent: int) -> list[int]:
    """The processes of ours that a process started, by their number; none can be seen but on Linux."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, number = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            ours = b"processes.cutting" in (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if ours and int(number) == parent and state != "Z":
            found.append(int(folder.name))
    return found


def wait_for(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("corpus", [long_text(), many_rows()], ids=["one text", "rows"])
def test_marks_are_the_same_with_any_number_of_processes(corpus: Corpus, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.core.marking.PASSAGE", 20_000)
    recipe = own(r"\p{L}+|\d{1,2}")
    here = drain(marks_steps(corpus, recipe))
    with lending(Cutters(count)):
        steps = list(marks_steps(corpus, recipe))
        marks = drain(marks_steps(corpus, recipe))
    assert here is not None and marks is not None and (marks.bits == here.bits).all()
    done = [step.done for step in steps]
    assert done == sorted(done) and done[-1] >= marks.size - len(corpus)


@given(
    texts=st.lists(st.binary(max_size=40) | st.text(max_size=20).map(str.encode), max_size=8),
    pattern=st.sampled_from([r"\w+", ".", r"(?r)\W"]),
    count=st.sampled_from([1, 3]),
)
@settings(max_examples=8)
def test_any_texts(texts: list[bytes], pattern: str, count: int) -> None:
    corpus, recipe = Corpus.of_rows(texts), own(pattern)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("explorer.core.marking.SHORT", -1)
        patch.setattr("explorer.core.marking.PASSAGE", 30)
        here = drain(marks_steps(corpus, recipe))
        with lending(Cutters(count)):
            marks = drain(marks_steps(corpus, recipe))
    assert here is not None and marks is not None and (marks.bits == here.bits).all()


def test_a_search_without_an_end_is_cancelled_at_once() -> None:
    progress = Progress()
    asked_at = 0.0

    def watched() -> Iterator[Step]:
        nonlocal asked_at
        since = time.monotonic()
        for step in marks_steps(Corpus.of_text(endless_text()), own(ENDLESS)):
            yield step
            if not asked_at and time.monotonic() - since > 0.5:  # the process is at it
                asked_at = time.monotonic()
                progress.cancel()

    with lending(Cutters(2)), pytest.raises(Cancelled):
        for step in watched():
            progress.write(step)
    assert time.monotonic() - asked_at < SOON_S


def test_a_search_without_an_end_is_given_up_and_its_place_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_matches, "LIMIT_S", 1.0)
    before = b"bc " * 30_000
    with lending(Cutters(1)), pytest.raises(PatternTimeoutError, match=r"1\.2 s .* byte 90000 of the text, in line 1:"):
        drain(marks_steps(Corpus.of_text(before + endless_text()), own(ENDLESS)))


@linux
def test_a_process_that_somebody_ends_is_told() -> None:
    steps = marks_steps(Corpus.of_text(endless_text()), own(ENDLESS))
    with lending(Cutters(1)):
        next(step for step in steps if running_cutters(os.getpid()))
        for number in running_cutters(os.getpid()):
            os.kill(number, signal.SIGKILL)
        with pytest.raises(ProcessLostError, match="signal 9"):
            drain(steps)


def test_a_process_that_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cutters, "command", lambda: [str(tmp_path / "nothing")])
    with lending(Cutters(2)), pytest.raises(ProcessLostError, match=r"No process could be started .* there is no such file"):
        drain(marks_steps(long_text(), own(".")))
    monkeypatch.setattr(cutters, "command", lambda: [sys.executable, "-c", "raise SystemExit(3)"])
    with lending(Cutters(2)), pytest.raises(ProcessLostError, match="code 3"):
        drain(marks_steps(long_text(), own(".")))


def test_passages_that_memory_does_not_hold_are_told_of() -> None:
    def wanted() -> Iterator[Passage]:
        yield Passage(Corpus.of_text(b"some"), 0, 4, np.array([0]), np.array([4]), 4)
        raise MemoryError

    with pytest.raises(TooLargeError, match="wants more memory"):
        list(Cutters(1)(r"\w", wanted()))


def test_a_process_whose_memory_does_not_hold_a_passage_ends() -> None:
    with subprocess.Popen(command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(cutting.LENGTH.pack(1) + b"." + cutting.PASSAGE.pack(0, 1 << 60, 0, 1.0))
        process.stdin.flush()
        try:
            assert process.wait(PATIENCE_S) == cutting.TOO_LARGE
        finally:
            process.kill()


@linux
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_program(how: signal.Signals) -> None:
    """Killed while a match without an end is looked for: the process sees its input end."""
    program = textwrap.dedent(f"""
        from explorer.core.corpus import Corpus
        from explorer.core.marking import lending, marks_steps
        from explorer.core.progress import drain
        from explorer.core.recipe import PreTokenRule, Recipe
        from explorer.processes.cutters import Cutters

        with lending(Cutters(1)):
            drain(marks_steps(Corpus.of_text({endless_text()!r}), Recipe(pretokens=PreTokenRule.PATTERN, pattern={ENDLESS!r})))
    """)
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=HOME, stderr=subprocess.DEVNULL)
    try:
        assert wait_for(lambda: bool(running_cutters(parent.pid)))
        time.sleep(0.3)
        child = Path("/proc", str(running_cutters(parent.pid)[0]))
    finally:
        parent.send_signal(how)
        parent.wait()
    assert wait_for(lambda: not child.exists() or b"processes.cutting" not in (child / "cmdline").read_bytes())


def test_the_process_imports_next_to_nothing() -> None:
    """So that it starts in a twentieth of a second, and where Qt and numba are not."""
    program = "import sys, explorer.processes.cutting; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=HOME, capture_output=True, text=True, check=True)
    modules = {name.split(".")[0] for name in ran.stdout.split()}
    assert "regex" in modules and not modules & {"numpy", "numba", "PySide6", "multiprocessing"}


@linux
def test_a_frozen_program_is_its_own_interpreter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in ("explorer.pieces.command", "explorer.__main__"):
        frozen = tmp_path / "frozen"
        frozen.write_text(f"#!{sys.executable}\nimport sys\nsys.path[:] = {sys.path!r}\nfrom {module} import main\nsys.exit(main())\n")
        frozen.chmod(0o755)
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", str(frozen))
        assert len(command()) == 2
        with lending(Cutters(1)):
            marks = drain(marks_steps(long_text(), own(r"\w+")))
        monkeypatch.undo()
        with lending(Here()):
            here = drain(marks_steps(long_text(), own(r"\w+")))
        assert marks is not None and here is not None and (marks.bits == here.bits).all()


def test_whoever_leaves_does_not_wait_for_a_process_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that holds a large text takes a tenth of a second to go."""
    held = threading.Event()
    wait = subprocess.Popen.wait

    def slow(process: "subprocess.Popen[bytes]", timeout: float | None = None) -> int:
        held.wait(PATIENCE_S)
        return wait(process, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", slow)
    steps = Cutters(1)(r"\w+|\W+", passages(long_text(), 1, {}))
    next(steps)
    steps.close()
    assert not held.is_set(), "it was left while the process was still there"
    held.set()
