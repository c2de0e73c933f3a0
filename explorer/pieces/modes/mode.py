"""What a mode is, and what it answers."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.pieces.arguments import OptionGroup


@dataclass(frozen=True, slots=True)
class Answer:
    """A result twice, as values for JSON and as lines for reading, with the exit code it means."""

    values: dict[str, Any]  # Any: JSON values
    lines: list[str]
    code: int = 0


def no_options(group: OptionGroup) -> None:
    """Adds nothing: the options of a mode that has none."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode: its name, one line on what it shows, what runs it, its own options, and the corpus it opens when none is named.

    A mode without a corpus takes neither corpus nor recipe.
    """

    name: str
    shows: str
    answer: Callable[[argparse.Namespace], Answer]
    add_options: Callable[[OptionGroup], None] = no_options
    corpus: str | None = "chronicle"


__all__ = ["Answer", "Mode", "OptionGroup", "no_options"]
