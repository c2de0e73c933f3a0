"""Filling the cache of compiled kernels beside the window, at low priority, in a process of its own.

The process is let go: it ends by itself, also after the window, and what it made is there at the next start.
"""

import shutil
from pathlib import Path

from PySide6.QtCore import QProcess

from explorer.core.engines import kernels_to_compile

HOME = Path(__file__).resolve().parents[2]  # a checkout is found from its own folder only


def compile_kernels_beside() -> bool:
    """Starts the process where the kernels are wanted and not there; whether it was started."""
    command = kernels_to_compile()
    if command is None:
        return False
    nice = shutil.which("nice")
    program, *arguments = (nice, "-n", "19", *command) if nice else command
    process = QProcess()
    process.setProgram(program)
    process.setArguments(arguments)
    process.setWorkingDirectory(str(HOME))
    process.setStandardOutputFile(QProcess.nullDevice())
    process.setStandardErrorFile(QProcess.nullDevice())
    return bool(process.startDetached())
