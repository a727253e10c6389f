"""Which games are worth watching, and why. Pure.

Each pool has candidates, best of their kind first; of all pools' candidates some are chosen:
upsets, close games and comebacks, then each bot's best, worst and closest game, one game for each
cause of faults, and some by chance.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Literal, NamedTuple

import numpy as np

from arena.errors import UsageError
from arena.rating import Ints, number_rows
from arena.site.stats_pool import EXTREMES, BotGames, Extreme, Games, PoolStats
from arena.site.stories import (
    KINDS,
    Comeback,
    Kind,
    Strength,
    Tale,
    WatchedGame,
    Why,
    candidate,
    find_close_games,
    find_upsets,
    points_in_words,
    tell_comebacks,
)
from arena.tables import FAULT_WORDS
from arena.words import nearest, shown

MOST = 300
"""How many games are chosen if no number is asked for; more only where bots' own games are more."""

ROOM: Mapping[Kind, int] = {"upset": 40, "close": 30, "comeback": 30, "fault": 60, "line-up": 20}
"""How many of the `MOST` a kind gets; what is left over are bots' best, worst and closest games
pool by pool, then one game a line-up."""


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
    takes = "expected all, faults, upsets, or a number of games per line-up"
    hint = f"did you mean {near!r}?" if near else takes
    raise UsageError(f"--games: found {shown(text)}; {hint}")


Causes = Mapping[str, Sequence[Why]]
"""The reasons to watch games that bots forfeited, one a cause, by the game's id."""


def find_candidates(
    games: Games,
    stats: PoolStats,
    strength: Strength,
    selection: Selection,
    pool: int = 0,
    causes: Causes = {},  # noqa: B006
    comebacks: Iterable[Comeback] = (),
) -> list[WatchedGame]:
    """A pool's candidates, kind by kind, each kind's best first.

    `pool` is its number, by which bots take turns: otherwise only those whose names come first
    would be shown.
    """
    tale = Tale(games, strength)
    match selection.what:
        case "faults":
            return [*_faults(games, pool)]
        case "upsets":
            return [*find_upsets(tale, MOST)]
        case "line-ups":
            return [*_of_line_ups(games, selection)]
    candidates = [
        *find_upsets(tale, ROOM["upset"]),
        *find_close_games(tale, ROOM["close"]),
        *tell_comebacks(tale, comebacks),
        *_of_causes(games, causes),
        *_extremes(games, stats, pool),
    ]
    if selection.what == "some":
        return [*candidates, *_of_line_ups(games, selection)]
    every = range(len(games.ids))
    why = Why("all", "all games are published")
    return candidates + [candidate(games, at, at, why) for at in every]


def _faults(games: Games, pool: int) -> Iterator[WatchedGame]:
    """The first games of each bot with each kind of fault: first one game of each bot, then one of
    each of its kinds.
    """
    numbers: dict[tuple[int, str], list[int]] = {}  # of games, by bot and kind
    for game, seat, kind in games.forfeits:
        numbers.setdefault((int(games.columns.bots[game, seat]), kind), []).append(game)
    kinds = Counter[int]()
    in_turn = []
    for (bot, kind), of_kind in numbers.items():
        many = f"; one of {len(of_kind):,} such games in this pool" if len(of_kind) > 1 else ""
        name = games.columns.names[bot]
        why = Why("fault", f"{name} forfeits: {FAULT_WORDS[kind]}{many}", bot=name)
        turn = (bot - pool) % len(games.columns.names)
        in_turn += [(nth, kinds[bot], turn, game, why) for nth, game in enumerate(of_kind[:MOST])]
        kinds[bot] += 1
    for rank, (*_, game, why) in enumerate(sorted(in_turn)):
        yield candidate(games, rank, game, why)


def _of_causes(games: Games, causes: Causes) -> Iterator[WatchedGame]:
    """The games of this pool that show a cause of faults."""
    for rank, (id, why) in enumerate(sorted(causes.items(), key=lambda each: each[1][0].weight)):
        at = bisect_left(games.ids, id)
        if games.ids[at : at + 1] == [id]:
            yield candidate(games, rank, at, *why)


def _extremes(games: Games, stats: PoolStats, pool: int) -> Iterator[WatchedGame]:
    for bot, name in enumerate(stats.names):
        turn = (bot - pool) % len(stats.names)
        yield from games_of_bot(name, stats.extremes[bot], turn, f" in {games.columns.pool.title}")


def games_of_bot(
    name: str, games: BotGames, rank: int = 0, within: str = ""
) -> Iterator[WatchedGame]:
    """A bot's best, worst and closest game: of all, or `within` a pool, which the words name."""
    for kind, extreme in games.by_kind:
        weight = {"best": -extreme.weight, "worst": extreme.weight}.get(kind, abs(extreme.weight))
        words = f"{name}'s {kind} game{within}: {lead_in_words(extreme)}"
        yield WatchedGame(extreme.pool.title, rank, extreme.game, (Why(kind, words, weight, name),))


def lead_in_words(extreme: Extreme) -> str:
    """How a bot's game ended: `wins by 5 points`, `8 points behind the winner`."""
    by = points_in_words(extreme.pool.game, abs(extreme.lead))
    if not extreme.lead:
        return "level with the best other"
    return f"wins by {by}" if extreme.lead > 0 else f"{by} behind the winner"


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
    why = Why("line-up", f"chosen at random: {of_how_many} of its line-up")
    for rank, at in enumerate(order.tolist()):
        yield candidate(games, rank, int(number[at]), why)


def _turns(ordered: Ints) -> Ints:
    """For each of some ascending numbers, how many equal ones come before it."""
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    turns: Ints = np.arange(len(ordered)) - starts[np.cumsum(new) - 1]
    return turns


def choose_games(
    pools: Sequence[Sequence[WatchedGame]],
    selection: Selection,
    bots: Mapping[str, BotGames] = {},
) -> tuple[WatchedGame, ...]:
    """Choose the games to watch among the candidates of all pools, and list them by kind.

    If no number was asked for, the best, worst and closest game of all of `bots` are among them,
    and in each kind pools take turns until its room is full.
    """
    in_turn = [(each.rank, at, each) for at, pool in enumerate(pools) for each in pool]
    of_kind: dict[Kind, list[WatchedGame]] = {kind: [] for kind in KINDS}
    for *_, each in sorted(in_turn, key=itemgetter(0, 1)):
        of_kind[each.kind].append(each)
    chosen: dict[str, WatchedGame] = {}
    some = selection.what == "some"
    most = MOST if selection.what in ("some", "faults", "upsets") else np.inf

    def choose(candidates: Iterable[WatchedGame], room: float) -> None:
        for each in candidates:
            id = each.game.id
            if id in chosen:
                chosen[id] = chosen[id].chosen_for(*each.reasons)
            elif room > 0:
                chosen[id] = each
                room -= 1

    for kind in ("upset", "close", "comeback"):
        choose(of_kind[kind], ROOM[kind] if some else most)
    if selection.what in ("some", "all"):
        choose(chain.from_iterable(games_of_bot(bot, bots[bot]) for bot in bots), np.inf)
    choose(of_kind["fault"], ROOM["fault"] if some else most)
    extremes = [each for kind in EXTREMES for each in of_kind[kind]]
    extremes.sort(key=lambda each: each.rank)
    choose(extremes, most - ROOM["line-up"] - len(chosen))
    choose(of_kind["line-up"], most - len(chosen))
    choose(of_kind["all"], most)
    return tuple(sorted(chosen.values(), key=lambda each: (*each.order, each.game.id)))
