"""Runs: one training each, and the forks that a person's choices made of it."""

from collections.abc import Generator
from dataclasses import dataclass, replace

from explorer.core.engines import training_steps
from explorer.core.progress import Step
from explorer.core.recipe import Choice, Recipe
from explorer.core.table import MergeTable
from explorer.core.training import Training, UnderWay
from explorer.core.vocabulary import Pair, Rank


@dataclass(frozen=True, slots=True)
class Run:
    """A training with its place in the tree of runs.

    `fork_rank` is the first rank at which it may differ from its parent (None for a root). Selections cross runs by
    piece, never by id.
    """

    id: int
    parent: int | None
    fork_rank: Rank | None
    recipe: Recipe
    training: Training
    name: str


def pair_name(table: MergeTable, pair: Pair) -> str:
    """A pair as a person reads it, for the name of a fork: `s + t</w>`."""
    return " + ".join(table.text(token) or table.piece(token).bytes.hex(" ") for token in pair)


def fork_recipe(run: Run, rank: Rank, pair: Pair) -> Recipe:
    """The recipe of a fork: the choices before the rank, the pair chosen at it, and a size that has room for it."""
    table = run.training.table
    choice = Choice(rank, table.piece(pair[0]), table.piece(pair[1]))
    before = tuple(made for made in run.recipe.choices if made.rank < rank)
    recipe = replace(run.recipe, choices=(*before, choice))
    if recipe.merges is not None:
        return recipe.asking(merges=max(recipe.merges, rank + 1))
    if recipe.rows is not None:
        return recipe.asking(rows=max(recipe.rows, run.training.alphabet.floor + rank + 1))
    return recipe


def fork_steps(run: Run, rank: Rank, pair: Pair, run_id: int, under_way: UnderWay | None = None) -> Generator[Step, None, Run]:
    """Forks a run: its first `rank` merges are made again, then the chosen pair, then what the rule says.

    `under_way` is given by who wants to go on from the fork; see `training.training_steps`.
    """
    recipe = fork_recipe(run, rank, pair)
    training = yield from training_steps(run.training.corpus, recipe, run.training.cut(rank), under_way=under_way)
    name = f"{pair_name(run.training.table, pair)} at merge {rank}"
    return Run(run_id, run.id, rank, recipe, training, name)


def same_merges(one: Training, other: Training) -> int:
    """How many first merges two trainings share, by piece."""
    shared = 0
    a, b = one.table, other.table
    for left, right in zip(a.merges, b.merges, strict=False):
        if [a.pieces[at] for at in left] != [b.pieces[at] for at in right]:
            break
        shared += 1
    return shared


def rows_only_in(one: Training, other: Training) -> tuple[int, ...]:
    """The ids of the merged tokens of one training whose pieces the other's table has not, in rank order."""
    table = one.table
    return tuple(at for at in range(table.alphabet.first_merged_id, table.size) if other.table.find(table.pieces[at]) is None)
