"""What is kept of a bot for its author: where it failed, and what it printed."""

import json
from typing import NamedTuple

from arena import seeds
from arena.errors import UsageError
from arena.hints import nearest
from arena.model import Fault, Pool, Reason
from arena.store.plans import seeds_in
from arena.store.store import Store


class KeptFault(NamedTuple):
    """A fault as its author may see it."""

    game: str  # id
    fault: Fault


def faults_of_bot(store: Store, name: str, most: int) -> tuple[list[KeptFault], int]:
    """Return a bot's faults, `most` at most, and how many there are. Raises UsageError.

    Those of kind `strikes` come after the others, because what they follow from says more, and last
    those whose texts were not kept.
    """
    _check_bot(store, name)
    source = "FROM fault JOIN bot ON bot.id = fault.bot WHERE name = ?"
    ((total,),) = store.db.execute(f"SELECT count(*) {source}", (name,))
    rows = store.db.execute(
        f"SELECT game, seat, kind, at, detail {source} "
        "ORDER BY detail = '', kind = 'strikes', game, seat LIMIT ?",
        (name, most),
    )
    faults = [
        KeptFault(game, Fault(seat, action, Reason(kind, text)))
        for game, seat, kind, action, text in rows
    ]
    return faults, total


def printed_by(store: Store, name: str) -> list[tuple[str, list[str], str]]:
    """Return (pool's title, notes, what it printed) of a bot's sessions that have any."""
    rows = store.db.execute(
        "SELECT game, players, options, partners, notes, printed FROM timing "
        "JOIN pool ON pool.id = timing.pool JOIN bot ON bot.id = timing.bot "
        "WHERE name = ? AND (notes != '[]' OR printed != '') ORDER BY timing.id",
        (name,),
    )
    return [(Pool(*row[:4]).title, json.loads(row[4]), row[5]) for row in rows]


def tables_of_bot(store: Store, name: str, key: bytes) -> dict[int, str]:
    """Return the game's id for each `view.table` the bot was shown, by the bots' key."""
    rows = store.db.execute(
        "SELECT game.id, seating, bots FROM game JOIN line_up ON line_up.id = game.line_up"
    )
    mine = {row for (row,) in store.db.execute("SELECT id FROM bot WHERE name = ?", (name,))}
    of_seats = seeds.VERSIONS[seeds_in(store)].of_seats
    found = {}
    for id, seating, bots in rows:
        line_up = json.loads(bots)
        seated = json.loads(seating)
        tables, _ = of_seats(key, id, len(seated))
        for index, table in zip(seated, tables, strict=True):
            if line_up[index] in mine:
                found[table] = id
    return found


def _check_bot(store: Store, name: str) -> None:
    names = [row[0] for row in store.db.execute("SELECT DISTINCT name FROM bot ORDER BY name")]
    if name not in names:
        near = nearest(name, names)
        hint = f"did you mean {near}?" if near else f"there is {', '.join(names) or 'none'}"
        raise UsageError(f"{store.path}: no bot {name!r} played in it; {hint}")
