"""The editor of your text on a real Workspace: every byte typed or pasted is kept, and boxes lie where their tokens are."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.gui import theme
from explorer.gui.text.editor_rows import EditorRow
from explorer.gui.text.text_mime import bytes_of
from explorer.gui.theme import Role, Theme
from explorer.gui.views.text_editor import TextEditor
from explorer.gui.views.token_card import TokenCard
from explorer.workspace.workspace import Workspace

FAMILY = "👩‍👩‍👧"
COLUMNS = (*range(5), 20, 24, 28, 40, 44)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


def opened(workspace: Workspace, corpus: bytes) -> None:
    """Trains until no pair is left that occurs twice, and shows all merges."""
    workspace.open_corpus(Corpus.of_text(corpus), recipe=Recipe.of("chapter-81"), at_once=True)
    workspace.go_to_merge(workspace.learned)


@pytest.fixture
def editor(workspace: Workspace, qtbot: QtBot) -> TextEditor:
    opened(workspace, b"ok ok ok\n ok")
    made = TextEditor(workspace)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def settled(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    """Waits until the tokens are those of the text in the editor."""
    qtbot.waitUntil(lambda: editor.tokens is not None and editor.tokens.fresh and workspace.text == editor.data)


def put(editor: TextEditor, workspace: Workspace, qtbot: QtBot, text: str) -> None:
    editor.load(text.encode())
    settled(editor, workspace, qtbot)


def rows(editor: TextEditor) -> list[EditorRow]:
    return editor.visible_rows(0, editor.viewport().height())


def pieces(workspace: Workspace) -> list[bytes]:
    encoded = workspace.encoded
    assert encoded is not None
    return [encoded.covered(n) for n in range(len(encoded))]


def x_of(editor: TextEditor, unit: int) -> float:
    """Where Qt itself puts a unit of the first line."""
    block = editor.document().firstBlock()
    answer = block.layout().lineForTextPosition(unit).cursorToX(unit)
    assert isinstance(answer, tuple)
    return float(answer[0]) + editor.contentOffset().x()


def test_what_is_typed_becomes_your_text(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.keyClicks(editor, "ok ok")
    settled(editor, workspace, qtbot)
    assert workspace.text == b"ok ok" and pieces(workspace) == [b"ok", b" ok"]


@pytest.mark.parametrize("text", [
    "42\u00a0m and 42 m", "a\x00b", "\ufeffbom", "\ufffeswap", "a\u2028b", "\u200b\u200d",
    FAMILY, "e\u0301", "one\n\ntwo\n", "tab\tx", "\ufffd\ufffc", "שלום ok",
])  # fmt: skip
def test_every_byte_is_kept(editor: TextEditor, workspace: Workspace, qtbot: QtBot, text: str) -> None:
    put(editor, workspace, qtbot, text)
    assert editor.data == text.encode() == workspace.text
    editor.selectAll()
    editor.copy()
    assert bytes_of(QGuiApplication.clipboard().mimeData()) == text.encode()
    editor.clear()
    editor.paste()
    settled(editor, workspace, qtbot)
    assert workspace.text == text.encode()


def test_the_token_behind_an_emoji_has_its_own_units(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    """case-004: eleven units, of which " ok" has the last three."""
    put(editor, workspace, qtbot, f"{FAMILY} ok")
    assert pieces(workspace)[-1] == b" ok"
    n = len(pieces(workspace)) - 1
    row = rows(editor)[0]
    box = row.covered(row.text.indexes.tolist().index(n))[0]
    assert box.left() == pytest.approx(x_of(editor, 8)) and box.right() == pytest.approx(x_of(editor, 11))
    letter = QPointF(x_of(editor, 9) + 2, box.center().y())
    assert editor.token_at(letter) == n
    qtbot.mouseClick(editor.viewport(), LEFT, pos=letter.toPoint())
    assert workspace.selection.token is not None and workspace.selection.token.bytes == b" ok"
    assert workspace.selection.span == (len(FAMILY.encode()), len(FAMILY.encode()) + 3)


def test_characters_cut_by_token_edges_share_one_box(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    """case-006, case-061: each byte is a token, three lie in one character, and each has its share of it."""
    put(editor, workspace, qtbot, "i ⭢ j")
    row = rows(editor)[0]
    assert len(pieces(workspace)) == 7 and row.text.unit_starts.tolist() == [0, 1, 2, 3, 4]
    first, after = row.text.holders
    assert first.tolist() == [0, 1, 2, 2, 2, 3, 4] and after.tolist() == [1, 2, 3, 3, 3, 4, 5]
    shares = [row.covered(token)[0] for token in (2, 3, 4)]
    assert shares[0].left() == pytest.approx(x_of(editor, 2)) and shares[2].right() == pytest.approx(x_of(editor, 3))
    assert all(one.right() == pytest.approx(two.left()) for one, two in pairwise(shares))
    assert row.whole(2) == [] and np.flatnonzero(row.text.cells.cut).tolist() == [2]
    assert [editor.token_at(share.center()) for share in shares] == [2, 3, 4]


def test_letters_that_run_to_the_left(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok שלום ok")
    row = rows(editor)[0]
    for token in row.tokens():
        for box in row.covered(token):
            assert box.width() > 0
    last = row.covered(len(row.text.indexes) - 1)[0]
    assert last.right() == pytest.approx(x_of(editor, 10)) and editor.token_at(last.center()) == row.text.indexes[-1]
    shin = next(box for token in row.tokens() for box in row.covered(token) if row.text.spans[token].start == 3)
    mem = next(box for token in row.tokens() for box in row.covered(token) if row.text.spans[token].start == 9)
    assert shin.left() > mem.left()


def test_boxes_that_are_late_are_never_at_the_wrong_place(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok ok\nok ok\nok ok")
    cursor = editor.textCursor()
    cursor.setPosition(8)
    cursor.insertText("é\n")  # in the second line; the tokens are late until the event loop runs
    tokens = editor.tokens
    assert tokens is not None and not tokens.fresh
    for row in rows(editor):
        for token in row.tokens():
            n = int(row.text.indexes[token])
            span = row.text.spans[token]
            assert row.text.data[span.start : span.end] == tokens.encoded.covered(n)
    assert [len(row.text.indexes) for row in rows(editor)] == [2, 1, 1, 2]
    settled(editor, workspace, qtbot)
    assert [len(row.text.indexes) > 0 for row in rows(editor)] == [True] * 4


def test_rich_text_comes_in_as_plain_text(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    """case-096"""
    mime = QMimeData()
    mime.setHtml("<b style='color:red;font-size:40px'>hi</b>")
    mime.setText("hi")
    editor.insertFromMimeData(mime)
    settled(editor, workspace, qtbot)
    cursor = editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    cursor.movePosition(QTextCursor.MoveOperation.Right)
    assert workspace.text == b"hi" and cursor.charFormat().font().bold() is False
    assert not cursor.charFormat().hasProperty(cursor.charFormat().Property.ForegroundBrush.value)


def test_what_the_editor_cannot_hold_goes_to_the_workspace_whole(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "a\u00a0c👧d")
    cursor = editor.textCursor()
    cursor.setPosition(2)
    cursor.setPosition(5, QTextCursor.MoveMode.KeepAnchor)  # the letter and the emoji, which is two units
    editor.setTextCursor(cursor)
    mime = QMimeData()
    mime.setText("x\r\ny")
    editor.insertFromMimeData(mime)
    assert workspace.text == "a\u00a0x\r\nyd".encode()


def test_what_is_typed_behind_a_paste_is_undone_alone(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    editor.load(b"shown by the program ")
    editor.setFocus()
    editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(editor, "typed ")
    editor.insert("pasted é ".encode())
    qtbot.keyClicks(editor, "more")
    seen = [editor.data.decode()]
    for _ in range(4):
        editor.undo()
        seen.append(editor.data.decode())
    first = "shown by the program "
    assert seen == [f"{first}typed pasted é more", f"{first}typed pasted é ", f"{first}typed ", first, ""]
    editor.redo()
    editor.redo()
    assert editor.data.decode() == f"{first}typed "


def test_undo_is_the_editors_own(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok")
    put(editor, workspace, qtbot, "other")
    editor.undo()
    settled(editor, workspace, qtbot)
    assert workspace.text == b"ok"


def test_shift_return_is_a_line_end(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.keyClicks(editor, "a")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(editor, "b")
    settled(editor, workspace, qtbot)
    assert workspace.text == b"a\nb"


def test_keys_go_from_token_to_token(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok ok\nok")
    spans = []
    for _ in range(4):
        qtbot.keyClick(editor, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
        spans.append(workspace.selection.span)
    assert spans == [(0, 2), (2, 5), (5, 6), (6, 8)] and editor.cursor_byte() == 6
    qtbot.keyClick(editor, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert workspace.selection.span == (5, 6)


def test_the_pointer_rings_a_token_everywhere_and_shows_its_card(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok ok\nok")
    box = editor.token_boxes(1)[0]
    qtbot.mouseMove(editor.viewport(), box.center())
    assert workspace.hovered is not None and workspace.hovered.bytes == b" ok" and workspace.encoded is not None
    (card,) = editor.viewport().findChildren(TokenCard)
    qtbot.waitUntil(card.isVisible)
    assert card.text is not None and card.text.title == f"token {workspace.encoded.ids[1]}" and card.parent() is editor
    qtbot.mouseMove(editor.viewport(), editor.viewport().rect().bottomRight())
    assert workspace.hovered is None and card.isHidden() and card.parent() is editor.viewport()


def test_a_key_shows_the_card_too(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok ok")
    (card,) = editor.viewport().findChildren(TokenCard)
    qtbot.keyClick(editor, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(card.isVisible)
    qtbot.keyClicks(editor, "x")
    assert card.isHidden()


def test_nothing_is_drawn_at_the_wrong_place_while_a_character_is_composed(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok ok\nok")
    QApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
    assert [row.text.start for row in rows(editor)] == [6]
    composed = QInputMethodEvent()
    composed.setCommitString("日")
    QApplication.sendEvent(editor, composed)
    settled(editor, workspace, qtbot)
    assert workspace.text == "日ok ok\nok".encode() and [row.text.start for row in rows(editor)] == [0, 9]


def test_what_was_typed_last_does_not_overwrite_a_text_that_came_after(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    qtbot.keyClicks(editor, "x")
    workspace.set_text(b"\xff")
    editor.forget()
    qtbot.wait(5)
    assert workspace.text == b"\xff" and editor.data == b""


def test_a_line_that_begins_to_the_left_is_set_from_the_left(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "שלום ok")
    row = rows(editor)[0]
    boxes = [row.box(cell) for cell in range(7)]
    assert all(box.width() > 0 for box in boxes)
    assert [n for n, _ in sorted(enumerate(boxes), key=lambda one: one[1].left())] == [3, 2, 1, 0, 4, 5, 6]


def test_characters_that_are_lost_are_marked(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_corpus(Corpus.of_text(b"a rat"), recipe=Recipe.of("published"), at_once=True)
    put(editor, workspace, qtbot, "rat z")
    assert editor.tokens is not None and editor.tokens.stand_in is not None
    (row,) = rows(editor)
    (lost,) = [token for token in row.tokens() if row.text.spans.ids[token] == editor.tokens.stand_in]
    box = row.covered(lost)[0].toAlignedRect()
    picture = editor.viewport().grab().toImage()
    seen = [picture.pixelColor(x, box.bottom() - y) for x in range(box.left(), box.right()) for y in range(4)]
    assert any(colour.red() > 150 and colour.green() < 110 for colour in seen)


def test_rows_stand_as_far_apart_as_the_look_wants(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok " * 60 + "\nok\n東京")
    tops = [row.top for row in rows(editor)]
    assert len(tops) > 4 and {round(b - a) for a, b in pairwise(tops)} == {theme.measures().text_line}
    below = QPointF(x_of(editor, 4), tops[0] + 36)  # in the room between the first row and the second
    qtbot.mouseClick(editor.viewport(), LEFT, pos=below.toPoint())
    assert editor.textCursor().position() == 4
    theme.apply(QGuiApplication.instance(), Theme.DARK, zoom=1.5)  # type: ignore[arg-type]  # it is the QApplication
    tops = [row.top for row in rows(editor)]
    assert {round(b - a) for a, b in pairwise(tops)} == {60}


def test_it_is_right_before_anything_is_open(workspace: Workspace, qtbot: QtBot) -> None:
    made = TextEditor(workspace)
    qtbot.addWidget(made)
    made.show()
    qtbot.keyClicks(made, "text")
    qtbot.waitUntil(lambda: workspace.text == b"text")
    assert made.tokens is None and [len(row.text.indexes) for row in rows(made)] == [0]
    opened(workspace, b"te te")
    assert made.tokens is not None and len(made.tokens.encoded) == 3


def test_a_screenful_is_drawn_with_tints_under_the_letters(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "ok ok")
    ink = theme.current()
    picture = editor.viewport().grab().toImage()
    box = editor.token_boxes(0)[0]
    corner = picture.pixelColor(box.left() + 3, box.top() + 2)
    assert corner in (*ink.tints, ink.new_fill)
    outside = picture.pixelColor(box.left() + 3, box.bottom() + 12)
    assert outside == ink.page


def test_a_tab_has_room_for_its_arrow_in_every_column(editor: TextEditor, workspace: Workspace, qtbot: QtBot) -> None:
    put(editor, workspace, qtbot, "\n".join("x" * n + "\ty" for n in COLUMNS))
    letter = theme.metrics(Role.TEXT).horizontalAdvance("0")
    widths = [row.box(n).width() for n, row in zip(COLUMNS, rows(editor), strict=True)]
    assert len(widths) == len(COLUMNS) and min(widths) > 0.9 * letter and max(widths) < 4.1 * letter, widths
