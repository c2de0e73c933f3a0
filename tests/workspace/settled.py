"""Turning the event loop until a Workspace has nothing to do."""

import time

from PySide6.QtWidgets import QApplication

from explorer.workspace.workspace import Workspace

PATIENCE_S = 30.0


def settle(workspace: Workspace) -> None:
    """Returns when no lane has work; fails when that takes longer than a test may."""
    until = time.monotonic() + PATIENCE_S
    while workspace.lanes.lanes:
        QApplication.processEvents()
        time.sleep(0.001)
        if time.monotonic() > until:
            raise AssertionError(f"still busy: {workspace.lanes.lanes}")
    QApplication.processEvents()
