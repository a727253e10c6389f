"""The command `arena publish`, and what `arena tournament --publish` does when all is played."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.step_line import StepLine
from arena.cli.terminal import Results, out, say
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
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD", help="Show what moved since another league, given by its results."
        ),
    ] = None,
) -> None:
    """Make a site of the results: pages that work offline, and anywhere they are put."""
    place, built = published(results, to, against)
    out(str(place / "index.html"))
    say(in_words(built))


def published(
    results: Path, to: Path | None = None, old: Path | None = None
) -> tuple[Path, "Built"]:
    """Make the site, and return where it is and what is in it."""
    from arena.author.brief import brief
    from arena.cli.standings import open_old
    from arena.site.build import Wanted, build
    from arena.store.store import Store

    with ExitStack() as opened:
        store = opened.enter_context(closing(Store.open(results)))
        then = opened.enter_context(open_old(old, store)) if old else None
        steps = opened.enter_context(StepLine())
        place = to or store.path.parent / SITE
        return place, build(store, place, Wanted(then), lambda game: brief([game]), steps)


def in_words(built: "Built") -> str:
    """Return how much a site is."""
    return f"{amount(built.files, 'file')}, {_size(built.bytes)}"


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"
