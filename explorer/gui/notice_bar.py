"""The bar that tells what went wrong or is worth knowing, one line at a time."""

import time
from collections import deque
from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from explorer.gui.frame import Bar, Elided, Kind, Label, Part, Push, Tool
from explorer.gui.icons import icon
from explorer.gui.theme import Role, Tone, measures
from explorer.workspace.values import Level, Notice
from explorer.workspace.workspace import Workspace

ICONS = {Level.INFO: ("info", Tone.INK_2), Level.WARNING: ("warning", Tone.TIE), Level.ERROR: ("error", Tone.ERROR)}
WAITING = 20  # notices that wait behind the one shown; older ones go
READ_S = 3.0  # how long a notice that is only worth knowing keeps newer ones waiting


class NoticeBar(Bar):
    """Hidden until the Workspace notices something; then icon, words, Show and Copy, and close, which shows the next."""

    def __init__(self, workspace: Workspace, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("strip", Part.STRIP)
        self.setAccessibleName("Notice")
        self._clock, self._shown_at = clock, 0.0
        self._waiting: deque[Notice] = deque(maxlen=WAITING)
        self._shown: Notice | None = None
        self._icon = Tool("info", "What kind of notice this is")
        self._icon.setEnabled(True)
        self._words = Elided("", Role.BODY, Tone.INK)
        self._more = Label("", Role.LABEL, Tone.INK_3)
        self._show = Push("Show", kind=Kind.QUIET)
        self._copy = Push("Copy", "copy", Kind.QUIET)
        self._close = Tool("close", "Close")
        for widget, stretch in ((self._icon, 0), (self._words, 1), (self._more, 0), (self._show, 0), (self._copy, 0), (self._close, 0)):
            self.row.addWidget(widget, stretch)
        self._show.clicked.connect(self._on_show)
        self._copy.clicked.connect(self._on_copy)
        self._close.clicked.connect(self._next)
        workspace.noticed.connect(self.add)
        self.hide()

    @property
    def shown(self) -> Notice | None:
        """The notice on the bar."""
        return self._shown

    def add(self, notice: Notice) -> None:
        """Shows a notice, or says that one more waits.

        An error goes before what waits, and what is only worth knowing gives way once there was time to read it.
        """
        if notice == self._shown or notice in self._waiting:
            return
        if self._shown and self._shown.level is Level.INFO and self._clock() - self._shown_at >= READ_S and not self._waiting:
            self._shown = None
        if self._shown and (notice.level is not Level.ERROR or self._shown.level is Level.ERROR):
            self._waiting.append(notice)
            self._tell_more()
            return
        if self._shown:
            self._waiting.appendleft(self._shown)
        self._put(notice)

    def _put(self, notice: Notice) -> None:
        self._shown, self._shown_at = notice, self._clock()
        self._icon.setIcon(icon(*ICONS[notice.level]))
        self._icon.setAccessibleName(notice.level.value)
        self._words.setText(notice.text)
        self.setAccessibleDescription(notice.text)
        self._show.setVisible(bool(notice.detail))
        self._tell_more()
        self.show()

    def _tell_more(self) -> None:
        self._more.setText(f"{len(self._waiting)} more" if self._waiting else "")

    def _next(self) -> None:
        self._shown = None
        if self._waiting:
            self._put(self._waiting.popleft())
        else:
            self.hide()

    def _on_show(self) -> None:
        if self._shown:
            box = QMessageBox(self.window())
            box.setWindowTitle("BPE Explorer")
            box.setText(self._shown.text)
            box.setInformativeText(self._shown.detail)
            box.setMinimumWidth(measures().control * 16)
            box.open()

    def _on_copy(self) -> None:
        if self._shown:
            QGuiApplication.clipboard().setText("\n\n".join(filter(None, (self._shown.text, self._shown.detail))))
