"""The corpus pane: facts in honest words, text or table or words, and the way from one to the other."""

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import LineEnds, Recipe
from explorer.gui import theme
from explorer.gui.theme import Theme
from explorer.gui.views import corpus_search
from explorer.gui.views.corpus_pane import CorpusPane, Shown, corpus_facts, corpus_notes
from explorer.sources.exemplars import open_exemplar
from explorer.workspace.values import Lane
from explorer.workspace.workspace import Workspace


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pane(workspace: Workspace, qtbot: QtBot) -> CorpusPane:
    made = CorpusPane(workspace)
    qtbot.addWidget(made)
    made.resize(460, 320)
    made.show()
    return made


def test_facts_of_every_exemplar() -> None:
    facts = {name: corpus_facts(open_exemplar(name)) for name in ("chronicle", "eighteen", "four-words", "standing-in")}
    assert facts == {
        "chronicle": "chronicle.jsonl · reconstruction · 7\u2009123 bytes · 91 entries",
        "eighteen": "eighteen.txt · 781 bytes · 18 lines",
        "four-words": "four-words.tsv · 4 words, 16 in all",
        "standing-in": "standing-in.txt · 11 bytes · 1 line",
    }


def test_facts_of_what_was_made_in_memory() -> None:
    assert corpus_facts(Corpus.of_text(b"a\nb")) == "text · 3 bytes · 2 lines"
    assert corpus_facts(Corpus.of_text(b"")) == "text · 0 bytes · 0 lines"
    assert corpus_facts(Corpus.of_rows([b"two\nlines", b"one"])) == "rows · 14 bytes · 2 rows"
    assert corpus_facts(Corpus.of_rows([b"one"])) == "rows · 4 bytes · 1 entry"


def test_the_tooltip_tells_the_file_and_what_was_told_when_it_was_read() -> None:
    notes = corpus_notes(open_exemplar("chronicle"))
    assert "11\u2009693 bytes" in notes and "bfb0608ab165f329" in notes
    told = Corpus(**{**vars(Corpus.of_text(b"x")), "notes": ("A byte order mark was dropped.",)})
    assert corpus_notes(told) == "A byte order mark was dropped."


def test_nothing_is_open_then_text_then_words(pane: CorpusPane, workspace: Workspace) -> None:
    assert pane.facts() == "" and not pane.plain_choice.isVisible() and not pane.counts_choice.isVisible()
    workspace.open_exemplar("chronicle", at_once=True)
    assert pane.shown is Shown.TEXT and pane.plain_choice.isVisible() and not pane.counts_choice.isVisible()
    assert "reconstruction" in pane.facts()
    workspace.open_exemplar("four-words", at_once=True)
    assert pane.shown is Shown.WORDS and pane.counts_choice.isVisible() and not pane.plain_choice.isVisible()
    workspace.open_corpus(Corpus.of_text(b"plain"), recipe=Recipe.of("chapter-81"), at_once=True)
    assert pane.shown is Shown.TEXT and not pane.plain_choice.isVisible(), "there are no rows to show"


def test_while_the_first_corpus_is_on_its_way_nothing_else_is_offered(pane: CorpusPane, workspace: Workspace, qtbot: QtBot) -> None:
    assert pane.open.isVisible()
    empty, go_on = pane.text.grab().toImage(), threading.Event()
    workspace.lanes.run(Lane.READ, "valley.txt", lambda _: go_on.wait(20), lambda _: None)
    qtbot.waitUntil(lambda: not pane.open.isVisible())
    assert pane.text.grab().toImage() != empty, "it says which"
    go_on.set()
    qtbot.waitUntil(pane.open.isVisible)


def test_a_row_of_the_table_brings_its_text_into_view(pane: CorpusPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    assert workspace.corpus
    pane.plain_choice.chosen.emit(1)
    assert pane.shown is Shown.TABLE
    assert pane.rows.rows_model.rowCount() == 91
    assert pane.rows.rows_model.cell(0, 3).startswith("I have built")
    pane.rows.show_row(60)
    index = pane.rows.rows_model.index(60, 3)
    qtbot.mouseClick(pane.rows.viewport(), Qt.MouseButton.LeftButton, pos=pane.rows.visualRect(index).center())
    assert pane.shown is Shown.TABLE and workspace.selection.token is None
    pane.show_as(Shown.TEXT)
    pane.grab()
    start = int(workspace.corpus.starts[60])
    assert pane.text.token_cursor and pane.text.token_cursor.start == start
    assert pane.text.first_byte <= start < pane.text.first_byte + 600


def test_enter_on_a_word_count_row_selects_the_word(pane: CorpusPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    pane.show_as(Shown.TABLE)
    pane.rows.show_row(2)
    qtbot.keyClick(pane.rows, Qt.Key.Key_Return)
    assert pane.words.table.currentIndex().row() == 2


def test_a_place_shown_elsewhere_brings_text_or_word_to_the_front(pane: CorpusPane, workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    pane.show_as(Shown.TABLE)
    workspace.show_place(2_000)
    assert pane.shown is Shown.TEXT
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.corpus
    pane.show_as(Shown.TABLE)
    workspace.show_place(int(workspace.corpus.starts[3]))
    assert pane.shown is Shown.WORDS and pane.words.table.currentIndex().row() == 3


def test_find_opens_by_key_goes_on_and_closes(pane: CorpusPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    pane.show_as(Shown.TABLE)
    qtbot.waitActive(pane)
    pane.rows.setFocus()
    qtbot.keyClick(pane.rows, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pane.finder.isVisible() and pane.finder.field.hasFocus()
    qtbot.keyClicks(pane.finder.field, "The Hollow")
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return)
    assert workspace.corpus
    hits = workspace.corpus.data.count(b"The Hollow")
    assert pane.finder.said.text() == f"{hits} places" and pane.shown is Shown.TEXT
    first = pane.text.marked
    qtbot.mouseClick(pane.finder.next, Qt.MouseButton.LeftButton)
    second = pane.text.marked
    assert first and second and first < second
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert pane.text.marked == first
    qtbot.mouseClick(pane.finder.previous, Qt.MouseButton.LeftButton)
    assert pane.finder.said.text() == f"{hits} places, from the other end"
    pane.finder.field.setText("nowhere to be found")
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return)
    assert pane.finder.said.text() == "not found"
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Escape)
    assert not pane.finder.isVisible() and pane.text.hasFocus()


def test_a_long_search_goes_on_beside_the_window_and_the_next_key_ends_it(
    pane: CorpusPane, workspace: Workspace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    assert workspace.corpus
    hits = workspace.corpus.data.count(b"The Hollow")
    monkeypatch.setattr(corpus_search, "STEPS_AT_ONCE", 0)
    pane.finder.begin()
    pane.finder.field.setText("The Hollow")
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return)
    assert pane.finder.said.text() == "searching…" and pane.text.marked is None
    assert workspace.lanes.lanes == (Lane.FIND,)
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_A)
    assert not workspace.lanes.lanes and pane.finder.said.text() == ""
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Backspace)
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.text.marked is not None)
    first = pane.text.marked
    qtbot.waitUntil(lambda: pane.finder.said.text() == f"{hits} places")
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.text.marked != first)
    assert pane.finder.said.text() == f"{hits} places", "they are not counted again"
    assert not workspace.lanes.lanes
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return)
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Escape)
    assert not workspace.lanes.lanes and not pane.finder.isVisible()
    pane.finder.begin()
    qtbot.keyClick(pane.finder.field, Qt.Key.Key_Return)
    workspace.cancel()
    qtbot.waitUntil(lambda: not workspace.lanes.lanes)
    assert pane.finder.said.text() in ("", f"{hits} places"), "stopped, or it was found before"


@pytest.mark.parametrize("changed", ["corpus", "line ends"])
def test_what_was_found_in_another_reading_is_told_no_more(
    pane: CorpusPane, workspace: Workspace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    corpus, recipe = Corpus.of_text(b"a\r\nb\r\n" * 5), Recipe.of("chapter-81").asking(merges=2)
    other = Corpus.of_text(b"c d e") if changed == "corpus" else corpus
    way = replace(recipe, line_ends=LineEnds.LF)
    for steps, said in ((4, "5 places"), (0, "searching…")):
        workspace.open_corpus(corpus, recipe=recipe, at_once=True)
        monkeypatch.setattr(corpus_search, "STEPS_AT_ONCE", steps)
        pane.finder.wanted.emit(b"a", False)
        assert pane.finder.said.text() == said
        workspace.open_corpus(other, recipe=way, at_once=True)
        assert pane.finder.said.text() == "" and not workspace.lanes.lanes


def test_a_corpus_that_was_searched_is_let_go_of(workspace: Workspace) -> None:
    search, told = corpus_search.CorpusSearch(workspace.lanes, lambda: None), list[int | None]()
    data = b"ab" * 500
    search.count(data, b"a", told.append)
    held = sys.getrefcount(data)
    search.stop()
    assert told == [500] and sys.getrefcount(data) < held


def test_find_in_words(pane: CorpusPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    pane.finder.wanted.emit(b"est", False)
    assert pane.finder.said.text() == "2 places"
    here = pane.words.table.currentIndex().row()
    pane.finder.wanted.emit(b"est", False)
    assert {here, pane.words.table.currentIndex().row()} == {2, 3}


def test_what_cutting_into_words_loses_is_told_and_only_while_it_does(pane: CorpusPane, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("eighteen", at_once=True)
    assert pane.facts() == "eighteen.txt · 781 bytes · 18 lines · 18 line ends lost"
    assert "18 line ends between words, the first at byte 48" in pane.more()
    workspace.set_recipe(Recipe.of("byte-words").asking(merges=5))
    qtbot.waitUntil(lambda: workspace.run is not None and workspace.run.recipe == workspace.recipe)
    assert pane.facts() == "eighteen.txt · 781 bytes · 18 lines" and "between words" not in pane.more()
    workspace.open_corpus(Corpus.of_text(b" low  low lower"), recipe=Recipe.of("published"), at_once=True)
    assert pane.facts().endswith("2 spaces lost") and "the first at byte 0" in pane.more()
    workspace.open_corpus(Corpus.of_text(b"low low\nlower"), recipe=Recipe.of("published"), at_once=True)
    assert pane.facts().endswith("1 line end lost") and "at byte 7:" in pane.more()


def test_characters_that_a_table_does_not_know_are_told(pane: CorpusPane, workspace: Workspace, tmp_path: Path, qtbot: QtBot) -> None:
    workspace.open_corpus(Corpus.of_text(b"low low lower"), recipe=Recipe.of("published"), at_once=True)
    workspace.save_table(tmp_path / "low.txt")
    workspace.open_corpus(Corpus.of_text(b"low low zig zag"), recipe=Recipe.of("published"), at_once=True)
    assert "lost" not in pane.facts()
    workspace.open_table(tmp_path / "low.txt")
    qtbot.waitUntil(lambda: workspace.run is not None and workspace.run.name == "low.txt")
    assert pane.facts().endswith("6 characters lost") and "6 characters that the table does not know" in pane.more()
