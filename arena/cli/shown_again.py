"""What `arena debug` and `arena rerun` share: a recorded game's views, shown to a bot of today."""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import UNCONFINED, say, width
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.author.asking import Asked, Past, Reply
    from arena.author.today import Today
    from arena.store.store import Store

NO_SECRET = "a copy without the secret: the bot draws other random numbers than it did in the games"

File = Annotated[
    Path | None,
    typer.Option("--bot", metavar="PATH", help="The bot's file; default: its own in the league."),
]


def check_walls(store: "Store", now: "Today", unconfined: bool) -> None:
    """Say that there are no walls, or raise ArenaError where there are none to be had."""
    from arena.plan import plan

    if unconfined:
        say(UNCONFINED)
    else:
        plan.check_walls(store.path, now.path)


def check_loads(player: "Asked", now: "Today") -> None:
    """Raise ArenaError where the bot cannot be loaded."""
    from arena.author.causes import what
    from arena.league.remedies import remedy

    reason = player.problem()
    if reason:
        why, told = what(reason.text), remedy(reason, now.path.name)
        told = f"; {told}" if told and told not in why else ""
        raise ArenaError(f"{now.path}: cannot be loaded: {why}{told}")


def shown(past: "Past", number: int) -> list[str]:
    """Return a view, as wide as the terminal."""
    lines = textwrap.wrap(
        f"{past.view(number)!r}; legal: {', '.join(past.questions[number].legal)}", width() - 4,
        break_on_hyphens=False,
    )  # fmt: skip
    return [f"    {line}" for line in lines]


def short(reply: "Reply") -> str:
    """Return a reply in a line."""
    from arena.author.causes import what

    return reply if isinstance(reply, str) else f"{reply.kind}: {what(reply.text)}"
