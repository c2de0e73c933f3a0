"""The hover card: it waits, follows at once, stays in the window and belongs to its view."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui import theme
from explorer.gui.models.token_words import CardText
from explorer.gui.theme import Theme
from explorer.gui.views.token_card import TokenCard, place_beside

SHORT = CardText("token 7", "byte value, byte 0", ("07",))
LONG = CardText("token 300", "merge 44, bytes 5–40", ("00 " * 12, "00 " * 12), ("ends a word",))


@pytest.fixture
def owner(qapp: QApplication, qtbot: QtBot) -> Iterator[QWidget]:
    theme.apply(qapp, Theme.LIGHT)
    window = QWidget()
    column = QVBoxLayout(window)
    made = QWidget()
    column.addWidget(made)
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    yield made


def test_it_waits_then_follows_at_once(owner: QWidget, qtbot: QtBot) -> None:
    card = TokenCard(owner)
    card.show_for(SHORT, QRect(10, 10, 30, 20))
    assert card.isHidden() and card.text == SHORT
    qtbot.waitUntil(card.isVisible)
    before = card.size()
    card.show_for(LONG, QRect(60, 10, 30, 20))
    assert card.isVisible() and card.size().height() > before.height() and card.parent() is owner.window()
    card.dismiss()
    assert card.isHidden() and card.text is None and card.parent() is owner


def test_it_goes_with_its_view(owner: QWidget, qtbot: QtBot) -> None:
    card = TokenCard(owner)
    card.show_for(SHORT, QRect(10, 10, 30, 20))
    qtbot.waitUntil(card.isVisible)
    owner.hide()
    assert card.isHidden() and card.parent() is owner
    card.show_for(SHORT, QRect(10, 10, 30, 20))
    qtbot.wait(theme.motion().card + 50)
    assert card.isHidden()


def test_it_is_drawn_in_every_theme(owner: QWidget, qtbot: QtBot, qapp: QApplication) -> None:
    card = TokenCard(owner)
    card.show_for(LONG, QRect(10, 10, 30, 20))
    qtbot.waitUntil(card.isVisible)
    for worn in Theme:
        theme.apply(qapp, worn)
        picture = card.grab().toImage()
        seen = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
        assert theme.current().raised.name() in seen and len(seen) > 5


def test_its_place() -> None:
    size, window = QSize(100, 60), QSize(400, 300)
    assert place_beside(QRect(50, 50, 30, 20), size, window).y() > 69
    assert place_beside(QRect(50, 270, 30, 20), size, window).y() + 60 <= 270
    assert place_beside(QRect(390, 50, 30, 20), size, window).x() == 300
    assert place_beside(QRect(-20, 50, 30, 20), size, window) == QPoint(0, place_beside(QRect(0, 50, 30, 20), size, window).y())
