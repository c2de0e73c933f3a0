"""The peers in an environment of their own, outside the checkout: what the project's `benchmark` extra names, each pinned there.

Each is installed by itself, so that one that has no wheel for this machine, or no network to come by, takes no other with it.
"""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from setup_project import NO_NETWORK

INSTALL_S = 300.0
OFFLINE = "no network to install it from"


def requirements(declarations: Path) -> dict[str, str]:
    """The peers that pyproject.toml pins, by the name of their distribution: {"tiktoken": "tiktoken==0.14.0"}."""
    declared: list[str] = tomllib.loads(declarations.read_text(encoding="utf-8"))["project"]["optional-dependencies"]["benchmark"]
    return {re.split(r"[=<>~!;\[ ]", each, maxsplit=1)[0]: each for each in declared}


def python_of(venv: Path) -> Path:
    """The interpreter of a virtual environment."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def site_packages_of(venv: Path) -> Path:
    """Where a virtual environment keeps its packages."""
    return venv / ("Lib/site-packages" if os.name == "nt" else "lib/python{}.{}/site-packages".format(*sys.version_info[:2]))


def provide(cache: Path, wanted: dict[str, str], tell: Callable[[str], None]) -> tuple[Path, dict[str, str]]:
    """The environment's folder and, for each distribution that is not in it, why not, as a clause.

    What was installed is remembered; what failed is tried again at the next start, as the network may be back.
    """
    version = "{}.{}".format(*sys.version_info[:2])
    venv = cache / f"peers-{version}"
    if not python_of(venv).is_file():
        tell("Making an environment for the peers ...")
        if said := _failure([sys.executable, "-m", "venv", "--clear", str(venv)]):
            return venv, dict.fromkeys(wanted, f"no environment for the peers could be made ({said})")
    missing: dict[str, str] = {}
    for name, requirement in wanted.items():
        stamp = venv / f"installed-{hashlib.sha256(requirement.encode()).hexdigest()[:12]}"
        if stamp.is_file():
            continue
        if OFFLINE in missing.values():  # asking again would take as long again
            missing[name] = OFFLINE
            continue
        tell(f"Installing {requirement} for the comparison ...")
        said = _failure([str(python_of(venv)), "-m", "pip", *PIP, requirement])
        if said == OFFLINE:
            missing[name] = said
            tell("  no network: what is not here yet is not run")
        elif said:
            missing[name] = f"{requirement} is not installed ({said})"
            tell(f"  not installed: {said}")
        else:
            stamp.write_text(requirement, encoding="utf-8")
    return venv, missing


PIP = (
    "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "20", "--only-binary", ":all:",
)


def _failure(command: Iterable[str]) -> str | None:
    """Runs a command; None if that went well, else the last thing it said."""
    try:
        done = subprocess.run(
            list(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    if done.returncode == 0:
        return None
    if NO_NETWORK.search(done.stderr):
        return OFFLINE
    said = [line for line in done.stderr.splitlines() if "ERROR" in line] or done.stderr.strip().splitlines()
    return said[-1].removeprefix("ERROR: ")[:160] if said else f"exit status {done.returncode}"
