"""Whether this Python is new enough, in words that any Python can read (2.7 as well), before a line that it cannot is met."""

OLDEST = (3, 11)


def complaint(version, script):
    # type: (tuple[int, ...], str) -> str
    """What to tell a person who started `script` with Python `version` (a tuple of numbers); empty when it is new enough.

    >>> complaint((3, 11, 0), "run.py")
    ''
    """
    if tuple(version[:2]) >= OLDEST:
        return ""
    needed = "%d.%d" % OLDEST
    return (
        "BPE Explorer needs Python %s or later, and this is Python %d.%d.\n"
        "Install a newer one (your package manager, or https://www.python.org/downloads/), then: python%s scripts/%s"
        % (needed, version[0], version[1], needed, script)
    )
