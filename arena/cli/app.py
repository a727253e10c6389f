"""The command line. Human words go to stderr, results to stdout; heavy modules load when used.

Exit codes: 0 done; 1 failed or differs; 2 wrong usage or config; 3 finished, but a bot is over
--max-faults; 4 bots cannot be confined here; 130 interrupted, all finished games saved.
"""

import json as jsons
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import __version__
from arena.cli import audit, match, records
from arena.cli.terminal import (
    UNCONFINED,
    Fresh,
    Results,
    Unconfined,
    Workers,
    again,
    progress_of,
    say,
    width,
)
from arena.errors import (
    FAILED,
    INTERRUPTED,
    OVER_MAX_FAULTS,
    UNCONFINABLE,
    ArenaError,
    UsageError,
)
from arena.escape import visible

FORMATS = ("plain", "github", "csv", "json", "html", "latex")

app = typer.Typer(
    help="Play tournaments of programmatic bots at three card games.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; a trouble of ours or the user's is one message and an exit code."""
    try:
        app()
    except ArenaError as error:
        say(str(error))
        sys.exit(error.code)
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # `arena records ... | head`
            sys.stdout = None
            sys.exit(FAILED)
        say(f"{error.filename or 'arena'}: {error.strerror or error}")
        sys.exit(FAILED)
    except Exception as error:
        import sqlite3

        if not isinstance(error, sqlite3.DatabaseError):
            raise
        say(f"the results file is damaged or cannot be read ({error}); `arena verify` says what "
            "is still good, `arena tournament` plays the rest again")  # fmt: skip
        sys.exit(FAILED)


def version(value: bool) -> None:
    """Print the version and leave."""
    if value:
        typer.echo(f"arena {__version__}")
        raise typer.Exit


for command in (
    records.records, records.judge, records.replay, audit.verify, audit.audit,
    audit.export, match.match,
):  # fmt: skip
    app.command()(command)


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play tournaments of programmatic bots at three card games."""


@app.command()
def tournament(
    config: Annotated[Path, typer.Argument(help="The tournament's TOML file.")],
    workers: Workers = None,
    results: Annotated[
        Path | None, typer.Option(help="Results folder; default: results/NAME.")
    ] = None,
    fresh: Fresh = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played, and how long it takes.")
    ] = False,
    max_faults: Annotated[
        int | None, typer.Option(min=0, help="Exit with 3 if a bot has more faults than this.")
    ] = None,
    unconfined: Unconfined = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress, no table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play what is missing of a tournament, rate it, and publish its tables."""
    from arena.plan.plan import plan_of
    from arena.runner import tournament as playing

    plan = plan_of(config, results, workers, not unconfined)
    if unconfined:
        say(UNCONFINED)
    if dry_run:
        _dry_run(plan, fresh, json)
        return
    if fresh:
        kept = playing.set_aside(plan.folder)
        if kept and not quiet:
            say(f"the old results are kept in {kept}")
    ended = playing.play(plan, progress_of(quiet), say)
    from arena.tables import formats, settling, terminal, timing

    if json:
        typer.echo(formats.json(ended.document), nl=False)
    elif not quiet:
        typer.echo(terminal.plain(ended.document, width()), nl=False)
    if ended.stopped:
        say(f"interrupted: {ended.played:,} games played and saved, {ended.left:,} are left. "
            f"To go on: {again()}")  # fmt: skip
        raise typer.Exit(INTERRUPTED)
    if unconfined:
        say(UNCONFINED)
    if not quiet:
        for pool in ended.document.pools:
            if pool.settle:
                say(f"{pool.title}: {settling.in_words(pool.settle)}")
        used = timing.summary(ended.timings, plan.limits)
        if used:
            say(f"\n{used}")
        say(f"\n{ended.played:,} games played; the tables are in {plan.folder}/")
    over = {
        entry.bot: entry.total
        for entry in ended.document.faults
        if max_faults is not None and entry.total > max_faults
    }
    if over:
        listed = ", ".join(f"{bot} {total}" for bot, total in over.items())
        say(f"over --max-faults {max_faults}: {listed}")
        raise typer.Exit(OVER_MAX_FAULTS)


def print_schema(value: bool) -> None:
    """Print the JSON Schema of the standings and leave."""
    if value:
        from importlib.resources import files

        path = files("arena.tables").joinpath("standings.schema.json")
        typer.echo(path.read_text("utf-8"), nl=False)
        raise typer.Exit


@app.command()
def standings(
    results: Results,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "plain",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    bootstrap: Annotated[
        int, typer.Option(help="Intervals by so many refits of decks drawn anew; 200 will do.")
    ] = 0,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            callback=print_schema,
            is_eager=True,
            help="Print the JSON Schema of --json, without RESULTS.",
        ),
    ] = False,
) -> None:
    """Print the tables of a tournament again, without playing."""
    from arena.store.store import Store
    from arena.tables import formats, terminal
    from arena.tables.from_store import document_of

    if form not in FORMATS:
        raise UsageError(f"--format: found {form!r}; it takes {', '.join(FORMATS)}")
    if bootstrap and not 20 <= bootstrap <= 10_000:
        raise UsageError(f"--bootstrap: found {bootstrap}; it takes 20 to 10,000, or 0 for none")
    with closing(Store.open(results)) as store:
        document = formats.select(document_of(store, bootstrap), game)
    forms = {"github": formats.markdown, "csv": formats.csv, "json": formats.json,
             "html": formats.html, "latex": formats.latex}  # fmt: skip
    chosen = "json" if json else form
    text = terminal.plain(document, width()) if chosen == "plain" else forms[chosen](document)
    typer.echo(text, nl=False)


@app.command()
def logs(
    results: Results,
    bot: Annotated[str, typer.Argument(help="A bot's name.")],
    most: Annotated[int, typer.Option(min=1, help="Faults and prints shown, at most.")] = 10,
) -> None:
    """Print what a bot printed and where it failed, as kept for its author."""
    from arena.ids import bots_key
    from arena.store import logs as logbook
    from arena.store.store import Store

    with closing(Store.open(results)) as store:
        faults, total = logbook.faults_of_bot(store, bot, most)
        sessions = logbook.printed_by(store, bot)
        games = (
            logbook.tables_of_bot(store, bot, bots_key(store.meta("secret"))) if sessions else {}
        )
    for game, (seat, action, reason) in faults:
        typer.echo(f"game {game}, seat {seat}, action {action}: {reason.kind}")
        for line in reason.text.splitlines():
            typer.echo(f"    {visible(line)}")
    if total > len(faults):
        typer.echo(f"... and {total - len(faults):,} more faults (--most)")
    for pool, notes, printed in sessions:
        for note in notes[:most]:
            typer.echo(f"{pool}: {visible(note)}")
        lines = printed.splitlines()
        for line in lines[:most]:
            typer.echo(f"{pool}: {visible(_where_printed(line, games))}")
        if len(lines) > most:
            typer.echo(f"{pool}: ... and {len(lines) - most:,} more lines (--most)")
    say(
        f"{bot}: {total:,} faults, {sum(len(p.splitlines()) for *_, p in sessions):,} lines printed"
    )


@app.command()
def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print the layers as JSON.")] = False,
) -> None:
    """Say what confines a bot on this machine, layer by layer, each one tried."""
    from arena.process import doctor as examining
    from arena.sandbox.walls import WALLS

    confinement, layers = examining.examine()
    if json:
        told = {"confinement": confinement, "layers": [layer._asdict() for layer in layers]}
        typer.echo(jsons.dumps(told))
    else:
        for layer in layers:
            typer.echo(f"{'ok' if layer.ok else 'NO':<3} {layer.name}: {layer.found}")
            if not layer.ok:
                typer.echo(f"    {layer.remedy}")
        typer.echo(f"confinement: {confinement}")
    if confinement != WALLS:
        raise typer.Exit(UNCONFINABLE)


def _where_printed(line: str, games: dict[int, str]) -> str:
    """Return a line of output, with the id of the game that its table is, if it is one."""
    found = re.match(r"table (\d{1,16}), decision ", line)
    game = games.get(int(found[1])) if found else None
    return f"game {game}{line[found.end(1) :]}" if found and game else line


def _dry_run(plan: Any, fresh: bool, json: bool) -> None:
    from tabulate import tabulate

    from arena.cli.progress import duration
    from arena.runner import dry_run as estimate

    news, pools = estimate.dry_run(plan, fresh, say)
    for line in news:
        say(line)
    if json:
        typer.echo(jsons.dumps([pool._asdict() | {"pool": pool.pool.title} for pool in pools]))
        return
    rows: list[tuple[object, ...]] = [
        (p.pool.title, p.bots, f"{p.line_ups:,}", p.seatings, f"{p.games:,}", f"{p.played:,}",
         duration(p.seconds / plan.workers))
        for p in pools
    ]  # fmt: skip
    games, played = sum(p.games for p in pools), sum(p.played for p in pools)
    seconds = sum(p.seconds for p in pools) / plan.workers
    rows.append(("all", "", "", "", f"{games:,}", f"{played:,}", duration(seconds)))
    heads = ("pool", "bots", "line-ups", "seatings", "games", "played", "time left")
    align = ("left", *["right"] * 6)
    typer.echo(tabulate(rows, heads, "simple", colalign=align, disable_numparse=True))
    typer.echo(f"\nwith {plan.workers} workers; results go to {plan.folder}/")
