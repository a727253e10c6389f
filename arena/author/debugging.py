"""Where a bot failed in a recorded game, with its code of today in a debugger.

First it is asked behind the walls, which shows whether and where it fails today. Only then it is
run without them.
"""

import bdb
import re
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple

from arena.author.causes import what
from arena.author.debuggers import Debugger, Pdb
from arena.author.history import CurrentBot, RecordedGame
from arena.author.in_process import Player, call_plainly, is_own, load, room
from arena.author.replayer import is_alike, what_is_wrong
from arena.model import MEASURED_FAULTS, Reason
from arena.process.asker import Reply

HINT = "n the next line, s into a call, c goes on, q leaves"
Say = Callable[[str], None]


class Failing(NamedTuple):
    """Where a bot is to be stopped."""

    number: int  # of the question
    reason: Reason | None  # why it fails there today; None: it does not


def failing(game: RecordedGame, replies: list[Reply], kind: str) -> Failing | None:
    """Return where to stop, by a bot's replies of today; None where it does not fail any more.

    A fault of a `kind` that was measured may come and go: its place is looked at all the same.
    """
    if replies and isinstance(reason := replies[-1], Reason):
        return Failing(len(replies) - 1, reason)
    return Failing(len(game.questions) - 1, None) if kind in MEASURED_FAULTS else None


def first_otherwise(game: RecordedGame, replies: list[Reply]) -> int | None:
    """Return the number of the first decision that is another today; None if there is none."""
    for number, (question, now) in enumerate(zip(game.questions, replies, strict=False)):
        if isinstance(now, str) and question.answer is not None and not is_alike(question, now):
            return number
    return None


def raised(reason: Reason | None) -> bool:
    """Return whether a reason is an exception of the bot's, by its text."""
    error = r"^[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt)\b"
    return reason is not None and bool(re.search(error, reason.text, re.MULTILINE))


def debug(now: CurrentBot, game: RecordedGame, at: Failing, debugger: Debugger, say: Say) -> None:
    """Ask the bot in this process up to where it fails, and stop there: where an exception came
    from, or at the first line of that decision.
    """
    looks_back = at.reason is not None and at.reason.kind == "error"
    looks_back = looks_back and isinstance(debugger, Pdb)  # an editor stops while it is raised
    if not looks_back:
        say(f"{debugger.name} stops at decision {at.number + 1}: {HINT}")
    with room(now.path) as generators:
        generators.begin(*game.begun)
        try:
            player = Player(*load(now.path, now.source), generators)
            for number in range(at.number):
                player.decide(game.view(number))
            call = call_plainly if looks_back else debugger.call
            reply = player.decide(game.view(at.number), call)
        except bdb.BdbQuit:
            return
        except (Exception, SystemExit) as error:
            _look_back(now, error, debugger, say)
            return
    wrong = what_is_wrong(reply, game.questions[at.number].legal)
    if looks_back and at.reason and not wrong:
        say(f"behind no walls it plays {reply}; behind them it fails: {what(at.reason.text)}")
    else:
        say(wrong or f"it played {reply}, which is legal")


def debug_load(now: CurrentBot, reason: Reason, debugger: Debugger, say: Say) -> None:
    """Load the bot in this process, and stop where an exception came from, or at its first line
    where it takes too long, or too much.
    """
    looks_back = raised(reason) and isinstance(debugger, Pdb)
    if not looks_back:
        say(f"{debugger.name} stops at its first line: {HINT}")
    with room(now.path):
        try:
            load(now.path, now.source, exec if looks_back else debugger.run)
        except bdb.BdbQuit:
            return
        except (Exception, SystemExit) as error:
            _look_back(now, error, debugger, say)
            return
    say(f"behind no walls it loads; behind them it fails: {what(reason.text)}")


def _look_back(now: CurrentBot, error: BaseException, debugger: Debugger, say: Say) -> None:
    """Stop where an exception came from, if the bot has a line of its own there."""
    told = f"{type(error).__name__}: {error}".removeprefix("LookupError: ")
    trace = _own(now, error.__traceback__)
    if trace is None or not isinstance(debugger, Pdb):
        say(f"{told}; no line of its code was running, so there is nothing to stop at")
        return
    say(f"{told}; {debugger.name} shows where: w the lines, p NAME a value, q leaves")
    debugger.post_mortem(trace)


def _own(now: CurrentBot, trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback from the bot's first own line on; None where it has none."""
    while trace and not is_own(now.path, trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace
