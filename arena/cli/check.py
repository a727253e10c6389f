"""The command `arena check`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import out, width
from arena.errors import FAILED, UsageError, require_linux

if TYPE_CHECKING:
    from arena.author.check_document import CheckFault
    from arena.league.bots import BotPath


def print_schema(value: bool) -> None:
    """Print the JSON Schema of --json and leave."""
    if value:
        from importlib.resources import files

        path = files("arena.author").joinpath("check.schema.json")
        out(*path.read_text("utf-8").splitlines())
        raise typer.Exit


def check_command(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Name or path of a bot.")],
    first: Annotated[bool, typer.Option("--first", help="Stop at the first fault.")] = False,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Deal from another seed, for other games.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print no progress.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            callback=print_schema,
            is_eager=True,
            help="Print the JSON Schema of --json; takes no BOT.",
        ),
    ] = False,
) -> None:
    """Say in seconds whether a bot is sound: its faults, time, memory and rough standing."""
    found = _found(bot)
    require_linux()
    from msgspec import json as writer

    from arena.author.check import check
    from arena.author.check_report import in_short, report
    from arena.cli.step_line import StepLine

    with StepLine() as line:

        def noticed(fault: "CheckFault") -> None:
            if not quiet:
                line.say(f"fault: {in_short(fault)}")

        checked = check(found, first, seed, noticed, line)
    if json:
        out(writer.encode(checked).decode())
    else:
        out(*report(checked, width()))
    if not checked.sound:
        raise typer.Exit(FAILED)


def _found(given: str) -> "BotPath":
    """Return the bot: of the league here by its name, or any by its path, also outside a league."""
    from arena.league.bots import find_bot, folder_from

    try:
        folder = folder_from(Path.cwd())
    except UsageError:
        folder = Path.cwd()  # then a path is all that can be meant
    return find_bot(folder, given)
