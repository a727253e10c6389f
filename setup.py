"""The step of a build that pyproject.toml has no words for: house bots go along, as `arena/house/`.

They stay in `bots/`, where a clone plays them. An editable installation finds them there, and this
step does nothing in it.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithHouseBots(build_py):
    """Builds the packages, then copies what lies in `bots/` beside them."""

    def house(self) -> list[Path]:
        """Return the files of the house bots, relative to this folder."""
        files = (file for file in sorted(Path("bots").rglob("*")) if file.is_file())
        return [file for file in files if file.suffix in {".csv", ".json", ".md", ".py"}]

    def run(self) -> None:
        """Build."""
        super().run()
        if self.editable_mode:
            return
        for file in self.house():
            to = Path(self.build_lib, "arena", "house", *file.parts[1:])
            to.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(str(file), str(to), preserve_mode=False)

    def get_source_files(self) -> list[str]:
        """Return what a source distribution takes along."""
        return [*super().get_source_files(), *map(str, self.house())]


setup(cmdclass={"build_py": WithHouseBots})
