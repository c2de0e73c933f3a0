"""The transport: a bar as wide as the window that moves merge k, since merge k drives every pane."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent
from PySide6.QtWidgets import QMenu

from explorer.core.runs import Run
from explorer.core.training import Training
from explorer.gui import theme
from explorer.gui.frame import Label, Tool
from explorer.gui.models.training_words import why_no_merge
from explorer.gui.narrow_bar import NarrowBar
from explorer.gui.painting.paint import thousands
from explorer.gui.theme import px
from explorer.gui.views.number_box import FigureBox
from explorer.gui.views.player import SPEEDS, Player
from explorer.gui.views.timeline import MergeTimeline
from explorer.workspace.workspace import Workspace

WORDS_FROM = 560.0  # pixels at 100 %


class Transport(NarrowBar):
    """First, back, play, forward, last; the number of merges made; the timeline; previous and next tie.

    A right click or a long press on play offers the speeds. Hears run_changed, merge_changed; calls go_to_merge, step, next_tie,
    previous_tie.
    """

    least = 400.0  # buttons, number, and a timeline of some width

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("transport")
        self.setAccessibleName("Transport")
        self._workspace = workspace
        self._ties: tuple[int, ...] = ()
        self.player = Player(workspace, self)
        self.timeline = MergeTimeline(workspace)
        self._build_buttons()
        self._build_number()
        self._lay_out()
        workspace.run_changed.connect(self._on_run)
        workspace.merge_changed.connect(self._on_merge)
        self.player.playing_changed.connect(self._on_playing)
        self._on_run(workspace.run)

    # --- building -----------------------------------------------------------------------------------------------------

    def _build_buttons(self) -> None:
        workspace = self._workspace
        self.first = Tool("first", "First merge", "Home")
        self.back = Tool("back", "Back one merge", "Left")
        self.play = Tool("play", "Play", "Space")
        self.forward = Tool("forward", "Forward one merge", "Right")
        self.last = Tool("last", "Last merge", "End")
        self.previous_tie = Tool("previous-tie", "Previous tie", "Shift+Left")
        self.next_tie = Tool("next-tie", "Next tie", "Shift+Right")
        self.first.clicked.connect(lambda: workspace.go_to_merge(0))
        self.back.clicked.connect(lambda: workspace.step(-1))
        self.play.clicked.connect(self.player.toggle)
        self.forward.clicked.connect(lambda: workspace.step(1))
        self.last.clicked.connect(lambda: workspace.go_to_merge(workspace.learned))
        self.previous_tie.clicked.connect(workspace.previous_tie)
        self.next_tie.clicked.connect(workspace.next_tie)
        for button in (self.back, self.forward):
            button.setAutoRepeat(True)
        self.speeds = self._speed_menu()
        self.play.setMenu(self.speeds)
        self.play.setPopupMode(Tool.ToolButtonPopupMode.DelayedPopup)  # a click plays; a long press opens the menu
        self.play.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.play.customContextMenuRequested.connect(self._show_speeds)
        self._name_play()

    def _speed_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for speed in SPEEDS:
            action = QAction(_speed_words(speed), menu, checkable=True, checked=speed == self.player.speed)
            action.triggered.connect(lambda _=False, speed=speed: self.player.set_speed(speed))
            self.player.speed_changed.connect(lambda now, action=action, speed=speed: action.setChecked(speed == now))
            group.addAction(action)
            menu.addAction(action)
        self.player.speed_changed.connect(self._name_play)
        return menu

    def _build_number(self) -> None:
        self.number = FigureBox("Merges made")
        self.number.setKeyboardTracking(False)  # a number typed moves when it is whole, not at each digit
        self.number.valueChanged.connect(self._workspace.go_to_merge)
        self.made, self.ties = Label(), Label("ties")

    def _lay_out(self) -> None:
        sizes, row = theme.measures(), self.row
        row.setSpacing(0)
        for button in (self.first, self.back, self.play, self.forward, self.last):
            row.addWidget(button)
        row.addSpacing(sizes.s)
        row.addWidget(self.number)
        row.addSpacing(sizes.s)
        row.addWidget(self.made)
        row.addSpacing(sizes.m)
        row.addWidget(self.timeline, 1)
        row.addSpacing(sizes.m)
        row.addWidget(self.previous_tie)
        row.addWidget(self.ties)
        row.addWidget(self.next_tie)

    def _measure(self, sizes: theme.Measures) -> None:
        super()._measure(sizes)
        self.row.setSpacing(0)
        if hasattr(self, "number"):  # the base measures once before there is anything in the bar
            self.timeline.setFixedHeight(round(px(64)))
            digits = max(3, len(str(self.number.maximum())))
            self.number.setFixedWidth(self.number.fontMetrics().horizontalAdvance("0" * digits) + round(px(54)))

    def _arrange(self) -> None:
        """Words give way to the timeline where the bar is narrow; the tooltips of number and buttons say the same."""
        self.made.setVisible(self.width() >= px(WORDS_FROM))
        self.ties.setVisible(self.width() >= px(WORDS_FROM))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:  # comes from the timeline, which has the focus
            self.player.toggle()
        else:
            super().keyPressEvent(event)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _on_run(self, run: Run | None) -> None:
        learned = self._workspace.learned
        self._ties = _first_and_last_tie(run)
        self.number.setMaximum(max(learned, self.number.maximum()))  # room first, or the old value is cut and moves the new run
        self._on_merge(self._workspace.k)
        self.number.setMaximum(learned)
        self.made.setText(f"of {thousands(learned)} made")
        self.number.setToolTip(f"Merges made, of {thousands(learned)}")
        self._measure(theme.measures())

    def _on_merge(self, k: int) -> None:
        learned = self._workspace.learned
        self.number.setValue(k)
        ties = self._ties
        self.number.setEnabled(learned > 0)
        none = why_no_merge(self._training)
        for button, why_not in (
            (self.first, "" if k else "No merge is made."), (self.back, "" if k else "No merge is made."),
            (self.forward, "" if k < learned else "Every merge is made."), (self.last, "" if k < learned else "Every merge is made."),
            (self.play, ""),
            (self.previous_tie, "" if ties and ties[0] < k else "No merge before this one was a tie."),
            (self.next_tie, "" if ties and ties[-1] > k else "No merge after this one is a tie."),
        ):  # fmt: skip
            button.allow(none or why_not)

    @property
    def _training(self) -> Training | None:
        return self._workspace.run.training if self._workspace.run else None

    def _on_playing(self, playing: bool) -> None:
        self.play.set_icon("pause" if playing else "play")
        self._name_play()

    def _name_play(self) -> None:
        words = "Pause" if self.player.playing else "Play"
        self.play.setAccessibleName(words)
        self.play.setToolTip(f"{words}, {_speed_words(self.player.speed)}; right click for other speeds  Space")
        self.play.allow(why_no_merge(self._training))

    def _show_speeds(self, at: QPoint) -> None:
        self.speeds.popup(self.play.mapToGlobal(at))


def _first_and_last_tie(run: Run | None) -> tuple[int, ...]:
    """The first and the last rank that was a tie; empty where none was."""
    ties = run.training.tied_ranks if run else ()
    return (ties[0], ties[-1]) if ties else ()


def _speed_words(speed: int) -> str:
    return "1 merge a second" if speed == 1 else f"{speed} merges a second"
