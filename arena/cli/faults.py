"""Why bots fail: `arena faults` groups it by cause, `arena logs` prints it.

Also the summary of faults at the end of `arena tournament` and `arena match`.
"""

import json as jsons
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import Past, Results, near, out, say
from arena.errors import UsageError
from arena.words import amount

if TYPE_CHECKING:
    from arena.author.causes import Faulty
    from arena.cli.documents import FaultCause
    from arena.store.logs import KeptFault
    from arena.store.store import Store

SHOWN = 10  # most bots at the end of a tournament
UNTOLD = " (no text: those kept filled output_kib)"
EXPORTED = " (no text: an export has none)"
PRINTS_NOT_EXPORTED = "what it printed is in no export"


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
        bots = list(faulty(store, None if bot is None else {bot}, past=past))
    if json:
        out(encode([cause for each in bots for cause in _causes(each)]))
        return
    for each in bots:
        summary = [forfeits_in_words(each.kinds)] if each.kinds else []
        summary += [ends] if (ends := ends_in_words(each.causes)) else []
        out(f"{each.bot}: {', '.join(summary)}")
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
        for each in bots
        for cause in each.causes
        if cause.first and cause.kind not in ("load", "strikes")  # these showed no view
    ]
    if places and not past:  # with --all the bot may be mended or gone
        words = f"arena debug {results} {places[0]} --trace"
        say(f"To see how a bot failed, behind the walls: {words}")
    if not bots:
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
    """Say why these bots forfeited games or failed in `end`, and which commands tell more."""
    from arena.author.causes import faulty, in_short
    from arena.store.store import Store

    with closing(Store.open(folder, checked=True)) as store:
        faulty_bots = list(faulty(store, bots, beside))
    if not faulty_bots:
        return
    say("")
    for each in faulty_bots[:SHOWN]:
        say(*in_short(each))
    if len(faulty_bots) > SHOWN:
        say(f"and {len(faulty_bots) - SHOWN} more bots")
    results, bot = near(folder), faulty_bots[0].bot if len(faulty_bots) == 1 else "BOT"
    say(f"All of it: arena faults {results}", f"Views and prints: arena logs {results} {bot}")


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
        text = with_view(reason, file, seat)
        out(f"game {game}, seat {seat}, action {action}: {reason.kind}{'' if text else untold}")
        _show(text, remedy(reason, file))
        out(f"    replay: arena replay {results} {game} --at {action}")
    if total > len(faults):
        out(f"... and {total - len(faults):,} more faults (--most)")
    ends = 0
    for pool, failed, notes, lines in sessions:
        ends += sum(end.times for end in failed)
        for times, reason in failed[:most]:
            text = in_full(reason, file)
            out(f"{pool}: in end, {amount(times, 'game')}{'' if text else untold}")
            _show(text, remedy(reason, file))
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
    """Print a file of tests, one for each view that the bot failed on."""
    from arena.records.as_test import HEAD, write_test
    from arena.store import logs

    tests, unasked = [], 0
    for game, fault in faults:
        ((_, line),) = store.find(game)
        try:
            failed = logs.failed_in(store, game)
            tests.append(write_test(jsons.loads(line), fault.action, game, fault.seat, failed))
        except UsageError:  # it failed at loading, or for its other games
            unasked += 1
    if tests:
        file = HEAD + "\n\n".join(tests)
        out(*file.splitlines())
    say(f"{len(tests):,} views as tests; {unasked:,} faults without a view")
