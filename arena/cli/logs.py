"""The commands for a bot's author: `arena logs`."""

import json
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import Past, Results, out, say
from arena.errors import UsageError
from arena.words import amount

if TYPE_CHECKING:
    from arena.store.logs import KeptFault
    from arena.store.store import Store

UNTOLD = " (no text: those kept filled output_kib)"
EXPORTED = " (no text: an export has none)"
PRINTS_NOT_EXPORTED = "what it printed is in no export"


def logs_command(
    results: Results,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Name of the bot.")],
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Show N faults and N printed lines at most.")
    ] = 10,
    past: Past = False,
    as_test: Annotated[
        bool, typer.Option("--as-test", help="Print tests of the bot: the views it failed on.")
    ] = False,
) -> None:
    """Print a bot's faults and its output, for its author."""
    from arena.league.remedies import remedy
    from arena.reasons import in_full, with_view
    from arena.store import logs
    from arena.store.store import Store

    with closing(Store.open(results)) as store:
        kept = logs.Logs(store, past)
        untold = EXPORTED if store.public else UNTOLD
        faults, total = kept.faults_of(bot, most)
        sessions, file = kept.sessions_of(bot), kept.file_of(bot)
        if as_test:
            _print_tests(store, faults)
            return
    for game, (seat, action, reason) in faults:
        told = with_view(reason, file, seat)
        out(f"game {game}, seat {seat}, action {action}: {reason.kind}{'' if told else untold}")
        _show(told, remedy(reason, file))
        out(f"    replay: arena replay {results} {game} --at {action}")
    if total > len(faults):
        out(f"... and {total - len(faults):,} more faults (--most)")
    ends = 0
    for pool, failed, notes, lines in sessions:
        ends += sum(end.times for end in failed)
        for times, reason in failed[:most]:
            told = in_full(reason, file)
            out(f"{pool}: in end, {amount(times, 'game')}{'' if told else untold}")
            _show(told, remedy(reason, file))
        for note in notes[:most]:
            out(f"{pool}: {note}")
        for line in lines[:most]:
            out(f"{pool}: {line}")
        if len(lines) > most:
            out(f"{pool}: ... and {len(lines) - most:,} more lines (--most)")
    counts = [f"{total:,} faults"] + ([f"end failed in {amount(ends, 'game')}"] if ends else [])
    printed_lines = sum(len(lines) for *_, lines in sessions)
    counts += [f"{printed_lines:,} lines printed" if untold == UNTOLD else PRINTS_NOT_EXPORTED]
    say(f"{bot}: {', '.join(counts)}")


def _show(text: str, remedy: str) -> None:
    for line in text.splitlines():
        out(f"    {line}")
    if remedy:
        out(f"    remedy: {remedy}")


def _print_tests(store: "Store", faults: "list[KeptFault]") -> None:
    """Print a file of tests, one of each view that the bot failed on."""
    from arena.author.recorded import write_test
    from arena.records.as_test import HEAD
    from arena.store import logs

    tests, unasked = [], 0
    for game, fault in faults:
        ((_, line),) = store.find(game)
        try:
            failed = logs.failed_in(store, game)
            tests.append(write_test(json.loads(line), fault.action, game, fault.seat, failed))
        except UsageError:  # it failed by loading, or for its other games
            unasked += 1
    if tests:
        file = "\n\n".join([HEAD, *tests])
        out(*file.splitlines())
    say(f"{len(tests):,} views as tests; {unasked:,} faults without a view")
