"""Whether what a host returned is of the session that it was given, before any of it is kept.

Each game must be one that was asked for, and each column of its form: so that the store takes it,
and later readers meet no surprise. How games ended is the host's word. Its chunks are stored as it
packed them, and one in fifty is unpacked: its records are judged by the rules, and their decks
dealt again. `arena verify` does so with all; whether bots decided so, only its `--replay-bots`
finds.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

import msgspec

from arena.audit import wrong_game
from arena.cluster.host import Returned
from arena.cluster.scheduler import MOST
from arena.errors import ArenaError
from arena.model import FAULTS, Fixture, Reason, Tally
from arena.runner import Machine
from arena.session import Job
from arena.store import chunk, schema
from arena.store.chunk import Chunk, unpack_bodies
from arena.store.scan import StoredGame, group_by_game, is_sound, parse_ranks
from arena.store.validation import is_host, is_size, numbers
from arena.typed_json import decode
from arena.words import shown

JUDGED = 50
"""One chunk in so many is judged, and of a host's first one game in so many: a game takes 0.2 to
0.6 ms, and to store it 0.01."""

MOST_ACTIONS = 1 << 31
MOST_COUNTED = 1 << 53  # decisions of a bot, seconds, failures of its `end`


class Untrue(ArenaError):
    """A host returned data that no session gives."""


def inspect(job: Job, returned: Returned, is_first: bool, chance: Random) -> None:
    """Check what came of a session, the host's first or not. By `chance`, which no host may
    foresee, some chunks are judged. Raises Untrue with what is wrong.
    """
    try:
        wrong = next(_problems(job, returned, is_first, chance), "")
    except Exception as error:  # whatever it is of: only the host has had a hand in it
        wrong = f"it cannot be read ({type(error).__name__}: {error})"
    if wrong:
        raise Untrue(
            f"it returned a session that is wrong: {wrong}; all that it returned in this run is "
            "played again, and `arena verify` says what is wrong with games of earlier runs"
        )


def inspect_host(machine: Machine, threads: int) -> None:
    """Raise ArenaError where a host's description of itself is no name, clock and threads."""
    named = is_host(machine.name) and machine.name  # "" stands for the coordinator's machine
    if not (named and is_size(machine.clock) and type(threads) is int and 0 < threads <= MOST):
        raise ArenaError(
            f"what it says of itself is no name, clock and 1 to {MOST:,} threads of a host"
        )


def inspect_loading(asked: Sequence[str], why: Mapping[str, Reason]) -> None:
    """Raise ArenaError where a host's answer is not which of the bots do not load, and why."""
    try:
        sound = decode(_json(why), dict[str, Reason]) == why and why.keys() <= set(asked)
        sound = sound and all(_is_text(_json(reason)) for reason in why.values())
    except Exception:  # as above
        sound = False
    if not sound:
        raise ArenaError("what it says of bots that do not load is of others, or no text")


def _problems(job: Job, returned: Returned, is_first: bool, chance: Random) -> Iterator[str]:
    fixtures_asked = [*job.fixtures]  # each is made anew, at a price
    left = {fixture.id: fixture for fixture in fixtures_asked}
    for games in returned.games:
        fixtures = list[Fixture]()
        for id in games.ids:
            if id not in left:
                yield f"game {shown(id)} was not asked for, or is there twice"
            fixtures.append(left.pop(id))
        yield from _misfits(job, games, fixtures)
        count = len(fixtures)
        if chance.randrange(JUDGED):
            count = -(-count // JUDGED) if is_first else 0
        if count:
            yield from _judged(job, games, fixtures, chance.sample(range(len(fixtures)), count))
        is_first = False
    if returned.tallies is None:
        return
    if left:
        yield f"{len(left):,} of its games are missing"
    tallies = decode(_json(returned.tallies), list[Tally])
    if tallies != returned.tallies:
        yield "what its bots used is of other types"
    bots = sorted({bot.name for fixture in fixtures_asked for bot in fixture.line_up})
    if [tally.bot for tally in tallies] != bots:
        yield "it tells of other bots than it was given"
    for _, decisions, cpu_s, worst_s, notes, printed, ends in tallies:
        numbers = decisions, cpu_s, worst_s, *(times for times, _ in ends)
        texts = printed, json.dumps(notes), _json(ends)
        if not (all(0 <= each < MOST_COUNTED for each in numbers) and all(map(_is_text, texts))):
            yield "what its bots used is more than a store takes"


def _misfits(job: Job, games: Chunk, fixtures: Sequence[Fixture]) -> Iterator[str]:
    """Yield where a chunk is not of the games that were asked for, or not as a store takes it."""
    if not 0 < len(fixtures) <= chunk.GAMES:
        yield f"a chunk of it has {len(fixtures):,} games"
    if type(games.bodies) is not bytes or len(games.bodies) > chunk.PACKED:
        yield "records of it are no bytes, or more than a chunk has"
    if {*games.own_line_ups} != {*range(len(games.line_ups))}:
        yield "it names line-ups that do not play"
    players = job.pool.players
    columns = zip(
        fixtures, games.own_line_ups, games.seatings, games.deals, games.ranks, games.scores,
        games.checksums, strict=True,
    )  # fmt: skip
    for fixture, own, seating, deal, ranks, scores, crc in columns:
        written = games.line_ups[own], seating, deal
        if written != (fixture.line_up, _text(fixture.seating), fixture.deal) or (
            type(deal) is not int
        ):
            yield f"game {fixture.id} is not the one that was asked for"
        if not (
            _are_ranks(ranks, players) and _are_scores(scores, players) and _is_number(crc, 1 << 32)
        ):
            yield f"game {fixture.id} is damaged"
    by_id = {fixture.id: fixture for fixture in fixtures} if games.faults else {}
    forfeits = set[tuple[str, int]]()
    for id, seat, bot, kind, at, why in games.faults:
        fixture = by_id[id]
        if (id, seat) in forfeits or not _is_number(seat, players):
            yield f"game {id} tells of a fault twice, or of no seat's"
        if fixture.line_up[fixture.seating[seat]] != bot:
            yield f"game {id} tells of another bot's fault"
        if kind not in FAULTS or not _is_number(at, MOST_ACTIONS) or not _is_text(why):
            yield f"game {id} has a fault of no kind"
        if why and decode(why, Reason).kind != kind:
            yield f"game {id} tells of a fault of another kind"
        forfeits.add((id, seat))


def _judged(
    job: Job, games: Chunk, fixtures: Sequence[Fixture], places: Sequence[int]
) -> Iterator[str]:
    """What is wrong with a chunk's games as a store would have them: damage in any, and in the
    records at some places.
    """
    rows = _rows(job, games)
    for row, fixture in zip(rows, fixtures, strict=True):
        if not row.sound or row.fixture != fixture:
            yield f"game {row.id} is damaged, or not the one that was asked for"
    for place in places:
        if wrong := wrong_game(rows[place], job.secret, [job.duplicate]):
            yield f"game {rows[place].id}: {wrong}"


def _rows(job: Job, games: Chunk) -> list[StoredGame]:
    """A chunk's games as a store has them. Raises what reading one of those raises."""
    faults = group_by_game([(id, seat, kind, at) for id, seat, _, kind, at, _ in games.faults])
    columns = zip(
        games.ids, games.own_line_ups, games.seatings, games.deals, games.ranks, games.scores,
        unpack_bodies(games.bodies), games.checksums, strict=True,
    )  # fmt: skip
    rows = []
    for id, own, seating, deal, ranks, scores, body, crc in columns:
        line_up, facts = games.line_ups[own], (seating, deal, ranks, scores)
        sound = is_sound(job.pool, line_up, (id, *facts), body, faults.get(id, ()), crc)
        rest = body, faults.get(id, ()), sound
        rows.append(StoredGame(0, job.pool, id, line_up, *facts, *rest))
    return rows


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _is_text(value: object) -> bool:
    """Whether this is text that a store takes."""
    try:
        return type(value) is str and len(value.encode()) <= schema.LONG_CELL
    except UnicodeEncodeError:  # half of a pair
        return False


def _text(numbers: Sequence[int]) -> str:
    """Write numbers as a store has them."""
    return str([*numbers])


@lru_cache(1 << 13)
def _are_ranks(text: str, players: int) -> bool:
    """Whether these are ranks, by seat, as a store has them."""
    return type(text) is str and _text(parse_ranks(text)) == text and text.count(",") == players - 1


@lru_cache(1 << 13)
def _are_scores(text: str, players: int) -> bool:
    """Whether these are scores, by seat, as a store has them."""
    return type(text) is str and _text(numbers(text)) == text and text.count(",") == players - 1


def _is_number(value: object, end: int) -> bool:
    return type(value) is int and 0 <= value < end
