"""What run.py and test.py share: make `.venv` in this checkout, install the project into it, and tell every failure in clear words.

Standard library only, since nothing is installed yet. A stamp in `.venv` remembers what was set up (a hash of the project's declarations,
of the Python and of the place), so that a second run asks nobody anything. Qt's system libraries are `system_libraries`' business.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from system_libraries import LibrariesMissing, provide

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
DECLARATIONS = ("pyproject.toml", "setup.py")
PYTHON_VERSION = "{}.{}".format(*sys.version_info[:2])
SPACE_NEEDED = "about 600 MB"

FULL_DISK = re.compile(r"No space left on device|Errno 28\b|Disk quota exceeded|Errno 122\b|not enough space on the disk")
NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|ProxyError|Temporary failure in name resolution"
    r"|Network is unreachable|Connection refused|CERTIFICATE_VERIFY_FAILED|getaddrinfo failed"
)
NOT_ALLOWED = re.compile(r"Errno 13\b|Errno 30\b|Permission denied|Read-only file system|WinError 5\b")
NO_VENV_MODULE = re.compile(r"ensurepip is not\s+available|No module named '?(venv|ensurepip)")


class SetupError(Exception):
    """The set-up cannot go on; the text is for the person at the terminal: what, why, what to do."""


def or_clear_words(main: Callable[[], int]) -> int | str:
    """The exit status of `main`; for a failure that a person can mend, its words instead of a traceback (for sys.exit)."""
    try:
        return main()
    except (SetupError, LibrariesMissing) as error:
        return str(error)
    except OSError as error:
        return words_for_os_error(error)
    except KeyboardInterrupt:
        return "\nStopped. Start again whenever you like: what is half done is done anew."


def set_up(*, extra: str, platforms: Sequence[str]) -> None:
    """Bring `.venv` to what the declarations ask for, with the extra `test` or none, and Qt to load on these platforms.

    Does nothing when the stamp says that it was done. Raises SetupError or LibrariesMissing.
    """
    stamp = VENV / f"set-up-{extra or 'run'}"
    wanted = fingerprint(extra, platforms)
    sound = python_runs(PYTHON)
    if sound and stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
        return
    started = time.monotonic()
    stamp.unlink(missing_ok=True)
    if not (sound and pip_runs(PYTHON)):
        make_venv()
    install_project(extra)
    provide(pyside_folder(), platforms)
    stamp.write_text(wanted, encoding="ascii")
    print(f"Set up in {time.monotonic() - started:.0f} s.", flush=True)


def fingerprint(extra: str, platforms: Sequence[str]) -> str:
    """A hash of all that the set-up depends on: the declarations, the Python (3.11, 3.12 ...), where the checkout lies, what is asked for.

    The place counts because an editable install and the scripts of `.venv` name it: a checkout that was moved is set up anew.
    """
    parts = [(ROOT / name).read_bytes() for name in DECLARATIONS]
    parts += [part.encode() for part in (str(ROOT), PYTHON_VERSION, extra, *platforms)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def python_runs(python: Path) -> bool:
    """Whether this interpreter starts and is of the same version (3.11, 3.12 ...) as the one running now."""
    asked = _ask(python, "-I", "-S", "-c", "import sys; print('{}.{}'.format(*sys.version_info[:2]))")
    return asked is not None and asked.strip() == PYTHON_VERSION


def pip_runs(python: Path) -> bool:
    """Whether this interpreter has a pip that starts; a venv whose making was cut short has none."""
    return _ask(python, "-m", "pip", "--version") is not None


def make_venv() -> None:
    """Make `.venv` with the Python running now, in place of whatever stands there."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        raise SetupError("The Python in .venv cannot mend .venv itself.\nStart again with another: python3 scripts/run.py")
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        print("The folder .venv is broken or of another Python: making it anew.", flush=True)
        shutil.rmtree(VENV)
    print("Making .venv ...", flush=True)
    status, output = _run_showing([sys.executable, "-m", "venv", str(VENV)], None)
    if status:
        shutil.rmtree(VENV, ignore_errors=True)  # half of one would look like a whole one to the next start
        raise SetupError(words_for_venv(output, free_bytes=shutil.disk_usage(ROOT).free))


def install_project(extra: str) -> None:
    """Install the project, editable, and what it needs; pip's progress is shown a line a package."""
    print("Installing what the program needs (about 110 MB the first time) ...", flush=True)
    target = f"{ROOT}[{extra}]" if extra else str(ROOT)
    pip = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--retries", "2", "--progress-bar", "off"]
    status, output = _run_showing([*pip, "--editable", target], re.compile(r"\s*(Downloading|Installing collected)\b"))
    if status:
        raise SetupError(words_for_pip(output))


def pyside_folder() -> Path:
    """Where PySide6 lies in `.venv`; found without importing it, since its libraries may not load yet."""
    found = _ask(PYTHON, "-c", "from importlib.util import find_spec as f; print(f('PySide6').submodule_search_locations[0])")
    if found is None:
        raise SetupError("PySide6 is not in .venv although pip said that it was.\nRemove the folder .venv and start again.")
    return Path(found.strip())


def open_window(arguments: Sequence[str]) -> int:
    """Open the program's window on these arguments; its exit status, where this process does not become it.

    With -P, so that a folder named `explorer` where the person stands is not taken for the program.
    """
    command = [str(PYTHON), "-P", "-m", "explorer", *arguments]
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.run(command, check=False).returncode


def run_checks(pytest_arguments: Sequence[str]) -> int:
    """Run lint, types and tests, each even if an earlier failed; only the tests when pytest arguments are given. 0 if all passed.

    Without arguments the order of the tests and their random examples follow from the files, so that the same files have
    the same verdict on every machine, and another change tries others.
    """
    seed = seed_of_files()
    seeds = [f"--randomly-seed={seed}", f"--hypothesis-seed={seed}"]
    checks = {"lint": ["ruff", "check", "."], "types": ["mypy"], "tests": ["pytest", *(pytest_arguments or seeds)]}
    if pytest_arguments:
        checks = {"tests": checks["tests"]}
    offscreen = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "qt.text.font.db=false"}
    results = {}
    for name, command in checks.items():
        print(f"--- {name}: {' '.join(command)}", flush=True)
        results[name] = subprocess.run([str(PYTHON), "-m", *command], cwd=ROOT, env=offscreen, check=False).returncode
    print("--- " + ", ".join(f"{name} {'FAILED' if status else 'passed'}" for name, status in results.items()), flush=True)
    return max(results.values(), key=abs)


def seed_of_files() -> int:
    """A number of 32 bits that follows from the Python files of the package, the tests and the scripts."""
    seed = 0
    for folder in ("explorer", "tests", "scripts"):
        for path in sorted((ROOT / folder).rglob("*.py"), key=lambda path: path.relative_to(ROOT).parts):
            seed = zlib.crc32(path.read_bytes(), zlib.crc32(path.relative_to(ROOT).as_posix().encode(), seed))
    return seed


def words_for_pip(output: str) -> str:
    """What a failed pip means to a person, read from what it printed."""
    if FULL_DISK.search(output):
        return _full_disk()
    if NOT_ALLOWED.search(output):
        return _not_allowed(VENV)
    if NO_NETWORK.search(output):
        return (
            "pip cannot reach the package index: no network, or a proxy or certificate in the way.\n"
            "Connect and start again; what was fetched is kept."
        )
    unavailable = re.search(r"No matching distribution found for (\S+)", output)
    if unavailable:
        return (
            f"There is no {unavailable[1]} for Python {PYTHON_VERSION} on this machine ({sys.platform}).\n"
            "Another Python may have one: start again with it, for example python3.12 scripts/run.py"
        )
    return "pip could not install the project. Its last lines:\n" + _last_lines(output)


def words_for_venv(output: str, *, free_bytes: int) -> str:
    """What a failed `python -m venv` means to a person; `free_bytes` because it does not say when its pip found the disk full."""
    if FULL_DISK.search(output) or free_bytes < 20_000_000:
        return _full_disk()
    if NOT_ALLOWED.search(output):
        return _not_allowed(VENV)
    if NO_VENV_MODULE.search(output):
        return (
            "This Python cannot make virtual environments: its venv module is incomplete.\n"
            f"On Debian and Ubuntu type: sudo apt-get install -y python{PYTHON_VERSION}-venv   then start again."
        )
    return "The folder .venv could not be made. Python's last lines:\n" + _last_lines(output)


def words_for_os_error(error: OSError) -> str:
    """What a failure of the file system means to a person."""
    if FULL_DISK.search(str(error)):
        return _full_disk()
    if NOT_ALLOWED.search(str(error)):
        return _not_allowed(error.filename or ROOT)
    return f"The set-up stopped: {error}"


def _full_disk() -> str:
    return f"The disk is full: {VENV} needs {SPACE_NEEDED}, and the temporary folder a part of it for a while.\nMake room and start again."


def _not_allowed(place: str | Path) -> str:
    return f"Not allowed to write {place}.\nMake {ROOT} yours, or copy it to a place that is, and start again."


def _last_lines(output: str) -> str:
    return "\n".join("  " + line for line in output.strip().splitlines()[-8:])


def _ask(python: Path, *arguments: str) -> str | None:
    """What the interpreter answers on its standard output; None if it does not start, fails or hangs."""
    try:
        asked = subprocess.run([python, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout if asked.returncode == 0 else None


def _run_showing(command: list[str], shown: re.Pattern[str] | None) -> tuple[int, str]:
    """Run the command; its exit status and all its output, of which the lines that match are shown as they come."""
    output = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None  # it is a pipe
        for line in process.stdout:
            output.append(line)
            if shown and shown.match(line):
                print("  " + line.strip()[:120], flush=True)
    return process.returncode, "".join(output)
