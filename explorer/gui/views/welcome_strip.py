"""The strip of the first start: one sentence and four buttons that lead into the program."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy

from explorer.gui.frame import Elided, Kind, Part, Push, Tool
from explorer.gui.models.text_facts import counted
from explorer.gui.models.training_words import coming, why_no_step
from explorer.gui.narrow_bar import NarrowBar
from explorer.gui.theme import Role, Tone, px
from explorer.workspace.workspace import Workspace

NO_TIE = "Neither this merge nor one after it is a tie."
WORDS_FROM = 620.0  # pixels at 100 %: all words of the buttons, and some of the sentence
STEPS_ENOUGH = 3  # whoever has stepped this often needs no strip


class WelcomeStrip(NarrowBar):
    """Tells what is open and offers Step, your text, a tie and greed; goes for good when closed or after the third step."""

    least = 400.0
    step_wanted = Signal()
    text_wanted = Signal()
    tie_wanted = Signal()
    greed_wanted = Signal()
    closed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("strip", Part.STRIP)
        self.setAccessibleName("Welcome")
        self._workspace = workspace
        self._steps, self._k = 0, workspace.k
        self._buttons: dict[str, Push] = {}
        self._words = Elided("", Role.BODY, Tone.INK)
        self._words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._words.setMinimumWidth(1)
        self.row.addWidget(self._words)
        for text, short, icon_name, wanted in (
            ("Step", "Step", "forward", self.step_wanted),
            ("Paste your text", "Paste", "paste", self.text_wanted),
            ("Show me a tie", "A tie", "fork", self.tie_wanted),
            ("Show me greedy lose", "Greed", "optimum", self.greed_wanted),
        ):
            button = Push(text, icon_name, Kind.PRIMARY if text == "Step" else Kind.PLAIN, short=short)
            button.clicked.connect(wanted)
            self._buttons[text] = button
            self.row.addWidget(button)
        self.row.addStretch(1)
        self._close = Tool("close", "Close; Help > Welcome brings it back")
        self._close.clicked.connect(self.closed)
        self.row.addWidget(self._close)
        workspace.merge_changed.connect(self._on_merge)
        for signal in (workspace.run_changed, workspace.moment_changed, workspace.task_changed):
            signal.connect(self.show_where)
        self.show_where()

    def show_where(self) -> None:
        """Says what is open and where it stands."""
        self._allow()
        corpus, moment = self._workspace.corpus, self._workspace.moment
        if corpus is None:
            self._words.setText(coming(self._workspace.task) or "Open a corpus to begin.")
            return
        name = "the chronicle, a reconstruction" if corpus.name == "chronicle" else corpus.name
        tied = len(moment.tied) if moment else 0
        where = f"paused at a tie of {tied}" if tied > 1 else f"after {counted(self._workspace.k, 'merge')}"
        self._words.setText(f"This is {name}, {where}.")

    def _allow(self) -> None:
        """Step is off at the last merge, and a tie where there is none to show; their tooltips say so."""
        run, k = self._workspace.run, self._workspace.k
        training = run.training if run else None
        no_step = why_no_step(training, k)
        tie = training is not None and bool(training.tied_ranks) and training.tied_ranks[-1] >= k
        for text, why_not in (("Step", no_step), ("Show me a tie", no_step or ("" if tie else NO_TIE))):
            self._buttons[text].setEnabled(not why_not)
            self._buttons[text].setToolTip(why_not)

    def _arrange(self) -> None:
        """Few words on the buttons where the bar has no room for all."""
        for button in self._buttons.values():
            button.set_short(self.width() < px(WORDS_FROM))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._steps = 0

    def _on_merge(self, k: int) -> None:
        """Counts steps, whether they come from the button here, another one or a key."""
        self._steps += self.isVisible() and k == self._k + 1
        self._k = k
        if self._steps >= STEPS_ENOUGH:
            self.closed.emit()
