"""What an author begins with: `arena init`, `arena new`, `arena rules`, `arena brief`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import out, page, say
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.author.scaffold import Kind


def init_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or an empty one.")],
) -> None:
    """Begin a league: house bots, a first bot of yours, a small tournament, a workflow."""
    from arena.author import scaffold

    action = scaffold.write_league(folder)
    bot = scaffold.STARTER
    out(f"{folder}: a league of the house bots and yours, bots/{bot}.py")
    say(
        "",
        "What to do next:",
        *([] if folder.resolve() == Path.cwd() else [f"    cd {folder}"]),
        "    arena tournament tournaments/first.toml",
        f"    arena check {bot}",
    )
    if action is None:
        say(
            "",
            ".github/workflows/arena.yml: put in who publishes Arena, where OWNER stands,",
            "    and the hash of its commit, where COMMIT stands; this installation knows neither",
        )


def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the new bot.")],
    as_class: Annotated[
        bool, typer.Option("--class", help="A class: one instance a game, with memory.")
    ] = False,
    numpy: Annotated[
        bool, typer.Option("--numpy", help="Decide for many games at once, in numpy arrays.")
    ] = False,
    folder: Annotated[
        bool, typer.Option("--folder", help="A folder, for a bot with data beside its code.")
    ] = False,
) -> None:
    """Write a bot that plays every game, and a test of it, into the league's bots/."""
    from arena.author import scaffold
    from arena.league.bots import find_league

    flags: dict[Kind, bool] = {"class": as_class, "numpy": numpy, "folder": folder}
    chosen = [kind for kind, given in flags.items() if given]
    if len(chosen) > 1:
        words = " and ".join(f"--{kind}" for kind in chosen)
        raise UsageError(f"{words}: a bot is of one kind; give one of them, or none")
    league = find_league(Path.cwd())
    for path in scaffold.write_bot(league, name, chosen[0] if chosen else "decide"):
        out(os.path.relpath(path))
    say(
        "",
        f"It plays already. Is it sound? arena check {name}",
        f"Is it better than another? arena match {name} haggler",
    )


def rules_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game.")],
) -> None:
    """Print the rules of a game."""
    from arena.author.brief import rules_of

    page(rules_of(game))


def brief_command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Name of a game; default: all games.")
    ] = None,
) -> None:
    """Print all that an author needs to know, as Markdown, for a person or a model."""
    import games
    from arena.author.brief import write_brief

    out(*write_brief([game] if game else games.names()).splitlines())
