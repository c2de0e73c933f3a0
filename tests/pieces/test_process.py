"""The command as a process of its own: the same bytes every time, any terminal, a pipe that closes early."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pieces.running import run

ROOT = Path(__file__).parent.parent.parent
PROCESSES = 20


def process(argv: tuple[str, ...], **environment: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "explorer.pieces", *argv]
    own = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.Popen(command, env=own, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_twenty_processes_with_other_hash_seeds_give_the_same_bytes() -> None:
    argv = ("optimum", "--corpus", "taste", "--merges", "5", "--json")
    answers: set[bytes] = set()
    for seed in range(0, PROCESSES, 2):
        pair = [process(argv, PYTHONHASHSEED=str(seed + one)) for one in range(2)]
        for one in pair:
            out, err = one.communicate(timeout=60)
            assert (one.returncode, err) == (0, b"")
            answers.add(out)
    assert len(answers) == 1
    assert json.loads(answers.pop())["best"] == 38


def test_a_terminal_that_is_not_utf8_gets_every_character_as_it_can() -> None:
    one = process(("encode", "--corpus", "standing-in", "--line", "naïve — 日本"), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    out, err = one.communicate(timeout=60)
    assert (one.returncode, err) == (0, b"")
    assert b"na\\xefve \\u2014 \\u65e5\\u672c" in out


def test_a_message_on_a_terminal_that_is_not_utf8() -> None:
    one = process(("pairs", "--corpus", "日本.txt"), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    out, err = one.communicate(timeout=60)
    assert (one.returncode, out, err.count(b"\n")) == (2, b"", 1)


def test_a_pipe_that_closes_early_is_no_error() -> None:
    one = process(("vocabulary",))
    assert one.stdout and one.stderr
    one.stdout.read(10)
    one.stdout.close()
    assert one.stderr.read() == b""
    one.stderr.close()
    assert one.wait(timeout=60) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_an_answer_that_cannot_be_written_is_told_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-B", "-m", "explorer.pieces", "corpus"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=60, check=False)
    assert (ran.returncode, ran.stderr.count(b"\n")) == (2, 1)
    assert ran.stderr.startswith(b"pieces: the answer could not be written: ")


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the output here")
def test_an_output_that_was_never_open_is_no_error() -> None:
    command = ["/bin/sh", "-c", 'exec "$0" -B -m explorer.pieces corpus >&-', sys.executable]
    ran = subprocess.run(command, stderr=subprocess.PIPE, cwd=ROOT, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_json_is_the_same_inside_the_process() -> None:
    out, _ = process(("script", "--json")).communicate(timeout=60)
    assert out.decode("ascii").replace("\r\n", "\n") == run("script", "--json").out


def test_help_lists_every_mode() -> None:
    one = process(("--help",))
    out, err = one.communicate(timeout=60)
    assert (one.returncode, err) == (0, b"")
    for mode in ("annals", "optimum", "script", "vocabulary"):
        assert mode.encode() in out
