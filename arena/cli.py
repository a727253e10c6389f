"""The command line. Human words go to stderr, results to stdout; heavy modules load when used.

Exit codes: 0 done; 1 failed or differs; 2 wrong usage or config; 3 finished, but a bot is over
--max-faults; 4 bots cannot be confined here; 130 interrupted, all finished games saved.
"""

import json as jsons
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import __version__
from arena.errors import ArenaError, UsageError
from arena.escape import visible

DIFFERS, USAGE, OVER_MAX_FAULTS, UNCONFINABLE, INTERRUPTED = 1, 2, 3, 4, 130
UNCONFINED = "warning: --unconfined: bots run with your rights and limits only; trust them or don't"
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
    except KeyboardInterrupt:
        say("stopped at once; all games that were saved are safe")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # `arena records ... | head`
        sys.stdout = None
        sys.exit(DIFFERS)


def say(text: str) -> None:
    """Print words for people."""
    typer.echo(text, err=True)


def version(value: bool) -> None:
    """Print the version and leave."""
    if value:
        typer.echo(f"arena {__version__}")
        raise typer.Exit


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
    workers: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; default: one a core.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="Results folder; default: results/NAME.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew; what is stored is kept under another name.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played, and how long it takes.")
    ] = False,
    max_faults: Annotated[
        int | None, typer.Option(min=0, help="Exit with 3 if a bot has more faults than this.")
    ] = None,
    unconfined: Annotated[
        bool, typer.Option("--unconfined", help="Play with limits only: for bots you trust.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress, no table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play what is missing of a tournament, rate it, and publish its tables."""
    from arena import tournament as playing

    plan = playing.plan_of(config, results, workers, not unconfined)
    if unconfined:
        say(UNCONFINED)
    if dry_run:
        _dry_run(plan, json)
        return
    if fresh:
        kept = playing.set_aside(plan.folder)
        if kept and not quiet:
            say(f"the old results are kept in {kept}")
    ended = playing.play(plan, _progress(quiet))
    from arena import report

    if json:
        typer.echo(report.json(ended.document), nl=False)
    elif not quiet:
        typer.echo(report.plain(ended.document, _width()), nl=False)
    if ended.stopped:
        say(f"interrupted; {ended.played:,} finished games are saved. To go on: {_again()}")
        raise typer.Exit(INTERRUPTED)
    if unconfined:
        say(UNCONFINED)
    if not quiet:
        say(f"\n{ended.played:,} games played; the tables are in {plan.folder}/")
    over = {
        row["bot"]: row["total"]
        for row in ended.document["faults"]
        if max_faults is not None and row["total"] > max_faults
    }
    if over:
        listed = ", ".join(f"{bot} {total}" for bot, total in over.items())
        say(f"over --max-faults {max_faults}: {listed}")
        raise typer.Exit(OVER_MAX_FAULTS)


@app.command()
def standings(
    results: Annotated[Path, typer.Argument(help="A results folder: results/NAME.")],
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "plain",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print the tables of a tournament again, without playing."""
    from arena import report
    from arena import tournament as playing
    from arena.store import Store

    if form not in FORMATS:
        raise UsageError(f"--format: found {form!r}; it takes {', '.join(FORMATS)}")
    store = Store.open(results)
    try:
        document = report.select(playing.document_of(store), game)
    finally:
        store.close()
    forms = {"github": report.markdown, "csv": report.csv, "json": report.json,
             "html": report.html, "latex": report.latex}  # fmt: skip
    chosen = "json" if json else form
    text = report.plain(document, _width()) if chosen == "plain" else forms[chosen](document)
    typer.echo(text, nl=False)


@app.command()
def records(
    results: Annotated[Path, typer.Argument(help="A results folder: results/NAME.")],
    output: Annotated[
        Path | None, typer.Option(help="A file to write; default: standard output.")
    ] = None,
) -> None:
    """Print the records of a tournament's games, one JSON object a line."""
    from arena import tournament as playing
    from arena.store import Store

    store = Store.open(results)
    try:
        if output is None:
            for line in playing.lines_of(store):
                sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()
            return
        draft = output.with_name(f".{output.name}.draft")
        count = 0
        with draft.open("wb") as stream:
            for line in playing.lines_of(store):
                stream.write(line + b"\n")
                count += 1
        draft.replace(output)
        say(f"{count:,} records in {output}")
    except OSError as error:
        raise UsageError(f"{output}: cannot be written ({error.strerror})") from None
    finally:
        store.close()


@app.command()
def judge(
    file: Annotated[str, typer.Argument(help="A file of records; - is standard input.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a record.")] = False,
) -> None:
    """Replay records by the rules, and say where they first go wrong."""
    from arena.judge import judge as judged

    total = agreed = 0
    unreadable = False
    for number, record, problem in _read(file):
        if record is None:
            unreadable = True
            say(f"{_named(file)}:{number}: {problem}")
            continue
        total += 1
        verdict = judged(record)
        agreed += verdict.agree
        if json:
            told: dict[str, Any] = {"line": number, "agree": verdict.agree}
            if verdict.state:
                told["state"] = verdict.state.dump()
            else:
                told |= {"at": verdict.at, "why": verdict.why}
            typer.echo(jsons.dumps(told))
        elif not verdict.agree:
            where = "" if verdict.at is None else f"action {verdict.at}: "
            typer.echo(f"{_named(file)}:{number}: {where}{visible(verdict.why)}")
    (say if json else typer.echo)(f"{total:,} records, {agreed:,} agree")
    if unreadable:
        raise typer.Exit(USAGE)
    if agreed < total:
        raise typer.Exit(DIFFERS)


@app.command()
def replay(
    source: Annotated[Path, typer.Argument(help="A results folder, or a file of records.")],
    game: Annotated[
        str | None, typer.Argument(help="A game's id, or its first digits (results folder).")
    ] = None,
    line: Annotated[int, typer.Option(min=1, help="Which record of the file.")] = 1,
    at: Annotated[
        int | None, typer.Option(min=0, help="Show the state after so many actions.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the state as JSON.")] = False,
) -> None:
    """Show a game step by step."""
    from arena import show
    from arena.judge import Divergence

    record = _stored(source, game) if source.is_dir() else _line(source, game, line)
    try:
        if json or at is not None:
            state = show.state_at(record, at).dump()
            typer.echo(jsons.dumps(state, indent=None if json else 1))
        else:
            for text in show.lines(record):
                typer.echo(text)
    except Divergence as error:
        where = "" if error.at is None else f"action {error.at}: "
        raise ArenaError(f"{source}: {where}{visible(error.why)}") from None


@app.command()
def logs(
    results: Annotated[Path, typer.Argument(help="A results folder: results/NAME.")],
    bot: Annotated[str, typer.Argument(help="A bot's name.")],
    most: Annotated[int, typer.Option(min=1, help="Faults and prints shown, at most.")] = 10,
) -> None:
    """Print what a bot printed and where it failed, as kept for its author."""
    from arena.store import Store

    store = Store.open(results)
    try:
        faults, total = store.faults_of_bot(bot, most)
        sessions = store.printed_by(bot)
    finally:
        store.close()
    for fault in faults:
        typer.echo(f"game {fault.game}, seat {fault.seat}, action {fault.at}: {fault.kind}")
        for line in fault.detail.splitlines():
            typer.echo(f"    {visible(line)}")
    if total > len(faults):
        typer.echo(f"... and {total - len(faults):,} more faults (--most)")
    for pool, notes, printed in sessions:
        for note in notes[:most]:
            typer.echo(f"{pool}: {visible(note)}")
        lines = printed.splitlines()
        for line in lines[:most]:
            typer.echo(f"{pool}: printed {visible(line)}")
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
    from arena import doctor as examining
    from arena.confine import WALLS

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


def _dry_run(plan: Any, json: bool) -> None:
    from tabulate import tabulate

    from arena import estimate
    from arena.progress import duration

    pools = estimate.dry_run(plan, say)
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


def _progress(quiet: bool) -> Any:
    from arena.progress import Lines, Live, Quiet

    if quiet:
        return Quiet()
    return Live() if sys.stderr.isatty() else Lines()


def _width() -> int:
    return max(60, min(shutil.get_terminal_size((80, 24)).columns, 120))


def _again() -> str:
    """Return the command that goes on: the same, but for --fresh."""
    import shlex

    return shlex.join(["arena", *(word for word in sys.argv[1:] if word != "--fresh")])


def _named(file: str) -> str:
    return "standard input" if file == "-" else file


def _read(file: str) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """Yield (line number, record or None, what is wrong with the line); blank lines are skipped."""
    try:
        stream = sys.stdin.buffer if file == "-" else open(file, "rb")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror})") from None
    with stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                record = jsons.loads(line)
            except (ValueError, RecursionError) as error:
                yield number, None, f"is not JSON ({error})"
                continue
            ok = isinstance(record, dict)
            yield number, record if ok else None, "" if ok else "is no JSON object"


def _line(file: Path, game: str | None, wanted: int) -> dict[str, Any]:
    if game is not None:
        raise UsageError(f"{file}: is a file: choose a record of it with --line, not by id")
    for count, (number, record, problem) in enumerate(_read(str(file)), 1):
        if count == wanted:
            if record is None:
                raise UsageError(f"{file}:{number}: {problem}")
            return record
    raise UsageError(f"{file}: has no record {wanted}")


def _stored(folder: Path, game: str | None) -> dict[str, Any]:
    from arena.store import Store

    if game is None:
        raise UsageError(f"{folder}: say which game, by its id; `arena records` lists them")
    store = Store.open(folder)
    try:
        found = store.find(game)
    finally:
        store.close()
    if len(found) != 1:
        many = "several games begin" if found else "no game begins"
        raise UsageError(f"{folder}: {many} with {game!r}")
    record: dict[str, Any] = jsons.loads(found[0][1])
    return record


if __name__ == "__main__":
    main()
