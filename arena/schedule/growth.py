"""What a pool would come to with more bots, counted and not made: a field may have 10^15 games.

Every number is from the code that makes the schedule: how many line-ups there are, or are drawn
(`arena.schedule.line_ups`, `arena.schedule.sampling`), how many seatings each has
(`arena.schedule.seatings`), into how many sessions they are cut (`arena.schedule.sessions`). Pure.
"""

from math import comb
from typing import NamedTuple

from arena.model import Entry
from arena.schedule import sampling, seatings, sessions, stages
from arena.schedule.line_ups import number_of_all


class Field(NamedTuple):
    """What a pool comes to with some number of bots."""

    bots: int
    line_ups: int
    games: int  # exact; where it is to be settled, at most
    sessions: int  # about
    pairs: int  # of bots that meet at a table, at most


def grown(entry: Entry, bots: int, line_ups: int, most: int) -> Field:
    """Return what an entry, with nothing left open, comes to with so many bots and line-ups, where
    a session takes `most` games.
    """
    entrants, always = entry.pool.entrants, len(entry.always)
    ways = seatings.count(entry.pool, entry.seatings)
    games_each = stages.at_most(entry).deals * ways
    rounds = ways if entry.duplicate else 1
    return Field(
        bots,
        line_ups,
        line_ups * games_each,
        sessions.count_of(bots, always, entrants, line_ups, games_each, rounds, most),
        min(comb(bots, 2), line_ups * comb(entrants, 2)),
    )


def line_ups_of(entry: Entry, count: int | None, bots: int) -> int:
    """Return how many line-ups an entry has once it has `bots`, as many as now or more: all, or a
    sample that goes on from what was drawn. `count` is how many the config draws, None for all.
    """
    always, entrants = len(entry.always), entry.pool.entrants
    if entry.line_ups is None or count is None:
        return number_of_all(bots, always, entrants)
    before = len(entry.bots) - always
    return sampling.grown(len(entry.line_ups), before, bots - always, entrants - always, count)


def as_now(entry: Entry, line_ups: int, bots: int) -> int:
    """Return how many line-ups of more bots give each as many as it has now, of `line_ups`: what
    `lineups` in a config would draw in place of all.
    """
    always = len(entry.always)
    others, more = max(len(entry.bots) - always, 1), bots - always
    return min(-(-line_ups * more // others), number_of_all(bots, always, entry.pool.entrants))
