"""One question to a bot, asked as the arena would: the same interface, the same random numbers.

The bot is confined, as in a tournament. Or it runs in the caller's process without sandbox and
limits (`InProcessBot`), so that a test's traceback and a debugger reach its lines; it is asked as
`arena.sandbox.harness` asks it, but one view at a time, and its exceptions reach the caller.
"""

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import games
from arena.errors import UsageError, require_linux
from arena.league import (
    ENTRY_FILE,
    NAME,
    BotPath,
    Source,
    find_bot,
    find_house_bots,
    find_league,
    hash_source,
    read_bot,
    write_snapshots,
)
from arena.model import Bot, Limits, Reason, file_of
from arena.process import reason_of
from arena.reasons import in_full
from arena.sandbox import wire
from arena.sandbox.capture import is_word, no_decision, plain
from arena.sandbox.harness import MANY_DRAWS, Game, kind_of
from arena.sandbox.randomness import FUNCTIONS, Batch, Generators
from arena.store import remedy
from arena.words import shown


class NoDecision(AssertionError):
    """A bot's answer was not legal; or, confined, it gave none."""


UNWALLED = "decide(..., confined=False) runs your own bot without a sandbox"


def decide(bot: Any, view: Any, *, seed: int = 0, confined: bool | None = None) -> str:
    """What a bot decides in the game of a view, one of `view.legal`.

    `bot` is a path (`bots/thrifty.py`, or a folder with a `bot.py`) or a name in the league's
    folder `bots/`; or a function `decide(view)`, a class such as `Bot`, whose instance is new each
    time, an object with a method `decide`, or a function called `decide_many`. It draws from the
    generator of a game with that `seed`, whether by `random`, `game.rng` or `rngs[0]`: the same
    seed gives the same decision.

    A bot given by path or name is confined and limited as in a tournament. `confined=False` is for
    a bot of your own: it runs in this process with all of your permissions, no limit ends it, and
    its exceptions reach the caller. Functions, classes and objects always run in this process.
    Raises NoDecision, an AssertionError, where the answer is not legal; UsageError for a wrong bot
    or view; Unconfinable where bots cannot be confined.
    """
    if not hasattr(view, "legal") or not hasattr(view, "table"):
        raise UsageError(f"decide: found {shown(view)}; expected a view made by view_of() or at()")
    named = isinstance(bot, str | Path)
    if confined and not named:
        raise UsageError(
            f"decide: found {shown(bot)}; with confined=True, give a bot's path or name"
        )
    path = find_player(bot) if named else None
    numbers = (seed % (1 << 128)).to_bytes(16, "little")
    if path and confined is not False:
        answer: object = _ask_confined(path, view, numbers)
    else:
        answer = _ask_here(bot, path, view, numbers)
    if is_word(answer) and answer in view.legal:
        return str(answer)
    name = path.name if path else getattr(bot, "__name__", type(bot).__name__)
    raise refuse(name, path is not None and path.path.is_dir(), view, answer)


def find_player(given: str | Path) -> BotPath:
    """Find a bot by its path, or by its name in the league, else among the house bots. Raises
    UsageError.
    """
    try:
        is_name = NAME.fullmatch(str(given))
        return find_bot(find_league(Path.cwd()) if is_name else Path.cwd(), str(given))
    except UsageError:
        house = {bot.name: bot for bot in find_house_bots()}
        if str(given) not in house:
            raise
        return house[str(given)]


def refuse(name: str, is_folder: bool, view: Any, answer: object) -> NoDecision:
    """Describe an answer that is not legal, or the reason why there is none."""
    if isinstance(answer, Reason):
        reason = answer
    elif is_word(answer):
        reason = Reason("illegal", f"it answered {answer!r}, which is not legal")
    else:
        reason = reason_of(no_decision(0, answer))
    legal = ", ".join(view.legal[:12]) + (", ..." if len(view.legal) > 12 else "")
    lines = [f"{name}: {in_full(reason)}", f"legal: {legal}", f"It was shown: {view}"]
    advice = remedy(reason, file_of(name, is_folder))
    return NoDecision("\n".join(lines + ([f"remedy: {advice}"] if advice else [])))


def _ask_confined(path: BotPath, view: Any, seed: bytes) -> str | Reason:
    """Ask a bot in a process of its own. Raises Unconfinable."""
    require_linux()
    from arena.plan import check_walls
    from arena.process import Asker, ZygoteClient

    check_walls(path.path, remedy=UNWALLED)
    source = read_bot(path)
    bot = Bot(path.name, hash_source(source))
    with write_snapshots({bot.name: source}, [bot]) as paths, closing(ZygoteClient()) as zygote:
        asker = Asker(partial(zygote.start, Path(paths[bot.name]), Limits()))
        reply: str | Reason | None = asker.load()
        if reply is None:
            asker.tell(wire.Hello(view.game, games.changed(view.options)))
            reply = asker.ask_one([wire.Begun(view.table, seed)], view)
        asker.end()
    return reply


def _ask_here(bot: Any, path: BotPath | None, view: Any, seed: bytes) -> object:
    """Ask a bot in this process; `path` is None for a function, class or object."""
    home = path.path.absolute() if path else None
    with lend_random([bot]) as generators, lend_imports(home):
        generators.begin(view.table, seed)
        loaded = load(home, read_bot(path)) if path and home else take("decide", bot)
        return InProcessBot(*loaded, generators).decide(view)


def take(caller: str, bot: Any) -> tuple[str, Any]:
    """The kind of a bot that is no file, and its function or class. Raises UsageError, its message
    begun with the `caller`.
    """
    if isinstance(bot, type):
        return "Bot", bot
    given = getattr(bot, "decide", bot)
    if not callable(given):
        raise UsageError(f"{caller}: found {shown(bot)}; expected a bot's path, name or function")
    return getattr(bot, "__name__", ""), given


@contextmanager
def lend_random(bots: Iterable[object]) -> Iterator[Generators]:
    """Give `random`'s functions other generators for a while. In the end all is as before.

    Names that the modules of these functions and classes imported from `random` use them, too.
    """
    generators = Generators()
    functions = {name: getattr(random, name) for name in FUNCTIONS}
    modules = {sys.modules.get(getattr(bot, "__module__", "")) for bot in bots}
    imported = [
        (module, name, value)
        for module in modules - {None, random}
        for name, value in vars(module).items()
        if any(value is function for function in functions.values())
    ]
    generators.install()
    for module, name, value in imported:
        setattr(module, name, getattr(random, value.__name__))
    try:
        yield generators
    finally:
        for module, name, value in [*imported, *((random, *item) for item in functions.items())]:
            setattr(module, name, value)


@contextmanager
def lend_imports(path: Path | None) -> Iterator[None]:
    """Let the bot at `path`, if it is a folder, import its own modules for a while. In the end none
    of them is left.
    """
    modules, paths = {**sys.modules}, sys.path[:]
    if path and path.is_dir():  # a bot of one file has nothing beside it
        sys.path.insert(0, str(path))
    try:
        yield
    finally:
        sys.path[:] = paths
        for name, module in {**sys.modules}.items():
            if path and is_own(path, getattr(module, "__file__", None)):
                del sys.modules[name]
                if name in modules:
                    sys.modules[name] = modules[name]


def is_own(path: Path, file: str | None) -> bool:
    """Whether a file belongs to the bot at `path`."""
    return file is not None and (
        file.startswith(f"{path}/") if path.is_dir() else file == str(path)
    )


def call_plainly(function: Callable[..., Any], *given: Any) -> Any:
    """Call a bot's code without a debugger."""
    return function(*given)


def load(path: Path, source: Source, call: Callable[..., Any] = call_plainly) -> tuple[str, Any]:
    """Load the bot at `path`: its kind, and the function or class that its module defines.

    `call` calls its first argument, a function, with the others, here and below. Raises whatever
    the bot raises, and LookupError if it defines no bot.
    """
    file = str(path / ENTRY_FILE if path.is_dir() else path)
    module = sys.modules["bot"] = ModuleType("bot")
    module.__file__ = file
    call(exec, compile(dict(source.files)[ENTRY_FILE], file, "exec"), module.__dict__)
    try:
        kind = kind_of(module)
    except LookupError as error:
        error.add_note(f"{file} was loaded as a bot")
        raise
    return kind, getattr(module, kind)


class InProcessBot:
    """A bot that plays one seat of one game, which its generators have begun."""

    def __init__(self, kind: str, given: Any, generators: Generators) -> None:
        self._kind, self._given, self._generators = kind, given, generators
        self._refusal = MANY_DRAWS if kind == "decide_many" else ""
        self._bot: Any = None  # an instance of the class `Bot`

    def decide(self, view: Any, call: Callable[..., Any] = call_plainly) -> object:
        """The reply to a view. Raises whatever the bot raises."""
        self._generators.table, self._generators.refusal = view.table, self._refusal
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

    def end(self, table: int, result: dict[str, Any]) -> None:
        """Tell an instance of `Bot` the result, if it wants to know. Raises what it raises."""
        if callable(end := getattr(self._bot, "end", None)):
            self._generators.table = table
            end(games.Result(result))
