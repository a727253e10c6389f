"""A bot in this process that plays one seat of one game, without any walls of its own."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import games
from arena.sandbox import folder, wire
from arena.sandbox.capture import plain
from arena.sandbox.harness import MANY_DRAWS, Game
from arena.sandbox.randomness import Batch, Generators


class InProcessBot:
    """A bot that plays one seat of one game."""

    def __init__(self, kind: str, given: Any, generators: Generators, begun: wire.Begun) -> None:
        generators.begin(*begun)
        self._kind, self._given, self._generators = kind, given, generators
        self._refusal = MANY_DRAWS if kind == "decide_many" else ""
        self._table = begun.table
        self._bot: Any = None  # an instance of the class `Bot`

    def decide(self, view: Any) -> object:
        """The reply to a view. Raises whatever the bot raises."""
        self._generators.table, self._generators.refusal = view.table, self._refusal
        if self._kind == "decide_many":
            decisions = list(self._given([view], Batch(self._generators, [view.table])))
            if len(decisions) != 1:
                raise ValueError(f"decide_many returned {len(decisions)} decisions for 1 view")
            return plain(decisions[0])
        if self._kind != "Bot":
            return plain(self._given(view))
        if self._bot is None:
            self._bot = self._given(Game(view, self._generators))
        return plain(self._bot.decide(view))

    def end(self, result: dict[str, Any] | None) -> None:
        """Forget the game, its result told to an instance of `Bot` that wants to know. Raises what
        the bot raises.
        """
        end = getattr(self._bot, "end", None)
        if result is not None and callable(end):
            self._generators.table = self._table
            end(games.Result(result))
        self._generators.forget(self._table)


@contextmanager
def lend_imports(path: Path) -> Iterator[None]:
    """Let the bot at `path`, if it is a folder, import its own modules for a while. In the end none
    of them is left.
    """
    modules, paths, finders = {**sys.modules}, sys.path[:], sys.meta_path[:]
    if path.is_dir():  # a bot of one file has nothing beside it
        sys.path.insert(0, str(path))
    try:
        yield
    finally:
        sys.path[:], sys.meta_path[:] = paths, finders
        start = f"{folder.PACKAGE}."
        names = [n for n in sys.modules if f"{n}.".startswith(start) or start + n in sys.modules]
        for name in {"bot", *names}:
            sys.modules.pop(name, None)
        sys.modules.update(modules)
