"""Consent to run bots where nothing confines them: given once, by the bots' names."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli.terminal import confirm, say
from arena.errors import UsageError
from arena.system.abilities import HAS_WALLS

if TYPE_CHECKING:
    from arena.model import Bot

UNCONFINED = (
    "warning: --unconfined: bots run with your permissions, without a sandbox; "
    "run only bots you trust"
    if HAS_WALLS
    else "warning: this system has no sandbox: bots run with your permissions; "
    "limits and sandbox were not tried here"
)

TRIAL = (
    "bots ran outside the sandbox, so this is only a trial; --unconfined publishes it all the same"
)

AGREED = ContextVar("AGREED", default=False)
"""True once the command's own words agree to run any bot without a sandbox."""


def choose_unconfined(value: bool) -> bool:
    """True if bots run without walls: as the option says, or because the system has none."""
    AGREED.set(value)
    return value or not HAS_WALLS


def allow_unconfined(bots: Iterable["Bot"]) -> None:
    """Warn that bots run without walls. Where the system has none, ask about those that are neither
    house bots nor the user's own, and that were not asked about before.

    Raises UsageError where there is no terminal to ask at, typer.Exit if the answer is no.
    """
    if not (HAS_WALLS or AGREED.get()):
        bots = sorted({*bots})
        known = {*_find_known()}
        asked = [bot for bot in bots if bot.hash not in known]
        if asked:
            names = ", ".join(bot.name for bot in asked)
            about = [
                "This system has no sandbox: a bot can do here whatever you can.",
                f"Neither house bots nor made here by `arena new`: {names}",
            ]
            confirm(about, "Run them?", "No bot was run")
            if typer.confirm("Also after they have changed, as they are yours?", err=True):
                remember(*_find_files(asked))
        remember(*(bot.hash for bot in bots))  # of one's own too: results keep earlier versions
    say(UNCONFINED)


def remember(*lines: str) -> None:
    """Note hashes of bots that may run, and paths of the user's own. Only where there are no
    walls; where it cannot be written, the user is asked again.
    """
    if not HAS_WALLS and (new := [line for line in lines if line not in _read()]):
        with suppress(OSError):
            _file().parent.mkdir(parents=True, exist_ok=True)
            with _file().open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in new)


def _file() -> Path:
    return Path(typer.get_app_dir("arena")) / "trusted.txt"


def _read() -> list[str]:
    with suppress(OSError):
        return _file().read_text("utf-8").splitlines()
    return []


def _find_known() -> Iterator[str]:
    """Yield the hashes of bots that need no consent."""
    from arena.league.bots import HOUSE_BOTS, BotPath
    from arena.league.files import hash_source, read_bot

    yield from HOUSE_BOTS.values()
    for line in _read():
        yield line
        if (path := Path(line)).is_absolute():
            with suppress(UsageError):  # it is gone
                yield hash_source(read_bot(BotPath(path.stem, path)))


def _find_files(bots: Iterable["Bot"]) -> Iterator[str]:
    """Yield the paths of bots that lie in the league here."""
    from arena.league.bots import find_bot, find_league
    from arena.league.files import hash_source, read_bot

    for bot in bots:
        with suppress(UsageError):
            here = find_bot(find_league(Path.cwd()), bot.name)
            if hash_source(read_bot(here)) == bot.hash:
                yield str(here.path.resolve())
