"""All that the tie lab shows of two runs, worked out in steps: their merges compared, and words as both cut them. Knows no Qt."""

from collections.abc import Generator
from dataclasses import dataclass

from explorer.core.progress import Step
from explorer.core.recipe import PreTokenRule
from explorer.core.runs import Run
from explorer.gui.models.comparison import Comparison, compare_steps
from explorer.gui.models.words_cut import CutWords, cut_words_steps


@dataclass(frozen=True, eq=False)
class Pairing:
    """Two runs, and your text."""

    one: Run
    other: Run
    text: bytes

    def has_runs_of(self, another: "Pairing | None") -> bool:
        """Whether both are of the same trainings."""
        return another is not None and self.one.training is another.one.training and self.other.training is another.other.training

    def same_as(self, another: "Pairing | None") -> bool:
        """Whether both show the same."""
        return another is not None and self.has_runs_of(another) and self.text == another.text

    @property
    def has_own_pattern(self) -> bool:
        """Whether words are found by a split pattern of one's own, which may be one that finds no end."""
        return any(run.recipe.pretokens is PreTokenRule.PATTERN for run in (self.one, self.other))


@dataclass(frozen=True, eq=False)
class UnderBoth:
    """What two runs have in common, and what not."""

    pairing: Pairing
    comparison: Comparison
    words: CutWords


def under_both_steps(pairing: Pairing, before: UnderBoth | None) -> Generator[Step, None, UnderBoth]:
    """Works it out; where only the text is another one than `before`, the merges are not compared again."""
    if before and pairing.has_runs_of(before.pairing):
        comparison = before.comparison
    else:
        comparison = yield from compare_steps(pairing.one.training, pairing.other.training)
    words = yield from cut_words_steps(pairing.one.training, pairing.other.training.table, pairing.text)
    return UnderBoth(pairing, comparison, words)
