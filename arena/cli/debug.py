"""The command `arena debug`."""

import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.replayed_view import (
    NO_SECRET,
    File,
    check_loads,
    require_walls,
    short,
    shown,
    within,
)
from arena.cli.terminal import ItsLimits, Results, Unconfined, confirmed, out, say
from arena.errors import FAILED, UsageError, require_linux
from arena.words import amount

if TYPE_CHECKING:
    from arena.author.debugger import Debugger
    from arena.author.history import Archive, CurrentBot, RecordedGame
    from arena.process import Reply
    from arena.store.scan import StoredGame
    from arena.store.store import Store

LOAD = "load"  # given instead of a game
PORT = 5678  # debugpy's


def debug_command(
    results: Results,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME[:SEAT]", help="First digits of a game's id; or load, load:BOT."
        ),
    ],
    file: File = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Print each view and decision, behind the walls.")
    ] = False,
    pdbcls: Annotated[
        str | None,
        typer.Option(metavar="CLASS", help="MODULE:CLASS of the debugger; default: pdb."),
    ] = None,
    debugpy: Annotated[
        bool,
        typer.Option("--debugpy", help="Stop in an editor; any user of this machine can attach."),
    ] = False,
    listen: Annotated[
        int,
        typer.Option(metavar="PORT", help="Port that the editor attaches to."),
    ] = PORT,
    unconfined: Unconfined = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask before the bot runs without walls.")
    ] = False,
    its_limits: ItsLimits = False,
) -> None:
    """Stop in a debugger where your bot failed in a recorded game, without walls."""
    require_linux()
    from arena.author.debugger import check_editor, pdb_of
    from arena.author.history import archive_of
    from arena.store.store import Store

    if not trace:
        _hash_as_bots_do()
    debugger = pdb_of(pdbcls)
    if debugpy:
        check_editor()
    with closing(Store.open(results)) as store:
        archive = within(archive_of(store), its_limits)
        if not archive.exact:
            say(NO_SECRET)
        wanted, _, place = game.partition(":")
        if wanted == LOAD:
            if trace:
                raise UsageError("--trace: a bot that loads is shown no view; leave it out")
            name = _unloaded(store, place)
        else:
            row, seat, kind = _seat(store, wanted, place, trace)
            name = row.fixture.line_up[row.fixture.seating[seat]].name
        now = _today(store, name, file, None if wanted == LOAD else row)
        require_walls(store, now, unconfined)
        if unconfined and not trace:  # its first line runs without walls already
            _agree(now, listen if debugpy else None, yes)
        if wanted == LOAD or (kind == LOAD and not trace):
            stop = _load_stop(archive, now, unconfined)
        else:
            stop = _game_stop(store, archive, row, seat, kind, now, trace, unconfined)
    if stop is None:
        return
    if not unconfined:
        _agree(now, listen if debugpy else None, yes)
    if debugpy:
        from arena.author.debugger import editor_on

        stop(editor_on(listen, lambda where: say(f"waiting for an editor at {where} (debugpy)")))
    else:
        stop(debugger)


def _hash_as_bots_do() -> None:
    """Restart with the hash seed of bots' processes, which decides the order of their sets."""
    here = sys.orig_argv[-len(sys.argv[1:]) :] == sys.argv[1:]  # else another program calls us
    if here and os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, sys.orig_argv, {**os.environ, "PYTHONHASHSEED": "0"})


def _agree(now: "CurrentBot", port: int | None, yes: bool) -> None:
    """Ask at the terminal whether to run the bot's file unconfined, and whether an editor may
    attach at `port`.

    Raises UsageError without a terminal, typer.Exit if the answer is no.
    """
    from arena.author.debugger import HOST

    beside = " and the modules beside it" if now.path.is_dir() else ""
    warning = [
        f"{now.entry}{beside} will run without walls, in this process and with your rights; debug "
        "only bots you trust"
    ]
    if port is not None:
        warning.append(
            f"debugpy will wait at {HOST}:{port}, where any user of this machine can attach, and "
            "run code with your rights"
        )
    if yes:
        say(*warning)
        return
    nothing = "nothing ran without walls; --trace shows a game behind them"
    agreed = confirmed(warning, "run it without walls?")
    if agreed is None:
        raise UsageError(*warning, f"{nothing}, --yes says that it is meant so")
    if not agreed:
        say(nothing)
        raise typer.Exit(FAILED)


def _seat(store: "Store", id: str, given: str, trace: bool) -> tuple["StoredGame", int, str]:
    """Find the game, the seat to look at, and the kind of its fault ("" for none).

    Raises UsageError unless exactly one seat is meant.
    """
    from arena.author.history import find_game

    row = find_game(store, id)
    fixture, faults = row.fixture, {seat: kind for seat, kind, _ in row.faults}
    names = [fixture.line_up[at].name for at in fixture.seating]
    place = f"{store.path.parent}: game {row.id}"
    if given:
        if not given.isdecimal() or int(given) >= len(names):
            choices = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
            raise UsageError(f"{place}: found seat {given!r}; it takes one of {choices}")
        seat = int(given)
    elif len(faults) == 1:
        (seat,) = faults
    else:
        choices = ", ".join(
            f"{row.id}:{seat} ({name}{f', {faults[seat]}' if seat in faults else ''})"
            for seat, name in enumerate(names)
            if seat in faults or not faults
        )
        if not faults and not trace:
            raise UsageError(
                f"{place}: no seat has a fault; `arena faults` lists those that have, --trace "
                "shows the decisions of any"
            )
        what = f"{len(faults)} seats have a fault" if faults else "no seat has a fault"
        raise UsageError(f"{place}: {what}; name one: {choices}")
    if not trace and seat not in faults:
        raise UsageError(
            f"{place}: seat {seat} ({names[seat]}) has no fault; --trace shows its decisions"
        )
    kind = faults.get(seat, "")
    if not trace and kind == "strikes":
        raise UsageError(
            f"{place}: seat {seat} ({names[seat]}) forfeited for its faults in other games "
            f"(strikes); `arena faults {store.path.parent} {names[seat]}` lists them"
        )
    return row, seat, kind


def _unloaded(store: "Store", given: str) -> str:
    """The bot that could not be loaded. Raises UsageError unless exactly one is meant."""
    from arena.store.logs import Logs

    kept = Logs(store)
    if given:
        kept.check_bot(given)
    names = [
        name
        for name in kept.fault_counts()
        if given in ("", name)
        and any(each.fault.reason.kind == LOAD for each in kept.faults_of(name, 100)[0])
    ]
    if len(names) == 1:
        return names[0]
    what = f"{len(names)} bots could not be loaded" if names else "no bot failed to load"
    which = ", ".join(f"load:{name}" for name in sorted(names))
    remedy = f"name one: {which}" if names else "`arena faults` lists what failed"
    raise UsageError(f"{store.path.parent}: {what if not given else f'{given} loaded'}; {remedy}")


def _today(store: "Store", name: str, file: Path | None, row: "StoredGame | None") -> "CurrentBot":
    """The bot's current code; says so if it has changed."""
    from arena.author.history import current_bot

    now = current_bot(store.path.parent, name, file)
    known = store.bots() if row is None else row.line_up
    if now.bot not in known:
        say(f"{now.path.name} has changed since that game; it is run as it is now")
    return now


def _load_stop(
    archive: "Archive", now: "CurrentBot", unconfined: bool
) -> "Callable[[Debugger], None] | None":
    """A function that stops where loading the bot fails; None, after a message, if it loads now."""
    from arena.author.debugger import debug_load
    from arena.author.replayer import start_replayer

    with start_replayer(now, archive.limits, not unconfined) as player:
        reason = player.problem()
    if reason is None:
        say(f"{now.bot.name} can be loaded now: that fault does not happen any more")
        return None
    say(f"{now.bot.name} cannot be loaded: {short(reason)}")
    return lambda debugger: debug_load(now, reason, debugger, say)


def _game_stop(
    store: "Store",
    archive: "Archive",
    row: "StoredGame",
    seat: int,
    kind: str,
    now: "CurrentBot",
    trace: bool,
    unconfined: bool,
) -> "Callable[[Debugger], None] | None":
    """A function that stops at the decision where the bot fails; None if all is printed already."""
    from arena.author.debugger import debug, failing, first_otherwise
    from arena.author.history import recorded_game
    from arena.author.replayer import start_replayer

    game = recorded_game(store, archive, row, seat)
    of = f"game {row.id}, seat {seat}: {now.bot.name}"
    fault = f", the last a fault ({kind})" if kind else ""
    say(f"{of}, {amount(len(game.questions), 'decision')}{fault}")
    if not game.questions:
        say("it was shown no view there")
        return None
    replies: list[Reply] = []
    with start_replayer(now, archive.limits, not unconfined) as player:
        check_loads(player, now)
        for number, reply in enumerate(player.replies(game)):
            replies.append(reply)
            if trace:
                out(*_step(game, number, reply))
    if trace:
        for line in player.printed.splitlines():
            out(f"printed: {line}")
        return None
    other = first_otherwise(game, replies)
    if other is not None:
        say(
            f"at decision {other + 1} it plays {short(replies[other])} now and played "
            f"{game.questions[other].answer} in the game; it is shown the game's views all the same"
        )
    stop = failing(game, replies, kind)
    if stop is None:
        say("it fails nowhere in that game now: that fault does not happen any more")
        return None
    say(
        f"at decision {stop.number + 1} it fails: {short(stop.reason)}"
        if stop.reason
        else f"decision {stop.number + 1}, at which it failed ({kind}), it makes this time",
        *shown(game, stop.number),
    )
    return lambda debugger: debug(now, game, stop, debugger, say)


def _step(game: "RecordedGame", number: int, reply: "Reply") -> list[str]:
    """The lines of one decision under --trace: the view and the bot's reply."""
    from arena.reasons import in_full

    question = game.questions[number]
    head = f"decision {number + 1}, after {amount(question.at, 'action')}:"
    if not isinstance(reply, str):
        return [head, *shown(game, number), f"  {reply.kind}:", *_indented(in_full(reply))]
    before = "a forfeit" if question.answer is None else question.answer
    differs = "" if reply == question.answer else f" (in the game {before})"
    return [head, *shown(game, number), f"  {reply}{differs}"]


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]
