"""Runs the `pieces` command inside the test process and gives back what it wrote."""

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.pieces import main

GOLDEN = Path(__file__).parent / "golden"
VECTORS = Path(__file__).parent.parent / "vectors"


@dataclass(frozen=True)
class Ran:
    """Exit code and both outputs of one command line."""

    code: int
    out: str
    err: str


def run(*argv: str) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(argv)
    return Ran(code, out.getvalue(), err.getvalue())


def values(*argv: str) -> dict[str, Any]:
    """The JSON that a command line answers; it must succeed."""
    ran = run(*argv, "--json")
    assert (ran.code, ran.err) == (0, ""), ran.err
    answered: dict[str, Any] = json.loads(ran.out)
    return answered


def lines(*argv: str) -> list[str]:
    """The text that a command line answers; it must succeed."""
    ran = run(*argv)
    assert (ran.code, ran.err) == (0, ""), ran.err
    return ran.out.splitlines()


def vectors(name: str) -> dict[str, Any]:
    """Expected figures that a naive implementation worked out, written apart from this program."""
    read: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return read
