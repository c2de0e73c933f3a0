"""The same words cut freely and cut at their joints: what the shared parts cost in length."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace

from explorer.core.corpus import Corpus
from explorer.core.engines import training_steps
from explorer.core.progress import Step
from explorer.core.recipe import Joints, PreTokenRule, Recipe
from explorer.core.runs import same_merges
from explorer.core.training import Training
from explorer.errors import RecipeError
from explorer.labs.spellings import SpelledWord, spelled_words_steps


@dataclass(frozen=True, slots=True)
class Fit:
    """One training and the words of the corpus as it spells them. `symbols` is its alphabet without the stand-in."""

    training: Training
    words: tuple[SpelledWord, ...]

    @property
    def symbols(self) -> int:
        """How many symbols the corpus is spelled in."""
        return self.training.alphabet.floor - (self.training.alphabet.stand_in is not None)

    @property
    def length(self) -> int:
        """The corpus length at the end."""
        return self.training.length(self.training.learned)


@dataclass(frozen=True, slots=True)
class JointsCompared:
    """Both fits, and how many first merges they share."""

    free: Fit
    joined: Fit
    shared_merges: int


def joint_steps(corpus: Corpus, recipe: Recipe) -> Generator[Step, None, JointsCompared]:
    """Trains without joints and with them: the recipe's, else those that the corpus offers. RecipeError where there are none."""
    joints = recipe.joints or _offered(corpus.name, corpus.joints)
    if recipe.pretokens is not PreTokenRule.WORDS:
        raise RecipeError("Joints cut words: choose pre-tokens of kind words.")
    free = yield from _fit(corpus, replace(recipe, joints=None))
    joined = yield from _fit(corpus, replace(recipe, joints=joints))
    return JointsCompared(free, joined, same_merges(free.training, joined.training))


def _offered(name: str, offered: Mapping[bytes, tuple[bytes, ...]]) -> Joints:
    if not offered:
        raise RecipeError(f"{name} offers no joints to compare with. Give a file of them: one word a line, TAB, and its parts as un|do.")
    return Joints.of(offered)


def _fit(corpus: Corpus, recipe: Recipe) -> Generator[Step, None, Fit]:
    training = yield from training_steps(corpus, recipe)
    return Fit(training, (yield from spelled_words_steps(training)))
