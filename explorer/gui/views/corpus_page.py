"""The blocks of a corpus as text with tokens, laid out at one width and one merge k.

Cells (characters and their widths) are worked out once a block, with room for the bars that any merge could need, and
kept while k moves: stepping and scrubbing change tints and ticks, and move nothing. Spelling and layout are done when
a block is asked for, and kept for the present k. A long pre-token that has to be spelled whole takes seconds: that is begun here
and gone on with elsewhere, and its blocks are text without tokens until it is there.
"""

from collections import OrderedDict
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

from explorer.core.encoding import EncodedText
from explorer.core.progress import Step, begin
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
STEPS_AT_ONCE = 8  # of a spelling, at most about 2 ms each, that are done where it is asked for: far more than a screenful takes
ROLE = Role.TOKEN

Spelled = tuple[int, EncodedText]  # where in the corpus a spelled text begins, and the text
SpellingSteps = Generator[Step, None, Spelled]
SpellLater = Callable[[SpellingSteps, Callable[[Spelled | None], None]], None]
"""Runs the rest of a spelling beside the window, the one before being given up, and hands over what came of it: None if it was stopped."""


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


@dataclass(frozen=True, slots=True, eq=False)  # asked for twice it is not the same
class _Waited:
    """The bytes [start, end) at merge k, which are being spelled elsewhere."""

    start: int
    end: int
    k: int


class CorpusPage:
    """Layouts of blocks, asked for by number. `timeline` is None while nothing is trained: text without tokens.

    What takes long is spelled by `later`; `arrived` is called when it is there.
    """

    def __init__(
        self, lines: CorpusLines, timeline: Timeline | None, width: float, k: int, later: SpellLater, arrived: Callable[[], None]
    ) -> None:
        self.lines, self.timeline, self.width, self.k = lines, timeline, width, k
        self._later, self._tell = later, arrived
        self._waited: _Waited | None = None
        self._stopped: _Waited | None = None
        self._cells: OrderedDict[int, Cells] = OrderedDict()
        self._layouts: dict[int, _Laid] = {}
        self._stretches: list[tuple[int, int, TextSpans]] = []  # the merge, where in the corpus it begins, its tokens
        self._flags: TableFlags | None = None
        self.ids = PieceIds(timeline.training.table if timeline else None)

    @property
    def is_late(self) -> bool:
        """Whether tokens are being spelled elsewhere, and their blocks are without them."""
        return self._waited is not None

    def go_to_merge(self, k: int) -> None:
        """Shows the tokens at another merge from now on."""
        if k != self.k:
            self._stretches = [stretch for stretch in self._stretches if self._is_finest(stretch[0])]
            if self._waited and not self._is_finest(self._waited.k):
                self._waited = None
            self._stopped = None
            self.k = k
            self._layouts.clear()

    def prepare(self, blocks: range) -> None:
        """Spells what is missing of some blocks in one go: a spelling costs a walk over all merges, however short its text."""
        missing = [block for block in blocks if block not in self._layouts]
        if len(missing) > 1:
            self._stretch(self.lines.block_span(missing[0])[0], self.lines.block_span(missing[-1])[1], self.k)

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
        begins, spans = found
        n = spans.at_byte(offset - begins)
        return None if n is None else _token(begins, spans.encoded, n)

    def token_from(self, offset: int) -> CorpusToken | None:
        """The first token that begins at a byte or behind it; tokens of no bytes are passed over."""
        while offset < len(self.lines.corpus.data) and (found := self._stretch_at(offset)):
            begins, encoded = found[0], found[1].encoded
            for n in range(encoded.starting_before(offset - begins), len(encoded)):
                if encoded.ends[n] > encoded.starts[n]:
                    return _token(begins, encoded, n)
            offset = begins + len(encoded.data)
        return None

    def token_before(self, offset: int) -> CorpusToken | None:
        """The last token that begins before a byte; tokens of no bytes are passed over."""
        while offset > 0 and (found := self._stretch_at(offset - 1)):
            begins, encoded = found[0], found[1].encoded
            for n in range(encoded.starting_before(offset - begins) - 1, -1, -1):
                if encoded.ends[n] > encoded.starts[n]:
                    return _token(begins, encoded, n)
            offset = begins
        return None

    def _laid(self, block: int) -> _Laid:
        if block not in self._layouts:
            start, end = self.lines.block_span(block)
            data = bytes(self.lines.corpus.data[start:end])
            begins, encoded, spans, indexes = 0, None, Spans.none(), np.zeros(0, np.int64)
            if found := self._stretch(start, end, self.k):
                begins, tokens = found
                encoded = tokens.encoded
                spans, indexes = tokens.between(start - begins, end - begins)
            cells = recut(self._cells_of(block, data), spans)
            by_line = LineSpans.of_lines(spans, self.lines.line_starts(block))
            self._layouts[block] = _Laid(TextLayout(data, by_line, ROLE, self.width, cells), begins, encoded, indexes)
            if len(self._layouts) > BLOCKS_KEPT:
                del self._layouts[next(iter(self._layouts))]
        return self._layouts[block]

    def _cells_of(self, block: int, data: bytes) -> Cells:
        if block in self._cells:
            self._cells.move_to_end(block)
            return self._cells[block]
        finest = self._finest(*self.lines.block_span(block))
        cells = cells_of(data, finest or Spans.none(), ROLE)
        if finest is not None:
            self._cells[block] = cells
            if len(self._cells) > BLOCKS_KEPT:
                self._cells.popitem(last=False)
        return cells

    def _finest(self, start: int, end: int) -> Spans | None:
        """The tokens of merge 0: those have the most edges. None while they are late."""
        if self.timeline is None:
            return Spans.none()
        if self._is_bytes:  # every byte, without spelling a long pre-token
            at, no = np.arange(end - start), np.zeros(end - start, np.bool_)
            return Spans(at, at + 1, at, ~no, no)
        found = self._stretch(start, end, 0)
        return found[1].between(start - found[0], end - found[0])[0] if found else None

    @property
    def _is_bytes(self) -> bool:
        return self.timeline is not None and self.timeline.training.alphabet.kind is AlphabetKind.BYTES

    def _is_finest(self, k: int) -> bool:
        """Whether the tokens at a merge are wanted whatever merge is shown, for the cells."""
        return k == 0 and not self._is_bytes

    def _stretch_at(self, offset: int) -> tuple[int, TextSpans] | None:
        return self._stretch(*self.lines.block_span(self.lines.block_at(offset)), self.k)

    def _stretch(self, start: int, end: int, k: int) -> tuple[int, TextSpans] | None:
        """A spelled stretch that holds the bytes [start, end); None where there is none yet. One at a time is spelled elsewhere."""
        for merge, begins, spans in self._stretches:
            if merge == k and begins <= start and end <= begins + len(spans.data):
                return begins, spans
        stopped = self._stopped is not None and self._stopped.k == k and self._stopped.start <= start and end <= self._stopped.end
        if self.timeline is None or self._waited or stopped:
            return None
        steps = self.timeline.spell_steps(start, end, k)
        if found := begin(steps, STEPS_AT_ONCE):
            return self._keep(k, *found[0])
        waited = self._waited = _Waited(start, end, k)
        self._later(steps, lambda spelled: self._take(waited, spelled))
        return None

    def _take(self, waited: _Waited, spelled: Spelled | None) -> None:
        """Takes what was spelled elsewhere, unless it is out of date. What was stopped is not begun again for the same bytes and merge."""
        if waited is not self._waited:
            return
        self._waited = None
        if spelled is None:
            self._stopped = waited
        else:
            self._keep(waited.k, *spelled)
            self._layouts.clear()
            self._tell()

    def _keep(self, k: int, begins: int, encoded: EncodedText) -> tuple[int, TextSpans]:
        spans = TextSpans(encoded, flags=self._flags)
        self._flags = spans.flags
        self._stretches = [(k, begins, spans), *self._stretches[: STRETCHES_KEPT - 1]]
        return begins, spans


def _token(begin: int, encoded: EncodedText, n: int) -> CorpusToken:
    return CorpusToken(begin + int(encoded.starts[n]), begin + int(encoded.ends[n]), encoded, n)
