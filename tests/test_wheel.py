"""The wheel is whole: built without network, installed without its needs, it runs from outside the checkout on what it carries alone.

The fresh venv sees the packages of the venv that runs the tests (Qt, numpy ...) through one line in a .pth file. That line adds a folder
and does not read the .pth files inside it, so an editable install of the checkout stays out of reach. A witness in the fresh venv writes
down, when a program ends, from which files it imported `explorer`.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parent.parent
CARRIED = ("resources", "exemplars")
SOURCES = ("explorer", *CARRIED, "pyproject.toml", "setup.py", "MANIFEST.in", "LICENSE", "README.md")
WITNESS = """
import atexit, json, os, sys

def tell():
    files = {name: module.__file__ for name, module in sys.modules.items() if name.split(".")[0] == "explorer"}
    with open(os.environ["WITNESS_FILE"], "w", encoding="utf-8") as file:
        json.dump(files, file)

if "WITNESS_FILE" in os.environ:
    atexit.register(tell)
"""


def run(command: Sequence[str | Path], *, cwd: Path, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; its output and errors are in the failure when its status is not 0."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COVERAGE"))}
    ran = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**clean, "PYTHONUTF8": "1", **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources: building in the checkout would take in what an earlier build left there."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    sources.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, sources / name)
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    run([sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", folder, sources], cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh venv with the wheel alone, that sees the test venv's packages."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    run([sys.executable, "-m", "venv", "--without-pip", folder], cwd=folder.parent)
    run([sys.executable, "-m", "pip", "--python", python_of(folder), "install", "--no-deps", "--no-index", wheel], cwd=folder.parent)
    packages = packages_of(folder)
    packages.joinpath("seen.pth").write_text(f"{sysconfig.get_path('purelib')}\nimport import_witness\n", encoding="utf-8")
    packages.joinpath("import_witness.py").write_text(WITNESS, encoding="utf-8")
    return folder


def scripts_of(venv: Path) -> Path:
    return venv / ("Scripts" if os.name == "nt" else "bin")


def python_of(venv: Path) -> Path:
    return scripts_of(venv) / ("python.exe" if os.name == "nt" else "python")


def packages_of(venv: Path) -> Path:
    """The site-packages of the venv."""
    asked = run([python_of(venv), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], cwd=venv)
    return Path(asked.stdout.strip())


@pytest.fixture
def run_there(venv: Path, tmp_path: Path) -> Callable[..., str]:
    """Run a command outside the checkout; its output, after it was proved that every module of `explorer` came from the venv."""
    witness = tmp_path / "imported.json"
    packages = packages_of(venv)

    def run_and_prove(*command: str | Path) -> str:
        offscreen = {"QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "qt.text.font.db=false", "WITNESS_FILE": str(witness)}
        ran = run(command, cwd=tmp_path, environment=offscreen)
        imported = {name: file for name, file in json.loads(witness.read_text(encoding="utf-8")).items() if file}
        assert "explorer" in imported
        assert [file for file in imported.values() if not Path(file).is_relative_to(packages)] == []
        return ran.stdout

    return run_and_prove


def test_the_wheel_carries_every_file(wheel: Path) -> None:
    expected = {"explorer/" + path.relative_to(ROOT).as_posix() for folder in CARRIED for path in visible_files(ROOT / folder)}
    expected |= {path.relative_to(ROOT).as_posix() for path in visible_files(ROOT / "explorer")}
    with zipfile.ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if not name.split("/")[0].endswith(".dist-info")}
    assert carried == expected


def visible_files(folder: Path) -> list[Path]:
    """Every file under the folder, without caches and what is hidden."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if not any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)]


def test_the_folders_are_found_inside_the_wheel(venv: Path, run_there: Callable[..., str]) -> None:
    program = "from explorer import places; print(places.resources_dir(), places.exemplars_dir(), sep='\\n')"
    package = packages_of(venv) / "explorer"
    assert run_there(python_of(venv), "-c", program).splitlines() == [str(package / "resources"), str(package / "exemplars")]


def test_pieces_runs_from_the_wheel(venv: Path, run_there: Callable[..., str]) -> None:
    facts = json.loads(run_there(scripts_of(venv) / "pieces", "corpus", "--json"))
    assert facts["corpus"]["name"] == "chronicle"
    assert "chronicle" in run_there(scripts_of(venv) / "pieces", "corpus")


@pytest.mark.usefixtures("qapp")
def test_the_window_is_drawn_from_the_wheel(venv: Path, run_there: Callable[..., str], tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    run_there(python_of(venv), "-m", "explorer", "--shot", picture, "--size", "1280x800")
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1280, 800)
    colours = {image.pixel(x, y) for x in range(0, 1280, 4) for y in range(0, 800, 4)}
    assert len(colours) > 50, "a window with text and plots has many colours; a blank one has a few"


def test_the_window_s_own_command_is_installed(venv: Path, run_there: Callable[..., str], tmp_path: Path) -> None:
    command = shutil.which("bpe-explorer", path=str(scripts_of(venv)))
    assert command is not None
    run_there(command, "--shot", tmp_path / "window.png")
    assert (tmp_path / "window.png").stat().st_size > 10_000
