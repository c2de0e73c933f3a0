"""The import rules of the house, read off the source: which line of which file imports what it must not.

Every import counts, wherever it stands: inside a function, under TYPE_CHECKING, or by name through importlib.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOMS = ("errors", "core", "sources", "formats", "labs", "workers", "processes", "pieces", "workspace", "gui", "__main__")
WITHOUT_QT = ("errors", "core", "sources", "formats", "labs", "workers", "processes", "pieces", "places")
QT = ("PySide6", "shiboken6", "pyqtgraph", "pytestqt")
WITHOUT_THREADS = ("errors", "core", "sources", "formats", "labs", "places")
THREADS = ("threading", "_thread", "concurrent", "multiprocessing", "asyncio", "queue")
COMPUTED = "(computed)"
PLACES_FROM = ROOMS.index("sources")  # the first room that may ask where files lie


@dataclass(frozen=True, slots=True)
class Import:
    """One module that a line of a file imports, with its full name ("explorer.core.corpus")."""

    line: int
    module: str


def breaches(package: Path) -> list[str]:
    """Each import under the folder of the package `explorer` that breaks a rule, as "file:line: what is wrong"."""
    found = []
    for file in sorted(package.rglob("*.py")):
        within = file.relative_to(package)
        for imported in imports_of(file.read_text(encoding="utf-8")):
            wrong = fault(within, imported.module)
            if wrong:
                found.append(f"{within.as_posix()}:{imported.line}: {wrong}")
    return found


def imports_of(source: str) -> Iterator[Import]:
    """Every import of a source text. A name imported from a package counts as its module: `from explorer import gui` is explorer.gui."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level
            yield from (Import(node.lineno, f"{dots}{node.module or ''}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _name_called(node) in ("import_module", "__import__", "run_module") and node.args:
            yield Import(node.lineno, _constant(node.args[0]))


def fault(file: Path, module: str) -> str:
    """What is wrong with this import in this file (its path within the package); empty when nothing is.

    >>> fault(Path("core/corpus.py"), "explorer.labs.ties")
    'core may not import labs'
    """
    room = file.parts[0].removesuffix(".py")
    if module == COMPUTED:
        return "an import whose name is computed, so that nobody can read what it is"
    if module.startswith("."):
        return "a relative import"
    if room in WITHOUT_QT and _top(module) in QT:
        return f"{room} may not know Qt ({_top(module)})"
    if room == "workspace" and _top(module) in QT and _second(module) != "QtCore":
        return f"workspace may know QtCore alone, not {module}"
    if room in WITHOUT_THREADS and _top(module) in THREADS:
        return f"{room} starts no threads or processes ({_top(module)})"
    return _fault_of_order(room, module)


def _fault_of_order(room: str, module: str) -> str:
    if _top(module) != "explorer":
        return ""
    asked = _second(module)
    if asked in ("", "__version__") or asked == room:
        return ""
    if room in ("__init__", "places"):
        return f"{room} may import no room"
    if room not in ROOMS:
        return f"{room} is no room of the house"
    if asked == "places":
        return "" if ROOMS.index(room) >= PLACES_FROM else f"{room} may not ask where files lie"
    if asked not in ROOMS:
        return f"{asked} is no room of the house"
    if ROOMS.index(asked) > ROOMS.index(room):
        return f"{room} may not import {asked}"
    if module.startswith("explorer.core.kernels"):
        return "only core knows its kernels"
    return ""


def _top(module: str) -> str:
    return module.split(".")[0]


def _second(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _name_called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else COMPUTED
