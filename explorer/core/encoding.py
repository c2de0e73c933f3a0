"""Encoding: the training loop with the counting taken out.

A text is cut as its recipe says and spelled in symbols; then every merge is applied in rank order, left to right, over
all pre-tokens at once (a boundary between them matches no merge). Lowest rank first, leftmost first is the same thing.
Cost: merges x text, each a search at the speed of C; there is no quadratic case.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.alphabet import BOUNDARY, FIRST_KEPT, Spelled, joined
from explorer.core.corpus import Corpus
from explorer.core.mapped import Data
from explorer.core.marking import marks_steps
from explorer.core.pretokens import Losses, corpus_cuts, read_steps
from explorer.core.progress import Progress, Stage, Step, drain
from explorer.core.recipe import PreTokenRule
from explorer.core.splitting import Cut, CutKind
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece, PieceKind, Rank, TokenId

TEXT_BOUNDARY = chr(ord(BOUNDARY) - 1)  # between texts: what even the second stage does not cross
NARROW_BELOW = (1 << 31) - 1  # bytes: of a shorter text every place, and one past the last, has room in 32 bits
KEPT_ID = -1  # stands in `ids` for a character that is kept without one
CUT_A_STEP = 500  # cuts and new symbols between two steps: about 1 ms
REPLACED_A_STEP = 500_000  # characters searched between two steps: well under 2 ms

Places = npt.NDArray[np.signedinteger[Any]]  # Any: of the width that `place_type` gives


def place_type(size: int) -> type[np.int32] | type[np.int64]:
    """The type of the places in a text of so many bytes, and of the numbers of its groups: int32 below two gigabytes, else int64."""
    return np.int32 if size < NARROW_BELOW else np.int64


@dataclass(frozen=True, eq=False)  # arrays have no single truth
class EncodedText:
    """A text and its tokens.

    `ids` (int32, `KEPT_ID` for a kept character), `starts` and `ends` (half-open byte spans in `data`) and `groups` (tokens of one
    number could be merged with each other, as they lie in one pre-token or, from the lift on, one text) have one entry a token, in
    text order; all but `ids` are of the type that `place_type` gives for `data`, and starts and ends may share their memory. What is
    added to them is therefore added in int64, as `spans_in` does. The bare marker's span is empty, at its word's end; what was lost
    lies in no span. `losses` are what this table can never give back of this text. A large corpus is not copied: `data` is its map.
    """

    table: MergeTable
    merges: int
    data: Data
    ids: npt.NDArray[np.int32]
    starts: Places
    ends: Places
    groups: Places
    losses: Losses

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.ids)

    def piece(self, n: int) -> Piece:
        """What the n-th token (0-based) stands for."""
        token_id = int(self.ids[n])
        if token_id == KEPT_ID:
            return Piece(self.covered(n), self._ends_word(n), PieceKind.KEPT)
        return self.table.pieces[token_id]

    def covered(self, n: int) -> bytes:
        """The bytes of the text that the n-th token covers."""
        return self.data[int(self.starts[n]) : int(self.ends[n])]

    def token_at(self, offset: int) -> int | None:
        """Which token (0-based) covers a byte of the text, None for a byte that no token stands for."""
        n = self.starting_before(offset + 1) - 1  # a bare marker's start is past every byte of its word
        return n if n >= 0 and offset < self.ends[n] else None

    def starting_before(self, offset: int) -> int:
        """How many tokens start before a byte: the index of the first that does not."""
        return int(np.searchsorted(self.starts, self._place(offset)))

    def ended_at(self, offset: int) -> int:
        """How many tokens end at a byte or before it: the index of the first that does not."""
        return int(np.searchsorted(self.ends, self._place(offset), side="right"))

    def spans_in(
        self, offset: int, tokens: slice | npt.NDArray[np.intp] = slice(None)
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The starts and ends (int64) of some tokens, in a corpus of which this text is the part that begins at byte `offset`."""
        return self.starts[tokens].astype(np.int64) + offset, self.ends[tokens].astype(np.int64) + offset

    def _place(self, offset: int) -> np.signedinteger[Any]:
        """A byte as the spans are: whatever is sought in an array of another type makes numpy copy the array."""
        return self.starts.dtype.type(max(0, min(offset, len(self.data) + 1)))

    @cached_property
    def decoded(self) -> bytes:
        """What decoding the tokens gives back."""
        kept = self.ids == KEPT_ID
        if not kept.any():
            return self.table.decode(self.ids.tolist())
        last = len(self) - 1
        return self.table.decode(
            (self.covered(n) if n == last else self.piece(n).decoded()) if kept[n] else int(self.ids[n]) for n in range(len(self))
        )

    def _ends_word(self, n: int) -> bool:
        """Whether a kept character ends a word and so carries the marker."""
        end = int(self.ends[n])
        return self.table.alphabet.marker and (end == len(self.data) or self.data[end] in b" \n")

    @property
    def exact(self) -> bool:
        """Whether decoding gives back the very bytes."""
        return self.decoded == self.data

    @cached_property
    def stand_ins(self) -> int:
        """How many tokens are the stand-in: characters that were lost."""
        stand_in = self.table.alphabet.stand_in
        return 0 if stand_in is None else int(np.count_nonzero(self.ids == stand_in))


def encode(table: MergeTable, data: bytes, merges: int | None = None, progress: Progress | None = None) -> EncodedText:
    """Encodes one text with the first `merges` merges (None: all)."""
    return drain(encoding_steps(table, data, merges), progress)


def encoding_steps(
    table: MergeTable, data: bytes, merges: int | None = None, fired: list[Rank] | None = None
) -> Generator[Step, None, EncodedText]:
    """Encodes one text step by step; the ranks that applied are appended to `fired`, in order."""
    return (yield from _encode(table, Corpus.of_text(data), merges, fired))


def corpus_encoding_steps(table: MergeTable, corpus: Corpus, merges: int | None = None) -> Generator[Step, None, EncodedText]:
    """Encodes the texts of a corpus (as the table's recipe reads it), each apart and once, whatever its weight."""
    read = yield from read_steps(corpus, table.recipe)
    return (yield from _encode(table, read, merges, None))


def _encode(
    table: MergeTable, corpus: Corpus, merges: int | None, fired: list[Rank] | None
) -> Generator[Step, None, EncodedText]:
    marks = yield from marks_steps(corpus, table.recipe)
    cuts = ((cut, text) for cut, text, _ in corpus_cuts(corpus, table.recipe, marks))
    return (yield from encode_cuts(table, corpus.data, cuts, merges, fired))


def encode_cuts(
    table: MergeTable, data: Data, cuts: Iterable[tuple[Cut, int]], merges: int | None, fired: list[Rank] | None
) -> Generator[Step, None, EncodedText]:
    """Encodes the cuts of a text or of several, each given with the number of its text; what no cut covers is not encoded."""
    symbols = _Symbols(table, data)
    since = 0
    for cut, text in cuts:
        if cut.end - cut.start > CUT_A_STEP:
            for _ in symbols.spell(cut):
                yield Step(Stage.CUTTING, cut.start, len(data))
        since += 1 + symbols.add(cut, text)
        if since >= CUT_A_STEP:
            since = 0
            yield Step(Stage.CUTTING, cut.end, len(data))
    spelling = "".join(symbols.parts)
    count = len(table.merges) if merges is None else min(merges, len(table.merges))
    since = 0
    for rank in range(count + 1):
        if rank == table.lift_rank:
            spelling = spelling.replace(BOUNDARY, "")
        if rank == count:
            break
        left, right = table.merges[rank]
        merged = spelling.replace(chr(left) + chr(right), chr(table.id_of_rank(rank)))
        if fired is not None and len(merged) != len(spelling):
            fired.append(rank)
        spelling = merged
        since += len(spelling) + 100
        if since > REPLACED_A_STEP:
            since = 0
            yield Step(Stage.ENCODING, rank + 1, count)
    return symbols.encoded(spelling, count)


class _Symbols:
    """A text spelled in symbols, and where each symbol lies in its bytes."""

    def __init__(self, table: MergeTable, data: Data) -> None:
        self.table, self.data = table, data
        self.stand_in = None if table.alphabet.stand_in is None else chr(table.alphabet.stand_in)
        self.parts: list[str] = []
        self.starts: list[int] = []  # of cuts, in bytes
        self.widths: list[bytes] = []  # of the symbols of each cut
        self.spelled: dict[tuple[bytes, bool], Spelled] = {}
        self.kept: dict[str, str] = {}
        self.spaces, self.line_ends = [0, -1], [0, -1]
        self.by_line = table.recipe.pretokens in (PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS)
        self.here = (0, 0)

    def add(self, cut: Cut, text: int) -> int:
        """Spells a cut, with a boundary before it; tells how many symbols had to be spelled for it, 0 for a cut met before."""
        if cut.kind is CutKind.LOST or (cut.kind is CutKind.MARKER and self.parts[-1][-1:] == self.stand_in):
            self._lose(cut)  # a stand-in carries no marker, so the space after it is lost as well
        if cut.kind not in (CutKind.PRETOKEN, CutKind.ALONE, CutKind.OUTSIDE):
            return 0
        place = (text, cut.line if self.by_line else 0)
        inside = place == self.here and cut.kind is CutKind.PRETOKEN
        self.parts.append(BOUNDARY if inside else TEXT_BOUNDARY)
        self.here = place
        key = self.data[cut.start : cut.end], cut.ends_word
        spelled = self.spelled.get(key)
        work = 0 if spelled else cut.end - cut.start
        if spelled is None:
            spelled = self.spelled[key] = self.table.alphabet.spell(*key, self.kept)
        self.parts.append(spelled.ids)
        self.starts.append(cut.start)
        self.widths.append(spelled.widths)
        return work

    def spell(self, cut: Cut) -> Iterator[None]:
        """Spells a long cut part by part, before it is added."""
        key = self.data[cut.start : cut.end], cut.ends_word
        if cut.kind in (CutKind.PRETOKEN, CutKind.ALONE, CutKind.OUTSIDE) and key not in self.spelled:
            parts: list[Spelled] = []
            for part in self.table.alphabet.spell_parts(*key, self.kept):
                parts.append(part)
                yield
            self.spelled[key] = joined(parts)

    def _lose(self, cut: Cut) -> None:
        ends = self.data.count(b"\n", cut.start, cut.end)
        for tally, lost, sign in ((self.line_ends, ends, b"\n"), (self.spaces, cut.end - cut.start - ends, b" ")):
            if lost and tally[1] < 0:
                tally[1] = self.data.find(sign, cut.start)
            tally[0] += lost

    def encoded(self, spelling: str, merges: int) -> EncodedText:
        """The tokens of the final spelling with the spans of the symbols they cover."""
        numbers = np.frombuffer(spelling.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int32)
        boundary = numbers >= ord(TEXT_BOUNDARY)
        ids, groups = numbers[~boundary], np.cumsum(boundary)[~boundary]
        counts = np.array([*self.table.symbol_counts, 1], np.int64)  # the last is a kept character's
        covered = counts[np.minimum(ids, self.table.size)]
        after = np.cumsum(covered)
        starts, ends = self.spans()
        ids[ids > FIRST_KEPT - len(self.kept)] = KEPT_ID
        losses = Losses(self.spaces[0], self.spaces[1], self.line_ends[0], self.line_ends[1])
        kind = place_type(len(self.data))
        return EncodedText(
            self.table, merges, self.data, ids,
            starts[after - covered].astype(kind), ends[after - 1].astype(kind), groups.astype(kind), losses,
        )  # fmt: skip

    def spans(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where each symbol starts and ends in the bytes of the text."""
        widths = np.frombuffer(b"".join(self.widths), np.uint8).astype(np.int64)
        symbols = np.array([len(each) for each in self.widths], np.int64)
        ends = np.cumsum(widths)
        before = np.concatenate(([0], ends))[np.cumsum(symbols) - symbols]  # bytes of all cuts before each
        ends += np.repeat(np.array(self.starts, np.int64) - before, symbols)
        return ends - widths, ends


def token_ids(encoded: EncodedText) -> tuple[TokenId | None, ...]:
    """The ids of the tokens, None for a kept character."""
    return tuple(None if token == KEPT_ID else token for token in encoded.ids.tolist())
