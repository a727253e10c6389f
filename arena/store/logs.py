"""What is kept of a bot for its author: where it failed, and what it printed."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from arena.errors import ArenaError, UsageError
from arena.model import FAULTS, Bot, Fault, Pool, Reason, file_of
from arena.store import guard
from arena.store.forms import is_pool
from arena.store.plans import Counted
from arena.store.store import Store
from arena.typed_json import decode
from arena.words import nearest

_PLACE = re.compile(r"game ([0-9a-f]+), action ")


class KeptFault(NamedTuple):
    """A fault as its author may see it."""

    game: str  # id
    fault: Fault


class Logs:
    """What is kept of a store's bots, of the games and sessions that count; with `past`, of all.

    Making it raises UsageError where nothing was played, ArenaError where the plan is damaged; all
    it does raises ArenaError.
    """

    def __init__(self, store: Store, past: bool = False) -> None:
        self._store, self._past, self._counted = store, past, Counted(store, past)
        self._lines_count: dict[str, bool] = {}  # whether those of a game do, by its id

    def check_bot(self, name: str) -> None:
        """Raise UsageError if no bot of that name played."""
        store = self._store
        bots = store.bots() if self._past else self._counted.plan.bots
        names = sorted({bot.name for bot in bots})
        if name in names:
            return
        if name in {bot.name for bot in store.bots()}:
            raise UsageError(
                f"{store.path}: {name} did not play in the last run; `arena faults --all` and "
                "`arena logs --all` tell of earlier ones"
            )
        near = nearest(name, names)
        hint = f"did you mean {near}?" if near else f"the bots are {', '.join(names) or 'none'}"
        raise UsageError(f"{store.path}: no bot {name!r} played in it; {hint}")

    def file_of(self, name: str) -> str:
        """Return a bot's file, as its author called it in the last run."""
        return file_of(name, name in self._counted.plan.folders)

    def fault_counts(self) -> dict[str, Counter[str]]:
        """Return how many faults of each kind the bots have that have any, by name: most first."""
        found: dict[str, Counter[str]] = {}
        for name, _, _, kind, *_ in self._faults("''"):
            found.setdefault(name, Counter())[kind] += 1
        return dict(sorted(found.items(), key=lambda item: (-item[1].total(), item[0])))

    def faults_of(self, name: str, most: int) -> tuple[list[KeptFault], int]:
        """Return a bot's faults, `most` at most, and how many there are. Raises UsageError, as
        `check_bot` does.

        Those of kind `strikes` come after the others, because what they follow from says more, and
        last those whose texts were not kept.
        """
        self.check_bot(name)
        order = "WHERE name = ? ORDER BY detail = '', kind = 'strikes', fault.game, seat"
        faults, total = list[KeptFault](), 0
        for _, game, seat, kind, action, text in self._faults("detail", order, name):
            total += 1
            if type(game) is not str or kind not in FAULTS or type(text) is not str:
                raise _damaged(self._store, name)
            if total <= most:
                faults.append(KeptFault(game, Fault(seat, action, Reason(kind, text))))
        return faults, total

    def notes(self) -> dict[str, list[str]]:
        """Return the notes of each bot's sessions that have any, by name, in the order of both."""
        found: dict[str, list[str]] = {}
        for _, name, notes, _ in self._sessions("WHERE notes != '[]' ORDER BY name, timing.id"):
            found.setdefault(name, []).extend(_notes(self._store, name, notes))
        return found

    def printed_by(self, name: str) -> list[tuple[str, list[str], list[str]]]:
        """Return (pool's title, notes, printed lines) of a bot's sessions that have any."""
        which = "WHERE name = ? AND (notes != '[]' OR printed != '') ORDER BY timing.id"
        sessions = []
        for pool, _, notes, printed in self._sessions(which, name):
            told = _notes(self._store, name, notes)
            if type(printed) is not str:
                raise _damaged(self._store, name)
            lines = printed.removesuffix("\n").split("\n") if printed else []
            sessions.append((pool.title, told, [line for line in lines if self._counts(line)]))
        return sessions

    def _counts(self, line: str) -> bool:
        """Return whether a printed line is of a game that counts, or of none."""
        found = _PLACE.match(line)
        if not found or self._past:
            return True
        if found[1] not in self._lines_count:
            row = self._store.db.execute(
                "SELECT id, line_up, seating, deal FROM game WHERE id = ?", (found[1],)
            ).fetchone()
            self._lines_count[found[1]] = row is not None and self._counted.game(*row)
        return self._lines_count[found[1]]

    def _faults(self, text: str, which: str = "", *given: object) -> Iterator[tuple[Any, ...]]:
        """Yield (name, game, seat, kind, action, text) of faults."""
        with guard.raised(self._store.db):
            for *columns, line_up, seating, deal in self._store.db.execute(
                f"SELECT name, fault.game, seat, kind, at, {text}, line_up, seating, deal "
                "FROM fault JOIN bot ON bot.id = fault.bot JOIN game ON game.id = fault.game "
                f"{which}",
                given,
            ):
                if self._counted.game(columns[1], line_up, seating, deal):
                    yield tuple(columns)

    def _sessions(self, which: str, *given: object) -> Iterator[tuple[Pool, str, Any, Any]]:
        """Yield (pool, name, notes, printed) of sessions."""
        with guard.raised(self._store.db):
            for *parts, name, hash, notes, printed in self._store.db.execute(
                "SELECT game, players, options, partners, name, hash, notes, printed FROM timing "
                "JOIN pool ON pool.id = timing.pool JOIN bot ON bot.id = timing.bot " + which,
                given,
            ):
                pool = Pool(*parts)
                if not self._counted.session(pool, Bot(name, hash)):
                    continue
                if not is_pool(pool):
                    raise _damaged(self._store, name)
                yield pool, name, notes, printed


def texts_of_game(store: Store, game: str) -> dict[int, str]:
    """Return the texts of a game's faults by seat, of those that were kept."""
    with guard.raised(store.db):
        rows = store.db.execute(
            "SELECT seat, detail FROM fault WHERE game = ? AND detail != ''", (game,)
        ).fetchall()
    return {seat: text for seat, text in rows if type(seat) is int and type(text) is str}


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


def _notes(store: Store, name: str, notes: Any) -> list[str]:
    try:
        return decode(notes, list[str])
    except ValueError:
        raise _damaged(store, name) from None


def _damaged(store: Store, name: str) -> ArenaError:
    return ArenaError(f"{store.path}: what is kept of {name} is damaged; `arena verify` says more")
