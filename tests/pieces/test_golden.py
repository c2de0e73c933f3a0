"""The JSON of every mode, whole, on small exemplars; and what every answer has in common."""

import json

import pytest

from explorer.pieces.modes import MODES
from tests.pieces.golden_files import COMMANDS, text_of
from tests.pieces.running import GOLDEN, run, values


@pytest.mark.parametrize("name", COMMANDS)
def test_the_answer_is_the_one_that_was_kept(name: str) -> None:
    kept = GOLDEN / f"{name}.json"
    assert json.loads(text_of(name)) == json.loads(kept.read_text("utf-8"))


def test_every_mode_has_a_golden_file() -> None:
    assert {mode.name for mode in MODES} <= {argv[0] for argv in COMMANDS.values()}
    assert {file.stem for file in GOLDEN.glob("*.json")} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_answer_begins_alike(name: str) -> None:
    answer = values(*COMMANDS[name])
    assert list(answer)[:4] == ["mode", "corpus", "recipe", "engine"]
    assert answer["mode"] == COMMANDS[name][0]
    assert list(answer["corpus"]) == ["name", "file", "file_bytes", "file_sha256", "bytes", "sha256", "texts", "weighted"]
    assert len(answer["corpus"]["sha256"]) == 64


@pytest.mark.parametrize("name", COMMANDS)
def test_the_text_is_laid_out(name: str) -> None:
    ran = run(*COMMANDS[name])
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert len(lines) > 3
    assert all(line == line.rstrip() for line in lines)
    assert ran.out.isprintable() or set(filter(lambda c: not c.isprintable(), ran.out)) == {"\n"}
