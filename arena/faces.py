"""A wing's face: the names that other wings import, each loaded when it is first asked for.

An `__init__` lists them as imports under `if TYPE_CHECKING:`, where editors and mypy read them, and
ends in `__getattr__ = face(__name__)`, which reads the same lines. Without that, importing one name
would load all of a wing: numpy, SQLite or Dask, 0.1 to 0.7 s (tests/test_startup.py). When Python
3.15 is the least version, `lazy from` says the same (PEP 810).
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def face(wing: str) -> Callable[[str], Any]:
    """The `__getattr__` of a wing, for the names that its `__init__` lists."""
    homes: dict[str, str] = {}

    def load(name: str) -> Any:
        if not homes:
            if other := find_other_games():
                raise ImportError(other)
            homes.update(find_homes(Path(str(sys.modules[wing].__file__))))
        if name not in homes:
            raise AttributeError(f"module {wing!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[wing], name, value)  # it is not asked for again
        return value

    return load


def find_other_games() -> str:
    """Say that Python finds another package `games`, as any project may have one; "" if not."""
    spec, ours = find_spec("games"), Path(__file__).parents[1] / "games" / "__init__.py"
    if not spec or spec.origin in (None, str(ours)):
        return ""
    return (
        f"{spec.origin}: Python finds this package `games` before Arena's; rename or uninstall "
        "it, or run Arena where it is not on Python's path"
    )


def find_homes(init: Path) -> dict[str, str]:
    """The modules of the names that a wing's `__init__` lists, by name."""
    return {
        alias.name: node.module
        for block in ast.parse(init.read_bytes()).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
