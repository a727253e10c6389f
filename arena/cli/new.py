"""Folders and files to begin with, and documents to read: `arena init`, `arena new`, `arena rules`,
`arena brief`, `arena schema`.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import games
from arena.cli.commands import LEAGUE, SHARE, WRITE, command
from arena.cli.options import argument, flag
from arena.cli.terminal import near, out, page, rewrite_commands, say
from arena.errors import UsageError
from arena.words import not_one_of

if TYPE_CHECKING:
    from arena.author.scaffold import BotKind


@command(LEAGUE)
def init_command(folder: Path = argument("DIR", "A new folder, or an empty one.")) -> None:
    """Make a league: a folder with house bots and a small tournament.

    Example: arena init my-league
    Exit codes: 0; 1; 2; 130
    """
    from arena.author.scaffold import STARTER, write_league
    from arena.league.bots import BOTS
    from arena.league.trust import trust

    action = write_league(folder)
    trust(str((folder / BOTS / f"{STARTER}.py").resolve()))
    out(f"{folder}: a league with the house bots and a first bot of yours, bots/{STARTER}.py")
    say(
        "",
        "Next:",
        *([] if folder.resolve() == Path.cwd() else [f"    cd {near(folder)}"]),
        "    arena tournament tournaments/first.toml",
        f"    arena check {STARTER}",
    )
    if action is None:
        say(
            "",
            ".github/workflows/arena.yml: replace OWNER with the account that publishes Arena,",
            "    and COMMIT with the hash of its commit; this installation knows neither",
        )


@command(WRITE)
def new_command(
    name: str = argument("NAME", "Name of the new bot."),
    as_class: bool = flag("--class", "Write a class: one instance per game, with memory."),
    numpy: bool = flag("--numpy", "Write a bot that decides in many games at once, with numpy."),
    folder: bool = flag("--folder", "Write a folder, for a bot with data files."),
) -> None:
    """Write a bot that plays all games, and a test for it.

    Example: arena new thrifty
    Example: arena new rememberer --class
    Exit codes: 0; 1; 2; 130
    """
    from arena.author.scaffold import write_bot
    from arena.league.bots import find_league
    from arena.league.trust import trust

    flags: dict[BotKind, bool] = {"class": as_class, "numpy": numpy, "folder": folder}
    chosen = [kind for kind, given in flags.items() if given]
    if len(chosen) > 1:
        words = " and ".join(f"--{kind}" for kind in chosen)
        raise UsageError(f"{words}: cannot be combined; keep one of them, or none")
    written = write_bot(find_league(Path.cwd()), name, (*chosen, "decide")[0])
    trust(str(written[0].resolve()))
    out(*map(os.path.relpath, written))
    say(
        "",
        "It can already play. Next:",
        f"    arena check {name}",
        f"    arena match {name} haggler",
    )


@command(WRITE)
def rules_command(game: str = argument("GAME", "Name of a game, such as no_thanks.")) -> None:
    """Print the rules of a game.

    Example: arena rules no_thanks
    Exit codes: 0; 1; 2; 130
    """
    from arena.author.brief import read_rules

    page(read_rules(game))


@command(WRITE)
def brief_command(
    game: str | None = argument("GAME", "Name of a game (default: all games).", default=None),
) -> None:
    """Print everything a bot's author needs, on one page.

    Example: arena brief no_thanks
    Exit codes: 0; 1; 2; 130
    """
    from arena.author.brief import write_brief

    out(*write_brief([game] if game else games.names()).splitlines())


@command(SHARE)
def schema_command(
    name: str | None = argument("NAME", "Name of a schema (default: list all).", default=None),
) -> None:
    """Print the JSON Schema of a command's `--json` output, or of the config.

    Example: arena schema
    Example: arena schema config
    Exit codes: 0; 1; 2; 130
    """
    from arena.cli.documents import DOCUMENTS, load_type
    from arena.typed_json import schema_of

    if name is None:
        for title, document in DOCUMENTS.items():
            commands = ", ".join(f"arena {command} --json" for command in document.commands)
            described = commands or "a tournament's TOML file"
            out(rewrite_commands(f"{title:<{max(map(len, DOCUMENTS))}}  {described}"))
        return
    if name not in DOCUMENTS:
        raise UsageError(f"NAME: {not_one_of(name, list(DOCUMENTS))}")
    out(*schema_of(load_type(name)).splitlines())
