"""The commands that keep a league: `arena backup`."""

from pathlib import Path
from typing import Annotated

from arena.cli.options import Results, argument, open_store
from arena.cli.progress import Display
from arena.cli.terminal import near, out, say
from arena.errors import require_linux
from arena.words import size


def backup_command(
    results: Results,
    to: Annotated[Path, argument("TO", "Folder to make the backup in, best on another disk.")],
) -> None:
    """Copy results to a safe place, also while their tournament runs.

    Example: arena backup first backups
    Exit codes: 0; 1; 2; 4 the command does not run on Windows; 130
    """
    require_linux(or_macos=True)  # on Windows no other process could write meanwhile
    from arena.export import make_backup
    from arena.system import read_clock

    with open_store(results) as store, Display() as steps:
        made = make_backup(store, to, read_clock(), steps)
        folder = near(store.path.parent)
    out(f"{made.place}  {size(made.size)}")
    if made.secret:
        say("It holds the secret of the deals: keep it private.")
    say("It lacks the config and bots/: copy these too.")
    say(f"To restore: move {folder} away, and copy this folder to {folder}.")
