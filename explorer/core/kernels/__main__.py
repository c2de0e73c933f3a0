"""Compiles every kernel into the cache folder: `python -m explorer.core.kernels`. Takes some seconds once; at once if it is done.

The window runs it beside itself at low priority when it first starts. Exit 0 when the folder is full, 1 where nothing can
be compiled or kept, with one line on stderr. Killed half way it leaves what it has: the next one goes on from there.
"""

import sys

from explorer.core import kernels


def main() -> int:
    """The exit status."""
    reason = kernels.why_not() or ("no folder can be written" if kernels.folder() is None else None)
    if reason:
        sys.stderr.write(f"Nothing is compiled: {reason}.\n")
        return 1
    if not kernels.is_warm():
        from explorer.core.rehearsal import rehearse

        with kernels.filling():
            rehearse()
            kernels.mark_warm()
    return 0


if __name__ == "__main__":
    sys.exit(main())
