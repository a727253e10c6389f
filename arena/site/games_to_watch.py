"""Which games are worth watching, and why. Pure.

Each pool has candidates, best of their kind first; of all pools' candidates some are chosen: faults
first, then upsets, then what each bot won and lost by most, then one game a line-up.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

import numpy as np

from arena.errors import UsageError
from arena.model import Outcome
from arena.rating import Ints, number_rows, win_chance
from arena.site.stats_pool import Games, PoolStats, leads
from arena.words import nearest, shown

Kind = Literal["fault", "upset", "best", "worst", "closest", "line-up", "all"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST = 300
"""How many games are chosen if no number is asked for."""

ROOM: Mapping[Kind, int] = {"fault": 90, "upset": 60, "best": 40, "worst": 40, "closest": 30}
"""How many of the `MOST` a kind gets at first; what is left over is one game a line-up."""

OF_A_FAULT = 3  # games of a bot with a kind of fault in a pool
UNLIKELY = 1 / 3  # an upset is what ratings give less than this chance


class Selection(NamedTuple):
    """Which games are to be watched, as `--games` asks for them."""

    what: Literal["some", "all", "faults", "upsets", "line-ups"] = "some"
    of_a_line_up: int = 1


USUAL = Selection()


def parse_selection(text: str) -> Selection:
    """Read the option `--games`; "" is the usual choice. Raises UsageError."""
    if not text:
        return USUAL
    match text:
        case "all" | "faults" | "upsets":
            return Selection(text)
    if text.isascii() and text.isdigit() and 1 <= len(text) <= 6 and int(text):
        return Selection("line-ups", int(text))
    near = nearest(text, ("all", "faults", "upsets"))
    takes = "it takes all, faults, upsets, or how many a line-up"
    hint = f"did you mean {near!r}?" if near else takes
    raise UsageError(f"--games: found {shown(text)}; {hint}")


class WatchedGame(NamedTuple):
    """A game that may be, or is, chosen to be watched."""

    pool: str  # title
    kind: Kind  # the first of its reasons
    rank: int  # among those of its kind in its pool, from 0
    game: Outcome
    why: tuple[str, ...]  # the reasons, in words


class Strength(NamedTuple):
    """What ratings say of a pool's bots, in the order of names."""

    mu: Sequence[float]
    draw_probability: float | None  # None: no game counts


def find_candidates(
    games: Games, stats: PoolStats, strength: Strength, selection: Selection, pool: int = 0
) -> list[WatchedGame]:
    """A pool's candidates, kind by kind, each kind's best first.

    `pool` is its number, by which bots take turns: otherwise only those whose names come first
    would be shown.
    """
    match selection.what:
        case "faults":
            return [*_faults(games, MOST, pool)]
        case "upsets":
            return [*_upsets(games, strength, MOST)]
        case "line-ups":
            return [*_of_line_ups(games, selection)]
    candidates = [
        *_faults(games, OF_A_FAULT, pool),
        *_upsets(games, strength, ROOM["upset"]),
        *_extremes(stats, pool),
    ]
    if selection.what == "some":
        return [*candidates, *_of_line_ups(games, selection)]
    every = range(len(games.ids))
    return candidates + [_candidate(games, "all", at, at, "all games are here") for at in every]


def _candidate(games: Games, kind: Kind, rank: int, number: int, why: str) -> WatchedGame:
    return WatchedGame(games.columns.pool.title, kind, rank, games.outcome(number), (why,))


def _faults(games: Games, most: int, pool: int) -> Iterator[WatchedGame]:
    """The first games of each bot with each kind of fault: first one game of each bot, then one of
    each of its kinds.
    """
    numbers: dict[tuple[int, str], list[int]] = {}  # of games, by bot and kind
    for game, seat, kind in games.forfeits:
        numbers.setdefault((int(games.columns.bots[game, seat]), kind), []).append(game)
    kinds = Counter[int]()
    in_turn = []
    for (bot, kind), of_kind in numbers.items():
        many = f"one of its {len(of_kind):,}" if len(of_kind) > 1 else "its only one"
        why = f"{games.columns.names[bot]} forfeited it: {kind}, {many} in this pool"
        turn = (bot - pool) % len(games.columns.names)
        in_turn += [(nth, kinds[bot], turn, game, why) for nth, game in enumerate(of_kind[:most])]
        kinds[bot] += 1
    for rank, (*_, game, why) in enumerate(sorted(in_turn)):
        yield _candidate(games, "fault", rank, game, why)


def _upsets(games: Games, strength: Strength, most: int) -> Iterator[WatchedGame]:
    """The games whose sole winner had the least chance, by the ratings, of finishing ahead of the
    strongest other side. Each winner and strongest side have one game, that with the greatest lead.
    """
    number, _, bots, ranks = games.counted
    if strength.draw_probability is None or games.sides < 2 or not len(number):
        return
    mu = np.array(strength.mu)[bots].sum(axis=2)
    first = ranks == 1
    sole = np.flatnonzero(games.clean & (first.sum(axis=1) == 1))
    winner = first[sole].argmax(axis=1)
    rows = np.arange(len(sole))
    others = mu[sole].copy()
    others[rows, winner] = -np.inf
    strongest = others.argmax(axis=1)
    gap = mu[sole, winner] - others[rows, strongest]
    members = bots.shape[2]
    likely = win_chance(gap, strength.draw_probability, members)
    lead = leads(games)[sole, winner]
    pairs = np.hstack([bots[sole, winner], bots[sole, strongest]])
    seen: set[tuple[int, ...]] = set()
    order = np.lexsort((sole, -lead, likely))
    for at in order[likely[order] < UNLIKELY].tolist():
        pair = tuple(pairs[at].tolist())
        if pair in seen:
            continue
        names = [games.columns.names[bot] for bot in pair]
        one, other = " and ".join(names[:members]), " and ".join(names[members:])
        why = (
            f"{one} won ahead of {other}, for which the ratings gave it "
            f"{100 * float(likely[at]):.1f} %"
        )
        yield _candidate(games, "upset", len(seen), int(number[sole[at]]), why)
        seen.add(pair)
        if len(seen) == most:
            break


def _extremes(stats: PoolStats, pool: int) -> Iterator[WatchedGame]:
    """The game that each bot won by most, and the one that it lost by most."""
    for bot, name in enumerate(stats.names):
        turn = (bot - pool) % len(stats.names)
        for kind, extreme in stats.extremes[bot].by_kind:
            why = f"{name}'s {kind}: {lead_in_words(extreme.lead)}"
            yield WatchedGame(stats.pool.title, kind, turn, extreme.game, (why,))


def lead_in_words(lead: float) -> str:
    """How far a side ended ahead of the best other side, or behind it."""
    if not lead:
        return "level in points with the best other"
    return f"{abs(lead):g} points {'ahead of the next' if lead > 0 else 'behind the winner'}"


def _of_line_ups(games: Games, selection: Selection) -> Iterator[WatchedGame]:
    """Games of each line-up, first one of each: without a forfeit if there are such, then of lowest
    id.
    """
    number, _, bots, _ = games.counted
    if not len(number):
        return
    line_up, _ = number_rows(np.sort(bots.reshape(len(bots), -1), axis=1))
    order = np.lexsort((number, ~games.clean, line_up))
    turn = _turns(line_up[order])
    many = selection.of_a_line_up
    first, turn = order[turn < many], turn[turn < many]
    order = first[np.lexsort((number[first], turn))]
    if selection.what == "some":
        order = order[:MOST]
    of_how_many = "one game" if many == 1 else f"one of {many:,} games"
    why = f"{of_how_many} of this line-up, by chance"
    for rank, at in enumerate(order.tolist()):
        yield _candidate(games, "line-up", rank, int(number[at]), why)


def _turns(ordered: Ints) -> Ints:
    """For each of some ascending numbers, how many equal ones come before it."""
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    turns: Ints = np.arange(len(ordered)) - starts[np.cumsum(new) - 1]
    return turns


def choose_games(
    pools: Iterable[Sequence[WatchedGame]], selection: Selection
) -> tuple[WatchedGame, ...]:
    """Choose the games to watch among the candidates of all pools: by pool, and in each by kind,
    best first.

    If no number was asked for, `MOST` are chosen: within each kind pools take turns, until its room
    is full.
    """
    candidates = [
        (KINDS.index(candidate.kind), candidate.rank, pool, candidate)
        for pool, of_pool in enumerate(pools)
        for candidate in of_pool
    ]
    candidates.sort(key=itemgetter(0, 1, 2))
    chosen: dict[str, tuple[tuple[int, int, int], WatchedGame]] = {}  # by id, with its place
    used = Counter[Kind]()
    for kind, rank, pool, candidate in candidates:
        id = candidate.game.id
        if id in chosen:
            if candidate.kind not in ("line-up", "all"):  # those are for games without a reason
                place, first = chosen[id]
                chosen[id] = place, first._replace(why=first.why + candidate.why)
            continue
        if selection.what == "some":
            room = ROOM.get(candidate.kind, MOST) - used[candidate.kind]
            room = min(room, MOST - len(chosen))
        else:
            room = MOST - len(chosen) if selection.what in ("faults", "upsets") else 1
        if room > 0:
            used[candidate.kind] += 1
            chosen[id] = (pool, kind, rank), candidate
    return tuple(watched for _, watched in sorted(chosen.values(), key=itemgetter(0)))
