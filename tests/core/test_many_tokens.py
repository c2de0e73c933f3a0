"""Tables past the sizes at which 16 bits end and at which a token id is the number of a surrogate."""

import random

import pytest

from explorer.core.alphabet import Alphabet
from explorer.core.encoding import encode
from explorer.core.recipe import Recipe
from explorer.core.table import MergeTable
from explorer.core.table_file import parse_table, table_bytes
from explorer.core.vocabulary import Pair

PAIRS: tuple[Pair, ...] = tuple((left, right) for left in range(256) for right in range(256))  # in the order of their ids
HIGH, LOW = 256 + 0xD8F0, 256 + 0xDCF1  # ids that as two UTF-16 units would be one character


def table_of(size: int) -> MergeTable:
    """A table of so many tokens: every pair of bytes, as far as it goes, then pairs of pairs."""
    further = ((256 + at, 257 + at) for at in range(size))
    merges = [*PAIRS, *(pair for pair, _ in zip(further, range(max(0, size - 256 - len(PAIRS))), strict=False))]
    return MergeTable(Recipe(), Alphabet.of_bytes(), tuple(merges[: size - 256]))


@pytest.mark.parametrize("size", [0xE001, 65_535, 65_536, 65_537])
def test_case_069_every_size_encodes_decodes_and_is_saved(size: int) -> None:
    table, data = table_of(size), random.Random(69).randbytes(1000).replace(b"\n", b"")
    assert table.size == size
    encoded = encode(table, data)
    assert encoded.ids.max() > 50_000
    assert table.decode(encoded.ids.tolist()) == data
    assert table.decode([size - 1]) == table.pieces[size - 1].bytes
    assert parse_table(table_bytes(table)).table.merges == table.merges


def test_ids_that_look_like_surrogates_stay_two_tokens_and_may_be_merged() -> None:
    table = table_of(65_536)
    text = table.pieces[HIGH].bytes + table.pieces[LOW].bytes  # whose other pairs have later ranks
    assert (chr(HIGH) + chr(LOW)).encode("utf-16-le", "surrogatepass").decode("utf-16-le") == "\U0008c1f1"
    assert encode(table, text).ids.tolist() == [HIGH, LOW]
    joined = MergeTable(Recipe(), Alphabet.of_bytes(), (*PAIRS, (HIGH, LOW)))
    encoded = encode(joined, text * 2)
    assert encoded.ids.tolist() == [256 + len(PAIRS)] * 2
    assert encoded.decoded == text * 2
