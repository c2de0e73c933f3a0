"""A split pattern that never ends on some texts, as `regex` finds no short cut for it."""

ENDLESS = r"(?:a|aa)+$|[b-z]+|\s+"


def endless_text() -> bytes:
    """A text on which it takes longer than anybody waits."""
    return b"a" * 80 + b"b"
