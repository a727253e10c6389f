"""One question to a bot, as the arena would ask it: the same interface, the same random numbers.

Confined, as in a tournament; or in the caller's process, without walls and limits, so that a
test's traceback and its debugger reach the lines of a bot of one's own.
"""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import games
from arena.errors import UsageError, require_linux
from arena.league.bots import ENTRY_FILE, NAME, BotPath, find_bot, folder_from
from arena.league.files import content_hash, read_bot
from arena.league.remedies import remedy
from arena.league.snapshots import snapshots
from arena.model import Bot, Limits, Reason, file_of
from arena.process.death import Death
from arena.sandbox import wire
from arena.sandbox.bot_module import kind_of
from arena.sandbox.capture import is_word, not_a_decision, plain
from arena.sandbox.harness import MANY_DRAWS, Game
from arena.sandbox.randomness import Batch, Generators
from arena.sandbox.stream import FUNCTIONS
from arena.words import shown

Asked = Callable[[Any], object]


class NoDecision(AssertionError):
    """A bot answered what is not legal, or, confined, did not answer at all."""


UNWALLED = "decide(..., confined=False) asks a bot of your own without walls"


def decide(bot: Any, view: Any, *, seed: int = 0, confined: bool | None = None) -> str:
    """Return what a bot decides in the game of a view, one of `view.legal`.

    `bot` is a path (`bots/thrifty.py`, or a folder with a `bot.py`) or a name in the league's
    folder `bots/`; or a function `decide(view)`, a class such as `Bot`, whose instance is new each
    time, an object with a method `decide`, or a function called `decide_many`. It draws from the
    generator of a game with that `seed`, whether by `random`, `game.rng` or `rngs[0]`: the same
    seed gives the same decision.

    A bot by path or name is asked behind the walls and under the limits of a tournament.
    `confined=False` is for a bot of your own: it runs in this process with all of your rights, no
    limit ends it, and what it raises is raised here. Functions, classes and objects always run in
    this process. Raises NoDecision, an AssertionError, where the answer is not legal; UsageError
    for what is no bot or no view; Unconfinable where there are no walls.
    """
    if not hasattr(view, "legal") or not hasattr(view, "table"):
        raise UsageError(f"decide: found {shown(view)}; it takes a view, as view_of and at give it")
    named = isinstance(bot, str | Path)
    if confined and not named:
        raise UsageError(f"decide: found {shown(bot)}; confined takes a bot's path or name")
    path = _found(str(bot)) if named else None
    name = path.name if path else getattr(bot, "__name__", type(bot).__name__)
    numbers = (seed % (1 << 128)).to_bytes(16, "little")
    answer = plain(_behind_walls(path, view, numbers) if path and confined is not False else
                   _here(path or bot, view, numbers))  # fmt: skip
    reason = ""
    if not is_word(answer):
        reason = not_a_decision(answer)
    elif answer not in view.legal:
        reason = f"it answers {answer!r}, which is not legal"
    if reason:
        is_folder = path is not None and path.path.is_dir()
        raise _no_decision(name, is_folder, Reason("illegal", reason), view)
    return str(answer)


def _found(bot: str) -> BotPath:
    """Return the bot of a path, or of a name in the league's folder. Raises UsageError."""
    return find_bot(folder_from(Path.cwd()) if NAME.fullmatch(bot) else Path.cwd(), bot)


def _no_decision(name: str, is_folder: bool, reason: Reason, view: Any) -> NoDecision:
    legal = ", ".join(view.legal[:12]) + (", ..." if len(view.legal) > 12 else "")
    lines = [f"{name}: {reason.text.rstrip()}", f"legal: {legal}", f"It was shown: {view}"]
    told = remedy(reason, file_of(name, is_folder))
    return NoDecision("\n".join(lines + ([f"remedy: {told}"] if told else [])))


def _here(bot: Any, view: Any, seed: bytes) -> object:
    """Return the answer of a bot in this process, by path or as it is."""
    generators = Generators()
    generators.begin(view.table, seed)
    with _drawing_from(generators, bot):
        if isinstance(bot, BotPath):
            with _loaded(bot) as module:
                kind = kind_of(module)
                return _answer(getattr(module, kind), kind, view, generators)
        kind = "Bot" if isinstance(bot, type) else getattr(bot, "__name__", "")
        return _answer(bot, kind, view, generators)


def _answer(player: Any, kind: str, view: Any, generators: Generators) -> object:
    generators.table = view.table
    if kind == "decide_many":
        generators.refusal = MANY_DRAWS
        answers = list(player([view], Batch(generators, [view.table])))
        if len(answers) != 1:
            raise ValueError(f"decide_many returned {len(answers)} decisions for 1 view")
        return answers[0]
    if kind == "Bot":
        return player(Game(view, generators)).decide(view)
    own = getattr(player, "decide", player)
    if not callable(own):
        raise UsageError(f"decide: found {shown(player)}; it takes a bot's path, name or function")
    return own(view)


@contextmanager
def _drawing_from(generators: Generators, bot: Any) -> Iterator[None]:
    """Have the functions of `random` draw from the generators: those of the module, and those that
    the module of a bot given as it is has taken from there by name.
    """
    own = {name: getattr(random, name) for name in FUNCTIONS}
    space = getattr(sys.modules.get(getattr(bot, "__module__", "")), "__dict__", {})
    generators.install()
    taken = {
        name: value
        for name, value in space.items()
        for function in own.values()
        if value is function
    }
    space.update({name: getattr(random, value.__name__) for name, value in taken.items()})
    try:
        yield
    finally:
        space.update(taken)
        for name, function in own.items():
            setattr(random, name, function)


@contextmanager
def _loaded(bot: BotPath) -> Iterator[ModuleType]:
    """Give the bot's module, executed as the arena does; its own modules are forgotten after it."""
    file = bot.path / ENTRY_FILE if bot.path.is_dir() else bot.path
    source = read_bot(bot)  # which says what is wrong with its files
    content = dict(source.files)[ENTRY_FILE]
    module = ModuleType("bot")
    module.__file__ = str(file.absolute())
    before, paths = {**sys.modules}, sys.path[:]
    sys.modules["bot"] = module
    if bot.path.is_dir():  # a bot of one file has nothing beside it
        sys.path.insert(0, str(bot.path.absolute()))
    try:
        exec(compile(content, module.__file__, "exec"), module.__dict__)
        yield module
    finally:
        sys.path[:] = paths
        home = str(bot.path.absolute())
        for name, each in {**sys.modules}.items():
            if each is module or (getattr(each, "__file__", None) or "").startswith(home + "/"):
                del sys.modules[name]
                if name in before:
                    sys.modules[name] = before[name]


def _behind_walls(path: BotPath, view: Any, seed: bytes) -> str:
    """Return the answer of a bot in a process of its own. Raises NoDecision, Unconfinable."""
    require_linux()
    from arena.plan.plan import check_walls
    from arena.process.zygote_client import ZygoteClient

    check_walls(path.path, remedy=UNWALLED)
    source = read_bot(path)
    bot = Bot(path.name, content_hash(source))
    hello = wire.Hello(view.game, games.changed(view.options))
    with snapshots({bot.name: source}, [bot]) as paths:
        zygote = ZygoteClient()
        try:
            process = zygote.start(Path(paths[bot.name]), Limits())
            reason, decision = process.load(), ""
            if reason is None:
                process.tell(hello)
                reply = process.ask([wire.Begun(view.table, seed)], [], [view])
                if isinstance(reply, Death):
                    reason = reply.reason
                else:
                    for _, kind, text in reply.failures:
                        if kind != "printed":
                            reason = Reason(kind, text)
                    decision = reply.decisions[0] if reply.decisions else ""
            process.end()
        finally:
            zygote.close()
    if reason is not None:
        raise _no_decision(path.name, path.path.is_dir(), reason, view)
    return decision
