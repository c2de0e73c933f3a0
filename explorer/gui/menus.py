"""The menu bar: every command under its menu, with the lists of exemplars and recent files."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QWidget

from explorer.core.recipe import PRESETS
from explorer.gui.actions import COMMANDS, Actions
from explorer.gui.frame import Tool
from explorer.gui.theme import measures
from explorer.gui.views.command_box import CommandBox
from explorer.sources.exemplars import EXEMPLARS

MENUS = ("File", "Edit", "View", "Step", "Recipe", "Labs", "Help")
LAST_RECIPE = f"recipe_{tuple(PRESETS)[-1]}"
BREAKS_AFTER = {
    "open", "save_table", "redo", "forward", "normal_size", "theme_contrast",
    "tint_none", "last", "next_tie", LAST_RECIPE, "find_command",
}  # fmt: skip


class Menus(QObject):
    """Fills the window's menu bar; holds what Qt would drop."""

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        open_exemplar: Callable[[str], None],
        open_recent: Callable[[Path], None],
        read_column: Callable[[str], None],
    ) -> None:
        super().__init__(bar)
        bar.setNativeMenuBar(False)
        bar.installEventFilter(self)
        self._bar = bar
        self._menus = {name: bar.addMenu(name) for name in MENUS}
        for menu in self._menus.values():
            menu.setToolTipsVisible(True)
            menu.aboutToHide.connect(self.leave_letters)
        self._open_recent = open_recent
        self._recent = QMenu("Recent files", bar)
        self._read_column = read_column
        self._columns = QMenu("Read another column", bar)
        self._exemplars = QMenu("Exemplars", bar)
        self._fill_exemplars(open_exemplar)
        for command in COMMANDS:
            menu = self._menus[command.menu]
            menu.addAction(actions[command.name])
            if command.name == "open":
                menu.addMenu(self._exemplars)
                menu.addMenu(self._recent)
                menu.addMenu(self._columns)
            if command.name in BREAKS_AFTER:
                menu.addSeparator()
        self.box = CommandBox([*actions.all(), *self._exemplars.actions()])
        self._ways = [Tool.of_action(f"history-{name}", actions[name]) for name in ("back", "forward")]
        self._corner = self._build_corner()
        bar.setCornerWidget(self._corner, Qt.Corner.TopRightCorner)
        self._corner.show()

    def show_letters(self) -> None:
        """Underlines the letter that opens each menu, as Alt is down; no two menus begin with one letter."""
        for name, menu in self._menus.items():
            menu.setTitle(f"&{name}")

    def leave_letters(self) -> None:
        """Takes the underlines away, unless the keyboard is in the menu bar."""
        if not self._bar.hasFocus():
            for name, menu in self._menus.items():
                menu.setTitle(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.leave_letters()
        return False

    def fit(self, width: int) -> None:
        """Lets the box of commands make room in a narrow window, and then back and forward, which are in a menu too.

        Qt drops the last menus where the corner leaves them none.
        """
        wanted = self._bar.sizeHint().width() - self._corner.sizeHint().width()
        ways = sum(way.width() + measures().xs for way in self._ways)
        room = width - wanted - measures().s
        show_ways = room - ways >= self.box.least
        changed = self.box.set_most(room - ways if show_ways else room)
        for way in self._ways:
            changed |= way.isHidden() is show_ways
            way.setVisible(show_ways)
        self._corner.setFixedHeight(measures().control)  # of its own it is as high as what it shows, and jumps
        if changed:
            size = self._bar.size()
            QCoreApplication.sendEvent(self._bar, QResizeEvent(size, size))  # or the corner keeps its place and its old width

    def show_recent(self, paths: Sequence[str]) -> None:
        """Lists the recent files, newest first."""
        self._recent.clear()
        self._recent.setToolTipsVisible(True)
        self._recent.setEnabled(bool(paths))
        self._recent.menuAction().setToolTip("" if paths else "No file was opened yet.")
        for text in paths:
            path = Path(text)
            action = self._recent.addAction(path.name.encode("utf-8", "replace").decode().replace("&", "&&"))
            action.setToolTip(text)
            action.triggered.connect(lambda _=False, path=path: self._open_recent(path))

    def show_columns(self, columns: Sequence[str]) -> None:
        """Lists the columns of the open file that hold text, where there is a choice."""
        self._columns.clear()
        self._columns.setEnabled(len(columns) > 1)
        self._columns.menuAction().setToolTip("" if len(columns) > 1 else "What is open has no other column of text.")
        for name in columns if len(columns) > 1 else ():
            action = self._columns.addAction(name.replace("&", "&&"))
            action.triggered.connect(lambda _=False, name=name: self._read_column(name))

    def _fill_exemplars(self, open_exemplar: Callable[[str], None]) -> None:
        self._exemplars.setToolTipsVisible(True)
        for exemplar in EXEMPLARS:
            action = self._exemplars.addAction(f"{exemplar.name}: {exemplar.shows}")
            action.setProperty("command", f"Exemplars: {exemplar.name}")
            action.triggered.connect(lambda _=False, name=exemplar.name: open_exemplar(name))

    def _build_corner(self) -> QWidget:
        corner = QWidget(self._bar)
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, measures().s, 0)
        row.setSpacing(measures().xs)
        for way in self._ways:
            row.addWidget(way)
        row.addWidget(self.box)
        return corner
