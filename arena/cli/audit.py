"""The commands that take nothing on trust: `arena verify`, `arena audit`, `arena export`."""

import json as jsons
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import Results, say
from arena.errors import FAILED
from arena.escape import visible

if TYPE_CHECKING:
    from arena.audit.audit import Audit
    from arena.audit.rerun import Again
    from arena.audit.verify import Verification

Unconfined = Annotated[
    bool, typer.Option("--unconfined", help="Let bots that were unconfined be so again.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")]

MOST = 20  # findings printed


def verify(
    results: Results,
    replay_bots: Annotated[
        int, typer.Option(min=0, help="So many games are played again, with the stored bots.")
    ] = 0,
    unconfined: Unconfined = False,
    json: Json = False,
) -> None:
    """Judge every stored game again, deal its deal again, and make ratings and tables again."""
    from arena.audit import rerun
    from arena.audit import verify as verifying
    from arena.store.store import Store

    with closing(Store.open(results)) as store:
        if replay_bots:
            rerun.allow(store, unconfined)
        verification, public = verifying.verify(store), store.public
        again = list(rerun.again(store, replay_bots, unconfined)) if replay_bots else []
    verification.findings.extend(
        verifying.Finding(verifying.REPLAY, f"game {game.game}", rerun.in_words(game))
        for game in again
        if game.alike is False
    )
    if json:
        told = verification._asdict() | {
            "refits": [refit._asdict() for refit in verification.refits],
            "findings": [finding._asdict() for finding in verification.findings],
            "played_again": len(again),
        }
        typer.echo(jsons.dumps(told))
    else:
        for _, place, what in verification.findings[:MOST]:
            typer.echo(f"{place}: {visible(what)}")
        if len(verification.findings) > MOST:
            typer.echo(f"... and {len(verification.findings) - MOST:,} findings more (--json)")
        for line in _in_words(verification, again):
            typer.echo(line)
    if verification.findings:
        damaged = any(finding.kind == verifying.DAMAGED for finding in verification.findings)
        if damaged and not public:
            say("`arena tournament` with its config plays damaged games again")
        raise typer.Exit(FAILED)


def _in_words(verification: "Verification", again: "list[Again]") -> list[str]:
    from arena.audit import refit
    from arena.audit.verify import DAMAGED, RULES

    kinds = (DAMAGED, RULES)
    bad = {f.place for f in verification.findings if f.kind in kinds and f.place != "database"}
    lines = [f"games: {verification.games - len(bad):,} of {verification.games:,} are by the rules"]
    if verification.left_out:
        lines[0] += (
            f"; {verification.left_out:,} of them are in no table (old versions and the like)"
        )
    stored = verification.games - verification.left_out - len(bad)
    if stored != verification.planned:
        missing = f"{verification.planned - stored:,} of {verification.planned:,}"
        lines.append(f"the plan: {missing} games are not in the tables (not played yet, or nobody "
                     "in them loads)")  # fmt: skip
    if verification.deals:
        lines.append("deals: dealt again from the secret")
    else:
        lines.append("deals: not dealt again, there is no secret in it to do it by")
    if verification.compared:
        how = (
            "byte for byte"
            if verification.exact
            else ("to one unit in the last place, for they were written by other versions")
        )
        lines.append(f"tables: made again and compared {how}: {', '.join(verification.compared)}")
    if verification.refits:
        lines.append("ratings: made again by the trueskill package itself, passed over the games "
                     "until it settles")  # fmt: skip
        lines += [f"  {refit.in_words(each)}" for each in verification.refits]
    if again:
        alike, unsaid = (sum(game.alike is how for game in again) for how in (True, None))
        lines.append(f"played again: {len(again):,} games, {alike:,} came out alike")
        if unsaid:
            lines[-1] += f"; {unsaid:,} had a time or memory fault, so nothing can be said"
    total = len(verification.findings)
    findings = "1 finding" if total == 1 else f"{total:,} findings"
    lines.append(f"{findings}, see above" if total else "all is as it should be")
    return lines


def export(
    results: Results,
    to: Annotated[Path, typer.Option(help="The folder to write to.")],
    with_sources: Annotated[
        bool, typer.Option("--with-sources", help="Keep the bots' sources in the public store.")
    ] = False,
) -> None:
    """Write what others may have: CSV (and Parquet), all records, a store without the secret."""
    from arena.export import files as exporting
    from arena.store.store import Store

    with closing(Store.open(results)) as store:
        files = exporting.export(store, to, with_sources)
    for file in files:
        typer.echo(f"{file}  {_size(file.stat().st_size)}")


def _size(size: int) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:,.0f} {unit}"
        size //= 1000
    return f"{size:,} GB"


def audit(
    results: Results,
    games: Annotated[int, typer.Option(min=1, help="How many games are sampled.")] = 100,
    unconfined: Unconfined = False,
    json: Json = False,
) -> None:
    """Say which bots do not repeat themselves, whether views leak, and who helps whom."""
    from arena.audit import audit as auditing
    from arena.store.store import Store

    with closing(Store.open(results)) as store:
        found = auditing.audit(store, games, unconfined)
    if json:
        leans = [lean._asdict() | {"pool": pool.title} for pool, own in found.leans for lean in own]
        told = {
            "repeats": [each._asdict() for each in found.repeats],
            "otherwise": [
                game._asdict() | {"pool": game.pool.title}
                for game in found.again
                if game.alike is False
            ],
            "views": found.views._asdict(),
            "leans": leans,
        }
        typer.echo(jsons.dumps(told))
    else:
        for line in _audit_in_words(found):
            typer.echo(line)
    if found.views.leaks or any(game.alike is False for game in found.again):
        raise typer.Exit(FAILED)


def _audit_in_words(found: "Audit") -> Iterator[str]:
    from tabulate import tabulate

    from arena.audit import rerun

    yield "Repeating itself: sampled games played again, with the stored bots"
    if found.repeats:
        heads = ("bot", "games again", "decided otherwise")
        yield tabulate([list(each) for each in found.repeats], heads, "simple")
        differing = [game for game in found.again if game.alike is False]
        for game in differing[:MOST]:
            yield f"game {game.game}: {visible(rerun.in_words(game))}"
        unsaid = sum(game.alike is None for game in found.again)
        if unsaid:
            yield f"{unsaid:,} games had a time or memory fault: nothing can be said of them"
    elif found.public:
        yield "not done: a published file has no secret to play games again by"
    else:
        yield "not done: no game of the tables is stored whole"
    views = found.views
    yield (
        f"\nHidden cards: dealt anew at {views.positions:,} positions, {views.compared:,} views "
        f"compared, {'none' if not views.leaks else f'{len(views.leaks):,}'} changed"
    )
    if views.not_compared:
        yield f"({views.not_compared:,} more could not be: their game has no `redealt`)"
    yield from views.leaks[:MOST]
    yield "\nWho does better with whom: points in 100 of finishing ahead of third bots"
    if not found.leans:
        yield "nothing to say: it takes three sides at a table, and enough deals"
        return
    for pool, own in found.leans:
        named = [lean for lean in own if lean.beyond_chance]
        yield f"{pool.title}: of {len(own)} pairs {len(named) or 'none'} beyond chance"
        rows = [
            [*(cell for bot, gain, error in zip(lean.bots, lean.gains, lean.gains_se, strict=True)
               for cell in (bot, f"{gain:+.1f} ± {2 * error:.1f}")),
             f"{lean.games:,}", f"{lean.p_holm:.3f}"]
            for lean in named
        ]  # fmt: skip
        if rows:
            columns = ("bot", "gains", "and", "gains", "games", "p")
            align = ("left", "right", "left", "right", "right", "right")
            yield tabulate(rows, columns, "simple", colalign=align, disable_numparse=True)
    if any(lean.beyond_chance for _, own in found.leans for lean in own):
        yield "A pair that is named is a reason to look at its games, not a proof: styles can suit"
        yield "each other."
