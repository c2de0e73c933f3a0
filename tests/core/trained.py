"""What tests of the core say about a training: its figures as tuples, its merges as text."""

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import Training
from tests.core.naive import Naive

PUBLISHED = Recipe.of("published")
CHAPTER = Recipe.of("chapter-81").asking()

Figures = tuple[int, int, int, int, int, int]


def counts(**words: int) -> Corpus:
    return Corpus.of_counts({word.encode(): count for word, count in words.items()})


def figures(training: Training) -> list[Figures]:
    return [(m.left, m.right, m.count, m.tied, m.saved, m.length) for m in training.merges]


def naive_figures(naive: Naive) -> list[Figures]:
    return [(m.left, m.right, m.count, m.tied, m.saved, m.length) for m in naive.merges]


def spelled(training: Training) -> list[tuple[str, str, int]]:
    pieces = training.table.pieces
    return [(pieces[m.left].spelled(), pieces[m.right].spelled(), m.count) for m in training.merges]


def same(one: Training, other: Training) -> bool:
    """Whether two trainings agree in everything but why they stopped and how their size was asked for."""
    return (one.merges, one.alphabet, one.pretokens, one.lift_rank) == (other.merges, other.alphabet, other.pretokens, other.lift_rank)
