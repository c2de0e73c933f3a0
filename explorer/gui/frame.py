"""The furniture around the views: labels, buttons, segmented choice, bars, hairlines, panes.

A window is bars of `chrome` around panes of `page`, divided by hairlines and nothing else: no boxes in
boxes, no shadows, no gaps. Each piece takes its font and its size anew when the theme or the zoom changes.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.gui import theme
from explorer.gui.icons import icon
from explorer.gui.theme import Measures, Role, Tone


class Label(QLabel):
    """A line of text in one of the roles and tones of the theme; `name` is for screen readers where the text is not enough."""

    def __init__(self, text: str = "", role: Role = Role.LABEL, tone: Tone = Tone.INK_2, name: str = "") -> None:
        super().__init__(text)
        self._role = role
        self.setTextFormat(Qt.TextFormat.PlainText)  # what comes from a corpus is never markup
        self.setFont(theme.font(role))
        self.setProperty("tone", tone.value)
        if name:
            self.setAccessibleName(name)

    def set_tone(self, tone: Tone) -> None:
        """Another colour for the same text."""
        if self.property("tone") != tone.value:
            self.setProperty("tone", tone.value)
            self.style().unpolish(self)  # a style sheet looks at properties when it polishes, and only then
            self.style().polish(self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event) and self.font() != (font := theme.font(self._role)):
            self.setFont(font)


class Elided(Label):
    """A label that ends in "…" where it does not fit, whole in its tooltip."""

    def __init__(self, text: str = "", role: Role = Role.LABEL, tone: Tone = Tone.INK_3) -> None:
        super().__init__(text, role, tone)
        self.setToolTip(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(text)

    def shown_text(self) -> str:
        """The text as cut to the present width."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setPen(self.palette().color(self.foregroundRole()))
        p.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.shown_text())
        p.end()


class Tool(QToolButton):
    """A flat square button with an icon; what it does and its key are in the tooltip."""

    def __init__(self, icon_name: str, tip: str, shortcut: str = "", *, checkable: bool = False) -> None:
        super().__init__()
        self._why_not = ""
        self.setIcon(icon(icon_name))
        self.setToolTip(f"{tip}  {shortcut}".strip())
        self.setAccessibleName(tip)
        self.setAutoRaise(True)
        self.setProperty("square", True)
        self.setCheckable(checkable)
        self._measure()

    @classmethod
    def of_action(cls, icon_name: str, action: QAction) -> "Tool":
        """The button of an action: it follows the action's state, and a click triggers it."""
        made = cls(icon_name, "")
        if action.icon().isNull():
            action.setIcon(icon(icon_name))
        made.setDefaultAction(action)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        made._follow(action)
        action.changed.connect(lambda: made._follow(action))
        return made

    def allow(self, why_not: str = "") -> None:
        """On where nothing speaks against it; otherwise off, and the tooltip says why."""
        if self._why_not:
            self.setToolTip(self.toolTip().removesuffix(f"\n{self._why_not}"))
        if why_not:
            self.setToolTip(f"{self.toolTip()}\n{why_not}")
        self._why_not = why_not
        self.setEnabled(not why_not)

    def set_icon(self, icon_name: str) -> None:
        """Another icon, as play becomes pause."""
        self.setIcon(icon(icon_name))

    def _follow(self, action: QAction) -> None:
        words = action.text().replace("&", "").rstrip("…")
        self.setAccessibleName(words)
        why_not = action.toolTip() if not action.isEnabled() and action.toolTip() != words else ""
        self.setToolTip(f"{words}  {action.shortcut().toString()}".strip() + (f"\n{why_not}" if why_not else ""))

    def _measure(self) -> None:
        sizes = theme.measures()
        self.setIconSize(QSize(sizes.icon, sizes.icon))
        self.setFixedSize(sizes.control, sizes.control)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._measure()


class Kind(Enum):
    """What a push button says by its looks; the value is what the style sheet reads."""

    PLAIN = ""
    PRIMARY = "primary"  # one a strip or dialog at most
    QUIET = "quiet"  # a link
    TIE = "tie"  # an offer to take a rival


class Push(QPushButton):
    """A button with a word on it, and perhaps an icon before the word; `short` says the same where there is little room."""

    def __init__(self, text: str, icon_name: str = "", kind: Kind = Kind.PLAIN, short: str = "") -> None:
        gap = "\u2009" if icon_name else ""  # a style sheet cannot set the icon off
        self._words = (gap + text, gap + (short or text))
        super().__init__(self._words[0])
        self.setAccessibleName(text)
        self.setProperty("kind", kind.value)
        if icon_name:
            self.setIcon(icon(icon_name, Tone.ON_ACCENT if kind is Kind.PRIMARY else Tone.INK_2))
        self._measure()

    def set_short(self, short: bool) -> None:
        """Shows few words or all of them."""
        self.setText(self._words[short])

    def _measure(self) -> None:
        size = theme.measures().icon
        self.setIconSize(QSize(size, size))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._measure()


class _Choice(QToolButton):
    """One of the words of a segmented choice."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setText(text)
        self.setAccessibleName(f"{name}: {text}")
        self.setCheckable(True)
        self.setFont(theme.font(Role.LABEL))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event) and self.font() != (font := theme.font(Role.LABEL)):
            self.setFont(font)


class Segments(QFrame):
    """Two to four exclusive choices in one track; `chosen` tells the place of the one that a person took."""

    chosen = Signal(int)

    def __init__(self, choices: Sequence[str], place: int, name: str) -> None:
        super().__init__()
        self.setProperty("part", "segments")
        self.setAccessibleName(name)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        for at, text in enumerate(choices):
            self._group.addButton(_Choice(text, name), at)
            row.addWidget(self._group.button(at))
        self._place = place
        self._group.button(place).setChecked(True)
        self._group.idToggled.connect(self._on_toggled)
        self._measure()

    @property
    def place(self) -> int:
        """Which choice is taken, 0-based."""
        return self._place

    def set_place(self, place: int) -> None:
        """Shows another choice as taken; nobody is told."""
        self._place = place
        self._group.button(place).setChecked(True)

    def set_text(self, place: int, text: str) -> None:
        """Another word on a choice, as "first 36" becomes "first 37"."""
        self._group.button(place).setText(text)
        self._group.button(place).setAccessibleName(f"{self.accessibleName()}: {text}")

    def _on_toggled(self, place: int, checked: bool) -> None:
        if checked and place != self._place:
            self._place = place
            self.chosen.emit(place)

    def _measure(self) -> None:
        self.setFixedHeight(theme.measures().xl)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._measure()


class Part(Enum):
    """The ground of a bar or pane; the value is what the style sheet reads."""

    PAGE = "page"
    CHROME = "chrome"
    STRIP = "strip"


Height = Literal["menu", "recipe", "transport", "strip", "header", "status"]  # fields of Measures


class Bar(QFrame):
    """A horizontal bar of the window; widgets go into `row`."""

    def __init__(self, height: Height = "header", part: Part = Part.CHROME) -> None:
        super().__init__()
        self._height = height
        self.setProperty("part", part.value)
        self.row = QHBoxLayout(self)
        self._measure(theme.measures())

    def _measure(self, sizes: Measures) -> None:
        self.setFixedHeight(int(getattr(sizes, self._height)))
        self.row.setContentsMargins(sizes.m, 0, sizes.m, 0)
        self.row.setSpacing(sizes.s)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if theme.changed(event):
            self._measure(theme.measures())


class Rule(QFrame):
    """A hairline between two things side by side (vertical) or one above the other (horizontal)."""

    def __init__(self, direction: Qt.Orientation = Qt.Orientation.Horizontal) -> None:
        super().__init__()
        if direction is Qt.Orientation.Horizontal:
            self.setFixedHeight(1)
        else:
            self.setFixedWidth(1)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Shadow)


class _Header(Bar):
    """The bar of a pane: closer set than others, buttons at the right edge."""

    def _measure(self, sizes: Measures) -> None:
        super()._measure(sizes)
        self.row.setContentsMargins(sizes.m, 0, sizes.s, 0)
        self.row.setSpacing(sizes.xs)


class Pane(QFrame):
    """A view under its header: title, facts that elide, then widgets at the right."""

    def __init__(self, title: str, body: QWidget, *right: QWidget, facts: str = "") -> None:
        super().__init__()
        self.setProperty("part", Part.PAGE.value)
        self.setAccessibleName(title)
        self.body = body
        self._title = Label(title, Role.TITLE, Tone.INK)
        self._facts = Elided(facts)
        self._told, self._more, self._aside = facts, "", ""
        self._header = _Header("header", Part.PAGE)
        self._header.row.addWidget(self._title)
        self._header.row.addSpacing(theme.measures().xs)
        self._header.row.addWidget(self._facts, 1)
        for widget in right:
            self._header.row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(body, 1)

    def set_facts(self, facts: str, more: str = "") -> None:
        """What the header says after the title; the tooltip says `more` under it."""
        self._told, self._more = facts, more
        self._write_facts()

    def set_aside(self, words: str) -> None:
        """What must be known of all that is shown; it stands before the facts, so that it is the last to elide. Empty for nothing."""
        if words != self._aside:
            self._aside = words
            self._write_facts()

    def _write_facts(self) -> None:
        facts = " · ".join(filter(None, (self._aside, self._told)))
        self._facts.setText(facts)
        if self._more:
            self._facts.setToolTip(f"{facts}\n{self._more}")

    def facts(self) -> str:
        """The whole of what the header says after the title, without what stands aside."""
        return self._told

    def aside(self) -> str:
        """What stands before the facts."""
        return self._aside

    def more(self) -> str:
        """What the tooltip says."""
        return self._facts.toolTip()

    def set_title(self, title: str) -> None:
        """Another title."""
        self._title.setText(title)
        self.setAccessibleName(title)


def split(direction: Qt.Orientation, sizes: Sequence[int], *parts: QWidget) -> QSplitter:
    """Panes divided by a hairline that can be dragged; `sizes` are their shares."""
    made = QSplitter(direction)
    made.setHandleWidth(1)
    made.setChildrenCollapsible(False)
    for place, (size, part) in enumerate(zip(sizes, parts, strict=True)):
        made.addWidget(part)
        made.setStretchFactor(place, size)
    made.setSizes(list(sizes))
    return made
