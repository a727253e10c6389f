"""What pyproject.toml has no words for: house bots go along, as `arena/house/`, and links lead to
where the repository is published.

The bots stay in `bots/`, where a clone plays them. An editable installation finds them there, and
that step does nothing in it.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PROJECT = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
URL = PROJECT["tool"]["botarena"]["url"]
AT = PROJECT["project"]["version"]


def find_urls() -> dict[str, str]:
    """The project's links by label; none before it is published."""
    if not URL:
        return {}
    return {
        "Repository": URL,
        "Documentation": f"{URL}/blob/v{AT}/README.md",
        "Changelog": f"{URL}/blob/v{AT}/CHANGELOG.md",
        "Issues": f"{URL}/issues",
    }


def read_me() -> str:
    """The README for a page that is not the repository's: each link to a file leads there."""
    text = Path("README.md").read_text("utf-8")
    if not URL:
        return text
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:)", rf"\1{URL}/raw/v{AT}/", text)
    return re.sub(r"(?<!!)(\[[^\]]*\]\()(?!https?:)", rf"\1{URL}/blob/v{AT}/", text)


class WithHouseBots(build_py):
    """Builds the packages, then copies what lies in `bots/` beside them."""

    def house(self) -> list[Path]:
        """Return the files of the house bots, relative to this folder."""
        hidden = re.compile(r"/(\.|node_modules/|site-packages/)")  # a bot's tools: none of it
        files = (file for file in sorted(Path("bots").rglob("*")) if file.is_file())
        files = (file for file in files if not hidden.search(file.as_posix()))
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


setup(
    cmdclass={"build_py": WithHouseBots},
    long_description=read_me(),
    long_description_content_type="text/markdown",
    project_urls=find_urls(),
)
