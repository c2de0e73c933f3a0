"""Published vocabularies: the ids and the cuts of the compiled encoder are those of tiktoken and tokenizers.

Run where the extra `vocabularies` is installed, skipped elsewhere.
"""

import base64
import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from explorer.core.alphabet import Alphabet
from explorer.core.fast_encoding import fast_encoding_steps, ids_steps
from explorer.core.kernels import why_not
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.splitting import PATTERNS
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Pair
from tests.core.kernels.test_splitting_loops import MANY_SCRIPTS

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"nothing is compiled here: {why_not()}")

NAMES = ["gpt2", "cl100k", "o200k"]
PLAIN = """It's 1 of 12,345.67 things we'd SAY'LL be done (by "them", or 'us'); don'ts aren't.\n
    indented, camelCase x/y\r\n\tand a tab!\n"""


def some_texts() -> list[str]:
    """Texts of every kind, each long enough that blocks, batches and the cache all have their part in it."""
    rng = random.Random(3)
    words = MANY_SCRIPTS.split() + PLAIN.split(" ")
    return [
        MANY_SCRIPTS * 30, PLAIN * 100, "".join(rng.choices(MANY_SCRIPTS, k=20_000)), "".join(rng.choices(PLAIN, k=50_000)),
        " ".join(rng.choices(words, k=5_000)), "ab" * 9000, "a" * 20_000, " " * 20_000, "".join(rng.choices("etaoins", k=9000)),
        "".join(map(chr, rng.choices(range(0x4E00, 0x9FA6), k=9000))),
    ]  # fmt: skip


@cache
def ranks_of(name: str) -> dict[bytes, int]:
    """The rank of every token of a published vocabulary."""
    package = pytest.importorskip("mbpe", reason="the vocabularies are in the package mbpe, of the extra `vocabularies`")
    data = (Path(str(package.__file__)).parent / "data" / f"{name}.tiktoken").read_bytes()
    lines = (line.split() for line in data.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in lines}


@cache
def merges_of(name: str) -> tuple[tuple[bytes, bytes], ...]:
    """The two parts of every token of more than one byte, in rank order."""
    ranks = ranks_of(name)
    return tuple(split_in_two(token, ranks) for token in sorted(ranks, key=ranks.__getitem__) if len(token) > 1)


def split_in_two(token: bytes, ranks: dict[bytes, int]) -> tuple[bytes, bytes]:
    """What a token was merged from: its bytes, merged by the ranks below its own."""
    parts = [bytes([value]) for value in token]
    while len(parts) > 2:
        rank, at = min((ranks.get(left + right, len(ranks)), n) for n, (left, right) in enumerate(pairwise(parts)))
        assert rank < ranks[token]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts[0], parts[1]


@cache
def table_of(name: str) -> tuple[MergeTable, np.ndarray]:
    """A published vocabulary as a table, and the rank of each of its ids."""
    ranks = ranks_of(name)
    ids = {bytes([value]): value for value in range(256)}
    merges: list[Pair] = []
    for left, right in merges_of(name):
        ids[left + right] = 256 + len(merges)
        merges.append((ids[left], ids[right]))
    return MergeTable(Recipe.of(name), Alphabet.of_bytes(), tuple(merges)), np.array([ranks[token] for token in ids])


@pytest.mark.parametrize("name", NAMES)
def test_the_ids_are_those_of_tiktoken(name: str) -> None:
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken, of the extra `vocabularies`, is not installed")
    table, names = table_of(name)
    peer = tiktoken.Encoding(name, pat_str=PATTERNS[table.recipe.pretokens], mergeable_ranks=ranks_of(name), special_tokens={})
    for text in some_texts():
        ours = drain(fast_encoding_steps(table, text.encode()))
        assert names[ours.ids].tolist() == peer.encode_ordinary(text)
        assert drain(ids_steps(table, text.encode())).tolist() == ours.ids.tolist()
        assert ours.decoded == text.encode()


def test_the_ids_and_spans_are_those_of_tokenizers() -> None:
    """For gpt2, whose pattern it has built in."""
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers, of the extra `vocabularies`, is not installed")
    table, names = table_of("gpt2")
    byte_level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters = letters_of_bytes()
    spelled = {"".join(letters[byte] for byte in token): rank for token, rank in ranks_of("gpt2").items()}
    pairs = [("".join(letters[byte] for byte in left), "".join(letters[byte] for byte in right)) for left, right in merges_of("gpt2")]
    peer = tokenizers.Tokenizer(tokenizers.models.BPE(spelled, pairs))
    peer.pre_tokenizer = byte_level
    for text in some_texts():
        ours, theirs = drain(fast_encoding_steps(table, text.encode())), peer.encode(text)
        assert names[ours.ids].tolist() == theirs.ids
        before = np.concatenate([[0], np.cumsum([len(character.encode()) for character in text])])
        starts, ends = before[np.array(theirs.offsets)].T
        whole = ends - starts == ours.ends - ours.starts  # the others are parts of characters, which they count as whole ones
        assert whole.any()
        assert starts[whole].tolist() == ours.starts[whole].tolist()


def letters_of_bytes() -> list[str]:
    """How tokenizers spell a byte: as itself where it can be seen, else as the next letter from U+0100 on."""
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = iter(range(0x100, 0x200))
    return [chr(value) if value in seen else chr(next(others)) for value in range(256)]
