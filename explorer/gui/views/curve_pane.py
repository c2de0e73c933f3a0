"""The pane of the curve: brings the workspace and the plot together once the window is up, and writes what it shows to files."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QVBoxLayout, QWidget

from explorer.core.disk import why, write_beside
from explorer.core.recipe import AlphabetKind
from explorer.core.runs import Run
from explorer.core.training import Merge
from explorer.gui import theme
from explorer.gui.frame import Pane, Segments, Tool
from explorer.gui.models.growing import Growing
from explorer.gui.models.piece_ids import made_by
from explorer.gui.painted import Painted
from explorer.gui.painting import paint
from explorer.gui.plots.export import SHARP, Size, copy_picture, write_picture
from explorer.gui.plots.series import Lengths, Measure, Scale, csv_lines, weighted_size
from explorer.gui.theme import Role, px
from explorer.gui.views.lateness import Lateness
from explorer.workspace.values import Level, Notice, Selection, Task
from explorer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from explorer.gui.plots.curve import CurvePlot  # at run time it is imported when the window is up

NAME = "Length against vocabulary size"
MEASURES, SCALES = tuple(Measure), tuple(Scale)
BOTH_FROM = 640.0  # pixels of width from which the header has room for two choices
HEAD = 32  # height of the line over an exported picture
BYTE_ROWS = 256


class _EmptyPage(Painted):
    """The page before the plot is there; tells when it was painted, for then the window is up."""

    painted = Signal()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.emit()


class CurvePane(QWidget):
    """Corpus length, or bytes per token, against vocabulary size; under it what each merge saved.

    Hears run_changed, merge_changed, selection_changed, compared_changed, merges_learned and task_changed; calls
    go_to_merge and hover. `build` makes the plot at once; by itself it is made right after the pane was first painted.
    """

    scale_changed = Signal(object)  # Scale

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._plot: CurvePlot | None = None
        self._measure, self._scale = Measure.TOKENS, Scale.LINEAR
        self._growing = Growing()
        self._build_page()
        self._build_tools()
        self.pane = Pane(NAME, self._body, self._measures, self._scales, self._export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.pane)
        self._connect()
        self._tell()
        Lateness(workspace, self.pane)

    def _build_page(self) -> None:
        self._page = _EmptyPage(NAME)
        self._page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._starting = QTimer(self)
        self._starting.setSingleShot(True)
        self._starting.timeout.connect(self.build)
        self._page.painted.connect(self._starting.start)
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._page)

    def _build_tools(self) -> None:
        self._measures = Segments([measure.value for measure in MEASURES], 0, "Shown")
        self._measures.chosen.connect(lambda place: self.set_measure(MEASURES[place]))
        self._scales = Segments([scale.value for scale in SCALES], 0, "Scale")
        self._scales.chosen.connect(lambda place: self.set_scale(SCALES[place]))
        self._export = Tool("export", "Export as PNG, SVG or CSV")
        self._export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        files, self._menu = QMenu(self._export), QMenu(self)
        self._measure_actions = [_choice(self._menu, each.value, partial(self.set_measure, each)) for each in MEASURES]
        self._menu.addSeparator()
        self._scale_actions = [_choice(self._menu, each.value, partial(self.set_scale, each)) for each in SCALES]
        self._menu.addSeparator()
        self._menu.addAction("Show all", self.show_all)
        self._menu.addSeparator()
        for menu in (self._menu, files):
            for ending, words in (("png", "PNG picture…"), ("svg", "SVG picture…"), ("csv", "CSV table…")):
                menu.addAction(words, partial(self._ask_path, ending))
            menu.addAction("Copy picture", self.copy)
        for actions in (self._measure_actions, self._scale_actions):
            group = QActionGroup(self._menu)
            for action in actions:
                group.addAction(action)
        self._export.setMenu(files)

    def _connect(self) -> None:
        workspace = self._workspace
        workspace.run_changed.connect(self._on_run)
        workspace.merge_changed.connect(self._on_merge)
        workspace.selection_changed.connect(self._on_selection)
        workspace.compared_changed.connect(self._on_compared)
        workspace.merges_learned.connect(self._on_learned)
        workspace.task_changed.connect(self._on_task)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measures.setVisible(self.width() >= px(BOTH_FROM))

    # --- the plot -----------------------------------------------------------------------------------------------------

    @property
    def plot(self) -> "CurvePlot | None":
        """The plot, None before the window is up."""
        return self._plot

    def build(self) -> "CurvePlot":
        """The plot, made now if it is not there yet."""
        self._starting.stop()
        if self._plot is None:
            from explorer.gui.plots.curve import CurvePlot  # a quarter of a second, for which the window does not wait

            self._plot = CurvePlot()
            self._plot.merge_chosen.connect(self._workspace.go_to_merge)
            self._plot.merge_pointed.connect(self._on_pointed)
            self._plot.menu_wanted.connect(self._on_menu)
            self._column.replaceWidget(self._page, self._plot)
            self._page.deleteLater()
            self._plot.set_measure(self._measure)
            self._plot.set_scale(self._scale)
            self._on_run(self._workspace.run)
            self._on_compared(self._workspace.compared)
        return self._plot

    def set_measure(self, measure: Measure) -> None:
        """Shows tokens or bytes per token."""
        self._measure = measure
        if self._plot:
            self._plot.set_measure(measure)
        self._tell()

    def set_scale(self, scale: Scale) -> None:
        """Makes both axes linear or logarithmic."""
        if scale is not self._scale:
            self._scale = scale
            if self._plot:
                self._plot.set_scale(scale)
            self.scale_changed.emit(scale)
        self._tell()

    def show_all(self) -> None:
        """Undoes enlarging."""
        if self._plot:
            self._plot.show_all()

    def _tell(self) -> None:
        self._measures.set_place(MEASURES.index(self._measure))
        self._scales.set_place(SCALES.index(self._scale))
        for place, action in enumerate(self._measure_actions):
            action.setChecked(MEASURES[place] is self._measure)
        for place, action in enumerate(self._scale_actions):
            action.setChecked(SCALES[place] is self._scale)
        self._export.setEnabled(self._workspace.run is not None)
        shown = f"{self._measure.value}; saved by merge"
        self.pane.set_facts(shown if self._workspace.compared is None else f"{shown}; B dashed")

    def _on_pointed(self, k: int | None) -> None:
        """Hovers the token that the merge under the pointer has just made there."""
        self._workspace.hover(made_by(self._workspace.run, k - 1 if k else None))

    def _on_menu(self, where: QPoint) -> None:
        self._menu.popup(where)

    # --- what the workspace says --------------------------------------------------------------------------------------

    def _on_run(self, run: Run | None) -> None:
        self._growing.forget()
        if self._plot:
            self._plot.show_run(Lengths.of(run.training) if run else None, self._workspace.k)
        self._on_selection(self._workspace.selection)
        self._tell()

    def _on_merge(self, k: int) -> None:
        if self._plot:
            self._plot.show_cursor(k)

    def _on_selection(self, selection: Selection) -> None:
        if self._plot:
            self._plot.show_selected(self._merge_of(selection))

    def _merge_of(self, selection: Selection) -> int | None:
        """The k after which the selected token is there; None for a symbol, and where nothing is selected."""
        run = self._workspace.run
        if run is None or selection.token is None:
            return None
        table = run.training.table
        token = table.find(selection.token)
        rank = None if token is None else table.rank_of_id(token)
        return None if rank is None else rank + 1

    def _on_compared(self, run: Run | None) -> None:
        if self._plot:
            self._plot.show_compared(Lengths.of(run.training) if run else None)
        self._tell()

    def _on_learned(self, merges: tuple[Merge, ...]) -> None:
        floor = self._growing_floor()
        if self._plot is None:
            return
        if floor is None:
            self._end_growing()  # of a training that was given up for this one
            return
        if not self._growing.follow(merges):
            return
        run = self._workspace.run
        assert run  # or there is no floor
        at_zero = merges[0].length + merges[0].saved if merges else run.training.length_at_zero
        self._plot.show_growing(Lengths.of_columns(self._growing.columns, floor, at_zero, weighted_size(run.training.corpus)))

    def _growing_floor(self) -> int | None:
        """The rows before the first merge of the training under way; None where only its end will tell."""
        run, recipe = self._workspace.run, self._workspace.recipe
        if run is None:
            return None
        shown = run.recipe
        if (recipe.alphabet, recipe.marker, recipe.unknown) == (shown.alphabet, shown.marker, shown.unknown):
            return run.training.alphabet.floor
        return BYTE_ROWS if recipe.alphabet is AlphabetKind.BYTES else None

    def _on_task(self, task: Task | None) -> None:
        if task is None:  # stopped, or failed: what was half learned is nobody's
            self._end_growing()

    def _end_growing(self) -> None:
        if self._growing.forget() and self._plot:
            self._plot.show_growing(None)

    # --- export -------------------------------------------------------------------------------------------------------

    def export(self, path: Path, *, width: int | None = None, ratio: float = SHARP) -> None:
        """Writes the curve as PNG, SVG or CSV by the ending of the path; a failure becomes a notice.

        A picture is `width` units wide (as wide as the pane by itself) with `ratio` pixels a unit.
        """
        run = self._workspace.run
        if run is None:
            return
        try:
            if path.suffix.lower() == ".csv":
                write_beside(path, "".join(f"{line}\n" for line in csv_lines(run.training)).encode())
            else:
                write_picture(path, self._draw, self._size(width), ratio=ratio, title=self._heading())
        except OSError as error:
            self._workspace.notify(Notice(Level.ERROR, f"The curve was not saved: {why(error)}."))

    def copy(self) -> None:
        """Puts the curve into the clipboard as a picture."""
        if self._workspace.run:
            copy_picture(self._draw, self._size(None))

    def _size(self, width: int | None) -> Size:
        plot = self.build().canvas.size()
        wide = width or plot.width()
        return Size.of(wide, wide * (plot.height() + HEAD) / max(1, plot.width()))

    def _draw(self, p: QPainter, box: QRectF, ratio: float) -> None:
        """The plot under a line that says what it is of."""
        ink, plot = theme.current(), self.build()
        unit = box.width() / max(1, plot.canvas.width())
        head = box.height() - plot.canvas.height() * unit
        p.fillRect(box, ink.page)
        p.save()
        p.scale(unit, unit)
        room = box.width() / unit - 2 * px(12)
        paint.words(p, paint.elided(self._heading(), Role.LABEL, room), px(12), head / unit / 2, Role.LABEL, ink.ink_2)
        p.restore()
        plot.draw(p, box.adjusted(0, head, 0, 0), ratio)

    def _heading(self) -> str:
        """What the picture is of, for those who see it elsewhere."""
        run = self._workspace.run
        assert run
        return f"{run.training.corpus.name} · {run.name} · {self._measure.value} against rows of the vocabulary; below: saved by merge"

    def _ask_path(self, ending: str) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export the curve", f"curve.{ending}", f"{ending.upper()} (*.{ending})")
        if name:
            self.export(Path(name).with_suffix(f".{ending}"))


def _choice(menu: QMenu, text: str, take: Callable[[], None]) -> QAction:
    """A checkable line of a menu."""
    action = menu.addAction(text.capitalize(), take)
    action.setCheckable(True)
    return action
