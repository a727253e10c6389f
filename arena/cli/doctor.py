"""The command `arena doctor`."""

from typing import Annotated

import typer

from arena.cli.terminal import out
from arena.errors import UNCONFINABLE, require_linux


def doctor_command(
    json: Annotated[bool, typer.Option("--json", help="Print the layers as JSON.")] = False,
) -> None:
    """Try each wall that confines bots on this machine."""
    require_linux()
    from arena.process.doctor import examine
    from arena.sandbox.walls import WALLS
    from arena.typed_json import encode

    found = examine()
    if json:
        out(encode(found))
    else:
        for layer in found.layers:
            out(f"{'ok' if layer.ok else 'NO':<3} {layer.name}: {layer.found}")
            if not layer.ok:
                out(*(f"    {line}" for line in layer.remedy.splitlines()))
        out(f"confinement: {found.confinement}")
    if found.confinement != WALLS:
        raise typer.Exit(UNCONFINABLE)
