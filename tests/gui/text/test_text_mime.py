"""Text on the clipboard: the very bytes come back, and others get characters."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl

from explorer.gui.text.text_mime import bytes_of, file_of, mime_of, utf8


@pytest.mark.parametrize("data", [
    b"", b"plain", "é 東 👩‍👩‍👧".encode(), b"a\xffb", b"first\x00second",
    "\ufeffbom".encode(), "\ufffeswap".encode(), "\ufffd".encode(),
    b"\r\n", "\ufeff\ufeffa".encode(),
])  # fmt: skip
def test_bytes_come_back(data: bytes) -> None:
    assert bytes_of(mime_of(data)) == data


def test_others_get_characters() -> None:
    assert mime_of("é\n".encode()).text() == "é\n" and mime_of(b"a\xffb").text() == "a\ufffdb"
    assert mime_of(b"first\x00second").text() == "first\0second"


def test_markup_and_files_are_no_text(tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setHtml("<b>hi</b>")
    assert bytes_of(mime) is None and bytes_of(QMimeData()) is None
    there = tmp_path / "there.txt"
    there.write_bytes(b"x")
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/x"), QUrl.fromLocalFile(str(tmp_path / "missing")), QUrl.fromLocalFile(str(there))])
    assert file_of(mime) == there and bytes_of(mime) is None


def test_half_a_surrogate_pair_becomes_one_character() -> None:
    assert utf8("ok \ud83d end") == "ok \ufffd end".encode() and utf8("\ud83d\udc4d") == "👍".encode()
