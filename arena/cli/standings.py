"""The command `arena standings`."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import Results, out, results_at, width
from arena.errors import UsageError
from arena.hints import not_one_of

if TYPE_CHECKING:
    from arena.store.store import Store
    from arena.tables.against import Against
    from arena.tables.document import Standings

AGAINST = ("plain", "github", "csv", "csv-safe", "json")
FORMATS = ("plain", "github", "csv", "csv-safe", "json", "html", "latex")


def print_schema(value: bool) -> None:
    """Print the JSON Schema of the standings and leave."""
    if value:
        from importlib.resources import files

        path = files("arena.tables").joinpath("standings.schema.json")
        out(*path.read_text("utf-8").splitlines())
        raise typer.Exit


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
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            callback=print_schema,
            is_eager=True,
            help="Print the JSON Schema of --json; takes no RESULTS.",
        ),
    ] = False,
) -> None:
    """Print a tournament's tables again, without playing."""
    from arena.cli.step_line import StepLine
    from arena.store.store import Store
    from arena.tables import formats, page, terminal
    from arena.tables.from_store import document_of

    if form not in FORMATS:
        raise UsageError(f"--format: {not_one_of(form, FORMATS)}")
    if json and form not in (FORMATS[0], "json"):
        raise UsageError(f"--json: found beside --format {form}; remove one of them")
    if bootstrap and not 20 <= bootstrap <= 10_000:
        raise UsageError(f"--bootstrap: found {bootstrap}; it takes 20 to 10,000, or 0 for none")
    if against is not None:
        _against(results, results_at(against), game, "json" if json else form, bootstrap)
        return
    with closing(Store.open(results)) as store, StepLine() as steps:
        _check_game(store, game)
        document = formats.select(document_of(store, bootstrap, game, steps), game)
    forms: dict[str, Callable[[Standings], str]] = {
        "github": formats.markdown, "csv": formats.csv, "csv-safe": partial(formats.csv, safe=True),
        "json": formats.json, "html": page.html, "latex": formats.latex,
    }  # fmt: skip
    chosen = "json" if json else form
    text = terminal.plain(document, width()) if chosen == "plain" else forms[chosen](document)
    out(*text.splitlines())


def _check_game(store: "Store", game: str | None) -> None:
    """Raise UsageError if the game is in no pool: before games are read."""
    from arena.store.plans import plan_in
    from arena.tables import formats

    if game is not None:
        plan = plan_in(store)
        formats.check_game(plan.name, sorted({e.pool.game for e in plan.entries}), game)


def _against(results: Path, old: Path, game: str | None, form: str, refits: int) -> None:
    """Print what moved since another league."""
    from arena.cli.step_line import StepLine
    from arena.store.store import Store
    from arena.tables import against_formats
    from arena.tables.against import against
    from arena.tables.from_store import league_of

    if form not in AGAINST:
        raise UsageError(f"--format: {not_one_of(form, AGAINST)} beside --against")
    with closing(Store.open(results)) as now, open_old(old, now) as then, StepLine() as steps:
        _check_game(now, game)
        _check_game(then, game)
        ours = league_of(now, refits, game, steps)
        moved = against(ours, league_of(then, refits, game, steps), f"--against: {old}")
    forms: dict[str, Callable[[Against], str]] = {
        "plain": partial(against_formats.plain, width=width()), "github": against_formats.markdown,
        "csv": against_formats.csv, "csv-safe": partial(against_formats.csv, safe=True),
        "json": against_formats.json,
    }  # fmt: skip
    out(*forms[form](moved).splitlines())


@contextmanager
def open_old(given: Path, now: "Store") -> "Iterator[Store]":
    """Give the other league's store; what is wrong with it is said with the option's name."""
    from arena.store.store import Store

    try:
        store = Store.open(given)
    except UsageError as error:
        raise UsageError(*(f"--against: {line}" for line in error.args)) from None
    with closing(store):
        if now.path.samefile(store.path):
            raise UsageError(f"--against: {given}: is RESULTS itself; name those of another league")
        yield store
