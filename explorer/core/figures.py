"""How a number is written for a reader: the same in every message and everywhere in the window."""


def thousands(number: int) -> str:
    r"""A whole number with a thin space before every three digits.

    >>> [thousands(number) for number in (0, 7123, -1234567)]
    ['0', '7\u2009123', '-1\u2009234\u2009567']
    """
    return f"{number:,}".replace(",", "\u2009")


def duration(seconds: float) -> str:
    """A time as a person says it.

    >>> duration(40), duration(170), duration(6000)
    ('about 40 s', 'about 3 min', 'about 1.7 h')
    """
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"
