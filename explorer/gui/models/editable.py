"""Which texts the editor takes: those it can give back byte for byte, and fast enough to type in.

Qt's plain text editor cuts a text at CR, at U+2029 and at two characters that Unicode leaves to programs, and lays out
a line as a whole. So a text with those, with bytes that are no text, or longer than it stays quick with, is shown in
the read-only view, with the reason.
"""

from dataclasses import dataclass

from explorer.gui.models.text_facts import counted

EDITOR_BYTES = 100_000  # a key takes milliseconds there
TYPED_BYTES = 120_000  # so far a text may grow by typing
EDITOR_LINE = 10_000  # characters
EDITOR_LINES = 10_000
_CUT_BY_QT = {"\r": "carriage return", "\u2029": "paragraph separator", "\ufdd0": "U+FDD0 character", "\ufdd1": "U+FDD1 character"}


@dataclass(frozen=True, slots=True)
class Unholdable:
    """Why a text is not for the editor: `what` begins a sentence that says so ("It has 3 bytes that are not text")."""

    what: str

    def sentence(self) -> str:
        """All of it, for the line above the text."""
        return f"Read-only: {self.what}."


def why_not_editable(data: bytes, largest: int = EDITOR_BYTES) -> Unholdable | None:
    """Why the editor cannot hold a text; None where it can. One pass, and none over what is too long anyway."""
    if len(data) > largest:
        return Unholdable(f"a text of more than {counted(largest, 'byte')} is not edited here")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        stray = sum("\udc80" <= letter <= "\udcff" for letter in data.decode("utf-8", "surrogateescape"))
        return Unholdable(f"{counted(stray, 'byte')} {'is' if stray == 1 else 'are'} not text, the first at byte {error.start}")
    for letter, name in _CUT_BY_QT.items():
        if letter in text:
            number = text.count(letter)
            return Unholdable(f"an editor would change the {name if number == 1 else counted(number, name)} in it")
    lines = text.split("\n")
    if len(lines) > EDITOR_LINES:
        return Unholdable(f"a text of more than {counted(EDITOR_LINES, 'line')} is not edited here")
    if max(map(len, lines)) > EDITOR_LINE:
        return Unholdable(f"a line of more than {counted(EDITOR_LINE, 'character')} is not edited here")
    return None
