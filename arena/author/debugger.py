"""A bot's code in a debugger, pdb or an editor's, at the place where it failed in a recorded game.

First the confined bot is asked (`arena.author.replayer`), which shows whether and where it fails
now. Only then does it run in this process, unconfined.
"""

import bdb
import importlib
import importlib.util
import pdb
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partialmethod
from types import TracebackType
from typing import Any, NamedTuple

from arena.author.decide import InProcessBot, call_plainly, is_own, lend_imports, lend_random, load
from arena.author.replayer import CurrentBot, RecordedGame, is_alike, what_is_wrong
from arena.errors import UsageError
from arena.model import MEASURED_FAULTS, Reason
from arena.process import Reply
from arena.reasons import in_a_line
from arena.sandbox.randomness import Generators

EDITOR_HOST = "127.0.0.1"
HINT = "n next line, s step into a call, c continue, q quit"
Say = Callable[[str], None]


@contextmanager
def _no_rc_file() -> Iterator[None]:
    """Run no `.pdbrc` of the home or the current folder, not even by pdb's command `debug`, which
    makes a debugger of its own.
    """
    made = pdb.Pdb.__init__
    setattr(pdb.Pdb, "__init__", partialmethod(made, readrc=False))  # noqa: B010
    try:
        yield
    finally:
        setattr(pdb.Pdb, "__init__", made)  # noqa: B010


class Pdb:
    """Python's own debugger, or a class built on it."""

    def __init__(self, kind: type[pdb.Pdb]) -> None:
        self.name = "pdb" if kind is pdb.Pdb else kind.__qualname__
        self._kind = kind

    @_no_rc_file()
    def post_mortem(self, trace: TracebackType) -> None:
        """Look at the place where an exception was raised."""
        debugger = self._kind()
        debugger.reset()
        debugger.interaction(None, trace)

    @_no_rc_file()
    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        """Call a function, stopping at its first line. Raises BdbQuit if the user quits, which
        `runcall` swallows.
        """

        class Noting(self._kind):  # type: ignore[misc, name-defined]
            left = False

            def set_quit(self) -> None:
                self.left = True
                super().set_quit()

        debugger: Any = Noting()
        reply = debugger.runcall(function, *given)
        if debugger.left:
            raise bdb.BdbQuit
        return reply


class Editor:
    """An editor's debugger, attached by debugpy."""

    name = "the editor"

    def __init__(self, debugpy: Any) -> None:
        self._debugpy = debugpy

    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        """Call a function, stopping just before it; one step leads into it."""
        self._debugpy.breakpoint()
        return function(*given)


Debugger = Pdb | Editor


def load_pdb(given: str | None) -> Pdb:
    """Load Python's debugger, or the class like it that `MODULE:CLASS` names. Raises UsageError."""
    if given is None:
        return Pdb(pdb.Pdb)
    module, _, name = given.partition(":")
    if not module or not name:
        raise UsageError(f"--pdbcls: found {given!r}; expected MODULE:CLASS, such as pdb:Pdb")
    try:
        kind: Any = importlib.import_module(module)
    except ImportError as error:
        raise UsageError(f"--pdbcls: {module} cannot be imported ({error}); install it") from None
    for part in name.split("."):
        kind = getattr(kind, part, None)
    if not (isinstance(kind, type) and issubclass(kind, pdb.Pdb)):
        raise UsageError(
            f"--pdbcls: {module} has no debugger {name}; expected a class like pdb.Pdb"
        )
    return Pdb(kind)


def check_editor() -> None:
    """Raise UsageError where debugpy is not installed."""
    if importlib.util.find_spec("debugpy") is None:
        raise UsageError(
            "--debugpy: debugpy is not installed; run `pip install debugpy`, or omit "
            "--debugpy to use pdb"
        )


def wait_for_editor(port: int, waits: Callable[[str], None]) -> Editor:
    """Wait until an editor's debugger attaches to a port of this machine.

    `waits` is called with the address once it can attach. debugpy must be installed. Raises
    UsageError where the port cannot be listened on.
    """
    debugpy: Any = importlib.import_module("debugpy")
    try:
        debugpy.listen((EDITOR_HOST, port))
    except (OSError, OverflowError, RuntimeError) as error:
        raise UsageError(f"--listen: {EDITOR_HOST}:{port}: {error}; choose another port") from None
    waits(f"{EDITOR_HOST}:{port}")
    debugpy.wait_for_client()
    return Editor(debugpy)


class Stop(NamedTuple):
    """Where to stop a bot."""

    number: int  # of the question
    reason: Reason | None  # why it fails there today; None: it does not fail


def find_failure(game: RecordedGame, replies: list[Reply], kind: str) -> Stop | None:
    """Where to stop, given a bot's replies of today; None if it no longer fails.

    A fault of a measured `kind` may come and go, so its place is shown in any case.
    """
    if replies and isinstance(reason := replies[-1], Reason):
        return Stop(len(replies) - 1, reason)
    return Stop(len(game.questions) - 1, None) if kind in MEASURED_FAULTS else None


def find_difference(game: RecordedGame, replies: list[Reply]) -> int | None:
    """The number of the first decision that is different today; None if all are the same."""
    for number, (question, now) in enumerate(zip(game.questions, replies, strict=False)):
        if isinstance(now, str) and question.answer is not None and not is_alike(question, now):
            return number
    return None


def debug_game(now: CurrentBot, game: RecordedGame, at: Stop, debugger: Debugger, say: Say) -> None:
    """Ask the bot in this process up to where it fails, and stop there: at the place where an
    exception was raised, or at the first line of that decision.
    """
    looks_back = at.reason is not None and at.reason.kind == "error"
    looks_back = looks_back and isinstance(debugger, Pdb)  # an editor stops while it is raised
    if not looks_back:
        say(f"{debugger.name} stops at decision {at.number + 1}: {HINT}")
    with _stopping(now, debugger, say) as generators:
        generators.begin(*game.begun)
        player = InProcessBot(*load(now.path, now.source), generators)
        for number in range(at.number):
            player.decide(game.view(number))
        call = call_plainly if looks_back else debugger.call
        reply = player.decide(game.view(at.number), call)
        wrong = what_is_wrong(reply, game.questions[at.number].legal)
        if looks_back and at.reason and not wrong:
            say(
                f"outside the sandbox it plays {reply}; in the sandbox it fails: "
                f"{in_a_line(at.reason)}"
            )
        else:
            say(wrong or f"it played {reply}, which is legal")


def debug_load(now: CurrentBot, reason: Reason, debugger: Debugger, say: Say) -> None:
    """Load the bot in this process, and stop where an exception was raised, or the error for a
    module that defines no bot; or at its first line, where it takes too much time or memory.
    """
    looks_back = bool(reason.error or reason.rule) and isinstance(debugger, Pdb)
    if not looks_back:
        say(f"{debugger.name} stops at its first line: {HINT}")
    with _stopping(now, debugger, say):
        load(now.path, now.source, call_plainly if looks_back else debugger.call)
        say(f"outside the sandbox it loads; in the sandbox it fails: {in_a_line(reason)}")


@contextmanager
def _stopping(now: CurrentBot, debugger: Debugger, say: Say) -> Iterator[Generators]:
    """Run the bot's code in this process, until the user quits or it raises an exception: stop at
    that, if a line of its own was running.
    """
    with lend_random([]) as generators, lend_imports(now.path):
        try:
            yield generators
        except bdb.BdbQuit:
            return
        except (Exception, SystemExit) as error:
            text = f"{type(error).__name__}: {error}".removeprefix("LookupError: ")
            trace = error.__traceback__
            while trace and not is_own(now.path, trace.tb_frame.f_code.co_filename):
                trace = trace.tb_next
            if trace is None or not isinstance(debugger, Pdb):
                say(f"{text}; none of its code was running, so there is no line to stop at")
                return
            say(f"{text}; {debugger.name} shows where: w stack, p NAME value, q quit")
            debugger.post_mortem(trace)
