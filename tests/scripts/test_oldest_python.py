"""An old Python is told so in clear words, by files that it can read."""

import ast
from pathlib import Path

import pytest
from oldest_python import complaint

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13)])
def test_an_old_python_is_told_what_why_and_what_to_do(version: tuple[int, ...]) -> None:
    words = complaint(version, "run.py")
    assert words.splitlines()[0] == f"BPE Explorer needs Python 3.11 or later, and this is Python {version[0]}.{version[1]}."
    assert "python3.11 scripts/run.py" in words


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 13, 1), (4, 0, 0)])
def test_a_new_one_is_let_pass(version: tuple[int, ...]) -> None:
    assert complaint(version, "run.py") == ""


@pytest.mark.parametrize("name", ["run.py", "test.py", "oldest_python.py"])
def test_an_old_python_can_read_what_tells_it(name: str) -> None:
    tree = ast.parse((SCRIPTS / name).read_text(encoding="utf-8"), feature_version=(3, 4))
    assert not [node for node in ast.walk(tree) if isinstance(node, (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr))]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.returns], "Python 2 knows no annotations"


@pytest.mark.parametrize("name", ["run.py", "test.py"])
def test_the_rest_is_imported_only_after_the_check(name: str) -> None:
    tree = ast.parse((SCRIPTS / name).read_text(encoding="utf-8"))
    kinds = [type(node).__name__ + getattr(node, "module", "") * isinstance(node, ast.ImportFrom) for node in tree.body]
    assert kinds.index("ImportFromoldest_python") < kinds.index("If") < kinds.index("ImportFromsetup_project")
