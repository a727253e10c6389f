"""A bot's file as a module: loaded, its lines kept for tracebacks, and which kind of bot it is."""

import linecache
import os
import sys
from itertools import islice
from types import ModuleType

from arena.sandbox.capture import Complaint

KINDS = ("decide", "Bot", "decide_many")


def load(path: str) -> ModuleType:
    """Execute `path`/bot.py as a module. Raises whatever the bot raises."""
    file = os.path.join(path, "bot.py")
    with open(file, "rb") as stream:
        source = stream.read()
    module = ModuleType("bot")
    module.__file__ = file
    sys.modules["bot"] = module
    sys.path.insert(0, path)
    code = compile(source, file, "exec")  # the source, never a stale .pyc
    exec(code, module.__dict__)
    return module


def read_sources(path: str, modules: int) -> None:
    """Read the lines of the bot's own code, for tracebacks: later no file can be opened.

    They are among the last so many modules; to touch all the others would copy their memory.
    """
    for module in list(islice(reversed(sys.modules.values()), max(modules, 0))):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(path):
            lines = linecache.getlines(file)
            # without a time: with one, linecache would look at the file again
            linecache.cache[file] = (len(lines), None, lines, file)


def kind_of(module: ModuleType) -> str:
    """The kind of bot that the module defines. Raises LookupError unless it is one."""
    defined = [name for name in KINDS if callable(getattr(module, name, None))]
    if len(defined) > 1:
        raise _no_bot(f"a bot is one of them, found {' and '.join(defined)}", "keep one of them")
    if not defined:
        raise _no_bot("no bot is defined", _meant(module))
    if defined == ["Bot"] and not hasattr(module.Bot, "decide"):
        raise _no_bot("class Bot does not decide", "write `def decide(self, view)` in it")
    return defined[0]


def _no_bot(what: str, remedy: str) -> LookupError:
    return LookupError(Complaint("bot", f"{what}; {remedy}", remedy))


def _meant(module: ModuleType) -> str:
    """What to do with a module that defines no bot, guessed from what its author may have meant."""
    from difflib import get_close_matches

    own = {
        name: value
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    }
    classes = [name for name, value in own.items() if isinstance(value, type)]
    for name in classes:
        if callable(getattr(own[name], "decide", None)):
            return f"rename class {name} to Bot"
    for kind in ("decide", "decide_many"):
        for name in get_close_matches(kind, own.keys() - set(classes), 1, 0.7):
            return f"rename {name} to {kind}"
    found = f"put the code into `def decide(view)`, which is asked; found {', '.join(own)}"
    return found if own else "put the code into `def decide(view)`, which is asked"
