"""What a tint says: its shades keep their contrast, and a choice in the menu repaints every view of text."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.core.recipe import Recipe
from explorer.gui import theme, tinting, wear
from explorer.gui.main_window import MainWindow
from explorer.gui.theme import Theme
from explorer.gui.tinting import Tinting
from explorer.sources.exemplars import open_exemplar
from explorer.workspace.settings import Preferences, Settings
from explorer.workspace.workspace import Workspace
from tests.gui.colour_maths import contrast


@pytest.fixture(autouse=True)
def turns_again(qapp: QApplication) -> Iterator[None]:
    yield
    tinting.wear(Tinting.TURNS)


@pytest.mark.parametrize("worn", Theme)
@pytest.mark.parametrize("kind", Tinting)
def test_letters_and_edges_stand_out_on_every_shade(worn: Theme, kind: Tinting) -> None:
    ink = theme.ink_of(worn)
    for shade in tinting.shades(ink, kind):
        assert contrast(ink.ink.name(), shade.name()) >= 7
        assert contrast(ink.edge.name(), shade.name()) >= 3


@pytest.mark.parametrize("worn", Theme)
def test_the_older_a_merge_the_nearer_to_the_page(worn: Theme) -> None:
    ink = theme.ink_of(worn)
    away = [contrast(ink.page.name(), shade.name()) for shade in tinting.shades(ink, Tinting.AGE)]
    assert away == sorted(away) and len(set(away)) == 4


def test_places_of_each_kind() -> None:
    ids, turns, merged = np.array([256, 300, 319, 383, 511]), np.arange(5), range(256, 512)
    assert tinting.places(Tinting.TURNS, ids, turns, merged).tolist() == [0, 1, 2, 3, 0]
    assert tinting.places(Tinting.AGE, ids, turns, merged).tolist() == [0, 0, 0, 1, 3]
    assert tinting.places(Tinting.AGE, ids, turns, range(0)).tolist() == [0, 1, 2, 3, 0], "no table, no age"
    one, other = (tinting.places(Tinting.IDENTITY, ids, order, merged).tolist() for order in (turns, turns[::-1]))
    assert one == other and len(set(one)) > 1, "wherever it stands"


def test_the_menu_tints_every_view_of_text_and_is_remembered(qtbot: QtBot) -> None:
    settings = Settings(theme="light", reduce_motion=True)
    wear.wear(settings)
    window = MainWindow(Workspace(), Preferences(settings))
    window.workspace.setParent(window)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.workspace.set_text(b"The Hollow has a hobb")
    window.workspace.open_corpus(open_exemplar("chronicle"), recipe=Recipe.of("chapter-81"), at_once=True)
    window.workspace.go_to_merge(120)
    window.show()
    qtbot.waitExposed(window)
    strong = theme.current().tints[0]
    views = (window.your_text.editor.viewport(), window.corpus.text.viewport())
    assert all(has(view, strong) for view in views)
    for kind in (Tinting.AGE, Tinting.IDENTITY, Tinting.NONE, Tinting.TURNS):
        before = [view.grab().toImage() for view in views]
        window.actions_table[f"tint_{kind.value}"].trigger()
        assert window.preferences.settings.tinting == kind.value and tinting.worn() is kind
        assert window.actions_table[f"tint_{kind.value}"].isChecked()
        assert all(view.grab().toImage() != old for view, old in zip(views, before, strict=True)), kind
        if kind is Tinting.NONE:
            assert not any(has(view, tint) for view in views for tint in theme.current().tints)
    window.workspace.close()
    wear.wear(Settings(theme="light"))


def has(view: QWidget, colour: QColor) -> bool:
    image = view.grab().toImage()
    return any(image.pixelColor(x, y) == colour for y in range(0, image.height(), 2) for x in range(0, image.width(), 3))
