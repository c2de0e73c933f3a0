"""A bar that takes another form where it is narrow or much is zoomed."""

from typing import ClassVar

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent

from explorer.gui import theme
from explorer.gui.frame import Bar
from explorer.gui.theme import px


class NarrowBar(Bar):
    """Calls `_arrange` when its width or the zoom changes, from the first width on; needs no more room than `least`, if given."""

    least: ClassVar[float] = 0.0  # pixels at 100 %
    _has_width = False  # of the class: Qt sends a change of fonts while the base is being built

    def _arrange(self) -> None:
        """Chooses the form for the present width and zoom."""
        raise NotImplementedError

    def minimumSizeHint(self) -> QSize:
        return QSize(round(px(self.least)), self.height()) if self.least else super().minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._has_width = True
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._has_width and theme.changed(event):
            self._arrange()
