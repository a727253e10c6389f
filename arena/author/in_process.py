"""A bot in this very process: unconfined, and with its own file's lines, for tests and debuggers.

It is asked as `arena.sandbox.harness` asks it, with the same random numbers, but one view at a
time. Its exceptions reach the caller.
"""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from arena.league.bots import ENTRY_FILE
from arena.league.files import Source
from arena.sandbox.bot_module import kind_of
from arena.sandbox.capture import plain
from arena.sandbox.harness import MANY_DRAWS, Game
from arena.sandbox.randomness import FUNCTIONS, Batch, Generators

Call = Callable[..., Any]
"""Calls its first argument, a function, with the others."""


def call_plainly(function: Callable[..., Any], *given: Any) -> Any:
    """Call a function without a debugger."""
    return function(*given)


@contextmanager
def room(path: Path | None, given: object = None) -> Iterator[Generators]:
    """Give `random`'s functions other generators for a while, and let the bot at `path`, if it is a
    folder, import its own modules. In the end all is as before.

    `given` is a function or class: names that its module imported from `random` use the generators,
    too.
    """
    generators = Generators()
    functions = {name: getattr(random, name) for name in FUNCTIONS}
    modules, paths = {**sys.modules}, sys.path[:]
    space = getattr(modules.get(getattr(given, "__module__", "")), "__dict__", {})
    imported = {
        name: value
        for name, value in space.items()
        if any(value is function for function in functions.values())
    }
    generators.install()
    space.update({name: getattr(random, value.__name__) for name, value in imported.items()})
    if path and path.is_dir():  # a bot of one file has nothing beside it
        sys.path.insert(0, str(path))
    try:
        yield generators
    finally:
        sys.path[:] = paths
        for name, module in {**sys.modules}.items():
            if path and is_own(path, getattr(module, "__file__", None)):
                del sys.modules[name]
                if name in modules:
                    sys.modules[name] = modules[name]
        space.update(imported)
        for name, function in functions.items():
            setattr(random, name, function)


def is_own(path: Path, file: str | None) -> bool:
    """Whether a file belongs to the bot at `path`."""
    return file is not None and (
        file.startswith(f"{path}/") if path.is_dir() else file == str(path)
    )


def load(
    path: Path, source: Source, run: Callable[[CodeType, dict[str, Any]], Any] = exec
) -> tuple[str, Any]:
    """Load the bot at `path`: its kind, and the function or class that its module defines.

    `run` executes the module. Raises whatever the bot raises, and LookupError if it defines no bot.
    """
    file = str(path / ENTRY_FILE if path.is_dir() else path)
    module = ModuleType("bot")
    module.__file__ = file
    sys.modules["bot"] = module
    run(compile(dict(source.files)[ENTRY_FILE], file, "exec"), module.__dict__)
    kind = kind_of(module)
    return kind, getattr(module, kind)


class InProcessBot:
    """A bot that plays one seat of one game, which its generators have begun."""

    def __init__(self, kind: str, given: Any, generators: Generators) -> None:
        self._kind, self._given, self._generators = kind, given, generators
        self._bot: Any = None  # an instance of the class `Bot`
        if kind == "decide_many":
            generators.refusal = MANY_DRAWS

    def decide(self, view: Any, call: Call = call_plainly) -> object:
        """The reply to a view; `call` calls the bot's code. Raises whatever the bot raises."""
        self._generators.table = view.table
        if self._kind == "decide_many":
            decisions = list(call(self._given, [view], Batch(self._generators, [view.table])))
            if len(decisions) != 1:
                raise ValueError(f"decide_many returned {len(decisions)} decisions for 1 view")
            return plain(decisions[0])
        if self._kind != "Bot":
            return plain(call(self._given, view))
        if self._bot is None:
            self._bot = call(self._given, Game(view, self._generators))
        return plain(call(self._bot.decide, view))
