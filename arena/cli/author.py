"""The commands for a bot's author: `arena logs`."""

import re
from contextlib import closing
from typing import Annotated

import typer

from arena.cli.terminal import Results, out, say


def logs_command(
    results: Results,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Name of the bot.")],
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Show N faults and N printed lines at most.")
    ] = 10,
) -> None:
    """Print a bot's faults and its output, for its author."""
    from arena.ids import bots_key, is_secret
    from arena.league.remedies import remedy
    from arena.store import logs
    from arena.store.store import Store

    with closing(Store.open(results)) as store:
        faults, total = logs.faults_of_bot(store, bot, most)
        sessions = logs.printed_by(store, bot)
        secret, games = store.meta("secret"), dict[int, str]()
        if sessions and is_secret(secret):
            games = logs.tables_of_bot(store, bot, bots_key(secret))
    for game, (seat, action, reason) in faults:
        untold = "" if reason.text else " (no text: those kept filled output_kib)"
        out(f"game {game}, seat {seat}, action {action}: {reason.kind}{untold}")
        for line in reason.text.splitlines():
            out(f"    {line}")
        told = remedy(reason, f"{bot}.py")
        if told:
            out(f"    remedy: {told}")
    if total > len(faults):
        out(f"... and {total - len(faults):,} more faults (--most)")
    for pool, notes, printed in sessions:
        for note in notes[:most]:
            out(f"{pool}: {note}")
        lines = printed.splitlines()
        for line in lines[:most]:
            out(f"{pool}: {_where_printed(line, games)}")
        if len(lines) > most:
            out(f"{pool}: ... and {len(lines) - most:,} more lines (--most)")
    say(
        f"{bot}: {total:,} faults, {sum(len(p.splitlines()) for *_, p in sessions):,} lines printed"
    )


def _where_printed(line: str, games: dict[int, str]) -> str:
    """Return a line of output, with the id of the game that its table is, if it is one."""
    found = re.match(r"table (\d{1,16}), decision ", line)
    game = games.get(int(found[1])) if found else None
    return f"game {game}{line[found.end(1) :]}" if found and game else line
