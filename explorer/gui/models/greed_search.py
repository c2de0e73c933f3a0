"""The question of the greed lab and its answer: the best merges, a training that makes them, the words under both. Knows no Qt."""

from collections.abc import Generator
from dataclasses import dataclass, replace

from explorer.core.corpus import Corpus
from explorer.core.engines import training_steps
from explorer.core.figures import thousands
from explorer.core.progress import Step
from explorer.core.recipe import Recipe
from explorer.core.runs import Run
from explorer.core.training import Training
from explorer.gui.models.comparison import Comparison, compare_steps
from explorer.gui.models.words_cut import CutWords, cut_words_steps
from explorer.labs.optimum import BoundRule, Greedy, Optimum, PiecePair, optimum_steps, recipe_along

MOST_MERGES = 6  # offered
FIRST_NODES = 5_000  # states looked at before a person asks for more
DEEPER = 4  # times as many, each time
LARGE = 2_000  # symbols of the distinct pre-tokens from which on a search is begun only when asked for
FEWER = ((100, 4), (600, 3))  # symbols up to which so many merges are searched at first; of larger corpora 2

WHY = {
    BoundRule.GREATEST_COUNT: "no merge can save more than the best first one",
    BoundRule.DOUBLING: "a merge at most doubles the longest token",
}


@dataclass(frozen=True, eq=False)
class Question:
    """The best sequence of so many merges, looking at no more than `nodes` states; size and choices of the recipe play no part."""

    corpus: Corpus
    recipe: Recipe
    merges: int
    nodes: int

    def same_as(self, other: "Question | None") -> bool:
        """Whether both have the same answer."""
        return other is not None and self.about(other) and (self.merges, self.nodes) == (other.merges, other.nodes)

    def about(self, other: "Question | None") -> bool:
        """Whether both are about one corpus cut in one way."""
        return other is not None and self.corpus is other.corpus and self.recipe == other.recipe


@dataclass(frozen=True)
class Answer:
    """What was found; `best` is a training that makes the best merges, compared with greedy merging by the recipe's own rule."""

    question: Question
    optimum: Optimum
    best: Training
    comparison: Comparison
    words: CutWords

    @property
    def greedy(self) -> Greedy:
        """Greedy merging by the recipe's own tie rule."""
        return self.optimum.greedy[0]


def bare(recipe: Recipe) -> Recipe:
    """A recipe without what plays no part in the search."""
    return replace(recipe.without_size(), choices=())


def answer_steps(question: Question) -> Generator[Step, None, Answer]:
    """Searches. RecipeError and TooLargeError as `optimum_steps` has them."""
    optimum = yield from optimum_steps(question.corpus, question.recipe, question.merges, question.nodes)
    best = yield from training_steps(question.corpus, recipe_along(question.recipe, optimum.best_pairs))
    training = optimum.greedy[0].training
    comparison = yield from compare_steps(training, best)
    return Answer(question, optimum, best, comparison, (yield from cut_words_steps(training, best.table, b"")))


def symbols_of(run: Run) -> int:
    """How many symbols the distinct pre-tokens of a run have: what is counted at each state of the search."""
    return run.training.distinct_symbols


def merges_at_first(run: Run) -> int:
    """How many merges are searched before a person says otherwise: fewer on a larger corpus."""
    symbols = symbols_of(run)
    return next((merges for most, merges in FEWER if symbols <= most), 2)


def recipe_at(run: Run, pairs: tuple[PiecePair, ...]) -> Recipe:
    """The recipe of a run that makes these merges first and then goes on by its rule, to its own size if that has room for them."""
    recipe, made = run.recipe, len(pairs)
    along = replace(recipe, choices=recipe_along(recipe, pairs).choices)
    if recipe.merges is not None:
        return along.asking(merges=max(recipe.merges, made))
    if recipe.rows is not None:
        return along.asking(rows=max(recipe.rows, run.training.alphabet.floor + made))
    return along


# --- in words ---------------------------------------------------------------------------------------------------------


def verdict(answer: Answer) -> str:
    """Whether the best is proven, and by how much looking."""
    optimum = answer.optimum
    best, states = thousands(best_length(optimum)), thousands(optimum.nodes)
    merges = f"{optimum.merges} merge{'' if optimum.merges == 1 else 's'}"
    if optimum.proven:
        return f"Proven best: no sequence of {merges} leaves fewer than {best} tokens. {states} states were looked at."
    return f"The best of {states} states, not proven: {best} tokens after {merges}."


def bound_words(answer: Answer) -> str:
    """What no merges can reach; empty where the best is proven."""
    bound = answer.optimum.bound
    return f"No merges reach less than {thousands(bound.length)}: {WHY[bound.rule]}." if bound else ""


def share_words(answer: Answer) -> str:
    """How much of what could be saved greedy merging saved."""
    optimum = answer.optimum
    could, saved = optimum.start - best_length(optimum), optimum.start - greedy_length(answer.greedy, optimum.start)
    if not could:
        return "No merge saves anything."
    what = "that could be saved" if optimum.proven else "that the best found saves"
    return f"Greedy saved {thousands(saved)} of the {thousands(could)} tokens {what}, or {_percent(saved, could)}\u00a0%."


def _percent(part: int, whole: int) -> str:
    """One decimal at most; never 100 for less than all."""
    return "100" if part == whole else f"{min(99.9, 100 * part / whole):.1f}".removesuffix(".0")


def rules_words(answer: Answer) -> str:
    """Where greedy merging ends under each tie rule."""
    optimum = answer.optimum
    by_length: dict[int, list[str]] = {}
    for one in optimum.greedy:
        by_length.setdefault(greedy_length(one, optimum.start), []).append(one.tie.value.replace("-", " "))
    if len(by_length) == 1:
        return f"Greedy ends at {thousands(next(iter(by_length)))} under every tie rule."
    ends = (f"at {thousands(length)} by {' and '.join(rules)}" for length, rules in by_length.items())
    return f"Greedy ends {', '.join(ends)}."


def decides_words(answer: Answer) -> str:
    """What makes the difference between greedy and best, for a header."""
    optimum, best = answer.optimum, best_length(answer.optimum)
    if greedy_length(answer.greedy, optimum.start) == best:
        return "greedy reaches the best" if optimum.proven else "nothing better was found"
    reaching = [one.tie.value.replace("-", " ") for one in optimum.greedy if greedy_length(one, optimum.start) == best]
    return f"the tie rule decides: {' and '.join(reaching)} would reach it" if reaching else "no tie rule reaches the best"


def best_length(optimum: Optimum) -> int:
    """The shortest length found."""
    return optimum.best[-1] if optimum.best else optimum.start


def greedy_length(greedy: Greedy, start: int) -> int:
    """The length greedy merging ends at."""
    return greedy.lengths[-1] if greedy.lengths else start

