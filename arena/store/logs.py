"""The logs of bots, for their authors: where and why a bot failed, and what it printed."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from arena.errors import ArenaError, UsageError
from arena.faults.causes import FaultyBot, KeptFault, group_by_cause
from arena.faults.kinds import KINDS, FaultKind
from arena.faults.reasons import publish
from arena.model import Bot, FailedEnds, Fault, Pool, Reason, file_of
from arena.records.record import parse_place
from arena.store.loads import read_loads
from arena.store.plans import Counted
from arena.store.scan import read_forfeits
from arena.store.schema import raise_cell_limit
from arena.store.store import Store
from arena.store.validation import is_pool
from arena.typed_json import decode
from arena.words import nearest

T = TypeVar("T")

TEXTS = 10_000  # faults that are read of a bot, each kind's first among them


class SessionLog(NamedTuple):
    """The logs of a bot in one session."""

    pool: str  # title
    ends: list[FailedEnds]
    notes: list[str]
    printed: list[str]  # lines


class Logs:
    """The logs of the games and sessions that count; with `past`, of all.

    Making it raises UsageError where nothing was played, ArenaError where the plan is damaged. All
    methods raise ArenaError where something they read is damaged.
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
                f"{store.path}: {name} did not play in the last run; for earlier runs, use `arena "
                f"faults --all` or `arena logs --all`"
            )
        near = nearest(name, names)
        hint = f"did you mean {near}?" if near else f"the bots are {', '.join(names) or 'none'}"
        raise UsageError(f"{store.path}: no bot {name!r} played in it; {hint}")

    def file_of(self, name: str) -> str:
        """A bot's file, as its author called it in the last run."""
        return file_of(name, name in self._counted.plan.folders)

    def fault_counts(self) -> dict[str, Counter[FaultKind]]:
        """Faults by bot and kind, most faults first; bots without any are left out."""
        counts: dict[str, Counter[FaultKind]] = {}
        for name, _, _, kind, *_ in self._faults("''"):
            counts.setdefault(name, Counter())[kind] += 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1].total(), item[0])))

    def faults_of(self, name: str, most: int) -> tuple[list[KeptFault], int]:
        """A bot's faults, `most` at most, and how many there are. Raises UsageError as `check_bot`
        does.

        Faults of kind `strikes` come after the others, because the faults that led to them say
        more. Faults kept in short follow those kept whole; those with only their kind come last.
        """
        self.check_bot(name)
        short = """instr(reason, '"traceback":') + instr(reason, '"view":') = 0"""
        order = f"WHERE name = ? ORDER BY reason = '', kind = 'strikes', {short}, game_id, seat"
        faults, total = list[KeptFault](), 0
        for _, game, seat, kind, action, written in self._faults("reason", order, name):
            total += 1
            numbers = type(seat) is type(action) is int
            if not numbers or kind not in KINDS or not type(game) is type(written) is str:
                raise _damaged(self._store, name)
            if total <= most:
                reason = self._decode(name, written, Reason) if written else Reason(kind)
                if reason.kind != kind:
                    raise _damaged(self._store, name)
                faults.append(KeptFault(game, Fault(seat, action, reason)))
        return faults, total

    def loads(self) -> dict[str, Reason]:
        """The reasons why bots did not load when they were last tried, by name."""
        bots = sorted(self._counted.plan.bots)
        return {name: load.why for name, load in read_loads(self._store, bots).items()}

    def ends(self) -> dict[str, list[FailedEnds]]:
        """The failures of `end` by bot, by name, then by session; bots without any are left out."""
        failures: dict[str, list[FailedEnds]] = {}
        for _, name, ends, *_ in self._sessions("WHERE ends != '[]' ORDER BY name, timing.id"):
            failures.setdefault(name, []).extend(self._decode(name, ends, list[FailedEnds]))
        return failures

    def sessions_of(self, name: str) -> list[SessionLog]:
        """A bot's sessions that left anything in the logs."""
        which = "WHERE name = ? AND (ends != '[]' OR notes != '[]' OR printed != '') "
        sessions = []
        for pool, _, ends, notes, printed in self._sessions(f"{which}ORDER BY timing.id", name):
            if type(printed) is not str:
                raise _damaged(self._store, name)
            lines = printed.removesuffix("\n").split("\n") if printed else []
            sessions.append(
                SessionLog(
                    pool.title,
                    self._decode(name, ends, list[FailedEnds]),
                    self._decode(name, notes, list[str]),
                    [line for line in lines if self._counts(line)],
                )
            )
        return sessions

    def _decode(self, name: str, text: Any, form: type[T]) -> T:
        try:
            return decode(text, form)
        except ValueError:
            raise _damaged(self._store, name) from None

    def _counts(self, line: str) -> bool:
        """True if a printed line belongs to a game that counts, or to no game."""
        place = None if self._past else parse_place(line)
        if place is None:
            return True
        game = place[0]
        if game not in self._lines_count:
            row = self._store.db.execute(
                "SELECT id, line_up, seating, deal FROM game WHERE id = ?", (game,)
            ).fetchone()
            self._lines_count[game] = row is not None and self._counted.game(*row)
        return self._lines_count[game]

    def _faults(self, why: str, which: str = "", *given: object) -> Iterator[tuple[Any, ...]]:
        """Yield (name, game, seat, kind, action, what `why` selects) of faults that count."""
        with raise_cell_limit(self._store.db):
            for *columns, line_up, seating, deal in self._store.db.execute(
                f"SELECT name, game_id, seat, kind, action_number, {why}, line_up, seating, deal "
                "FROM fault JOIN bot ON bot.id = fault.bot JOIN game ON game.id = game_id "
                f"{which}",
                given,
            ):
                if self._counted.game(columns[1], line_up, seating, deal):
                    yield tuple(columns)

    def _sessions(self, which: str, *given: object) -> Iterator[tuple[Pool, str, Any, Any, Any]]:
        """Yield (pool, name, ends, notes, printed) of sessions that count."""
        with raise_cell_limit(self._store.db):
            for *parts, name, hash, ends, notes, printed in self._store.db.execute(
                "SELECT game, players, options, partners, name, hash, ends, notes, printed "
                "FROM timing JOIN pool ON pool.id = timing.pool "
                f"JOIN bot ON bot.id = timing.bot {which}",
                given,
            ):
                pool = Pool(*parts)
                if not self._counted.session(pool, Bot(name, hash)):
                    continue
                if not is_pool(pool):
                    raise _damaged(self._store, name)
                yield pool, name, ends, notes, printed


def find_faulty_bots(
    store: Store,
    bots: Collection[str] | None = None,
    beside: Collection[str] = frozenset(),
    past: bool = False,
    public: bool = False,
) -> Iterator[FaultyBot]:
    """Find the bots that forfeited games, most forfeits first, then those that do not load, and
    those whose `end` alone failed; only these `bots`, if given.

    `beside` names what lies in the league's folder, for the remedies. With `past`, games that are
    in no table any more count too. `public` tells no more than everybody may read.
    """
    show: Callable[[Reason], Reason] = publish if public else lambda reason: reason
    logs = Logs(store, past)
    counts, loads, ends = logs.fault_counts(), logs.loads(), logs.ends()
    for name in dict.fromkeys([*counts, *loads, *ends]):
        if bots is None or name in bots:
            stored = logs.faults_of(name, TEXTS)[0] if name in counts else ()
            faults = [KeptFault(id, of._replace(reason=show(of.reason))) for id, of in stored]
            failed = [FailedEnds(times, show(reason)) for times, reason in ends.get(name, ())]
            kinds = counts.get(name, Counter())
            unread = kinds - Counter(one.fault.reason.kind for one in faults)
            others = [(Reason(kind), times) for kind, times in unread.items()]
            others += [(show(loads[name]), 0)] if name in loads else []
            by_cause = group_by_cause(faults, logs.file_of(name), beside, failed, others)
            yield FaultyBot(name, kinds, by_cause)


def find_forfeit_steps(store: Store, games: Collection[str]) -> dict[tuple[str, int], int]:
    """The steps of these games, by id and seat, at which seats forfeited, as viewer and `arena
    replay` count: actions before it. Damaged rows are left out.
    """
    return {
        (game, seat): at
        for game, forfeits in read_forfeits(store.db, sorted(games)).items()
        for seat, _, at in forfeits
        if at >= 0
    }


def find_failed_phases(store: Store, game: str) -> dict[int, str]:
    """The phases that seats failed in, by seat, as far as they were kept."""
    with raise_cell_limit(store.db):
        rows = store.db.execute(
            "SELECT seat, reason FROM fault WHERE game_id = ? AND reason != ''", (game,)
        ).fetchall()
    phases = {}
    for seat, written in rows:
        with suppress(ValueError):  # damaged, which costs no game
            if type(seat) is int and (phase := decode(written, Reason).phase):
                phases[seat] = phase
    return phases


def find_prints(store: Store, game: str) -> dict[int, list[tuple[str, str]]]:
    """The lines that bots printed in the game of that id: by action, (bot, line) in order of the
    bots' names, then as printed. Lines kept by `view.table`, before lines had their place, are left
    out.
    """
    lines: dict[int, list[tuple[str, str]]] = {}
    with raise_cell_limit(store.db):
        rows = store.db.execute(
            "SELECT name, printed FROM timing JOIN bot ON bot.id = timing.bot "
            "WHERE instr(printed, ?) ORDER BY name, timing.id",
            (game,),
        ).fetchall()
    for name, printed in rows:
        if type(name) is not str or type(printed) is not str:
            continue  # damaged, which costs no game
        for line in printed.split("\n"):
            if (at := parse_place(line)) and at[0] == game:
                lines.setdefault(at[1], []).append((name, at[2]))
    return lines


def _damaged(store: Store, name: str) -> ArenaError:
    return ArenaError(
        f"{store.path}: the stored data of {name} is damaged; `arena verify` shows details"
    )
