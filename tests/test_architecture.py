"""The house holds: no room imports what stands after it, and from errors to pieces everything runs where Qt cannot be imported."""

import subprocess
import sys
from pathlib import Path

import pytest

import explorer
from tests.import_rules import WITHOUT_QT as ROOMS_WITHOUT_QT
from tests.import_rules import Import, breaches, fault, imports_of

PACKAGE = Path(explorer.__file__).resolve().parent
FILES_AT_LEAST = 190  # a walk that reads fewer has looked in the wrong place

# Run in a fresh interpreter: `import PySide6` and its kind fail as where they are not installed, whoever asks.
HIDE_QT = """
import importlib, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph", "pytestqt"):
            raise ImportError(f"{name} cannot be imported here")

sys.meta_path.insert(0, NoQt())
"""
RUN_PIECES = """
import runpy

sys.argv = ["pieces", "corpus"]
runpy.run_module("explorer.pieces", run_name="__main__", alter_sys=True)
"""


def modules_without_qt() -> list[str]:
    """The name of every module from errors to pieces; `__main__` runs instead of importing."""
    within = [file.relative_to(PACKAGE).with_suffix("") for file in sorted(PACKAGE.rglob("*.py")) if file.name != "__main__.py"]
    names = [path.parts for path in within if path.parts[0] in ROOMS_WITHOUT_QT]
    return [".".join(("explorer", *parts)).removesuffix(".__init__") for parts in names]


def run_without_qt(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", HIDE_QT + program]
    return subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)


def test_no_room_imports_what_stands_after_it() -> None:
    assert breaches(PACKAGE) == []


def test_the_walk_reads_the_whole_package() -> None:
    files = list(PACKAGE.rglob("*.py"))
    assert len(files) >= FILES_AT_LEAST
    assert sum(1 for file in files for _ in imports_of(file.read_text(encoding="utf-8"))) >= FILES_AT_LEAST


def test_every_room_before_the_workspace_imports_without_qt() -> None:
    modules = modules_without_qt()
    assert "explorer.core.training" in modules
    ran = run_without_qt(f"for name in {modules}: importlib.import_module(name)")
    assert ran.returncode == 0, ran.stderr


def test_every_folder_of_modules_is_a_package() -> None:
    """A wheel leaves out a folder that has no `__init__.py`."""
    assert [folder for folder in {file.parent for file in PACKAGE.rglob("*.py")} if not (folder / "__init__.py").exists()] == []


def test_pieces_runs_without_qt() -> None:
    ran = run_without_qt(RUN_PIECES)
    assert ran.returncode == 0, ran.stderr
    assert "chronicle" in ran.stdout


def test_the_finder_does_hide_qt() -> None:
    ran = run_without_qt("import PySide6.QtCore")
    assert "PySide6 cannot be imported here" in ran.stderr


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("core/training.py", "explorer.gui.app"),
        ("core/training.py", "explorer.places"),
        ("core/training.py", "threading"),
        ("errors.py", "explorer.core.corpus"),
        ("labs/ties.py", "PySide6.QtCore"),
        ("labs/ties.py", "explorer.pieces.rows"),
        ("labs/ties.py", "explorer.core.kernels.loops"),
        ("pieces/__init__.py", "pyqtgraph"),
        ("pieces/__init__.py", "explorer.workspace.workspace"),
        ("places.py", "explorer.core"),
        ("workspace/workspace.py", "PySide6.QtWidgets.QWidget"),
        ("workspace/workspace.py", "explorer.gui.theme"),
        ("gui/views/tree.py", "explorer.__main__.main"),
        ("gui/views/tree.py", "explorer.utils"),
        ("utils.py", "explorer.core"),
        ("core/corpus.py", ".alphabet"),
        ("gui/app.py", "(computed)"),
        ("__init__.py", "explorer.core"),
    ],
)
def test_a_breach_is_named(file: str, module: str) -> None:
    assert fault(Path(file), module)


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("core/training.py", "explorer.core.kernels.loops"),
        ("core/training.py", "explorer.errors.Cancelled"),
        ("sources/exemplars.py", "explorer.places.exemplar"),
        ("pieces/__init__.py", "explorer.labs.ties"),
        ("workspace/workspace.py", "PySide6.QtCore.Signal"),
        ("workspace/job.py", "threading"),
        ("gui/app.py", "PySide6.QtWidgets.QApplication"),
        ("gui/app.py", "explorer.__version__"),
        ("__main__.py", "explorer.gui.app"),
        ("gui/app.py", "json"),
    ],
)
def test_an_import_in_order_passes(file: str, module: str) -> None:
    assert fault(Path(file), module) == ""


def test_every_way_to_import_is_seen() -> None:
    source = """
from explorer import gui
import PySide6.QtCore as core
def later():
    from explorer.gui import theme
    importlib.import_module("explorer.workspace")
    importlib.import_module(name)
if TYPE_CHECKING:
    from . import corpus
"""
    assert set(imports_of(source)) == {
        Import(2, "explorer.gui"),
        Import(3, "PySide6.QtCore"),
        Import(5, "explorer.gui.theme"),
        Import(6, "explorer.workspace"),
        Import(7, "(computed)"),
        Import(9, "..corpus"),
    }


def test_a_breach_in_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs" / "ties.py").write_text("import json\n\ndef show():\n    import PySide6\n", encoding="utf-8")
    assert breaches(tmp_path) == ["labs/ties.py:4: labs may not know Qt (PySide6)"]
