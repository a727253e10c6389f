"""The tables and the site of results: `arena standings` and `arena publish`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.progress import Display
from arena.cli.terminal import Results, out, results_at, say, width
from arena.errors import UsageError
from arena.words import amount, not_one_of, size

if TYPE_CHECKING:
    from arena.site import Built
    from arena.store.store import Store
    from arena.tables.against import Against
    from arena.tables.document import Standings

AGAINST = ("plain", "github", "csv", "csv-safe", "json")
FORMATS = ("plain", "github", "csv", "csv-safe", "json", "html", "latex")
SITE = "site"
"""The folder of a site, in its results folder."""


def standings_command(
    results: Results,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Show this game only.")] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = "plain",
    json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
    bootstrap: Annotated[
        int,
        typer.Option(
            metavar="N", help="Take intervals from N refits on decks drawn anew, e.g. 200."
        ),
    ] = 0,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD", help="Show what moved since another league, given by its results."
        ),
    ] = None,
) -> None:
    """Print a tournament's tables again, without playing."""
    from arena.store.store import Store
    from arena.tables import formats, page, terminal
    from arena.tables.results import make_document

    if form not in FORMATS:
        raise UsageError(f"--format: {not_one_of(form, FORMATS)}")
    if json and form not in (FORMATS[0], "json"):
        raise UsageError(f"--json: found beside --format {form}; remove one of them")
    if bootstrap and not 20 <= bootstrap <= 10_000:
        raise UsageError(f"--bootstrap: found {bootstrap}; it takes 20 to 10,000, or 0 for none")
    if against is not None:
        _against(results, results_at(against), game, "json" if json else form, bootstrap)
        return
    with closing(Store.open(results)) as store, Display() as steps:
        _check_game(store, game)
        document = formats.select(make_document(store, bootstrap, game, steps), game)
    forms: dict[str, Callable[[Standings], str]] = {
        "github": formats.markdown, "csv": formats.csv, "csv-safe": partial(formats.csv, safe=True),
        "json": formats.json, "html": page.html, "latex": formats.latex,
    }  # fmt: skip
    chosen = "json" if json else form
    text = terminal.plain(document, width()) if chosen == "plain" else forms[chosen](document)
    out(*text.splitlines())


def _check_game(store: "Store", game: str | None) -> None:
    """Raise UsageError if the game is in no pool; called before games are read."""
    from arena.store.plans import load_plan
    from arena.tables import formats

    if game is not None:
        plan = load_plan(store)
        formats.check_game(plan.name, sorted({e.pool.game for e in plan.entries}), game)


def _against(results: Path, old: Path, game: str | None, form: str, refits: int) -> None:
    """Print what moved since another league."""
    from arena.store.store import Store
    from arena.tables import against, formats
    from arena.tables.results import make_league

    if form not in AGAINST:
        raise UsageError(f"--format: {not_one_of(form, AGAINST)} beside --against")
    with closing(Store.open(results)) as now, open_old(old, now) as then, Display() as steps:
        _check_game(now, game)
        _check_game(then, game)
        ours = make_league(now, refits, game, steps)
        moved = against.compare_leagues(
            ours, make_league(then, refits, game, steps), f"--against: {old}"
        )
    forms: dict[str, Callable[[Against], str]] = {
        "plain": partial(against.plain, width=width()), "github": against.markdown,
        "csv": against.csv, "csv-safe": partial(against.csv, safe=True),
        "json": formats.json,
    }  # fmt: skip
    out(*forms[form](moved).splitlines())


@contextmanager
def open_old(given: Path, now: "Store") -> "Iterator[Store]":
    """Open the other league's store; errors name the option --against."""
    from arena.store.store import Store

    try:
        store = Store.open(given)
    except UsageError as error:
        raise UsageError(*(f"--against: {line}" for line in error.args)) from None
    with closing(store):
        if now.path.samefile(store.path):
            raise UsageError(f"--against: {given}: is RESULTS itself; name those of another league")
        yield store


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
    """Make the site; return its folder and what is in it."""
    from arena.author.brief import write_brief
    from arena.site import SiteOptions, build_site, parse_selection
    from arena.store.store import Store

    selection = parse_selection(games)
    with ExitStack() as opened:
        store = opened.enter_context(closing(Store.open(results)))
        old = opened.enter_context(open_old(against, store)) if against else None
        steps = opened.enter_context(Display())
        place = to or site_of(store.path.parent)
        options = SiteOptions(old, selection, with_logs)
        return place, build_site(store, place, options, lambda game: write_brief([game]), steps)


def site_of(results: Path) -> Path:
    """The default folder of a site.

    Raises UsageError where it is a link: results may be a stranger's, and a link may lead to a site
    of the user's own.
    """
    place = results / SITE
    if place.is_symlink():
        raise UsageError(
            f"{place}: is a link; remove it, or name its folder: arena publish {results} --to DIR"
        )
    return place


def in_words(built: "Built") -> str:
    """The size of a site: `12 games to watch, 40 files, 1.2 MB`."""
    watched = f"{amount(built.watched, 'game')} to watch, " if built.watched else ""
    return f"{watched}{amount(built.files, 'file')}, {size(built.bytes)}"
