"""Where a bot failed in a recorded game, with its code of today in a debugger.

First it is asked behind the walls, which shows whether and where it fails today. Only then it is
run without them.
"""

import bdb
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple

from arena.author.asking import Past, Reply, alike
from arena.author.debuggers import Debugger, Pdb
from arena.author.today import Today
from arena.author.unwalled import Player, is_of, judged, loaded, plainly, room
from arena.model import MEASURED_FAULTS, Reason
from arena.reasons import in_a_line

HINT = "n the next line, s into a call, c goes on, q leaves"
Say = Callable[[str], None]


class Failing(NamedTuple):
    """Where a bot is to be stopped."""

    number: int  # of the question
    reason: Reason | None  # why it fails there today; None: it does not


def failing(past: Past, replies: list[Reply], kind: str) -> Failing | None:
    """Return where to stop, by a bot's replies of today; None where it does not fail any more.

    A fault of a `kind` that was measured may come and go: its place is looked at all the same.
    """
    if replies and isinstance(reason := replies[-1], Reason):
        return Failing(len(replies) - 1, reason)
    return Failing(len(past.questions) - 1, None) if kind in MEASURED_FAULTS else None


def first_otherwise(past: Past, replies: list[Reply]) -> int | None:
    """Return the number of the first decision that is another today; None if there is none."""
    for number, (question, now) in enumerate(zip(past.questions, replies, strict=False)):
        if isinstance(now, str) and question.answer is not None and not alike(question, now):
            return number
    return None


def raised(reason: Reason | None) -> bool:
    """Return whether a reason is an exception, or what is raised of a bot that defines none."""
    return reason is not None and bool(reason.error or reason.rule)


def debug(now: Today, past: Past, at: Failing, debugger: Debugger, say: Say) -> None:
    """Ask the bot in this process up to where it fails, and stop there: where an exception came
    from, or at the first line of that decision.
    """
    looks_back = at.reason is not None and at.reason.kind == "error"
    looks_back = looks_back and isinstance(debugger, Pdb)  # an editor stops while it is raised
    if not looks_back:
        say(f"{debugger.name} stops at decision {at.number + 1}: {HINT}")
    with room(now) as generators:
        try:
            player = Player(loaded(now), past, generators)
            for number in range(at.number):
                player.decide(number)
            reply = player.decide(at.number, plainly if looks_back else debugger.call)
        except bdb.BdbQuit:
            return
        except (Exception, SystemExit) as error:
            _look_back(now, error, debugger, say)
            return
    wrong = judged(reply, past.questions[at.number].legal)
    if looks_back and at.reason and not wrong:
        say(f"behind no walls it plays {reply}; behind them it fails: {in_a_line(at.reason)}")
    else:
        say(wrong or f"it played {reply}, which is legal")


def debug_load(now: Today, reason: Reason, debugger: Debugger, say: Say) -> None:
    """Load the bot in this process, and stop where an exception came from, or at its first line
    where it takes too long, or too much.
    """
    looks_back = raised(reason) and isinstance(debugger, Pdb)
    if not looks_back:
        say(f"{debugger.name} stops at its first line: {HINT}")
    with room(now):
        try:
            loaded(now, exec if looks_back else debugger.run)
        except bdb.BdbQuit:
            return
        except (Exception, SystemExit) as error:
            _look_back(now, error, debugger, say)
            return
    say(f"behind no walls it loads; behind them it fails: {in_a_line(reason)}")


def _look_back(now: Today, error: BaseException, debugger: Debugger, say: Say) -> None:
    """Stop where an exception came from, if the bot has a line of its own there."""
    told = f"{type(error).__name__}: {error}".removeprefix("LookupError: ")
    trace = _own(now, error.__traceback__)
    if trace is None or not isinstance(debugger, Pdb):
        say(f"{told}; no line of its code was running, so there is nothing to stop at")
        return
    say(f"{told}; {debugger.name} shows where: w the lines, p NAME a value, q leaves")
    debugger.post_mortem(trace)


def _own(now: Today, trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback from the bot's first own line on; None where it has none."""
    while trace and not is_of(now, trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace
