"""A bot in this very process, for a debugger: behind no walls, with its own file's lines.

It is asked as `arena.sandbox.harness` asks it, with the same random numbers, but one view at a
time; and what it raises is let through.
"""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, ModuleType
from typing import Any

import msgspec

from arena.author.asking import Past
from arena.author.today import Today
from arena.league.bots import ENTRY_FILE
from arena.sandbox.bot_module import kind_of
from arena.sandbox.capture import is_word, not_a_decision, plain
from arena.sandbox.harness import MANY_DRAWS, Game
from arena.sandbox.randomness import Batch, Generators
from arena.sandbox.stream import FUNCTIONS

Call = Callable[..., Any]
"""Calls its first argument, a function, with the others."""


def plainly(function: Callable[..., Any], *given: Any) -> Any:
    """Call a function, nobody looking on."""
    return function(*given)


@contextmanager
def room(now: Today) -> Iterator[Generators]:
    """Give the generators that stand behind the functions of `random`, in a process that finds the
    bot's own modules; all is as before in the end.
    """
    generators = Generators()
    functions = {name: getattr(random, name) for name in FUNCTIONS}
    path, before = list(sys.path), set(sys.modules)
    generators.install()
    if now.path.is_dir():
        sys.path.insert(0, str(now.path))
    try:
        yield generators
    finally:
        for name, function in functions.items():
            setattr(random, name, function)
        sys.path[:] = path
        for name in set(sys.modules) - before:
            if is_of(now, getattr(sys.modules[name], "__file__", None)):
                del sys.modules[name]


def is_of(now: Today, file: str | None) -> bool:
    """Return whether a file is the bot's own."""
    return file is not None and (
        file.startswith(f"{now.path}/") if now.path.is_dir() else file == str(now.path)
    )


def loaded(now: Today, run: Callable[[CodeType, dict[str, Any]], Any] = exec) -> ModuleType:
    """Return the bot's module, which `run` executes. Raises whatever the bot raises, and
    LookupError unless it is one.
    """
    file, content = str(now.entry), dict(now.source.files)[ENTRY_FILE]
    module = ModuleType("bot")
    module.__file__ = file
    sys.modules["bot"] = module
    run(compile(content, file, "exec"), module.__dict__)
    kind_of(module)
    return module


class Player:
    """A bot that plays one seat of a past."""

    def __init__(self, module: ModuleType, past: Past, generators: Generators) -> None:
        self._kind, self._generators = kind_of(module), generators
        self._player: Any = getattr(module, self._kind)
        self._bot: Any = None
        generators.begin(*past.begun)
        generators.table = past.begun.table
        if self._kind == "decide_many":
            generators.refusal = MANY_DRAWS
        self._past = past

    def decide(self, number: int, call: Call = plainly) -> object:
        """Return the reply to a question of the past; `call` calls what is the bot's. Raises
        whatever the bot raises.
        """
        fields = self._past.questions[number].fields
        kind = type(self._past.view(number))
        view = msgspec.msgpack.decode(msgspec.msgpack.encode(fields), type=kind)
        if self._kind == "decide_many":
            decisions = list(call(self._player, [view], Batch(self._generators, [view.table])))
            if len(decisions) != 1:
                raise ValueError(f"decide_many returned {len(decisions)} decisions for 1 view")
            return plain(decisions[0])
        if self._kind == "decide":
            return plain(call(self._player, view))
        if self._bot is None:
            self._bot = call(self._player, Game(view, self._generators))
        return plain(call(self._bot.decide, view))


def judged(reply: object, legal: tuple[str, ...]) -> str:
    """Return what is wrong with a reply; "" if it is a legal decision."""
    if not is_word(reply):
        return not_a_decision(reply)
    return "" if reply in legal else f"played {reply!r}; legal is {' or '.join(legal)}"
