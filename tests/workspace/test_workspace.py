"""The verbs of the Workspace, on real cores and real jobs."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.core.corpus import Corpus
from explorer.core.recipe import Joints, Recipe, TieRule
from explorer.core.table import MergeTable
from explorer.core.training import train
from explorer.sources.opening import open_corpus
from explorer.workspace.values import Lane, Level, MergesUsed, Notice, Selection
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle


@pytest.fixture
def notices() -> list[Notice]:
    return []


@pytest.fixture
def workspace(qapp: object, notices: list[Notice]) -> Iterator[Workspace]:
    made = Workspace(clock=Ticking())
    made.noticed.connect(notices.append)
    yield made
    made.close()
    made.deleteLater()


class Ticking:
    """A clock that is an hour later each time, so that no two moves count as one."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 3600
        return self.now


def slow_corpus() -> Corpus:
    """Half a megabyte without repeats of long stretches: some seconds of training."""
    lines = b"".join(b"line %d holds the number %d and little else\n" % (n, n * 7919 % 10007) for n in range(12_000))
    return Corpus.of_text(lines, "slow")


def test_nothing_is_open_at_first(workspace: Workspace) -> None:
    assert workspace.corpus is None and workspace.run is None and workspace.timeline is None
    assert (workspace.k, workspace.learned, workspace.next_pair, workspace.new_token) == (0, 0, None, None)


def test_verbs_do_nothing_while_nothing_is_open(workspace: Workspace, tmp_path: Path, notices: list[Notice]) -> None:
    for verb in ("next_tie", "previous_tie", "undo", "redo", "back", "forward", "cancel"):
        getattr(workspace, verb)()
    workspace.go_to_merge(5)
    workspace.fork(0, (1, 2))
    workspace.save_table(tmp_path / "table.txt")
    assert workspace.k == 0 and notices == [] and list(tmp_path.iterdir()) == []


def test_an_exemplar_opens_with_its_recipe(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words")
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "four-words"
    assert workspace.recipe == Recipe.of("published").asking(merges=10)
    assert workspace.learned == 10 and workspace.timeline is not None and workspace.timeline.length(10) == 22


def test_at_once_does_not_return_before(workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    assert workspace.learned == 256 and workspace.lanes.lanes == ()


def test_an_unknown_exemplar_is_a_notice(workspace: Workspace, notices: list[Notice]) -> None:
    workspace.open_exemplar("no-such")
    assert [notice.level for notice in notices] == [Level.ERROR] and "chronicle" in notices[0].text


def test_a_missing_file_is_a_notice_and_the_old_result_stays(workspace: Workspace, notices: list[Notice], tmp_path: Path) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.open_file(tmp_path / "not-there.txt")
    settle(workspace)
    assert notices[-1].level is Level.ERROR and "not-there.txt" in notices[-1].text
    assert workspace.corpus is not None and workspace.corpus.name == "four-words" and workspace.learned == 10


def test_stepping_selects_the_token_just_made(workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    with qtbot.waitSignals([workspace.merge_changed, workspace.moment_changed, workspace.selection_changed]):
        workspace.step(1)
    assert workspace.selection.token is not None and workspace.selection.token.bytes == b"nd"
    workspace.step(-1)
    assert workspace.k == 0 and workspace.selection == Selection()


def test_merges_are_cut_to_what_was_learned(workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(9999)
    assert workspace.k == 256
    workspace.go_to_merge(-3)
    assert workspace.k == 0


def test_ties_are_found_both_ways(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    merges = workspace.run.training.merges  # type: ignore[union-attr]  # it was opened at once
    ties = [rank for rank, merge in enumerate(merges) if merge.tied > 1]
    found = [workspace.k] if merges[0].tied > 1 else []
    for _ in ties:
        workspace.next_tie()
        found.append(workspace.k)
    assert found[: len(ties)] == ties
    workspace.next_tie()
    assert workspace.k == ties[-1]
    workspace.previous_tie()
    assert workspace.k == ties[-2]


def test_another_size_goes_on_from_what_is_there(workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    before = workspace.run.training  # type: ignore[union-attr]  # it was opened at once
    workspace.set_recipe(workspace.recipe.asking())
    settle(workspace)
    after = workspace.run.training  # type: ignore[union-attr]
    assert after.learned == 354 and after.merges[:256] == before.merges and after.pretokens is before.pretokens
    workspace.set_recipe(workspace.recipe.asking(merges=10))
    settle(workspace)
    assert workspace.learned == 10


def test_a_recipe_below_the_floor_is_told_and_taken_back(workspace: Workspace, notices: list[Notice]) -> None:
    workspace.open_exemplar("eighteen", at_once=True)
    good = workspace.recipe
    workspace.set_recipe(good.asking(rows=20))
    settle(workspace)
    assert "52" in notices[-1].text and notices[-1].level is Level.ERROR
    assert workspace.recipe == good and workspace.learned == 85


def test_a_fork_is_compared_and_can_be_activated(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    root = workspace.run
    rival = next(pair for pair in workspace.moment.tied if pair != workspace.next_pair)  # type: ignore[union-attr]
    workspace.fork(0, rival)
    settle(workspace)
    fork = workspace.compared
    assert root is not None and fork is not None and fork.parent == root.id and fork.fork_rank == 0
    assert fork.training.length(10) == root.training.length(10) == 22
    workspace.activate(fork.id)
    assert workspace.run is fork and workspace.compared is None and workspace.recipe == fork.recipe
    workspace.drop_run(root.id)
    assert len(workspace.runs) == 2, "a run whose fork is the active one stays"
    workspace.activate(root.id)
    workspace.drop_run(fork.id)
    assert workspace.runs == (root,)


def test_another_corpus_ends_a_comparison_and_says_so(workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.fork(0, workspace.moment.tied[1])  # type: ignore[union-attr]  # it was opened at once
    settle(workspace)
    assert workspace.compared is not None
    with qtbot.waitSignal(workspace.compared_changed) as heard:
        workspace.open_exemplar("taste", at_once=True)
    assert heard.args == [None] and workspace.compared is None
    with qtbot.waitSignal(workspace.runs_changed):
        workspace.undo()
    assert workspace.compared is None


def test_undo_takes_a_corpus_up_where_it_was_left(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.go_to_merge(6)
    made = workspace.selection.token
    workspace.open_exemplar("taste", at_once=True)
    workspace.go_to_merge(2)
    workspace.undo()
    assert workspace.corpus is not None and workspace.corpus.name == "four-words"
    assert workspace.k == 6 and workspace.selection.token == made is not None
    workspace.redo()
    assert workspace.corpus.name == "taste" and workspace.k == 2


def test_undo_and_redo_walk_over_what_was_open(workspace: Workspace) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.open_exemplar("taste", at_once=True)
    workspace.set_recipe(replace(workspace.recipe, tie=TieRule.LAST_MET))
    settle(workspace)
    workspace.undo()
    assert workspace.recipe.tie is TieRule.LEXICOGRAPHIC and workspace.corpus is not None and workspace.corpus.name == "taste"
    workspace.undo()
    assert workspace.corpus.name == "four-words" and workspace.learned == 10
    workspace.redo()
    workspace.redo()
    assert workspace.corpus.name == "taste" and workspace.recipe.tie is TieRule.LAST_MET


def test_back_and_forward_walk_over_what_was_looked_at(workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(10)
    workspace.go_to_merge(20)
    workspace.select_token(workspace.run.training.table.pieces[260])  # type: ignore[union-attr]
    workspace.back()
    assert workspace.k == 20 and workspace.selection.token != workspace.run.training.table.pieces[260]  # type: ignore[union-attr]
    workspace.back()
    assert workspace.k == 10
    workspace.forward()
    workspace.forward()
    assert workspace.selection.token == workspace.run.training.table.pieces[260]  # type: ignore[union-attr]


def test_your_text_follows_the_merge(workspace: Workspace) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.set_text(b"year 40: 235 hobbs standing in The Hollow, 1773 born and 1567 gone")
    assert workspace.encoded is not None and len(workspace.encoded) == 66
    workspace.go_to_merge(256)
    assert workspace.encoded.ids.tolist() == [329, 48, 370, 55, 51, 316, 493]
    workspace.go_to_merge(0)
    workspace.use_merges(MergesUsed.ALL)
    assert len(workspace.encoded) == 7


def test_a_long_text_is_encoded_beside_the_window(workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.go_to_merge(256)
    workspace.set_text(workspace.corpus.data * 40)  # type: ignore[union-attr]
    assert workspace.encoded is None and workspace.lanes.busy(Lane.ENCODE)
    settle(workspace)
    assert workspace.encoded is not None and len(workspace.encoded) == 1419 * 40 and workspace.encoded.exact


def test_a_slow_corpus_is_shown_early_and_keeps_what_it_learned_when_cancelled(workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("four-words", at_once=True)
    workspace.open_corpus(slow_corpus(), recipe=Recipe.of("chapter-81"))
    qtbot.waitUntil(lambda: workspace.corpus.name == "slow", timeout=20_000)  # type: ignore[union-attr]
    assert workspace.learned == 0 and workspace.lanes.busy(Lane.TRAIN)
    with qtbot.waitSignal(workspace.merges_learned, timeout=20_000, check_params_cb=lambda merges: len(merges) >= 1):
        pass
    workspace.cancel()
    settle(workspace)
    assert 1 <= workspace.learned < 256
    merge = workspace.run.training.merges[-1]  # type: ignore[union-attr]
    assert workspace.timeline.length(workspace.learned) == merge.length  # type: ignore[union-attr]


def test_a_cancelled_retraining_leaves_the_old_result_and_its_recipe(workspace: Workspace, qtbot: QtBot) -> None:
    corpus = slow_corpus()
    workspace.open_corpus(corpus, recipe=Recipe.of("chapter-81").asking(merges=0), at_once=True)
    before, recipe = workspace.run, workspace.recipe
    workspace.set_recipe(Recipe.of("byte-words"))
    qtbot.waitUntil(lambda: workspace.task is not None)
    workspace.cancel()
    settle(workspace)
    assert workspace.run is before and workspace.recipe == recipe


def test_the_result_of_a_replaced_training_is_dropped(workspace: Workspace) -> None:
    workspace.open_exemplar("eighteen")
    workspace.open_exemplar("taste")
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "taste"


def test_a_table_saved_and_opened_gives_the_same_figures(workspace: Workspace, tmp_path: Path, notices: list[Notice]) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    training = workspace.run.training  # type: ignore[union-attr]
    workspace.save_table(tmp_path / "table.txt")
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    again = workspace.run.training  # type: ignore[union-attr]
    assert again is not training and again.merges == training.merges
    assert MergeTable(training.recipe, again.alphabet, again.table.merges) == training.table
    assert [notice.level for notice in notices] == [Level.INFO]


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_file_name_that_is_no_text_is_shown_as_one(workspace: Workspace, tmp_path: Path, notices: list[Notice]) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    workspace.open_exemplar("four-words", at_once=True)
    workspace.save_table(path)
    assert notices[-1].text == "Saved 10 merges as caf\ufffd.txt."
    workspace.open_table(path)
    settle(workspace)
    assert workspace.run is not None and workspace.run.name == "caf\ufffd.txt"


def test_a_table_of_another_corpus_says_so(workspace: Workspace, tmp_path: Path, notices: list[Notice]) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.save_table(tmp_path / "table.txt")
    workspace.open_corpus(Corpus.of_text(b"and the hobbs stand\n", "other"), recipe=Recipe.of("chapter-81"), at_once=True)
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    assert any("'chronicle'" in notice.text for notice in notices)
    assert workspace.learned == 256 and workspace.run.training.merges[0].count == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("merges", [3, 300])
@pytest.mark.parametrize("forked", [False, True])
def test_another_size_is_never_cut_from_a_table_of_another_corpus(workspace: Workspace, tmp_path: Path, merges: int, forked: bool) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.save_table(tmp_path / "table.txt")
    workspace.open_corpus(Corpus.of_text(b"and the hobbs stand\n" * 4, "other"), recipe=Recipe.of("chapter-81"), at_once=True)
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    if forked:
        workspace.fork(1, (ord("t"), ord("h")))
        settle(workspace)
        workspace.activate(workspace.runs[-1].id)
    assert workspace.corpus is not None
    recipe = workspace.recipe.asking(merges=merges)
    workspace.set_recipe(recipe)
    settle(workspace)
    assert workspace.run is not None
    assert workspace.run.training.merges == train(workspace.corpus, recipe).merges


def test_a_table_with_more_joints_than_it_can_hold_takes_those_of_the_corpus(workspace: Workspace, tmp_path: Path) -> None:
    lines = b"".join(b"w%d\t1\tw|%d\n" % (n, n) for n in range(Joints.IN_FULL + 1))
    (tmp_path / "many.tsv").write_bytes(lines)
    corpus = open_corpus(tmp_path / "many.tsv")
    recipe = replace(Recipe.of("published"), joints=Joints.of(corpus.joints)).asking(merges=2)
    workspace.open_corpus(corpus, recipe=recipe, at_once=True)
    workspace.save_table(tmp_path / "table.txt")
    before = workspace.run
    workspace.open_table(tmp_path / "table.txt")
    settle(workspace)
    assert before is not None and workspace.run is not None and workspace.run is not before
    assert workspace.run.recipe == recipe and workspace.run.training.merges == before.training.merges


def test_a_broken_table_is_told_by_its_line_and_nothing_changes(workspace: Workspace, tmp_path: Path, notices: list[Notice]) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    before = workspace.run
    (tmp_path / "bad.txt").write_text("256\t110\t100\t\"nd\"\n258\t105\t110\t\"in\"\n")
    workspace.open_table(tmp_path / "bad.txt")
    settle(workspace)
    assert workspace.run is before and "line 2" in notices[-1].text


def test_a_verb_with_the_value_there_is_emits_nothing(workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open_exemplar("chronicle", at_once=True)
    workspace.set_text(b"a")
    with (
        qtbot.assertNotEmitted(workspace.text_changed), qtbot.assertNotEmitted(workspace.merge_changed),
        qtbot.assertNotEmitted(workspace.recipe_changed), qtbot.assertNotEmitted(workspace.selection_changed),
        qtbot.assertNotEmitted(workspace.hover_changed), qtbot.assertNotEmitted(workspace.merges_used_changed),
    ):
        workspace.set_text(b"a")
        workspace.go_to_merge(0)
        workspace.set_recipe(workspace.recipe)
        workspace.select_token(None)
        workspace.hover(None)
        workspace.use_merges(MergesUsed.FIRST_K)


def test_closing_during_a_training_ends_soon(qapp: object) -> None:
    workspace = Workspace()
    workspace.open_corpus(slow_corpus(), recipe=Recipe.of("chapter-81"))
    workspace.close()
    assert workspace.lanes.lanes == () and workspace.run is None
    workspace.deleteLater()


@pytest.mark.parametrize("text", [b"", b" ", b"\n\n\n", b"a"])
def test_a_corpus_with_nothing_to_learn_is_calm(workspace: Workspace, notices: list[Notice], text: bytes) -> None:
    for preset in ("chapter-81", "published", "byte-words", "script"):
        workspace.open_corpus(Corpus.of_text(text, f"calm-{preset}"), recipe=Recipe.of(preset).asking(), at_once=True)
        assert workspace.learned == 0 and workspace.moment is not None and workspace.moment.tied == () and notices == []


def test_the_newest_opening_wins_over_a_file_still_being_read(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "asked-first.txt"
    path.write_bytes(b"ab ab\n" * 200_000)
    workspace.open_file(path)
    workspace.open_exemplar("taste", at_once=True)
    settle(workspace)
    assert workspace.corpus is not None and workspace.corpus.name == "taste"


def test_a_refused_opening_leaves_the_recipe_of_what_is_open(workspace: Workspace, notices: list[Notice]) -> None:
    workspace.open_exemplar("taste", at_once=True)
    before = workspace.recipe
    workspace.open_corpus(Corpus.of_text(b"many letters"), recipe=Recipe.of("published").asking(rows=1), at_once=True)
    assert notices[-1].level is Level.ERROR and workspace.recipe == before
