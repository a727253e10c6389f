"""The command line. Human words go to stderr, results to stdout; heavy modules load when used.

Exit codes: 0 done; 1 failed or differs; 2 wrong usage or config; 3 finished, but a bot is over
--max-faults; 4 bots cannot be confined here; 130 interrupted, all finished games saved.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from arena import __version__
from arena.cli import (
    audit,
    brief,
    check,
    debug,
    doctor,
    faults,
    help,
    logs,
    match,
    new,
    play,
    publish,
    records,
    rerun,
    reveal,
    schema,
    shards,
    standings,
    tournament,
    watch,
)
from arena.cli.terminal import out, say
from arena.errors import FAILED, ArenaError
from arena.escape import visible

USAGE_ERROR: Any = typer.BadParameter.__base__
"""The exception of click for words that make no command; some versions of typer have their own."""


class Commands(help.Group):
    """The commands. A word that is none, or an option or an argument too many, is shown without
    what does not print: a shell's `*` makes arguments of strangers' files.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words before the command."""
        with _usage_errors_visible():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Read the command's words, and carry it out."""
        with _usage_errors_visible():
            return super().invoke(ctx)


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
    context_settings=help.NAMES,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; a trouble of ours or the user's is one message and an exit code."""
    try:
        app()
    except ArenaError as error:
        say(*error.args)
        sys.exit(error.code)
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # `arena records ... | head`
            sys.stdout = None
            sys.exit(FAILED)
        say(f"{error.filename or 'arena'}: {error.strerror or error}")
        sys.exit(FAILED)
    except Exception as error:
        import sqlite3

        if not isinstance(error, sqlite3.DatabaseError):
            raise
        from arena.store.opening import no_room

        say(
            no_room(error)
            or f"the results file is damaged or cannot be read ({error}); `arena "
            "verify` says what is still good, `arena tournament` plays the rest again"
        )
        sys.exit(FAILED)


def version(value: bool) -> None:
    """Print the version and leave."""
    if value:
        out(f"arena {__version__}")
        raise typer.Exit


for command in (
    tournament.tournament_command,
    check.check_command,
    new.new_command,
    new.init_command,
    match.match_command,
    standings.standings_command,
    publish.publish_command,
    faults.faults_command,
    logs.logs_command,
    debug.debug_command,
    rerun.rerun_command,
    records.replay_command,
    play.play_command,
    watch.watch_command,
    brief.rules_command,
    brief.brief_command,
    records.records_command,
    records.judge_command,
    audit.verify_command,
    audit.audit_command,
    audit.export_command,
    reveal.reveal_command,
    shards.plan_command,
    shards.merge_command,
    doctor.doctor_command,
    schema.schema_command,
):  # in the order of `arena --help` and of README.md: for authors, then for who runs a league
    app.command(command.__name__.removesuffix("_command"), cls=help.Command)(command)


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play tournaments of programmatic bots at three card games."""
