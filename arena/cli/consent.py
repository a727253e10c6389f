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

PACKED = "The bots ran outside the sandbox: this is only a trial, and its files say so."

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
        from arena.league.trust import find_trusted, trust

        bots = sorted({*bots})
        known = {*find_trusted()}
        asked = [bot for bot in bots if bot.hash not in known]
        if asked:
            names = ", ".join(bot.name for bot in asked)
            about = [
                "This system has no sandbox: a bot can do here whatever you can.",
                f"Neither house bots nor made here by `arena new`: {names}",
            ]
            confirm(about, "Run them?", "No bot was run")
            if typer.confirm(
                "Are they yours, so that Arena need not ask when they change?", err=True
            ):
                trust(*_find_files(asked))
        trust(*(bot.hash for bot in bots))  # of one's own too: results keep earlier versions
    say(UNCONFINED)


def _find_files(bots: Iterable["Bot"]) -> Iterator[str]:
    """Yield the paths of bots that lie in the league here."""
    from arena.league.bots import find_bot, find_league
    from arena.league.files import hash_source, read_bot

    for bot in bots:
        with suppress(UsageError):
            here = find_bot(find_league(Path.cwd()), bot.name)
            if hash_source(read_bot(here)) == bot.hash:
                yield str(here.path.resolve())
