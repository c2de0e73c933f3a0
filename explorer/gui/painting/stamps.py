"""Small things that a text repeats thousands of times, at the speed of copying: rounded tints, marks, ticks.

A rounded rectangle takes ten times as long to draw as a picture of it to copy, and a rectangle of a few pixels
as long to name as a hundred of its points. Both are made for device pixels, so they are as sharp as the screen;
on paper and in SVG (`copies` says no) shapes are drawn instead.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPen

from explorer.gui import theme
from explorer.gui.painting import paint
from explorer.gui.painting.spelling import Part
from explorer.gui.theme import Role, Theme

Pixels = npt.NDArray[np.int64]


def copies(p: QPainter) -> bool:
    """Whether the painter's device is made of pixels at the scale it says."""
    return p.paintEngine().type() == QPaintEngine.Type.Raster and p.worldTransform().m11() == 1.0


@lru_cache(maxsize=2048)
def tint_stamp(width: int, height: int, fill: int, underline: int, ratio: float, zoom: float) -> QImage:
    """The ground of a token, sizes in device pixels, colours as QRgb; `underlined` if that colour is not 0.

    The zoom, here and below, only tells apart what was drawn at another one.
    """
    made = _empty(width, height, ratio)
    p = QPainter(made)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(0, 0, width / ratio, height / ratio)
    paint.tint(p, box, QColor.fromRgba(fill))
    if underline:
        underlined(p, box, QColor.fromRgba(underline))
    p.end()
    return made


@lru_cache(maxsize=2048)
def part_stamp(part: Part, role: Role, width: int, height: int, worn: Theme, ratio: float, zoom: float) -> QImage:
    """A part (a blank, a named character, a stray byte) in the middle of a box in device pixels, in the colours of a theme."""
    made = _empty(width, height, ratio)
    p = QPainter(made)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink = theme.ink_of(worn)
    paint.draw_part(p, ink, part, QRectF(0, 0, width / ratio, height / ratio), role, ink.ink)
    p.end()
    return made


def underlined(p: QPainter, box: QRectF, colour: QColor) -> None:
    """The line at the foot of the newest token's ground, for those who see no green."""
    p.fillRect(QRectF(box.left() + theme.px(1), box.bottom() - theme.px(2), box.width() - theme.px(2), theme.px(2)), colour)


def _empty(width: int, height: int, ratio: float) -> QImage:
    made = QImage(max(1, width), max(1, height), QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent)
    made.setDevicePixelRatio(ratio)
    return made


def align(p: QPainter) -> float:
    """Moves the painter's origin onto the pixel grid, so that what is snapped to it stays sharp; returns device pixels a pixel."""
    ratio = float(p.device().devicePixelRatio())
    at = p.worldTransform()
    p.translate(QPointF(round(at.dx() * ratio) / ratio - at.dx(), round(at.dy() * ratio) / ratio - at.dy()))
    return ratio


def fill(p: QPainter, colour: QColor, left: Pixels, top: Pixels, width: Pixels, height: Pixels, ratio: float) -> None:
    """Fills many small rectangles of one colour, given in device pixels."""
    if not len(left):
        return
    p.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    if copies(p):
        size = width * height
        which = np.repeat(np.arange(len(left)), size)
        place = np.arange(len(which)) - np.repeat(np.cumsum(size) - size, size)
        x, y = left[which] + place % width[which], top[which] + place // width[which]
        p.setPen(QPen(colour, 0))  # as thin as can be: a device pixel a point
        p.drawPointsNp((x + 0.5) / ratio, (y + 0.5) / ratio)
    else:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(colour)
        sides = zip(*((side / ratio).tolist() for side in (left, top, width, height)), strict=True)
        p.drawRects([QRectF(*each) for each in sides])
    p.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
