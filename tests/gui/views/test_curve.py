"""The curve pane on a real Workspace: what it draws, what mouse, wheel and keys do, what it writes to files."""

import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QImage, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import Merge, MergeColumns
from explorer.gui import theme
from explorer.gui.plots.curve import CurvePlot
from explorer.gui.plots.series import Lengths, Measure, Scale
from explorer.gui.theme import Theme
from explorer.gui.views.curve_pane import CurvePane
from explorer.workspace.values import Notice
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pane(workspace: Workspace, qtbot: QtBot) -> CurvePane:
    made = CurvePane(workspace)
    qtbot.addWidget(made)
    made.resize(540, 300)
    made.show()
    made.build()
    return made


@pytest.fixture
def chronicle(pane: CurvePane, workspace: Workspace, qtbot: QtBot) -> CurvePlot:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    plot = pane.build()
    qtbot.waitExposed(pane)
    QApplication.processEvents()
    return plot


def mouse(plot: CurvePlot, kind: QEvent.Type, at: QPointF, held: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else held
    target = plot.canvas.viewport()
    QApplication.sendEvent(target, QMouseEvent(kind, at, target.mapToGlobal(at), button, held, Qt.KeyboardModifier.NoModifier))


def wheel(plot: CurvePlot, at: QPointF, down: int = 0, across: int = 0) -> None:
    target = plot.canvas.viewport()
    event = QWheelEvent(
        at, target.mapToGlobal(at), QPoint(), QPoint(across, down), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(target, event)


def pixels(plot: CurvePlot, colour: QColor) -> int:
    """How many pixels of the plot have a colour, or nearly so."""
    image = plot.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    seen = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3].astype(int)
    return int((np.abs(seen - [colour.blue(), colour.green(), colour.red()]).max(axis=2) < 4).sum())


def curve(plot: CurvePlot) -> tuple[list[float], list[float]]:
    """The points that the picture's two halves show, in rows and tokens."""
    (x, y), (later_x, later_y) = plot.picture.past.points(), plot.picture.coming.points()
    return [*x.tolist(), *later_x.tolist()[1:]], [*y.tolist(), *later_y.tolist()[1:]]


@pytest.mark.parametrize("turn", range(3))  # the end of Python with a plot still there went wrong two times in three
def test_pyqtgraph_waits_until_the_window_is_up_and_lets_the_program_end(turn: int) -> None:
    script = """
import sys
from PySide6.QtWidgets import QApplication, QMenu
from explorer.gui.views.curve_pane import CurvePane
from explorer.workspace.workspace import Workspace
app = QApplication([])
workspace = Workspace()
pane = CurvePane(workspace)
pane.show()
assert "pyqtgraph" not in sys.modules and pane.plot is None
pane.grab()
assert "pyqtgraph" not in sys.modules
app.processEvents()
app.processEvents()
assert "pyqtgraph" in sys.modules and pane.plot is not None
workspace.close()
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr


def test_the_menus_of_pyqtgraph_are_never_seen(workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    made = CurvePane(workspace)
    qtbot.addWidget(made)
    made.build()
    made.show()
    qtbot.waitExposed(made)
    menus = made.findChildren(QMenu)
    assert len(menus) >= 4, "ours and those of both plots"
    assert not [menu for menu in menus if menu.isVisible()]


def test_the_curve_is_the_table_and_the_cursor_stands_at_merge_k(chronicle: CurvePlot, workspace: Workspace) -> None:
    run = workspace.run
    assert run
    x, y = curve(chronicle)
    assert x == list(range(256, 513))
    assert y == [run.training.length(k) for k in range(257)]
    assert chronicle.picture.dot.point() == pytest.approx((292, 3505))
    assert chronicle.picture.note.lines() == ["292 rows", "3\u2009505 tokens", "2.03 bytes each"]
    workspace.step(1)
    assert chronicle.picture.dot.point() == pytest.approx((293, run.training.length(37)))
    assert len(chronicle.picture.past.points()[0]) == 38
    assert chronicle.accessibleDescription().startswith("merge 37 of 256: 293 rows, ")


def test_the_curve_is_seen_in_its_colours(chronicle: CurvePlot, workspace: Workspace) -> None:
    ink = theme.current()
    assert pixels(chronicle, ink.accent) > 40
    assert pixels(chronicle, ink.mark) > 200
    workspace.go_to_merge(256)
    assert pixels(chronicle, ink.mark) < 50, "what is left are letters that happen to be as grey"


def test_nothing_open_no_merges_and_one_merge_are_drawn(pane: CurvePane, workspace: Workspace) -> None:
    plot, accent = pane.build(), theme.current().accent
    assert pixels(plot, accent) == 0
    assert plot.accessibleDescription() == "No corpus is open."
    for text, merges in ((b"", 0), (b"abc", 0), (b"abab", 1)):
        workspace.open_corpus(Corpus.of_text(text), recipe=Recipe.of("chapter-81"), at_once=True)
        QApplication.processEvents()
        assert workspace.learned == merges
        for scale in Scale:
            for measure in Measure:
                pane.set_scale(scale)
                pane.set_measure(measure)
                assert plot.picture.dot.point() is not None
                assert pixels(plot, accent) > 20, "a single point is seen as a dot"


def test_a_click_goes_to_the_merge_under_it_and_a_drag_follows(chronicle: CurvePlot, workspace: Workspace) -> None:
    left = Qt.MouseButton.LeftButton
    mouse(chronicle, QEvent.Type.MouseButtonPress, chronicle.point_of(120), left)
    assert workspace.k == 120
    mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(200), left)
    assert workspace.k == 200
    mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(256) + QPointF(500, 0), left)
    assert workspace.k == 256
    mouse(chronicle, QEvent.Type.MouseButtonRelease, chronicle.point_of(256), left)
    mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(10))
    assert workspace.k == 256
    mouse(chronicle, QEvent.Type.MouseButtonPress, chronicle.point_of(10), Qt.MouseButton.RightButton)
    assert workspace.k == 256


@pytest.mark.parametrize("scale", list(Scale))
def test_every_merge_is_found_again_where_it_is_drawn(chronicle: CurvePlot, scale: Scale) -> None:
    chronicle.set_scale(scale)
    found = [chronicle.merge_at(chronicle.point_of(k)) for k in range(0, 257, 16)]
    assert found == pytest.approx(list(range(0, 257, 16)), abs=1)


def test_the_pointer_shows_the_values_under_it(chronicle: CurvePlot, workspace: Workspace) -> None:
    mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(150))
    assert workspace.run
    assert chronicle.picture.pointed_note.lines() == [
        "merge 150", "406 rows", "1\u2009692 tokens", "4.21 bytes each", f"{workspace.run.training.merges[149].saved} saved",
    ]  # fmt: skip
    QApplication.sendEvent(chronicle.canvas.viewport(), QEvent(QEvent.Type.Leave))
    assert chronicle.picture.pointed_note.lines() == []


def test_the_wheel_enlarges_around_the_pointer_within_bounds_and_a_double_click_shows_all(chronicle: CurvePlot) -> None:
    at = chronicle.point_of(100)
    wheel(chronicle, at, down=240)
    low, high = chronicle.in_sight
    assert 256 < low < 356 < high < 512
    assert chronicle.merge_at(at) == 100
    wheel(chronicle, at, across=-120)
    assert chronicle.in_sight[0] > low
    assert chronicle.in_sight[1] - chronicle.in_sight[0] == pytest.approx(high - low)
    for _ in range(60):
        wheel(chronicle, at, down=120)
    low, high = chronicle.in_sight
    assert high - low == pytest.approx(4)
    wheel(chronicle, at, across=120_000)
    assert chronicle.in_sight[0] == 256
    mouse(chronicle, QEvent.Type.MouseButtonDblClick, at, Qt.MouseButton.LeftButton)
    assert chronicle.in_sight == (256, 512)
    wheel(chronicle, at, down=-120)
    assert chronicle.in_sight == (256, 512)


def test_the_keys_step_while_the_plot_has_the_focus(chronicle: CurvePlot, workspace: Workspace, qtbot: QtBot) -> None:
    seen, keys = [], Qt.Key
    for key in (keys.Key_Right, keys.Key_PageDown, keys.Key_Left, keys.Key_PageUp, keys.Key_End, keys.Key_Right, keys.Key_Home):
        qtbot.keyClick(chronicle, key)
        seen.append(workspace.k)
    assert seen == [37, 47, 46, 36, 256, 256, 0]


def test_keys_with_shift_are_left_to_the_window(chronicle: CurvePlot, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.keyClick(chronicle, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert workspace.k == 36


def test_a_selected_token_is_a_dot_at_its_merge(chronicle: CurvePlot, workspace: Workspace) -> None:
    run = workspace.run
    assert run
    workspace.select_token(run.training.table.pieces[300])
    assert chronicle.picture.selected_dot.point() == pytest.approx((301, run.training.length(45)))
    workspace.select_token(run.training.table.pieces[65])
    assert chronicle.picture.selected_dot.point() is None


def test_both_scales_and_both_measures(chronicle: CurvePlot, pane: CurvePane, workspace: Workspace) -> None:
    assert workspace.run
    pane.set_measure(Measure.BYTES_PER_TOKEN)
    assert chronicle.picture.dot.point() == pytest.approx((292, 7123 / 3505))
    assert pane.pane.facts().startswith("bytes per token")
    pane.set_scale(Scale.LOG)
    assert chronicle.picture.dot.point() == pytest.approx((np.log10(292), np.log10(7123 / 3505)))
    assert chronicle.in_sight == pytest.approx((256, 512))


def test_a_compared_run_is_dashed_over_the_first_drawn_wide(pane: CurvePane, workspace: Workspace) -> None:
    plot = pane.build()
    workspace.open_exemplar("four-words", at_once=True)
    assert len(plot.picture.other.points()[0]) == 0
    assert workspace.moment
    workspace.fork(0, workspace.moment.tied[1])
    settle(workspace)
    compared = workspace.compared
    assert compared
    assert plot.picture.other.points()[1].tolist() == [compared.training.length(k) for k in range(11)]
    assert len(plot.picture.wide.points()[0]) == 11
    assert plot.picture.other.item.opts["pen"].style() is Qt.PenStyle.DashLine
    assert pixels(plot, theme.current().tie) > 50
    workspace.compare(None)
    assert len(plot.picture.other.points()[0]) == len(plot.picture.wide.points()[0]) == 0


def test_the_curve_grows_while_a_training_learns(pane: CurvePane, workspace: Workspace, qtbot: QtBot) -> None:
    plot = pane.build()
    workspace.open_exemplar("chronicle", at_once=True)
    grown: list[tuple[Merge, ...]] = []
    ends: list[tuple[float, float]] = []

    def note(merges: tuple[Merge, ...]) -> None:
        x, y = plot.picture.growing.points()
        if len(x):
            grown.append(merges)
            ends.append((float(x[-1]), float(y[-1])))

    workspace.merges_learned.connect(note)
    workspace.set_recipe(Recipe.of("byte-words"))
    qtbot.waitUntil(lambda: len(grown) > 1, timeout=60_000)
    assert ends == [(256 + len(merges), merges[-1].length) for merges in grown]
    settle(workspace)
    assert len(plot.picture.growing.points()[0]) == 0, "when the run is there, it is the curve"
    run = workspace.run
    assert run
    assert plot.lengths is not None
    assert plot.lengths.lengths.tolist() == [run.training.length(k) for k in range(run.training.learned + 1)]


def test_a_stopped_training_leaves_nothing_behind(pane: CurvePane, workspace: Workspace, qtbot: QtBot) -> None:
    plot = pane.build()
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.set_recipe(Recipe.of("byte-words"))
    qtbot.waitUntil(lambda: len(plot.picture.growing.points()[0]) > 0, timeout=60_000)
    workspace.cancel()
    settle(workspace)
    assert len(plot.picture.growing.points()[0]) == 0


def test_a_training_given_up_for_one_whose_rows_are_not_known_yet_is_not_drawn(pane: CurvePane, workspace: Workspace, qtbot: QtBot) -> None:
    plot = pane.build()
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.set_recipe(Recipe.of("byte-words"))
    qtbot.waitUntil(lambda: len(plot.picture.growing.points()[0]) > 0, timeout=60_000)
    workspace.set_recipe(Recipe.of("published"))  # of characters: how many, its cutting tells
    workspace.merges_learned.emit(())
    assert len(plot.picture.growing.points()[0]) == 0
    workspace.cancel()
    settle(workspace)


def test_there_are_no_parts_of_a_token_on_the_axis(pane: CurvePane, workspace: Workspace) -> None:
    workspace.open_corpus(Corpus.of_text(b""), recipe=Recipe.of("chapter-81"), at_once=True)
    plot = pane.build()
    assert [text for _, text in plot.picture.top.getAxis("left")._tickLevels[0]] == ["0", "1"]  # noqa: SLF001 - it has no other way


def test_data_set_from_another_thread_is_a_mistake_that_shows(chronicle: CurvePlot) -> None:
    raised: list[type[BaseException]] = []

    def elsewhere() -> None:
        try:
            chronicle.picture.past.show((np.zeros(2), np.zeros(2)))
        except AssertionError as error:
            raised.append(type(error))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert raised == [AssertionError]


def test_a_redraw_adds_nothing_to_the_scene(pane: CurvePane, workspace: Workspace) -> None:
    plot = pane.build()
    counts = []
    for turn in range(30):
        text = b"the cat sat on the mat " * (1 + turn % 3)
        workspace.open_corpus(Corpus.of_text(text), recipe=Recipe.of("chapter-81"), at_once=True)
        workspace.step(turn % 5)
        pane.set_scale(Scale.LOG if turn % 2 else Scale.LINEAR)
        counts.append(len(plot.canvas.scene().items()))
    assert counts[9] == counts[29]
    assert len(set(counts[9:])) == 1


def test_a_hundred_thousand_merges_cost_no_more_than_the_pixels(pane: CurvePane) -> None:
    plot = pane.build()
    count = 100_000
    saved = np.maximum(1.0, 1e6 / np.arange(1, count + 1))
    lengths = Lengths(np.arange(256, 257 + count, dtype=np.float64), np.append(3e7, 3e7 - np.cumsum(saved)), saved, 30_000_000)
    plot.show_run(lengths, 50_000)
    for scale in Scale:
        plot.set_scale(scale)
        assert len(curve(plot)[0]) <= 2 * plot.canvas.width() + 5
        assert len(plot.picture.bars_past.item.yData) + len(plot.picture.bars_coming.item.yData) <= plot.canvas.width() + 3
    plot.set_scale(Scale.LINEAR)
    at = plot.point_of(50_000)
    while plot.in_sight[1] - plot.in_sight[0] > 50:
        wheel(plot, at, down=120)
    took = []
    for _ in range(50):
        start = time.thread_time()
        wheel(plot, at, across=-120)
        plot.grab()
        took.append(time.thread_time() - start)
    assert sorted(took)[25] < 0.05, "the median of fifty pans, painted"


def test_a_low_pane_leaves_out_what_was_saved(chronicle: CurvePlot, pane: CurvePane) -> None:
    assert chronicle.picture.low.isVisible()
    pane.resize(400, 160)
    assert not chronicle.picture.low.isVisible()
    pane.resize(540, 300)
    assert chronicle.picture.low.isVisible()
    QApplication.processEvents()
    tops = [plot.getAxis("left").width() for plot in (chronicle.picture.top, chronicle.picture.low)]
    assert tops[0] == tops[1] > 40


def test_a_change_of_theme_dresses_everything_anew(chronicle: CurvePlot, qapp: QApplication) -> None:
    light = theme.ink_of(Theme.LIGHT)
    theme.apply(qapp, Theme.DARK)
    dark = theme.ink_of(Theme.DARK)
    assert pixels(chronicle, dark.page) > 10_000
    assert pixels(chronicle, dark.accent) > 40
    for gone in (light.page, light.accent, light.mark, light.line):
        assert pixels(chronicle, gone) < 50, "what is left are letters that happen to be as grey"
    for plot in (chronicle.picture.top, chronicle.picture.low):
        for side in ("left", "bottom"):
            assert plot.getAxis(side).textPen().color() == dark.ink_3
    theme.apply(qapp, Theme.LIGHT)


def test_at_rest_nothing_is_painted(chronicle: CurvePlot, qtbot: QtBot) -> None:
    QApplication.processEvents()
    painted: list[int] = []
    chronicle.canvas.scene().changed.connect(lambda regions: painted.append(1))
    qtbot.wait(300)
    assert len(painted) < 6


def test_a_png_has_the_width_asked_for_and_shows_the_curve(chronicle: CurvePlot, pane: CurvePane, tmp_path: Path) -> None:
    for width in (1024, 777):
        path = tmp_path / f"{width}.png"
        pane.export(path, width=width, ratio=1.0)
        assert struct.unpack(">I", path.read_bytes()[16:20]) == (width,)
        image, accent = QImage(str(path)), theme.current().accent
        assert any(image.pixelColor(x, y) == accent for x in range(0, width, 1) for y in range(40, image.height(), 3))
    before = pixels(chronicle, theme.current().accent)
    pane.export(tmp_path / "twice.png")
    assert struct.unpack(">I", (tmp_path / "twice.png").read_bytes()[16:20]) == (2 * chronicle.canvas.width(),)
    assert pixels(chronicle, theme.current().accent) == before, "the plot is as it was"


def test_an_svg_shows_curve_and_dot(chronicle: CurvePlot, pane: CurvePane, tmp_path: Path) -> None:
    pane.export(tmp_path / "curve.svg")
    renderer = QSvgRenderer(str(tmp_path / "curve.svg"))
    assert renderer.isValid()
    image = QImage(renderer.viewBox().size() * 2, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    p = QPainter(image)
    renderer.render(p)
    p.end()
    dot = chronicle.point_of(36)
    head = image.height() / 2 - chronicle.canvas.height()
    assert image.pixelColor(round(2 * dot.x()), round(2 * (dot.y() + head))) == theme.current().accent
    assert theme.current().mark.name() in (tmp_path / "curve.svg").read_text("utf-8")


def test_the_csv_has_a_line_for_each_k(chronicle: CurvePlot, pane: CurvePane, tmp_path: Path) -> None:
    pane.export(tmp_path / "curve.csv")
    lines = (tmp_path / "curve.csv").read_text("utf-8").splitlines()
    assert lines[:3] == ["k,rows,length,bytes_per_token,saved,count,tied", "0,256,7123,1.000000,,,", "1,257,6931,1.027702,192,192,1"]
    assert len(lines) == 258
    assert lines[-1].startswith("256,512,1419,5.019732,")


def test_what_cannot_be_written_is_told(chronicle: CurvePlot, pane: CurvePane, workspace: Workspace, tmp_path: Path) -> None:
    told: list[Notice] = []
    workspace.noticed.connect(told.append)
    for ending in ("png", "csv"):
        pane.export(tmp_path / "missing" / f"curve.{ending}")
    assert [notice.text for notice in told] == ["The curve was not saved: there is no such folder."] * 2


def test_copy_puts_the_picture_into_the_clipboard(chronicle: CurvePlot, pane: CurvePane) -> None:
    pane.copy()
    assert QGuiApplication.clipboard().image().width() == 2 * chronicle.canvas.width()
    QGuiApplication.clipboard().clear()


def test_the_menu_holds_every_choice(chronicle: CurvePlot, pane: CurvePane, qtbot: QtBot) -> None:
    at = QPoint(100, 50)
    with qtbot.waitSignal(chronicle.menu_wanted):
        target = chronicle.canvas.viewport()
        QApplication.sendEvent(target, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, target.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    actions = {action.text(): action for action in menu.actions() if action.text()}
    assert list(actions)[:4] == ["Tokens", "Bytes per token", "Linear", "Log"]
    assert [name for name, action in actions.items() if action.isChecked()] == ["Tokens", "Linear"]
    actions["Bytes per token"].trigger()
    assert chronicle.measure is Measure.BYTES_PER_TOKEN
    menu.close()


def covered(plot: CurvePlot, box: QRectF) -> int:
    """How many merges' points of the curve lie in a box of the upper plot, in its pixels."""
    corner = plot.picture.top.getViewBox().mapToScene(QPointF(0, 0))
    run = plot.lengths
    assert run
    return sum(box.contains(QPointF(plot.canvas.mapToScene(plot.point_of(k).toPoint())) - corner) for k in range(run.learned + 1))


@pytest.mark.parametrize("measure", list(Measure))
@pytest.mark.parametrize("scale", list(Scale))
def test_the_note_at_the_cursor_lies_on_no_curve(
    pane: CurvePane, chronicle: CurvePlot, workspace: Workspace, measure: Measure, scale: Scale
) -> None:
    pane.set_measure(measure)
    pane.set_scale(scale)
    for k in (0, 1, 3, 8, 20, 36, 60, 150, 250, 256):
        workspace.go_to_merge(k)
        room = chronicle.picture.top.getViewBox()
        noted = chronicle.picture.noted
        assert QRectF(0, 0, room.width(), room.height()).contains(noted), f"inside the plot at merge {k}"
        assert noted.height() > 30 and covered(chronicle, noted) == 0, f"at merge {k}"


def test_the_note_in_a_low_plot_is_one_line_rather_than_on_the_curve(
    pane: CurvePane, chronicle: CurvePlot, workspace: Workspace, qtbot: QtBot
) -> None:
    pane.resize(360, 134)
    qtbot.wait(20)
    for k in (0, 200, 36):
        workspace.go_to_merge(k)
        assert covered(chronicle, chronicle.picture.noted) == 0, f"at merge {k}"
    assert chronicle.picture.note.lines() == ["292 rows, 3\u2009505 tokens"]
    pane.resize(700, 500)
    qtbot.wait(20)
    workspace.go_to_merge(36)
    assert chronicle.picture.note.lines() == ["292 rows", "3\u2009505 tokens", "2.03 bytes each"]


def test_the_note_under_the_pointer_leaves_the_one_at_the_cursor_free(chronicle: CurvePlot, workspace: Workspace) -> None:
    workspace.go_to_merge(0)
    for k in (3, 14, 40, 120, 255):
        mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(k))
        boxes = chronicle.picture.noted, chronicle.picture.pointed
        assert not boxes[0].intersects(boxes[1]), f"at merge {k}"


def test_what_each_merge_saved_grows_with_a_corpus_that_has_no_merges_yet(pane: CurvePane, workspace: Workspace) -> None:
    plot = pane.build()
    workspace.open_exemplar("chronicle", at_once=True)
    run = workspace.run
    assert run
    plot.show_run(Lengths.of_columns(MergeColumns.of(()), 256, run.training.length_at_zero, 7123), 0)
    assert not plot.picture.bars_coming.item.isVisible()
    for count in (10, 40):
        plot.show_growing(Lengths.of_columns(MergeColumns.of(run.training.merges[:count]), 256, run.training.length_at_zero, 7123))
        edges, heights = plot.picture.bars_coming.item.getData()
        assert plot.picture.bars_coming.item.isVisible()
        assert (len(heights), edges[-1]) == (count, 256 + count)
        assert heights.tolist() == [merge.saved for merge in run.training.merges[:count]]
    plot.show_run(Lengths.of(run.training), 0)
    assert len(plot.picture.bars_coming.item.getData()[1]) == 256, "with the run come all of its bars"


def test_a_point_of_the_curve_hovers_the_token_of_its_merge(chronicle: CurvePlot, workspace: Workspace) -> None:
    run = workspace.run
    assert run
    mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(120))
    assert workspace.hovered == run.training.table.pieces[run.training.table.id_of_rank(119)]
    mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(0))
    assert workspace.hovered is None, "nothing is made yet"
    mouse(chronicle, QEvent.Type.MouseMove, chronicle.point_of(200))
    assert workspace.hovered
    QApplication.sendEvent(chronicle.canvas.viewport(), QEvent(QEvent.Type.Leave))
    assert workspace.hovered is None
