"""The card beside a token under the pointer: its id, where it comes from, its bytes as hex.

The only thing in the window with a shadow. It lies over the window, takes no mouse and no focus, waits a moment
before it comes, and follows at once from token to token while it is there.

    card = TokenCard(view)                      lives as long as the view
    card.show_for(token_card(encoded, n), box)  `box` in the view's own coordinates
    card.dismiss()
"""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.gui import painted, theme
from explorer.gui.models.token_words import CardText
from explorer.gui.painting import paint
from explorer.gui.theme import Role, Tone, px

SHADOW = 4  # pixels around the card
_STRENGTHS = ((3, 0.04), (2, 0.06), (1, 0.08))  # how far a layer of the shadow reaches, and how dark it is


class TokenCard(QWidget):
    """A hover card owned by one view, which says what it shows and beside which box."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._text: CardText | None = None
        self._box = QRect()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._appear)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Token card")
        self.hide()
        owner.installEventFilter(self)

    @property
    def text(self) -> CardText | None:
        """What the card says, or will say when it has waited; None while it is dismissed."""
        return self._text

    def show_for(self, text: CardText, box: QRect) -> None:
        """Shows a text beside a box of the owner: after the wait, or at once if the card is there already."""
        if text == self._text and box == self._box:
            return
        self._text, self._box = text, box
        if self.isVisible():
            self._appear()
        else:
            self._timer.start(theme.motion().card)

    def dismiss(self) -> None:
        """Takes the card away at once."""
        self._timer.stop()
        self._text = None
        if self.isVisible():
            self.hide()
            self.setParent(self._owner)  # a window that closes must not take the card with it

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._owner and event.type() in (QEvent.Type.Hide, QEvent.Type.WindowDeactivate, QEvent.Type.Close):
            self.dismiss()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        width = max((theme.metrics(role).horizontalAdvance(line) for line, role, _ in self._lines()), default=0.0)
        height = px(12) + px(18) * len(self._lines())
        return QSize(round(width + px(24)) + 2 * SHADOW, round(height) + 2 * SHADOW)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = painted.begin(self)
        ink = theme.current()
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        self._shadow(p, card)
        p.setPen(QPen(ink.line_2, 1))
        p.setBrush(ink.raised)
        radius = theme.measures().r_popup
        p.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        for at, (line, role, tone) in enumerate(self._lines()):
            paint.words(p, line, card.left() + px(12), card.top() + px(15) + px(18) * at, role, tone.of(ink))
        p.end()

    def _shadow(self, p: QPainter, card: QRectF) -> None:
        ink = theme.current()
        p.setPen(Qt.PenStyle.NoPen)
        for reach, strength in _STRENGTHS:
            light = ink.page.lightness() > 128
            p.setBrush(paint.soft(ink.ink, strength) if light else paint.soft(ink.well, strength * 4))
            radius = theme.measures().r_popup + reach
            p.drawRoundedRect(card.adjusted(-reach, 1 - reach, reach, 1 + reach), radius, radius)

    def _lines(self) -> list[tuple[str, Role, Tone]]:
        if self._text is None:
            return []
        lines = [(self._text.title, Role.STRONG, Tone.INK), (self._text.place, Role.LABEL, Tone.INK_2)]
        lines += [(line, Role.FIGURE_SMALL, Tone.INK_2) for line in self._text.hex]
        return lines + [(note, Role.CAPTION, Tone.INK_3) for note in self._text.notes]

    def _appear(self) -> None:
        if self._text is None or not self._owner.isVisible():
            return
        window = self._owner.window()
        if self.parent() is not window:
            self.setParent(window)
        size = self.sizeHint()
        box = QRect(self._owner.mapTo(window, self._box.topLeft()), self._box.size())
        self.setGeometry(QRect(place_beside(box, size, window.size()), size))
        self.show()
        self.raise_()
        self.update()


def place_beside(box: QRect, size: QSize, window: QSize) -> QPoint:
    """Where a card goes: under its box, above it where there is no room, never out of the window at the sides."""
    left = max(0, min(box.left() - SHADOW, window.width() - size.width()))
    below = box.bottom() + round(px(6)) - SHADOW
    if below + size.height() > window.height():
        return QPoint(left, max(0, box.top() - round(px(6)) - size.height() + SHADOW))
    return QPoint(left, below)
