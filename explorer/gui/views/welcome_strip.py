"""The strip of the first start: one sentence and four buttons that lead into the program."""

from PySide6.QtCore import Signal

from explorer.gui.frame import Bar, Kind, Label, Part, Push, Tool
from explorer.gui.theme import Role, Tone
from explorer.workspace.workspace import Workspace

STEPS_ENOUGH = 3  # whoever has stepped this often needs no strip


class WelcomeStrip(Bar):
    """Tells what is open and offers Step, your text, a tie and greed; goes for good when closed or after the third step."""

    step_wanted = Signal()
    text_wanted = Signal()
    tie_wanted = Signal()
    greed_wanted = Signal()
    closed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("strip", Part.STRIP)
        self.setAccessibleName("Welcome")
        self._workspace = workspace
        self._steps = 0
        self._words = Label("", Role.BODY, Tone.INK)
        self.row.addWidget(self._words)
        for text, icon_name, wanted in (
            ("Step", "forward", self.step_wanted), ("Paste your text", "paste", self.text_wanted),
            ("Show me a tie", "fork", self.tie_wanted), ("Show me greedy lose", "optimum", self.greed_wanted),
        ):
            button = Push(text, icon_name, Kind.PRIMARY if text == "Step" else Kind.PLAIN)
            button.clicked.connect(wanted)
            self.row.addWidget(button)
        self.row.addStretch(1)
        self._close = Tool("close", "Close; Help > Welcome brings it back")
        self._close.clicked.connect(self.closed)
        self.row.addWidget(self._close)
        self.step_wanted.connect(self._on_step)
        for signal in (workspace.run_changed, workspace.moment_changed):
            signal.connect(self.show_where)
        self.show_where()

    def show_where(self) -> None:
        """Says what is open and where it stands."""
        corpus, moment = self._workspace.corpus, self._workspace.moment
        if corpus is None:
            self._words.setText("Open a corpus to begin.")
            return
        name = "the chronicle, a reconstruction" if corpus.name == "chronicle" else corpus.name
        tied = len(moment.tied) if moment else 0
        where = f"paused at a tie of {tied}" if tied > 1 else f"after {self._workspace.k} merges"
        self._words.setText(f"This is {name}, {where}.")

    def _on_step(self) -> None:
        self._steps += 1
        if self._steps >= STEPS_ENOUGH:
            self.closed.emit()
