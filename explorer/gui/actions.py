"""Every command of the program in one table, and when each of them can be used.

A command says its words, its menu, its key and what must be there for it; the window says what it does. Menus, the
command box and the buttons of the window are all made from here, so a command cannot be in one and not in another.
Keys of stepping are only shown here: a key press that no view wanted reaches the window, which knows them (`STEP_KEYS`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from explorer.core.recipe import PRESETS
from explorer.gui.icons import icon
from explorer.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table. `key` is a shortcut; `hint` is a key that the window hears itself; `off` says why it cannot be used."""

    name: str
    text: str
    menu: str
    key: str = ""
    hint: str = ""
    icon: str = ""
    needs: Callable[[Workspace], bool] = lambda workspace: True
    off: str = "Nothing is open."


def _run(workspace: Workspace) -> bool:
    return workspace.run is not None


def _merges_left(workspace: Workspace) -> bool:
    return workspace.k < workspace.learned


def _merges_made(workspace: Workspace) -> bool:
    return workspace.k > 0


def _tie_after(workspace: Workspace) -> bool:
    ties = workspace.run.training.tied_ranks if workspace.run else ()
    return bool(ties) and ties[-1] > workspace.k


def _tie_before(workspace: Workspace) -> bool:
    ties = workspace.run.training.tied_ranks if workspace.run else ()
    return bool(ties) and ties[0] < workspace.k


def _way_back(workspace: Workspace) -> bool:
    return workspace.trail.can_go(-1)


def _way_on(workspace: Workspace) -> bool:
    return workspace.trail.can_go(1)


NO_TIE_BEFORE = "No merge before this one was a tie."
NO_TIE_AFTER = "No merge after this one is a tie."

COMMANDS = (
    Command("open", "Open corpus…", "File", "Ctrl+O", icon="open"),
    Command("open_table", "Open merge table…", "File", "Ctrl+Shift+O", needs=_run),
    Command("save_table", "Save merge table…", "File", "Ctrl+S", icon="save", needs=_run),
    Command("quit", "Quit", "File", "Ctrl+Q"),
    Command("undo", "Undo", "Edit", "Ctrl+Z", icon="undo", needs=lambda w: w.undo_history.can_undo, off="There is nothing to undo."),
    Command("redo", "Redo", "Edit", "Ctrl+Shift+Z", icon="redo", needs=lambda w: w.undo_history.can_redo, off="There is nothing to redo."),
    Command("paste", "Paste as your text", "Edit", "Ctrl+Shift+V", icon="paste"),
    Command("cancel", "Cancel what is running", "Edit", "Ctrl+K", needs=lambda w: w.task is not None, off="Nothing is running."),
    Command("back", "Back to where you were", "View", "Alt+Left", icon="history-back", needs=_way_back, off="No place was left yet."),
    Command("forward", "Forward again", "View", "Alt+Right", icon="history-forward", needs=_way_on, off="No way back was taken."),
    Command("larger", "Larger", "View", "Ctrl++", icon="plus"),
    Command("smaller", "Smaller", "View", "Ctrl+-", icon="minus"),
    Command("normal_size", "Normal size", "View", "Ctrl+0"),
    Command("theme_auto", "Theme of the system", "View"),
    Command("theme_light", "Light", "View", icon="sun"),
    Command("theme_dark", "Dark", "View", icon="moon"),
    Command("theme_contrast", "High contrast", "View"),
    Command("tint_turns", "Tint tokens in turn", "View"),
    Command("tint_identity", "Tint each token alike everywhere", "View"),
    Command("tint_age", "Tint tokens by the age of their merge", "View"),
    Command("tint_none", "No tints", "View"),
    Command("reduce_motion", "Reduce motion", "View"),
    Command("reset_layout", "Panes where they were", "View"),
    Command("first", "First merge", "Step", hint="Home", icon="first", needs=_merges_made, off="No merge is made."),
    Command("step_back", "Back one merge", "Step", hint="Left", icon="back", needs=_merges_made, off="No merge is made."),
    Command("play", "Play or pause", "Step", hint="Space", icon="play", needs=_run),
    Command("step", "Forward one merge", "Step", hint="Right", icon="forward", needs=_merges_left, off="No merge is left to make."),
    Command("last", "Last merge", "Step", hint="End", icon="last", needs=_merges_left, off="No merge is left to make."),
    Command("previous_tie", "Previous tie", "Step", hint="Shift+Left", icon="previous-tie", needs=_tie_before, off=NO_TIE_BEFORE),
    Command("next_tie", "Next tie", "Step", hint="Shift+Right", icon="next-tie", needs=_tie_after, off=NO_TIE_AFTER),
    Command("back_ten", "Back ten merges", "Step", hint="PgUp", needs=_merges_made, off="No merge is made."),
    Command("forward_ten", "Forward ten merges", "Step", hint="PgDown", needs=_merges_left, off="No merge is left to make."),
    *(Command(f"recipe_{name}", f"Recipe {name}", "Recipe", needs=_run) for name in PRESETS),
    Command("recipe_settings", "All settings of the recipe", "Recipe", icon="settings", needs=_run),
    Command("ties", "Ties: the run that took the other pair", "Labs", "Ctrl+T", icon="tie", needs=_run),
    Command("greed", "Greed: the best sequence of merges", "Labs", "Ctrl+G", icon="optimum", needs=_run),
    Command("find_command", "Any command", "Help", "Ctrl+Shift+P", icon="search"),
    Command("welcome", "Welcome", "Help"),
    Command("about", "About BPE Explorer", "Help"),
)

STEP_KEYS: Mapping[tuple[Qt.Key, bool], str] = {
    (Qt.Key.Key_Home, False): "first",
    (Qt.Key.Key_Left, False): "step_back",
    (Qt.Key.Key_Space, False): "play",
    (Qt.Key.Key_Right, False): "step",
    (Qt.Key.Key_End, False): "last",
    (Qt.Key.Key_PageUp, False): "back_ten",
    (Qt.Key.Key_PageDown, False): "forward_ten",
    (Qt.Key.Key_Left, True): "previous_tie",
    (Qt.Key.Key_Right, True): "next_tie",
}
"""Key and whether Shift is down, to the command."""


class Actions(QObject):
    """The commands as QActions; the Workspace says which can be used."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._made = {command.name: self._make(command) for command in COMMANDS}
        for signal in (
            workspace.run_changed, workspace.merge_changed, workspace.selection_changed, workspace.task_changed,
            workspace.runs_changed, workspace.text_changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def __getitem__(self, name: str) -> QAction:
        """The action of a command by its name."""
        return self._made[name]

    def all(self) -> list[QAction]:
        """All actions, in the order of the table."""
        return list(self._made.values())

    def refresh(self) -> None:
        """Sets which actions can be used now; the one place that does."""
        for command in COMMANDS:
            action, usable = self._made[command.name], command.needs(self._workspace)
            action.setToolTip("" if usable else command.off)  # menus show what was set here and nothing else
            action.setEnabled(usable)

    def _make(self, command: Command) -> QAction:
        action = QAction(f"{command.text}\t{command.hint}" if command.hint else command.text, self)
        action.setObjectName(command.name)
        action.setProperty("menu", command.menu)
        if command.key:
            action.setShortcut(QKeySequence(command.key))
        if command.icon:
            action.setIcon(icon(command.icon))
        return action
