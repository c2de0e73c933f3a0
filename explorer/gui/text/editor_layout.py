"""Lines of your text set as far apart as `look` wants them, with room for the bars under cut characters.

Qt's plain text layout has no line spacing. But it asks one virtual function for the height of a block, and draws
each line where the line says it is: so the lines are moved there, once after each time Qt laid them out.
"""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextLine
from PySide6.QtWidgets import QPlainTextDocumentLayout

from explorer.gui import theme
from explorer.gui.text.text_rows import RowShape
from explorer.gui.theme import Role


class EditorLayout(QPlainTextDocumentLayout):
    """Rows one `RowShape.line` apart, capitals in the middle of the tint as `token_text` draws them."""

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        box = super().blockBoundingRect(block)
        layout = block.layout()
        count = layout.lineCount()
        if not count:
            return box
        shape = RowShape.of(Role.TEXT)
        first = layout.lineAt(0)
        if abs(first.y() - line_top(first, 0, shape)) > 0.01:
            for n in range(count):
                line = layout.lineAt(n)
                line.setPosition(QPointF(line.x(), line_top(line, n, shape)))
        return QRectF(0, 0, box.width(), count * shape.line)


def line_top(line: QTextLine, n: int, shape: RowShape) -> float:
    """The y in its block at which Qt has to put the n-th line so that its letters stand on the row's foot line."""
    baseline = round(n * shape.line + shape.top + shape.tint / 2 + theme.metrics(Role.TEXT).capHeight() / 2)
    return baseline - line.ascent()
