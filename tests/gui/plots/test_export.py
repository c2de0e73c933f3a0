"""Pictures as files and in the clipboard: whole pixels, the size asked for, and nothing half-written."""

import struct
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QGuiApplication, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from explorer.gui.plots.export import Size, copy_picture, picture, png_bytes, svg_bytes, write_picture

RED, BLUE = QColor("#cc0000"), QColor("#0000cc")


def halves(p: QPainter, box: QRectF, ratio: float) -> None:
    p.fillRect(box, RED)
    p.fillRect(QRectF(box.center().x(), box.top(), box.width() / 2, box.height()), BLUE)


def png_size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.parametrize(("width", "ratio", "pixels"), [(1024, 1.0, 1024), (777, 1.0, 777), (777, 2.0, 1554), (333, 1.5, 500)])
def test_a_png_has_the_width_that_was_asked_for(qapp: QApplication, width: int, ratio: float, pixels: int) -> None:
    assert png_size(png_bytes(halves, Size.of(width, 100.4), ratio)) == (pixels, round(101 * ratio))


def test_the_drawing_fills_its_picture_at_any_ratio(qapp: QApplication) -> None:
    image = picture(halves, Size(40, 20), 2.0)
    assert image.pixelColor(0, 0) == image.pixelColor(38, 39) == RED
    assert image.pixelColor(42, 0) == image.pixelColor(79, 39) == BLUE


def test_an_svg_reads_back_with_its_size_and_colours(qapp: QApplication) -> None:
    renderer = QSvgRenderer(QByteArray(svg_bytes(halves, Size(777, 301), "halves <&>")))
    assert renderer.isValid()
    assert renderer.viewBoxF() == QRectF(0, 0, 777, 301)
    seen = picture(lambda p, box, ratio: renderer.render(p, box), Size(77, 30), 1.0)
    assert (seen.pixelColor(10, 10), seen.pixelColor(60, 10)) == (RED, BLUE)


def test_a_file_is_replaced_whole_or_left_as_it_was(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "halves.PNG"
    path.write_bytes(b"old")
    write_picture(path, halves, Size(8, 4), ratio=1.0)
    assert png_size(path.read_bytes()) == (8, 4)
    assert [each.name for each in tmp_path.iterdir()] == ["halves.PNG"]
    with pytest.raises(OSError, match="no such folder"):
        write_picture(tmp_path / "missing" / "halves.png", halves, Size(8, 4))


def test_the_clipboard_gets_all_pixels(qapp: QApplication) -> None:
    copy_picture(halves, Size(8, 4), 2.0)
    pasted = QGuiApplication.clipboard().image()
    assert (pasted.width(), pasted.height()) == (16, 8)
    QGuiApplication.clipboard().clear()
