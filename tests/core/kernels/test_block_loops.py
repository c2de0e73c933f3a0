"""Plain text cut a block at a time: at the places where the readable patterns cut it, whatever stands at a block's edge."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.alphabet import Alphabet
from explorer.core.fast_encoding import fast_encoding_steps
from explorer.core.kernels import why_not
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.splitting import cut_text
from explorer.core.table import MergeTable

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"nothing is compiled here: {why_not()}")

NAMES = ["gpt2", "cl100k", "o200k"]
CONTRACTIONS = ["'s", "'S", "'re", "'LL", "'Ve", "'d", "'t's", "'", "'r", "'x"]
WHITE = [" ", "  ", "\n", "\r\n", "\t", "\n ", " \n", "\n\n  ", "\x0b", "\u00a0"]
SIGNS = ["/", ",", "!\n", "\n/", "(", "--", "\x00", "\x7f", "\x1c"]
OTHERS = ["a", "B", "ab", "xY", "Zz", "1", "234", "56789", "é", "\u0301", "ſ", "中", "e", "l"]
PIECES = [piece.encode() for piece in CONTRACTIONS + WHITE + SIGNS + OTHERS] + [b"\xff"]

TABLES = {name: MergeTable(Recipe.of(name), Alphabet.of_bytes(), ()) for name in NAMES}


def assert_cut_alike(text: bytes) -> None:
    for table in TABLES.values():
        groups = drain(fast_encoding_steps(table, text)).groups.tolist()
        found = [n for n, (one, other) in enumerate(pairwise([0, *groups])) if one != other]
        assert found == [cut.start for cut in cut_text(table.recipe, text)]


@st.composite
def mostly_plain(draw: st.DrawFn) -> bytes:
    """A text of a few blocks, of a few pieces that stand beside each other in many ways."""
    pieces = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12, unique=True))
    rng = draw(st.randoms(use_true_random=False))
    weights = [rng.random() ** 2 for _ in pieces]
    return b"".join(rng.choices(pieces, weights, k=draw(st.sampled_from([40, 90, 200]))))


@settings(deadline=None, max_examples=400)
@given(mostly_plain())
def test_blocks_are_cut_as_the_patterns_cut(text: bytes) -> None:
    assert_cut_alike(text)


@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_piece_at_every_place_of_a_block(piece: bytes) -> None:
    """Words around it, so that every place near the end of a block has it once, whatever the pattern looks at after it."""
    after = b"the long piece of text that a block wants after it, "
    assert_cut_alike(b"".join(b"in " + b"x" * n + piece + after + piece for n in range(64)))


def test_long_runs_cross_blocks() -> None:
    runs = ["a", "B", " ", "é", "中", "-/", "ʰ", "\u0301", "\r\n", "7", ",", "\n", "\t", "'s", "\n ", "aB"]
    rng = random.Random(3)
    assert_cut_alike("".join(rng.choice(runs) * rng.choice([1, 3, 61, 62, 63, 64, 65, 72, 73, 74, 130, 201]) for _ in range(200)).encode())
