"""Who imports whom, and the diagram of the wings of arena/ that `arena/README.md` shows."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.places import ROOT

LIFE = ("plan", "schedule", "session", "store", "rating", "tables", "site")
"""The wings that a game goes through, from a config to a page; numbered in the picture."""


@cache
def imported(file: Path) -> set[str]:
    """Return the dotted names a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@cache
def modules(file: Path) -> set[str]:
    """Return the modules of arena that a file imports, without the first word: `store.scan`."""
    return {
        name.removeprefix("arena.")
        for name in imported(file)
        if name.startswith("arena.") and (ROOT / f"{name.replace('.', '/')}.py").is_file()
    }


def name_of(file: Path) -> str:
    """Return a module's name without the first word: `store.scan`, `model`."""
    return ".".join(file.relative_to(ROOT / "arena").with_suffix("").parts)


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def draw_wings(imports: Mapping[str, set[str]]) -> str:
    """Return a diagram in Mermaid's language of what each wing imports of the others.

    A line is left out where others lead there, and the command line's, which imports all.
    """

    def reach(wing: str) -> set[str]:
        return imports[wing].union(*map(reach, imports[wing]))

    lines = [f'    {wing}(["{at} {wing}"])\n' for at, wing in enumerate(LIFE, 1)]
    for wing in sorted(imports.keys() - {"cli"}):
        direct = imports[wing] - set().union(*map(reach, imports[wing]))
        lines += [f"    {wing} --> {' & '.join(sorted(direct))}\n"] if direct else []
    return f"```mermaid\ngraph TD\n{''.join(lines)}```\n"
