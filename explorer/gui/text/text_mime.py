"""Text on the clipboard and in a drop, without loss: bytes in, bytes out.

A clipboard holds characters, and a text may hold bytes that are none. So what is copied goes as characters for
others and, beside them, as the exact bytes for ourselves. Fonts, colours and markup that come with a paste are
never looked at.
"""

from pathlib import Path

from PySide6.QtCore import QMimeData

BYTES_TYPE = "application/x-bpe-explorer-bytes"


def mime_of(data: bytes) -> QMimeData:
    """A text for the clipboard; for others a byte that is not text is U+FFFD, a NUL may be the end, a first BOM may be missing."""
    made = QMimeData()
    text = data.decode("utf-8", "replace")
    made.setText(text.lstrip("\ufeff\ufffe"))  # PySide6 (6.10) would take them for byte order marks; see `exact_text`
    if "\0" in text or made.text() != text or "\ufffd" in text:
        made.setData(BYTES_TYPE, data)
    return made


def bytes_of(mime: QMimeData) -> bytes | None:
    """The text of a clipboard or a drop as bytes; None where it holds none. Half a surrogate pair is U+FFFD."""
    if mime.hasFormat(BYTES_TYPE):
        return bytes(mime.data(BYTES_TYPE).data())
    if not mime.hasText() or mime.hasUrls():
        return None
    return utf8(mime.text())


def file_of(mime: QMimeData) -> Path | None:
    """The first local file of a drop, None where there is none."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return next((path for path in paths if path.is_file()), None)


def utf8(text: str) -> bytes:
    """Text from Qt as UTF-8; two halves of a surrogate pair are joined, a lone half becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
