#!/usr/bin/env python3
"""Set the program up with its test extras, then run lint, types and tests:  python3 scripts/test.py [pytest arguments]

With arguments only pytest runs, with those. No screen is needed. The exit status is not 0 when any of them failed.
"""

import sys

from oldest_python import complaint

too_old = complaint(tuple(sys.version_info[:3]), "test.py")
if too_old:
    sys.exit(too_old)

from setup_project import or_clear_words, run_checks, set_up  # only now: an old Python cannot read that module


def main():
    # type: () -> int
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    set_up(extra="test", platforms=("offscreen",))
    return run_checks(arguments)


if __name__ == "__main__":
    sys.exit(or_clear_words(main))
