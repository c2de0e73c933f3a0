"""The read-only view of your text: any bytes and any size, every token reachable, every byte copied as it is."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.gui import theme
from explorer.gui.text.text_mime import bytes_of, mime_of
from explorer.gui.theme import Theme
from explorer.gui.views.text_page import BLOCK, LONG_LINE, TextPage, block_bounds
from explorer.gui.views.token_view import TokenView
from explorer.workspace.workspace import Workspace

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    made.open_corpus(Corpus.of_text(b"ok ok ok\n ok"), recipe=Recipe.of("chapter-81"), at_once=True)
    made.go_to_merge(made.learned)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def view(workspace: Workspace, qtbot: QtBot) -> TokenView:
    made = TokenView(workspace)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def put(view: TokenView, workspace: Workspace, qtbot: QtBot, data: bytes) -> None:
    workspace.set_text(data)
    view.load(data)
    qtbot.waitUntil(lambda: view.tokens is not None and view.tokens.encoded.data == data, timeout=20_000)
    view.viewport().repaint()


def copied() -> bytes | None:
    return bytes_of(QGuiApplication.clipboard().mimeData())


def copy_all(view: TokenView) -> bytes | None:
    QTest.keyClick(view, Key.Key_A, CONTROL)
    QTest.keyClick(view, Key.Key_C, CONTROL)
    return copied()


@pytest.mark.parametrize("data", [
    "👩‍👩‍👧 ok".encode(), b"first\x00second", b"\xe6\xad", b"ok\r\nok\r", b"\xff" * 300,
    "בנ".encode(), "東京 😀 \ufffd".encode(), b"\n" * 50,
])  # fmt: skip
def test_every_token_is_in_a_box_and_every_byte_is_copied(view: TokenView, workspace: Workspace, qtbot: QtBot, data: bytes) -> None:
    """case-020, case-071, case-084, case-086"""
    put(view, workspace, qtbot, data)
    assert view.tokens is not None
    for n in range(len(view.tokens.encoded)):
        boxes = view.token_boxes(n)
        assert boxes and all(box.width() > 0 for box in boxes)
        assert view.token_at(QPointF(boxes[0].center())) in (n, n - 1, n + 1)  # whole pixels may be the neighbour's
    assert copy_all(view) == data


def test_shares_of_a_cut_character_are_side_by_side(view: TokenView, workspace: Workspace, qtbot: QtBot) -> None:
    put(view, workspace, qtbot, "ざこ".encode())
    left = [view.token_boxes(n)[0].left() for n in range(6)]
    assert left == sorted(left) and len(set(left)) == 6
    cells = view._page.laid(0).layout.rows.cells  # noqa: SLF001 - what is drawn: two characters, each once, both with bars
    assert len(cells) == 2 and cells.cut.tolist() == [True, True]


def test_a_click_selects_and_copy_takes_the_token(view: TokenView, workspace: Workspace, qtbot: QtBot) -> None:
    put(view, workspace, qtbot, b"ok ok\xff")
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.token_boxes(1)[0].center())
    assert workspace.selection.span == (2, 5) and workspace.selection.token is not None and workspace.selection.token.bytes == b" ok"
    view.copy()
    assert copied() == b" ok"


def test_dragging_marks_exact_bytes(view: TokenView, workspace: Workspace, qtbot: QtBot) -> None:
    put(view, workspace, qtbot, "ok ok\xff\ré end".encode("latin-1"))
    start, end = view.token_boxes(1)[0], view.token_boxes(2)[0]
    before = workspace.selection
    qtbot.mousePress(view.viewport(), LEFT, pos=QPoint(start.left() + 1, start.center().y()))
    QTest.mouseMove(view.viewport(), QPoint(end.center().x(), end.center().y()))
    _drag(view, QPoint(end.right(), end.center().y()))
    qtbot.mouseRelease(view.viewport(), LEFT, pos=QPoint(end.right(), end.center().y()))
    assert view.marked == (2, 6) and workspace.selection == before
    view.copy()
    assert copied() == b" ok\xff"


def _drag(view: TokenView, to: QPoint) -> None:
    place, modifiers = QPointF(to), Qt.KeyboardModifier.NoModifier
    for _ in range(2):
        event = QMouseEvent(QMouseEvent.Type.MouseMove, place, view.viewport().mapToGlobal(place), LEFT, LEFT, modifiers)
        QApplication.sendEvent(view.viewport(), event)


def test_keys_go_from_token_to_token(view: TokenView, workspace: Workspace, qtbot: QtBot) -> None:
    put(view, workspace, qtbot, b"ok ok ok\nok ok\xff\n" * 50)
    seen = []
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Down, Key.Key_Home, Key.Key_End, Key.Key_Up, Key.Key_Left):
        qtbot.keyClick(view, key)
        seen.append(workspace.selection.span)
    assert seen == [(0, 2), (2, 5), (11, 14), (9, 11), (15, 16), (8, 9), (5, 8)]
    qtbot.keyClick(view, Key.Key_End, CONTROL)
    assert workspace.selection.span == (799, 800) and view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    assert "token 10" in view.accessibleDescription()
    qtbot.keyClick(view, Key.Key_PageUp)
    assert workspace.selection.span is not None and workspace.selection.span[0] < 790
    qtbot.keyClick(view, Key.Key_Home, CONTROL)
    assert workspace.selection.span == (0, 2) and view.verticalScrollBar().value() == 0


def test_the_place_in_view_stays_when_width_and_tokens_change(view: TokenView, workspace: Workspace, qtbot: QtBot) -> None:
    put(view, workspace, qtbot, "ok é ok 東京 ok ".encode() * 3000 + b"\xff")
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    view.viewport().repaint()
    before = view._top_byte()[0]  # noqa: SLF001 - what a reader would see at the top
    view.resize(430, 400)
    view.viewport().repaint()
    row = len("ok é ok 東京 ok ".encode()) * 10
    assert abs(view._top_byte()[0] - before) < row  # noqa: SLF001
    before = view._top_byte()[0]  # noqa: SLF001
    workspace.go_to_merge(0)
    qtbot.waitUntil(lambda: view.tokens is not None and view.tokens.encoded.merges == 0)
    view.viewport().repaint()
    assert abs(view._top_byte()[0] - before) < row  # noqa: SLF001


def test_a_paste_takes_the_place_of_the_text(view: TokenView, workspace: Workspace, qtbot: QtBot) -> None:
    put(view, workspace, qtbot, b"ok\xff")
    QGuiApplication.clipboard().setMimeData(mime_of(b"other\r\n"))
    qtbot.keyClick(view, Key.Key_V, CONTROL)
    assert workspace.text == b"other\r\n"


def test_text_is_there_before_its_tokens(workspace: Workspace, view: TokenView) -> None:
    workspace.set_text(b"ok " * 100_000)
    view.load(workspace.text)
    assert view.tokens is None
    picture = view.viewport().grab().toImage()
    ink = theme.current()
    seen = {picture.pixelColor(x, y).name() for x in range(16, 300, 2) for y in range(0, 120, 2)}
    assert len(seen) > 3 and not seen & {tint.name() for tint in ink.tints}


def test_it_draws_in_every_theme(view: TokenView, workspace: Workspace, qtbot: QtBot, qapp: QApplication) -> None:
    put(view, workspace, qtbot, b"ok ok\xff")
    for worn in Theme:
        theme.apply(qapp, worn, zoom=1.5)
        picture = view.viewport().grab().toImage()
        assert picture.pixelColor(picture.width() - 4, picture.height() - 4) == theme.current().page
    assert view.token_boxes(0)[0].height() > 35


PARTS = (b"a" * 900, b" ", b"\n", "é".encode() * 2000, b"\xff" * 3000, "東".encode() * 1500, b"\xe6\x9d")


@settings(deadline=None)
@given(st.lists(st.sampled_from(PARTS)).map(b"".join))
def test_blocks_hold_the_whole_text_and_cut_no_character(data: bytes) -> None:
    bounds = block_bounds(data)
    assert bounds[0] == 0 and bounds[-1] == len(data) and bounds == sorted(set(bounds))
    for start, end in pairwise(bounds):
        assert end - start <= LONG_LINE
        assert end == len(data) or end - start > BLOCK // 2 or data[end - 1] == 10
    letters = sum(len(data[a:b].decode("utf-8", "surrogateescape")) for a, b in pairwise(bounds))
    assert letters == len(data.decode("utf-8", "surrogateescape"))


def test_the_page_knows_the_byte_at_every_row(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    data = b"".join(b"line %d of the text\n" % n for n in range(2000))
    page = TextPage(data, None, 500)
    page.settle(0, 1e9)
    for offset in (0, 1, 5000, len(data) - 1):
        top = page.row_top(offset)
        assert page.first_byte(top) <= offset < page.first_byte(top) + 40
        start = data.rfind(b"\n", 0, offset) + 1
        assert page.first_byte(top) == start
    assert page.heights.total == 2000 * page.line
    assert page.byte_near(QPointF(1e6, page.row_top(5000) + 1)) == data.find(b"\n", 5000)


def test_marks_and_places_follow_letters_that_run_to_the_left(qapp: QApplication) -> None:
    theme.apply(qapp, Theme.LIGHT)
    data = "ok שלום ok\n".encode()
    page = TextPage(data, None, 500)
    page.settle(0, 400)
    whole, two = page.stretch(0, len(data), 0, 400), page.stretch(3, 7, 0, 400)
    assert len(whole) == 1 and len(two) == 1
    assert two[0].right() == pytest.approx(page.stretch(3, 11, 0, 400)[0].right())
    assert len(page.stretch(0, 5, 0, 400)) == 2  # "ok " and, further right, the first letter of the word
    for at in range(3, 11, 2):
        (box,) = page.stretch(at, at + 2, 0, 400)
        assert page.byte_near(QPointF(box.right() - 1, 5)) == at and page.byte_near(QPointF(box.left() + 1, 5)) == at + 2
    assert page.byte_near(QPointF(1e6, 5)) == len(data) - 1 and page.byte_near(QPointF(-5, 5)) == 0
