"""What a check's games show of the bot: faults, costs, repeats, prints, its report."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import games
from arena import ids
from arena.author.causes import Cause, causes
from arena.author.check_report import (
    VERSION,
    Checked,
    CheckFault,
    Cost,
    Differed,
    Load,
    PoolPlayed,
    Prints,
    Repeats,
    Shown,
    Stands,
)
from arena.author.profiler import Decision, Loaded, Log
from arena.league.bots import BotPath, find_twins
from arena.model import (
    LEAST_DECKS,
    Bot,
    Fault,
    Fixture,
    Limits,
    Outcome,
    Played,
    Pool,
    Reason,
    Tally,
    file_of,
)
from arena.reasons import in_full
from arena.records.format import placed
from arena.store.logs import KeptFault
from arena.words import amount

LINES = 10  # most printed lines kept
GAME_S = 0.005
"""What a game takes beside a bot's answers, by the clock: about that of house bots."""


class Target(NamedTuple):
    """The bot that is checked, and the secret that its games come from."""

    bot: Bot
    is_folder: bool  # else a single file
    beside: frozenset[str]  # names of the files beside it
    twins: tuple[str, ...]  # bots beside it with its name
    secret: bytes

    @classmethod
    def of(cls, found: BotPath, bot: Bot, secret: bytes) -> "Target":
        """Make a target of the bot at this place; reads the names of the files beside it."""
        beside = frozenset(path.name for path in found.path.resolve().parent.iterdir())
        twins = tuple(path.name for path in find_twins(found))
        return cls(bot, found.path.is_dir(), beside, twins, secret)

    @property
    def file(self) -> str:
        """The bot's main file, as its author calls it."""
        return file_of(self.bot.name, self.is_folder)

    def tables(self, pool: Pool, fixture: Fixture) -> list[tuple[int, int]]:
        """The bot's seats in a game, each with its `view.table`."""
        key, players = ids.bots_key(self.secret), pool.players
        tables, _ = ids.draw_seat_numbers(key, fixture.id, players)
        line_up = [bot.name for bot in fixture.line_up]
        return [
            (seat, tables[seat])
            for seat, place in enumerate(fixture.seating)
            if line_up[place] == self.bot.name
        ]


class PoolGames(NamedTuple):
    """A pool's part of a check, and its results so far."""

    pool: Pool
    bots: tuple[Bot, ...]  # all that play in it, by name
    log: Log
    played: list[Played]
    tallies: list[Tally]  # of the bot's sessions


class SeenFault(NamedTuple):
    """A fault of the bot's, and where it happened."""

    fault: Fault
    game: str  # id
    pool: Pool
    asked: tuple[Any, ...] | None  # the question's fields; None: not at a question


def make_report(
    target: Target, load: Loaded, parts: Sequence[PoolGames], repeated: Repeats | None, whole: bool
) -> Checked:
    """Put together what the check found; `seconds` is still 0."""
    usual = Limits()
    standing = tuple(_stands(target, parts)) if whole else ()
    game_s = waited_s(parts)
    faults = [unloaded(target, load.problem)] if load.problem else []
    seen = [fault for part in parts for fault in faults_in(target, part, part.played)]
    faults += grouped(target, seen, parts)
    printed = [(part.pool.title, tally.printed) for part in parts for tally in part.tallies]
    return Checked(
        version=VERSION,
        bot=target.bot.name,
        hash=target.bot.hash,
        sound=not faults and not target.twins and (repeated is None or repeated.alike is not False),
        twins=target.twins,
        whole=whole,
        seconds=0.0,
        load=Load(
            kind=load.kind,
            cpu_ms=round(load.cpu_s * 1000, 1),
            cpu_limit_ms=usual.load_ms,
            memory_mib=None if load.memory_mib is None else round(load.memory_mib, 1),
            memory_limit_mib=usual.memory_mib,
        ),
        pools=tuple(_played(target, part) for part in parts if part.played),
        faults=tuple(faults),
        cpu=tuple(_costs(parts)),
        cpu_limit_ms=usual.cpu_ms,
        memory_mib=round(max((part.log.memory_mib for part in parts), default=0.0), 1),
        game_s=None if game_s is None else round(game_s, 4),
        slower=None if game_s is None else round((game_s + GAME_S) / GAME_S, 1),
        repeats=repeated,
        prints=_prints(printed or [("", load.printed)]),
        stands=standing,
        not_placed=None if standing else _not_placed(target, parts, whole),
    )


def waited_s(parts: Sequence[PoolGames]) -> float | None:
    """How long a game waits for the bot, in seconds: the mean over pools, each weighted alike; None
    where no game was played.
    """
    means = [
        (part.log.waited_s - part.log.queued_s) / len(part.played) for part in parts if part.played
    ]
    return sum(means) / len(means) if means else None


def _not_placed(target: Target, parts: Sequence[PoolGames], whole: bool) -> str:
    """The reason why no place is given."""
    games = [len(part.played) for part in parts]
    if not whole:
        return "the check ended at the first fault"
    if not sum(games):
        return "it cannot be loaded"
    few = f"{amount(min(games), 'game')} in some pools; it takes {LEAST_DECKS} in each"
    if sum(_played(target, part).forfeits for part in parts) >= sum(games):
        return f"each game was forfeit, so there are no more than {few}"
    return f"it takes so long that there was time for no more than {few}"


def unloaded(target: Target, reason: Reason) -> CheckFault:
    """The fault of a bot that cannot be loaded."""
    kept = KeptFault("", Fault(0, 0, reason))
    (cause,) = causes([kept], target.file, target.beside)
    return _fault(cause, None, None)


def faults_in(target: Target, part: PoolGames, played: Iterable[Played]) -> Iterator[SeenFault]:
    """Find the bot's faults in some games of a pool."""
    for game in played:
        tables = dict(target.tables(part.pool, game.fixture)) if game.faults else {}
        for fault in game.faults:
            if fault.seat in tables:
                asked = part.log.asked.get(tables[fault.seat], [])
                at = fault.reason.kind not in ("strikes", "load") and bool(asked)
                last = asked[-1].fields if at else None
                yield SeenFault(fault, game.fixture.id, part.pool, last)


def grouped(
    target: Target, seen: Sequence[SeenFault], parts: Sequence[PoolGames] = ()
) -> list[CheckFault]:
    """Group faults into mistakes, those with most games first; add the mistakes in `end` in some
    pools, which cost no game but are the bot's all the same.
    """
    by_place = {(one.game, one.fault.seat): one for one in seen}
    kept = [KeptFault(one.game, one.fault) for one in seen]
    ends = [(end, part.pool.title) for part in parts for own in part.tallies for end in own.ends]
    pools = {end.reason: title for end, title in reversed(ends)}  # the first pool of each
    made = []
    for cause in causes(kept, target.file, target.beside, [end for end, _ in ends]):
        if cause.first is None:
            made.append(_fault(cause, pools[cause.reason], None))
            continue
        first = by_place[cause.first.game, cause.first.fault.seat]
        shown = _shown(first.pool, first.asked) if first.asked else None
        made.append(_fault(cause, first.pool.title, shown))
    return made


def repeats(target: Target, heard: Sequence[tuple[PoolGames, Log, list[Played]]]) -> Repeats:
    """Whether games that were played again went as before.

    `heard` has pools, the log of what the bot was asked the second time, and the games.
    """
    different, games, first = 0, 0, None
    for part, log, played in heard:
        for game in played:
            games += 1
            ways = [
                _differed(part, part.log.asked.get(table, []), log.asked.get(table, []))
                for _, table in target.tables(part.pool, game.fixture)
            ]
            found = [way for way in ways if way]
            different += bool(found)
            first = first or (found[0] if found else None)
    return Repeats(
        games=games, alike=not different if games else None, different=different, differed=first
    )


def _differed(
    part: PoolGames, before: Sequence[Decision], now: Sequence[Decision]
) -> Differed | None:
    """The first decision that differs for the same question; None if there is none."""
    for number, (old, new) in enumerate(zip_longest(before, now), 1):
        if old is None or new is None or old.fields != new.fields:
            return None  # what it was asked follows from another seat's decision
        first, second = old.decision or "", new.decision or ""
        if first != second:
            return Differed(
                pool=part.pool.title,
                decision=number,
                first=first,
                second=second,
                shown=_shown(part.pool, old.fields),
            )
    return None


def _fault(cause: Cause, pool: str | None, shown: Shown | None) -> CheckFault:
    place = cause.reason.place
    return CheckFault(
        kind=cause.kind,
        times=cause.times,
        what=cause.what,
        file=cause.file if place else None,
        line=place.line if place else None,
        code=(place.code or None) if place else None,
        remedy=cause.remedy or None,
        pool=pool,
        shown=shown,
        text=in_full(cause.reason, seat=cause.first.fault.seat if cause.first else None),
    )


def _shown(pool: Pool, fields: tuple[Any, ...]) -> Shown:
    rules = games.load(pool.game)
    view = games.bind(rules.View, rules.Options())(*fields)
    return Shown(game=pool.game, view=view._asdict(), legal=view.legal)


def _played(target: Target, part: PoolGames) -> PoolPlayed:
    return PoolPlayed(
        title=part.pool.title,
        game=part.pool.game,
        players=part.pool.players,
        games=len(part.played),
        decisions=len(part.log.costs),
        forfeits=sum(1 for _ in faults_in(target, part, part.played)),
    )


def _costs(parts: Iterable[PoolGames]) -> Iterator[Cost]:
    by_phase: dict[tuple[str, str], list[float]] = {}
    for part in parts:
        fields = games.load(part.pool.game).View._fields
        at = fields.index("phase") if "phase" in fields else None
        for view, cost_s in part.log.costs:
            phase = "" if at is None else str(view[at])
            by_phase.setdefault((part.pool.game, phase), []).append(cost_s * 1000)
    for (game, phase), costs in sorted(by_phase.items()):
        costs.sort()
        yield Cost(
            game=game,
            phase=phase,
            decisions=len(costs),
            median_ms=round(costs[(len(costs) - 1) // 2], 3),
            p99_ms=round(costs[-(-99 * len(costs) // 100) - 1], 3),
            worst_ms=round(costs[-1], 3),
        )


def _prints(printed: Iterable[tuple[str, str]]) -> Prints:
    """The first lines printed, each once; where a line begins with its game's place, the pool's
    title stands instead.
    """
    lines, first = 0, dict[str, None]()
    for title, text in printed:
        for line in text.splitlines():
            lines += 1
            if len(first) < LINES:
                at = placed(line)
                first[f"{title}: {at[2]}" if at else line] = None
    return Prints(lines=lines, first=tuple(first))


def _stands(target: Target, parts: Sequence[PoolGames]) -> Iterator[Stands]:
    """The bot's place, overall and by game; nothing where there are too few games.

    Ratings load numpy, so they are imported only here, where there is something to rate.
    """
    if not parts or min(len(part.played) for part in parts) < LEAST_DECKS:
        return
    from arena.tables.pool_table import PlayedPool, rate_pool
    from arena.tables.standings import assemble

    pools = [
        rate_pool(
            PlayedPool(
                part.pool,
                tuple(bot.name for bot in part.bots),
                False,
                0,
                [(_outcome(game), game.fixture.deal) for game in part.played],
            )
        )
        for part in parts
    ]
    table = assemble("check", True, "", parts[0].bots, pools)
    for game, rows in [(None, table.overall), *((each.game, each.table) for each in table.games)]:
        for row in rows:
            if row.bot == target.bot.name:
                yield Stands(
                    game=game,
                    place=row.place,
                    of=len(rows),
                    places=row.places,
                    mu=row.mu,
                    interval=row.interval,
                )


def _outcome(game: Played) -> Outcome:
    fixture, faults = game.fixture, {fault.seat: fault.reason.kind for fault in game.faults}
    bots = tuple(fixture.line_up[place].name for place in fixture.seating)
    kinds = tuple(faults.get(seat, "") for seat in range(len(bots)))
    return Outcome(fixture.id, bots, game.ranks, game.scores, kinds)
