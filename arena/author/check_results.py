"""The results of a check's games as a report: the bot's faults, costs, repeats and prints.

`arena.author.check` plays them; `arena.author.check_report` has the report's types.
"""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

import games
from arena import ids
from arena.author.check_report import (
    ENOUGH,
    VERSION,
    Chances,
    Checked,
    CheckFault,
    Cost,
    Differed,
    PoolPlayed,
    Prints,
    Repeats,
    Shown,
    Stands,
    Untried,
)
from arena.author.profiler import Loaded, PoolGames
from arena.faults.causes import KeptFault, group_by_cause
from arena.faults.kinds import MEASURED, UNASKED
from arena.faults.reasons import in_full
from arena.model import LEAST_DECKS, Bot, Fault, Fixture, Limits, Outcome, Played, Pool
from arena.records.record import parse_place
from arena.words import amount

SURE = 0.95
LINES = 10  # most printed lines kept
GAME_S = 0.005
"""Time of a game apart from a bot's answers, by the clock: about that of house bots."""


class Target(NamedTuple):
    """The bot that is checked, and the secret that its games come from."""

    bot: Bot
    file: str  # its main file, as its author calls it
    beside: frozenset[str]  # names of the files beside it
    twins: tuple[str, ...]  # bots beside it with its name
    secret: bytes

    def tables(self, pool: Pool, fixture: Fixture) -> dict[int, int]:
        """The bot's seats in a game, each with its `view.table`."""
        tables, _ = ids.draw_seat_numbers(ids.bots_key(self.secret), fixture.id, pool.players)
        return {
            seat: tables[seat]
            for seat, place in enumerate(fixture.seating)
            if fixture.line_up[place].name == self.bot.name
        }


Seen = tuple[Pool | None, tuple[Any, ...] | None]
"""The pool where a fault happened (None: while the bot was loaded), and the fields of the view that
the bot was asked about (None: none)."""


def make_report(
    target: Target,
    loaded: Loaded,
    pairs: Sequence[tuple[PoolGames, PoolGames]],
    began_s: float,
    most: int,
    untried: tuple[Untried, ...] = (),
) -> Checked:
    """Put together what a check found that began at `began_s`, by the monotonic clock, of `most`
    games at most. `pairs` has each pool's games that were asked about alone, and those asked about
    in batches, some of them the same. All batches share what was asked, by table.
    """
    parts, both = [part for part, _ in pairs], [part for pair in pairs for part in pair]
    game_s, stands = waited_s(parts), tuple(_stands(target.bot.name, pairs))
    repeats = None if loaded.problem else compare_repeats(target, pairs)
    pools = [_count_played(target, *pair) for pair in pairs]
    seen: dict[KeptFault, Seen] = {}
    if loaded.problem:
        seen[KeptFault("", Fault(0, 0, loaded.problem))] = None, None
    for part in both:
        seen = find_faults(target, part, part.played) | seen
    faults = tuple(group_faults(target, seen, both))
    printed = [(part.pool.title, tally.printed) for part in both for tally in part.tallies]
    return Checked(
        untried=untried,
        version=VERSION,
        bot=target.bot.name,
        hash=target.bot.hash,
        sound=not faults
        and not target.twins
        and (repeats is None or repeats.reproduced is not False),
        enough_games=ENOUGH * most <= sum(pool.games for pool in pools),
        planned_games=most,
        same_name=target.twins,
        seconds=round(time.monotonic() - began_s, 1),
        load=loaded.load,
        pools=tuple(pool for pool in pools if pool.games),
        faults=faults,
        cpu=tuple(_costs(parts)),
        cpu_limit_ms=Limits().cpu_ms,
        memory_mib=round(max(part.memory_mib for part in both), 1),
        wait_s=None if game_s is None else round(game_s, 4),
        slowdown=None if game_s is None else round((game_s + GAME_S) / GAME_S, 1),
        reproducibility=repeats,
        detectable=_chances(pools, pairs, repeats),
        output=_prints(printed or [("", loaded.printed)]),
        rough_places=stands,
        not_placed_reason=None if stands else _explain_unplaced(pools),
    )


def find_rarest(tries: int) -> int:
    """The largest N for which what happens in one of N shows in so many tries with 95 %."""
    return int(1 / (1 - (1 - SURE) ** (1 / tries))) if tries else 0


def _chances(
    pools: Collection[PoolPlayed],
    pairs: Sequence[tuple[PoolGames, PoolGames]],
    repeats: Repeats | None,
) -> Chances | None:
    """Find the rarest faults that were likely to show; None where no game was played."""
    if not all(pool.games for pool in pools):
        return None
    asked = dict(chain.from_iterable(part.asked.items() for pair in pairs for part in pair))
    return Chances(
        games=find_rarest(min(pool.games for pool in pools)),
        decisions=find_rarest(sum(map(len, asked.values()))),
        replays=find_rarest(repeats.games if repeats else 0),
    )


def waited_s(parts: Iterable[PoolGames]) -> float | None:
    """Mean seconds that a game waits for the bot, pools weighted alike; None without games."""
    means = [(part.waited_s - part.queued_s) / len(part.played) for part in parts if part.played]
    return sum(means) / len(means) if means else None


def _explain_unplaced(pools: Collection[PoolPlayed]) -> str:
    games = [pool.games for pool in pools]
    if not sum(games):
        return "it does not load"
    few = f"{amount(min(games), 'game')} in some pools; an estimate needs {LEAST_DECKS} in each"
    if sum(pool.forfeits for pool in pools) >= sum(games):
        return f"every game was forfeited, so arena played only {few}"
    return f"it is so slow that there was only time for {few}"


def find_faults(target: Target, part: PoolGames, played: Iterable[Played]) -> dict[KeptFault, Seen]:
    """Find the bot's faults in some games of a pool, and where each happened."""
    seen: dict[KeptFault, Seen] = {}
    for game in played:
        tables = target.tables(part.pool, game.fixture) if game.faults else {}
        for fault in game.faults:
            if fault.seat in tables:
                asked = part.asked.get(tables[fault.seat], [])
                at = fault.reason.kind not in UNASKED and bool(asked)
                fields = asked[-1].fields if at else None
                seen[KeptFault(game.fixture.id, fault)] = part.pool, fields
    return seen


def group_faults(
    target: Target, seen: Mapping[KeptFault, Seen], parts: Iterable[PoolGames] = ()
) -> Iterator[CheckFault]:
    """Group faults into mistakes, those with most games first; add the mistakes in `end` in some
    pools, which cost no game but are the bot's all the same.
    """
    ends = [(end, part.pool) for part in parts for tally in part.tallies for end in tally.ends]
    pools = {end.reason: pool for end, pool in reversed(ends)}  # the first of each
    for cause in group_by_cause(seen, target.file, target.beside, [end for end, _ in ends]):
        first, place = cause.first, cause.reason.place
        pool, fields = seen[first] if first else (pools[cause.reason], None)
        yield CheckFault(
            kind=cause.kind,
            count=cause.times,
            message=cause.message,
            file=cause.file if place else None,
            line=place.line if place else None,
            code=(place.code or None) if place else None,
            remedy=cause.remedy or None,
            pool=pool.title if pool else None,
            question=_make_shown(pool, fields) if pool and fields else None,
            details=in_full(cause.reason, seat=first.fault.seat if first else None),
        )


def compare_repeats(target: Target, pairs: Iterable[tuple[PoolGames, PoolGames]]) -> Repeats:
    """Compare games with those that were played again. `pairs` as in `make_report`."""
    different, games, first = 0, 0, None
    for before, now in pairs:
        known = {game.fixture for game in before.played}
        for game in now.played:
            if game.fixture not in known or was_measured(target, now, game):
                continue
            ways = [
                _find_difference(before, now, table)
                for table in target.tables(now.pool, game.fixture).values()
            ]
            differed = next((way for way in ways if way), None)
            games += 1
            different += differed is not None
            first = first or differed
    return Repeats(
        games=games,
        reproduced=not different if games else None,
        mismatches=different,
        first_mismatch=first,
    )


def was_measured(target: Target, part: PoolGames, game: Played) -> bool:
    """True if a clock or the memory decided a fault of the bot's: then nothing can be said."""
    seats = target.tables(part.pool, game.fixture)
    return any(f.seat in seats and f.reason.kind in MEASURED for f in game.faults)


def _find_difference(before: PoolGames, now: PoolGames, table: int) -> Differed | None:
    """The first decision that differs for the same question; None if there is none."""
    decisions = zip_longest(before.asked.get(table, []), now.asked.get(table, []))
    for number, (old, new) in enumerate(decisions, 1):
        if old is None or new is None or old.fields != new.fields:
            return None  # what it was asked follows from another seat's decision
        if (old.decision or "") != (new.decision or ""):
            return Differed(
                pool=now.pool.title,
                decision_number=number,
                first_answer=old.decision or "",
                second_answer=new.decision or "",
                question=_make_shown(now.pool, old.fields),
            )
    return None


def _make_shown(pool: Pool, fields: tuple[Any, ...]) -> Shown:
    rules = games.load(pool.game)
    view = games.bind_options(rules.View, rules.Options())(*fields)
    return Shown(game=pool.game, view=view._asdict(), legal=view.legal)


def _distinct(part: PoolGames, batch: PoolGames) -> dict[str, Played]:
    """The pool's games by id; of one that was played twice, the first time."""
    return {game.fixture.id: game for game in chain(batch.played, part.played)}


def _count_played(target: Target, part: PoolGames, batch: PoolGames) -> PoolPlayed:
    lost = chain.from_iterable(find_faults(target, half, half.played) for half in (part, batch))
    return PoolPlayed(
        title=part.pool.title,
        game=part.pool.game,
        players=part.pool.players,
        games=len(_distinct(part, batch)),
        decisions=len(part.costs),
        forfeits=len({(row.game, row.fault.seat) for row in lost}),
    )


def _costs(parts: Iterable[PoolGames]) -> Iterator[Cost]:
    by_phase: dict[tuple[str, str], list[float]] = {}
    for part in parts:
        phase_at = games.load(part.pool.game).View._fields.index("phase")
        for view, cost_s in part.costs:
            by_phase.setdefault((part.pool.game, view[phase_at]), []).append(cost_s * 1000)
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
                at = parse_place(line)
                first[f"{title}: {at[2]}" if at else line] = None
    return Prints(lines=lines, first=tuple(first))


def _stands(name: str, pairs: Sequence[tuple[PoolGames, PoolGames]]) -> Iterator[Stands]:
    """The bot's place, overall and by game; nothing where there are too few games."""
    played = [(part, _distinct(part, batch)) for part, batch in pairs]
    if min(len(by_id) for _, by_id in played) < LEAST_DECKS:
        return
    # here: they load numpy, for which there may be nothing to rate
    from arena.rating.outcomes import make_columns, merge_games, select_counted
    from arena.rating.rate import Rated, combine_rated, duel_chances, rate_bots
    from arena.tables.standings import NOTHING, rank

    of_game: dict[str, list[Rated]] = {}
    for part, by_id in played:
        names = [bot.name for bot in part.bots]
        outcomes = [(_outcome(game), game.fixture.deal) for game in by_id.values()]
        columns = make_columns(part.pool, names, outcomes)
        merged = merge_games(columns, select_counted(columns), False)
        ratings = rate_bots(names, merged)
        duels = duel_chances(ratings, merged.sites.bots.shape[1])
        of_game.setdefault(part.pool.game, []).append(Rated(ratings, None, duels))
    some = NOTHING._replace(games=1)  # forfeits are told elsewhere
    means = {game: combine_rated(rated) for game, rated in sorted(of_game.items())}
    for game, rated in [(None, combine_rated([*means.values()])), *means.items()]:
        # no more tables than are shown: those of all pools took as long as all ratings
        rows, _ = rank(rated, dict.fromkeys(rated.ratings.names, some), False, ())
        (row,) = (row for row in rows if row.bot == name)
        assert row.place
        yield Stands(
            game=game,
            place=row.place,
            bots=len(rows),
            place_range=row.place_range,
            mu=row.mu,
            interval=row.interval,
        )


def _outcome(game: Played) -> Outcome:
    fixture, faults = game.fixture, {fault.seat: fault.reason.kind for fault in game.faults}
    bots = tuple(fixture.names)
    kinds = tuple(faults.get(seat, "") for seat in range(len(bots)))
    return Outcome(fixture.id, bots, game.ranks, game.scores, kinds)
