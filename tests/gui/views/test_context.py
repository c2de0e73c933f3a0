"""In context: every place, counted and found, and the way from a place to the corpus."""

import dataclasses
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Counting, Recipe
from explorer.core.timeline import Place
from explorer.core.vocabulary import Piece, byte_piece
from explorer.gui import theme
from explorer.gui.models import places as places_module
from explorer.gui.models.places import Subject
from explorer.gui.painting.spelling import spell
from explorer.gui.theme import Theme
from explorer.gui.views.context_lines import around, in_sight
from explorer.gui.views.context_pane import ContextPane
from explorer.workspace.workspace import Workspace

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pane(workspace: Workspace, qtbot: QtBot) -> ContextPane:
    made = ContextPane(workspace)
    qtbot.addWidget(made)
    made.resize(460, 200)
    made.show()
    return made


def gathered(pane: ContextPane, qtbot: QtBot) -> list[tuple[int, int]]:
    qtbot.waitUntil(lambda: not pane.busy)
    return [(place.start, place.end) for place in pane.gathered.places] if pane.gathered else []


def piece(workspace: Workspace, token: int) -> Piece:
    assert workspace.run
    return workspace.run.training.table.pieces[token]


def test_the_eighty_places_of_the_next_pair(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    found = gathered(pane, qtbot)
    assert workspace.corpus
    assert [workspace.corpus.data[a:b] for a, b in found] == [b"s stand"] * 80
    assert pane.facts() == "80 places of the next pair"
    assert found == sorted(found)


def test_count_and_places_agree_at_every_merge(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("eighteen", at_once=True)
    for k in range(0, workspace.learned, 7):
        workspace.go_to_merge(k)
        assert len(gathered(pane, qtbot)) == workspace.run.training.merges[k].count
        assert pane.gathered.count == workspace.run.training.merges[k].count


def test_what_a_person_selects_takes_the_place_until_the_merge_changes(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    assert workspace.selection.token == piece(workspace, workspace.new_token), "stepping selects the token just made"
    assert pane.gathered.sought.subject is Subject.NEXT_PAIR
    workspace.select_token(piece(workspace, 262))
    found = gathered(pane, qtbot)
    assert pane.facts() == f"{len(found)} places of token 262" and found
    assert workspace.timeline
    assert len(found) == workspace.timeline.token_count(36, 262)
    workspace.step(1)
    gathered(pane, qtbot)
    assert pane.gathered.sought.subject is Subject.NEXT_PAIR


def test_the_pin_keeps_to_what_is_selected(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    qtbot.mouseClick(pane.pin, LEFT)
    gathered(pane, qtbot)
    assert pane.facts() == f"{workspace.run.training.merges[35].saved} places of token 291"
    workspace.step(1)
    gathered(pane, qtbot)
    assert pane.facts().endswith("places of token 292")
    workspace.select_token(piece(workspace, 262))
    workspace.step(1)
    qtbot.mouseClick(pane.pin, LEFT)
    gathered(pane, qtbot)
    assert pane.gathered.sought.subject is Subject.NEXT_PAIR


def test_a_selected_pair_in_context(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_corpus(Corpus.of_text(b"abcabcaba"), recipe=Recipe.of("chapter-81").asking(merges=1), at_once=True)
    workspace.select_pair((byte_piece(ord("b")), byte_piece(ord("c"))))
    assert gathered(pane, qtbot) == [(1, 3), (4, 6)]
    assert pane.facts() == "2 places of the selected pair"
    workspace.go_to_merge(1)
    workspace.select_pair((byte_piece(ord("b")), byte_piece(ord("c"))))
    assert gathered(pane, qtbot) == [] and pane.facts() == "0 places of the selected pair"


def test_overlapping_places_are_listed_and_the_count_of_the_recipe_told(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    recipe = dataclasses.replace(Recipe.of("chapter-81"), counting=Counting.DISJOINT)
    workspace.open_corpus(Corpus.of_text(b"aaaaa"), recipe=recipe, at_once=True)
    assert gathered(pane, qtbot) == [(0, 2), (1, 3), (2, 4), (3, 5)]
    assert pane.facts() == "4 places of the next pair, counted 2"


def test_word_counts_tell_times_and_words(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert gathered(pane, qtbot)
    assert pane.facts() == "9 times in 2 words: the next pair"


def test_why_there_is_nothing(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    assert pane.reason == "Nothing is trained yet."
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    workspace.select_token(piece(workspace, 400))
    assert gathered(pane, qtbot) == []
    assert pane.reason == "Token 400 is made by merge 144; here 36 are made."
    workspace.go_to_merge(256)
    workspace.select_token(piece(workspace, 284))
    if not gathered(pane, qtbot):
        assert pane.reason == "Token 284 stands nowhere at merge 256."
    workspace.select_token(Piece("ф".encode()))
    gathered(pane, qtbot)
    assert pane.reason == "The table of this run has no such token." and pane.facts() == "0 places of the selected token"
    workspace.open_corpus(Corpus.of_text(b"abc"), recipe=Recipe.of("chapter-81"), at_once=True)
    workspace.select_token(None)
    assert gathered(pane, qtbot) == [] and pane.reason == "No pair occurs twice."


def test_more_places_than_are_listed_are_told(
    pane: ContextPane, workspace: Workspace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places_module, "LISTED", 10)
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    assert len(gathered(pane, qtbot)) == 10
    assert pane.facts() == "first 10 of 80 places of the next pair"
    pane.grab()


def test_a_click_a_key_and_the_buttons_show_a_place(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    found = gathered(pane, qtbot)
    shown: list[int] = []
    workspace.place_shown.connect(shown.append)
    row = theme.measures().row
    qtbot.mouseClick(pane.lines.viewport(), LEFT, pos=QPoint(100, 2 * row + 5))
    assert pane.lines.current == 2
    qtbot.keyClick(pane.lines, Qt.Key.Key_Down)
    qtbot.keyClick(pane.lines, Qt.Key.Key_Up)
    qtbot.keyClick(pane.lines, Qt.Key.Key_Home)
    qtbot.keyClick(pane.lines, Qt.Key.Key_End)
    qtbot.mouseClick(pane.next, LEFT)
    qtbot.mouseClick(pane.previous, LEFT)
    assert shown == [found[n][0] for n in (2, 3, 2, 0, 79, 0, 79)]
    assert "place 80 of 80" in pane.lines.accessibleDescription()
    qtbot.waitActive(pane)
    qtbot.keyClick(pane, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert shown[-1] == found[0][0]
    qtbot.mouseClick(pane.strip, LEFT, pos=QPoint(pane.strip.width() - 14, 8))
    assert shown[-1] == found[-1][0]


def test_a_change_in_the_middle_of_gathering_starts_anew(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    corpus = Corpus.of_rows([b"the cat sat on the mat and the rat"] * 6_000)
    workspace.open_corpus(corpus, recipe=Recipe.of("chapter-81").asking(merges=6), at_once=True)
    for k in (1, 3, 5, 2, 4):
        workspace.go_to_merge(k)
        QApplication.processEvents()
    assert pane.gathered.sought.k == 4
    found = gathered(pane, qtbot)
    merge = workspace.run.training.merges[4]
    expected = b"".join(piece(workspace, token).bytes for token in merge.pair)
    assert {corpus.data[a:b] for a, b in found} == {expected}
    assert pane.gathered.count == merge.count


def test_gathering_ends_with_the_pane(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_corpus(Corpus.of_rows([b"the cat sat"] * 20_000), recipe=Recipe.of("chapter-81").asking(merges=2), at_once=True)
    assert pane.busy  # and the leak check of every test finds no timer left


def test_what_stands_around_a_place() -> None:
    corpus = Corpus.of_rows(["naïve café".encode(), b"next"])
    data = corpus.data
    start = data.index(b"caf")
    before, behind = around(corpus, Place(0, 1, start, start + 3, None), 100)
    assert "".join(part.text for part in before) == "naïve " and "".join(part.text for part in behind) == "é"
    before, _ = around(corpus, Place(0, 1, start, start + 3, None), 4)
    assert "".join(part.text for part in before) == "ve ", "half an ï at the far end is left out"
    inside = data.index("é".encode()) + 1
    before, behind = around(corpus, Place(0, 1, inside, inside + 1, None), 3)
    assert "".join(part.text for part in before) == "afC3", "the half beside the token is shown"
    assert behind == ()


def test_every_look_paints(pane: ContextPane, workspace: Workspace, qtbot: QtBot, qapp: QApplication) -> None:
    odd = Corpus.of_text(b"\xff\xfe ab\x00ab\x00\r\n\t" + "👨‍👩‍👧 東京 e\u0301 ".encode() * 4 + b"z" * 400)
    for preset in ("chapter-81", "published", "fallback"):
        workspace.open_corpus(odd, recipe=Recipe.of(preset).asking(merges=5), at_once=True)
        for look in Theme:
            theme.apply(qapp, look, zoom=1.5)
            for k in range(workspace.learned + 1):
                workspace.go_to_merge(k)
                gathered(pane, qtbot)
                pane.grab()
    theme.apply(qapp, Theme.LIGHT)


def test_numbers_of_any_length_have_room_at_the_left(pane: ContextPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    gathered(pane, qtbot)
    usual = pane.lines.gutter
    workspace.open_corpus(Corpus.of_counts({b"the": 1_234_567, b"then": 3}), recipe=Recipe.of("published"), at_once=True)
    gathered(pane, qtbot)
    widest = theme.metrics(theme.Role.FIGURE_SMALL).horizontalAdvance("×1\u2009234\u2009567")
    assert pane.lines.gutter > usual and pane.lines.gutter - widest >= 20  # 12 after the number and as much before it


def test_only_what_is_in_sight_is_painted() -> None:
    words = spell(b"a " * 900)
    wide = theme.metrics(theme.Role.TOKEN).horizontalAdvance("a a a a a ")
    assert 10 <= len(in_sight(words, wide)) <= 11
    assert in_sight(words, 0.0) == () and in_sight(words, 1e6) == words
    strays = spell(b"\xff" * 900)
    assert len(in_sight(strays, wide)) < 10  # drawn as hex, wider than a letter
