"""Every kernel of counting and encoding called once, on next to nothing; see rehearsal.py."""

from dataclasses import replace

import numpy as np

from explorer.core.alphabet import Alphabet
from explorer.core.compiled_table import PretokenCache, compiled_table
from explorer.core.corpus import Corpus
from explorer.core.distinct import rehearse_tables
from explorer.core.fast_encoding import cross_boundaries_steps, fast_encoding_steps, ids_steps
from explorer.core.fast_pretokens import pretokenize_arrays
from explorer.core.merging import merge_in_heap, merge_long
from explorer.core.pretokens import Losses
from explorer.core.progress import drain
from explorer.core.recipe import Joints, PreTokenRule, Recipe
from explorer.core.table import MergeTable
from explorer.core.token_arrays import Tokens

LETTERS = "ab é ab\n1 ".encode() * 3 + b"a" * 100
LONG = b"a" * 5_000


def rehearse() -> None:
    """Counts, spells and encodes a little of everything."""
    for recipe in (Recipe.of("gpt2"), Recipe.of("published")):
        drain(pretokenize_arrays(Corpus.of_text(LETTERS), recipe))
    rehearse_tables(Corpus.of_text(LETTERS), Recipe.of("gpt2"))
    merges = ((97, 98), (97, 97), (257, 97))
    for recipe in (Recipe.of("gpt2"), replace(Recipe.of("byte-words"), lift=258), Recipe(pretokens=PreTokenRule.PATTERN, pattern=".")):
        table = MergeTable(recipe, Alphabet.of_bytes(), merges, None if recipe.lift is None else 2)
        drain(ids_steps(table, LETTERS + LONG))
        drain(fast_encoding_steps(table, LETTERS + LONG, fired=[]))
    _rehearse_large_places()
    alphabet, _ = drain(pretokenize_arrays(Corpus.of_text(LETTERS), Recipe.of("published")))
    for joints in (None, Joints.of({b"ab": (b"a", b"b")})):
        drain(fast_encoding_steps(MergeTable(replace(Recipe.of("published"), joints=joints), alphabet, ()), LETTERS))
    _rehearse_stretches(table)


def _rehearse_large_places() -> None:
    """The second stage over what a text of two gigabytes gives: places of 64 bits."""
    table = MergeTable(replace(Recipe.of("byte-words"), lift=258), Alphabet.of_bytes(), ((97, 98),), 0)
    starts = np.arange(2, dtype=np.int64)
    tokens = Tokens(np.array([97, 98], np.int32), starts, starts + 1, starts + 1, Losses())
    drain(cross_boundaries_steps(table, drain(compiled_table(table)), Corpus.of_text(b"ab"), 1, tokens))


def _rehearse_stretches(table: MergeTable) -> None:
    """Long stretches of both kinds of symbols, by windows and by a heap."""
    compiled = drain(compiled_table(table))
    cache = PretokenCache()
    cache.begin(compiled.size)
    cache.make_room()
    data = np.frombuffer(LONG, np.uint8)
    for source in (data, data.astype(np.int32)):
        out = np.empty(len(source), np.int32)
        drain(merge_long(source, 0, len(source), compiled.before_lift, cache, out, 0))
        drain(merge_in_heap(source, 0, len(source), compiled.before_lift, cache.bound, out, 0))
