"""The next merge: its equation, its figures and its reason, at every kind of moment of a real Workspace."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Choice, Counting, Recipe, TieRule
from explorer.gui import theme
from explorer.gui.theme import Role, Theme
from explorer.gui.views.next_merge import Equation, NextMerge, figures, said, wrapped
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
def view(workspace: Workspace, qtbot: QtBot) -> NextMerge:
    made = NextMerge(workspace)
    qtbot.addWidget(made)
    made.resize(430, 116)
    return made


def equation(view: NextMerge) -> Equation:
    assert view.equation is not None
    return view.equation


def written(view: NextMerge) -> dict[str, str]:
    return dict(figures(equation(view)))


def test_it_is_empty_where_nothing_is_open(view: NextMerge) -> None:
    assert view.equation is None and view.accessibleDescription() == ""
    assert len({view.grab().toImage().pixel(x, 20) for x in range(400)}) == 1


def test_a_tie_names_its_rule(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    shown = equation(view)
    assert [piece.spelled() for piece in shown.pieces or ()] == ["e", "s", "es"]
    assert written(view) == {"count": "9", "saved": "9", "length": "79 → 70"} and shown.tied == 2
    assert shown.reason == "2 pairs occur 9 times. The rule, lexicographic, takes the first."


def test_a_single_greatest_pair_says_that_it_is_alone(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.step(1)
    assert equation(view).reason == "No other pair occurs 9 times." and equation(view).tied == 1


def test_the_chronicle_at_its_tie_of_seven(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    assert equation(view).reason == "7 pairs occur 80 times. The rule, lowest ids, takes the first."
    assert written(view) == {"count": "80", "saved": "80", "length": "3\u2009505 → 3\u2009425"}
    assert view.toolTip().startswith("s· + stand → s·stand: count 80")


def test_count_and_saved_differ_and_the_reason_says_why(view: NextMerge, workspace: Workspace) -> None:
    corpus = Corpus.of_text(b"aaaaaaa")
    workspace.open_corpus(corpus, recipe=Recipe(merges=1), at_once=True)
    assert written(view) == {"count": "6", "saved": "3", "length": "7 → 4"}
    assert equation(view).reason == "Occurrences overlap: of 6, 3 can be replaced. No other pair occurs 6 times."
    workspace.open_corpus(corpus, recipe=replace(Recipe(merges=1), counting=Counting.DISJOINT), at_once=True)
    assert written(view) == {"count": "3", "saved": "3", "length": "7 → 4"}
    assert equation(view).reason == "No other pair occurs 3 times."


def test_a_choice_among_the_tied_is_told_as_one(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.run and workspace.corpus and workspace.moment
    table = workspace.run.training.table
    rival = workspace.moment.tied[1]
    choice = Choice(0, table.piece(rival[0]), table.piece(rival[1]))
    workspace.open_corpus(workspace.corpus, recipe=replace(workspace.recipe, choices=(choice,)), at_once=True)
    assert equation(view).chosen
    assert equation(view).reason == "2 pairs occur 9 times. Your choice; the rule, lexicographic, takes e + s."


def test_a_choice_off_the_maximum_says_what_occurs_more(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    assert workspace.run and workspace.corpus and workspace.moment
    table = workspace.run.training.table
    rival = next(ranked for ranked in workspace.moment.ranked if not ranked.tied)
    choice = Choice(0, table.piece(rival.pair[0]), table.piece(rival.pair[1]))
    workspace.open_corpus(workspace.corpus, recipe=replace(workspace.recipe, choices=(choice,)), at_once=True)
    assert written(view)["count"] == str(rival.count)
    assert equation(view).reason == "Your choice; e + s occurs 9 times."


def test_the_end_by_size_shows_what_would_come_next(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(10)
    assert workspace.moment and workspace.moment.ranked
    assert equation(view).reason.startswith("10 of 10 asked. ")
    assert equation(view).reason.endswith(f"{len(workspace.moment.tied)} pairs occur twice; the rule takes the first.")
    assert equation(view).pieces and written(view)["count"] == "2"


def test_the_end_for_want_of_pairs_says_so(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("taste", at_once=True)
    workspace.go_to_merge(99)
    assert equation(view).pieces is None
    assert equation(view).reason == f"No pair occurs twice. {workspace.learned} merges to the end."


def test_a_size_that_was_not_reached_is_told(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("eighteen", at_once=True)
    assert workspace.corpus
    workspace.open_corpus(workspace.corpus, recipe=Recipe.of("published").asking(rows=300), at_once=True)
    workspace.go_to_merge(999)
    assert equation(view).reason == "137 of 300 asked: no pair is left that occurs twice."


@pytest.mark.parametrize(("least", "words"), [(1, "No pair is left."), (7, "No pair reaches 7.")])
def test_the_sentence_at_the_end_follows_the_least_count(view: NextMerge, workspace: Workspace, least: int, words: str) -> None:
    recipe = Recipe(min_count=least)
    workspace.open_corpus(Corpus.of_text(b"abababc"), recipe=recipe, at_once=True)
    workspace.go_to_merge(999)
    assert equation(view).reason.startswith(words)


def test_an_empty_corpus_has_no_pair(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_corpus(Corpus.of_text(b""), recipe=Recipe.of("chapter-81"), at_once=True)
    assert equation(view).reason == "0 of 256 asked: no pair is left that occurs twice."


def test_figures_of_a_learned_merge_do_not_wait_for_the_ranking(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(3)
    workspace.moment_changed.emit(None)
    assert written(view)["count"] == "6" and equation(view).tied == 3


def test_what_is_not_counted_yet_is_dots() -> None:
    waiting = Equation(None, None, None, 22, None, False, "10 of 10 asked. The next pair is being counted.")
    assert dict(figures(waiting)) == {"count": "…", "saved": "…", "length": "22 → …"} and said(waiting) == waiting.reason


def test_a_long_pair_stays_inside_the_view(view: NextMerge, workspace: Workspace) -> None:
    text = (b"abcdefghijklmnopqrstuvwxyz0123456789" * 2)[:70]
    workspace.open_corpus(Corpus.of_rows([text, text]), recipe=Recipe(), at_once=True)
    workspace.go_to_merge(workspace.learned - 1)
    image = view.grab().toImage()
    ground = image.pixel(1, 20)
    assert all(image.pixel(x, 24) == ground for x in range(image.width() - 10, image.width()))
    assert any(image.pixel(x, 24) != ground for x in range(image.width() - 90, image.width()))


def test_another_theme_repaints_it(view: NextMerge, workspace: Workspace, qapp: QApplication) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    light = view.grab().toImage()
    theme.apply(qapp, Theme.CONTRAST)
    assert view.grab().toImage() != light
    theme.apply(qapp, Theme.LIGHT)
    assert view.grab().toImage() == light


def test_a_reason_wraps_at_words_and_ends_in_dots(qapp: QApplication) -> None:
    text = "7 pairs occur 80 times. The rule, lowest ids, takes the first."
    assert wrapped(text, Role.LABEL, 2000, 2) == [text]
    lines = wrapped(text, Role.LABEL, 200, 2)
    assert " ".join(lines) == text and len(lines) == 2
    assert wrapped(text, Role.LABEL, 120, 2)[-1].endswith("…")
    assert wrapped("", Role.LABEL, 120, 2) == []


def test_a_step_forward_closes_up_the_two_boxes(view: NextMerge, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    view.show()
    qtbot.waitExposed(view)
    qtbot.wait(300)  # what follows an opening at once is in a hurry too
    at_rest, made = view.grab().toImage(), equation(view).pieces
    workspace.step(1)
    assert view.motion.pieces == made and view.motion.share < 1, "the pair that was merged is on its way"
    assert equation(view).pieces != made, "what is told is the new merge at once"
    moving = view.grab().toImage()
    qtbot.waitUntil(lambda: view.motion.pieces is None)
    arrived = view.grab().toImage()
    assert moving != at_rest and moving != arrived
    qtbot.wait(300)
    workspace.step(-1)
    assert view.motion.pieces is None, "nothing moves on the way back"
    workspace.step(1)
    assert view.motion.pieces is None, "nor in a hurry"


def test_reduced_motion_moves_nothing(view: NextMerge, workspace: Workspace, qapp: QApplication, qtbot: QtBot) -> None:
    theme.apply(qapp, Theme.LIGHT, motion=theme.STILL)
    workspace.open_exemplar("four-words", at_once=True)
    view.show()
    qtbot.waitExposed(view)
    qtbot.wait(300)
    workspace.step(1)
    assert view.motion.pieces is None
    theme.apply(qapp, Theme.LIGHT)


def test_the_equation_never_leaves_the_pane(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    for k in (*range(40, 256, 9), 200):  # at 200 a short piece stands beside a long one
        workspace.go_to_merge(k)
        image = view.grab().toImage()
        right_edge = {image.pixelColor(image.width() - 1, y).name() for y in range(8, 40)}
        assert right_edge == {theme.current().page.name()}, k


def test_merges_of_a_table_are_not_called_the_commonest(view: NextMerge, workspace: Workspace, tmp_path: Path) -> None:
    """Replayed on another corpus, a table's pair may be rarer than others, or not occur at all."""
    workspace.open_corpus(Corpus.of_text(b"xyxyxy abab"), recipe=Recipe.of("chapter-81").asking(merges=3), at_once=True)
    workspace.save_table(tmp_path / "table.txt")
    workspace.open_corpus(Corpus.of_text(b"abababab xy"), recipe=Recipe.of("chapter-81").asking(merges=3), at_once=True)
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    workspace.go_to_merge(0)
    assert written(view)["count"] == "1" and equation(view).tied == 1
    assert equation(view).reason == "The table's merge; a + b occurs 4 times."
    workspace.go_to_merge(next(rank for rank, merge in enumerate(workspace.run.training.merges) if not merge.count))  # type: ignore[union-attr]
    assert written(view)["count"] == "0" and equation(view).tied == 1
    assert equation(view).reason == "The table's merge; its pair does not occur here."


def test_a_table_that_takes_another_of_a_tie_says_so(view: NextMerge, workspace: Workspace, tmp_path: Path) -> None:
    last = replace(Recipe.of("chapter-81").asking(merges=1), tie=TieRule.LAST_MET)
    workspace.open_corpus(Corpus.of_text(b"abab\nxyxy"), recipe=last, at_once=True)
    workspace.save_table(tmp_path / "table.txt")
    table = (tmp_path / "table.txt").read_text("utf-8")
    (tmp_path / "table.txt").write_text(table.replace("last-met", "lowest-ids"), "utf-8")
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    assert equation(view).reason == "2 pairs occur twice; the table takes this one." and equation(view).tied == 2


def test_the_tie_stays_in_a_narrow_pane(view: NextMerge, workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(36)
    ends = {}
    for width in (600, 264):  # the least that the pane has in the smallest window
        view.resize(width, 140)
        picture, ground = view.grab().toImage(), theme.current().tie_fill.name()
        columns = [x for x in range(picture.width()) if any(picture.pixelColor(x, y).name() == ground for y in range(60, 95))]
        ends[width] = max(columns) - min(columns), width - max(columns)
    assert ends[264][0] == ends[600][0] and ends[264][1] >= 4, "the whole badge, off the edge"
