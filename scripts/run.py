#!/usr/bin/env python3
"""Set the program up in this checkout, then open its window:  python3 scripts/run.py [--setup] [FILES]

--setup does all but open. Everything else is handed to the program, as in `python -m explorer`. A second run finds all in place and opens
at once.
"""

import sys

from oldest_python import complaint

too_old = complaint(tuple(sys.version_info[:3]), "run.py")
if too_old:
    sys.exit(too_old)

from setup_project import open_window, or_clear_words, set_up  # only now: an old Python cannot read that module


def main():
    # type: () -> int
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    set_up(extra="", platforms=("offscreen", "xcb"))
    if "--setup" in arguments:
        print("Ready. Open the window with: python3 scripts/run.py")
        return 0
    return open_window(arguments)


if __name__ == "__main__":
    sys.exit(or_clear_words(main))
