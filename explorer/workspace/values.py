"""The frozen values that the Workspace shows and emits."""

from dataclasses import dataclass
from enum import Enum

from explorer.core.progress import Step
from explorer.core.timeline import RankedPair
from explorer.core.vocabulary import Pair, Piece


class MergesUsed(Enum):
    """Which merges "your text" is encoded with."""

    FIRST_K = "first k"
    ALL = "all"


class Lane(Enum):
    """A queue of one: a new job cancels the old one of its lane."""

    READ = "read"  # opening files
    TRAIN = "train"
    MOMENT = "moment"  # the ranking at k
    ENCODE = "encode"
    FORK = "fork"
    LAB = "lab"
    COMPARE = "compare"  # two runs
    SPELL = "spell"  # a long pre-token of the corpus as tokens
    FIND = "find"  # text in the corpus
    TALLY = "tally"  # how often it is there
    SORT = "sort"  # the words of a corpus


QUIET_LANES = (Lane.MOMENT, Lane.ENCODE, Lane.SPELL, Lane.FIND, Lane.TALLY)
"""Lanes whose work the views show themselves, by "…" or what is missing."""


class Level(Enum):
    """How much a notice asks of the reader."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """A full sentence for the user; `detail` is what Show unfolds."""

    level: Level
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """What the ranking knows at merge k: candidates (at most `RANKED`), the tied ones, how many distinct pairs there are."""

    k: int
    ranked: tuple[RankedPair, ...]
    tied: tuple[Pair, ...]
    distinct: int


RANKED = 1000


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected, by piece, so that it crosses runs; `span` are the bytes of your text that were touched.

    `by_step` says that nobody touched the token: a move to another merge selected what was made last.
    """

    token: Piece | None = None
    pair: tuple[Piece, Piece] | None = None
    span: tuple[int, int] | None = None
    by_step: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """Work under way. `what` names its subject ("chronicle.jsonl"); `seconds_left` is an estimate, None before there is one."""

    lane: Lane
    what: str
    step: Step
    seconds_left: float | None
