"""How a number is written for a reader: the same in every message and everywhere in the window."""


def thousands(number: int) -> str:
    r"""A whole number with a thin space before every three digits.

    >>> [thousands(number) for number in (0, 7123, -1234567)]
    ['0', '7\u2009123', '-1\u2009234\u2009567']
    """
    return f"{number:,}".replace(",", "\u2009")
