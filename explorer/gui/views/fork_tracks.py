"""Runs as tracks over the merges: a fork leaves its parent's track where the choice was made."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPen, QResizeEvent

from explorer.core.runs import Run
from explorer.gui import theme
from explorer.gui.painted import PaintedScroll
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.piece_spelling import fitted, piece_spelling
from explorer.gui.painting.spelling import Part, Sort, Spelling
from explorer.gui.theme import Role, px

HEAD, ROW = 26.0, 32.0  # pixels at 100 % zoom, as all sizes here
NAMES, LENGTHS = 268.0, 128.0  # room for names at the left, and lengths at the right
STATION_GAP = 14.0  # merges closer together than this have no stations of their own
STRIDES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
NONE = -1


class ForkTracks(PaintedScroll):
    """The active run is A, the compared one B; a click or Space compares a run, a double click or Enter makes it active, Delete drops it.

    Emits `compare_wanted`, `activate_wanted` and `drop_wanted` with the run's id; it changes nothing itself.
    """

    compare_wanted = Signal(int)
    activate_wanted = Signal(int)
    drop_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("Forks")
        self._runs: tuple[Run, ...] = ()
        self._active = self._compared = self._hovered = NONE
        self._current = 0  # the row that the keyboard is at
        self._k = 0
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_runs(self, runs: tuple[Run, ...], active: Run | None, compared: Run | None, k: int) -> None:
        """Other runs, another choice of two, or another merge k of the active one."""
        before, self._runs, self._k = self._compared, runs, k
        self._active, self._compared = (run.id if run else NONE for run in (active, compared))
        self._current = max(0, min(self._current, len(runs) - 1))
        self._measure()
        row = next((at for at, run in enumerate(runs) if run.id == self._compared), None)
        if row is not None and self._compared != before:
            self._go_to(row)
        self._tell()

    @property
    def current(self) -> Run | None:
        """The run that the keyboard is at."""
        return self._runs[self._current] if self._runs else None

    def row_box(self, row: int) -> QRectF:
        """Where a run's row lies in the whole picture."""
        return QRectF(0, px(HEAD) + row * px(ROW), self.viewport().width(), px(ROW))

    # --- painting ---------------------------------------------------------------------------------------------------

    def draw(self, p: QPainter, clip: QRectF) -> None:
        for row, run in enumerate(self._runs):
            self._draw_ground(p, row, run)
        for row, run in enumerate(self._runs):
            self._draw_track(p, row, run)
        for row, run in enumerate(self._runs):
            self._draw_name(p, row, run)
        self._draw_head(p, float(self.offset()[1]))

    def _draw_head(self, p: QPainter, top: float) -> None:
        """The scale; it stays where it is while the tracks scroll."""
        ink, inset, mid = self.ink, theme.measures().m, top + px(HEAD / 2)
        p.fillRect(QRectF(0, top, self.viewport().width(), px(HEAD)), ink.page)
        paint.words(p, "merges made", inset, mid, Role.CAPTION, ink.ink_3)
        paint.words_to(p, "length at the end", self.viewport().width() - inset, mid, Role.CAPTION, ink.ink_3)
        stride = next((stride for stride in STRIDES if stride * self._step() >= px(48)), STRIDES[-1])
        for made in range(0, self._most() + 1, stride):
            paint.centred(p, thousands(made), QRectF(self._place(made), mid - px(8), 0, px(16)), Role.TINY, ink.ink_3)
        if self._runs:
            p.fillRect(QRectF(self._place(self._k) - px(0.75), top + px(HEAD) - px(4), px(1.5), px(4)), ink.accent)

    def _draw_ground(self, p: QPainter, row: int, run: Run) -> None:
        box, ink = self.row_box(row), self.ink
        inner = box.adjusted(0, px(1), 0, -px(1))
        if run.id in (self._active, self._compared):
            p.fillRect(inner, ink.hover)
        if row == self._hovered:
            p.fillRect(inner, ink.hover)
        if row == self._current and self._by_key:
            paint.ring(p, inner.adjusted(px(4), 0, -px(4), 0), ink.accent, theme.focus_width() / theme.zoom())

    def _draw_track(self, p: QPainter, row: int, run: Run) -> None:
        ink, y = self.ink, self.row_box(row).center().y()
        colour = {self._active: ink.accent, self._compared: ink.tie}.get(run.id, ink.edge)
        chosen, end = run.id in (self._active, self._compared), self._place(run.training.learned)
        p.setPen(QPen(colour, px(2.5 if chosen else 1.5)))
        start, first = self._place(0), 0
        parent = next((at for at, other in enumerate(self._runs) if other.id == run.parent), None)
        if parent is not None and run.fork_rank is not None:
            first = run.fork_rank + 1
            start = self._leave(p, self._place(run.fork_rank), self.row_box(parent).center().y(), y, end)
        p.drawLine(QPointF(start, y), QPointF(end, y))
        p.setBrush(colour if chosen else ink.page)
        p.setPen(QPen(colour, px(1.5)))
        dense = self._step() < px(STATION_GAP)
        for made in (run.training.learned,) if dense else range(first, run.training.learned + 1):
            p.drawEllipse(QPointF(self._place(made), y), px(3.5), px(3.5))

    def _leave(self, p: QPainter, x: float, top: float, foot: float, end: float) -> float:
        """The bend from the parent's track to the fork's own; returns where it ends."""
        wide = min(max(self._step() * 0.6, px(14)), max(px(4), end - x))
        path = QPainterPath(QPointF(x, top))
        path.cubicTo(x + wide * 0.6, top, x + wide * 0.33, foot, x + wide, foot)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPath(path)
        return x + wide

    def _draw_name(self, p: QPainter, row: int, run: Run) -> None:
        ink, box, inset = self.ink, self.row_box(row), theme.measures().m
        mid, x = box.center().y(), float(inset)
        if run.id == self._active:
            paint.badge(p, "A", x, mid, ink.on_accent, ink.accent, Role.TITLE)
        elif run.id == self._compared:
            paint.badge(p, "B", x, mid, ink.page, ink.tie, Role.TITLE)
        chosen = run.id in (self._active, self._compared)
        role, colour = (Role.STRONG, ink.ink) if chosen else (Role.BODY, ink.ink_2)
        x = px(44)
        spelling = fitted(run_spelling(run), role, self._names() - x - px(24))
        paint.draw_piece(p, ink, spelling, x, box, role, colour)
        length = run.training.length(run.training.learned)
        paint.words_to(p, thousands(length), box.right() - inset, mid, Role.FIGURE_STRONG, ink.ink)

    # --- places -----------------------------------------------------------------------------------------------------

    def _most(self) -> int:
        return max((run.training.learned for run in self._runs), default=0)

    def _names(self) -> float:
        return min(px(NAMES), self.viewport().width() * 0.34)

    def _step(self) -> float:
        """Pixels a merge."""
        return max(0.0, self.viewport().width() - self._names() - px(LENGTHS)) / max(1, self._most())

    def _place(self, made: int) -> float:
        return self._names() + made * self._step()

    def _measure(self) -> None:
        self.set_extent(self.viewport().width(), px(HEAD) + len(self._runs) * px(ROW) + px(4))

    def restyled(self) -> None:
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def _tell(self) -> None:
        letters = {self._active: "A: ", self._compared: "B: "}
        named = (f"{letters.get(run.id, '')}{run.name}, ends at {run.training.length(run.training.learned)}" for run in self._runs)
        self.setAccessibleDescription("; ".join(named))

    # --- mouse and keys ---------------------------------------------------------------------------------------------

    def _row_at(self, event: QMouseEvent) -> int:
        y = event.position().y()
        row = int((y + self.offset()[1] - px(HEAD)) // px(ROW)) if y >= px(HEAD) else NONE
        return row if 0 <= row < len(self._runs) else NONE

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event)
        if event.button() is Qt.MouseButton.LeftButton and row != NONE:
            self._go_to(row)
            self._compare()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event)
        if event.button() is Qt.MouseButton.LeftButton and row != NONE:
            self.activate_wanted.emit(self._runs[row].id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._row_at(event))

    def leaveEvent(self, event: object) -> None:
        self._hover(NONE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key, run = Qt.Key(event.key()), self.current
        if run is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif key in moves:
            self._by_key = True  # from the first key on the row shows where the keyboard is
            self._go_to(max(0, min(self._current + moves[key], len(self._runs) - 1)))
        elif key is Qt.Key.Key_Space:
            self._compare()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.activate_wanted.emit(run.id)
        elif key is Qt.Key.Key_Delete:
            self.drop_wanted.emit(run.id)
        else:
            event.ignore()

    def _compare(self) -> None:
        run = self.current
        if run and run.id not in (self._active, self._compared):
            self.compare_wanted.emit(run.id)

    def _go_to(self, row: int) -> None:
        self._current = row
        self.reveal(self.row_box(row).adjusted(0, -px(HEAD), 0, 0))
        self.viewport().update()

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().setToolTip(self._runs[row].name if row != NONE else "")
            self.viewport().update()


def run_spelling(run: Run) -> Spelling:
    """The name of a run as it is drawn: the pair that a fork chose with its word ends, a root by its own name."""
    chosen = next((choice for choice in run.recipe.choices if choice.rank == run.fork_rank), None)
    if run.parent is None or chosen is None:
        return (Part(run.name, Sort.TEXT),)
    plus, at = Part(" + ", Sort.TEXT), Part(f" at merge {run.fork_rank}", Sort.TEXT)
    return (*piece_spelling(chosen.left), plus, *piece_spelling(chosen.right), at)
