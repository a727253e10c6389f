"""The commands that take nothing on trust: `arena verify`, `arena audit`, `arena export`."""

import json as jsons
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.escape import visible
from arena.terminal import say

if TYPE_CHECKING:
    from arena.rerun import Again
    from arena.verify import Verdict

DIFFERS = 1  # exit code
MOST = 20  # findings printed


def verify(
    results: Annotated[Path, typer.Argument(help="A results folder, or a results file.")],
    replay_bots: Annotated[
        int, typer.Option(min=0, help="So many games are played again, with the stored bots.")
    ] = 0,
    unconfined: Annotated[
        bool, typer.Option("--unconfined", help="Let bots that were unconfined be so again.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Judge every stored game again, deal its deal again, and make the tables again."""
    from arena import rerun
    from arena import verify as verifying
    from arena.store import Store

    store = Store.open(results)
    try:
        verdict = verifying.verify(store)
        again = list(rerun.again(store, replay_bots, unconfined)) if replay_bots else []
    finally:
        store.close()
    verdict.findings.extend(
        verifying.Finding(f"game {game.game}", rerun.in_words(game))
        for game in again
        if game.alike is False
    )
    if json:
        findings = [finding._asdict() for finding in verdict.findings]
        told = verdict._asdict() | {"findings": findings, "played_again": len(again)}
        typer.echo(jsons.dumps(told))
    else:
        for place, what in verdict.findings[:MOST]:
            typer.echo(f"{place}: {visible(what)}")
        if len(verdict.findings) > MOST:
            typer.echo(f"... and {len(verdict.findings) - MOST:,} findings more (--json)")
        for line in _in_words(verdict, again):
            typer.echo(line)
    if verdict.findings:
        if any(finding.place.startswith(("game", "database")) for finding in verdict.findings):
            say("`arena tournament` with its config plays damaged games again")
        raise typer.Exit(DIFFERS)


def _in_words(verdict: "Verdict", again: "list[Again]") -> list[str]:
    bad = {finding.place for finding in verdict.findings if finding.place.startswith("game ")}
    lines = [f"games: {verdict.games - len(bad):,} of {verdict.games:,} are by the rules"]
    if verdict.left_out:
        lines[0] += f"; {verdict.left_out:,} of them are in no table (old versions and the like)"
    if verdict.deals:
        lines.append("deals: dealt again from the secret")
    else:
        lines.append("deals: not dealt again, a published file has no secret")
    if verdict.compared:
        how = (
            "byte for byte"
            if verdict.exact
            else ("to one unit in the last place, for they were written by other versions")
        )
        lines.append(f"tables: made again and compared {how}: {', '.join(verdict.compared)}")
    if again:
        alike, unsaid = (sum(game.alike is how for game in again) for how in (True, None))
        lines.append(f"played again: {len(again):,} games, {alike:,} came out alike")
        if unsaid:
            lines[-1] += f"; {unsaid:,} had a time or memory fault, so nothing can be said"
    total = len(verdict.findings)
    lines.append("all is as it should be" if not total else f"{total:,} findings, see above")
    return lines


def export(
    results: Annotated[Path, typer.Argument(help="A results folder, or a results file.")],
    to: Annotated[Path, typer.Option(help="The folder to write to.")],
    with_sources: Annotated[
        bool, typer.Option("--with-sources", help="Keep the bots' sources in the public store.")
    ] = False,
) -> None:
    """Write what others may have: CSV (and Parquet), all records, a store without the secret."""
    from arena import export as exporting
    from arena.store import Store

    store = Store.open(results)
    try:
        files = exporting.export(store, to, with_sources)
    finally:
        store.close()
    for file in files:
        typer.echo(f"{file}  {_size(file.stat().st_size)}")


def _size(size: int) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:,.0f} {unit}"
        size //= 1000
    return f"{size:,} GB"
