"""Small pictures that a text repeats thousands of times, drawn once and copied: rounded tints, dots.

A rounded rectangle takes ten times as long to draw as a picture of it to copy. A picture is made for device
pixels, so it is as sharp as the screen; on paper and in SVG (`copies` says no) shapes are drawn instead.
"""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter

from explorer.gui import paint, theme
from explorer.gui.spelling import Sort


def copies(p: QPainter) -> bool:
    """Whether the painter's device is made of pixels at the scale it says."""
    return p.paintEngine().type() == QPaintEngine.Type.Raster and p.worldTransform().m11() == 1.0


@lru_cache(maxsize=2048)
def tint_stamp(width: int, height: int, radius: float, fill: int, underline: int, ratio: float) -> QImage:
    """A rounded ground, sizes in device pixels, colours as QRgb; with a line of 2 px at its foot if `underline` is not 0."""
    made = _empty(width, height, ratio)
    p = QPainter(made)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(QColor.fromRgba(fill))
    box = QRectF(0, 0, width / ratio, height / ratio)
    p.drawRoundedRect(box, radius, radius)
    if underline:
        thick = theme.px(2)
        p.fillRect(QRectF(theme.px(1), box.height() - thick, box.width() - theme.px(2), thick), QColor.fromRgba(underline))
    p.end()
    return made


@lru_cache(maxsize=64)
def blank_stamp(sort: Sort, width: int, height: int, colour: int, ratio: float) -> QImage:
    """The mark of a blank in the middle of a box in device pixels."""
    made = _empty(width, height, ratio)
    p = QPainter(made)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint.blank(p, sort, QRectF(0, 0, width / ratio, height / ratio), QColor.fromRgba(colour))
    p.end()
    return made


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
