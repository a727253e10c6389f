"""The commands that ask a bot again what it was asked in recorded games: `rerun` and `debug`."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import (
    ItsLimits,
    Results,
    Unconfined,
    argument,
    flag,
    lower_limits,
    open_store,
    option,
    require_walls,
    say_cut,
)
from arena.cli.progress import Display
from arena.cli.terminal import confirm, out, out_json, say, width
from arena.errors import FAILED, ArenaError, UsageError, require_linux
from arena.words import amount

if TYPE_CHECKING:
    from arena.author import Archive, CurrentBot, Debugger, Difference, RecordedGame, Replayer
    from arena.cli import documents
    from arena.process import Reply
    from arena.store import Store, StoredGame

SAMPLE = 200  # games of a bot that has not changed
LOAD = "load"  # given instead of a game
NO_SECRET = (
    "These results lack the secret: the bot gets different random numbers from those in the games."
)
GONE = "This fault no longer occurs."

File = Annotated[
    Path | None, option("PATH", "The bot's file (default: the one in the league).", "--bot")
]


def rerun_command(
    results: Results,
    bot: Annotated[str, argument("BOT", "Name of the bot.")],
    file: File = None,
    most: Annotated[
        int, option("N", "Show at most N games that differ (default: 10).", least=1)
    ] = 10,
    unconfined: Unconfined = False,
    its_limits: ItsLimits = False,
    json: Annotated[bool, flag("--json", "Print the result as JSON.")] = False,
) -> None:
    """Show where your bot now decides differently from recorded games.

    Example: arena rerun first mine
    Exit codes: 0 same decisions; 1 decisions differ, or the command failed; 2; 4; 130
    """
    require_linux()
    from arena.author import find_current_bot, read_archive, rerun_games, start_replayer
    from arena.cli import documents
    from arena.model import Reason
    from arena.store import Logs, load_plan

    with open_store(results) as store, Display() as steps:
        Logs(store).check_bot(bot)
        archive, now = read_archive(store), find_current_bot(store.path.parent, bot, file)
        unchanged = now.bot in load_plan(store).bots
        if unchanged:
            same = f"{now.path.name} has not changed since these games"
            steps.say(f"{same}; up to {SAMPLE} of them show whether it repeats its decisions")
        require_walls(store, now, unconfined)
        if not archive.exact:
            steps.say(NO_SECRET)
        held = bound_archive(archive, its_limits)
        lower = held.limits != archive.limits
        games, differing, cut = set[str](), set[str](), set[str]()
        first: list[documents.Difference] = []
        with start_replayer(now, held.limits, not unconfined) as player:
            check_loads(player, now)
            for game, other in rerun_games(
                store, archive, bot, player, steps, SAMPLE if unchanged else None
            ):
                games.add(game.id)
                if other and lower and isinstance(other.now, Reason):
                    cut.add(game.id)
                elif other:
                    differing.add(game.id)
                    if len(differing) > most:
                        continue
                    if json:
                        first.append(_document(game, other))
                    else:
                        steps.out(*_difference(game, other, results))
    cut -= differing
    say_cut([bot] * len(cut))
    if json:
        compared = len(games) - len(cut)
        out_json(documents.Rerun(bot=bot, games=compared, differ=len(differing), first=first))
    else:
        if len(differing) > most:
            say(f"... and {len(differing) - most:,} more (--most shows more)")
        of = amount(len(games), "recorded game")
        out(f"{bot}: decides differently in {len(differing):,} of {of}")
    if differing:
        raise typer.Exit(FAILED)


def _document(game: "RecordedGame", other: "Difference") -> "documents.Difference":
    from arena.cli import documents

    question, now = game.questions[other.number], other.now
    return documents.Difference(
        game=game.id, seat=game.seat, decision=other.number + 1, action=question.at,
        before=question.answer, now=now if isinstance(now, str) else None,
        fault=None if isinstance(now, str) else now.kind, legal=question.legal,
        view=game.view(other.number)._asdict(),
    )  # fmt: skip


def _difference(game: "RecordedGame", other: "Difference", results: Path) -> list[str]:
    question = game.questions[other.number]
    return [
        f"game {game.id}, seat {game.seat}, decision {other.number + 1}: "
        f"was {question.answer or 'a forfeit'}, now {in_short(other.now)}",
        *show_view(game, other.number),
        f"    arena replay {results} {game.id} --at {question.at}",
    ]


def debug_command(
    results: Results,
    game: Annotated[
        str,
        argument(
            "GAME[:SEAT]",
            "Start of the game's id, and the seat if needed; load:BOT if BOT failed to load.",
        ),
    ],
    file: File = None,
    trace: Annotated[
        bool, flag("--trace", "Print views and decisions instead; the bot stays in the sandbox.")
    ] = False,
    pdbcls: Annotated[
        str | None, option("CLASS", "The debugger, as MODULE:CLASS (default: pdb).", hidden=True)
    ] = None,
    debugpy: Annotated[
        bool,
        flag(
            "--debugpy", "Wait for an editor to attach; any user of this machine can attach, too."
        ),
    ] = False,
    listen: Annotated[
        int, option("PORT", "Port for the editor (default: 5678).", hidden=True)
    ] = 5678,  # debugpy's
    unconfined: Unconfined = False,
    yes: Annotated[bool, flag("--yes", "Do not ask for confirmation.")] = False,
    its_limits: ItsLimits = False,
) -> None:
    """Stop in a debugger where your bot failed in a game.

    Example: arena debug first 0106d9d8:1  # a game of yours
    Exit codes: 0; 1 not confirmed, or the command failed; 2; 4; 130
    """
    require_linux()
    from arena.author import (
        check_editor,
        find_current_bot,
        load_pdb,
        read_archive,
        read_recorded_game,
        start_replayer,
        wait_for_editor,
    )

    here = sys.orig_argv[-len(sys.argv[1:]) :] == sys.argv[1:]  # else another program calls us
    if here and not trace and os.environ.get("PYTHONHASHSEED") != "0":
        # With the hash seed of bots' processes, which decides the order of their sets.
        os.execve(sys.executable, sys.orig_argv, {**os.environ, "PYTHONHASHSEED": "0"})
    debugger: Debugger = load_pdb(pdbcls)
    if debugpy:
        check_editor()
    with open_store(results) as store:
        archive = bound_archive(read_archive(store), its_limits)
        if not archive.exact:
            say(NO_SECRET)
        wanted, _, place = game.partition(":")
        row = None
        if wanted != LOAD:
            row, seat, kind = _find_seat(store, wanted, place, trace)
            name = row.fixture.names[seat]
        elif trace:
            raise UsageError("--trace: a bot is shown no view while it loads; remove --trace")
        else:
            name = _find_unloaded(store, place)
        now = find_current_bot(store.path.parent, name, file)
        if now.bot not in (row.line_up if row else store.bots()):
            say(f"{now.path.name} has changed since that game; its current version runs")
        require_walls(store, now, unconfined)
        port = listen if debugpy else None
        if unconfined and not trace:  # its first line runs without walls already
            _agree(now, port, yes)
        with start_replayer(now, archive.limits, not unconfined) as player:
            if row is None or (kind == LOAD and not trace):
                stop = _stop_in_load(player, now)
            else:
                seen = read_recorded_game(store, archive, row, seat)
                stop = _stop_in_game(player, now, seen, kind, trace)
    if stop is None:
        return
    if not unconfined:
        _agree(now, port, yes)
    if debugpy:
        waiting = "Waiting for an editor (debugpy) at"
        debugger = wait_for_editor(listen, lambda at: say(f"{waiting} {at}"))
    stop(debugger)


def bound_archive(archive: "Archive", its_limits: bool) -> "Archive":
    """An archive with a reader's limits, unless its own are lower or trusted; prints any cut."""
    from arena.audit import bound_limits

    say(*lower_limits(archive.limits, its_limits))
    return archive if its_limits else archive._replace(limits=bound_limits(archive.limits))


def _agree(now: "CurrentBot", port: int | None, yes: bool) -> None:
    """Ask at the terminal whether to run the bot's file unconfined, and whether an editor may
    attach at `port`.

    Raises UsageError without a terminal, typer.Exit if the answer is no.
    """
    from arena.author import EDITOR_HOST

    beside = " and the modules in its folder" if now.path.is_dir() else ""
    how = "will run without the sandbox, with your permissions; debug only bots you trust"
    warning = [f"{now.entry}{beside} {how}"]
    if port is not None:
        warning.append(
            f"debugpy will wait at {EDITOR_HOST}:{port}; any user of this machine can attach there "
            "and run code with your permissions"
        )
    if yes:
        say(*warning)
    else:
        nothing = "The bot was not run; --trace shows its game in the sandbox"
        confirm(warning, "Run it without the sandbox?", nothing, ", --yes confirms")


def _find_seat(store: "Store", id: str, given: str, trace: bool) -> tuple["StoredGame", int, str]:
    """Find the game, the one seat meant, and its fault's kind ("" if none). Raises UsageError."""
    from arena.author import find_game

    row = find_game(store, id)
    names = [row.fixture.line_up[at].name for at in row.fixture.seating]
    faults = {seat: kind for seat, kind, _ in row.faults}
    results = store.path.parent
    place = f"{results}: game {row.id}"
    if given:
        if not given.isdecimal() or int(given) >= len(names):
            choices = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
            raise UsageError(f"{place}: found seat {given!r}; expected one of {choices}")
        seat = int(given)
    elif len(faults) == 1:
        (seat,) = faults
    elif not faults and not trace:
        remedy = "`arena faults` lists games with faults, --trace shows any game"
        raise UsageError(f"{place}: no seat has a fault; {remedy}")
    else:
        choices = ", ".join(
            f"{row.id}:{seat} ({name}{f', {faults[seat]}' if seat in faults else ''})"
            for seat, name in enumerate(names)
            if seat in faults or not faults
        )
        what = f"{len(faults)} seats have a fault" if faults else "no seat has a fault"
        raise UsageError(f"{place}: {what}; name one: {choices}")
    kind, why = faults.get(seat, ""), ""
    if not kind:
        why = "has no fault; --trace shows its decisions"
    elif kind == "strikes":
        listed = f"`arena faults {results} {names[seat]}` lists them"
        why = f"forfeited because of faults in other games (strikes); {listed}"
    if why and not trace:
        raise UsageError(f"{place}: seat {seat} ({names[seat]}) {why}")
    return row, seat, kind


def _find_unloaded(store: "Store", given: str) -> str:
    """The bot that could not be loaded. Raises UsageError unless exactly one is meant."""
    from arena.store import Logs

    logs = Logs(store)
    if given:
        logs.check_bot(given)
    names = [
        name
        for name in logs.fault_counts()
        if given in ("", name)
        and any(kept.fault.reason.kind == LOAD for kept in logs.faults_of(name, 100)[0])
    ]
    if len(names) == 1:
        return names[0]
    none = f"{given} loads without a fault" if given else "no bot failed to load"
    found = f"{none}; `arena faults` lists what failed"
    if names:
        which = ", ".join(f"load:{name}" for name in sorted(names))
        found = f"{len(names)} bots could not be loaded; name one: {which}"
    raise UsageError(f"{store.path.parent}: {found}")


def _stop_in_load(player: "Replayer", now: "CurrentBot") -> "Callable[[Debugger], None] | None":
    """A function that stops where loading the bot fails; None, after a message, if it loads now."""
    from arena.author import debug_load

    reason = player.problem()
    if reason is None:
        say(f"{now.bot.name} loads now. {GONE}")
        return None
    say(f"{now.bot.name} cannot be loaded: {in_short(reason)}")
    return lambda debugger: debug_load(now, reason, debugger, say)


def _stop_in_game(
    player: "Replayer", now: "CurrentBot", game: "RecordedGame", kind: str, trace: bool
) -> "Callable[[Debugger], None] | None":
    """A function that stops at the decision where the bot fails; None if all is printed already."""
    from arena.author import debug_game, find_difference, find_failure

    fault = f", the last one a fault ({kind})" if kind else ""
    decisions = amount(len(game.questions), "decision")
    say(f"game {game.id}, seat {game.seat}: {now.bot.name}, {decisions}{fault}")
    if not game.questions:
        say("It was shown no view in this game.")
        return None
    check_loads(player, now)
    replies: list[Reply] = []
    for number, reply in enumerate(player.replies(game)):
        replies.append(reply)
        if trace:
            out(*_step(game, number, reply))
    if trace:
        player.close()
        out(*(f"printed: {line}" for line in player.printed.splitlines()))
        return None
    other = find_difference(game, replies)
    if other is not None:
        say(
            f"Decision {other + 1}: was {game.questions[other].answer}, now "
            f"{in_short(replies[other])}. The views after it stay those of the game."
        )
    stop = find_failure(game, replies, kind)
    if stop is None:
        say(GONE)
        return None
    once = f"failed in the game ({kind}), but not this time."
    how = f"fails: {in_short(stop.reason)}" if stop.reason else once
    say(f"Decision {stop.number + 1} {how}", *show_view(game, stop.number))
    return lambda debugger: debug_game(now, game, stop, debugger, say)


def _step(game: "RecordedGame", number: int, reply: "Reply") -> Iterator[str]:
    """The lines of one decision under --trace: the view and the bot's reply."""
    from arena.reasons import in_full

    question = game.questions[number]
    yield f"decision {number + 1}, after {amount(question.at, 'action')}:"
    yield from show_view(game, number)
    if isinstance(reply, str):
        before = f" (in the game: {question.answer or 'a forfeit'})"
        yield f"  {reply}" + ("" if reply == question.answer else before)
    else:
        yield f"  {reply.kind}:"
        yield from (f"    {line}" for line in in_full(reply).splitlines())


def show_view(game: "RecordedGame", number: int) -> list[str]:
    """A view and its legal decisions, as lines as wide as the terminal."""
    text = f"{game.view(number)!r}; legal: {', '.join(game.questions[number].legal)}"
    return [f"    {line}" for line in wrap(text, width() - 4, break_on_hyphens=False)]


def in_short(reply: "Reply") -> str:
    from arena.reasons import in_a_line

    return reply if isinstance(reply, str) else f"{reply.kind}: {in_a_line(reply)}"


def check_loads(player: "Replayer", now: "CurrentBot") -> None:
    """Raise ArenaError where the bot cannot be loaded."""
    from arena.reasons import in_a_line
    from arena.store import remedy

    if reason := player.problem():
        why, advice = in_a_line(reason), remedy(reason, now.path.name)
        advice = f"; {advice}" if advice and advice not in why else ""
        raise ArenaError(f"{now.path}: cannot be loaded: {why}{advice}")
