"""Keyword in context: the places of a token or pair in lines around one column, and a strip that says where they lie."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter

from explorer.core.corpus import Corpus
from explorer.core.timeline import Place
from explorer.gui import theme
from explorer.gui.models.places import Gathered, Subject
from explorer.gui.painted import Painted, PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.piece_spelling import fitted, piece_spelling
from explorer.gui.painting.spelling import Spelling, spell
from explorer.gui.theme import Ink, Role, px
from explorer.gui.views.corpus_lines import CorpusLines

COLUMN = 0.40  # of the width: where the token or pair begins
GUTTER = 44.0  # pixels at 100 %: what the numbers take at least
GAP = 12.0  # pixels at 100 % between a number and the text
WIDEST = 0.35  # of the width, for a long token
BYTES_A_LETTER = 4


class ContextStrip(Painted):
    """Where in the corpus the places lie, from its first byte to its last; a click goes to the nearest (`place_wanted`, its index)."""

    place_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("Places in the corpus")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._gathered: Gathered | None = None
        self._current: int | None = None
        self.restyled()

    def show_places(self, gathered: Gathered | None, current: int | None) -> None:
        """Shows places, and which of them is the current one."""
        self._gathered, self._current = gathered, current
        self.update()

    def restyled(self) -> None:
        self.setFixedHeight(round(px(20)))

    def _track(self) -> QRectF:
        return QRectF(theme.measures().m, px(6), self.width() - 2 * theme.measures().m, px(8))

    def draw(self, p: QPainter, clip: QRectF) -> None:
        gathered, track = self._gathered, self._track()
        if gathered is None or not gathered.timeline.training.corpus.data:
            return
        size = len(gathered.timeline.training.corpus.data)
        starts = np.array([place.start for place in gathered.places], np.int64)
        looked = 1.0 if gathered.complete and not gathered.cut else (int(starts[-1]) / size if len(starts) else 0.0)
        p.fillRect(track, self.ink.line)
        p.fillRect(QRectF(track.left(), track.top(), track.width() * looked, track.height()), self.ink.well)
        for at in np.unique(starts * int(track.width()) // size).tolist():  # a mark a pixel, however many places it holds
            p.fillRect(QRectF(track.left() + at, track.top(), px(1.5), track.height()), self.ink.accent)
        if self._current is not None and self._current < len(starts):
            x = track.left() + track.width() * int(starts[self._current]) / size
            p.fillRect(QRectF(x - px(1), track.top() - px(3), px(3), track.height() + px(6)), self.ink.ink)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        gathered, track = self._gathered, self._track()
        if gathered is None or not gathered.places:
            return
        share = (event.position().x() - track.left()) / max(1.0, track.width())
        starts = np.array([place.start for place in gathered.places], np.int64)
        wanted = share * len(gathered.timeline.training.corpus.data)
        self.place_wanted.emit(int(np.abs(starts - wanted).argmin()))


class ContextLines(PaintedScroll):
    """A line a place: its number, what stands before, the token or pair ringed, what stands behind.

    A click or a key makes a place the current one and tells its index by `place_wanted`.
    """

    place_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("Places in context")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._gathered: Gathered | None = None
        self._lines: CorpusLines | None = None
        self._current: int | None = None
        self._under: int | None = None
        self._reason = ""

    @property
    def current(self) -> int | None:
        """Which place is the current one, 0-based."""
        return self._current

    def show_places(self, gathered: Gathered | None, reason: str) -> None:
        """Shows places, from the top if they are others than before; `reason` is the sentence where there are none."""
        if gathered is not self._gathered:
            self._current = self._under = None
            self.verticalScrollBar().setValue(0)
        self._gathered, self._reason = gathered, reason
        self.set_extent(0, len(self._places) * theme.measures().row)

    def go_to(self, index: int) -> None:
        """Makes a place the current one and brings its line into view."""
        if 0 <= index < len(self._places) and index != self._current:
            self._current = index
            row = theme.measures().row
            self.reveal(QRectF(0, index * row, 1, row))
            self.setAccessibleDescription(self._spoken(index))
            self.viewport().update()

    @property
    def _places(self) -> list[Place]:
        return self._gathered.places if self._gathered else []

    def restyled(self) -> None:
        self.set_extent(0, len(self._places) * theme.measures().row)

    # painting

    def draw(self, p: QPainter, clip: QRectF) -> None:
        if not self._places or self._gathered is None:
            paint.sentence(p, self._reason, QRectF(self.viewport().rect()), self.ink.ink_2)
            return
        row, width = theme.measures().row, self.viewport().width()
        for index in range(int(clip.top() // row), min(len(self._places), int(clip.bottom() // row) + 1)):
            box = QRectF(0, index * row, width, row)
            if index in (self._current, self._under):
                p.fillRect(box, self.ink.selected if index == self._current else self.ink.hover)
            self._draw_place(p, self._gathered, self._places[index], box)

    def _draw_place(self, p: QPainter, gathered: Gathered, place: Place, box: QRectF) -> None:
        corpus, ink = gathered.timeline.training.corpus, self.ink
        gutter = self.gutter
        paint.words_to(p, self._number(corpus, place), gutter - px(GAP), box.center().y(), Role.FIGURE_SMALL, ink.ink_3)
        chips = self._draw_chips(p, ink, gathered, QPointF(round(box.width() * COLUMN), box.top() + px(3)), box)
        before, behind = around(corpus, place, int(box.width() / theme.metrics(Role.TOKEN).horizontalAdvance("0")) * BYTES_A_LETTER)
        left = QRectF(gutter, box.top(), chips.left() - px(6) - gutter, box.height())
        right = QRectF(chips.right() + px(6), box.top(), box.right() - chips.right() - px(14), box.height())
        before, behind = in_sight(before[::-1], left.width())[::-1], in_sight(behind, right.width())
        self._draw_clipped(p, before, left, left.right() - paint.piece_width(before, Role.TOKEN))
        self._draw_clipped(p, behind, right, right.left())

    def _draw_clipped(self, p: QPainter, spelling: Spelling, room: QRectF, x: float) -> None:
        p.save()
        p.setClipRect(room, Qt.ClipOperation.IntersectClip)
        paint.draw_piece(p, self.ink, spelling, x, room, Role.TOKEN, self.ink.ink_2)
        p.restore()

    def _draw_chips(self, p: QPainter, ink: Ink, gathered: Gathered, at: QPointF, box: QRectF) -> QRectF:
        pieces, height = gathered.sought.pieces, box.height() - px(6)
        spellings = [fitted(piece_spelling(piece), Role.TOKEN, box.width() * WIDEST / len(pieces)) for piece in pieces]
        if gathered.sought.subject is Subject.TOKEN:
            chip = paint.chip(p, ink, spellings[0], at.x(), at.y(), height, Role.TOKEN, self._fill(gathered), pad=4.0)
        else:
            chip = paint.pair_chip(p, ink, spellings, at.x(), at.y(), height, Role.TOKEN)
        paint.ring(p, chip.adjusted(-1, -1, 1, 1), ink.accent, 1.5)
        return chip

    def _fill(self, gathered: Gathered) -> QColor:
        """The ground of a token: the newest has its own."""
        k = gathered.sought.k
        newest = gathered.timeline.training.table.id_of_rank(k - 1) if k else None
        return self.ink.new_fill if newest in gathered.sought.targets else self.ink.tints[0]

    def _number(self, corpus: Corpus, place: Place) -> str:
        """The number of the line or row; for word counts how often the word counts."""
        if corpus.weights is not None:
            return f"×{thousands(place.weight)}"
        if self._lines is None or self._lines.corpus is not corpus:
            self._lines = CorpusLines.of(corpus)
        return thousands(self._lines.number_at(place.start))

    @property
    def gutter(self) -> float:
        """How many pixels at the left the numbers take: by the longest there can be, so that no line is set off from another."""
        if self._gathered is None or not self._places:
            return px(GUTTER)
        corpus = self._gathered.timeline.training.corpus
        weights = corpus.weights
        longest = self._number(corpus, self._places[-1]) if weights is None else f"×{thousands(int(weights.max()))}"
        return max(px(GUTTER), px(2 * GAP) + theme.metrics(Role.FIGURE_SMALL).horizontalAdvance(longest))

    def _spoken(self, index: int) -> str:
        assert self._gathered is not None
        corpus, place = self._gathered.timeline.training.corpus, self._places[index]
        start, end = corpus.span(place.text)
        line = bytes(corpus.data[max(start, place.start - 40) : min(end, place.end + 40)]).decode("utf-8", "replace").strip()
        return f"place {index + 1} of {len(self._places)}, {self._number(corpus, place)}: {line}"

    # pointer and keyboard

    def _index_at(self, y: float) -> int | None:
        index = int((y + self.offset()[1]) // theme.measures().row)
        return index if 0 <= index < len(self._places) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if (under := self._index_at(event.position().y())) != self._under:
            self._under = under
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        self._under = None
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and (index := self._index_at(event.position().y())) is not None:
            self.place_wanted.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = max(1, self.viewport().height() // theme.measures().row - 1)
        here = -1 if self._current is None else self._current
        targets = {
            Qt.Key.Key_Down: here + 1, Qt.Key.Key_Up: max(0, here - 1), Qt.Key.Key_PageDown: here + page,
            Qt.Key.Key_PageUp: max(0, here - page), Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self._places) - 1,
            Qt.Key.Key_Return: max(0, here), Qt.Key.Key_Enter: max(0, here),
        }  # fmt: skip
        target = targets.get(Qt.Key(event.key()))
        if target is None or not self._places or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        self.place_wanted.emit(min(target, len(self._places) - 1))


def in_sight(spelling: Spelling, width: float) -> Spelling:
    """The first parts that fill a width, the last of them perhaps cut: bytes are read for the narrowest, and most are wider."""
    filled = 0.0
    for number, part in enumerate(spelling):
        if filled >= width:
            return spelling[:number]
        filled += paint.part_width(part, Role.TOKEN)
    return spelling


def around(corpus: Corpus, place: Place, room: int) -> tuple[Spelling, Spelling]:
    """What stands before and behind a place in its text, at most about `room` bytes each; whole characters at the far ends."""
    first, last = corpus.span(place.text)
    data, last = corpus.data, last - corpus.ended  # the LF that the reader added says nothing
    start, end = max(first, place.start - room), min(last, place.end + room)
    while start < place.start and start > first and data[start] & 0xC0 == 0x80:
        start += 1
    while end > place.end and end < last and data[end] & 0xC0 == 0x80:
        end -= 1
    return spell(bytes(data[start : place.start])), spell(bytes(data[place.end : end]))
