"""Whole tournaments through the command line, as a user runs them, for `make bench`.

Walls on, records kept, the store as durable as ever, rated, tables published: all of it is in the
cost, starting included. Each is played in a fresh folder, which is removed.
"""

import json
import sys
import tempfile
from math import comb
from pathlib import Path
from typing import NamedTuple

from arena.model import Pool
from arena.schedule.seatings import make_seatings
from games import load
from tests.benchmarks.accounting import Cost, cost_of
from tests.benchmarks.bare import source_of
from tests.leagues import make

DISK = "/var/tmp"  # /tmp may be memory, where nothing is durable


class Tournament(NamedTuple):
    """One pool, played by so many copies of one bot."""

    game: str
    players: int
    bot: str
    copies: int
    deals: int  # for each line-up and seating
    seatings: int | str
    workers: int

    @property
    def games(self) -> int:
        pool = pool_of(self.game, self.players)
        line_ups = comb(self.copies, pool.entrants)
        return line_ups * len(make_seatings(pool, self.seatings)) * self.deals


def pool_of(game: str, players: int) -> Pool:
    """The pool of a game under its usual options; in a team both partners are one bot."""
    sides = {load(game).side(seat) for seat in range(players)}
    return Pool(game, players, "{}", "same" if len(sides) < players else "")


def of_one_line_up(game: str, players: int, bot: str, workers: int, games: int) -> Tournament:
    """The tournament of one line-up, in all its seatings, of at least so many games."""
    pool = pool_of(game, players)
    deals = -(-games // len(make_seatings(pool, "auto")))
    return Tournament(game, players, bot, pool.entrants, deals, "auto", workers)


def cost(tournament: Tournament) -> Cost:
    """Play a tournament and measure what it costs.

    Raises RuntimeError if it ends badly or not all is played, or if a bot has a fault.
    """
    source = source_of(tournament.bot)
    bots = {f"{tournament.bot}{number:02}": source for number in range(tournament.copies)}
    written = json.dumps(tournament.seatings)
    config = (
        f'[[games]]\ngame = "{tournament.game}"\nplayers = {tournament.players}\n'
        f"deals = {tournament.deals}\nseatings = {written}\n"
    )
    with tempfile.TemporaryDirectory(prefix="arena-bench-", dir=DISK) as folder:
        path = make(Path(folder), config, bots)
        found = cost_of(
            [sys.executable, "-m", "arena", "tournament", str(path), "--json", "--max-faults", "0",
             "--workers", str(tournament.workers)],
        )  # fmt: skip
    played = json.loads(found.stdout)["pools"][0]["games"]
    if played != tournament.games:
        raise RuntimeError(f"{played:,} games were played, not {tournament.games:,}")
    return found
