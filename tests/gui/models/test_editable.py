"""Which texts the editor takes, and what is said of the others."""

import pytest

from explorer.gui.models.editable import EDITOR_BYTES, EDITOR_LINE, EDITOR_LINES, why_not_editable

HELD = ("", "plain", "tab\tand\nlines\n", "42\u00a0m",
        "NUL \x00 too", "\ufeffBOM", "\u2028", "👩‍👩‍👧", "\ufffd", "שלום", "\ufffc")


@pytest.mark.parametrize("text", HELD)
def test_taken(text: str) -> None:
    assert why_not_editable(text.encode()) is None


@pytest.mark.parametrize(("data", "said"), [
    (b"one\r\ntwo\r\n", "Read-only: an editor would change the 2 carriage returns in it."),
    ("a\u2029b".encode(), "Read-only: an editor would change the paragraph separator in it."),
    ("a\ufdd0b".encode(), "Read-only: an editor would change the U+FDD0 character in it."),
    (b"ab\xffcd\xe2\x80", "Read-only: 3 bytes are not text, the first at byte 2."),
    (b"a" * (EDITOR_BYTES + 1), "Read-only: a text of more than 100\u2009000 bytes is not edited here."),
    (b"\n" * EDITOR_LINES, "Read-only: a text of more than 10\u2009000 lines is not edited here."),
    (b"a" * (EDITOR_LINE + 1), "Read-only: a line of more than 10\u2009000 characters is not edited here."),
])  # fmt: skip
def test_refused_with_the_reason(data: bytes, said: str) -> None:
    refused = why_not_editable(data)
    assert refused is not None and refused.sentence() == said
