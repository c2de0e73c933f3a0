"""What is said of a corpus that takes much memory, and what it is opened with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.workspace import large_corpus
from explorer.workspace.large_corpus import first_recipe, memory_notice
from explorer.workspace.values import Level, Notice
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

TEXT = b"one line\nanother line\n" * 50  # 1,100 bytes


@pytest.fixture
def workspace(qapp: object) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_corpus, "memory_free", lambda: 30_000)


def test_an_ordinary_corpus_is_opened_by_entries() -> None:
    assert first_recipe(Corpus.of_text(TEXT)) == (Recipe.of("chapter-81"), None)
    assert memory_notice(Corpus.of_text(TEXT), Recipe.of("chapter-81")) is None


def test_one_that_would_take_most_of_the_memory_is_cut_as_gpt2_cuts(little_memory: None) -> None:
    recipe, notice = first_recipe(Corpus.of_text(TEXT))
    assert recipe == Recipe.of("gpt2")
    assert notice is not None
    assert "may need 0.0 GB of memory; 0.0 GB can be had" in notice.text
    assert first_recipe(Corpus.of_text(TEXT[:500])) == (Recipe.of("chapter-81"), None)
    assert first_recipe(Corpus.of_counts({TEXT: 3})) == (Recipe.of("chapter-81"), None)


def test_much_memory_is_told_of_before_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_corpus, "WORTH_TELLING", 10_000)
    corpus = Corpus.of_text(TEXT)
    for free, told in ((None, "needs up to 0.0 GB of memory."), (10**9, "needs up to 0.0 GB of memory; 1.0 GB can be had.")):
        monkeypatch.setattr(large_corpus, "memory_free", lambda free=free: free)
        notice = memory_notice(corpus, Recipe.of("chapter-81"))
        assert notice is not None
        assert notice.text.endswith(told)
        assert memory_notice(corpus, Recipe.of("gpt2")) is None


def test_the_workspace_opens_a_file_by_it_and_says_so(little_memory: None, tmp_path: Path, workspace: Workspace) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(TEXT)
    notices: list[Notice] = []
    workspace.noticed.connect(notices.append)
    workspace.open_file(path)
    settle(workspace)
    assert workspace.run is not None
    assert workspace.run.recipe == Recipe.of("gpt2")
    assert [notice.level for notice in notices] == [Level.INFO]
    assert "as GPT-2 cuts" in notices[0].text
