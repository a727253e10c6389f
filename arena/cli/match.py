"""The command `arena match`."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.commands import WRITE, Answer, command
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
    results_at,
)
from arena.cli.progress import JsonLines
from arena.cli.terminal import again, fit_table, near, out, say, width
from arena.cli.tournament import count_played, describe_nothing_played, play
from arena.errors import FAILED, INTERRUPTED, UsageError
from arena.progress import Look
from arena.words import amount, not_one_of

if TYPE_CHECKING:
    from arena.league.bots import BotPath
    from arena.league.files import Source
    from arena.plan.plan import Plan
    from arena.runner.tournament import Ended
    from arena.tables.match import Match, MatchStanding

FORMAT = "json"
SLOW_MS = 1.0  # CPU time a decision; the house bots take some 0.02


@command(WRITE)
def match_command(
    first: str = argument("A", "Name or path of a bot."),
    second: str | None = argument(
        "B", "Name or path of another bot, or of another version.", default=None
    ),
    since: str | None = option(
        "REV", "Compare A with its version in this git revision, not with B."
    ),
    played: Path | None = option("RESULTS", "Compare A with its version that played there."),
    game: list[str] | None = option("GAME", "Play this game only; repeat the option to add games."),
    players: int | None = option(
        "N", "Number of players (default: the fewest that the game allows).", least=2
    ),
    others: list[str] | None = option(
        "GLOB", "Bots for the other seats (default: the house bots).", "--with"
    ),
    field: bool = flag("--field", "Play both against the other bots instead of each other."),
    games: int = option(
        "N", "Play each game up to about N times (default: 5000).", least=1, default=5000
    ),
    level: float = option(
        "P",
        "Confidence for a verdict, 0.5 to 0.999 (default: 0.95).",
        least=0.5,
        most=0.999,
        default=0.95,
    ),
    seed: int | None = option("N", "Deal from this seed instead of a secret.", least=0),
    seconds: int | None = option(
        "N", "End at the first interim check after N seconds; run again to resume.", least=1
    ),
    progress: str | None = option(
        "FORMAT", "Print each interim check to stderr as a line of JSON (FORMAT: json)."
    ),
    workers: Workers = None,
    no_pin: NoPin = False,
    results: Path | None = option("DIR", "Results folder (default: results/match-A-B)."),
    fresh: Fresh = False,
    unconfined: Unconfined = False,
    quiet: Quiet = False,
) -> Answer:
    """Compare two bots (or versions) until the result is significant.

    Example: arena match mine haggler
    Example: arena match mine --played first  # the version there
    Exit codes: 0; 1; 2; 4; 130 interrupted (finished games are saved)
    """
    if progress not in (None, FORMAT):
        raise UsageError(f"--progress: {not_one_of(progress, [FORMAT])}")
    began_s = time.monotonic()
    named = [opponent for opponent in (second, since, played) if opponent is not None]
    if not named:
        raise UsageError("Name a second bot, or use --played RESULTS or --since REV.")
    if named[1:]:
        raise UsageError("B, --played, --since: cannot be combined; keep one of them")
    from msgspec.structs import replace

    from arena.league.bots import BotPath
    from arena.league.files import Source
    from arena.league.revisions import read_revision
    from arena.plan.match import Terms, plan_match
    from arena.system.machine import read_clock
    from arena.tables.match import Match, match_standings
    from arena.tables.terminal import wrap_texts

    given = (first,) if second is None else (first, second)
    asked = Terms(
        games=game or (),
        players=players,
        others=others or (),
        most=games,
        level=level,
        seed=seed,
        field=field,
    )
    read: Callable[[BotPath, str, Path], Source] = read_revision
    if played is not None:
        played = results_at(played)
        since, read = played.resolve().name, partial(_read_played, played)
    plan = plan_match(given, asked, results, workers, not unconfined, not no_pin, since, read)
    a, b = plan.wanted[0].entry.fixed_bots
    outcome = Match(
        first_bot=a, second_bot=b, confidence_needed=level, results_folder=str(plan.folder)
    )
    if len({bot.hash for bot in plan.bots if bot.name in (a, b)}) == 1:
        same = f"{a} and {b} have the same code; nothing to play"
        return Answer(outcome, lambda: out(same))

    def enough() -> bool:
        return seconds is not None and time.monotonic() - began_s >= seconds

    as_json = progress == FORMAT
    ended = play(plan, read_clock(), fresh, quiet, only=(a, b), as_json=as_json, enough=enough)
    sat, slow = _find_others(ended, (a, b))
    pools = match_standings(ended.document)
    early = [pool for pool in pools if pool.undecided]
    finished = not (ended.stopped or early)
    outcome = replace(outcome, finished=finished, pools=pools, field=sat, slow_bots=[*slow])
    if as_json and not ended.stopped:
        _show_last_looks(pools)

    def show() -> None:
        if ended.stopped and not any(pool.games for pool in pools):
            return
        rows, notes = _table(outcome)
        notes += _who_sat_there(outcome, slow, bool(others))
        out(*rows, *wrap_texts(notes, width()))
        if any(pool.games for pool in pools):
            say_faults(plan.folder, {a, b}, plan.beside)
        _say_hidden(plan)

    if ended.stopped:
        saved = f"{amount(ended.played, 'game')} played and saved"
        return Answer(outcome, show, INTERRUPTED, [f"Interrupted. {saved}. To resume: {again()}"])
    notes, nothing = list[str](), describe_nothing_played(plan, ended)
    if early:
        titles = ", ".join(pool.pool for pool in early)
        over = f"--seconds {seconds}: time is over; not settled: {titles}"
        notes.append(f"{over}. To resume: {again()}")
    if not (nothing or quiet or as_json):
        notes += ["", f"{count_played(ended)}; tables and games are in {near(plan.folder)}/"]
    return Answer(outcome, show, FAILED if nothing else 0, notes + nothing)


def _read_played(results: Path, bot: "BotPath", *_: object) -> "Source":
    """Read the version of a bot that played in the last run of some results."""
    from arena.insight.positions import read_sources
    from arena.store.plans import load_plan

    with open_store(results, counts=False) as store:
        plan = load_plan(store)
        known = {entrant.name: entrant for entrant in plan.bots}
        if bot.name not in known:
            raise UsageError(f"--played: {results}: {not_one_of(bot.name, [*known])}")
        (source,) = read_sources(store, [known[bot.name]]).values()
        return source._replace(is_folder=bot.name in plan.folders)


def _show_last_looks(pools: Sequence["MatchStanding"]) -> None:
    """Show those looks that no other follows: play reports the others."""
    for pool in pools:
        if pool.look == pool.planned_looks:
            JsonLines().looked(
                Look(
                    pool=pool.pool,
                    games=pool.games,
                    look=pool.look,
                    planned_looks=pool.planned_looks,
                    difference=pool.difference,
                    interval=pool.interval,
                    verdict=pool.verdict,
                    words="",
                )
            )


def _find_others(ended: "Ended", two: Collection[str]) -> tuple[list[str], dict[str, float]]:
    """The bots that sat in the further seats, and the slow ones: CPU time a decision, in ms."""
    rows = (row for pool in ended.document.pools for row in pool.table)
    others = sorted({row.bot for row in rows if row.games} - {*two})
    slow = dict[str, float]()
    for bot in others:
        used = [timing for timing in ended.timings if timing.bot == bot]
        decisions = sum(timing.decisions for timing in used)
        mean_ms = 1000 * sum(timing.cpu_s for timing in used) / max(decisions, 1)
        if mean_ms >= SLOW_MS:
            slow[bot] = mean_ms
    return others, slow


def _who_sat_there(match: "Match", slow: Mapping[str, float], chosen: bool) -> Iterator[str]:
    if match.field:
        yield f"Further seats: {', '.join(match.field)}{'' if chosen else ' (house bots)'}"
    if slow:
        named = ", ".join(f"{bot} {ms:.1f} ms" for bot, ms in slow.items())
        yield f"Slow among them (CPU time a decision): {named}; choose others with --with"


def _table(match: "Match") -> tuple[list[str], list[str]]:
    """The lines of the table, and a sentence on each pool, as long as it is."""
    from arena.sequential.wording import describe_forecast

    a, b = match.first_bot, match.second_bot
    words = {
        "better": f"{a} is better than {b}", "worse": f"{b} is better than {a}",
        "equal": "equal, or nearly so", "open": "not significant",
    }  # fmt: skip
    rows, ways = list[tuple[str, ...]](), []
    for pool in match.pools:
        verdict = words[pool.verdict]
        if pool.not_loaded:
            verdict = f"{' and '.join(pool.not_loaded)} cannot be loaded"
        elif pool.verdict == "equal" and pool.identical_decisions:
            verdict, decks = "plays the same", amount(pool.games // 2, "deck")
            ways.append(f"{pool.pool}: {a} plays the same: no decision differed on {decks}")
        elif pool.verdict == "open":
            forecast = describe_forecast(
                a, b, pool.decisive_decks, pool.better_probability, pool.further_games_needed
            )
            ways.append(f"{pool.pool}: not significant: {forecast}")
        if any(pool.by_opponent.values()):
            (best, gain), (worst, least) = ([*pool.by_opponent.items()][at] for at in (0, -1))
            ways.append(
                f"{pool.pool}: compared with {b}, {a} does best against {best} "
                f"({gain:+.1%} of games ahead) and worst against {worst} ({least:+.1%})"
            )
        ahead = " : ".join(
            f"{100 * share:.0f}" for share in pool.finished_ahead_share if share is not None
        )
        sure = "" if pool.confidence is None else f"{min(pool.confidence, 0.999):.1%}"
        faults = ", ".join(f"{bot} {times:,}" for bot, times in pool.faults.items() if times)
        rows.append((pool.pool, verdict, ahead, sure, f"{pool.games:,}", faults))
    whom = "the others" if any(pool.by_opponent for pool in match.pools) else "each other"
    ways.append(f"ahead %: how often {a} : {b} finished ahead of {whom}; a tie counts half")
    heads = ["pool", "verdict", "ahead %", "sure", "games"]
    heads += ["faults"] if any(row[-1] for row in rows) else []
    rows = [row[: len(heads)] for row in rows]
    return fit_table(heads, rows, ("games", "sure"), ("pool", "verdict", "faults")), ways


def _say_hidden(plan: "Plan") -> None:
    """Name the pools that an earlier match played in that folder and this one does not show."""
    shown = {wanted.entry.pool for wanted in plan.wanted}
    with open_store(plan.folder, checked=True) as store:
        hidden = [pool.title for pool in store.pools() if pool not in shown]
    if hidden:
        say(f"The folder also has games of {', '.join(sorted(hidden))}, not shown here.")
