"""Whether what a host returned is of the session that it was given, before any of it is kept.

Each game must be one that was asked for, and each column of its form: so that the store takes it,
and later readers meet no surprise. How games ended is the host's word. Its chunks are stored as it
packed them, and one in fifty is unpacked: its records are judged by the rules, and their decks
dealt again. `arena verify` does so with all; whether bots decided so, only its `--replay-bots`
finds.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import msgspec

from arena.audit import wrong_game
from arena.cluster.host import Returned
from arena.errors import ArenaError
from arena.model import Fixture, Reason, Tally
from arena.session import Job
from arena.store import Chunk, find_misfits, is_text, read_chunk
from arena.typed_json import decode
from arena.words import shown

JUDGED = 50
"""One chunk in so many is judged, and of a host's first one game in so many: a game takes 0.2 to
0.6 ms, and to store it 0.01."""

MOST_COUNTED = 1 << 53  # decisions of a bot, seconds, failures of its `end`


def inspect(job: Job, returned: Returned, is_first: bool, chance: Random) -> None:
    """Check what came of a session, the host's first or not. By `chance`, which no host may
    foresee, some chunks are judged. Raises ArenaError with what is wrong.
    """
    try:
        wrong = next(_problems(job, returned, is_first, chance), "")
    except Exception as error:  # whatever it is of: only the host has had a hand in it
        wrong = f"it cannot be read ({type(error).__name__}: {error})"
    if wrong:
        raise ArenaError(
            f"it returned a wrong session: {wrong}; this session is played again; check the games "
            "that it returned before with `arena verify`"
        )


def inspect_loading(asked: Sequence[str], why: Mapping[str, Reason]) -> None:
    """Raise ArenaError where a host's answer is not which of the bots do not load, and why."""
    try:
        sound = decode(_json(why), dict[str, Reason]) == why and why.keys() <= set(asked)
        sound = sound and all(is_text(_json(reason)) for reason in why.values())
    except Exception:  # as above
        sound = False
    if not sound:
        raise ArenaError("its report of bots that do not load names other bots, or is not text")


def _problems(job: Job, returned: Returned, is_first: bool, chance: Random) -> Iterator[str]:
    fixtures_asked = [*job.fixtures]  # each is made anew, at a price
    left = {fixture.id: fixture for fixture in fixtures_asked}
    for games in returned.games:
        fixtures = list[Fixture]()
        for id in games.ids:
            if id not in left:
                yield f"game {shown(id)} was not requested, or came twice"
            fixtures.append(left.pop(id))
        yield from find_misfits(games, job.pool, fixtures)
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
        yield "the resource figures of its bots have wrong types"
    bots = sorted({bot.name for fixture in fixtures_asked for bot in fixture.line_up})
    if [tally.bot for tally in tallies] != bots:
        yield "it reports on bots that it was not given"
    for _, decisions, cpu_s, worst_s, notes, printed, ends in tallies:
        numbers = decisions, cpu_s, worst_s, *(times for times, _ in ends)
        texts = printed, json.dumps(notes), _json(ends)
        if not (all(0 <= each < MOST_COUNTED for each in numbers) and all(map(is_text, texts))):
            yield "the resource figures of its bots are too large for a store"


def _judged(
    job: Job, games: Chunk, fixtures: Sequence[Fixture], places: Sequence[int]
) -> Iterator[str]:
    """What is wrong with a chunk's games as a store would have them: damage in any, and in the
    records at some places.
    """
    rows = read_chunk(games, job.pool)
    for row, fixture in zip(rows, fixtures, strict=True):
        if not row.sound or row.fixture != fixture:
            yield f"game {row.id} is damaged, or not the one requested"
    for place in places:
        if wrong := wrong_game(rows[place], job.secret, [job.duplicate]):
            yield f"game {rows[place].id}: {wrong}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
