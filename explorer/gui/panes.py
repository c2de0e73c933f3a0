"""How the six panes stand: side by side where the window is wide, in fewer columns where it is narrow or much is zoomed.

A pane never gets smaller than what it needs to be read. What then finds no room is reached by scrolling (`scrolled`), never cut off.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from explorer.gui.frame import split
from explorer.gui.theme import px

ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
Sizes = tuple[tuple[str, tuple[int, ...]], ...]
"""The sizes of the parts of each splitter, by its name."""


class Form(Enum):
    """How many columns there are; the value is the width of window, in pixels at 100 %, from which on."""

    THREE = 832
    TWO = 596
    ONE = 0


@dataclass(frozen=True, slots=True)
class _Stand:
    """One form: which way each splitter divides, what its parts get at first, and how high each pane is at least."""

    ways: Mapping[str, Qt.Orientation]
    shares: Mapping[str, tuple[int, int]]
    heights: Mapping[str, int]


_STANDS = {
    Form.THREE: _Stand(
        {"left": DOWN, "upper": ACROSS, "page": DOWN, "right": DOWN, "whole": ACROSS},
        {"left": (300, 156), "upper": (468, 432), "page": (468, 232), "right": (468, 232), "whole": (901, 539)},
        {"corpus": 110, "context": 100, "next": 232, "text": 94, "tree": 116, "curve": 94},
    ),
    Form.TWO: _Stand(
        {"left": DOWN, "upper": ACROSS, "page": DOWN, "right": ACROSS, "whole": DOWN},
        {"left": (156, 114), "upper": (468, 432), "page": (272, 124), "right": (280, 359), "whole": (397, 200)},
        {"corpus": 130, "context": 114, "next": 272, "text": 124, "tree": 200, "curve": 200},
    ),
    Form.ONE: _Stand(
        {"left": DOWN, "upper": DOWN, "page": DOWN, "right": DOWN, "whole": DOWN},
        {"left": (156, 114), "upper": (270, 272), "page": (543, 144), "right": (240, 180), "whole": (688, 421)},
        {"corpus": 156, "context": 114, "next": 272, "text": 144, "tree": 240, "curve": 180},
    ),
}
NEXT_WIDTH = 240  # pixels at 100 %: the figures of the next merge and a ranked pair


class Panes:
    """The panes in their splitters. `whole` holds them all; what a person drags in one form is there again when it comes back."""

    def __init__(self, corpus: QWidget, context: QWidget, next_merge: QWidget, tree: QWidget, your_text: QWidget, curve: QWidget) -> None:
        first = _STANDS[Form.THREE].shares
        left = split(DOWN, first["left"], corpus, context)
        upper = split(ACROSS, first["upper"], left, next_merge)
        page = split(DOWN, first["page"], upper, your_text)
        right = split(DOWN, first["right"], tree, curve)
        self.whole = split(ACROSS, first["whole"], page, right)
        self.splitters: dict[str, QSplitter] = {"left": left, "upper": upper, "page": page, "right": right, "whole": self.whole}
        self._panes = {"corpus": corpus, "context": context, "next": next_merge, "text": your_text, "tree": tree, "curve": curve}
        self._form = Form.THREE
        self._sizes = {form: dict(stand.shares) for form, stand in _STANDS.items()}
        for splitter in self.splitters.values():
            splitter.splitterMoved.connect(self._keep)
        self._measure()

    @property
    def form(self) -> Form:
        """How the panes stand now."""
        return self._form

    def fit(self, width: int) -> None:
        """Takes the form for a window so wide, in pixels as they are."""
        form = next(form for form in Form if width >= px(form.value))
        if form is not self._form:
            self._form = form
            for name, way in _STANDS[form].ways.items():
                self.splitters[name].setOrientation(way)
            self._measure()
            self._put()
        self._measure()

    def reset(self) -> None:
        """Every pane where it was at the first start."""
        self._sizes = {form: dict(stand.shares) for form, stand in _STANDS.items()}
        self._put()

    def sizes(self) -> Sizes:
        """What a person made of the three columns, to be remembered."""
        return tuple(self._sizes[Form.THREE].items())

    def restore(self, sizes: Sizes) -> None:
        """Takes up what was remembered; a splitter that is not known, or has other parts now, stays as it is."""
        kept = self._sizes[Form.THREE]
        kept |= {name: (parts[0], parts[1]) for name, parts in sizes if name in kept and len(parts) == self.splitters[name].count()}
        if self._form is Form.THREE:
            self._put()

    def _keep(self) -> None:
        """Remembers what a person has just dragged; what a window that gets smaller makes of it is nobody's wish."""
        self._sizes[self._form] = {name: (splitter.sizes()[0], splitter.sizes()[1]) for name, splitter in self.splitters.items()}

    def _put(self) -> None:
        for name, parts in self._sizes[self._form].items():
            self.splitters[name].setSizes(list(parts))

    def _measure(self) -> None:
        """The least heights at the zoom that is on; the least widths are the panes' own, but for one that draws whatever it is given."""
        for name, height in _STANDS[self._form].heights.items():
            self._panes[name].setMinimumHeight(round(px(height)))
        self._panes["next"].setMinimumWidth(round(px(NEXT_WIDTH)))
