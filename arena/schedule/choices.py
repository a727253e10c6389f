"""The choices that a config leaves open, made once and then kept (by `arena.store.plans`).

There are two: which line-ups are drawn, where not all are played (`arena.schedule.sampling`); and
whether seatings share decks, where `duplicate = "auto"`. Pools and bots that are gone may come
back: the choices made for them are kept.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import games
from arena.model import Entry, Pool, Wanted
from arena.schedule import sampling
from arena.schedule.deck_sharing import Spread

NONE: Mapping[Pool, Spread] = MappingProxyType({})


class Choice(NamedTuple):
    """The choices made for a pool."""

    pool: Pool
    line_ups: tuple[sampling.Names, ...] = ()  # drawn so far, by names, in that order
    duplicate: bool | None = None  # None: nobody asked
    ratio: float | None = None  # of variances, that with shared decks to that without, in a pilot


def usual(entry: Entry) -> bool:
    """Return whether seatings share decks where no pilot says: as the game does, by a measurement
    among the house bots (`python -m tests.benchmarks.variance`).
    """
    return games.shares_decks(games.load(entry.pool.game))


def open_in(wanted: Iterable[Wanted], before: Mapping[Pool, Choice]) -> list[Entry]:
    """Return the entries in which the sharing of decks is still to be chosen."""
    return [
        each.entry
        for each in wanted
        if each.auto and before.get(each.entry.pool, Choice(each.entry.pool)).duplicate is None
    ]


def made(
    wanted: Iterable[Wanted],
    before: Mapping[Pool, Choice],
    measured: Mapping[Pool, Spread] = NONE,
) -> tuple[tuple[Entry, ...], dict[Pool, Choice]]:
    """Return the entries with nothing left open, and all choices: the ones `before`, and new ones.

    `measured` holds the pilots' results; a pool without one shares decks as is usual.
    """
    choices = dict(before)
    entries = []
    for entry, count, auto in wanted:
        choice = choices.get(entry.pool, Choice(entry.pool))
        if auto:
            if choice.duplicate is None and entry.pool in measured:
                ratio = round(measured[entry.pool].ratio, 3)
                choice = choice._replace(duplicate=ratio < 1, ratio=ratio)
            elif choice.duplicate is None:
                choice = choice._replace(duplicate=usual(entry))
            entry = entry._replace(duplicate=bool(choice.duplicate))
        if count is not None:
            used = _drawn(entry, choice.line_ups, count)
            choice = choice._replace(line_ups=tuple(dict.fromkeys([*choice.line_ups, *used])))
            place = {bot.name: number for number, bot in enumerate(entry.bots)}
            places = tuple([tuple([place[name] for name in line_up]) for line_up in used])
            entry = entry._replace(line_ups=places)
        if choice != Choice(entry.pool):
            choices[entry.pool] = choice
        entries.append(entry)
    return tuple(entries), choices


def _drawn(entry: Entry, before: Iterable[sampling.Names], count: int) -> list[sampling.Names]:
    """Return `count` line-ups or more, the ones drawn before first. Bots in all of them are set
    apart: the others are to play as often as each other.
    """
    always = set(entry.always)
    others = [bot.name for bot in entry.bots if bot.name not in always]
    rest = [tuple(n for n in each if n not in always) for each in before if always <= set(each)]
    size = entry.pool.entrants - len(always)
    used = sampling.line_ups(rest, others, size, count)
    return [tuple(sorted([*line_up, *always])) for line_up in used]
