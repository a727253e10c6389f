"""The command `arena reveal`."""

from typing import Annotated

import typer

from arena.cli.terminal import Results, confirmed, out, say
from arena.errors import FAILED, UsageError, require_linux
from arena.words import amount


def reveal_command(
    results: Results,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask: it ends the tournament, for good.")
    ] = False,
) -> None:
    """End a tournament: publish the secret of its deals, so that others can verify them."""
    require_linux(or_macos=True)  # Windows cannot lock the folder
    from arena.runner.reveal import reveal, season

    ends = season(results)
    if ends.revealed:
        say(f"{ends.folder}: was revealed before; the file is written again")
    else:
        warning = [
            f"{ends.folder}: revealing the secret ends the tournament, for good: all its deals can "
            "be known then, so no game is played under it any more"
        ]
        if ends.missing:
            warning.append(
                f"{amount(ends.missing, 'game')} of its plan can then never be played; `arena "
                "tournament` with its config plays what is missing"
            )
        if not yes:
            agreed = confirmed(warning, "reveal it?")
            if agreed is None:
                raise UsageError(*warning, "nothing was revealed; --yes says that it is meant so")
            if not agreed:
                say("nothing was revealed")
                raise typer.Exit(FAILED)
        elif ends.missing:
            say(*warning[1:])
    out(str(reveal(ends)))
    say("publish this file beside the tables or an export: `arena verify` deals every deal again "
        "with it")  # fmt: skip
