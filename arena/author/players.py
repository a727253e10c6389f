"""Bots of `play` and `duel`: where each runs, and what it plays its games with.

A file runs behind the walls, unless its content is a house bot's or the caller trusts it
(`confined=False`). Its name or place says nothing: a pull request may change a house bot in a
clone. Only copies are loaded, which have what is in the hash and nothing else: from a bot's folder,
Python also takes compiled modules, which are no part of the bot.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.author import decide
from arena.author.decide import InProcessBot
from arena.errors import UsageError
from arena.league.bots import HOUSE_BOTS, suggest_name
from arena.league.files import hash_source, read_bot, write_snapshots
from arena.model import Bot, Limits, Reason
from arena.sandbox import wire
from arena.sandbox.randomness import LOADING_SEED

if TYPE_CHECKING:
    from arena.author.replayer import Replayer


class Loaded(NamedTuple):
    """A bot that can sit down to games."""

    bot: Bot
    is_folder: bool
    sit: "Callable[[wire.Begun], InProcessBot | ConfinedBot]"  # for one game


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


@contextmanager
def load_bots(
    caller: str, bots: Sequence[Any], confined: bool | None, hello: wire.Hello
) -> Iterator[list[Loaded]]:
    """Load bots for a while, each for itself, and lend them the functions of `random`. Messages
    begin with the `caller`; `hello` is the game.

    Raises what a bot in this process raises; NoDecision where a confined one does not load;
    UsageError; Unconfinable.
    """
    paths = {
        str(number): decide.find_player(given)
        for number, given in enumerate(bots)
        if isinstance(given, str | Path)
    }
    if confined and len(paths) < len(bots):
        raise UsageError(f"{caller}: bots: found a function; {decide.ONLY_FILES}")
    sources = {key: read_bot(path) for key, path in paths.items()}
    files = {key: Bot(key, hash_source(source)) for key, source in sources.items()}
    trusted = () if confined else HOUSE_BOTS.values()
    walled = [key for key in files if confined is not False and files[key].hash not in trusted]
    loaded = []
    with ExitStack() as held:
        copies, generators = {}, held.enter_context(decide.lend_random(bots))
        if files and confined is not False:
            copies = held.enter_context(write_snapshots(sources, files.values()))
        if walled:
            decide.require_walls(*(paths[key].path for key in walled))
            from arena.author.replayer import Replayer
            from arena.process.zygote_client import ZygoteClient

            zygote = held.enter_context(closing(ZygoteClient()))
        for number, given in enumerate(bots):
            sit: Callable[[wire.Begun], InProcessBot | ConfinedBot]
            if (key := str(number)) not in files:
                bot = Bot(suggest_name(getattr(given, "__name__", type(given).__name__)), "")
                sit = partial(InProcessBot, *decide.take(caller, given), generators)
                loaded.append(Loaded(bot, False, sit))
                continue
            (name, path), source = paths[key], sources[key]
            if key in walled:
                player = Replayer(zygote, Path(copies[key]), Limits())
                held.enter_context(closing(player))
                if reason := player.problem():
                    raise decide.refuse(name, source.is_folder, None, reason)
                sit = partial(ConfinedBot, player, hello)
            else:
                home = Path(copies.get(key, path.absolute()))
                random.seed(LOADING_SEED)  # so that each draws the same numbers while it loads
                with decide.lend_imports(home):
                    sit = partial(InProcessBot, *decide.load(home, source), generators)
            loaded.append(Loaded(Bot(name, files[key].hash), source.is_folder, sit))
        yield loaded
