"""What a large corpus asks of the memory: the recipe it is opened with, and what is told before a training that takes much.

A file is opened by entries. Those are seldom alike, so that every byte of a large file is a symbol of its own to be followed
(core/memory.py says what each takes); of pre-tokens that occur again and again, a gigabyte has some millions. Where entries would take more
than `SHARE` of the memory that can be had, the file is cut as GPT-2 cuts, and that is told. Whoever then asks for entries gets them, if
the memory is there.
"""

from explorer.core.corpus import Corpus
from explorer.core.memory import entries_need, gigabytes, memory_free
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.workspace.values import Level, Notice

ORDINARY, SPARING = "chapter-81", "gpt2"
SHARE = 0.5
WORTH_TELLING = 4_000_000_000  # bytes of memory


def first_recipe(corpus: Corpus) -> tuple[Recipe, Notice | None]:
    """The recipe that a file is opened with, and what is told about it where it is not the ordinary one."""
    needed, free = entries_need(len(corpus.data)), memory_free()
    if corpus.weights is not None or free is None or needed <= SHARE * free:
        return Recipe.of(ORDINARY), None
    return Recipe.of(SPARING), Notice(
        Level.INFO,
        f"Line by line, this corpus may need {gigabytes(needed)} of memory; {gigabytes(free)} can be had. "
        "It was cut as GPT-2 cuts instead; choose entries in the recipe to have it line by line all the same.",
    )


def memory_notice(corpus: Corpus, recipe: Recipe) -> Notice | None:
    """What is told before a training that may take much memory."""
    needed, free = entries_need(len(corpus.data)), memory_free()
    if recipe.pretokens is not PreTokenRule.ENTRIES or corpus.weights is not None or needed < WORTH_TELLING:
        return None
    there = f"; {gigabytes(free)} can be had" if free is not None else ""
    return Notice(Level.INFO, f"Line by line, this corpus needs up to {gigabytes(needed)} of memory{there}.")
