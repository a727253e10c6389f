"""The command `arena faults`, and what tournament and match say of faults in the end."""

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import Past, Results, near, out, say

if TYPE_CHECKING:
    from arena.author.causes import Faulty
    from arena.cli.documents import FaultCause

SHOWN = 10  # bots at the end of a tournament


def faults_command(
    results: Results,
    bot: Annotated[
        str | None, typer.Argument(metavar="[BOT]", help="Name of a bot; default: all bots.")
    ] = None,
    past: Past = False,
    json: Annotated[bool, typer.Option("--json", help="Print the causes as JSON.")] = False,
) -> None:
    """Say why bots forfeited games, grouped by cause, the worst first."""
    from arena.author.causes import ends_in_words, faulty, forfeits_in_words
    from arena.store.logs import Logs
    from arena.store.store import Store
    from arena.typed_json import encode

    with closing(Store.open(results)) as store:
        if bot is not None:
            Logs(store, past).check_bot(bot)
        found = list(faulty(store, None if bot is None else {bot}, past=past))
    if json:
        out(encode([cause for each in found for cause in _causes(each)]))
        return
    for each in found:
        told = [forfeits_in_words(each.kinds)] if each.kinds else []
        told += [ends] if (ends := ends_in_words(each.causes)) else []
        out(f"{each.bot}: {', '.join(told)}")
        for cause in each.causes:
            kind = "in end" if cause.kind == "end" else cause.kind
            out(f"    {cause.times:,} x {kind}: {cause.what}{cause.place}")
            if cause.remedy and cause.remedy not in cause.what:
                out(f"        {cause.remedy}")
            if cause.first:
                game, (seat, action, _) = cause.first
                out(f"        seat {seat}: arena replay {results} {game} --at {action}")
    places = [
        f"{cause.first.game}:{cause.first.fault.seat}"
        for each in found
        for cause in each.causes
        if cause.first and cause.kind not in ("load", "strikes")  # at which no view was shown
    ]
    if places and not past:  # a bot that was mended or removed fails no more
        words = f"arena debug {results} {places[0]} --trace"
        say(f"To see how a bot failed, behind the walls: {words}")
    if not found:
        say("no fault" if bot is None else f"{bot}: no fault")


def _causes(each: "Faulty") -> "list[FaultCause]":
    from arena.cli.documents import FaultCause

    return [
        FaultCause(
            bot=each.bot, file=cause.file, kind=cause.kind, times=cause.times, what=cause.what,
            where=cause.where or None, remedy=cause.remedy or None,
            game=cause.first and cause.first.game,
            seat=cause.first and cause.first.fault.seat,
            action=cause.first and cause.first.fault.action,
        )
        for cause in each.causes
    ]  # fmt: skip


def say_faults(folder: Path, bots: Collection[str], beside: Collection[str]) -> None:
    """Say of each of these bots that forfeited games, or whose `end` failed, why, and where there
    is more.
    """
    from arena.author.causes import faulty, in_short
    from arena.store.store import Store

    with closing(Store.open(folder, checked=True)) as store:
        found = list(faulty(store, bots, beside))
    if not found:
        return
    say("")
    for each in found[:SHOWN]:
        say(*in_short(each))
    if len(found) > SHOWN:
        say(f"and {len(found) - SHOWN} more bots")
    results, bot = near(folder), found[0].bot if len(found) == 1 else "BOT"
    say(f"All of it: arena faults {results}", f"Views and prints: arena logs {results} {bot}")
