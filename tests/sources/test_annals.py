"""The chronicle: built to the byte, checked when read, and its script."""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer import places
from explorer.errors import CorpusFileError
from explorer.sources.annals import (
    Entry,
    Year,
    chronicle_bytes,
    entries_of,
    read_chronicle,
    read_founding,
    read_years,
    rebuild,
)

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "annals.py"
CHRONICLE = places.exemplar("chronicle.jsonl").read_bytes()
YEARS = places.exemplar("chronicle/years.csv").read_bytes()


def test_the_chronicle_is_built_to_the_byte() -> None:
    rebuilt = rebuild()
    assert rebuilt.same
    assert (len(rebuilt.built), hashlib.sha256(rebuilt.built).hexdigest()[:16]) == (11693, "bfb0608ab165f329")
    assert (len(rebuilt.years), len(rebuilt.entries)) == (80, 91)
    assert rebuilt.entries[11] == Entry(12, 3150, "count", "year 1: 56 hobbs standing in The Hollow, 32 born and 5 gone")
    assert rebuilt.years[79] == Year(80, 238, 1965, 1756)


def test_the_committed_chronicle_parses_to_the_last_line_and_is_numbered_without_a_gap() -> None:
    entries = read_chronicle(CHRONICLE)
    assert [entry.number for entry in entries] == list(range(1, 92))
    assert {entry.kind for entry in entries} == {"genesis", "count"}
    assert chronicle_bytes(entries) == CHRONICLE


@pytest.mark.parametrize("cut", range(1, 200, 7))
def test_a_half_written_dump_is_refused_rather_than_read_as_a_short_history(cut: int) -> None:
    with pytest.raises(CorpusFileError) as caught:
        read_chronicle(CHRONICLE[:-cut])
    assert caught.value.line == CHRONICLE[:-cut].count(b"\n") + 1
    assert "cut off" in str(caught.value)


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return edit


def without_line(number: int) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        lines = data.split(b"\n")
        return b"\n".join(lines[: number - 1] + lines[number:])

    return edit


@pytest.mark.parametrize(
    ("edit", "line", "told"),
    [
        (without_line(40), 40, "entry 41 stands where entry 40 comes next"),
        (without_line(1), 1, "entry 2 stands where entry 1 comes next"),
        (replaced(b'"entry":7,', b'"entry":8,'), 7, "entry 8 stands where entry 7"),
        (replaced(b'"entry":7,', b'"entry":"7",'), 7, "whole numbers"),
        (replaced(b'"entry":7,', b'"entry":7.0,'), 7, "whole numbers"),
        (replaced(b'"entry":1,', b'"entry":true,'), 1, "whole numbers"),
        (replaced(b'"entry":7,"tick":0', b'"tick":0,"entry":7'), 7, "in that order"),
        (replaced(b'"tick":0,', b""), 1, "columns entry, tick, kind, text"),
        (replaced(b'"kind":"genesis"', b'"kind":null'), 1, "strings"),
        (replaced(b'"tick":3150', b'"tick":30000'), 13, "tick 6750 comes before tick 30000"),
        (replaced(b'There is no road."}', b'There is no road."'), 2, "not whole JSON"),
        (replaced(b"\n", b"\n\n"), 2, "not whole JSON"),
        (lambda data: data + b"null\n", 92, "columns"),
        (lambda data: b"[" * 100_000 + b"\n" + data, 1, "not whole JSON"),
        (lambda data: b"\xff" + data, 1, "not whole JSON"),
        (lambda data: b"", None, "empty"),
    ],
)
def test_a_damaged_dump_is_refused_by_line(edit: Callable[[bytes], bytes], line: int | None, told: str) -> None:
    with pytest.raises(CorpusFileError, match=re.escape(told)) as caught:
        read_chronicle(edit(CHRONICLE))
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("edit", "line", "told"),
    [
        (replaced(b"year,standing", b"Year,standing"), 1, "must be year,standing,born,gone"),
        (replaced(b"\n3,108", b"\n4,108"), 4, "year 4 stands where year 3 comes next"),
        (replaced(b"3,108,200,121", b"3,108,200"), 4, "four whole numbers"),
        (replaced(b"3,108,200,121", b"3, 108,200,121"), 4, "four whole numbers"),
        (replaced(b"3,108,200,121", b"3,108,200,0121"), 4, "four whole numbers"),
        (replaced(b"3,108,200,121", b"3,108,+200,121"), 4, "four whole numbers"),
        (replaced(b"3,108,200,121\n", b"3,108,200,121\r\n"), 4, "four whole numbers"),
        (replaced(b"3,108,200,121", b"3,109,200,121"), 4, "makes 30 founders here, and 29 in year 1"),
        (replaced(b"3,108,200,121", b"3,108,98,19"), 4, "never fall"),
        (lambda data: data[:-1], 81, "cut off"),
        (lambda data: data + b"\n", 82, "four whole numbers"),
        (lambda data: b"", None, "empty"),
    ],
)
def test_the_table_of_years_is_read_strictly(edit: Callable[[bytes], bytes], line: int | None, told: str) -> None:
    with pytest.raises(CorpusFileError, match=re.escape(told)) as caught:
        read_years(edit(YEARS), Path("years.csv"))
    assert caught.value.line == line


@pytest.mark.parametrize(("data", "line"), [(b"a\n\nb\n", 2), (b"a\n\xff\n", 2), (b"a\x00\n", 1), (b"a\nb", 2), (b"a\r\n", 1)])
def test_a_founding_row_is_a_line_of_prose(data: bytes, line: int) -> None:
    with pytest.raises(CorpusFileError) as caught:
        read_founding(data)
    assert caught.value.line == line


def test_text_is_written_without_escapes() -> None:
    entries = entries_of(('a "quoted" word — ü',), ())
    assert chronicle_bytes(entries) == '{"entry":1,"tick":0,"kind":"genesis","text":"a \\"quoted\\" word — ü"}\n'.encode()


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The script in a copy of the checkout that holds what it needs."""
    command = [sys.executable, "-B", str(folder / "scripts" / "annals.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = SCRIPT.parent.parent
    shutil.copytree(root / "explorer", tmp_path / "explorer", ignore=shutil.ignore_patterns("gui", "workspace", "__pycache__"))
    shutil.copytree(root / "exemplars", tmp_path / "exemplars")
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts")
    return tmp_path


def test_the_script_finds_the_same_bytes(checkout: Path) -> None:
    ran = run(checkout, "--check")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [
        f"built: 11 founding rows and 80 years, 11693 bytes, sha256 {hashlib.sha256(CHRONICLE).hexdigest()}",
        "chronicle.jsonl: the same bytes",
    ]


def test_the_script_tells_a_difference_and_writes_nothing_when_it_only_checks(checkout: Path) -> None:
    file = checkout / "exemplars" / "chronicle.jsonl"
    file.write_bytes(CHRONICLE[:-5])
    ran = run(checkout, "--check")
    assert ran.returncode == 1
    assert "different from byte offset 11688 on, line 91" in ran.stdout
    assert file.read_bytes() == CHRONICLE[:-5]


@pytest.mark.parametrize("there", [True, False])
def test_the_script_rebuilds_the_file(checkout: Path, there: bool) -> None:
    file = checkout / "exemplars" / "chronicle.jsonl"
    file.unlink()
    if there:
        file.write_bytes(b"something else")
    ran = run(checkout)
    assert (ran.returncode, ran.stdout.splitlines()[-1], file.read_bytes()) == (0, "chronicle.jsonl: written", CHRONICLE)
    assert "nothing written" in run(checkout).stdout


def test_the_script_says_what_is_wrong_in_one_line(checkout: Path) -> None:
    (checkout / "exemplars" / "chronicle" / "years.csv").write_bytes(YEARS.replace(b"3,108", b"3,107"))
    ran = run(checkout)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert ran.stderr.startswith("annals: years.csv, line 4: standing + gone - born makes 28 founders")
    (checkout / "exemplars" / "chronicle" / "years.csv").unlink()
    assert "no such file" in run(checkout).stderr
    assert run(checkout, "--nonsense").returncode == 2
