"""Raises ImportError where Python finds another package `games`, as any project may have one."""

from importlib.util import find_spec
from pathlib import Path

SPEC, OURS = find_spec("games"), Path(__file__).parents[1] / "games" / "__init__.py"
if SPEC and SPEC.origin not in (None, str(OURS)):
    raise ImportError(
        f"{SPEC.origin}: Python finds this package `games` before Arena's; rename or uninstall "
        "it, or run Arena where it is not on Python's path"
    )
