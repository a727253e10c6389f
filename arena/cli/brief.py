"""How games are played and bots are written: `arena rules` and `arena brief`."""

from typing import Annotated

import typer

from arena.cli.terminal import out, page


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
    from arena.author.brief import brief

    out(*brief([game] if game else games.names()).splitlines())
