"""A button under the sentence of a painted view that has nothing to show: what can be done about it."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from explorer.gui.frame import Push
from explorer.gui.theme import px

BENEATH = 20.0  # pixels from the middle of the view, where the sentence stands, to the button


class Offer(Push):
    """Stands in the middle of a view, whatever the size of that; hidden until it is shown."""

    def __init__(self, text: str, icon_name: str, view: QWidget) -> None:
        super().__init__(text, icon_name)
        self._view = view
        self.setParent(view)
        self.hide()
        view.installEventFilter(self)

    def offer(self, wanted: bool) -> None:
        """Shows it or takes it away."""
        self._place()
        self.setVisible(wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        self.adjustSize()
        self.move((self._view.width() - self.width()) // 2, self._view.height() // 2 + round(px(BENEATH)))
