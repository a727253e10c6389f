"""Whether what a host returned is of the session that it was given, before any of it is kept.

All games are looked at as a store's rows: that they were asked for, and are whole. The records of
some are judged by the rules, and their decks dealt again. That finds a host that went astray, or
one that forges many games; whether bots decided so, only `arena verify --replay-bots` finds.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from arena.audit.verify import UNSOUND, wrong_game
from arena.errors import ArenaError
from arena.model import Reason
from arena.runner.executor import Machine
from arena.runner.host import Returned
from arena.session.session import Job
from arena.store import caps
from arena.store.chunk import Chunk, unpacked
from arena.store.forms import is_host, is_size
from arena.store.scan import StoredGame, by_game, is_sound
from arena.typed_json import decode
from arena.words import shown

JUDGED = 50
"""Of a chunk's games, one in so many has its record judged, and one at least. That takes 0.2 to 0.6
ms, and to store a game 0.08."""

Choose = Callable[[Sequence[StoredGame], int], Sequence[StoredGame]]
"""Takes games and how many to choose, so that no host can foresee which."""


def inspect(job: Job, returned: Returned, choose: Choose) -> None:
    """Look through what came of a session. Raises ArenaError with what is wrong with it."""
    try:
        wrong = next(_problems(job, returned, choose), "")
    except (*UNSOUND, AttributeError, zlib.error) as error:
        wrong = f"it cannot be read ({type(error).__name__}: {error})"
    if wrong:
        raise ArenaError(
            f"it returned a session that is wrong: {wrong}; `arena verify` says what is wrong with "
            "games that it returned before"
        )


def inspect_machine(machine: Machine) -> None:
    """Raise ArenaError where what a host says of itself is no name and clock."""
    if not (is_host(machine.name) and is_size(machine.clock)):
        raise ArenaError("what it says of itself is no name and clock of a host")


def inspect_loading(asked: Sequence[str], why: Mapping[str, Reason]) -> None:
    """Raise ArenaError where what a host says is not which of the bots do not load, and why."""
    known = isinstance(why, dict) and why.keys() <= set(asked)
    if not (known and all(map(_is_reason, why.values()))):
        raise ArenaError("what it says of bots that do not load is of others, or no text")


def _problems(job: Job, returned: Returned, choose: Choose) -> Iterator[str]:
    asked = {fixture.id: fixture for fixture in job.fixtures}
    left = set(asked)
    for games in returned.games:
        rows = _rows(job, games)
        if {row.line_up for row in rows} != set(games.line_ups):
            yield "it names line-ups that do not play"
        for row in rows:
            if row.id not in left:
                yield f"game {shown(row.id)} was not asked for, or is there twice"
            left.remove(row.id)
            if not row.sound or row.fixture != asked[row.id]:
                yield f"game {row.id} is damaged, or not the one that was asked for"
        for id, seat, bot, kind, _, why in games.faults:
            if asked[id].line_up[asked[id].seating[seat]] != bot or not _is_text(why):
                yield f"game {id} tells of another bot's fault"
            if why and decode(why, Reason).kind != kind:
                yield f"game {id} tells of a fault of another kind"
        for row in choose(rows, -(-len(rows) // JUDGED)):
            if wrong := wrong_game(row, job.secret, [job.duplicate]):
                yield f"game {row.id}: {wrong}"
    if returned.tallies is None:
        return
    if left:
        yield f"{len(left):,} of its games are missing"
    bots = sorted({bot.name for fixture in job.fixtures for bot in fixture.line_up})
    if [tally.bot for tally in returned.tallies] != bots:
        yield "it tells of other bots than it was given"
    for _, *sizes, notes, printed, ends in returned.tallies:
        counts = all(is_size(times) and _is_reason(reason) for times, reason in ends)
        if not (counts and all(map(is_size, sizes)) and all(map(_is_text, (*notes, printed)))):
            yield "what its bots used is of other types"


def _rows(job: Job, games: Chunk) -> list[StoredGame]:
    """Return a chunk's games as a store has them. Raises what reading one of those raises."""
    faults = by_game([(id, seat, kind, at) for id, seat, _, kind, at, _ in games.faults])
    columns = zip(
        games.ids, games.own_line_ups, games.seatings, games.deals, games.ranks, games.scores,
        unpacked(games.bodies), games.checksums, strict=True,
    )  # fmt: skip
    rows = []
    for id, own, seating, deal, ranks, scores, body, crc in columns:
        line_up, told = games.line_ups[own], (seating, deal, ranks, scores)
        sound = is_sound(job.pool, line_up, (id, *told), body, faults.get(id, ()), crc)
        rest = body, faults.get(id, ()), sound
        rows.append(StoredGame(0, job.pool, id, line_up, *told, *rest))
    return rows


def _is_reason(value: object) -> bool:
    """Return whether this is a reason, as a store takes it."""
    try:
        text = msgspec.json.encode(value).decode()
        return isinstance(value, Reason) and _is_text(text) and decode(text, Reason) == value
    except (TypeError, ValueError, RecursionError):
        return False


def _is_text(value: object) -> bool:
    """Return whether this is text that a store takes."""
    try:
        return type(value) is str and len(value.encode()) <= caps.LONG_CELL
    except UnicodeEncodeError:  # half of a pair
        return False
