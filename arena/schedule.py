"""What is to be played: line-ups, games in their canonical order, and sessions cut from them.

Pure. The order goes deal by deal through all line-ups, so that whatever stops early has met
everybody about as often. Who sits where is `arena.seatings`; what a game is called and dealt,
`arena.seeds`.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import ceil, comb

from arena import seeds
from arena.model import Bot, Entry, Fixture
from arena.seatings import seatings

GAMES_PER_SESSION = 4000
BOTS_PER_SESSION = 32


def line_ups(entry: Entry) -> list[tuple[Bot, ...]]:
    """Return every set of bots that fills a table, bots and sets in the order of names."""
    return list(combinations(sorted(entry.bots), entry.pool.entrants))


def count(entry: Entry) -> tuple[int, int, int]:
    """Return how many line-ups, seatings of each, and games the entry comes to."""
    sets = comb(len(entry.bots), entry.pool.entrants)
    ways = len(seatings(entry.pool, entry.seatings))
    return sets, ways, sets * ways * entry.deals


def fixtures(entry: Entry, identity: seeds.Identity) -> Iterator[Fixture]:
    """Yield the entry's games, in the canonical order.

    That is by deal, line-up, seating; where seatings share decks by round, deal, line-up, and
    round r plays deal d in seating (d + r) mod S.
    """
    ways = seatings(entry.pool, entry.seatings)
    tables = [(line_up, seeds.ids(identity, line_up)) for line_up in line_ups(entry)]
    if entry.duplicate:
        for turn in range(len(ways)):
            for deal in range(entry.deals):
                way = ways[(deal + turn) % len(ways)]
                for line_up, game_id in tables:
                    yield Fixture(game_id(way, deal), line_up, way, deal)
        return
    for deal in range(entry.deals):
        for line_up, game_id in tables:
            for way in ways:
                yield Fixture(game_id(way, deal), line_up, way, deal)


def sessions(
    entry: Entry,
    missing: Iterable[Fixture],
    games_per_session: int = GAMES_PER_SESSION,
    max_bots: int = BOTS_PER_SESSION,
) -> list[tuple[Fixture, ...]]:
    """Return the games, given in canonical order, cut into sessions.

    A session has at most `games_per_session` games and `max_bots` bots (or one line-up), and where
    seatings share decks never the same line-up and deal twice. Sessions of the same bots are of
    one size to within one game, and each is spread over all their line-ups and deals.
    """
    return [
        session
        for games in _by_bots(list(missing), entry.pool.entrants, max_bots)
        for session in _cut(games, games_per_session, entry.duplicate)
    ]


def _by_bots(games: list[Fixture], entrants: int, most: int) -> list[list[Fixture]]:
    """Return the games in as few groups as have at most `most` bots each.

    The bots are divided into clubs, so small that a table's clubs together have not too many; a
    group is all that some clubs, as many as a table has bots, play among themselves.
    """
    names = sorted({bot.name for line_up in {game.line_up for game in games} for bot in line_up})
    if len(names) <= most:
        return [games] if games else []
    clubs = ceil(len(names) / max(1, most // entrants))
    club = {name: number * clubs // len(names) for number, name in enumerate(names)}
    group_of: dict[tuple[Bot, ...], tuple[int, ...]] = {}
    groups: dict[tuple[int, ...], list[Fixture]] = {}
    for game in games:
        key = group_of.get(game.line_up)
        if key is None:
            met = {club[bot.name] for bot in game.line_up}
            others = [number for number in range(clubs) if number not in met]
            first = sum(met) % (len(others) or 1)  # the tables of few clubs go round the groups
            key = tuple(sorted([*met, *(others[first:] + others[:first])[: entrants - len(met)]]))
            group_of[game.line_up] = key
        groups.setdefault(key, []).append(game)
    return [groups[key] for key in sorted(groups)]


def _cut(games: list[Fixture], most: int, duplicate: bool) -> list[tuple[Fixture, ...]]:
    """Return the games in sessions of one size to within one.

    Dealt out like cards. Where decks are shared, the games of one deal come one after the other
    and no more than there are sessions, so no session gets two of them.
    """
    if not duplicate:
        number = ceil(len(games) / most)
        hands: list[list[Fixture]] = [[] for _ in range(number)]
        for index, game in enumerate(games):  # each time round begins one further on
            hands[(index + index // number) % number].append(game)
        return [tuple(hand) for hand in hands]
    deals: dict[tuple[tuple[Bot, ...], int], list[Fixture]] = {}
    for game in games:
        deals.setdefault((game.line_up, game.deal), []).append(game)
    rounds = max(map(len, deals.values()))
    number = rounds * ceil(len(games) / (rounds * most))
    in_turn = [game for deal in deals.values() for game in deal]
    return [tuple(in_turn[first::number]) for first in range(number)]
