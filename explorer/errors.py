"""Every error the program raises on purpose, as one tree.

    ExplorerError                 what, where and what to do, in one sentence a person can read
    ├── RecipeError               decisions that do not go together, or that the corpus cannot meet
    │   ├── SizeFloorError        fewer rows asked for than the alphabet needs
    │   ├── ChoiceError           a chosen pair that is not there at its rank
    │   └── PatternTimeoutError   a split pattern that finds no end
    ├── FileError                 a file that cannot be read or written as what it claims to be
    │   ├── CorpusFileError       a corpus file: text, JSON Lines, word counts
    │   └── TableFileError        a merge table file
    ├── TokenError                an id, or a piece, that this vocabulary does not have
    ├── TooLargeError             work that would need more than it may take; says how much
    ├── ProcessLostError          a process that did part of the work and was ended from outside, or could not be started
    └── Cancelled                 the user asked to stop; never shown

Errors of a programmer (a broken promise inside the program) are ordinary `assert`, `ValueError` or `TypeError`.
"""

from pathlib import Path

SHOWN_OF_A_PATTERN = 60  # characters, in a sentence that quotes one


class ExplorerError(Exception):
    """The root: its text says what was wrong, where, and what to do."""


class RecipeError(ExplorerError):
    """Decisions of a recipe that contradict each other or cannot be met."""


class SizeFloorError(RecipeError):
    """Fewer rows were asked for than stand-in and alphabet take.

    `asked` and `floor` count rows without the fallback rows underneath.
    """

    def __init__(self, asked: int, floor: int) -> None:
        super().__init__(
            f"{asked} rows cannot be had: the alphabet of this corpus alone takes {floor}. Ask for {floor} rows or more."
        )
        self.asked = asked
        self.floor = floor


class ChoiceError(RecipeError):
    """A chosen pair does not occur at the rank it was chosen for (`rank`, 0-based)."""

    def __init__(self, rank: int, pair: str) -> None:
        super().__init__(f"The choice at rank {rank} cannot be made: {pair} does not occur there. Remove or change that choice.")
        self.rank = rank


class PatternTimeoutError(RecipeError):
    """A split pattern that found no end in time.

    `at` is the byte of the text behind which it was looking, `line` the line of that (from 1, None where it is not known).
    """

    def __init__(self, pattern: str, at: int, seconds: float, line: int | None = None) -> None:
        shown = pattern if len(pattern) <= SHOWN_OF_A_PATTERN else pattern[: SHOWN_OF_A_PATTERN - 1] + "…"
        where = f"byte {at} of the text" if line is None else f"byte {at} of the text, in line {line}"
        super().__init__(
            f"The split pattern {shown} was stopped after {seconds:.2g} s without an end, behind {where}: there it can match in too many "
            "ways. Take a repeat out of a repeat, or make repeats possessive, as in (?:a|aa)++."
        )
        self.pattern = pattern
        self.at = at
        self.seconds = seconds
        self.line = line


class FileError(ExplorerError):
    """A file that is not what it should be; `line` and `column` count from 1, None where there is none."""

    def __init__(self, reason: str, path: Path | None = None, line: int | None = None, column: int | None = None) -> None:
        where = str(path.name).encode("utf-8", "replace").decode() if path else ""
        if line is not None:
            where += f"{', ' if where else ''}line {line}"
        if column is not None:
            where += f", column {column}"
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.path = path
        self.line = line
        self.column = column


class CorpusFileError(FileError):
    """A corpus file that cannot be read as the kind it was opened as."""


class TableFileError(FileError):
    """A merge table file that is malformed or contradicts itself."""


class TokenError(ExplorerError):
    """A token id or a piece that the vocabulary does not hold."""


class TooLargeError(ExplorerError):
    """Work refused before it starts because of the size it would need."""


class ProcessLostError(ExplorerError):
    """A process beside this one that did part of the work is gone, or did not start; the work is not done."""


class Cancelled(ExplorerError):
    """The user asked to stop."""
