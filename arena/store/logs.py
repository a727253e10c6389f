"""What is kept of a bot for its author: where it failed, and what it printed."""

import re
from typing import Any, NamedTuple

from arena import seeds
from arena.decoding import decoded
from arena.errors import ArenaError, UsageError
from arena.hints import nearest
from arena.model import FAULTS, Fault, Pool, Reason
from arena.store import guard
from arena.store.forms import is_pool, numbers
from arena.store.plans import seeds_in
from arena.store.scan import seating_of
from arena.store.store import Store


class KeptFault(NamedTuple):
    """A fault as its author may see it."""

    game: str  # id
    fault: Fault


def fault_counts(store: Store) -> dict[str, int]:
    """Return how many faults each bot that has any has, in all that is stored; most first, then by
    name. Raises ArenaError.
    """
    with guard.raised(store.db):
        rows = store.db.execute(
            "SELECT name, count(*) FROM fault JOIN bot ON bot.id = fault.bot GROUP BY name"
        ).fetchall()
    return dict(sorted(rows, key=lambda row: (-row[1], row[0])))


def faults_of_bot(store: Store, name: str, most: int) -> tuple[list[KeptFault], int]:
    """Return a bot's faults, `most` at most, and how many there are. Raises UsageError.

    Those of kind `strikes` come after the others, because what they follow from says more, and last
    those whose texts were not kept.
    """
    _check_bot(store, name)
    source = "FROM fault JOIN bot ON bot.id = fault.bot WHERE name = ?"
    ((total,),) = store.db.execute(f"SELECT count(*) {source}", (name,))
    with guard.raised(store.db):
        rows = store.db.execute(
            f"SELECT game, seat, kind, at, detail {source} "
            "ORDER BY detail = '', kind = 'strikes', game, seat LIMIT ?",
            (name, most),
        ).fetchall()
    faults = []
    for game, seat, kind, action, text in rows:
        if type(game) is not str or kind not in FAULTS or type(text) is not str:
            raise _damaged(store, name)
        faults.append(KeptFault(game, Fault(seat, action, Reason(kind, text))))
    return faults, total


def texts_of_game(store: Store, game: str) -> dict[int, str]:
    """Return the texts of a game's faults by seat, of those that were kept."""
    with guard.raised(store.db):
        rows = store.db.execute(
            "SELECT seat, detail FROM fault WHERE game = ? AND detail != ''", (game,)
        ).fetchall()
    return {seat: text for seat, text in rows if type(seat) is int and type(text) is str}


def printed_by(store: Store, name: str) -> list[tuple[str, list[str], list[str]]]:
    """Return (pool's title, notes, printed lines) of a bot's sessions that have any."""
    with guard.raised(store.db):
        rows = store.db.execute(
            "SELECT game, players, options, partners, notes, printed FROM timing "
            "JOIN pool ON pool.id = timing.pool JOIN bot ON bot.id = timing.bot "
            "WHERE name = ? AND (notes != '[]' OR printed != '') ORDER BY timing.id",
            (name,),
        ).fetchall()
    sessions = []
    for *parts, notes, printed in rows:
        pool, told = Pool(*parts), _notes(store, name, notes)
        if not is_pool(pool) or type(printed) is not str:
            raise _damaged(store, name)
        lines = printed.removesuffix("\n").split("\n") if printed else []
        sessions.append((pool.title, told, lines))
    return sessions


def notes_by_bot(store: Store) -> dict[str, list[str]]:
    """Return the notes of each bot's sessions that have any, by name, in the order of both."""
    with guard.raised(store.db):
        rows = store.db.execute(
            "SELECT name, notes FROM timing JOIN bot ON bot.id = timing.bot "
            "WHERE notes != '[]' ORDER BY name, timing.id"
        ).fetchall()
    found: dict[str, list[str]] = {}
    for name, notes in rows:
        found.setdefault(name, []).extend(_notes(store, name, notes))
    return found


def printed_in(store: Store, game: str) -> dict[int, list[tuple[str, str]]]:
    """Return what bots printed in the game of that id: by action, (bot, line) in order of the bots'
    names, then as printed. Not what was kept by `view.table`, before lines had their place.
    """
    mark = f"game {game}, action "
    found: dict[int, list[tuple[str, str]]] = {}
    with guard.raised(store.db):
        rows = store.db.execute(
            "SELECT name, printed FROM timing JOIN bot ON bot.id = timing.bot "
            "WHERE instr(printed, ?) ORDER BY name, timing.id",
            (mark,),
        ).fetchall()
    for name, printed in rows:
        if type(name) is not str or type(printed) is not str:
            continue  # damaged, which costs no game
        for line in printed.split("\n"):
            action, colon, words = line.removeprefix(mark).partition(": ")
            if line.startswith(mark) and colon and re.fullmatch(r"\d{1,9}", action, re.ASCII):
                found.setdefault(int(action), []).append((name, words))
    return found


def tables_of_bot(store: Store, name: str, key: bytes) -> dict[int, str]:
    """Return the game's id for each `view.table` the bot was shown, by the bots' key."""
    rows = store.db.execute(
        "SELECT game.id, seating, bots FROM game JOIN line_up ON line_up.id = game.line_up"
    )
    mine = {row for (row,) in store.db.execute("SELECT id FROM bot WHERE name = ?", (name,))}
    of_seats = seeds.VERSIONS[seeds_in(store)].of_seats
    found = {}
    for id, seating, bots in rows:
        try:
            line_up = numbers(bots)
            seated = [line_up[index] for index in seating_of(seating)]
            tables, _ = of_seats(key, str(id), len(seated))
        except (ValueError, LookupError, TypeError):
            continue  # damaged: nothing was printed at its table, or nobody can say which it is
        for bot, table in zip(seated, tables, strict=True):
            if bot in mine:
                found[table] = id
    return found


def _notes(store: Store, name: str, notes: Any) -> list[str]:
    try:
        return decoded(notes, list[str])
    except ValueError:
        raise _damaged(store, name) from None


def _damaged(store: Store, name: str) -> ArenaError:
    return ArenaError(f"{store.path}: what is kept of {name} is damaged; `arena verify` says more")


def _check_bot(store: Store, name: str) -> None:
    names = sorted({bot.name for bot in store.bots()})
    if name not in names:
        near = nearest(name, names)
        hint = f"did you mean {near}?" if near else f"the bots are {', '.join(names) or 'none'}"
        raise UsageError(f"{store.path}: no bot {name!r} played in it; {hint}")
