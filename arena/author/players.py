"""Bots of `decide`, `play` and the like: where each runs, and what it plays its games with.

A file runs behind the walls, unless its content is a house bot's or the caller trusts it
(`confined=False`). Its name or place says nothing: a pull request may change a house bot in a
clone. Only copies are loaded, which have what is in the hash and nothing else: from a bot's folder,
Python also takes compiled modules, which are no part of the bot.
"""

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.errors import Unconfinable, UsageError
from arena.faults.kinds import FaultKind
from arena.faults.reasons import in_full, wrong_word
from arena.faults.remedies import remedy
from arena.league.bots import (
    ENTRY_FILE,
    HOUSE_BOTS,
    NAME,
    BotPath,
    find_bot,
    find_house_bots,
    find_league,
    suggest_name,
)
from arena.league.files import Source, hash_source, read_bot, write_snapshots
from arena.league.trust import find_trusted
from arena.model import Bot, Limits, Reason, file_of
from arena.plan.plan import check_walls
from arena.process.death import reason_of
from arena.sandbox import folder, wire
from arena.sandbox.capture import is_word, no_decision
from arena.sandbox.harness import kind_of
from arena.sandbox.randomness import FUNCTIONS, LOADING_SEED, Generators
from arena.sandbox.seated import InProcessBot, lend_imports
from arena.system.abilities import HAS_WALLS
from arena.words import spell

if TYPE_CHECKING:
    from arena.author.replayer import Replayer


class NoDecision(AssertionError):
    """A bot's answer was not legal; or, confined, it gave none."""

    kind: FaultKind = "illegal"


UNWALLED = "confined=False runs the bot without a sandbox, with all of your permissions"


class ConfinedBot:
    """A bot behind the walls that plays one seat of one game."""

    def __init__(self, player: "Replayer", hello: wire.Hello, begun: wire.Begun) -> None:
        self._player, self._hello, self._begun = player, hello, [begun]
        self._table = begun.table

    def decide(self, view: Any) -> object:
        """The reply to a view: a Reason where the bot gave none."""
        begun, self._begun = self._begun, []
        return self._player.ask(self._hello, begun, tuple(view))

    def end(self, result: dict[str, Any] | None) -> Reason | None:
        """Tell the bot the result, if there is one: the reason why that failed, if it did."""
        return None if self._begun else self._player.finish(self._table, result)


class Loaded(NamedTuple):
    """A bot that can sit down to games."""

    bot: Bot
    is_folder: bool
    sit: Callable[[wire.Begun], InProcessBot | ConfinedBot]  # for one game

    def refuse(self, view: Any, answer: object) -> NoDecision:
        """Describe an answer that is not legal, or the reason why there is none; `view` is None
        where the bot was asked for no decision.
        """
        if isinstance(answer, Reason) and not answer.played:
            reason = answer
        elif is_word(word := answer.played if isinstance(answer, Reason) else answer):
            reason = wrong_word(word, f"it answered {word!r}, which is not legal", ())
        else:
            reason = reason_of(no_decision(0, answer))
        lines = [f"{self.bot.name}: {in_full(reason)}"]
        if view is not None:
            legal = ", ".join(view.legal[:12]) + (", ..." if len(view.legal) > 12 else "")
            lines += [f"legal: {legal}", f"It was shown: {view}"]
        advice = remedy(reason, file_of(self.bot.name, self.is_folder))
        error = NoDecision("\n".join(lines + ([f"remedy: {advice}"] if advice else [])))
        error.kind = reason.kind
        return error


@contextmanager
def load_bots(
    caller: str, bots: Sequence[Any], confined: bool | None, hello: wire.Hello, limits: Limits
) -> Iterator[list[Loaded]]:
    """Load bots for a while, each for itself, and lend them the functions of `random`. Messages
    begin with the `caller`; `hello` is the game; `limits` are those of confined bots.

    Raises what a bot in this process raises; NoDecision where a confined one does not load;
    UsageError; Unconfinable.
    """
    loaded, client = list[Loaded](), None
    sit: Callable[[wire.Begun], InProcessBot | ConfinedBot]
    with ExitStack() as held:
        generators = held.enter_context(_lend_random(bots))
        for given in bots:
            if not isinstance(given, str | Path):
                if confined:
                    is_no_file = "with confined=True, give a bot's path or name"
                    raise UsageError(f"{caller}: found {spell(given)}; {is_no_file}")
                name = suggest_name(getattr(given, "__name__", type(given).__name__))
                sit = partial(InProcessBot, *_take(caller, given), generators)
                loaded.append(Loaded(Bot(name, ""), False, sit))
                continue
            name, path = find_player(given)
            source, home = read_bot(BotPath(name, path)), path.absolute()
            bot = Bot(name, hash_source(source))
            if confined is not False:
                copies = held.enter_context(write_snapshots({name: source}, [bot]))
                home = Path(copies[name])
            if confined is False or (not confined and bot.hash in HOUSE_BOTS.values()):
                random.seed(LOADING_SEED)  # so that each draws the same numbers while it loads
                with lend_imports(home):
                    sit = partial(InProcessBot, *_load(home, source), generators)
                loaded.append(Loaded(bot, source.is_folder, sit))
                continue
            _require_walls(path, bot.hash)
            from arena.author.replayer import Replayer
            from arena.process.launch import start_client

            client = client or held.enter_context(closing(start_client(True)))
            player = held.enter_context(closing(Replayer(client, home, limits)))
            loaded.append(Loaded(bot, source.is_folder, partial(ConfinedBot, player, hello)))
            if reason := player.problem():
                raise loaded[-1].refuse(None, reason)
        yield loaded


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


def _require_walls(path: Path, hash: str) -> None:
    """Raise Unconfinable where there are no walls for a bot that is not trusted to run without,
    with what `confined=False` does there.
    """
    if HAS_WALLS:
        check_walls(path, remedy=UNWALLED)
    elif hash not in find_trusted():
        raise Unconfinable(
            f"{path}: bots of others need Linux, where they are sandboxed; {UNWALLED}"
        )


def _take(caller: str, bot: Any) -> tuple[str, Any]:
    """The kind of a bot that is no file, and its function or class. Raises UsageError, its message
    begun with the `caller`.
    """
    if isinstance(bot, type):
        return "Bot", bot
    given = getattr(bot, "decide", bot)
    if not callable(given):
        raise UsageError(f"{caller}: found {spell(bot)}; expected a bot's path, name or function")
    return getattr(bot, "__name__", ""), given


@contextmanager
def _lend_random(bots: Iterable[object]) -> Iterator[Generators]:
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


def _load(path: Path, source: Source) -> tuple[str, Any]:
    """Load the bot at `path`: its kind, and the function or class that its module defines. Raises
    whatever the bot raises, and LookupError if it defines no bot.
    """
    file = str(path / ENTRY_FILE if path.is_dir() else path)
    module = folder.load(file, dict(source.files)[ENTRY_FILE], path.is_dir())
    try:
        kind = kind_of(module)
    except LookupError as error:
        error.add_note(f"{file} was loaded as a bot")
        raise
    return kind, getattr(module, kind)
