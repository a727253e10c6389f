"""Checks that a host returned the session that it was given, before any of it is stored.

Hosts are the organiser's own and have the coordinator's versions, so this finds a machine that is
broken. Each game must be one that was asked for. Chunks are stored as the host packed them, and one
in fifty is unpacked: its records are judged by the rules, and their decks dealt again. `arena
verify` does so with all.
"""

from collections.abc import Iterator, Sequence
from random import Random

from arena.audit.game_check import wrong_game
from arena.cluster.host import Returned
from arena.errors import ArenaError
from arena.model import Fixture
from arena.session.session import Job
from arena.store.chunk import Chunk
from arena.store.scan import read_chunk

JUDGED = 50
"""One chunk in so many is judged, and of a host's first one game in so many: a game takes 0.2 to
0.6 ms, and to store it 0.01."""


def inspect(job: Job, returned: Returned, is_first: bool, chance: Random) -> None:
    """Check what came of a session, the host's first or not; some chunks are judged, by `chance`.
    Raises ArenaError with what is wrong.
    """
    try:
        wrong = next(_problems(job, returned, is_first, chance), "")
    except Exception as error:  # of whatever damage does to a chunk
        wrong = f"it cannot be read ({type(error).__name__}: {error})"
    if wrong:
        raise ArenaError(
            f"it returned a wrong session: {wrong}; this session is played again; check the games "
            "that it returned before with `arena verify`"
        )


def _problems(job: Job, returned: Returned, is_first: bool, chance: Random) -> Iterator[str]:
    left = {fixture.id: fixture for fixture in job.fixtures}
    for games in returned.games:
        fixtures = list[Fixture]()
        for id in games.ids:
            if id not in left:
                yield f"game {id} was not requested, or came twice"
            fixtures.append(left.pop(id))
        count = len(fixtures)
        if chance.randrange(JUDGED):
            count = -(-count // JUDGED) if is_first else 0
        if count:
            yield from _check(job, games, fixtures, chance.sample(range(len(fixtures)), count))
        is_first = False
    if left and returned.tallies is not None:
        yield f"{len(left):,} of its games are missing"


def _check(
    job: Job, games: Chunk, fixtures: Sequence[Fixture], places: Sequence[int]
) -> Iterator[str]:
    """Yield the problems of a chunk's games as a store would have them: damage in any, and in the
    records at some places.
    """
    rows = read_chunk(games, job.pool)
    for row, fixture in zip(rows, fixtures, strict=True):
        if not row.sound or row.fixture != fixture:
            yield f"game {row.id} is damaged, or not the one requested"
    for place in places:
        if wrong := wrong_game(rows[place], job.secret, [job.shared_decks]):
            yield f"game {rows[place].id}: {wrong}"
