"""The command line: its commands in their groups, and how it ends.

Messages for people go to stderr, results to stdout. Heavy modules are loaded when used. Exit codes:
`arena.errors`.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from arena import __version__
from arena.cli import (
    audit,
    check,
    explain,
    faults,
    match,
    new,
    play,
    records,
    rerun,
    season,
    standings,
    tournament,
)
from arena.cli.help import Command, Commands
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
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    name = "botarena" if os.path.basename(sys.argv[0]) == "botarena" else "arena"
    if sys.argv[2:] and sys.argv[1].endswith("-completion"):
        os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"  # a shell is named
    try:
        app(prog_name=name)
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


GROUPS: dict[str, tuple[Callable[..., None], ...]] = {
    "Write a bot": (
        new.new_command, check.check_command, match.match_command, new.brief_command,
        new.rules_command, play.play_command,
    ),
    "See why a bot lost": (
        records.games_command, explain.explain_command, faults.faults_command,
        faults.logs_command, rerun.rerun_command, records.replay_command,
    ),
    "Run a league": (
        new.init_command, tournament.tournament_command, standings.standings_command,
        standings.publish_command, standings.watch_command, season.history_command,
        season.season_command, season.backup_command,
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
    """Run tournaments between bots: programs that play card games."""
