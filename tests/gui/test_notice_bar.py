"""The notice bar: what is shown first, what waits, and what gives way."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.notice_bar import READ_S, NoticeBar
from explorer.gui.theme import Theme
from explorer.workspace.values import Level, Notice
from explorer.workspace.workspace import Workspace

FIRST, SECOND, THIRD = (Notice(Level.INFO, words) for words in ("Saved 3 merges.", "Stopped after 8 merges.", "Copied 9 tokens."))
WRONG = Notice(Level.ERROR, "This is not JSON.")


class Clock:
    """A clock that stands until it is moved, in seconds."""

    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bar(qapp: QApplication, qtbot: QtBot, clock: Clock) -> Iterator[NoticeBar]:
    theme.apply(qapp, Theme.LIGHT)
    workspace = Workspace()
    made = NoticeBar(workspace, clock)
    qtbot.addWidget(made)
    yield made
    workspace.close()
    workspace.deleteLater()


def test_what_was_read_gives_way_to_what_is_new(bar: NoticeBar, clock: Clock) -> None:
    bar.add(FIRST)
    clock.now += READ_S
    bar.add(SECOND)
    assert bar.shown == SECOND
    bar._close.click()  # noqa: SLF001 - what a person clicks
    assert bar.shown is None and bar.isHidden()


def test_what_comes_at_once_waits_until_the_first_is_closed(bar: NoticeBar, clock: Clock) -> None:
    for notice in (FIRST, SECOND):
        bar.add(notice)
    clock.now += READ_S
    bar.add(THIRD)  # goes behind what nobody saw yet
    seen, waiting = [], []
    while bar.shown:
        seen.append(bar.shown)
        waiting.append(bar._more.text())  # noqa: SLF001 - what a person reads
        bar._close.click()  # noqa: SLF001 - what a person clicks
    assert seen == [FIRST, SECOND, THIRD] and waiting == ["2 more", "1 more", ""]


def test_an_error_stays_until_it_is_closed(bar: NoticeBar, clock: Clock) -> None:
    bar.add(FIRST)
    bar.add(WRONG)
    assert bar.shown == WRONG
    clock.now += 100 * READ_S
    bar.add(SECOND)
    assert bar.shown == WRONG
