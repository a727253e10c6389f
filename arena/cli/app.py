"""The command line: its commands in their groups, and how it ends.

Messages for people go to stderr, results to stdout. Heavy modules are loaded when used. Exit codes:
`arena.errors`.
"""

import os
import sys
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import __version__
from arena.cli.commands import Answer, load_commands
from arena.cli.help import Command, Commands
from arena.cli.options import LESS_READ, flag
from arena.cli.terminal import out, say
from arena.errors import FAILED, ArenaError

app = typer.Typer(
    cls=Commands,
    context_settings={"help_option_names": ["--help", "-h"]},  # each command's, too
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line. Errors of ours or the user's become one message and an exit code."""
    LESS_READ.set(False)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    name = "botarena" if os.path.basename(sys.argv[0]) == "botarena" else "arena"
    if sys.argv[2:] and sys.argv[1].endswith("-completion"):
        os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"  # a shell is named
    try:
        app(prog_name=name)
    except SystemExit as ended:
        sys.exit(ended.code or LESS_READ.get() * FAILED)
    except ArenaError as error:
        say(*error.args)
        sys.exit(error.code)
    except BrokenPipeError:  # `arena records ... | head`
        sys.stdout = None
        sys.exit(FAILED)
    except OSError as error:
        say(f"{error.filename or 'arena'}: {error.strerror or error}")
        sys.exit(FAILED)
    except Exception as error:
        import sqlite3

        if not isinstance(error, sqlite3.DatabaseError):
            raise
        from arena.store.opening import explain_no_room

        say(
            explain_no_room(error)
            or f"The results file is damaged or unreadable ({error}). `arena verify` reports what "
            "is damaged; `arena tournament` plays those games again."
        )
        sys.exit(FAILED)
    finally:
        if sys.argv[1:2] == ["--install-completion"]:
            _load_in_zsh(name)


def _load_in_zsh(name: str) -> None:
    """Have zsh load our completion when it starts: it has one for a browser called `arena`."""
    rc, line = Path.home() / ".zshrc", f"source ~/.zfunc/_{name}\n"
    if (Path.home() / ".zfunc" / f"_{name}").exists() and line not in rc.read_text():
        rc.write_text(rc.read_text() + line)


def version(value: bool) -> None:
    """Print the version and exit."""
    if value:
        out(f"arena {__version__}")
        raise typer.Exit


def with_json(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that returns an answer the option --json, unless it has one; print the answer,
    and exit with its code.
    """
    declared = signature(function)
    params = declared.parameters
    if declared.return_annotation is not Answer:
        return function

    @wraps(function)
    def run(json: bool, **given: Any) -> None:
        answer = function(**given, **{"json": json} if "json" in params else {})
        if not json:
            answer.show()
        elif answer.document is not None:
            from arena.typed_json import encode

            out(encode(answer.document))
        answer.finish()
        say(*answer.notes)
        if answer.code:
            raise typer.Exit(answer.code)

    words = flag("--json", "Print the result as JSON.")
    option = Parameter("json", Parameter.KEYWORD_ONLY, default=words, annotation=bool)
    options = {**params, "json": params.get("json", option)}
    run.__signature__ = declared.replace(parameters=[*options.values()])  # type: ignore[attr-defined]
    return run


for name, (group, function) in load_commands().items():
    app.command(name, cls=Command, rich_help_panel=group)(with_json(function))


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Run tournaments between bots: programs that play card games."""
