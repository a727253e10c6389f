"""Whether a tournament was fair play: bots that repeat themselves, views that reveal no more than
they may, pairs that help each other, hosts on which games ended otherwise.
"""

import json
from collections.abc import Iterator
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
from arena.typed_json import means

POSITIONS = 3  # of each sampled game


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
