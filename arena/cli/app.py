"""The command line, and the look of its `--help` pages: typer's own, without what says nothing.

Messages for people go to stderr, results to stdout. Heavy modules are loaded when used.

Exit codes: 0 done; 1 failed or differs; 2 wrong usage or config; 3 finished, but a bot is over
--max-faults; 4 bots cannot be confined here; 130 interrupted, all finished games saved.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from arena import __version__
from arena.cli import audit, check, debug, faults, match, new, play, records, standings, tournament
from arena.cli.terminal import out, say
from arena.errors import FAILED, ArenaError
from arena.words import visible

USAGE_ERROR: Any = typer.BadParameter.__base__
"""The exception of click for words that make no command; some versions of typer have their own."""


NAMES = {"help_option_names": ["--help", "-h"]}
"""Settings of the program's context, from which each command has its own."""


class Command(TyperCommand):
    """A command whose help names no type beside a flag, and has no braces round an argument."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _untyped_flags(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the usage line: `RESULTS`, where typer writes `{RESULTS}`."""
        return [re.sub("[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]


class Commands(TyperGroup):
    """The commands.

    Messages about an unknown word, or an option or argument too many, show it without unprintable
    characters: a shell's `*` makes arguments of strangers' files.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        return _untyped_flags(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _usage_errors_visible():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with _usage_errors_visible():
            return super().invoke(ctx)


def _untyped_flags(params: Iterable[Any]) -> list[Any]:
    params = list(params)
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""  # else it is shown as `--json <bool>`, as if it took a word
    return params


@contextmanager
def _usage_errors_visible() -> Iterator[None]:
    try:
        yield
    except USAGE_ERROR as error:
        error.message = visible(error.message)
        raise


app = typer.Typer(
    cls=Commands,
    help="Play tournaments of programmatic bots at three card games.",
    context_settings=NAMES,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line. Errors of ours or the user's become one message and an exit code."""
    try:
        app()
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
        from arena.store import explain_no_room

        say(
            explain_no_room(error)
            or f"the results file is damaged or cannot be read ({error}); `arena "
            "verify` says what is still good, `arena tournament` plays the rest again"
        )
        sys.exit(FAILED)


def version(value: bool) -> None:
    """Print the version and exit."""
    if value:
        out(f"arena {__version__}")
        raise typer.Exit


GROUPS = {
    "Write a bot": (
        new.new_command, check.check_command, match.match_command, new.brief_command,
        new.rules_command, play.play_command,
    ),
    "See why it lost": (
        faults.faults_command, faults.logs_command, debug.debug_command, debug.rerun_command,
        records.replay_command,
    ),
    "Run a league": (
        new.init_command, tournament.tournament_command, standings.standings_command,
        standings.publish_command, standings.watch_command,
    ),
    "Check and share results": (
        audit.verify_command, audit.audit_command, records.records_command, records.judge_command,
        audit.export_command, audit.reveal_command, check.doctor_command, new.schema_command,
    ),
}  # fmt: skip
"""The commands in the groups and the order of `arena --help` and of README.md."""

for group, commands in GROUPS.items():
    for command in commands:
        name = command.__name__.removesuffix("_command")
        app.command(name, cls=Command, rich_help_panel=group)(command)


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play tournaments of programmatic bots at three card games."""
