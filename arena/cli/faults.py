"""Faults of bots: `arena faults` groups them by cause, `arena logs` prints them.

Also the summary of faults at the end of `arena tournament` and `arena match`.
"""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.commands import WHY, Answer, command
from arena.cli.options import AllVersions, Results, argument, flag, open_store, option
from arena.cli.terminal import near, out, rewrite_commands, say
from arena.words import amount

if TYPE_CHECKING:
    from arena.cli.documents import FaultCause
    from arena.faults.causes import Cause
    from arena.model import Reason
    from arena.store.store import Store
    from arena.tables.document import Standings

SHOWN = 40  # most bots at the end of a tournament: a class
UNTOLD = " (no text: max_output_kib was full)"
EXPORTED = " (no text: exports have none)"
PRINTS_NOT_EXPORTED = "exports have no printed output"


@command(WHY)
def faults_command(
    results: Results,
    bot: str | None = argument("BOT", "Name of a bot (default: all bots).", default=None),
    past: AllVersions = False,
    as_test: bool = flag(
        "--as-test", "Print a test for each cause, which plays its first game again."
    ),
) -> Answer:
    """List forfeited games and bots that do not load, by cause, with what to do.

    Example: arena faults first
    Example: arena faults first mine --as-test
    Exit codes: 0; 1; 2; 130
    """
    from arena.cli.documents import FaultCauses
    from arena.faults.causes import describe_end_failures, describe_forfeits
    from arena.faults.kinds import UNASKED, name_kind
    from arena.store.logs import Logs, find_faulty_bots

    with open_store(results) as store:
        if bot is not None:
            Logs(store, past).check_bot(bot)
        bots = list(find_faulty_bots(store, None if bot is None else {bot}, past=past))
        if as_test:
            _print_tests(store, [cause for faulty_bot in bots for cause in faulty_bot.causes])
            return Answer()
    causes = [_document(faulty.bot, cause) for faulty in bots for cause in faulty.causes]

    def show() -> None:
        shown = []  # bots that failed on a view
        for faulty in bots:
            causes = faulty.causes
            kinds = describe_forfeits(faulty.kinds, causes), describe_end_failures(causes)
            out(f"{faulty.bot}: {', '.join(filter(None, kinds))}")
            for cause in causes:
                times = f"{cause.times:,} x " if cause.times else ""
                out(f"    {times}{name_kind(cause.kind)}: {cause.message}{cause.place}")
                if cause.remedy and cause.remedy not in cause.message:
                    out(rewrite_commands(f"        {cause.remedy}"))
                if cause.first:
                    game, (seat, action, _) = cause.first
                    replay = f"arena replay {near(results)} {game} --at {action}"
                    out(rewrite_commands(f"        seat {seat}: {replay}"))
                    shown += [faulty.bot] if cause.kind not in UNASKED else []
        if shown and not past:  # with --all the bot may be mended or gone
            words = f"arena faults {near(results)} {shown[0]} --as-test > test_faults.py"
            say(f"To repeat such a game in a test: {words}")
        if not bots:
            say("No faults." if bot is None else f"{bot}: no faults")

    return Answer(FaultCauses(causes=causes), show)


def _print_tests(store: "Store", causes: "list[Cause]") -> None:
    from arena.author.archive import find_game, read_archive
    from arena.author.game_tests import read_game_test, write_game_tests

    archive = read_archive(store)
    tests = [
        read_game_test(
            store, archive, find_game(store, cause.first.game), cause.first.fault.seat,
            f"{cause.kind}: {cause.message}{cause.place}",
        )
        for cause in causes
        if cause.first and cause.kind != "strikes"
    ]  # fmt: skip
    if tests:
        out(*write_game_tests(tests).splitlines())
    say(f"{amount(len(tests), 'test')} for {amount(len(causes), 'cause')}")


def _document(bot: str, cause: "Cause") -> "FaultCause":
    from arena.cli.documents import FaultCause

    game, fault = cause.first or (None, None)
    return FaultCause(
        bot=bot, file=cause.file, kind=cause.kind, count=cause.times, message=cause.message,
        location=cause.location or None, remedy=cause.remedy or None, game_id=game,
        seat=fault and fault.seat, action_number=fault and fault.action,
    )  # fmt: skip


def say_faults(folder: Path, bots: Collection[str], beside: Collection[str]) -> None:
    """Say why a match's bots forfeited games or failed in `end`, and which commands tell more."""
    from arena.faults.causes import summarize_bot
    from arena.store.logs import find_faulty_bots

    with open_store(folder, checked=True) as store:
        faulty_bots = list(find_faulty_bots(store, bots, beside))
    if not faulty_bots:
        return
    say("")
    for faulty_bot in faulty_bots:
        say(*summarize_bot(faulty_bot))
    results, bot = near(folder), faulty_bots[0].bot if len(faulty_bots) == 1 else "BOT"
    say(f"All causes: arena faults {results}", f"Views and output: arena logs {results} {bot}")


def say_broken(folder: Path, bots: Collection[str], doc: "Standings") -> bool:
    """Say in a line for each of these bots what it forfeited, or that it does not load, and why,
    most forfeits first; return whether any did.
    """
    from arena.site.sentence import describe_failures
    from arena.store.logs import find_faulty_bots

    with open_store(folder, checked=True) as store:
        faulty = list(find_faulty_bots(store, bots))
    if faulty:
        say("")
    for faulty_bot in faulty[:SHOWN]:
        say(f"{faulty_bot.bot}: {describe_failures(doc, faulty_bot.bot, faulty_bot.causes)}")
    if len(faulty) > SHOWN:
        say(f"... and {amount(len(faulty) - SHOWN, 'bot')} more")
    return bool(faulty)


@command(WHY)
def logs_command(
    results: Results,
    bot: str = argument("BOT", "Name of the bot."),
    most: int = option(
        "N", "Show at most N faults and N lines (default: 10).", least=1, default=10
    ),
    past: AllVersions = False,
) -> None:
    """Print a bot's errors and its output.

    Example: arena logs first mine
    Exit codes: 0; 1; 2; 130
    """
    from arena.faults.reasons import in_full, with_view
    from arena.store.logs import Logs

    with open_store(results) as store:
        logs = Logs(store, past)
        public, file = store.public, logs.file_of(bot)
        faults, total = logs.faults_of(bot, most)
        sessions = logs.sessions_of(bot)
        unloaded = logs.loads().get(bot)
    untold = EXPORTED if public else UNTOLD
    if unloaded:
        out("does not load:")
        _show(in_full(unloaded, file), unloaded, file)
    for game, (seat, action, reason) in faults:
        text = with_view(reason, file, seat)
        out(f"game {game}, seat {seat}, action {action}: {reason.kind}{'' if text else untold}")
        _show(text, reason, file)
        out(rewrite_commands(f"    replay: arena replay {near(results)} {game} --at {action}"))
    if total > len(faults):
        out(f"... and {total - len(faults):,} more faults (--most shows more)")
    for pool, failed, notes, lines in sessions:
        for times, reason in failed[:most]:
            text = in_full(reason, file)
            out(f"{pool}: in end, {amount(times, 'game')}{'' if text else untold}")
            _show(text, reason, file)
        out(*(f"{pool}: {line}" for line in (*notes[:most], *lines[:most])))
        if len(lines) > most:
            out(f"{pool}: ... and {len(lines) - most:,} more lines (--most shows more)")
    counts = [amount(total, "fault")]
    if ends := sum(end.times for _, failed, *_ in sessions for end in failed):
        counts.append(f"end failed in {amount(ends, 'game')}")
    printed = sum(len(lines) for *_, lines in sessions)
    counts.append(PRINTS_NOT_EXPORTED if public else f"{amount(printed, 'line')} printed")
    counts += ["does not load"] if unloaded else []
    say(f"{bot}: {', '.join(counts)}")


def _show(text: str, reason: "Reason", file: str) -> None:
    from arena.faults.remedies import remedy

    out(*(f"    {line}" for line in text.splitlines()))
    if advice := remedy(reason, file):
        out(rewrite_commands(f"    remedy: {advice}"))
