"""What training decides by: the count of every pair, and the order among pairs of one count.

Training and the timeline ask these same functions, so a figure shown for a merge cannot differ from the one that it was
learned by. Spellings are strings with one character a token (see alphabet.py).
"""

from collections.abc import Callable, Generator, Iterable
from itertools import pairwise

from explorer.core.alphabet import KEPT_FROM, Alphabet
from explorer.core.pretokens import PreTokens
from explorer.core.progress import Step
from explorer.core.recipe import AlphabetKind, Counting, TieRule
from explorer.core.vocabulary import Pair, Piece, TokenId

COUNTED_A_STEP = 20_000  # pairs counted between two steps: about 2 ms


def count_pairs(
    spellings: Iterable[str], weights: Iterable[int], counting: Counting, stand_in: TokenId | None, step: Step
) -> Generator[Step, None, dict[Pair, int]]:
    """Every adjacent pair of the spellings with its weighted count; yields `step` each `COUNTED_A_STEP` pairs.

    What the alphabet lacks stands in no pair, be it a stand-in or a character that is kept without an id. Only a corpus
    that is spelled in the table of another has such.
    """
    tally: dict[str, int] = {}
    since = 0
    for spelling, weight in zip(spellings, weights, strict=True):
        for start in range(0, len(spelling) - 1, COUNTED_A_STEP):
            part = spelling[start : start + COUNTED_A_STEP + 1]
            for left, right in pairwise(part):
                pair = left + right
                tally[pair] = tally.get(pair, 0) + weight
            since += len(part)
            if since >= COUNTED_A_STEP:
                since = 0
                yield step
    kept, lost = chr(KEPT_FROM), None if stand_in is None else chr(stand_in)
    counts = {(ord(pair[0]), ord(pair[1])): count for pair, count in tally.items() if max(pair) < kept and lost not in (pair[0], pair[1])}
    if counting is Counting.DISJOINT:
        doubles = [pair for pair in counts if pair[0] == pair[1]]
        counts.update({pair: count_disjoint(spellings, weights, pair) for pair in doubles})
    return counts


def count_disjoint(spellings: Iterable[str], weights: Iterable[int], pair: Pair) -> int:
    """How many occurrences of a pair a merge would replace: left to right, without overlap, weighted."""
    text = chr(pair[0]) + chr(pair[1])
    return sum(spelling.count(text) * weight for spelling, weight in zip(spellings, weights, strict=True))


def tie_order(
    rule: TieRule, alphabet: Alphabet, pieces: list[Piece], spellings: list[str], places: PreTokens, tied: list[Pair]
) -> Callable[[Pair], tuple[object, ...]]:
    """The order a tie rule gives to the tied pairs, as a sort key: the first one is merged.

    lowest-ids: left id, then right id. lexicographic: the pieces as text with the marker as `</w>` (raw bytes in a byte
    alphabet), left, right, then ids. first-met, last-met: the position of the pair in the undeduplicated corpus.
    """
    if rule is TieRule.LOWEST_IDS or len(tied) == 1:
        return lambda pair: pair
    if rule is TieRule.LEXICOGRAPHIC:
        if alphabet.kind is AlphabetKind.BYTES:
            return lambda pair: (pieces[pair[0]].bytes, pieces[pair[1]].bytes, *pair)
        return lambda pair: (pieces[pair[0]].spelled(), pieces[pair[1]].spelled(), *pair)
    found = first_places(spellings, places.first, tied) if rule is TieRule.FIRST_MET else last_places(spellings, places.last, tied)
    return lambda pair: found[pair]


def first_places(spellings: list[str], starts: tuple[int, ...], pairs: list[Pair]) -> dict[Pair, tuple[int, int]]:
    """Where each pair first stands: start of its pre-token in bytes, tokens into it."""
    found: dict[Pair, tuple[int, int]] = {}
    for pair in pairs:
        text = chr(pair[0]) + chr(pair[1])
        found[pair] = min((start, at) for spelling, start in zip(spellings, starts, strict=True) if (at := spelling.find(text)) >= 0)
    return found


def last_places(spellings: list[str], starts: tuple[int, ...], pairs: list[Pair]) -> dict[Pair, tuple[int, int]]:
    """Where each pair last stands, negated, so that the last one sorts first."""
    found: dict[Pair, tuple[int, int]] = {}
    for pair in pairs:
        text = chr(pair[0]) + chr(pair[1])
        found[pair] = min((-start, -at) for spelling, start in zip(spellings, starts, strict=True) if (at := spelling.rfind(text)) >= 0)
    return found
