"""The command lines whose JSON is kept whole, engine left out.

`python -m tests.pieces.golden_files` writes the files anew, to be read before they are kept.
"""

import json
import sys
from typing import Any

from tests.pieces.running import GOLDEN, values

COMMANDS: dict[str, tuple[str, ...]] = {
    "annals": ("annals",),
    "corpus": ("corpus", "--corpus", "four-words"),
    "pairs": ("pairs", "--corpus", "standing-in"),
    "merges": ("merges", "--corpus", "four-words"),
    "vocabulary": ("vocabulary", "--corpus", "script"),
    "encode": ("encode", "--corpus", "four-words", "--line", "lowest  slow é", "--trace"),
    "encode-kept": ("encode", "--corpus", "script", "--line", "low é"),
    "encode-fallback": ("encode", "--corpus", "taste", "--recipe", "fallback", "--line", "tasté</w>"),
    "round": ("round", "--corpus", "standing-in"),
    "round-runes": ("round", "--corpus", "standing-in", "--runes"),
    "price": ("price", "--corpus", "standing-in", "--split"),
    "grow": ("grow", "--corpus", "taste", "--sizes", "0,1,2,4,8,16", "--line", "tastes"),
    "curve": ("curve", "--corpus", "taste", "--recipe", "fallback", "--line", "tastes"),
    "walk": ("walk", "--corpus", "four-words"),
    "ties": ("ties", "--corpus", "four-words", "--words", "lowest"),
    "optimum": ("optimum", "--corpus", "taste"),
    "optimum-unproven": ("optimum", "--corpus", "taste", "--merges", "6", "--nodes", "5"),
    "stages": ("stages", "--corpus", "four-words", "--lift", "22", "--rows", "25"),
    "joints": ("joints",),
    "alphabets": ("alphabets", "--line", "café"),
    "script": ("script",),
}


def without_engine(answer: dict[str, Any]) -> dict[str, Any]:
    """Which engine answered may change; what it answered may not."""
    assert answer["engine"]
    return {name: value for name, value in answer.items() if name != "engine"}


def text_of(name: str) -> str:
    """What the golden file of a command holds."""
    return json.dumps(without_engine(values(*COMMANDS[name])), indent=1) + "\n"


def write() -> None:
    """Writes every golden file anew."""
    GOLDEN.mkdir(exist_ok=True)
    for name in COMMANDS:
        (GOLDEN / f"{name}.json").write_text(text_of(name), "utf-8")


if __name__ == "__main__":
    sys.exit(write())
