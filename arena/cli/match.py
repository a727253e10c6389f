"""The command `arena match`."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.faults import say_faults
from arena.cli.terminal import (
    UNCONFINED,
    Fresh,
    NoPin,
    Unconfined,
    Workers,
    again,
    near,
    out,
    say,
    width,
)
from arena.errors import INTERRUPTED, UsageError, require_linux
from arena.words import interval

if TYPE_CHECKING:
    from arena.plan import Plan
    from arena.tables.settling import Match, MatchStanding


def match_command(
    first: Annotated[str, typer.Argument(metavar="A", help="Name or path of a bot.")],
    second: Annotated[
        str | None,
        typer.Argument(metavar="[B]", help="Name or path of another bot, or of another version."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="REV", help="Instead of B, take A as it is in this git revision."),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="Play this game only; repeat the option to add games."),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, help="Seats at a table; default: the game's fewest."),
    ] = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="GLOB", help="Bots for the other seats; default: bots/*."),
    ] = None,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help="Play about N games in each pool at most.")
    ] = 5000,
    level: Annotated[
        float,
        typer.Option(metavar="P", min=0.5, max=0.999, help="Confidence that a verdict needs."),
    ] = 0.95,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Deal from this seed, not from a secret.")
    ] = None,
    workers: Workers = None,
    no_pin: NoPin = False,
    results: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Results folder; default: match-A-B in results/."),
    ] = None,
    fresh: Fresh = False,
    unconfined: Unconfined = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print no progress.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON.")] = False,
) -> None:
    """Play two bots, or two versions of one, until the better one is known."""
    if (second is None) == (since is None):
        remedy = "name one" if since is None else "leave B or --since out"
        raise UsageError(
            f"B: found {'no' if since is None else 'more than one'} second bot; {remedy}"
        )
    require_linux()
    from msgspec.structs import replace

    from arena.cli.progress import shown
    from arena.plan import Terms, plan_match
    from arena.runner import tournament
    from arena.tables.settling import Match, match_standings
    from arena.typed_json import encode

    given = (first,) if second is None else (first, second)
    asked = Terms(game or (), players, others or ("bots/*",), games, level, seed)
    plan = plan_match(given, asked, results, workers, not unconfined, not no_pin, since)
    a, b = plan.wanted[0].entry.always
    outcome = Match(first=a, second=b, level=level, results=str(plan.folder))
    if len({bot.hash for bot in plan.bots if bot.name in (a, b)}) == 1:
        out(encode(outcome) if json else f"{a} and {b} are the same code; nothing to play")
        return
    if unconfined:
        say(UNCONFINED)
    if fresh:
        kept = tournament.set_aside(plan.folder)
        if kept and not quiet:
            say(f"the old results are kept in {kept}")
    with shown(quiet, only=(a, b)) as progress:
        ended = tournament.play_tournament(plan, progress)
    outcome = replace(outcome, finished=not ended.stopped, pools=match_standings(ended.document))
    if json:
        out(encode(outcome))
    else:
        out(*_table(outcome))
    if not json:
        say_faults(plan.folder, {a, b}, plan.beside)
        _say_hidden(plan)
    if ended.stopped:
        say(f"interrupted: {ended.played:,} games played and saved. To go on: {again()}")
        raise typer.Exit(INTERRUPTED)
    if not quiet:
        say("", f"{ended.played:,} games played; tables and games are in {near(plan.folder)}/")


def _table(match: "Match") -> list[str]:
    from arena.rating.sequential import BAND_MU, BETTER, EQUAL, OPEN, WORSE
    from arena.tables.layout import Table
    from arena.tables.settling import way_in_words
    from arena.tables.terminal import whole_texts

    a, b = match.first, match.second
    words = {
        BETTER: f"{a} is better than {b}", WORSE: f"{b} is better than {a}",
        EQUAL: f"equal within {BAND_MU} mu", OPEN: "not told apart",
    }  # fmt: skip
    rows = [
        (
            each.pool, _unloadable(each) or words[each.verdict],
            "" if each.unloadable else f"{each.difference:+.2f}",
            "" if each.unloadable else interval(*(each.interval or (None, None)), "+.2f"),
            "" if each.sure is None else f"{min(each.sure, 0.999):.1%}",
            f"{each.games:,}", f"{each.look} of {each.looks}",
            ", ".join(f"{bot} {times:,}" for bot, times in each.faults.items() if times),
        )
        for each in match.pools
    ]  # fmt: skip
    heads = ["pool", "verdict", "mu", f"{match.level:.0%} interval", "sure", "games", "look"]
    texts, gives_way = ("pool", "verdict", "faults"), ("look", "games", "sure")
    faulty = any(any(each.faults.values()) for each in match.pools)
    heads += ["faults"] if faulty else []
    ways = [
        f"{each.pool}: {way_in_words(each.effect, each.apart, each.equal)}"
        for each in match.pools
        if each.interval and not each.unloadable
    ]
    return [
        *whole_texts(
            Table("", (), tuple(heads), [row[: len(heads)] for row in rows]),
            width(),
            gives_way,
            texts,
        ),
        *ways,
    ]


def _say_hidden(plan: "Plan") -> None:
    """Name the pools that an earlier match played in that folder and this one does not show."""
    from arena.store.store import Store

    shown = {wanted.entry.pool for wanted in plan.wanted}
    with closing(Store.open(plan.folder, checked=True)) as store:
        hidden = [pool.title for pool in store.pools() if pool not in shown]
    if hidden:
        say(f"games of {', '.join(sorted(hidden))} are kept there too, and not shown here")


def _unloadable(each: "MatchStanding") -> str:
    """Which of the two bots cannot be loaded, so that a pool has no verdict; else ""."""
    names = " and ".join(each.unloadable)
    return f"{names} cannot be loaded" if names else ""
