"""Checks of the values in a results file. A stranger's file has the checksums that its author gave
it, so each value is checked by itself before anything is done with it.
"""

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from typing import Annotated, Any, Literal

import msgspec

import games
from arena.model import (
    MOST_BOTS,
    MOST_GAMES,
    MOST_RATING,
    Anchor,
    Bot,
    Entry,
    Mirrored,
    Pool,
    Seating,
)
from arena.schedule.line_ups import LineUps
from arena.schedule.seat_rotation import count_line_up_turns
from arena.schedule.seatings import MIXED, count_possible, count_seatings
from arena.sequential.stages import STAGES_VERSION, is_possible_look
from arena.typed_json import decode
from arena.words import spell
from games import OptionsError, parse_options

_Name = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_-]{1,64}\Z")]  # of bots, and of games
_Bot = tuple[_Name, Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-z]{0,64}\Z")]]
_Pool = tuple[
    _Name,
    Annotated[int, msgspec.Meta(ge=1, le=100)],  # players at a table
    Annotated[str, msgspec.Meta(max_length=4096)],
    Literal["", "same", "mixed"],
]
DEALS = 10_000_000  # of a pool

_number = Annotated[int, msgspec.Meta(ge=-(1 << 31), le=1 << 31)]
_numbers = msgspec.json.Decoder(tuple[_number, ...])

KINDS = {"INTEGER": "'integer'", "TEXT": "'text'", "BLOB": "'blob'", "REAL": "'real', 'integer'"}
"""Types that SQLite may have stored, by a column's type: it stores anything anywhere."""


def numbers(text: str) -> tuple[int, ...]:
    """Parse a JSON list of 32-bit numbers. Raises ValueError or TypeError for anything else."""
    try:
        return _numbers.decode(text)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{spell(text)} is not a list of numbers ({error})") from None


@lru_cache(1 << 13)
def parse_seating(seating: str) -> Seating:
    """Parse a seating from JSON. Raises ValueError or TypeError where it is none."""
    places = numbers(seating)
    if places and not 0 <= min(places) <= max(places) < len(places):
        raise ValueError(f"{spell(seating)} is no seating")
    return places


@lru_cache(1 << 13)
def parse_ranks(ranks: str) -> tuple[int, ...]:
    """Parse ranks from JSON. Raises ValueError or TypeError where they are none."""
    places = numbers(ranks)
    if places and not 1 == min(places) <= max(places) <= len(places):
        raise ValueError(f"{spell(ranks)} are no ranks")
    return places


@lru_cache(256)
def options_of(text: str) -> dict[str, Any]:
    """Parse a pool's options. Raises ValueError unless they are a JSON object."""
    try:
        return decode(text, dict[str, Any])
    except ValueError as error:
        raise ValueError(f"{spell(text)} are not options ({error})") from None


def is_pool(pool: Pool) -> bool:
    """True if a pool's parts have their types and sizes. Its game need not be installed."""
    try:
        msgspec.convert(tuple(pool), _Pool)
        options_of(pool.options)
    except ValueError:
        return False
    return not pool.partners or pool.players % 2 == 0


def is_bot(bot: Bot) -> bool:
    """True if a bot has a name and a hash such as bots have."""
    try:
        msgspec.convert(tuple(bot), _Bot)
    except ValueError:
        return False
    return True


def is_size(value: object) -> bool:
    """True if a value is a finite number of 0 or more."""
    return type(value) in (int, float) and value >= 0 and isfinite(value)  # type: ignore


def find_problem(entry: Entry) -> str:
    """The reason why no config can have such an entry; "" if one can. Entries that pass bound the
    work of every reader.
    """
    pool, names = entry.pool, [bot.name for bot in entry.bots]
    if not is_pool(pool):
        return f"{spell(tuple(pool))} is not a valid pool"
    if pool.game not in games.names():
        return f"the game {pool.game!r} is not here"
    game = games.load(pool.game)
    try:
        options = parse_options(game.Options, options_of(pool.options))
    except OptionsError as error:
        return f"options of {pool.game}: {error}"
    if pool.players not in game.seat_counts(options):
        return f"{pool.title}: this game does not take so many players"
    teams = len({game.side(seat) for seat in range(pool.players)}) < pool.players
    if bool(pool.partners) != teams:
        return f"{pool.title}: has {'no ' if teams else ''}partners"
    if len(names) > MOST_BOTS or not all(map(is_bot, entry.bots)):
        return f"{pool.title}: its bots are not valid"
    if names != sorted(set(names)) or len(names) < pool.entrants:
        return f"{pool.title}: its bots are not in order, or too few"
    fixed = set(entry.fixed_bots)
    if not fixed <= set(names) or len(fixed) < len(entry.fixed_bots):
        return f"{pool.title}: a bot of every line-up does not play in it"
    if len(entry.fixed_bots) > min(2, pool.entrants):
        return f"{pool.title}: too many are in every line-up"
    if isinstance(entry.shared_decks, Mirrored) and (
        len(entry.fixed_bots) != 2
        or entry.shared_decks.bots != tuple(sorted(entry.fixed_bots))
        or entry.seatings not in ("auto", 2)
        or entry.seating_turns is not None
        or entry.line_ups is None
    ):
        return f"{pool.title}: it is no match of {spell(entry.shared_decks.bots)}"
    return _uncountable(entry)


def are_anchors(anchors: Sequence[Anchor], entries: Sequence[Entry]) -> bool:
    """True if a plan's anchors are bots of its pools, at most one in each pool."""
    bots = {entry.pool: {bot.name for bot in entry.bots} for entry in entries}
    return len({anchor.pool for anchor in anchors}) == len(anchors) and all(
        anchor.bot in bots.get(anchor.pool, ()) and abs(anchor.rating) <= MOST_RATING
        for anchor in anchors
    )


def _uncountable(entry: Entry) -> str:
    """The problem with an entry's line-ups, turns, test or number of games; "" if there is none."""
    pool, how, test = entry.pool, entry.seatings, entry.test
    taken = MIXED if pool.partners == "mixed" else range(1, count_possible(pool) + 1)
    if how not in ("auto", "all") and (type(how) is not int or how not in taken):
        return f"{pool.title}: found {spell(how)} for seatings"
    if not 1 <= entry.deals <= DEALS:
        return f"{pool.title}: found {spell(entry.deals)} deals"
    for places in entry.line_ups or ():
        if len(places) != pool.entrants or list(places) != sorted(set(places)):
            return f"{pool.title}: a line-up is not valid"
        if not 0 <= places[0] <= places[-1] < len(entry.bots):
            return f"{pool.title}: a line-up names an unknown bot"
    if entry.drawn_before and len(entry.drawn_before) != len(entry.bots):
        return f"{pool.title}: it has {len(entry.bots)} bots, and {len(entry.drawn_before)} came"
    possible, turns = range(count_line_up_turns(pool.entrants)), entry.seating_turns or ()
    numbers = [number for number, _ in turns]
    if numbers != sorted(set(numbers)) or any(turn not in possible for _, turn in turns):
        return f"{pool.title}: a turn of its line-ups is not valid"
    whole = entry._replace(line_ups_used=None)
    if numbers and not 0 <= numbers[0] <= numbers[-1] < len(LineUps(whole)):
        return f"{pool.title}: it turns an unknown line-up"
    if test is not None:
        if not 0.5 <= test.confidence <= 0.999 or not 1 <= test.max_deals <= DEALS:
            return f"{pool.title}: its test is not valid"
        if (type(test.goal) is int and test.goal < 2) or test.within_places < 0:
            return f"{pool.title}: its goal is not valid"
        if test.version != STAGES_VERSION:
            now = STAGES_VERSION
            return f"{pool.title}: its test is of version {spell(test.version)}, not {now}"
        if not is_possible_look(entry):
            return f"{pool.title}: its looks are not valid"
    if entry.deals * len(LineUps(entry)) * count_seatings(pool, how) > MOST_GAMES:
        return f"{pool.title}: it has more games than can be counted"
    return ""


def misfits(connection: sqlite3.Connection, tables: tuple[str, ...]) -> list[str]:
    """Find the columns with values of another type than they declare, and say in how many rows."""
    misfit = []
    for table in tables:
        columns = [
            (name, KINDS[kind])
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
            if kind in KINDS
        ]
        sums = ", ".join(f"total(typeof({name}) NOT IN ({kinds}))" for name, kinds in columns)
        counts = connection.execute(f"SELECT {sums} FROM {table}").fetchone()
        misfit += [
            f"table {table}: {name} is of another type in {rows:,.0f} rows"
            for (name, _), rows in zip(columns, counts, strict=True)
            if rows
        ]
    return misfit
