"""`python -m explorer.pieces`: the same as `pieces`."""

import sys

from explorer.pieces.command import main

if __name__ == "__main__":
    sys.exit(main())
