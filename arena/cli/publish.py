"""The command `arena publish`, and what `arena tournament --publish` does when all is played."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.amounts import size
from arena.cli.step_line import StepLine
from arena.cli.terminal import Results, out, say
from arena.errors import UsageError
from arena.hints import amount

if TYPE_CHECKING:
    from arena.site.build import Built

SITE = "site"
"""The folder of a site, in its results folder."""


def publish_command(
    results: Results,
    to: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the site; default: RESULTS/site.")
    ] = None,
    games: Annotated[
        str,
        typer.Option(
            metavar="WHICH",
            help="Games to watch: all, N a line-up, faults, or upsets; default: some of each kind.",
        ),
    ] = "",
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD", help="Show what moved since another league, given by its results."
        ),
    ] = None,
    with_logs: Annotated[
        bool,
        typer.Option("--with-logs", help="Publish what bots printed and why they failed, too."),
    ] = False,
) -> None:
    """Make a site of the results: pages that work offline, with games to watch."""
    place, built = published(results, to, games, against, with_logs)
    out(str(place / "index.html"))
    say(in_words(built))


def published(
    results: Path,
    to: Path | None = None,
    games: str = "",
    against: Path | None = None,
    with_logs: bool = False,
) -> tuple[Path, "Built"]:
    """Make the site; return its folder, and what is in it."""
    from arena.author.brief import brief
    from arena.cli.standings import open_old
    from arena.site.build import SiteOptions, build
    from arena.site.games_to_watch import parse_selection
    from arena.store.store import Store

    selection = parse_selection(games)
    with ExitStack() as opened:
        store = opened.enter_context(closing(Store.open(results)))
        old = opened.enter_context(open_old(against, store)) if against else None
        steps = opened.enter_context(StepLine())
        place = to or site_of(store.path.parent)
        options = SiteOptions(old, selection, with_logs)
        return place, build(store, place, options, lambda game: brief([game]), steps)


def site_of(results: Path) -> Path:
    """Return the folder of the site of results. Raises UsageError where it is a link: results may
    be a stranger's, and the link lead to a site of one's own.
    """
    place = results / SITE
    if place.is_symlink():
        raise UsageError(
            f"{place}: is a link; remove it, or name its folder: arena publish {results} --to DIR"
        )
    return place


def in_words(built: "Built") -> str:
    """Return how much a site is."""
    watched = f"{amount(built.watched, 'game')} to watch, " if built.watched else ""
    return f"{watched}{amount(built.files, 'file')}, {size(built.bytes)}"
