"""The table of commands: a function under `@command` is a row, and its name is the command's.

A new command needs no other file of code: `arena.cli.app` loads all of this folder. To a command
that returns an `Answer` it gives the option `--json`, prints the answer as JSON or for people, and
exits with its code. Others print, and return None.
"""

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple, TypeVar

import arena.cli

GROUPS = WRITE, WHY, LEAGUE, SHARE = (
    "Write a bot", "See why a bot lost", "Run a league", "Check and share results",
)  # fmt: skip
ORDER = (
    "new check match tune brief rules play games explain faults logs rerun replay init collect "
    "tournament standings publish watch history season backup verify audit records judge export "
    "reveal doctor schema"
).split()
"""The groups of `arena --help` and README.md, and commands in their order; any other command comes
last in its group."""


class Answer(NamedTuple):
    """A command's result; the default prints nothing."""

    document: Any = None  # for --json, of a type in `arena.cli.documents`
    show: Callable[[], object] = lambda: None  # prints it for people
    code: int = 0
    notes: Iterable[str] = ()  # to say at the end, with --json too
    finish: Callable[[], object] = lambda: None  # runs after the printing, before the notes


F = TypeVar("F", bound=Callable[..., Answer | None])
_ROWS = dict[str, tuple[str, Callable[..., Answer | None]]]()


def command(group: str) -> Callable[[F], F]:
    """Make a function a command of a group: its docstring is the page of `--help`."""

    def register(function: F) -> F:
        _ROWS[function.__name__.removesuffix("_command")] = group, function
        return function

    return register


@cache
def load_commands() -> dict[str, tuple[str, Callable[..., Answer | None]]]:
    """Import all modules of commands; return groups and functions by name, as the help has them."""
    for module in iter_modules(arena.cli.__path__):
        if module.name not in ("app", "documents"):  # it loads this table; too slow for `--help`
            import_module(f"arena.cli.{module.name}")
    names = sorted(_ROWS, key=[*ORDER, *_ROWS].index)
    return {name: _ROWS[name] for group in GROUPS for name in names if _ROWS[name][0] == group}
