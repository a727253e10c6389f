"""A bot's part in each of its pools: seats, scores, best and worst games. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from arena.site import histograms
from arena.site.facts_pool import Extreme, PoolFacts
from arena.site.facts_watch import in_words
from arena.site.histograms import Axis, Histogram
from arena.site.watch_page import GameLink, link_to
from arena.tables.charts import Scale, scale_of
from arena.tables.document import PoolTable


class SeatLine(NamedTuple):
    """What the bot did from the seats of a side."""

    seats: str
    games: int
    wins: float | None
    low: float | None
    high: float | None
    everybody: float | None  # the seats' wins of all bots
    score: float | None


class Ended(NamedTuple):
    """A game that the bot won or lost by much."""

    extreme: Extreme
    game: GameLink
    words: str
    best: bool


class PoolPart(NamedTuple):
    """A pool on a bot's page."""

    id: str
    title: str
    low_wins: bool
    seats: tuple[SeatLine, ...]
    scale: Scale  # of the seats' shares, in percent
    axis: Axis
    scores: Histogram
    games: tuple[Ended, ...]


def part(
    table: PoolTable, own: PoolFacts, id: str, bot: str, viewers: Mapping[str, str]
) -> PoolPart:
    """Return the bot's part in one of its pools, under an id of the page; `viewers` are the pages
    of the games to watch, by id.
    """
    number = own.names.index(bot)
    seats = tuple(_seats(table, own, bot))
    ends = [each for line in seats for each in (line.wins, line.everybody, line.low, line.high)]
    even = 100 / max(len(own.seats), 1)
    return PoolPart(
        id,
        table.title,
        own.low_wins,
        seats,
        scale_of([even, *(100 * end for end in ends if end is not None)], even),
        histograms.axis_of(own.scores),
        histograms.histogram(own.scores, own.scores.bots[number]),
        (
            *(_ended(each, viewers, True) for each in own.best[number]),
            *(_ended(each, viewers, False) for each in own.worst[number]),
        ),
    )


def _ended(extreme: Extreme, viewers: Mapping[str, str], best: bool) -> Ended:
    link = link_to(extreme.game.id, viewers)
    return Ended(extreme, link, in_words(extreme.lead), best)


def _seats(table: PoolTable, own: PoolFacts, bot: str) -> list[SeatLine]:
    lines = []
    for seat in own.by_seat(bot):
        low, high = seat.wins.interval() or (None, None)
        lines.append(
            SeatLine(
                " and ".join(map(str, seat.seats)),
                int(seat.wins.games),
                seat.wins.mean,
                low,
                high,
                table.seats[seat.seats[0]].wins,
                seat.score,
            )
        )
    return lines
