"""The style sheet of a theme, as text: every widget that Qt draws, told once how.

A style sheet knows no `currentColor`, no palette and no zoom. So colours are filled in, pixels are
scaled, and the arrows of boxes and menus are tinted copies in a folder of their own, named by the
search path `arrows:`. The folder goes when the program ends.
"""

import atexit
import re
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template

from explorer.places import resource

ARROWS = ("chevron-down", "chevron-up", "chevron-right", "check")


class _Fitted(Template):
    """The second filling, with "@": lengths that follow from lengths already scaled, so that no box grows by a pixel."""

    delimiter = "@"


def style_sheet(colours: Mapping[str, str], *, name: str, focus: int, zoom: float) -> str:
    """The whole sheet. `name` is the theme's folder of arrows, `focus` the width of the focus ring in pixels at 100 %."""
    sheet = Template(_SHEET).substitute(colours, arrows=f"arrows:{name}")
    sheet = re.sub(r"(?<![\w.])(\d+)px", lambda found: f"{scaled(int(found[1]), zoom)}px", sheet)
    return _Fitted(sheet).substitute(_fitted(focus, zoom))


def _fitted(focus: int, zoom: float) -> dict[str, str]:
    """Lengths inside a focus ring: what the wider border takes, padding and height give back. And two circles."""
    ring = scaled(focus, zoom)
    box = scaled(14, zoom) + 2  # a round handle or a radio button, its hairline border included
    lengths = {"focus": ring, "round": box // 2, "dot": scaled(5, zoom), "dot_in": box - 2 * scaled(5, zoom), "handle": box - 2 * ring}
    lengths |= {f"pad_{n}": scaled(n, zoom) + 1 - ring for n in (7, 8, 12)}
    lengths |= {f"high_{n}": scaled(n, zoom) + 2 - 2 * ring for n in (20, 26)}
    lengths |= {"segment_pad": scaled(9, zoom) - ring, "segment_high": scaled(20, zoom) - 2 * ring}
    lengths |= {"taken_pad": scaled(9, zoom) - 1, "taken_high": scaled(20, zoom) - 2}
    return {name: f"{max(0, length)}px" for name, length in lengths.items()}


def scaled(pixels: int, zoom: float) -> int:
    """Pixels at a zoom; a hairline stays a hairline and nothing vanishes."""
    return pixels if pixels <= 1 else max(1, round(pixels * zoom))


def tinted(name: str, colour: str) -> bytes:
    """The icon's SVG with its one colour filled in (QSvgRenderer knows no currentColor)."""
    return resource(f"icons/{name}.svg").read_text("utf-8").replace("currentColor", colour).encode()


@cache
def arrows_folder(themes: tuple[tuple[str, str, str], ...]) -> Path:
    """A temporary folder with the arrows of every theme; a theme is (name, colour, colour on the accent).

    All themes at once, so that no file changes under a name that Qt may have read already.
    """
    folder = Path(tempfile.mkdtemp(prefix="bpe-explorer-arrows-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, plain, on_accent in themes:
        (folder / name).mkdir()
        for arrow in ARROWS:
            (folder / name / f"{arrow}.svg").write_bytes(tinted(arrow, plain))
            (folder / name / f"{arrow}-on.svg").write_bytes(tinted(arrow, on_accent))
    return folder


_SHEET = """
* { outline: none; }
QMainWindow, QDialog { background: $chrome; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QSplitter::handle { background: $line; }
QSplitter::handle:hover { background: $accent; }
QFrame[part="page"] { background: $page; border: none; }
QFrame[part="chrome"] { background: $chrome; border: none; }
QFrame[part="strip"] { background: $selected; border: none; border-bottom: 1px solid $line; }
QLabel { background: transparent; }
QLabel[tone="ink"] { color: $ink; }
QLabel[tone="ink_2"] { color: $ink_2; }
QLabel[tone="ink_3"] { color: $ink_3; }
QLabel[tone="accent"] { color: $accent; }
QLabel[tone="on_accent"] { color: $on_accent; }
QLabel[tone="tie"] { color: $tie; }
QLabel[tone="new"] { color: $new; }
QLabel[tone="greedy"] { color: $greedy; }
QLabel[tone="best"] { color: $best; }
QLabel[tone="error"] { color: $error; }
QLabel[tone="ok"] { color: $ok; }

QMenuBar { background: $chrome; border-bottom: 1px solid $line; padding: 0 8px; }
QMenuBar::item { padding: 4px 8px; margin: 2px 0; border-radius: 5px; color: $ink_2; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; color: $ink; }
QMenu { background: $raised; border: 1px solid $line_2; padding: 4px; }
QMenu::item { padding: 5px 32px 5px 12px; border-radius: 5px; }
QMenu::item:selected { background: $selected; }
QMenu::item:disabled { color: $ink_off; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QMenu::right-arrow { image: url($arrows/chevron-right.svg); width: 12px; height: 12px; }
QMenu::indicator { width: 14px; height: 14px; left: 4px; }
QMenu::indicator:checked { image: url($arrows/check.svg); }

QToolBar { background: $chrome; border: none; border-bottom: 1px solid $line; spacing: 4px; padding: 0 12px; }
QToolBar::separator { background: $line; width: 1px; margin: 10px 8px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px;
  padding: 0 7px; min-height: 26px; color: $ink_2; }
QToolButton:hover { background: $hover; color: $ink; }
QToolButton:pressed, QToolButton:checked { background: $selected; color: $accent; }
QToolButton:focus { border: @focus solid $accent; padding: 0 @pad_7; min-height: @high_26; }
QToolButton[square="true"], QToolButton[square="true"]:focus { padding: 0; }
QToolButton:disabled { color: $ink_off; }
QToolButton::menu-indicator { image: none; }
QFrame[part="segments"] { background: $well; border: none; border-radius: 5px; }
QFrame[part="segments"] QToolButton { min-height: 20px; padding: 0 9px; border-radius: 3px; border: none; color: $ink_2; }
QFrame[part="segments"] QToolButton:hover { color: $ink; }
QFrame[part="segments"] QToolButton:checked { background: $raised; color: $ink; border: 1px solid $line; padding: 0 @taken_pad;
  min-height: @taken_high; }
QFrame[part="segments"] QToolButton:focus { border: @focus solid $accent; padding: 0 @segment_pad; min-height: @segment_high; }

QPushButton { background: $raised; border: 1px solid $line_2; border-radius: 5px; padding: 0 12px;
  min-height: 26px; color: $ink; }
QPushButton:hover { background: $hover; border-color: $edge; }
QPushButton:pressed { background: $selected; }
QPushButton:focus { border: @focus solid $accent; padding: 0 @pad_12; min-height: @high_26; }
QPushButton:disabled { color: $ink_off; background: $chrome; border-color: $line; }
QPushButton[kind="primary"] { background: $accent; border-color: $accent; color: $on_accent; }
QPushButton[kind="primary"]:focus { border-color: $ink; }
QPushButton[kind="primary"]:disabled { background: $chrome; border-color: $line; color: $ink_off; }
QPushButton[kind="quiet"] { background: transparent; border-color: transparent; color: $accent; padding: 0 8px; }
QPushButton[kind="quiet"]:hover { background: $hover; }
QPushButton[kind="quiet"]:focus { border-color: $accent; padding: 0 @pad_8; }
QPushButton[kind="tie"] { background: $tie_fill; border-color: $tie; color: $ink; min-height: 20px; padding: 0 8px; }
QPushButton[kind="tie"]:focus { border-color: $accent; min-height: @high_20; padding: 0 @pad_8; }

QLineEdit, QSpinBox, QComboBox, QPlainTextEdit { background: $raised; border: 1px solid $line_2;
  border-radius: 5px; color: $ink; selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QSpinBox, QComboBox { min-height: 26px; padding: 0 8px; }
QLineEdit:hover, QSpinBox:hover, QComboBox:hover { border-color: $edge; }
QLineEdit:focus, QSpinBox:focus, QComboBox:focus { border: @focus solid $accent; min-height: @high_26; padding: 0 @pad_8; }
QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled { background: $chrome; color: $ink_off; border-color: $line; }
QLineEdit[compact="true"] { min-height: 20px; }
QLineEdit[compact="true"]:focus { min-height: @high_20; }
QLineEdit[invalid="true"] { border-color: $error; background: $error_fill; }
QComboBox { padding-right: 22px; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url($arrows/chevron-down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $line_2; padding: 4px;
  selection-background-color: $selected; selection-color: $ink; }
QSpinBox { padding-right: 18px; max-height: 26px; }
QSpinBox:focus { max-height: @high_26; }
QSpinBox::up-button, QSpinBox::down-button { border: none; background: transparent; width: 18px; }
QSpinBox::up-button:hover, QSpinBox::down-button:hover { background: $hover; }
QSpinBox::up-arrow { image: url($arrows/chevron-up.svg); width: 10px; height: 10px; }
QSpinBox::down-arrow { image: url($arrows/chevron-down.svg); width: 10px; height: 10px; }

QCheckBox { spacing: 8px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $edge; border-radius: 3px; background: $raised; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($arrows/check-on.svg); }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $edge; border-radius: @round; background: $raised; }
QRadioButton::indicator:checked { border: @dot solid $accent; width: @dot_in; height: @dot_in; }

QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; background: $well; border-radius: 2px; }
QSlider::sub-page:horizontal { height: 4px; background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: @round;
  background: $raised; border: 1px solid $edge; }
QSlider::handle:horizontal:hover { border-color: $accent; }
QSlider::handle:horizontal:focus { border: @focus solid $accent; width: @handle; height: @handle; }
QProgressBar { background: $well; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }

QTableView, QListView, QTreeView { background: $page; border: none; gridline-color: transparent; color: $ink;
  selection-background-color: $selected; selection-color: $ink; }
QListView[part="popup"] { background: $raised; border: 1px solid $line_2; padding: 4px; }
QTableView::item, QListView::item, QTreeView::item { border: none; padding: 0 8px; }
QTableView::item:hover, QListView::item:hover, QTreeView::item:hover { background: $hover; }
QTableView::item:selected, QListView::item:selected, QTreeView::item:selected { background: $selected; color: $ink; }
QHeaderView { background: $page; border: none; }
QHeaderView::section { background: $page; color: $ink_3; border: none; border-bottom: 1px solid $line; padding: 0 8px;
  font-size: 11px; min-height: 24px; }
QHeaderView::section:hover { color: $ink; }
QTableCornerButton::section { background: $page; border: none; }

QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { background: $chrome; }
QTabBar::tab { background: transparent; color: $ink_2; padding: 0 12px; min-height: 30px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $ink; }
QTabBar::tab:selected { color: $ink; border-bottom-color: $accent; }
QTabBar::tab:focus { color: $accent; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: $page; border-bottom: 1px solid $line; padding: 10px 12px; text-align: left; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line_2; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: $edge; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {
  background: none; border: none; width: 0; height: 0; }

QStatusBar { background: $chrome; border-top: 1px solid $line; color: $ink_2; font-size: 12px; min-height: 27px; }
QStatusBar::item { border: none; }
QToolTip { background: $raised; color: $ink; border: 1px solid $line_2; padding: 6px 8px; font-size: 12px; }
"""
