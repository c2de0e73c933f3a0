"""The token tree pane on a real Workspace: which tree is shown, what a click, the keys and the wheel do, what is exported."""

import struct
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QImage, QMouseEvent, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.core.vocabulary import Piece
from explorer.gui import theme
from explorer.gui.theme import STILL, Motion, Theme
from explorer.gui.views.token_tree import TokenTree
from explorer.gui.views.tree_motion import CALM_S, TreeMotion
from explorer.gui.views.tree_pane import NOTHING_MADE, NOTHING_OPEN, TreePane
from explorer.gui.views.tree_picture import whole
from explorer.workspace.values import Notice, Selection
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

HOLLOW, LLOW, THE_HO = b"The Hollow", b"llow", b"The Ho"


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT, motion=STILL)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pane(workspace: Workspace, qtbot: QtBot) -> TreePane:
    made = TreePane(workspace)
    qtbot.addWidget(made)
    made.resize(540, 460)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def hollow(pane: TreePane, workspace: Workspace) -> TokenTree:
    """The chronicle at merge 36: "The Hollow" was just made."""
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    return pane.tree


def piece(workspace: Workspace, text: bytes) -> Piece:
    assert workspace.run
    return next(each for each in workspace.run.training.table.pieces if each.bytes == text)


def root(tree: TokenTree) -> bytes:
    assert tree.tree
    return tree.tree.spots[0].piece.bytes


def place(tree: TokenTree, text: bytes) -> int:
    assert tree.tree
    return next(at for at, spot in enumerate(tree.tree.spots) if spot.piece.bytes == text)


def point(tree: TokenTree, text: bytes) -> QPoint:
    return tree.point_of(place(tree, text)).toPoint()


def move(tree: QWidget, to: QPointF, held: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    none = Qt.MouseButton.NoButton
    QApplication.sendEvent(tree, QMouseEvent(QEvent.Type.MouseMove, to, tree.mapToGlobal(to), none, held, Qt.KeyboardModifier.NoModifier))


def wheel(tree: QWidget, at: QPointF, eighths: int) -> None:
    event = QWheelEvent(
        at, tree.mapToGlobal(at), QPoint(), QPoint(0, eighths), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(tree, event)


def pixels(widget: QWidget, colour: QColor) -> int:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    seen = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3].astype(int)
    return int((np.abs(seen - [colour.blue(), colour.green(), colour.red()]).max(axis=2) < 4).sum())


# --- which tree -------------------------------------------------------------------------------------------------------


def test_nothing_open_and_nothing_made_say_so(pane: TreePane, workspace: Workspace) -> None:
    assert pane.tree.root is None
    assert pane.tree.accessibleDescription() == NOTHING_OPEN
    workspace.open_exemplar("chronicle", at_once=True)
    assert pane.tree.accessibleDescription() == NOTHING_MADE
    assert pane.pane.facts() == ""
    assert pixels(pane.tree, theme.current().page) > 10_000


def test_a_step_shows_the_token_just_made(hollow: TokenTree, pane: TreePane, workspace: Workspace) -> None:
    assert root(hollow) == HOLLOW
    assert pane.pane.facts() == "token 291, just made · 10 bytes · 81 times"
    assert pixels(hollow, theme.current().new_fill) > 500
    workspace.step(1)
    assert root(hollow) == b"s stand"
    workspace.go_to_merge(0)
    assert hollow.root is None


def test_the_words_of_the_tree(hollow: TokenTree) -> None:
    said = hollow.accessibleDescription()
    assert said.startswith("token 291, The·Hollow, merge 35 of The·Ho and llow, 54 68 65 20 48 6F 6C 6C 6F 77 hex; 10 bytes, 5 levels.")
    assert "token 284, llow, merge 28 of ll and ow, 6C 6C 6F 77 hex" in said


def test_a_selection_from_elsewhere_shows_its_tree(hollow: TokenTree, pane: TreePane, workspace: Workspace) -> None:
    workspace.select_token(piece(workspace, b" stand"[1:]))
    assert root(hollow) == b"stand"
    assert workspace.timeline and workspace.run
    token = workspace.run.training.table.find(piece(workspace, b"stand"))
    assert token is not None
    assert pane.pane.facts() == f"token {token}, merge {token - 256} · 5 bytes · {workspace.timeline.token_count(36, token)} times"
    workspace.select_token(piece(workspace, b"A"))
    assert root(hollow) == b"A"
    later = workspace.run.training.table.pieces[300]
    workspace.select_token(later)
    assert "token 300, not made before merge 44" in pane.pane.facts()


def test_a_selected_pair_shows_what_it_would_make(hollow: TokenTree, pane: TreePane, workspace: Workspace) -> None:
    workspace.select_pair((piece(workspace, b"s "), piece(workspace, b"stand")))
    assert root(hollow) == b"s stand"
    assert hollow.tree
    assert hollow.tree.spots[0].token_id is None
    assert pane.pane.facts() == "will be token 292 · 7 bytes · 80 times"
    workspace.select_pair((piece(workspace, b":"), piece(workspace, b" 2")))
    assert pane.pane.facts().startswith("not made · 3 bytes · ")
    assert "not made yet" in hollow.accessibleDescription()


def test_a_token_that_the_run_has_not_is_told(hollow: TokenTree, workspace: Workspace) -> None:
    workspace.select_token(Piece(b"zebra"))
    assert hollow.root is None
    assert hollow.accessibleDescription() == "This run has no token zebra."


def test_another_corpus_shows_its_own_tree(hollow: TokenTree, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(8)
    assert root(hollow) == b"dest"
    assert hollow.tree
    assert [hollow.tree.spots[at].piece.marked for at in hollow.tree.leaves] == [False, False, False, True]


def test_what_the_compared_run_makes_differently_is_told(pane: TreePane, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.moment
    workspace.fork(0, workspace.moment.tied[1])
    settle(workspace)
    run, compared = workspace.run, workspace.compared
    assert run and compared
    here, there = run.training.table, compared.training.table
    only_here = next(each for each in here.pieces if there.find(each) is None)
    workspace.select_token(only_here)
    assert pane.pane.facts().endswith(" · not in B")
    workspace.compare(None)
    assert not pane.pane.facts().endswith("not in B")


# --- mouse ------------------------------------------------------------------------------------------------------------


def test_a_click_selects_moves_to_the_merge_and_the_tree_stays(
    hollow: TokenTree, pane: TreePane, workspace: Workspace, qtbot: QtBot,
) -> None:  # fmt: skip
    qtbot.mouseClick(hollow, Qt.MouseButton.LeftButton, pos=point(hollow, LLOW))
    assert workspace.selection == Selection(token=piece(workspace, LLOW))
    assert workspace.k == 29, "merge 28 has just made it"
    assert root(hollow) == HOLLOW
    assert pane.pane.facts().startswith("token 291, not made before merge 35")
    workspace.go_to_merge(37)
    assert root(hollow) == b"s stand"
    workspace.select_token(piece(workspace, LLOW))
    assert root(hollow) == LLOW, "a selection from elsewhere"


def test_a_click_beside_the_nodes_does_nothing(hollow: TokenTree, workspace: Workspace, qtbot: QtBot) -> None:
    before = workspace.selection
    qtbot.mouseClick(hollow, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    qtbot.mouseClick(hollow, Qt.MouseButton.RightButton, pos=point(hollow, LLOW))
    assert workspace.selection == before


def test_a_double_click_enters_a_node_and_one_on_the_root_goes_back_out(hollow: TokenTree, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.mouseDClick(hollow, Qt.MouseButton.LeftButton, pos=point(hollow, THE_HO))
    assert root(hollow) == THE_HO
    qtbot.mouseDClick(hollow, Qt.MouseButton.LeftButton, pos=point(hollow, THE_HO))
    assert root(hollow) == HOLLOW


def test_the_mouse_over_a_node_rings_it_everywhere(hollow: TokenTree, workspace: Workspace) -> None:
    move(hollow, QPointF(point(hollow, LLOW)))
    assert workspace.hovered == piece(workspace, LLOW)
    QApplication.sendEvent(hollow, QEvent(QEvent.Type.Leave))
    assert workspace.hovered is None
    before = pixels(hollow, theme.current().ink_2)
    workspace.hover(piece(workspace, b"o"))
    assert pixels(hollow, theme.current().ink_2) > before + 30, "both leaves are ringed"


def test_the_tooltip_tells_the_node_and_takes_no_piece_for_markup(pane: TreePane, workspace: Workspace) -> None:
    workspace.open_corpus(Corpus.of_text(b"<b><b><b><b>"), recipe=Recipe.of("chapter-81"), at_once=True)
    workspace.go_to_merge(workspace.learned)
    tree = pane.tree
    at = point(tree, root(tree))
    QApplication.sendEvent(tree, QHelpEvent(QEvent.Type.ToolTip, at, tree.mapToGlobal(at)))
    assert "&lt;b&gt;" in QToolTip.text()
    assert "merge" in QToolTip.text()
    QToolTip.hideText()


def test_a_drag_moves_the_tree_and_selects_nothing(hollow: TokenTree, workspace: Workspace, qtbot: QtBot) -> None:
    before, start = workspace.selection, hollow.point_of(place(hollow, LLOW))
    qtbot.mousePress(hollow, Qt.MouseButton.LeftButton, pos=start.toPoint())
    for step in range(1, 5):
        move(hollow, start + QPointF(10 * step, 5 * step), Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(hollow, Qt.MouseButton.LeftButton, pos=(start + QPointF(40, 20)).toPoint())
    moved = hollow.point_of(place(hollow, LLOW)) - start
    assert (moved.x(), moved.y()) == pytest.approx((40, 20), abs=2)
    assert workspace.selection == before


def test_the_wheel_enlarges_around_the_pointer(hollow: TokenTree) -> None:
    at = hollow.point_of(place(hollow, LLOW))
    wheel(hollow, at, 240)
    assert hollow.scale == pytest.approx(1.44)
    moved = hollow.point_of(place(hollow, LLOW)) - at
    assert (moved.x(), moved.y()) == pytest.approx((0, 0), abs=0.01)
    assert hollow.place_at(at) == place(hollow, LLOW)
    for _ in range(50):
        wheel(hollow, at, 240)
    assert hollow.scale == 4.0
    for _ in range(99):
        wheel(hollow, at, -240)
    assert hollow.scale == 0.02


def test_zoom_stays_while_the_next_tree_fits_and_goes_when_it_does_not(hollow: TokenTree, workspace: Workspace) -> None:
    hollow.smaller()
    hollow.smaller()
    small = hollow.scale
    assert small < 1
    workspace.step(1)
    assert hollow.scale == small
    for _ in range(12):
        hollow.larger()
    workspace.step(-1)
    assert hollow.scale == 1.0


def test_fit_shows_a_wide_tree_whole_where_it_is_first_shown_legible(pane: TreePane, workspace: Workspace) -> None:
    workspace.open_corpus(Corpus.of_text(b"a" * 2048), recipe=Recipe.of("chapter-81"), at_once=True)
    workspace.go_to_merge(8)
    tree = pane.tree
    assert tree.scale >= 0.7
    assert tree.tree
    assert whole(tree.tree).width() * tree.scale > tree.width()
    assert QRectF(tree.rect()).contains(tree.point_of(0)), "the root is in sight"
    tree.fit()
    assert tree.tree
    assert all(QRectF(tree.rect()).contains(tree.point_of(at)) for at in range(len(tree.tree.spots)))
    workspace.step(-1)
    assert tree.tree
    assert whole(tree.tree).width() * tree.scale <= tree.width() + 1, "asked for once, the next tree is shown whole, too"


def test_a_narrow_pane_shows_the_whole_tree(hollow: TokenTree, pane: TreePane) -> None:
    pane.resize(410, 300)
    assert hollow.tree
    assert QRectF(hollow.rect()).adjusted(-1, -1, 1, 1).contains(QRectF(hollow.point_of(0), hollow.point_of(len(hollow.tree.spots) - 1)))


# --- keys -------------------------------------------------------------------------------------------------------------


def test_the_arrows_walk_and_enter_selects_then_enters(hollow: TokenTree, workspace: Workspace, qtbot: QtBot) -> None:
    hollow.setFocus(Qt.FocusReason.TabFocusReason)
    keys = Qt.Key
    for key in (keys.Key_Down, keys.Key_Down):  # the first key comes to the root
        qtbot.keyClick(hollow, key)
    assert workspace.hovered == piece(workspace, THE_HO)
    assert hollow.accessibleDescription() == "token 289, The·Ho, merge 33 of The· and Ho, 54 68 65 20 48 6F hex"
    qtbot.keyClick(hollow, keys.Key_Return)
    assert workspace.selection.token == piece(workspace, THE_HO)
    assert root(hollow) == HOLLOW
    qtbot.keyClick(hollow, keys.Key_Return)
    assert root(hollow) == THE_HO
    qtbot.keyClick(hollow, keys.Key_Backspace)
    assert root(hollow) == HOLLOW
    assert workspace.k == 34, "Enter went to the merge of The·Ho; the arrows did not step"


def test_plus_minus_and_nought_zoom(hollow: TokenTree, qtbot: QtBot) -> None:
    qtbot.keyClick(hollow, Qt.Key.Key_Plus)
    assert hollow.scale == pytest.approx(1.2)
    qtbot.keyClick(hollow, Qt.Key.Key_Minus)
    qtbot.keyClick(hollow, Qt.Key.Key_Minus)
    assert hollow.scale == pytest.approx(1 / 1.2)
    qtbot.keyClick(hollow, Qt.Key.Key_0)
    assert hollow.scale == 1.0


def test_keys_that_mean_nothing_here_are_left_to_the_window(hollow: TokenTree, pane: TreePane, qtbot: QtBot) -> None:
    heard: list[int] = []
    pane.keyPressEvent = lambda event: heard.append(event.key())
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Space):
        qtbot.keyClick(hollow, key)
    qtbot.keyClick(hollow, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(hollow, Qt.Key.Key_Right)
    assert heard == [Qt.Key.Key_Home, Qt.Key.Key_Space, Qt.Key.Key_Control, Qt.Key.Key_Right]


def test_the_cursor_of_the_keys_is_seen_and_goes_with_the_focus(hollow: TokenTree, pane: TreePane, qtbot: QtBot) -> None:
    pane.activateWindow()
    hollow.setFocus()
    qtbot.waitUntil(hollow.hasFocus)
    before = pixels(hollow, theme.current().accent)
    qtbot.keyClick(hollow, Qt.Key.Key_Down)
    qtbot.keyClick(hollow, Qt.Key.Key_Down)
    assert pixels(hollow, theme.current().accent) > before + 100
    hollow.clearFocus()
    assert pixels(hollow, theme.current().accent) == before


# --- motion, dress ----------------------------------------------------------------------------------------------------


def test_nodes_move_to_their_new_places_once_and_not_in_a_hurry(hollow: TokenTree, qapp: QApplication) -> None:
    now = [0.0]
    theme.apply(qapp, Theme.LIGHT)
    motion = TreeMotion(hollow, clock=lambda: now[0])
    layout = hollow.tree
    assert layout
    llow = place(hollow, LLOW)
    here = {layout.spots[llow].piece: [QPointF(7, 9)], layout.spots[0].piece: [QPointF(1, 2)]}

    def begin() -> None:
        motion.begin(layout, {each: list(points) for each, points in here.items()})

    begin()
    assert motion.moving
    assert motion.places(layout)[llow] == (7, 9)
    assert motion.places(layout)[place(hollow, THE_HO)] == (1, 2), "what was not there comes out of the root"
    now[0] += CALM_S / 2
    begin()
    assert not motion.moving
    now[0] += CALM_S
    begin()
    assert motion.moving
    motion.stop()
    assert motion.places(layout) == [(spot.x, spot.y) for spot in layout.spots]
    theme.apply(qapp, Theme.LIGHT, motion=STILL)
    now[0] += 1
    begin()
    assert not motion.moving


def test_the_tree_comes_to_rest(hollow: TokenTree, workspace: Workspace, qapp: QApplication, qtbot: QtBot) -> None:
    motion = hollow._motion  # noqa: SLF001 - a picture does not say whether it moves
    theme.apply(qapp, Theme.LIGHT, motion=Motion(tree=1_500))  # time enough for a picture on its way
    qtbot.wait(round(1000 * CALM_S) + 20)
    workspace.step(-1)
    QApplication.processEvents()
    moving = hollow.grab().toImage()
    qtbot.waitUntil(lambda: not motion.moving, timeout=20_000)
    rest = hollow.grab().toImage()
    assert moving != rest
    theme.apply(qapp, Theme.LIGHT, motion=STILL)
    assert hollow.grab().toImage() == rest
    theme.apply(qapp, Theme.LIGHT)


def test_a_change_of_theme_and_zoom_redraws_the_tree(hollow: TokenTree, qapp: QApplication) -> None:
    before = hollow.point_of(1) - hollow.point_of(0)
    assert hollow.tree
    width = hollow.tree.spots[0].width
    theme.apply(qapp, Theme.DARK, zoom=1.5, motion=STILL)
    assert pixels(hollow, theme.ink_of(Theme.DARK).page) > 10_000
    assert hollow.tree.spots[0].width == pytest.approx(width * 1.5, rel=0.1)
    theme.apply(qapp, Theme.LIGHT, motion=STILL)
    assert hollow.point_of(1) - hollow.point_of(0) == before


def test_255_nodes_are_drawn_in_a_few_milliseconds(qapp: QApplication, qtbot: QtBot) -> None:
    text = (b"tokenization of the quick brown fox jumps over a lazy dog and " * 3)[:128]
    table = train(Corpus.of_text((text + b"\n") * 4), Recipe.of("chapter-81").asking(merges=400)).table
    tree = TokenTree()
    qtbot.addWidget(tree)
    tree.resize(1200, 800)
    tree.show_root(table, max(range(table.size), key=lambda at: len(table.pieces[at].bytes)))
    tree.fit()
    assert tree.tree
    assert len(tree.tree.spots) == 255
    image, took = QImage(1200, 800, QImage.Format.Format_ARGB32_Premultiplied), []
    for _ in range(20):
        start = time.thread_time()
        tree.render(image)
        took.append(time.thread_time() - start)
    assert min(took) < 0.02, "3 ms on an idle laptop; the bound is for a busy one"


# --- export -----------------------------------------------------------------------------------------------------------


def test_the_whole_tree_is_written_whatever_is_in_sight(hollow: TokenTree, pane: TreePane, tmp_path: Path) -> None:
    for _ in range(10):
        hollow.larger()
    pane.export(tmp_path / "tree.png")
    pane.export(tmp_path / "tree.svg")
    box = whole(hollow.tree) if hollow.tree else QRectF()
    width, height = struct.unpack(">II", (tmp_path / "tree.png").read_bytes()[16:24])
    assert (width, height) == pytest.approx((2 * box.width(), 2 * box.height()), abs=2)
    image = QImage(str(tmp_path / "tree.png"))
    colours = {image.pixelColor(x, y).name() for x in range(0, width, 3) for y in range(0, height, 3)}
    assert {theme.current().new_fill.name(), theme.current().page.name(), theme.current().mark.name()} <= colours
    renderer = QSvgRenderer(str(tmp_path / "tree.svg"))
    assert renderer.isValid()
    assert renderer.viewBoxF().width() == pytest.approx(box.width(), abs=1)
    assert "llow" in (tmp_path / "tree.svg").read_text("utf-8")


def test_copy_and_a_failed_export(hollow: TokenTree, pane: TreePane, workspace: Workspace, tmp_path: Path) -> None:
    pane.copy()
    assert QGuiApplication.clipboard().image().width() > 500
    QGuiApplication.clipboard().clear()
    told: list[Notice] = []
    workspace.noticed.connect(told.append)
    pane.export(tmp_path / "missing" / "tree.png")
    assert [notice.text for notice in told] == ["The picture was not saved: there is no such folder."]
