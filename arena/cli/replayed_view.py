"""What commands that run bots again share: their limits, and recorded views in words."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import UNCONFINED, say, width
from arena.errors import ArenaError
from arena.words import amount

if TYPE_CHECKING:
    from arena.author.history import Archive, CurrentBot, RecordedGame
    from arena.author.replayer import Replayer
    from arena.model import Limits
    from arena.process import Reply
    from arena.store.store import Store

NO_SECRET = "a copy without the secret: the bot draws other random numbers than it did in the games"

File = Annotated[
    Path | None,
    typer.Option("--bot", metavar="PATH", help="The bot's file; default: its own in the league."),
]


def within(archive: "Archive", its_limits: bool) -> "Archive":
    """The archive with a reader's limits, unless its own are lower or trusted; prints any cut."""
    from arena.audit import bound_limits

    say(*limits_told(archive.limits, its_limits))
    return archive if its_limits else archive._replace(limits=bound_limits(archive.limits))


def limits_told(limits: "Limits", its_limits: bool) -> Iterator[str]:
    """A line on the limits that are lower for bots here than in the store, if there are any."""
    from arena.audit import bound_limits

    held = limits if its_limits else bound_limits(limits)
    less = [
        f"{name} {most} (of {given})"
        for name, most, given in zip(limits._fields, held, limits, strict=True)
        if given > most
    ]
    if less:
        listed = ", ".join(less)
        yield f"bots get less here than the store says: {listed}; --its-limits gives them all"


def say_cut(bots: Iterable[str]) -> None:
    """Say how many games those limits ended; `bots` has the bot that failed in each."""
    games = Counter(bots)
    if games:
        were = "was" if games.total() == 1 else "were"
        by_bot = ", ".join(f"{bot} {count:,}" for bot, count in sorted(games.items()))
        cut = amount(games.total(), "game")
        say(f"{cut} {were} cut short by that, and not compared: {by_bot}")


def require_walls(store: "Store", now: "CurrentBot", unconfined: bool) -> None:
    """Warn that the bot runs unconfined, or raise ArenaError where it cannot be confined."""
    from arena.plan import check_walls

    if unconfined:
        say(UNCONFINED)
    else:
        check_walls(store.path, now.path)


def check_loads(player: "Replayer", now: "CurrentBot") -> None:
    """Raise ArenaError where the bot cannot be loaded."""
    from arena.league.remedies import remedy
    from arena.reasons import in_a_line

    reason = player.problem()
    if reason:
        why, advice = in_a_line(reason), remedy(reason, now.path.name)
        advice = f"; {advice}" if advice and advice not in why else ""
        raise ArenaError(f"{now.path}: cannot be loaded: {why}{advice}")


def shown(game: "RecordedGame", number: int) -> list[str]:
    """A view and its legal decisions, as lines as wide as the terminal."""
    lines = textwrap.wrap(
        f"{game.view(number)!r}; legal: {', '.join(game.questions[number].legal)}", width() - 4,
        break_on_hyphens=False,
    )  # fmt: skip
    return [f"    {line}" for line in lines]


def short(reply: "Reply") -> str:
    """A reply in a line."""
    from arena.reasons import in_a_line

    return reply if isinstance(reply, str) else f"{reply.kind}: {in_a_line(reply)}"
