"""The corpus text on a real Workspace: tokens as at merge k, nothing moves, and every place can be reached and copied."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core import encoding
from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.timeline import timeline_of
from explorer.core.training import train
from explorer.core.vocabulary import byte_piece
from explorer.gui import theme
from explorer.gui.models.finding import Found
from explorer.gui.text.text_mime import bytes_of
from explorer.gui.theme import Theme
from explorer.gui.views import corpus_page
from explorer.gui.views.corpus_geometry import CorpusGeometry
from explorer.gui.views.corpus_lines import CorpusLines
from explorer.gui.views.corpus_page import CorpusPage, Spelled, SpellingSteps
from explorer.gui.views.corpus_text import CorpusText
from explorer.workspace.values import Lane
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

LEFT = Qt.MouseButton.LeftButton
ODD = b"first\x00second \xff\xfe\xe2\x80 caf\xc3\xa9 \xef\xbb\xbf\t\r\n\xe2\x80\xa8" + "e\u0301 👨‍👩‍👧‍👦 東京 שלום ".encode()


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


def opened(workspace: Workspace, qtbot: QtBot, corpus: Corpus | str, preset: str = "chapter-81", merges: int = 60) -> CorpusText:
    if isinstance(corpus, str):
        workspace.open_exemplar(corpus, at_once=True)
    else:
        workspace.open_corpus(corpus, recipe=Recipe.of(preset).asking(merges=merges), at_once=True)
    view = CorpusText(workspace)
    qtbot.addWidget(view)
    view.resize(450, 320)
    view.show()
    qtbot.waitExposed(view)
    view.grab()
    return view


def geometry_of(view: CorpusText) -> CorpusGeometry:
    assert view.geometry_shown
    return view.geometry_shown


def token_box(view: CorpusText, offset: int) -> QPoint:
    """The middle of the first box of the token at a byte, in the viewport."""
    geometry = geometry_of(view)
    token = geometry.page.token_at(offset)
    assert token
    return (geometry.boxes(token)[0].center() - QPointF(0, view.offset()[1])).toPoint()


def shown_tokens(view: CorpusText) -> list[tuple[int, int, int]]:
    """Every token of the corpus as the layouts have it: first byte, end, id."""
    page = geometry_of(view).page
    found = []
    for block in range(page.lines.blocks_count):
        spans, start = page.layout(block).spans, page.lines.block_span(block)[0]
        found += [(start + int(a), start + int(b), int(i)) for a, b, i in zip(spans.starts, spans.ends, spans.ids, strict=True)]
    return found


@pytest.mark.parametrize("name", ["chronicle", "eighteen"])
def test_tokens_are_those_of_the_timeline_at_every_merge(workspace: Workspace, qtbot: QtBot, name: str) -> None:
    view = opened(workspace, qtbot, name)
    for k in (0, 1, 20, workspace.learned):
        workspace.go_to_merge(k)
        assert workspace.timeline and workspace.run
        offset, encoded = workspace.timeline.spell(0, len(workspace.run.training.corpus.data), k)
        expected = zip((encoded.starts + offset).tolist(), (encoded.ends + offset).tolist(), encoded.ids.tolist(), strict=True)
        assert shown_tokens(view) == list(expected)


def test_nothing_moves_while_the_merge_does(workspace: Workspace, qtbot: QtBot) -> None:
    data = ("naïve café 東京 " * 9 + "plain words too\n").encode() * 40
    view = opened(workspace, qtbot, Corpus.of_text(data))
    view.show_place(len(data) // 2)
    view.grab()

    def everything() -> tuple[object, ...]:
        geometry = geometry_of(view)
        rows = [geometry.page.layout(block).rows for block in range(geometry.page.lines.blocks_count)]
        return view.first_byte, view.offset(), [row.left.tolist() for row in rows], [row.row_of.tolist() for row in rows]

    before = everything()
    for k in (1, 7, 30, workspace.learned, 3, 0):
        workspace.go_to_merge(k)
        view.grab()
        assert everything() == before


def test_equal_lines_have_equal_tints(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(b"abab cdcd abcd\n" * 12), merges=3)
    workspace.go_to_merge(3)
    spans = geometry_of(view).page.layout(0).spans
    turns = spans.turns()[~spans.single]
    a_line = len(turns) // 12
    assert a_line > 2
    assert np.array_equal(turns, np.tile(np.arange(a_line), 12))


def colours(view: CorpusText) -> dict[str, int]:
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    found: dict[str, int] = {}
    for y in range(image.height()):
        for x in range(image.width()):
            name = QColor(image.pixel(x, y)).name()
            found[name] = found.get(name, 0) + 1
    return found


def test_the_newest_token_is_underlined_and_the_next_pair_ringed(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(b"abcabcabcabc xyxy"), merges=3)
    ink = theme.current()
    at_zero = colours(view)
    assert ink.new.name() not in at_zero and at_zero.get(ink.accent.name(), 0) > 10
    workspace.go_to_merge(1)
    assert colours(view).get(ink.new.name(), 0) > 10


def test_a_selected_token_is_ringed_and_the_next_pair_gives_way_to_a_selected_one(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(b"qqq zw"), merges=5)
    ink = theme.current()
    workspace.go_to_merge(workspace.learned)
    assert workspace.next_pair is None
    assert colours(view).get(ink.accent.name(), 0) == 0
    workspace.select_token(byte_piece(ord("z")))
    assert colours(view).get(ink.accent.name(), 0) > 10
    workspace.select_pair((byte_piece(ord("z")), byte_piece(ord("w"))))
    assert colours(view).get(ink.accent.name(), 0) > 20


def test_pointing_hovers_and_shows_the_card_and_clicking_selects(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, "chronicle")
    workspace.go_to_merge(36)
    view.show_place(300)
    view.grab()
    token = geometry_of(view).page.token_at(300)
    assert token
    point = token_box(view, 300)
    qtbot.mouseMove(view.viewport(), point)
    assert workspace.hovered == token.piece
    assert view.card.text and view.card.text.title == f"token {token.encoded.ids[token.n]}"
    assert not view.card.isVisible()
    qtbot.waitUntil(view.card.isVisible)
    assert workspace.selection.token != token.piece
    qtbot.mouseClick(view.viewport(), LEFT, pos=point)
    assert workspace.selection.token == token.piece
    workspace.go_to_merge(37)
    assert not view.card.isVisible(), "the token under the pointer may be another one now"
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert workspace.hovered is None


def test_arrows_walk_from_token_to_token_and_enter_selects(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, "chronicle")
    workspace.go_to_merge(36)
    tokens = shown_tokens(view)
    walked = []
    for _ in range(60):
        qtbot.keyClick(view, Qt.Key.Key_Right)
        assert view.token_cursor
        walked.append(view.token_cursor.start)
    assert walked == [start for start, _, _ in tokens[:60]]
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.token_cursor and view.token_cursor.start == tokens[58][0]
    assert workspace.hovered == view.token_cursor.piece
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert workspace.selection.token == view.token_cursor.piece
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.token_cursor.start == tokens[-1][0]
    view.grab()
    assert 0 <= token_box(view, tokens[-1][0]).y() < view.viewport().height()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.token_cursor.start == tokens[-1][0], "there is nothing behind the last"
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.token_cursor.start == 0 and view.first_byte == 0


def test_up_and_down_keep_to_the_column_and_pages_turn(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(b"0123456789\n" * 200), merges=0)
    for _ in range(4):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.token_cursor and view.token_cursor.start == 14
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.token_cursor.start == 14
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.first_byte > 0 and view.token_cursor.start >= view.first_byte
    qtbot.keyClick(view, Qt.Key.Key_PageUp)
    assert view.first_byte == 0


def test_words_of_characters_are_walked_over_what_no_token_covers(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(b"  low  lower\n\n newest "), "published", 3)
    walked = []
    for _ in range(40):
        before = view.token_cursor
        qtbot.keyClick(view, Qt.Key.Key_Right)
        if before and view.token_cursor and view.token_cursor.start == before.start:
            break
        assert view.token_cursor
        walked.append(view.token_cursor.encoded.covered(view.token_cursor.n))
    assert b"".join(walked) == b"lowlowernewest"


def test_marking_and_copying_gives_back_the_very_bytes(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(ODD), merges=0)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.marked == (0, len(ODD))
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert bytes_of(QGuiApplication.clipboard().mimeData()) == ODD
    assert "first\x00second" in QGuiApplication.clipboard().text()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.marked is None
    view.show_place(ODD.index(b"\xff"))
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert QGuiApplication.clipboard().text() == "FF"


def test_dragging_marks_and_does_not_select_a_token(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(b"one two three four\nfive six\n"), merges=0)
    qtbot.mousePress(view.viewport(), LEFT, pos=token_box(view, 4))
    QGuiApplication.processEvents()
    drag(view, token_box(view, 12))
    qtbot.mouseRelease(view.viewport(), LEFT, pos=token_box(view, 12))
    assert view.marked == (4, 13)
    assert workspace.selection.token is None
    qtbot.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.ShiftModifier, token_box(view, 20))
    assert view.marked == (4, 21)
    qtbot.mouseClick(view.viewport(), LEFT, pos=token_box(view, 0))
    assert view.marked is None
    assert workspace.selection.token == byte_piece(ord("o"))


def drag(view: CorpusText, point: QPoint) -> None:
    where = QPointF(point)
    there, none = view.viewport().mapToGlobal(where), Qt.KeyboardModifier.NoModifier
    move = QMouseEvent(QEvent.Type.MouseMove, where, there, Qt.MouseButton.NoButton, LEFT, none)
    QApplication.sendEvent(view.viewport(), move)


def test_dragging_out_of_the_view_scrolls(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(b"0123456789\n" * 200), merges=0)
    qtbot.mousePress(view.viewport(), LEFT, pos=token_box(view, 4))
    for _ in range(20):
        drag(view, QPoint(200, view.viewport().height() + 40))
    assert view.offset()[1] >= 20 * 40 - 5
    assert view.marked and view.marked[0] == 4 and view.marked[1] > 300
    qtbot.mouseRelease(view.viewport(), LEFT)  # the next test's moves would be drags


def test_a_place_shown_elsewhere_comes_into_view(workspace: Workspace, qtbot: QtBot) -> None:
    view = opened(workspace, qtbot, "chronicle")
    assert workspace.run
    starts = workspace.run.training.corpus.starts
    for row in (70, 3, 90, 0, 45):
        workspace.show_place(int(starts[row]) + 2)
        view.grab()
        assert 0 <= token_box(view, int(starts[row]) + 2).y() < view.viewport().height()
    there = view.offset()
    workspace.show_place(int(starts[45]) + 6)
    assert view.offset() == there, "what is in view already does not move"


def find(view: CorpusText, text: bytes, *, backwards: bool = False) -> Found:
    found, at = drain(view.finding(text, backwards=backwards))
    if at >= 0:
        view.show_found(at, at + len(text))
    return found


def test_finding_goes_on_and_round(workspace: Workspace, qtbot: QtBot) -> None:
    data = b"needle " + b"hay " * 3000 + b"needle " + b"hay " * 3000 + b"needle"
    view = opened(workspace, qtbot, Corpus.of_text(data), merges=2)
    places = []
    for _ in range(3):
        assert find(view, b"needle") is Found.FURTHER_ON
        assert view.marked
        places.append(view.marked[0])
        view.grab()
        assert 0 <= token_box(view, view.marked[0]).y() < view.viewport().height()
    assert places == [0, 12_007, len(data) - 6]
    assert find(view, b"needle") is Found.FROM_THE_OTHER_END and view.marked == (0, 6)
    assert find(view, b"needle", backwards=True) is Found.FROM_THE_OTHER_END and view.marked == (len(data) - 6, len(data))
    assert find(view, b"needle", backwards=True) is Found.FURTHER_ON and view.marked == (12_007, 12_013)
    assert find(view, b"thread") is Found.NOWHERE and view.marked == (12_007, 12_013)


def test_every_row_can_be_scrolled_to_although_heights_were_guessed(workspace: Workspace, qtbot: QtBot) -> None:
    data = b"".join(b"%d " % n * (n % 40) + b"\n" for n in range(600))
    view = opened(workspace, qtbot, Corpus.of_text(data), merges=5)
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    view.grab()
    bar.setValue(bar.maximum())
    view.grab()
    geometry = geometry_of(view)
    block, below = geometry.row_of(len(data) - 1)
    foot = geometry.heights.top(block) + below + geometry.line - view.offset()[1]
    assert abs(foot - view.viewport().height()) <= 1
    seen = set()
    for _ in range(2_000):
        seen.add(view.first_byte)
        if bar.value() == 0:
            break
        bar.setValue(bar.value() - 4 * geometry.line)
        view.grab()
    assert 0 in seen and len(seen) > 100


def test_a_line_of_a_megabyte_opens_in_parts(workspace: Workspace, qtbot: QtBot) -> None:
    data = b"word " * 200_000
    view = opened(workspace, qtbot, Corpus.of_text(data), merges=1)
    page = geometry_of(view).page
    assert page.lines.blocks_count > 200
    workspace.show_place(600_000)
    view.grab()
    assert page.token_at(600_000)
    assert len(page._layouts) < 10, "only what was in view is laid out"  # noqa: SLF001


def test_a_spelling_of_many_steps_is_gone_on_with_beside_the_window(
    workspace: Workspace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = opened(workspace, qtbot, "chronicle")
    page = geometry_of(view).page
    assert not page.is_late, "a screenful is spelled at once"
    monkeypatch.setattr(corpus_page, "STEPS_AT_ONCE", 0)
    workspace.go_to_merge(50)
    view.grab()
    assert page.is_late and len(page.layout(0).spans) == 0, "text without tokens, not with those of another merge"
    assert view.token_cursor is None and page.token_at(0) is None
    assert workspace.lanes.lanes == (Lane.SPELL,)
    workspace.go_to_merge(51)
    assert not page.is_late and not workspace.lanes.lanes, "those of the merge before are given up"
    view.grab()
    qtbot.waitUntil(lambda: not page.is_late)
    assert workspace.timeline
    encoded = workspace.timeline.spell(0, page.lines.block_span(0)[1], 51)[1]
    assert page.layout(0).spans.ids.tolist() == encoded.ids.tolist()
    settle(workspace)
    workspace.go_to_merge(52)
    view.grab()
    assert workspace.lanes.lanes == (Lane.SPELL,)
    workspace.open_exemplar("four-words", at_once=True)
    assert not workspace.lanes.busy(Lane.SPELL), "and so are those of the corpus before"


@pytest.mark.parametrize("preset", ["chapter-81", "published"])
def test_of_a_long_pretoken_only_some_steps_are_made_where_it_is_asked_for(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    """By the readable engine, which spells it whole."""
    theme.apply(qapp, Theme.LIGHT)
    monkeypatch.setattr(encoding, "REPLACED_A_STEP", 50)  # a step a merge
    text = b"abcb" * 10_000
    corpus = Corpus.of_text(text)
    timeline = timeline_of(train(corpus, Recipe.of(preset).asking(merges=8)))
    rest: list[tuple[SpellingSteps, Callable[[Spelled | None], None]]] = []
    page = CorpusPage(CorpusLines.of(corpus), timeline, 400.0, 8, lambda steps, take: rest.append((steps, take)), lambda: None)
    page.prepare(range(3))
    assert len(page.layout(0).spans) == 0 and len(rest) == 1, "asked for once, however many blocks lie in it"
    rest.pop()[1](None)
    page.prepare(range(3))
    assert not page.is_late and not rest, "what was stopped is not begun again for the same bytes and merge"
    page.go_to_merge(7)
    page.go_to_merge(8)
    page.prepare(range(3))
    while rest:  # characters want two: those of merge 0 for the room they take
        steps, take = rest.pop()
        take(drain(steps))
        page.layout(0)
    assert not page.is_late
    ids = timeline.spell(0, len(text), 8)[1].ids
    assert page.layout(0).spans.ids.tolist() == ids[: len(page.layout(0).spans)].tolist()


def test_zoom_width_and_another_recipe_keep_the_place(workspace: Workspace, qtbot: QtBot, qapp: QApplication) -> None:
    view = opened(workspace, qtbot, "chronicle")
    view.show_place(4_000)
    view.grab()
    before = view.first_byte
    view.resize(300, 320)
    view.grab()
    assert abs(view.first_byte - before) < 60
    theme.apply(qapp, Theme.DARK, zoom=1.5)
    view.grab()
    assert abs(view.first_byte - before) < 90
    theme.apply(qapp, Theme.LIGHT)
    here = view.first_byte
    with qtbot.waitSignal(workspace.run_changed):
        workspace.set_recipe(Recipe.of("byte-words").asking(merges=20))
    view.grab()
    assert abs(view.first_byte - here) < 60


@pytest.mark.parametrize("data", [b"", b"\n", ODD, b"\x80" * 300, b"\n" * 500])
@pytest.mark.parametrize("preset", ["chapter-81", "published", "fallback", "gpt2"])
def test_any_bytes_are_shown(workspace: Workspace, qtbot: QtBot, data: bytes, preset: str) -> None:
    view = opened(workspace, qtbot, Corpus.of_text(data), preset, 5)
    for k in range(workspace.learned + 1):
        workspace.go_to_merge(k)
        view.grab()
    if data and geometry_of(view).page.lines.blocks_count:
        for y in range(5, 300, 24):
            qtbot.mouseMove(view.viewport(), QPoint(60, y))
        assert b"".join(data[a:b] for a, b, _ in shown_tokens(view)) == data or preset in ("published", "fallback")


def test_nothing_open_and_word_counts_are_no_text(workspace: Workspace, qtbot: QtBot) -> None:
    view = CorpusText(workspace)
    qtbot.addWidget(view)
    view.grab()
    assert view.corpus is None and view.first_byte == 0
    assert find(view, b"x") is Found.NOWHERE
    qtbot.keyClick(view, Qt.Key.Key_Right)
    workspace.show_place(5)
    workspace.open_exemplar("four-words", at_once=True)
    assert view.corpus is None
    workspace.open_exemplar("eighteen", at_once=True)
    assert view.corpus is not None
