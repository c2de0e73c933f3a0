"""The bar in which a person looks for text in the corpus."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from explorer.gui.frame import Bar, Elided, Part, Tool
from explorer.gui.painting.paint import thousands
from explorer.gui.text.text_mime import utf8


class CorpusFind(Bar):
    """A field, previous, next, what came of it, close. Enter finds the next place, Shift+Enter the one before, Esc closes.

    `wanted` carries the bytes to look for and whether backwards; the owner answers with `tell`. `given_up` says that nobody waits for
    the answer any more, as other text is typed or the bar goes.
    """

    wanted = Signal(bytes, bool)
    given_up = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__("header", Part.PAGE)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find, exactly as written")
        self.field.setAccessibleName("Find in the corpus")
        self.previous = Tool("chevron-up", "Previous place", "Shift+Enter")
        self.next = Tool("chevron-down", "Next place", "Enter")
        self.close_button = Tool("close", "Close", "Esc")
        self.said = Elided()
        self.row.addWidget(self.field, 2)
        for button in (self.previous, self.next):
            self.row.addWidget(button)
        self.row.addWidget(self.said, 1)
        self.row.addWidget(self.close_button)
        self.next.clicked.connect(lambda: self._ask(backwards=False))
        self.previous.clicked.connect(lambda: self._ask(backwards=True))
        self.close_button.clicked.connect(self.end)
        self.field.textEdited.connect(self.forget)
        self.hide()

    def begin(self) -> None:
        """Shows the bar with the cursor in it."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def end(self) -> None:
        """Takes the bar away."""
        self.forget()
        self.hide()
        self.closed.emit()

    def tell(self, places: int | None, note: str = "") -> None:
        """Says how many places there are, None while they are counted, and a note on the one that is shown."""
        found = "… places" if places is None else "not found" if not places else f"{thousands(places)} place{'' if places == 1 else 's'}"
        self.said.setText(f"{found}, {note}" if note else found)

    def tell_searching(self) -> None:
        """Says that the place is still being looked for."""
        self.said.setText("searching…")

    def forget(self) -> None:
        """Says nothing any more."""
        self.said.setText("")
        self.given_up.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)

    def _ask(self, *, backwards: bool) -> None:
        if text := utf8(self.field.text()):
            self.wanted.emit(text, backwards)
