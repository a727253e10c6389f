"""The command `arena standings`."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import Results, out, width
from arena.errors import UsageError
from arena.hints import not_one_of

if TYPE_CHECKING:
    from arena.tables.document import Standings

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
    from arena.store.plans import plan_in
    from arena.store.store import Store
    from arena.tables import formats, terminal
    from arena.tables.from_store import document_of

    if form not in FORMATS:
        raise UsageError(f"--format: {not_one_of(form, FORMATS)}")
    if json and form not in (FORMATS[0], "json"):
        raise UsageError(f"--json: found beside --format {form}; remove one of them")
    if bootstrap and not 20 <= bootstrap <= 10_000:
        raise UsageError(f"--bootstrap: found {bootstrap}; it takes 20 to 10,000, or 0 for none")
    with closing(Store.open(results)) as store, StepLine() as steps:
        if game is not None:  # said before the others' games are read
            plan = plan_in(store)
            formats.check_game(plan.name, sorted({e.pool.game for e in plan.entries}), game)
        document = formats.select(document_of(store, bootstrap, game, steps), game)
    forms: dict[str, Callable[[Standings], str]] = {
        "github": formats.markdown, "csv": formats.csv, "csv-safe": partial(formats.csv, safe=True),
        "json": formats.json, "html": formats.html, "latex": formats.latex,
    }  # fmt: skip
    chosen = "json" if json else form
    text = terminal.plain(document, width()) if chosen == "plain" else forms[chosen](document)
    out(*text.splitlines())
