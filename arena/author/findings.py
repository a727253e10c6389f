"""What the games of a check say of the bot: faults, costs, repeats, prints."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import games
from arena.author.causes import Cause, causes
from arena.author.check_document import (
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
from arena.author.check_games import Bout, Subject
from arena.author.profiler import Decision, Loaded, Log
from arena.model import LEAST_DECKS, Fault, Limits, Outcome, Played, Pool, Reason
from arena.reasons import in_full
from arena.records.format import placed
from arena.store.logs import KeptFault
from arena.words import amount

LINES = 10  # of what was printed
GAME_S = 0.005
"""What a game takes beside a bot's answers, by the clock: about that of house bots."""


class SeenFault(NamedTuple):
    """A fault of the bot's, with where it was."""

    fault: Fault
    game: str  # id
    pool: Pool
    asked: tuple[Any, ...] | None  # the question it was at; None: at none


def document(
    subject: Subject, load: Loaded, bouts: Sequence[Bout], repeated: Repeats | None, whole: bool
) -> Checked:
    """Return all that was found, but for the time it took."""
    usual = Limits()
    placed = tuple(_stands(subject, bouts)) if whole else ()
    game_s = waited_s(bouts)
    faults = [unloaded(subject, load.problem)] if load.problem else []
    seen = [fault for bout in bouts for fault in faults_in(subject, bout, bout.played)]
    faults += grouped(subject, seen, bouts)
    printed = [(bout.pool.title, tally.printed) for bout in bouts for tally in bout.tallies]
    return Checked(
        version=VERSION,
        bot=subject.bot.name,
        hash=subject.bot.hash,
        sound=not faults
        and not subject.twins
        and (repeated is None or repeated.alike is not False),
        twins=subject.twins,
        whole=whole,
        seconds=0.0,
        load=Load(
            kind=load.kind,
            cpu_ms=round(load.cpu_s * 1000, 1),
            cpu_limit_ms=usual.load_ms,
            memory_mib=None if load.memory_mib is None else round(load.memory_mib, 1),
            memory_limit_mib=usual.memory_mib,
        ),
        pools=tuple(_played(subject, bout) for bout in bouts if bout.played),
        faults=tuple(faults),
        cpu=tuple(_costs(bouts)),
        cpu_limit_ms=usual.cpu_ms,
        memory_mib=round(max((bout.log.memory_mib for bout in bouts), default=0.0), 1),
        game_s=None if game_s is None else round(game_s, 4),
        slower=None if game_s is None else round((game_s + GAME_S) / GAME_S, 1),
        repeats=repeated,
        prints=_prints(printed or [("", load.printed)]),
        stands=placed,
        not_placed=None if placed else _not_placed(subject, bouts, whole),
    )


def waited_s(bouts: Sequence[Bout]) -> float | None:
    """Return how long a game waits for the bot, all pools alike; None where none was played."""
    means = [bout.log.waited_s / len(bout.played) for bout in bouts if bout.played]
    return sum(means) / len(means) if means else None


def _not_placed(subject: Subject, bouts: Sequence[Bout], whole: bool) -> str:
    """Return why nothing is said of where the bot would stand."""
    games = [len(bout.played) for bout in bouts]
    if not whole:
        return "the check ended at the first fault"
    if not sum(games):
        return "it cannot be loaded"
    few = f"{amount(min(games), 'game')} in some pools; it takes {LEAST_DECKS} in each"
    if sum(_played(subject, bout).forfeits for bout in bouts) >= sum(games):
        return f"each game was forfeit, so there are no more than {few}"
    return f"it takes so long that there was time for no more than {few}"


def unloaded(subject: Subject, reason: Reason) -> CheckFault:
    """Return the fault of a bot that cannot be loaded."""
    kept = KeptFault("", Fault(0, 0, reason))
    (cause,) = causes([kept], subject.file, subject.beside)
    return _fault(cause, None, None)


def faults_in(subject: Subject, bout: Bout, played: Iterable[Played]) -> Iterator[SeenFault]:
    """Yield the bot's faults in some games of a pool."""
    for game in played:
        tables = dict(subject.tables(bout.pool, game.fixture)) if game.faults else {}
        for fault in game.faults:
            if fault.seat in tables:
                asked = bout.log.asked.get(tables[fault.seat], [])
                at = fault.reason.kind not in ("strikes", "load") and bool(asked)
                last = asked[-1].fields if at else None
                yield SeenFault(fault, game.fixture.id, bout.pool, last)


def grouped(
    subject: Subject, seen: Sequence[SeenFault], bouts: Sequence[Bout] = ()
) -> list[CheckFault]:
    """Return the mistakes behind some faults, that with most games first, and those in `end` in
    some bouts: they cost no game, and are the bot's all the same.
    """
    by_place = {(one.game, one.fault.seat): one for one in seen}
    kept = [KeptFault(one.game, one.fault) for one in seen]
    ends = [(end, bout.pool.title) for bout in bouts for own in bout.tallies for end in own.ends]
    pools = {end.reason: title for end, title in reversed(ends)}  # of each the first
    made = []
    for cause in causes(kept, subject.file, subject.beside, [end for end, _ in ends]):
        if cause.first is None:
            made.append(_fault(cause, pools[cause.reason], None))
            continue
        first = by_place[cause.first.game, cause.first.fault.seat]
        shown = _shown(first.pool, first.asked) if first.asked else None
        made.append(_fault(cause, first.pool.title, shown))
    return made


def repeats(subject: Subject, heard: Sequence[tuple[Bout, Log, list[Played]]]) -> Repeats:
    """Return whether games that were played again went as before: pools, what the bot was asked
    the second time, and the games.
    """
    different, games, first = 0, 0, None
    for bout, log, played in heard:
        for game in played:
            games += 1
            ways = [
                _differed(bout, bout.log.asked.get(table, []), log.asked.get(table, []))
                for _, table in subject.tables(bout.pool, game.fixture)
            ]
            found = [way for way in ways if way]
            different += bool(found)
            first = first or (found[0] if found else None)
    return Repeats(
        games=games, alike=not different if games else None, different=different, differed=first
    )


def _differed(bout: Bout, before: Sequence[Decision], now: Sequence[Decision]) -> Differed | None:
    """Return the first decision that differs though the question does not; None if none does."""
    for number, (old, new) in enumerate(zip_longest(before, now), 1):
        if old is None or new is None or old.fields != new.fields:
            return None  # what it was asked follows from another seat's decision
        first, second = old.decision or "", new.decision or ""
        if first != second:
            return Differed(
                pool=bout.pool.title,
                decision=number,
                first=first,
                second=second,
                shown=_shown(bout.pool, old.fields),
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


def _played(subject: Subject, bout: Bout) -> PoolPlayed:
    return PoolPlayed(
        title=bout.pool.title,
        game=bout.pool.game,
        players=bout.pool.players,
        games=len(bout.played),
        decisions=len(bout.log.costs),
        forfeits=sum(1 for _ in faults_in(subject, bout, bout.played)),
    )


def _costs(bouts: Iterable[Bout]) -> Iterator[Cost]:
    by_phase: dict[tuple[str, str], list[float]] = {}
    for bout in bouts:
        fields = games.load(bout.pool.game).View._fields
        at = fields.index("phase") if "phase" in fields else None
        for view, cost_s in bout.log.costs:
            phase = "" if at is None else str(view[at])
            by_phase.setdefault((bout.pool.game, phase), []).append(cost_s * 1000)
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
    """Return what was printed, each line once, a game's place as the pool's title."""
    lines, first = 0, dict[str, None]()
    for title, text in printed:
        for line in text.splitlines():
            lines += 1
            if len(first) < LINES:
                at = placed(line)
                first[f"{title}: {at[2]}" if at else line] = None
    return Prints(lines=lines, first=tuple(first))


def _stands(subject: Subject, bouts: Sequence[Bout]) -> Iterator[Stands]:
    """Yield where the bot stands, overall and by game; nothing on too few games.

    Ratings load numpy, so they are imported where there is something to rate.
    """
    if not bouts or min(len(bout.played) for bout in bouts) < LEAST_DECKS:
        return
    from arena.tables.pool_table import PlayedPool, rated
    from arena.tables.standings import assemble

    parts = [
        rated(
            PlayedPool(
                bout.pool,
                tuple(bot.name for bot in bout.bots),
                False,
                0,
                [(_outcome(game), game.fixture.deal) for game in bout.played],
            )
        )
        for bout in bouts
    ]
    table = assemble("check", True, "", bouts[0].bots, parts)
    for game, rows in [(None, table.overall), *((each.game, each.table) for each in table.games)]:
        for row in rows:
            if row.bot == subject.bot.name:
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
