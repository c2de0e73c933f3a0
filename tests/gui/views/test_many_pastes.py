"""A window that is pasted into all day: what is kept of each text has bounds."""

import functools
import random
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.core.compiled_table import compiled_table
from explorer.core.fast_encoding import fast_encoding_steps
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.table import MergeTable
from explorer.core.training import train
from explorer.gui import theme
from explorer.gui.theme import Theme
from explorer.gui.views.your_text_pane import YourTextPane
from explorer.sources.exemplars import open_exemplar
from explorer.workspace.workspace import Workspace
from tests.workspace.settled import settle

PASTES, SETTLED = 2_000, 500
SHOWN, SHOWN_SETTLED = 48, 24  # pastes that are painted, too: that takes its time
BYTES = 20_000
LETTERS = "abcdefghijklmnopqrstuvwxyzéñßжяאבعр漢字한글"


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    theme.apply(qapp, Theme.LIGHT)
    made = Workspace()
    made.open_exemplar("four-words", at_once=True)
    made.go_to_merge(10)
    yield made
    made.close()
    made.deleteLater()


def pastes(count: int) -> Iterator[bytes]:
    """Different texts of 20 kB without a space."""
    chance = random.Random(83)
    for _ in range(count):
        start = "".join(chance.choices(LETTERS, k=200)).encode()
        yield (start * (BYTES // len(start) + 1))[:BYTES]


def entries() -> dict[str, tuple[int, int | None]]:
    """Of each cache of a function of ours: how many results it holds, and how many it may."""
    ours = [module for name, module in sys.modules.items() if name.startswith("explorer.")]
    caches = [each for module in ours for each in vars(module).values() if isinstance(each, functools._lru_cache_wrapper)]  # noqa: SLF001 - no public name
    return {f"{each.__module__}.{each.__qualname__}": (each.cache_info().currsize, each.cache_info().maxsize) for each in caches}


def held(table: MergeTable) -> int:
    """The bytes of the caches with which the compiled engine encodes by a table."""
    return sum(array.nbytes for cache in drain(compiled_table(table)).free for array in cache.arrays)


@pytest.mark.parametrize("preset", ["chapter-81", "gpt2", "byte-words"])
def test_case_083_encoding_keeps_no_long_pieces(compiled_engine: None, preset: str) -> None:
    table, sizes = train(open_exemplar("chronicle"), Recipe.of(preset).asking(merges=60)).table, []
    for number, data in enumerate(pastes(PASTES)):
        drain(fast_encoding_steps(table, data))
        if number in (SETTLED, PASTES - 1):
            sizes.append(held(table))
    assert sizes[0] == sizes[1] > 0


def test_case_083_what_is_painted_is_kept_within_bounds(workspace: Workspace, qtbot: QtBot) -> None:
    pane = YourTextPane(workspace)
    qtbot.addWidget(pane)
    pane.resize(800, 300)
    pane.show()
    counted = []
    for number, data in enumerate(pastes(SHOWN)):
        workspace.set_text(data)
        settle(workspace)
        pane.grab()
        if number in (SHOWN_SETTLED, SHOWN - 1):
            counted.append(entries())
    before, after = counted
    assert len(after) >= 8 and sum(size for size, _ in after.values()) > 100, "the caches of what is painted are among them"
    for name, (size, most) in after.items():
        assert size <= most if most is not None else size == before[name][0], name
