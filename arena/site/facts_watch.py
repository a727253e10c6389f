"""Which games are worth watching, and why. Pure.

Each pool names candidates, best of their kind first; of all pools' candidates some are chosen.
Faults come first, then upsets, then what each bot won and lost by most, then one game a line-up.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from arena.errors import UsageError
from arena.rating.draw_margin import margin_of
from arena.rating.outcomes import Ints, numbered
from arena.rating.overall import chance
from arena.site.facts_games import Games, Told, told
from arena.site.facts_pool import Extreme, PoolFacts, leads
from arena.words import nearest, shown

Kind = Literal["fault", "upset", "best", "worst", "line-up", "all"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST = 300
"""Games that are chosen where nobody says how many."""

ROOM: Mapping[Kind, int] = {"fault": 90, "upset": 60, "best": 50, "worst": 40}
"""How many of the `MOST` a kind gets at first; what is left over is one game a line-up."""

OF_A_FAULT = 3  # games of a bot with a kind of fault in a pool
UNLIKELY = 1 / 3  # an upset is what ratings give less than this chance


class Wanted(NamedTuple):
    """Which games are asked for."""

    what: Literal["some", "all", "faults", "upsets", "line-ups"] = "some"
    of_a_line_up: int = 1


USUAL = Wanted()


class Candidate(NamedTuple):
    """A game that may be chosen."""

    kind: Kind
    rank: int  # among those of its kind in its pool, from 0
    game: Told
    why: str  # in words


class Watched(NamedTuple):
    """A game to watch."""

    pool: str  # title
    kind: Kind  # the first of its reasons
    game: Told
    why: tuple[str, ...]  # in words


def wanted(text: str) -> Wanted:
    """Return what `--games` asks for; "" is the usual choice. Raises UsageError."""
    if not text:
        return USUAL
    match text:
        case "all" | "faults" | "upsets":
            return Wanted(text)
    if text.isascii() and text.isdigit() and 1 <= len(text) <= 6 and int(text):
        return Wanted("line-ups", int(text))
    near = nearest(text, ("all", "faults", "upsets"))
    hint = f"did you mean {near!r}?" if near else "it takes all, faults, upsets, or how many a "
    raise UsageError(f"--games: found {shown(text)}; {hint}" + ("" if near else "line-up"))


class Strength(NamedTuple):
    """What ratings say of a pool's bots, in the order of names."""

    mu: Sequence[float]
    draw_probability: float | None  # None: no game counts


def candidates(
    games: Games, facts: PoolFacts, strength: Strength, wanted: Wanted, pool: int = 0
) -> list[Candidate]:
    """Return a pool's candidates, kind by kind, each kind's best first; `pool` is its number, by
    which bots take turns: else those of the first names alone would be shown.
    """
    match wanted.what:
        case "faults":
            return _faults(games, MOST, pool)
        case "upsets":
            return _upsets(games, strength, MOST)
        case "line-ups":
            return _of_line_ups(games, wanted)
    out = [
        *_faults(games, OF_A_FAULT, pool),
        *_upsets(games, strength, ROOM["upset"]),
        *_extremes(facts, pool),
    ]
    if wanted.what == "some":
        return out + _of_line_ups(games, wanted)
    every = range(len(games.ids))
    return out + [Candidate("all", at, told(games, at), "all games are here") for at in every]


def _faults(games: Games, most: int, pool: int) -> list[Candidate]:
    """Return the first games of each bot with each kind of fault: first of all one of each bot,
    then one of each of its kinds.
    """
    by_kind: dict[tuple[int, str], list[int]] = {}
    for game, seat, kind in games.forfeits:
        by_kind.setdefault((int(games.seated[game, seat]), kind), []).append(game)
    kinds = Counter[int]()
    found = []
    for (bot, kind), own in by_kind.items():
        many = f"one of its {len(own):,}" if len(own) > 1 else "its only one"
        why = f"{games.names[bot]} forfeited it: {kind}, {many} in this pool"
        turn = (bot - pool) % len(games.names)
        found += [(number, kinds[bot], turn, game, why) for number, game in enumerate(own[:most])]
        kinds[bot] += 1
    return [
        Candidate("fault", rank, told(games, game), why)
        for rank, (*_, game, why) in enumerate(sorted(found))
    ]


def _upsets(games: Games, strength: Strength, most: int) -> list[Candidate]:
    """Return the games that the ratings gave their sole winner the least chance of finishing ahead
    of the strongest other side: of each winner and strongest one game, that with most lead.
    """
    if strength.draw_probability is None or games.sides < 2 or not len(games.number):
        return []
    mu = np.array(strength.mu)[games.bots].sum(axis=2)
    first = games.ranks == 1
    sole = np.flatnonzero(games.clean & (first.sum(axis=1) == 1))
    winner = first[sole].argmax(axis=1)
    others = mu[sole].copy()
    others[np.arange(len(sole)), winner] = -np.inf
    strongest = others.argmax(axis=1)
    rows = np.arange(len(sole))
    gap = mu[sole, winner] - others[rows, strongest]
    members = games.bots.shape[2]
    likely = chance(gap, margin_of(strength.draw_probability, members), members)
    lead = leads(games)[sole, winner]
    pairs = np.hstack([games.bots[sole, winner], games.bots[sole, strongest]])
    out: list[Candidate] = []
    seen: set[tuple[int, ...]] = set()
    order = np.lexsort((sole, -lead, likely))
    for at in order[likely[order] < UNLIKELY].tolist():
        who = tuple(pairs[at].tolist())
        if who in seen:
            continue
        seen.add(who)
        names = [games.names[bot] for bot in who]
        one, other = " and ".join(names[:members]), " and ".join(names[members:])
        why = (
            f"{one} won ahead of {other}, for which the ratings gave it "
            f"{100 * float(likely[at]):.1f} %"
        )
        out.append(Candidate("upset", len(out), told(games, int(games.number[sole[at]])), why))
        if len(out) == most:
            break
    return out


def _extremes(facts: PoolFacts, pool: int) -> list[Candidate]:
    """Return of each bot the game that it won by most, and that it lost by most."""
    out = []
    for bot, name in enumerate(facts.names):
        turn = (bot - pool) % len(facts.names)
        kinds: tuple[tuple[Kind, tuple[Extreme, ...]], ...] = (
            ("best", facts.best[bot]),
            ("worst", facts.worst[bot]),
        )
        for kind, extremes in kinds:
            for extreme in extremes[:1]:
                why = f"{name}'s {kind}: {in_words(extreme.lead)}"
                out.append(Candidate(kind, turn, extreme.game, why))
    return out


def in_words(lead: float) -> str:
    """Return how far before, or behind, the best other side a side ended."""
    if not lead:
        return "level in points with the best other"
    return f"{abs(lead):g} points {'ahead of the next' if lead > 0 else 'behind the winner'}"


def _of_line_ups(games: Games, wanted: Wanted) -> list[Candidate]:
    """Return games of each line-up, those of lowest id, if they can be of those nobody forfeited:
    first one of each.
    """
    if not len(games.bots):
        return []
    line_up = np.sort(games.bots.reshape(len(games.bots), -1), axis=1)
    of, _ = numbered(line_up)
    order = np.lexsort((games.number, ~games.clean, of))
    turn = _turns(of[order])
    chosen = order[turn < wanted.of_a_line_up]
    order = chosen[np.lexsort((games.number[chosen], turn[turn < wanted.of_a_line_up]))]
    if wanted.what == "some":
        order = order[:MOST]
    many = wanted.of_a_line_up
    of_how_many = "one game" if many == 1 else f"one of {many:,} games"
    why = f"{of_how_many} of this line-up, by chance"
    return [
        Candidate("line-up", rank, told(games, int(games.number[at])), why)
        for rank, at in enumerate(order.tolist())
    ]


def _turns(ordered: Ints) -> Ints:
    """Return of each of some ascending numbers how many equal ones come before it."""
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    turns: Ints = np.arange(len(ordered)) - starts[np.cumsum(new) - 1]
    return turns


def chosen(pools: Sequence[tuple[str, Iterable[Candidate]]], wanted: Wanted) -> tuple[Watched, ...]:
    """Return the games to watch, of pools given by title with their candidates: by pool, and in
    each by kind, best first.

    Where nobody says how many, `MOST`: of each kind pools take turns, until its room is full.
    """
    everything = [
        (KINDS.index(each.kind), each.rank, number, each)
        for number, (_, own) in enumerate(pools)
        for each in own
    ]
    everything.sort(key=lambda entry: entry[:3])
    found: dict[str, tuple[int, Candidate, list[str]]] = {}
    used: Counter[Kind] = Counter()
    for _, _, pool, each in everything:
        id = each.game.id
        if id in found:
            if each.kind not in ("line-up", "all"):  # the reasons of who has no better one
                found[id][2].append(each.why)
            continue
        if wanted.what == "some":
            room = min(ROOM.get(each.kind, MOST) - used[each.kind], MOST - len(found))
        else:
            room = MOST - len(found) if wanted.what in ("faults", "upsets") else 1
        if room > 0:
            used[each.kind] += 1
            found[id] = (pool, each, [each.why])
    of_pool = sorted(
        found.values(), key=lambda entry: (entry[0], KINDS.index(entry[1].kind), entry[1].rank)
    )
    return tuple(
        Watched(pools[pool][0], each.kind, each.game, tuple(why)) for pool, each, why in of_pool
    )
