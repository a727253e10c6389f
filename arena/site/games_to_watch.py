"""Games worth watching, with the reasons. Pure.

Each pool has candidates, best of their kind first; of all pools' candidates some are chosen:
upsets, close games and comebacks, then each bot's best, worst and closest game, one game for each
cause of faults, and some by chance.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter

import numpy as np

from arena.rating.outcomes import number_rows
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
from arena.words import possessive

MOST = 300
"""Games chosen if no number is asked for; more only where the games of bot pages are more."""

ROOM: Mapping[Kind, int] = {"upset": 40, "close": 30, "comeback": 30, "fault": 60, "line-up": 20}
"""The share of a kind in the `MOST`; the rest are bots' best, worst and closest games pool by pool,
then one game a line-up."""

Causes = Mapping[str, Sequence[Why]]
"""The reasons to watch games that bots forfeited, one a cause, by the game's id."""


def find_candidates(
    games: Games,
    stats: PoolStats,
    strength: Strength,
    per_line_up: int | None = None,
    pool: int = 0,
    causes: Causes = {},  # noqa: B006
    comebacks: Iterable[Comeback] = (),
) -> list[WatchedGame]:
    """A pool's candidates, kind by kind, each kind's best first. Where so many games `per_line_up`
    were asked for, only those.

    `pool` is its number, by which bots take turns: otherwise only those whose names come first
    would be shown.
    """
    if per_line_up is not None:
        return [*_of_line_ups(games, per_line_up)]
    tale = Tale(games, strength)
    return [
        *find_upsets(tale, ROOM["upset"]),
        *find_close_games(tale, ROOM["close"]),
        *tell_comebacks(tale, comebacks),
        *_of_causes(games, causes),
        *_extremes(games, stats, pool),
        *islice(_of_line_ups(games, 1), MOST),
    ]


def _of_causes(games: Games, causes: Causes) -> Iterator[WatchedGame]:
    for rank, (id, why) in enumerate(sorted(causes.items(), key=lambda cause: cause[1][0].weight)):
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
        words = f"{possessive(name)} {kind} game{within}: {lead_in_words(extreme)}"
        yield WatchedGame(extreme.pool.title, rank, extreme.game, (Why(kind, words, weight, name),))


def lead_in_words(extreme: Extreme) -> str:
    """Describe the end of a bot's game: `wins by 5 points`, `8 points behind the winner`."""
    by = points_in_words(extreme.pool.game, abs(extreme.lead))
    if not extreme.lead:
        return "level with the best other"
    return f"wins by {by}" if extreme.lead > 0 else f"{by} behind the winner"


def _of_line_ups(games: Games, many: int) -> Iterator[WatchedGame]:
    """Games of each line-up, first one of each: without a forfeit if there are such, then of lowest
    id.
    """
    number, _, bots, _ = games.counted
    if not len(number):
        return
    line_up, _ = number_rows(np.sort(bots.reshape(len(bots), -1), axis=1))
    order = np.lexsort((number, ~games.clean, line_up))
    turn = np.arange(len(order)) - np.searchsorted(line_up[order], line_up[order])
    first, turn = order[turn < many], turn[turn < many]
    order = first[np.lexsort((number[first], turn))]
    of_how_many = "one game" if many == 1 else f"one of {many:,} games"
    why = Why("line-up", f"chosen at random: {of_how_many} of its line-up")
    for rank, at in enumerate(order.tolist()):
        yield candidate(games, rank, int(number[at]), why)


def choose_games(
    pools: Sequence[Sequence[WatchedGame]],
    per_line_up: int | None = None,
    bots: Mapping[str, BotGames] = {},
) -> tuple[WatchedGame, ...]:
    """Choose the games to watch among the candidates of all pools, and list them by kind.

    If no number was asked for, the best, worst and closest game of all of `bots` are among them,
    and in each kind pools take turns until its room is full.
    """
    in_turn = [(story.rank, at, story) for at, pool in enumerate(pools) for story in pool]
    of_kind: dict[Kind, list[WatchedGame]] = {kind: [] for kind in KINDS}
    for *_, story in sorted(in_turn, key=itemgetter(0, 1)):
        of_kind[story.kind].append(story)
    chosen: dict[str, WatchedGame] = {}
    most = MOST if per_line_up is None else np.inf

    def choose(candidates: Iterable[WatchedGame], room: float) -> None:
        for story in candidates:
            id = story.game.id
            if id in chosen:
                chosen[id] = chosen[id].add_reasons(*story.reasons)
            elif room > 0:
                chosen[id] = story
                room -= 1

    for kind in ("upset", "close", "comeback"):
        choose(of_kind[kind], ROOM[kind])
    if per_line_up is None:
        choose(chain.from_iterable(games_of_bot(bot, bots[bot]) for bot in bots), np.inf)
    choose(of_kind["fault"], ROOM["fault"])
    extremes = [story for kind in EXTREMES for story in of_kind[kind]]
    extremes.sort(key=lambda story: story.rank)
    choose(extremes, most - ROOM["line-up"] - len(chosen))
    choose(of_kind["line-up"], most - len(chosen))
    return tuple(sorted(chosen.values(), key=lambda story: (*story.order, story.game.id)))
