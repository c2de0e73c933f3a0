"""The blocks of a corpus as text with tokens, laid out at one width and one merge k.

Cells (characters and their widths) are worked out once a block, with room for the bars that any merge could need, and
kept while k moves: stepping and scrubbing change tints and ticks, and move nothing. Spelling and layout are done when
a block is asked for, and kept for the present k.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

from explorer.core.encoding import EncodedText
from explorer.core.recipe import AlphabetKind
from explorer.core.timeline import Timeline
from explorer.core.vocabulary import Piece
from explorer.gui.models.piece_ids import PieceIds
from explorer.gui.models.text_spans import TableFlags, TextSpans
from explorer.gui.text.cells import Cells, cells_of, recut
from explorer.gui.text.spans import Spans
from explorer.gui.text.token_text import TextLayout
from explorer.gui.theme import Role
from explorer.gui.views.corpus_lines import CorpusLines

Offsets = npt.NDArray[np.int64]

BLOCKS_KEPT = 48
STRETCHES_KEPT = 8  # spelled stretches of one k; a long pre-token is one, and is asked for part by part
ROLE = Role.TOKEN


@dataclass(frozen=True, eq=False)
class LineSpans(Spans):
    """Tokens whose tints begin anew at each line, so that equal lines look equal, wherever in a block they stand."""

    line_starts: Offsets = field(default_factory=lambda: np.zeros(1, np.int64))

    @classmethod
    def of_lines(cls, spans: Spans, line_starts: Offsets) -> "LineSpans":
        """The same tokens; `line_starts` are the offsets of the lines, ascending."""
        return cls(**{each.name: getattr(spans, each.name) for each in fields(spans)}, line_starts=line_starts)

    def turns(self) -> Offsets:
        through = np.cumsum(~self.single)
        before = np.append(0, through)[np.searchsorted(self.starts, self.line_starts)]
        line = np.searchsorted(self.line_starts, self.starts, side="right") - 1
        turns: Offsets = through - 1 - before[np.maximum(line, 0)]
        return turns


@dataclass(frozen=True, slots=True)
class CorpusToken:
    """One token of the corpus: the bytes [start, end) of the corpus it covers, and the text it is the n-th token of."""

    start: int
    end: int
    encoded: EncodedText
    n: int

    @property
    def piece(self) -> Piece:
        """What it stands for."""
        return self.encoded.piece(self.n)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A block laid out, and where its tokens come from: a text that begins at a byte of the corpus, and the index there of each."""

    layout: TextLayout
    begin: int
    encoded: EncodedText | None
    indexes: Offsets


class CorpusPage:
    """Layouts of blocks, asked for by number. `timeline` is None while nothing is trained: text without tokens."""

    def __init__(self, lines: CorpusLines, timeline: Timeline | None, width: float, k: int) -> None:
        self.lines, self.timeline, self.width, self.k = lines, timeline, width, k
        self.held = False  # while it is, blocks are laid out without tokens
        self.took_s = 0.0  # the last spelling, in seconds
        self._cells: OrderedDict[int, Cells] = OrderedDict()
        self._layouts: dict[int, _Laid] = {}
        self._stretches: list[tuple[int, TextSpans]] = []
        self._flags: TableFlags | None = None
        self.ids = PieceIds(timeline.training.table if timeline else None)

    def go_to_merge(self, k: int, *, patience_s: float) -> None:
        """Shows the tokens at another merge from now on; where spelling takes longer than that, not before `let_go`."""
        if k != self.k:
            self.k = k
            self.held = self.took_s > patience_s
            self._layouts.clear()
            self._stretches.clear()

    def let_go(self) -> None:
        """Ends the holding back: the tokens come, however long they take."""
        if self.held:
            self.held = False
            self._layouts.clear()

    def prepare(self, blocks: range) -> None:
        """Spells what is missing of some blocks in one go: a spelling costs a walk over all merges, however short its text."""
        missing = [block for block in blocks if block not in self._layouts]
        if len(missing) > 1 and self.timeline is not None and not self.held:
            self._stretch(self.timeline, self.lines.block_span(missing[0])[0], self.lines.block_span(missing[-1])[1])

    def layout(self, block: int) -> TextLayout:
        """A block with its tokens; offsets in it are counted from where the block begins."""
        return self._laid(block).layout

    def token_of(self, block: int, n: int) -> CorpusToken | None:
        """The n-th token of a block's layout."""
        laid = self._laid(block)
        return _token(laid.begin, laid.encoded, int(laid.indexes[n])) if laid.encoded else None

    def token_at(self, offset: int) -> CorpusToken | None:
        """The token that covers a byte of the corpus; None where no token does."""
        if (found := self._stretch_at(offset)) is None:
            return None
        begin, spans = found
        n = spans.at_byte(offset - begin)
        return None if n is None else _token(begin, spans.encoded, n)

    def token_from(self, offset: int) -> CorpusToken | None:
        """The first token that begins at a byte or behind it; tokens of no bytes are passed over."""
        while offset < len(self.lines.corpus.data) and (found := self._stretch_at(offset)):
            begin, encoded = found[0], found[1].encoded
            for n in range(int(np.searchsorted(encoded.starts, offset - begin)), len(encoded)):
                if encoded.ends[n] > encoded.starts[n]:
                    return _token(begin, encoded, n)
            offset = begin + len(encoded.data)
        return None

    def token_before(self, offset: int) -> CorpusToken | None:
        """The last token that begins before a byte; tokens of no bytes are passed over."""
        while offset > 0 and (found := self._stretch_at(offset - 1)):
            begin, encoded = found[0], found[1].encoded
            for n in range(int(np.searchsorted(encoded.starts, offset - begin)) - 1, -1, -1):
                if encoded.ends[n] > encoded.starts[n]:
                    return _token(begin, encoded, n)
            offset = begin
        return None

    def _laid(self, block: int) -> _Laid:
        if block not in self._layouts:
            start, end = self.lines.block_span(block)
            data = bytes(self.lines.corpus.data[start:end])
            begin, encoded, spans, indexes = 0, None, Spans.none(), np.zeros(0, np.int64)
            if self.timeline is not None and not self.held:
                begin, tokens = self._stretch(self.timeline, start, end)
                encoded = tokens.encoded
                spans, indexes = tokens.between(start - begin, end - begin)
            cells = recut(self._cells_of(block, data), spans)
            by_line = LineSpans.of_lines(spans, self.lines.line_starts(block))
            self._layouts[block] = _Laid(TextLayout(data, by_line, ROLE, self.width, cells), begin, encoded, indexes)
            if len(self._layouts) > BLOCKS_KEPT:
                del self._layouts[next(iter(self._layouts))]
        return self._layouts[block]

    def _cells_of(self, block: int, data: bytes) -> Cells:
        if block in self._cells:
            self._cells.move_to_end(block)
            return self._cells[block]
        self._cells[block] = cells = cells_of(data, self._finest(*self.lines.block_span(block)), ROLE)
        if len(self._cells) > BLOCKS_KEPT:
            self._cells.popitem(last=False)
        return cells

    def _finest(self, start: int, end: int) -> Spans:
        """The tokens of merge 0: those have the most edges."""
        if self.timeline is None:
            return Spans.none()
        if self.timeline.training.alphabet.kind is AlphabetKind.BYTES:  # every byte, without spelling a long pre-token
            at, no = np.arange(end - start), np.zeros(end - start, np.bool_)
            return Spans(at, at + 1, at, ~no, no)
        begin, spans = self._spell(self.timeline, start, end, 0)
        return spans.between(start - begin, end - begin)[0]

    def _stretch_at(self, offset: int) -> tuple[int, TextSpans] | None:
        if self.timeline is None or self.held:
            return None
        return self._stretch(self.timeline, *self.lines.block_span(self.lines.block_at(offset)))

    def _stretch(self, timeline: Timeline, start: int, end: int) -> tuple[int, TextSpans]:
        for begin, spans in self._stretches:
            if begin <= start and end <= begin + len(spans.data):
                return begin, spans
        before = time.perf_counter()
        found = self._spell(timeline, start, end, self.k)
        self.took_s = time.perf_counter() - before
        self._stretches = [found, *self._stretches[: STRETCHES_KEPT - 1]]
        return found

    def _spell(self, timeline: Timeline, start: int, end: int, k: int) -> tuple[int, TextSpans]:
        begin, encoded = timeline.spell(start, end, k)
        spans = TextSpans(encoded, flags=self._flags)
        self._flags = spans.flags
        return begin, spans


def _token(begin: int, encoded: EncodedText, n: int) -> CorpusToken:
    return CorpusToken(begin + int(encoded.starts[n]), begin + int(encoded.ends[n]), encoded, n)
