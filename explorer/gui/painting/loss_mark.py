"""The mark of a character that its token does not give back: a zigzag under it, so that it is not told by colour alone."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.gui.theme import Ink, px

STEP = 3.0  # pixels at 100 % from tooth to tooth
TOOTH = 2.0


def draw_losses(p: QPainter, ink: Ink, boxes: Iterable[QRectF]) -> None:
    """Draws the mark at the foot of boxes that are as high as a tint."""
    p.setPen(QPen(ink.error, px(1.25), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    p.setBrush(Qt.BrushStyle.NoBrush)
    for box in boxes:
        count = max(2, round((box.width() - px(2)) / px(STEP)))
        wide = (box.width() - px(2)) / count
        foot = box.bottom() - px(0.5)
        p.drawPolyline([QPointF(box.left() + px(1) + n * wide, foot - px(TOOTH) * (n % 2)) for n in range(count + 1)])
