"""The pane of your text: typed or pasted, its tokens tinted, with what they are and what they lose."""

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from explorer.core.encoding import EncodedText
from explorer.gui.frame import Bar, Elided, Kind, Pane, Part, Push, Segments, Tool
from explorer.gui.models.editable import TYPED_BYTES, Unholdable, why_not_editable
from explorer.gui.models.text_facts import TextFacts, counted, text_facts, text_facts_steps
from explorer.gui.models.token_lists import TokenFormat, token_list_steps
from explorer.gui.painting.paint import thousands
from explorer.gui.text.slices import Slices
from explorer.gui.text.text_mime import mime_of, utf8
from explorer.gui.views.lateness import Lateness
from explorer.gui.views.text_editor import TextEditor
from explorer.gui.views.text_taking import acceptable, take
from explorer.gui.views.token_view import TokenView
from explorer.workspace.values import Lane, Level, MergesUsed, Notice
from explorer.workspace.workspace import Workspace

FACTS_AT_ONCE = 20_000  # bytes: their facts take a millisecond or two
USED = (MergesUsed.FIRST_K, MergesUsed.ALL)


class YourTextPane(Pane):
    """Your text under its header: the number of tokens, first k merges or all, blanks, copy, paste, clear.

    An editor shows what it can hold byte for byte, a read-only view everything else, with the reason in a line above.
    Hears the text, its tokens, k and the run; calls set_text and use_merges. `facts` are for the status line.
    """

    facts_changed = Signal(object)  # TextFacts | None: None while they are worked out

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.editor = TextEditor(workspace)
        self.token_view = TokenView(workspace)
        self.merges_used = Segments(("first 0", "all 0"), 0, "Merges used")
        self.blanks_action = QAction("Show blanks in your text")
        self.copy_menu = QMenu()
        self.copy_button = Tool("copy", "Copy tokens as…")
        self.paste_button = Tool("paste", "Paste", "Ctrl+V")
        self.clear_button = Tool("close", "Clear")
        self._note = Bar("status", Part.STRIP)
        self._reason = Elided()
        self._clear_note = Push("Clear", kind=Kind.QUIET)
        self._stack = QStackedWidget()
        self._facts_now: TextFacts | None = None
        blanks = Tool.of_action("whitespace", self.blanks_action)
        super().__init__("Your text", self._build_body(), self.merges_used, blanks, self.copy_button, self.paste_button, self.clear_button)
        self._counting: Slices[TextFacts] = Slices(self)
        self._copying: Slices[str] = Slices(self)
        self._build_actions()
        self._connect()
        self._show_used()
        self._show_merges()
        self._show_text()
        self._show_tokens()
        Lateness(workspace, self)

    def _build_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._note.row.addWidget(self._reason, 1)
        self._note.row.addWidget(self._clear_note)
        self._note.hide()
        self._stack.addWidget(self.editor)
        self._stack.addWidget(self.token_view)
        column.addWidget(self._note)
        column.addWidget(self._stack, 1)
        return body

    def _build_actions(self) -> None:
        self.setAcceptDrops(True)
        self.blanks_action.setParent(self)
        self.blanks_action.setCheckable(True)
        self.blanks_action.setChecked(True)
        self.blanks_action.setShortcut(QKeySequence("Ctrl+Shift+W"))
        self.addAction(self.blanks_action)
        self.copy_menu.setParent(self, self.copy_menu.windowFlags())
        for wanted in TokenFormat:
            action = self.copy_menu.addAction(wanted.value)
            action.triggered.connect(lambda _=False, wanted=wanted: self.copy_tokens(wanted))
        self.copy_button.setMenu(self.copy_menu)
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def _connect(self) -> None:
        workspace = self._workspace
        workspace.text_changed.connect(self._show_text)
        workspace.encoded_changed.connect(self._show_tokens)
        workspace.merges_used_changed.connect(self._show_used)
        workspace.merge_changed.connect(self._show_merges)
        workspace.run_changed.connect(self._show_merges)
        self.merges_used.chosen.connect(lambda place: workspace.use_merges(USED[place]))
        self.blanks_action.toggled.connect(self.editor.show_blanks)
        self.blanks_action.toggled.connect(self.token_view.show_blanks)
        self.paste_button.clicked.connect(self.paste)
        self.clear_button.clicked.connect(self.clear)
        self._clear_note.clicked.connect(self.clear)

    # --- verbs --------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Puts the text cursor here, what is there marked, so that a paste or the first key replaces it."""
        self._stack.currentWidget().setFocus()
        if self.editing:
            self.editor.selectAll()

    def paste(self) -> None:
        """Pastes the clipboard: in the editor where the cursor is, in the read-only view in place of the whole."""
        mime: QMimeData | None = QGuiApplication.clipboard().mimeData()  # None from an empty clipboard on some platforms
        if mime is None:
            return
        if self.editing:
            self.editor.insertFromMimeData(mime)
            self.editor.setFocus()
        else:
            take(self._workspace, mime)

    def clear(self) -> None:
        """Empties your text."""
        self._workspace.set_text(b"")
        self._stack.currentWidget().setFocus()

    def copy_tokens(self, wanted: TokenFormat) -> None:
        """Copies all tokens in a format; long lists are written between two pictures."""
        encoded = self._workspace.encoded
        if encoded is not None:
            self._copying.start(token_list_steps(encoded, wanted), lambda text: self._copied(text, len(encoded)))

    def _copied(self, text: str, count: int) -> None:
        QGuiApplication.clipboard().setMimeData(mime_of(utf8(text)))
        self._workspace.notify(Notice(Level.INFO, f"Copied {counted(count, 'token')}."))

    # --- the text -----------------------------------------------------------------------------------------------------

    @property
    def editing(self) -> bool:
        """Whether the text is in the editor."""
        return self._stack.currentWidget() is self.editor

    def reason(self) -> str:
        """Why the text is only read; empty while it can be edited."""
        return "" if self.editing else self._reason.text()

    def _show_text(self) -> None:
        data = self._workspace.text
        if self.editing and self.editor.data == data and len(data) <= TYPED_BYTES:
            return
        reason = why_not_editable(data)
        focused = self._stack.currentWidget().hasFocus()
        if reason is None:
            self._edit(data)
        else:
            self._only_show(data, reason)
        if focused:
            self._stack.currentWidget().setFocus()

    def _edit(self, data: bytes) -> None:
        self._note.hide()
        self._stack.setCurrentWidget(self.editor)
        self.token_view.forget()
        self.editor.load(data)

    def _only_show(self, data: bytes, reason: Unholdable) -> None:
        self._reason.setText(reason.sentence())
        self._note.show()
        self._stack.setCurrentWidget(self.token_view)
        self.editor.forget()
        self.token_view.load(data)

    # --- what is told of it -------------------------------------------------------------------------------------------

    @property
    def facts_of_text(self) -> TextFacts | None:
        """Characters, words, tokens and losses of your text; None while they are worked out, and where nothing is open."""
        return self._facts_now

    def _show_tokens(self) -> None:
        encoded = self._workspace.encoded if self._workspace.is_text_cut else None
        self.copy_button.allow("" if encoded else "There are no tokens of your text." if self._workspace.run else "Nothing is open.")
        self._counting.stop()
        if encoded is None:
            self._set_facts(None)
        elif len(encoded.data) <= FACTS_AT_ONCE:
            self._set_facts(text_facts(encoded))
        else:
            self._tell_tokens(encoded)
            self._counting.start(text_facts_steps(encoded), self._set_facts)

    def _set_facts(self, facts: TextFacts | None) -> None:
        self._facts_now = facts
        if facts is not None:
            self.set_facts(counted(facts.tokens, "token") if facts.bytes else "", f"{facts.counts}\n{facts.ratios}\n{facts.round_trip}")
        elif self._workspace.run is not None and self._workspace.text:
            self.set_facts("…" if self._workspace.lanes.busy(Lane.ENCODE) else "not cut")
        else:
            self.set_facts("")
        self.facts_changed.emit(facts)

    def _tell_tokens(self, encoded: EncodedText) -> None:
        """The number of tokens is known before the other facts of a long text are."""
        self._facts_now = None
        self.set_facts(counted(len(encoded), "token"))
        self.facts_changed.emit(None)

    def _show_used(self) -> None:
        self.merges_used.set_place(USED.index(self._workspace.merges_used))

    def _show_merges(self) -> None:
        self.merges_used.set_text(0, f"first {thousands(self._workspace.k)}")
        self.merges_used.set_text(1, f"all {thousands(self._workspace.learned)}")

    # --- drops --------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if acceptable(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.take(event.mimeData())
        event.acceptProposedAction()

    def take(self, mime: QMimeData) -> None:
        """Makes what was dropped, or is on a clipboard, your text."""
        take(self._workspace, mime)
