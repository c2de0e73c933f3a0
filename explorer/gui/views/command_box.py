"""The box that finds any command by its words."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRectF, QStringListModel, Qt
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QCompleter, QLineEdit, QWidget

from explorer.gui import theme
from explorer.gui.icons import draw_icon

WIDTH, LEAST_WIDTH = 220.0, 64.0  # pixels at 100 %
LIST_PADDING = 6.0
NOTHING, NOT_NOW = "No command has these words.", "No command with these words can be used now."


class _Offered(QStringListModel):
    """The commands that can be used, or why there is none: a line that cannot be taken."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.reason = ""

    def offer(self, names: Sequence[str], reason: str = "") -> None:
        """Lists commands, or the reason alone."""
        self.reason = reason
        self.setStringList([reason] if reason else list(names))

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        return Qt.ItemFlag.NoItemFlags if self.reason else super().flags(index)


class CommandBox(QLineEdit):
    """Type some of a command's words, take it from the list with Enter; Esc gives the focus back."""

    def __init__(self, actions: Sequence[QAction]) -> None:
        super().__init__()
        self.setAccessibleName("Any command")
        self.setPlaceholderText("Any command")
        self.setProperty("compact", True)
        self.setToolTip("Any command  Ctrl+Shift+P")
        self._actions = {self._words(action): action for action in actions}
        self._names = _Offered(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(12)
        completer.activated.connect(self._run)
        popup = completer.popup()
        assert popup is not None  # made by Qt as it is asked for
        self._list: QAbstractItemView = popup
        self._list.setProperty("part", "popup")
        self._list.installEventFilter(self)
        self.setCompleter(completer)
        self._before: QWidget | None = None  # what had the focus
        self._most: float | None = None
        self.textEdited.connect(self._offer)
        self.returnPressed.connect(self._on_return)
        self._measure()

    def begin(self) -> None:
        """Takes the focus and lists every command that can be used."""
        if not self.hasFocus():
            self._before = QApplication.focusWidget()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.clear()
        self._offer()
        self.completer().setCompletionPrefix("")
        self.completer().complete()

    @property
    def least(self) -> float:
        """The width that it takes in any case, in pixels."""
        return theme.px(LEAST_WIDTH)

    def set_most(self, width: float) -> bool:
        """Takes no more than so many pixels, and no less than a few letters need; whether its width is another one now."""
        before, self._most = self.width(), width
        self._measure()
        return self.width() != before

    def leave(self) -> None:
        """Gives the focus back to where it was, or to nothing: then the window hears the keys."""
        before, self._before = self._before, None
        self.clear()
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.clearFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._offer()
        super().focusInEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Resize, QEvent.Type.Move):
            self._widen(self._list)
        return False

    def _widen(self, popup: QAbstractItemView) -> None:
        """Makes the list as wide as its longest line, whatever the width of the box, and lets it end where the box ends."""
        needed = popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + round(theme.px(2 * LIST_PADDING))
        width = max(self.width(), min(needed, self.window().width()))
        left = self.mapToGlobal(QPoint(self.width() - width, 0)).x()
        if (popup.x(), popup.width()) != (left, width):
            popup.setGeometry(left, popup.y(), width, popup.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._measure()

    @property
    def icon_box(self) -> QRectF:
        """Where the lens is drawn: in the middle of the height, before the words. Qt's own icon of a line sinks as the style changes."""
        sizes = theme.measures()
        box = QRectF(sizes.s, 0, sizes.icon, sizes.icon)
        box.moveTop((self.height() - sizes.icon) / 2)
        return box

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        p = QPainter(self)
        draw_icon(p, "search", self.icon_box, theme.current().ink_2)
        p.end()

    def _measure(self) -> None:
        sizes = theme.measures()
        wanted = theme.px(WIDTH) if self._most is None else max(self.least, min(theme.px(WIDTH), self._most))
        self.setFixedWidth(round(wanted))
        self.setFixedHeight(sizes.xl)
        self.setTextMargins(sizes.icon + sizes.xs, 0, 0, 0)

    def _offer(self, words: str = "") -> None:
        """Lists what can be used, or says that nothing with these words can be."""
        names = [name for name, action in self._actions.items() if action.isEnabled()]
        reason = "" if _some_with(words, names) else NOT_NOW if _some_with(words, self._actions) else NOTHING
        self._names.offer(names, reason)
        mode = QCompleter.CompletionMode.UnfilteredPopupCompletion if reason else QCompleter.CompletionMode.PopupCompletion
        self.completer().setCompletionMode(mode)

    def _on_return(self) -> None:
        popup = self.completer().popup()
        if popup and popup.isVisible() and popup.currentIndex().isValid():  # the list hears the key too, and says what was taken
            return
        found = self.completer().currentCompletion() if self.text() else ""
        self._run(found)

    def _run(self, words: str) -> None:
        action = self._actions.get(words)
        if action is None:
            return
        self.leave()
        if action.isEnabled():
            action.trigger()

    @staticmethod
    def _words(action: QAction) -> str:
        if named := action.property("command"):  # what the menu says is too long for the box
            return str(named)
        menu = action.property("menu")
        words = action.text().split("\t")[0].replace("&", "")
        return f"{menu}: {words}" if menu else words


def _some_with(words: str, names: Iterable[str]) -> bool:
    return any(words.casefold() in name.casefold() for name in names)
