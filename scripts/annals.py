"""Rebuilds exemplars/chronicle.jsonl from the founding rows and the table of years, or with --check compares the two.

    python scripts/annals.py            writes the file where it differs
    python scripts/annals.py --check    writes nothing

Exit 0: the file is the bytes that were built. 1: with --check, it is not. 2: something cannot be read or written; one line says what.
"""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from explorer.core.disk import why, write_beside
from explorer.errors import ExplorerError
from explorer.places import exemplars_dir
from explorer.sources.annals import Rebuilt, read_chronicle, rebuild


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds, tells, compares or writes; the exit code."""
    parser = argparse.ArgumentParser(description="Rebuilds the chronicle, a reconstruction, from its founding rows and its table of years.")
    parser.add_argument("--check", action="store_true", help="compare with the file that is there, and write nothing")
    asked = parser.parse_args(arguments)
    try:
        rebuilt = rebuild()
        read_chronicle(rebuilt.built)
        print(_told(rebuilt))
        return _compared(rebuilt) if asked.check else _written(rebuilt)
    except ExplorerError as error:
        print(f"annals: {error}", file=sys.stderr)
    except OSError as error:
        print(f"annals: chronicle.jsonl was not written: {why(error)}", file=sys.stderr)
    return 2


def _told(rebuilt: Rebuilt) -> str:
    founding = len(rebuilt.entries) - len(rebuilt.years)
    digest = hashlib.sha256(rebuilt.built).hexdigest()
    return f"built: {founding} founding rows and {len(rebuilt.years)} years, {len(rebuilt.built)} bytes, sha256 {digest}"


def _compared(rebuilt: Rebuilt) -> int:
    if rebuilt.same:
        print("chronicle.jsonl: the same bytes")
        return 0
    first = next((at for at, (a, b) in enumerate(zip(rebuilt.built, rebuilt.shipped, strict=False)) if a != b), None)
    at = min(len(rebuilt.built), len(rebuilt.shipped)) if first is None else first
    line = rebuilt.shipped.count(b"\n", 0, at) + 1
    print(f"chronicle.jsonl: {len(rebuilt.shipped)} bytes, different from byte offset {at} on, line {line}")
    return 1


def _written(rebuilt: Rebuilt) -> int:
    if rebuilt.same:
        print("chronicle.jsonl: the same bytes already, nothing written")
    else:
        write_beside(exemplars_dir() / "chronicle.jsonl", rebuilt.built)
        print("chronicle.jsonl: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
