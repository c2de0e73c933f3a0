"""The system libraries that Qt wants and this machine lacks: found by asking the loader, installed with apt or told in one line.

PySide6's wheel carries Qt, but not what Qt itself links to (GL, X11, D-Bus, fonts). Only Linux has that gap. The loader is asked (`ldd`)
rather than a list of packages, because what is already there differs on every machine.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

# The Qt modules that the program and pyqtgraph import; what they link to follows by itself.
QT_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtPrintSupport", "QtOpenGL", "QtOpenGLWidgets", "QtTest", "QtNetwork")
ICON_PLUGIN = "Qt/plugins/iconengines/libqsvgicon.so"

# soname -> package of Debian and Ubuntu (newer ones rename some to ...t64, and apt finds those under the old name too)
PACKAGE_OF_LIBRARY = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}


class LibrariesMissing(Exception):
    """Qt cannot be loaded here; the text says what is missing and the one line to type."""


def libraries_not_found(ldd_output: str) -> set[str]:
    """The sonames that the loader does not find.

    >>> libraries_not_found("libc.so.6 => /lib/libc.so.6 (0x7f)\\n libxcb-icccm.so.4 => not found")
    {'libxcb-icccm.so.4'}
    """
    return set(re.findall(r"^\s*(\S+) => not found", ldd_output, re.MULTILINE))


def packages_of(libraries: Iterable[str]) -> tuple[list[str], list[str]]:
    """The packages that hold these sonames, each once and in order; then the sonames for which none is known.

    >>> packages_of({"libgthread-2.0.so.0", "libglib-2.0.so.0", "libnew.so.9"})
    (['libglib2.0-0'], ['libnew.so.9'])
    """
    known = {PACKAGE_OF_LIBRARY[library] for library in libraries if library in PACKAGE_OF_LIBRARY}
    return sorted(known), sorted(library for library in libraries if library not in PACKAGE_OF_LIBRARY)


def apt_line(packages: Iterable[str]) -> str:
    """The one line that installs these packages, without `sudo`."""
    return "apt-get install -y --no-install-recommends " + " ".join(packages)


def words_for(libraries: Iterable[str], *, has_apt: bool, apt_said: str = "") -> str:
    """What to tell a person whose machine lacks these sonames: what is missing, why it was not mended, what to type."""
    libraries = sorted(libraries)
    packages, unknown = packages_of(libraries)
    lines = [f"Qt cannot open a window: this machine lacks {', '.join(libraries)}."]
    if apt_said:
        lines.append(f"apt-get could not install them: {apt_said}")
    if has_apt and packages:
        lines.append(f"Type this line, then start again:\n  sudo {apt_line(packages)}")
    if not has_apt:
        lines.append("Install the packages that hold these libraries with this system's package manager, then start again.")
    elif unknown:
        lines.append(f"For {', '.join(unknown)} we know no package; `apt-file search` finds it.")
    return "\n".join(lines)


def provide(pyside: Path, platforms: Sequence[str]) -> None:
    """Make sure that Qt in the folder `pyside` loads for these platform plugins: `offscreen`, `xcb`.

    Does nothing when nothing is missing. As root with apt it installs what is; otherwise raises LibrariesMissing.
    """
    if not sys.platform.startswith("linux") or not shutil.which("ldd"):
        return
    missing = missing_libraries(pyside, platforms)
    if not missing:
        return
    has_apt = shutil.which("apt-get") is not None
    packages, _ = packages_of(missing)
    apt_said = ""
    if has_apt and packages and os.geteuid() == 0:
        print(f"Installing the system libraries that Qt lacks: {' '.join(packages)}", flush=True)
        apt_said = install_with_apt(packages)
        missing = missing_libraries(pyside, platforms)
    if missing:
        raise LibrariesMissing(words_for(missing, has_apt=has_apt, apt_said=apt_said))


def missing_libraries(pyside: Path, platforms: Sequence[str]) -> set[str]:
    """The sonames that Qt's modules and these platform plugins want and the loader does not find; a loader's question for each file."""
    files = [f"{module}.abi3.so" for module in QT_MODULES] + [ICON_PLUGIN]
    files += [f"Qt/plugins/platforms/libq{platform}.so" for platform in platforms]
    missing: set[str] = set()
    for file in files:
        if not (pyside / file).exists():
            raise LibrariesMissing(f"PySide6 is installed without {file}.\nRemove the folder .venv and start again.")
        asked = subprocess.run(["ldd", pyside / file], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False)
        missing |= libraries_not_found(asked.stdout)
    return missing


def install_with_apt(packages: Sequence[str]) -> str:
    """Install the packages, fetching apt's lists if it does not work without; what apt complained of, empty if of nothing."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}

    def apt(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["apt-get", *arguments]
        nothing, both = subprocess.DEVNULL, subprocess.STDOUT
        return subprocess.run(command, env=quiet, stdin=nothing, stdout=subprocess.PIPE, stderr=both, text=True, check=False)

    install = apt_line(packages).split()[1:]
    if apt(*install).returncode == 0:
        return ""
    apt("update", "-q")  # a fresh container has no lists; if this fails the second install tells why
    second = apt(*install)
    return "" if second.returncode == 0 else last_complaint(second.stdout)


def last_complaint(apt_output: str) -> str:
    """The first line in which apt says what is wrong, or its last line.

    >>> last_complaint("Reading package lists...\\nE: Unable to locate package libnew\\n")
    'Unable to locate package libnew'
    """
    lines = [line.strip() for line in apt_output.splitlines() if line.strip()]
    for line in lines:
        if line.startswith("E: "):
            return line.removeprefix("E: ")
    return lines[-1] if lines else "it said nothing"
