"""The command `arena tournament`, with its cluster and its dry run."""

import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import typer

from arena.cli.commands import LEAGUE, Answer, command
from arena.cli.consent import AGREED, TRIAL, UNCONFINED, allow_unconfined
from arena.cli.faults import say_broken
from arena.cli.options import (
    Fresh,
    NoPin,
    Unconfined,
    Workers,
    argument,
    flag,
    option,
)
from arena.cli.progress import Display, JsonLines, Quiet
from arena.cli.standings import publish as publish_site
from arena.cli.standings import publishing, site_of
from arena.cli.terminal import READABLE, again, fit_table, in_ascii, near, out, say, width
from arena.errors import FAILED, INTERRUPTED, OVER_MAX_FAULTS, ArenaError, UsageError
from arena.system.abilities import HAS_WALLS, require_linux
from arena.words import amount, duration, size

if TYPE_CHECKING:
    from arena.plan.plan import Plan
    from arena.progress import Progress
    from arena.runner.dry_run import PoolForecast
    from arena.runner.executor import Executor, Hire
    from arena.runner.tournament import Ended

TOURNAMENTS = Path("tournaments")
SHOWN = 4  # configs that a message names


@command(LEAGUE)
def tournament_command(
    config: Path | None = argument(
        "CONFIG",
        "The tournament's TOML file (default: the only one in tournaments/).",
        default=None,
    ),
    workers: Workers = None,
    no_pin: NoPin = False,
    results: Path | None = option("DIR", "Results folder (default: results/NAME)."),
    label: str = option(
        "NAME", "Keep these tables as NAME, such as 'week 3' (default: the day).", default=""
    ),
    fresh: Fresh = False,
    dry_run: bool = flag(
        "--dry-run", "Estimate games, time and disk space from a few trial games."
    ),
    max_faults: int | None = option(
        "N", "Exit with code 3 if a bot has more than N faults.", least=0
    ),
    unconfined: Unconfined = False,
    cluster: str | None = option("ADDRESS", "Play on a Dask cluster: tcp://HOST:PORT or local:N."),
    quiet: bool = flag("-q, --quiet", "Print no progress and no tables."),
    json: bool = flag("--json", "Print the standings as JSON."),
    short: bool = flag("--short", "With --json: places and ratings alone, in short lines."),
    publish: bool = flag(
        "--publish", "Also make a website, and renew it every minute during play."
    ),
) -> Answer:
    """Run (or resume) a tournament and write its tables.

    Example: arena tournament tournaments/first.toml
    Example: arena tournament tournaments/first.toml --dry-run
    Exit codes: 0; 1; 2; 3; 4; 130 interrupted (finished games are saved)
    """
    from arena.plan.plan import plan_tournament
    from arena.store.history import check_label, find_closed, find_ratings
    from arena.store.plans import find_known_hashes
    from arena.system.machine import read_clock

    check_label(label)
    if short and (dry_run or not json):
        raise UsageError("--short: needs --json, and no --dry-run")
    now, walls = read_clock(), not unconfined
    config = config or _find_config()
    plan = plan_tournament(
        config, now, results, workers, walls, not no_pin, find_known_hashes, find_closed,
        _find_guests, find_ratings,
    )  # fmt: skip
    plan, hire = _hire_for(plan, cluster, workers)
    if dry_run:
        return _forecast(plan, hire, fresh)
    if publish:
        from arena.site.publish_dir import check_target

        check_target(site_of(plan.folder))  # before hours of play
        if not (plan.confined or AGREED.get()):
            raise UsageError(f"--publish: {TRIAL}")
    with publishing(plan.folder) if publish else nullcontext():
        ended = play(plan, now, fresh, quiet, label=label, committed=say_commitment, hire=hire)
        from arena.tables.history import describe_since
        from arena.tables.results import format_tables

        if json:
            out(*format_tables(ended.document, "short" if short else "json").splitlines())
        elif not quiet:
            text = format_tables(ended.document, "first", width(), in_ascii(), ended.weeks)
            out(*text.splitlines())
        if ended.stopped:
            say(f"Interrupted. {amount(ended.played, 'game')} played and saved, {ended.left:,} "
                f"left. To resume: {again()}")  # fmt: skip
            raise typer.Exit(INTERRUPTED)
        if unconfined:
            say(UNCONFINED)
        if nothing := describe_nothing_played(plan, ended):
            say(*nothing)
            raise typer.Exit(FAILED)
    if not quiet:
        _say_rest(plan, ended)
        if ended.keeps_week and (label or len(ended.weeks) > 1):
            week = ended.weeks[-1]
            say(*describe_since(ended.weeks))
            say(f'Kept as "{week.name}"' + (f" ({week.day})." if week.label else "."))
    if ended.played:
        _report_copies(plan, quiet)
    if publish:
        place, built = publish_site(plan.folder)
        say(f"The site is in {near(place)}/ ({built}).")
    not_loaded = {row.bot for row in ended.document.not_loaded or ()}
    over = [
        f"{entry.bot} {entry.total}" if entry.total else f"{entry.bot} does not load"
        for entry in ended.document.faults
        if max_faults is not None and (entry.total or entry.bot in not_loaded) > max_faults
    ]
    notes = [f"More faults than --max-faults {max_faults}: {', '.join(over)}"] if over else []
    return Answer(code=OVER_MAX_FAULTS if over else 0, notes=notes)


def _find_config() -> Path:
    """The only config of the league in this folder. Raises UsageError unless there is one."""
    configs = [path for path in sorted(TOURNAMENTS.glob("*.toml")) if path.name[0] != "."]
    if not configs:
        raise UsageError(
            f"{TOURNAMENTS}/: no config there; name one (arena tournament CONFIG.toml), or make a "
            "league: arena init my-league"
        )
    if len(configs) > 1:
        named = [f"arena tournament {near(path)}" for path in configs]
        listed = ", ".join(named if len(named) <= SHOWN else [*named[:SHOWN], "..."])
        raise UsageError(f"{TOURNAMENTS}/: {len(configs)} configs there; name one: {listed}")
    return configs[0]


def _find_guests(results: Path) -> set[str]:
    """The hashes of guests: today's, and the last run's, which may be of an older Arena."""
    from arena.author.scaffold import find_unchanged
    from arena.store.plans import find_guests

    return find_unchanged() | find_guests(results)


def _say_rest(plan: "Plan", ended: "Ended") -> None:
    """Say after the first table who was broken, and where the rest is."""
    from arena.sequential.wording import describe_test
    from arena.tables.terminal import warn_of_time

    for pool in ended.document.pools:
        # the first table of a single pool says it
        if pool.sequential_test and ended.document.pools[1:]:
            say(f"{pool.title}: {describe_test(pool.sequential_test, pool.guests)}")
    broken = say_broken(plan.folder, {bot.name for bot in plan.bots}, ended.document)
    if slow := warn_of_time(ended.timings, plan.limits):
        say("", slow)
    results = near(plan.folder)
    say("", f"{count_played(ended)}; all tables are in {results}/", "")
    say(f"arena standings {results} --all    all tables and columns, CPU times")
    if broken:
        say(f"arena faults {results}             why bots forfeited games, and what to do")
    say(f"arena publish {results}            a website, with games to watch")


def _report_copies(plan: "Plan", quiet: bool) -> None:
    """Name copies among the bots to the organiser, and keep that in a file for him alone."""
    from arena.author.copies import describe_copies
    from arena.system.folders import write_atomically
    from arena.tables.results import COPIES

    try:
        lines = describe_copies(plan.sources, plan.confined)
    except (ArenaError, OSError) as error:  # a cluster's hosts played, or house bots are missing
        say(f"Copies among bots were not looked for: {error}")
        return
    if lines:
        with write_atomically(plan.folder, COPIES) as stream:
            Path(stream.name).chmod(0o600)
            stream.write("".join(f"{line}\n" for line in lines).encode())
    else:
        (plan.folder / COPIES).unlink(missing_ok=True)
    if lines and not quiet:
        say("", *lines, f"For you alone; also in {near(plan.folder / COPIES)}")


def describe_nothing_played(plan: "Plan", ended: "Ended") -> list[str]:
    """The bots that do not load and why, where no game could be played; else no line."""
    from arena.tables.notes import describe_not_loaded

    if ended.document.has_games:
        return []
    bots = [f"    {bot.bot} {describe_not_loaded(bot)}" for bot in ended.document.not_loaded or ()]
    return ["No game could be played.", *bots, f"What to do: arena faults {near(plan.folder)}"]


def count_played(ended: "Ended") -> str:
    return f"{amount(ended.played, 'game')} played" if ended.played else "Nothing new to play"


def play(
    plan: "Plan",
    now: datetime,
    fresh: bool,
    quiet: bool,
    only: Collection[str] = (),
    as_json: bool = False,
    **more: Any,
) -> "Ended":
    """Play what is missing, or all of it if `fresh`, and show progress with leaders among the bots
    `only`, or lines of JSON if `as_json`; `more` is for the runner.
    """
    from arena.runner.tournament import play_tournament, set_aside

    if not plan.confined:
        allow_unconfined(plan.bots)
    if fresh:
        renamed = set_aside(plan.folder)
        if renamed and not quiet:
            say(f"Old results were renamed to {renamed}.")
    progress: Progress
    still = JsonLines() if as_json else Quiet()
    with nullcontext(still) if quiet or as_json else Display(only) as progress:
        return play_tournament(plan, progress, now, **more)


def say_commitment(commitment: str, name: str = "Commitment") -> None:
    """Tell the organiser the hash to publish, before the first game is played."""
    say(
        f"{name}: {commitment}",
        "Publish this hash now; later it proves that the deals were fixed before play.",
    )


def _hire_for(plan: "Plan", word: str | None, workers: int | None) -> "tuple[Plan, Hire]":
    """Choose who plays: this machine's workers, or the hosts of the cluster that is named.

    Returns the plan with as many workers as there are. Hosts are tried first, and nothing is
    written yet. Raises UsageError or Unconfinable where none can play.
    """
    if word is None:
        from arena.runner.loads import hire_here

        if not HAS_WALLS:
            if workers is not None and workers > 1:
                say("--workers: without a sandbox, one process plays all games")
            plan = plan._replace(workers=1)
        return plan, hire_here
    if workers is not None:
        raise UsageError(
            "--workers: cannot be combined with --cluster, whose hosts set the number; remove one "
            "of them"
        )
    require_linux()
    from arena.cluster.executor import ClusterExecutor, count_threads
    from arena.cluster.scheduler import parse_cluster

    cluster = parse_cluster(word)
    if cluster.is_exposed:
        say(
            f"warning: {cluster.address}: the tournament's secret will be sent unencrypted; use a "
            "private network, or tls://"
        )
    with Display() as steps:
        steps.begin("checking the cluster's hosts")
        workers = count_threads(plan, cluster)

    def hire(plan: "Plan", sessions: int, say: Callable[[str], object]) -> "Executor":
        return ClusterExecutor(plan, cluster, say)  # its hosts come and go

    return plan._replace(workers=workers), hire


def _forecast(plan: "Plan", hire: "Hire", fresh: bool) -> Answer:
    from arena.runner.dry_run import Forecasts, forecast
    from arena.tables.document import group_identical
    from arena.tables.notes import describe_identical

    if not plan.confined:
        allow_unconfined(plan.bots)
    with Display() as steps:
        pools, seconds = forecast(plan, fresh, steps, hire)
    for names in group_identical(plan.bots):
        say(f"{describe_identical(names)}; if unintended, keep only one")
    return Answer(Forecasts(pools=pools), lambda: _show_forecasts(plan, pools, seconds))


def _show_forecasts(plan: "Plan", pools: Sequence["PoolForecast"], seconds: float) -> None:
    rows = [
        (pool.pool, f"{pool.bots:,}", f"{pool.line_ups:,}", f"{pool.games:,}",
         f"{pool.games_left:,}", duration(pool.worker_s / plan.workers), size(pool.disk_bytes))
        for pool in pools
    ]  # fmt: skip
    games, left = sum(pool.games for pool in pools), sum(pool.games_left for pool in pools)
    disk_bytes = sum(pool.disk_bytes for pool in pools)
    rows.append(("all", "", "", f"{games:,}", f"{left:,}", duration(seconds), size(disk_bytes)))
    heads = ("pool", "bots", "line-ups", "games", "left", "time", "disk")
    out(*fit_table(heads, rows, ("line-ups", "bots")), "")
    notes = [f"{amount(plan.workers, 'worker')}; results go to {near(plan.folder)}/"]
    if any(wanted.entry.test for wanted in plan.wanted):
        notes.append("games: the maximum; `stop_confidence` may end a pool sooner.")
    notes += [
        f"{pool.pool}: {pool.line_ups:,} of {amount(pool.possible_line_ups, 'line-up')}, "
        f"{amount(pool.deals, 'deal')} each"
        for wanted, pool in zip(plan.wanted, pools, strict=True)
        if wanted.line_ups is not None
    ]
    folder = plan.folder.absolute()
    free = shutil.disk_usage(next(at for at in (folder, *folder.parents) if at.exists())).free
    if disk_bytes > free:
        notes.append(f"disk: only {size(free)} free in {near(plan.folder)}/.")
    for note in (*notes, _outlook(plan, pools)):
        out(*wrap(note, min(width(), READABLE), break_on_hyphens=False))


def _outlook(plan: "Plan", pools: Sequence["PoolForecast"]) -> str:
    """Say if neighbours will usually be told apart, and what would do where they will not."""
    short: dict[tuple[int, str], list[str]] = {}
    for wanted, pool in zip(plan.wanted, pools, strict=True):
        if pool.games < pool.games_needed:
            games = "" if wanted.line_ups is None else f"`max_games = {pool.games_needed}`, "
            keys = f"{games}`deals = {pool.deals_needed}`"
            short.setdefault((pool.games_needed, keys), []).append(pool.pool)
    if not short:
        return "Neighbours in the table will usually be told apart."
    enough = [
        f"{amount(games, 'game')} ({keys}) in {', '.join(titles)}"
        for (games, keys), titles in short.items()
    ]
    return f"Too few games to tell neighbours apart usually. Enough: {'; '.join(enough)}."
