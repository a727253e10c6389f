"""Whether a tournament was fair play: bots that repeat themselves, views that reveal no more than
they may, pairs that help each other, hosts on which games ended otherwise.
"""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Annotated, NamedTuple

from msgspec import Struct

from arena.audit import collusion, host_games, leaks, rerun
from arena.model import Outcome, Pool
from arena.progress import SILENT, Progress, counted
from arena.schedule.order import make_schedules
from arena.store import usage
from arena.store.plans import load_plan
from arena.store.store import Store
from arena.tables.layout import Table
from arena.tables.terminal import whole_texts
from arena.typed_json import means
from arena.words import amount

POSITIONS = 3  # of each sampled game
MOST_LISTED = 20  # games or leaks that are listed


class Repeats(Struct, frozen=True):
    """How a bot did in the games that were played again."""

    bot: str
    games: Annotated[int, means("It sat in.")]
    otherwise: Annotated[int, means("In which its decision was the first that differed.")]


class Views(Struct, frozen=True):
    """What became of dealing hidden cards anew."""

    positions: int
    compared: Annotated[int, means("Seats' views, with all that came before.")]
    not_compared: Annotated[int, means("Their game has no `redealt`.")]
    leaks: list[str]


class Findings(Struct, frozen=True):
    """What an audit found, as `arena audit --json` prints it."""

    repeats: Annotated[list[Repeats], means("By bot.")]
    otherwise: Annotated[
        list[rerun.Again], means("Games that came out otherwise when they were played again.")
    ]
    views: Views
    leans: Annotated[
        list[collusion.Judged], means("Pairs of bots by pool, the most suspicious first.")
    ]
    hosts: Annotated[
        list[host_games.Residual], means("By name; none where all was played on one machine.")
    ]
    games_on_hosts: Annotated[list[host_games.OnHost], means("The same.")]


class Audit(NamedTuple):
    """The result of an audit, and what it rests on."""

    public: bool  # a published store, of which no game is played again
    again: list[rerun.Again]
    repeats: list[Repeats]  # by bot
    views: Views
    leans: list[list[collusion.Judged]]  # by pool; the most suspicious pair first
    residuals: list[host_games.Residual] = []  # by name; none where all was played on one machine
    on_hosts: list[host_games.OnHost] = []  # the same

    @property
    def findings(self) -> Findings:
        """All findings, without the games that came out alike."""
        otherwise = [game for game in self.again if game.alike is False]
        leans = [pair for pairs in self.leans for pair in pairs]
        return Findings(self.repeats, otherwise, self.views, leans, self.residuals, self.on_hosts)


def audit_store(
    store: Store,
    games: int,
    unconfined: bool = False,
    steps: Progress = SILENT,
    its_limits: bool = False,
) -> Audit:
    """Audit a store, with so many sampled games, played as `rerun.rerun_games` does."""
    again: list[rerun.Again] = []
    if not store.public:
        again += rerun.rerun_games(store, games, unconfined, steps, its_limits=its_limits)
    views, leans = _views(store, games, steps), collusion.judge_leans(list(_leans(store, steps)))
    residuals, on_hosts = host_games.find_residuals(_spent(store)), list[host_games.OnHost]()
    if usage.others_played(store):
        on_hosts = host_games.compared(_with_hosts(store, steps))
    return Audit(store.public, again, _repeats(again), views, leans, residuals, on_hosts)


def _repeats(again: list[rerun.Again]) -> list[Repeats]:
    sat: dict[str, int] = {}
    otherwise: dict[str, int] = {}
    for game in again:
        for bot in set(game.bots):
            sat[bot] = sat.get(bot, 0) + 1
        if game.alike is False:
            otherwise[game.bot] = otherwise.get(game.bot, 0) + 1
    return [Repeats(bot, sat[bot], otherwise.get(bot, 0)) for bot in sorted(sat)]


def _views(store: Store, games: int, steps: Progress) -> Views:
    steps.begin("dealing hidden cards anew", games)
    positions = compared = not_compared = 0
    leaky = []
    for row, _ in counted(rerun.sample_games(store, load_plan(store), games), steps):
        record = json.loads(row.line)
        rng = Random(row.id)  # the same positions each time
        for at in leaks.positions(record, rng, POSITIONS):
            check = leaks.check(record, at, rng)
            positions += 1
            compared += check.compared
            not_compared += check.not_compared
            if check.leak:
                leak = check.leak
                leaky.append(
                    f"game {row.id}, action {leak.at}: seat {leak.seat} can tell by "
                    f"view.{leak.field}: {leak.given} else {leak.redealt}"
                )
    return Views(positions, compared, not_compared, leaky)


def _spent(store: Store) -> Iterator[host_games.Spent]:
    for used in usage.read_usage(store):
        played_by = used.played_by
        work = used.pool.title, used.bot.name
        host, clock = played_by.get("host", ""), played_by.get("clock", "1.00")
        yield host_games.Spent(host, clock, work, used.decisions, used.cpu_s)


def _with_hosts(
    store: Store, steps: Progress
) -> Iterator[tuple[str, Iterator[tuple[Outcome, str]]]]:
    """The games of each pool with their hosts, by the pool's title."""
    planned = sorted(make_schedules(load_plan(store)).items())
    steps.begin("comparing hosts, by pool", len(planned))
    for pool, games in counted(planned, steps):
        by_id = usage.read_hosts_of(
            store, pool
        )  # in the order of the outcomes, which are some of these
        yield (
            pool.title,
            (
                (game, next(host for id, host in by_id if id == game.id))
                for game, _ in store.outcomes(pool, games.holds)
            ),
        )


def _leans(store: Store, steps: Progress) -> Iterator[tuple[Pool, list[collusion.Lean]]]:
    planned = sorted(make_schedules(load_plan(store)).items())
    steps.begin("comparing pairs of bots, by pool", len(planned))
    for pool, games in counted(planned, steps):
        outcomes = store.outcomes(pool, games.holds)
        pairs = collusion.find_leans(
            pool, ((game, (tuple(sorted(game.bots)), deal)) for game, deal in outcomes)
        )
        if pairs:
            yield pool, pairs


def describe_audit(audit: Audit, width: int) -> Iterator[str]:
    """Describe an audit, in lines and in tables of `width` characters."""
    yield "Bots that do not repeat themselves: sampled games, played again with the stored bots"
    if audit.repeats:
        heads = ("bot", "games", "differ")
        repeats = [(each.bot, f"{each.games:,}", f"{each.otherwise:,}") for each in audit.repeats]
        yield from whole_texts(Table("", (), heads, repeats), width, (), ("bot",))
        differing = [game for game in audit.again if game.alike is False]
        for game in differing[:MOST_LISTED]:
            yield f"game {game.game}: {rerun.describe_rerun(game)}"
        yield from rerun.describe_uncompared(audit.again)
    elif audit.public:
        yield "not done: of a published store no game is played again"
    else:
        yield "not done: no game of the tables is stored whole"
    views = audit.views
    yield ""
    yield (
        f"Views that leak: hidden cards dealt anew at {amount(views.positions, 'position')}, "
        f"{amount(views.compared, 'view')} compared, {len(views.leaks) or 'none'} changed"
    )
    if views.not_compared:
        yield f"{views.not_compared:,} more were not compared: their game has no `redealt`"
    yield from views.leaks[:MOST_LISTED]
    yield from _of_hosts(audit.residuals, width)
    yield from _of_games_on_hosts(audit.on_hosts, width)
    yield ""
    yield "Pairs that help each other: points in 100 gained at finishing ahead of third bots"
    if not audit.leans:
        yield "not done: it takes three sides at a table, and enough deals"
        return
    for pairs in audit.leans:
        named = [pair for pair in pairs if pair.beyond_chance]
        count = f"{len(named) or 'none'} of {amount(len(pairs), 'pair')}"
        yield f"{pairs[0].pool}: {count} beyond chance"
        rows = [
            (*(cell for bot, gain, error in zip(pair.bots, pair.gains, pair.gains_se, strict=True)
               for cell in (bot, f"{gain:+.1f} ± {2 * error:.1f}")),
             f"{pair.games:,}", f"{pair.p_holm:.3f}")
            for pair in named
        ]  # fmt: skip
        if rows:
            columns = ("bot", "gains", "and", "gains", "games", "p")
            gives_way, texts = ("games",), ("bot", "and")
            yield from whole_texts(Table("", (), columns, rows), width, gives_way, texts)
        yield f"  {_findable([pair.least_lean for pair in pairs])}"
    pools = amount(len(audit.leans), "pool")
    yield f"Chance is that of all pairs of {pools} together; a lean is both bots' gains added up"
    if any(pair.beyond_chance for pairs in audit.leans for pair in pairs):
        yield "Look at such a pair's games: its gain is no proof, for styles can suit each other"


def _of_hosts(residuals: list[host_games.Residual], width: int) -> Iterator[str]:
    if not residuals:
        return
    apart = [each.host for each in residuals if each.apart]
    yield ""
    yield "Hosts: CPU time of the same bots' decisions to that on all others, by each host's clock"
    rows = [
        (each.host, ", ".join(each.clocks), f"{each.sessions:,}",
         "-" if each.ratio is None else f"{each.ratio:.2f}")
        for each in residuals
    ]  # fmt: skip
    heads = ("host", "clock", "sessions of bots", "ratio")
    yield from whole_texts(Table("", (), heads, rows), width, (), ("host", "clock"))
    if apart:
        yield (
            f"{', '.join(apart)}: more than {host_games.APART:.2f} times apart; limits of CPU time "
            "meant another amount of work there"
        )


def _of_games_on_hosts(found: list[host_games.OnHost], width: int) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield "Hosts: faults of time (late), and the bot whose results are the furthest from elsewhere"
    heads = ("host", "seats", "late", "expected", "furthest", "pool", "points")
    rows = [(each.host, *_late(each.faults), *_furthest(each.furthest)) for each in found]
    gives_way, texts = ("seats", "pool"), ("host", "furthest", "pool")
    yield from whole_texts(Table("", (), heads, rows), width, gives_way, texts)
    apart = [each for each in found if each.apart]
    if not any(each.faults or each.furthest for each in found):
        yield "Nothing to compare: no line-up was played on two hosts"
    elif not apart:
        yield "No host differs by more than luck from the others, in games of the same line-ups"
    for each in apart:
        late, gain = each.faults, each.furthest
        if late and late.apart:
            yield (
                f"{each.host}: {amount(late.faults, 'fault')} of time, where {late.expected:.1f} "
                "were to be expected; it was slower than its clock says, or had other work"
            )
        if gain and gain.apart:
            yield (
                f"{each.host}: {gain.bot} had {abs(gain.points):.1f} ± {2 * gain.points_se:.1f} "
                f"points of 100 {'more' if gain.points > 0 else 'less'} there in {gain.pool}; "
                "`arena verify --replay-bots` plays games again here"
            )


def _late(faults: host_games.Faults | None) -> tuple[str, str, str]:
    if faults is None:
        return "-", "-", "-"
    return f"{faults.seats:,}", f"{faults.faults:,}", f"{faults.expected:.1f}"


def _furthest(gain: host_games.Gain | None) -> tuple[str, str, str]:
    if gain is None:
        return "-", "-", "-"
    return gain.bot, gain.pool, f"{gain.points:+.1f} ± {2 * gain.points_se:.1f}"


def _findable(leasts: Sequence[float | None]) -> str:
    """Which leans a pool's games were enough to find, by the least of each pair."""
    found = [least for least in leasts if least is not None]
    if not found:
        return "no lean could have been found: it takes more bots, or more deals"
    ends = dict.fromkeys(f"{end:.0f}" for end in (min(found), max(found)))
    text = f"so many games show a lean of {' to '.join(ends)} points in four audits of five"
    without = len(leasts) - len(found)
    return text + (f"; of {amount(without, 'pair')} they show none" if without else "")
