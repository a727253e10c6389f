"""Where in its game a seat forfeited, which outcomes leave out."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice

from arena.store import guard
from arena.store.scan import by_game, readable
from arena.store.store import Store

AT_ONCE = 2_000  # games that are asked for together

Steps = Mapping[tuple[str, int], int]
"""By game's id and seat: the step of the game, as viewer and `arena replay` count (actions before
it), at which the seat forfeited."""


def failed_at(store: Store, games: Iterable[str]) -> Steps:
    """Return where seats forfeited in games of these ids; what is damaged is left out."""
    query = "SELECT game, seat, kind, at FROM fault WHERE game IN (SELECT value FROM json_each(?))"
    left, found = iter(sorted({*games})), {}
    while some := list(islice(left, AT_ONCE)):
        with guard.raised(store.db):  # of so many ids
            rows = readable(store.db, query, json.dumps(some))
        for game, faults in by_game(rows).items():
            found.update({(game, seat): at for seat, _, at in faults if at >= 0})
    return found
