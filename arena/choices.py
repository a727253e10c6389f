"""What a config leaves open, chosen once and kept with the results: so that it stays as it is.

That is which line-ups are drawn where not all are played (`arena.drawing`), and whether seatings
share decks where `duplicate = "auto"`. Pools and bots that are gone may come back: what was chosen
for them is kept.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import msgspec

from arena import drawing
from arena.errors import ArenaError
from arena.model import Entry, Pool, Wanted
from arena.store import Store

_KEY = "choices"


class Choice(NamedTuple):
    """What was chosen for a pool."""

    pool: Pool
    line_ups: tuple[drawing.Names, ...] = ()  # drawn so far, by names, in the order they were drawn
    duplicate: bool | None = None  # None: nobody asked


def chosen(store: Store | None) -> dict[Pool, Choice]:
    """Return what was chosen so far, by pool. Raises ArenaError where that is damaged."""
    kept = store.meta(_KEY) if store else None
    if store is None or kept is None:
        return {}
    try:
        choices = msgspec.json.decode(kept, type=tuple[Choice, ...])
    except (msgspec.MsgspecError, TypeError):
        raise ArenaError(
            f"{store.path}: the line-ups that were drawn are damaged; put a copy in its place, or "
            "play anew with --fresh"
        ) from None
    return {choice.pool: choice for choice in choices}


def keep(store: Store, choices: Mapping[Pool, Choice]) -> None:
    """Keep what was chosen."""
    store.set_meta(_KEY, json.dumps(list(choices.values())))


def usual(entry: Entry) -> bool:
    """Return whether seatings share decks as is usual for the game: where bots hold hidden hands,
    that takes luck out; at No Thanks!, where all is open, it only repeats the deal.
    """
    return entry.pool.game != "no_thanks"


def made(
    wanted: Iterable[Wanted],
    before: Mapping[Pool, Choice],
    share_decks: Callable[[Entry], bool] = usual,
) -> tuple[tuple[Entry, ...], dict[Pool, Choice]]:
    """Return the entries with nothing left open, and all choices: those `before`, and new ones.

    `share_decks` is asked where that is to be chosen and never was.
    """
    choices = dict(before)
    entries = []
    for entry, count, auto in wanted:
        choice = choices.get(entry.pool, Choice(entry.pool))
        if auto:
            shared = share_decks(entry) if choice.duplicate is None else choice.duplicate
            choice = choice._replace(duplicate=shared)
            entry = entry._replace(duplicate=shared)
        if count is not None:
            names = [bot.name for bot in entry.bots]
            used = drawing.line_ups(choice.line_ups, names, entry.pool.entrants, count)
            choice = choice._replace(line_ups=tuple(dict.fromkeys([*choice.line_ups, *used])))
            place = {name: number for number, name in enumerate(names)}
            places = tuple([tuple([place[name] for name in line_up]) for line_up in used])
            entry = entry._replace(line_ups=places)
        if choice != Choice(entry.pool):
            choices[entry.pool] = choice
        entries.append(entry)
    return tuple(entries), choices
