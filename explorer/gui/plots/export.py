"""A drawing as the bytes of a picture file, or in the clipboard. Files are written whole or not at all (`core.disk`).

    write_picture(path, drawing, Size(777, 400), ratio=2.0)     PNG of 1554 x 800, or SVG, by the ending of the path
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from explorer.core.disk import write_beside

Drawing = Callable[[QPainter, QRectF, float], None]  # draws into a rectangle; the last is pixels of the device per unit

SHARP = 2.0  # pixels a unit, where nothing else is asked


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a picture in whole units, at least one each way: Qt takes no fractions of a pixel."""

    width: int
    height: int

    @classmethod
    def of(cls, width: float, height: float) -> "Size":
        """Rounded up from measures that need not be whole.

        >>> Size.of(776.2, 0)
        Size(width=777, height=1)
        """
        return cls(max(1, ceil(width)), max(1, ceil(height)))


def picture(drawing: Drawing, size: Size, ratio: float = SHARP) -> QImage:
    """The drawing as an image of `size` times `ratio` pixels."""
    image = QImage(max(1, round(size.width * ratio)), max(1, round(size.height * ratio)), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    p = QPainter(image)
    p.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    drawing(p, QRectF(0, 0, size.width, size.height), ratio)
    p.end()
    image.setDevicePixelRatio(1.0)  # who opens or pastes it counts its pixels
    return image


def png_bytes(drawing: Drawing, size: Size, ratio: float = SHARP) -> bytes:
    """The drawing as a PNG file of `size` times `ratio` pixels."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    written = QImageWriter(buffer, QByteArray(b"png")).write(picture(drawing, size, ratio))
    assert written, "a picture in memory can be written"
    return bytes(buffer.data().data())


def svg_bytes(drawing: Drawing, size: Size, title: str = "") -> bytes:
    """The drawing as an SVG file, a unit a pixel. Not by pyqtgraph's exporter, which fails on newer versions of Qt."""
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(round(QGuiApplication.primaryScreen().logicalDotsPerInch()))  # or letters come out larger than lines
    generator.setSize(QSize(size.width, size.height))
    generator.setViewBox(QRectF(0, 0, size.width, size.height))
    generator.setTitle(title)
    p = QPainter(generator)
    drawing(p, QRectF(0, 0, size.width, size.height), 1.0)
    p.end()
    return bytes(buffer.data().data())


def write_picture(path: Path, drawing: Drawing, size: Size, *, ratio: float = SHARP, title: str = "") -> None:
    """Writes the drawing as SVG or as PNG (`ratio` pixels a unit), by the ending of the path. Raises OSError."""
    data = svg_bytes(drawing, size, title) if path.suffix.lower() == ".svg" else png_bytes(drawing, size, ratio)
    write_beside(path, data)


def copy_picture(drawing: Drawing, size: Size, ratio: float = SHARP) -> None:
    """Puts the drawing into the clipboard as an image."""
    QGuiApplication.clipboard().setImage(picture(drawing, size, ratio))
