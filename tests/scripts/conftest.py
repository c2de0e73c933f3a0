"""The scripts as modules: their folder goes last on the path, so that its `test.py` does not stand before Python's own `test`."""

import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
if str(SCRIPTS) not in sys.path:
    sys.path.append(str(SCRIPTS))
