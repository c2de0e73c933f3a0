"""The one step of the build that pyproject.toml cannot say: the wheel carries `resources/` and `exemplars/` inside `explorer/`.

In a checkout both stand at the top level, beside the package, where people find them; `explorer/places.py` looks in both. (Mapping them as
packages in pyproject.toml would work too, but an editable install would then need an import hook instead of one path.)
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
CARRIED = ("resources", "exemplars")


class BuildWithFolders(build_py):
    """The ordinary build of the package, then every file of the carried folders; an editable install reads them where they are."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for source, target in self._carried():
                self.mkpath(str(target.parent))
                self.copy_file(str(source), str(target))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return super().get_outputs(include_bytecode) + [str(target) for _, target in self._carried()]

    def _carried(self) -> list[tuple[Path, Path]]:
        """Each carried file and where the build puts it, hidden files and caches left out."""
        package = Path(self.build_lib) / "explorer"
        return [
            (path, package / path.relative_to(ROOT))
            for folder in CARRIED
            for path in sorted((ROOT / folder).rglob("*"))
            if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)
        ]


setup(cmdclass={"build_py": BuildWithFolders})
