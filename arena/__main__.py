"""`arena`, and `python -m arena`: signals first, then the command line."""

import gc
import os
import sys
import traceback
from io import TextIOWrapper
from typing import TYPE_CHECKING

from arena.errors import INTERRUPTED, USAGE
from arena.system.abilities import WINDOWS
from arena.system.signals import Stopped, ignore_signals, say_stopped, stop_at_once
from arena.words import visible

if TYPE_CHECKING:
    from types import TracebackType

LIBRARIES = {
    "OPENBLAS_NUM_THREADS": "1",  # numpy would start a thread a core, and no product here needs two
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # to look for one is to read what each package says
}
"""Environment of libraries as they load, unless the user's environment says otherwise."""

GARBAGE = 100_000  # objects: loading modules makes many, and hardly any cycle among them


def main() -> None:
    """Run the command line; if asked to stop at once, say so and leave with 130."""
    sys.excepthook = _print_trouble
    for stream in (sys.stdout, sys.stderr) if WINDOWS else ():
        if isinstance(stream, TextIOWrapper):
            # a pipe would have the user's code page
            stream.reconfigure(encoding="utf-8", errors=stream.errors)
        if stream.isatty():
            os.system("")  # cmd.exe has the console draw colours, and leaves it so
    try:
        stop_at_once()
        gc.set_threshold(GARBAGE)
        try:
            import arena.check_games  # noqa: F401
        except ImportError as error:
            print(visible(str(error)), file=sys.stderr)
            sys.exit(USAGE)
        for name, value in LIBRARIES.items():
            os.environ.setdefault(name, value)
        # helper processes start by -c: a file of the current folder is no module of theirs
        os.environ["PYTHONSAFEPATH"] = "1"
        from arena.cli import app  # here: loading takes longest, and may be interrupted

        app.main()
    except Stopped:
        print(say_stopped(), file=sys.stderr)
        sys.exit(INTERRUPTED)
    finally:
        ignore_signals()
        gc.freeze()  # all memory goes at once: nothing to be found in it by a last look


def _print_trouble(
    kind: type[BaseException], error: BaseException, trace: "TracebackType | None"
) -> None:
    """Print a traceback, or a sentence where Python itself lacks a part. The error may quote a
    stranger: what does not print is escaped, and no line of a message begins where one of ours
    would.
    """
    name = getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None
    if str(name).startswith("_") and name in sys.stdlib_module_names:
        why = f"was built without {name}: install what that needs (of _sqlite3, libsqlite3-dev)"
        print(f"{sys.executable} {why} and build it again, or use another Python", file=sys.stderr)
        return
    for text in traceback.format_exception(kind, error, trace):
        first, *more = text.splitlines()
        print(visible(first), file=sys.stderr)
        for line in more:
            print("" if line.startswith(" ") else "    ", visible(line), sep="", file=sys.stderr)


if __name__ == "__main__":
    main()
