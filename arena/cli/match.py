"""The command `arena match`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.faults import say_faults
from arena.cli.options import (
    Fresh,
    NoPin,
    Quiet,
    Unconfined,
    Workers,
    argument,
    flag,
    open_store,
    option,
)
from arena.cli.terminal import again, fit_table, near, out, out_json, say
from arena.cli.tournament import count_played, play
from arena.errors import INTERRUPTED, UsageError, require_linux
from arena.words import amount, interval

if TYPE_CHECKING:
    from arena.plan import Plan
    from arena.tables import Match


def match_command(
    first: Annotated[str, argument("A", "Name or path of a bot.")],
    second: Annotated[
        str | None, argument("B", "Name or path of another bot, or of another version.")
    ] = None,
    since: Annotated[
        str | None, option("REV", "Compare A with its version in this git revision, not with B.")
    ] = None,
    game: Annotated[
        list[str] | None, option("GAME", "Play this game only; repeat the option to add games.")
    ] = None,
    players: Annotated[
        int | None,
        option("N", "Number of players (default: the fewest that the game allows).", least=2),
    ] = None,
    others: Annotated[
        list[str] | None, option("GLOB", "Bots for the other seats (default: bots/*).", "--with")
    ] = None,
    games: Annotated[
        int, option("N", "Play each game up to about N times (default: 5000).", least=1)
    ] = 5000,
    level: Annotated[
        float,
        option(
            "P", "Confidence for a verdict, 0.5 to 0.999 (default: 0.95).", least=0.5, most=0.999
        ),
    ] = 0.95,
    seed: Annotated[
        int | None, option("N", "Deal from this seed instead of a secret.", least=0)
    ] = None,
    workers: Workers = None,
    no_pin: NoPin = False,
    results: Annotated[
        Path | None, option("DIR", "Results folder (default: results/match-A-B).")
    ] = None,
    fresh: Fresh = False,
    unconfined: Unconfined = False,
    quiet: Quiet = False,
    json: Annotated[bool, flag("--json", "Print the result as JSON.")] = False,
) -> None:
    """Compare two bots (or versions) until the result is significant.

    Example: arena match mine haggler
    Example: arena match mine --since HEAD  # where git is used
    Exit codes: 0; 1; 2; 4; 130 interrupted (finished games are saved)
    """
    if (second is None) == (since is None):
        both = "B: cannot be combined with --since; remove one of them"
        raise UsageError(both if since else "Name a second bot, or use --since REV.")
    require_linux()
    from msgspec.structs import replace

    from arena.plan import Terms, plan_match
    from arena.tables import Match, match_standings

    given = (first,) if second is None else (first, second)
    asked = Terms(game or (), players, others or ("bots/*",), games, level, seed)
    plan = plan_match(given, asked, results, workers, not unconfined, not no_pin, since)
    a, b = plan.wanted[0].entry.always
    outcome = Match(first=a, second=b, level=level, results=str(plan.folder))
    if len({bot.hash for bot in plan.bots if bot.name in (a, b)}) == 1:
        if json:
            out_json(outcome)
        else:
            out(f"{a} and {b} have the same code; nothing to play")
        return
    ended = play(plan, fresh, quiet, only=(a, b))
    outcome = replace(outcome, finished=not ended.stopped, pools=match_standings(ended.document))
    if json:
        out_json(outcome)
    else:
        out(*_table(outcome))
        say_faults(plan.folder, {a, b}, plan.beside)
        _say_hidden(plan)
    if ended.stopped:
        say(f"Interrupted. {amount(ended.played, 'game')} played and saved. To resume: {again()}")
        raise typer.Exit(INTERRUPTED)
    if not quiet:
        say("", f"{count_played(ended)}; tables and games are in {near(plan.folder)}/")


def _table(match: "Match") -> list[str]:
    from arena.rating import BAND_MU

    a, b = match.first, match.second
    words = {
        "better": f"{a} is better than {b}", "worse": f"{b} is better than {a}",
        "equal": f"equal within {BAND_MU} mu", "open": "undecided",
    }  # fmt: skip
    rows, ways = list[tuple[str, ...]](), []
    for pool in match.pools:
        if pool.unloadable:
            verdict = [f"{' and '.join(pool.unloadable)} cannot be loaded", "", ""]
        else:
            between = interval(*(pool.interval or (None, None)), "+.2f")
            verdict = [words[pool.verdict], f"{pool.difference:+.2f}", between]
            if pool.interval:
                ways.append(f"{pool.pool}: {pool.way_in_words}")
        sure = "" if pool.sure is None else f"{min(pool.sure, 0.999):.1%}"
        faults = ", ".join(f"{bot} {times:,}" for bot, times in pool.faults.items() if times)
        look = f"{pool.look} of {pool.looks}"
        rows.append((pool.pool, *verdict, sure, f"{pool.games:,}", look, faults))
    heads = ["pool", "verdict", "mu", f"{match.level:.0%} interval", "sure", "games", "check"]
    heads += ["faults"] if any(row[-1] for row in rows) else []
    rows = [row[: len(heads)] for row in rows]
    texts, gives_way = ("pool", "verdict", "faults"), ("check", "games", "sure")
    return [*fit_table(heads, rows, gives_way, texts), *ways]


def _say_hidden(plan: "Plan") -> None:
    """Name the pools that an earlier match played in that folder and this one does not show."""
    shown = {wanted.entry.pool for wanted in plan.wanted}
    with open_store(plan.folder, checked=True) as store:
        hidden = [pool.title for pool in store.pools() if pool not in shown]
    if hidden:
        say(f"The folder also has games of {', '.join(sorted(hidden))}, not shown here.")
