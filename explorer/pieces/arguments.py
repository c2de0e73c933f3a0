"""The options that modes share: which corpus, which recipe. What is wrong with a command line is said in one line."""

import argparse
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn

from explorer.core.recipe import PRESETS, AlphabetKind, Counting, LineEnds, PreTokenRule, TieRule, Unknown
from explorer.errors import ExplorerError

ALL = -1  # of --merges: as many as there are
OWN_JOINTS = Path()  # of --joints without a file: the corpus's own
PATTERN_PREFIX = "pattern:"

OptionGroup = Any  # argparse's own class of groups is private


class BadUseError(ExplorerError):
    """A command line that does not say what to do."""


class Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        """Raises BadUseError."""
        raise BadUseError(message)


def add_corpus_options(parser: argparse.ArgumentParser, default: str) -> None:
    """Adds which corpus to open."""
    group = parser.add_argument_group("corpus")
    group.add_argument("--corpus", metavar="NAME|FILE", default=default, help=f"an exemplar by its name, or a file (default: {default})")
    group.add_argument("--column", metavar="NAME", help="the column of a JSON Lines file that is the text")


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Adds whether to answer in JSON."""
    parser.add_argument("--json", action="store_true", help="answer as one JSON object")


def add_recipe_options(parser: argparse.ArgumentParser) -> None:
    """Adds an option for every decision of a recipe; one left out keeps what the recipe says."""
    group = parser.add_argument_group("recipe", "an exemplar opens with its own recipe, a file with chapter-81")
    group.add_argument("--recipe", choices=list(PRESETS), metavar="NAME", help=f"start from a preset: {', '.join(PRESETS)}")
    _add_kinds(group, "--alphabet", AlphabetKind, "what a symbol is")
    group.add_argument("--marker", action=argparse.BooleanOptionalAction, help="mark the last character of a word")
    _add_kinds(group, "--unknown", Unknown, "what a character becomes that the corpus never held")
    rules = [rule.value for rule in PreTokenRule if rule is not PreTokenRule.PATTERN]
    group.add_argument("--pretokens", metavar="RULE", help=f"what no merge crosses: {', '.join(rules)}, or {PATTERN_PREFIX}REGEX")
    _add_kinds(group, "--line-ends", LineEnds, "read CR as it is, or CR and CR LF as LF")
    size = group.add_mutually_exclusive_group()
    size.add_argument("--rows", type=count, metavar="N", help="rows asked for: stand-in, alphabet and merges")
    size.add_argument("--merges", type=_count_or_all, metavar="N", help="merges asked for, or all")
    _add_kinds(group, "--tie", TieRule, "which of several commonest pairs is merged (met: as the texts are ordered)")
    _add_kinds(group, "--counting", Counting, "which occurrences of a pair count")
    group.add_argument("--min-count", type=count, metavar="N", help="the least count that is merged")
    group.add_argument("--lift", type=count, metavar="N", help="rows at which merges begin to cross pre-tokens")
    group.add_argument("--choices", type=Path, metavar="FILE", help="pairs chosen by hand: a JSON list of rank, left, right")
    joints = "cut words at their joints: the corpus's own, or a file of word TAB un|do"
    group.add_argument("--joints", type=Path, nargs="?", const=OWN_JOINTS, metavar="FILE", help=joints)


def _add_kinds(group: OptionGroup, option: str, kinds: type[Enum], says: str) -> None:
    values = [kind.value for kind in kinds]
    group.add_argument(option, choices=values, metavar="KIND", help=f"{says}: {', '.join(values)}")


def count(text: str) -> int:
    """A whole number from 0 up, as argparse reads a type."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return number


def _count_or_all(text: str) -> int:
    return ALL if text == "all" else count(text)


def number_from_1(text: str) -> int:
    """A whole number from 1 up, as argparse reads a type."""
    number = count(text)
    if not number:
        raise argparse.ArgumentTypeError("0 is too few: count from 1")
    return number


def sizes(text: str) -> tuple[int, ...]:
    """Whole numbers between commas, as argparse reads a type."""
    return tuple(count(part.strip()) for part in text.split(","))
